//! The timed loops.
//!
//! Each benchmark has its own loops. The functions marked `inline(never)` are generic over the body, so the
//! compiler generates one per benchmark and inlines only that body. A benchmark's position in the program
//! therefore does not affect its time. Only the loop and the body run between the two readings of the clock.
//! The loop drops each result before the next call, as a typical program does, so that the allocator can
//! reuse its memory. With `drop_outside`, results are kept and dropped while the clock is stopped.

use crate::alloc::Counted;
use crate::clock::{now, ns_between};
use std::hint::black_box;
use std::mem::{self, needs_drop, size_of};
use std::vec::Drain;

#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Number of calls per batch.
    pub iterations: u64,
    /// Maximum number of batches.
    pub batches: usize,
    /// Time limit in ns. The turn ends after the batch that exceeds it.
    pub within_ns: u64,
    /// True to hash the last result, if the benchmark supports that.
    pub wants_hash: bool,
}

/// Runs the batches of a turn and stores their times in ns. `batch` makes the given number of calls and
/// returns their time.
pub fn take(turn: Turn, times: &mut Vec<u64>, batch: &mut dyn FnMut(u64) -> u64) {
    times.clear();
    let start = now();
    while times.len() < turn.batches {
        times.push(batch(turn.iterations));
        if ns_between(start, now()) >= turn.within_ns {
            break;
        }
    }
}

/// A body that can be timed with a context of type `C`.
pub trait Timed<C> {
    fn reserve(&mut self);
    /// Calls the body `iterations` times and returns the time of the calls in ns. Adds their allocations to
    /// `counted`. With `wants_hash`, also returns the hash of the last result if the benchmark supports
    /// hashes.
    fn batch(
        &mut self,
        context: &mut C,
        iterations: u64,
        wants_hash: bool,
        counted: &mut Counted,
    ) -> (u64, Option<u64>);
    /// Runs the same loop without the body and returns its time in ns.
    fn empty(&mut self, context: &mut C, iterations: u64) -> u64;
    /// Calls the body once without timing it. Returns the hash of the result if the benchmark supports
    /// hashes.
    fn once(&mut self, context: &mut C) -> Option<u64>;
}

/// Hashes the results of a body, and determines when they are dropped.
pub struct Results<R> {
    hash: Option<fn(&R) -> u64>,
    drop_outside: bool,
    /// Results to drop once the clock has stopped. Empty between pieces.
    kept: Vec<R>,
}

impl<R> Results<R> {
    pub fn new(hash: Option<fn(&R) -> u64>, drop_outside: bool) -> Results<R> {
        Results { hash, drop_outside, kept: Vec::new() }
    }

    /// Maximum number of kept results: those that fit into 16 KiB, half of a typical first-level cache, but
    /// at most 256, because results may own further memory.
    const ROOM: usize = room::<R>(16 << 10, 256);

    /// Returns true if results are kept. Results without a destructor are passed to `black_box` instead.
    fn keeps(&self) -> bool {
        needs_drop::<R>() && self.drop_outside
    }

    fn reserve(&mut self) {
        if self.keeps() {
            self.kept.reserve_exact(Self::ROOM);
        }
    }

    /// Returns the maximum number of calls that can be timed in one piece.
    pub fn most(&self) -> u64 {
        match self.keeps() {
            true => Self::ROOM as u64,
            false => u64::MAX,
        }
    }

    /// Calls the body once per input and returns the time in ns.
    pub fn piece<T>(
        &mut self,
        inputs: impl IntoIterator<Item = T>,
        counted: &mut Counted,
        call: impl FnMut(T) -> R,
    ) -> u64 {
        if !self.keeps() {
            return calls(inputs, counted, call);
        }
        // Move the buffer into a local variable, so that a panic drops its contents.
        let mut kept = mem::take(&mut self.kept);
        kept.reserve_exact(Self::ROOM);
        let ns = kept_calls(inputs, counted, &mut kept, call);
        kept.clear();
        self.kept = kept;
        ns
    }

    /// Times the last call of a batch separately to hash its result, because the loop keeps no results.
    fn last(
        &self,
        hash: fn(&R) -> u64,
        counted: &mut Counted,
        call: impl FnOnce() -> R,
    ) -> (u64, Option<u64>) {
        let mut result = None;
        let ns = calls(Some(call), counted, |call| result = Some(black_box(call())));
        let hash = result.as_ref().map(hash);
        match self.drop_outside || !needs_drop::<R>() {
            true => (ns, hash),
            false => (ns + calls(Some(result), counted, drop), hash),
        }
    }
}

/// Returns the number of values of type `T` that fit into the given number of bytes: at least 1 and at most
/// `most`. A longer batch is timed in pieces.
pub const fn room<T>(bytes: usize, most: usize) -> usize {
    let size = if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
    match bytes / size {
        0 => 1,
        fitting if fitting > most => most,
        fitting => fitting,
    }
}

/// Makes the compiler assume that the referenced value has changed. Does nothing for zero-sized types.
#[inline(always)]
fn opaque<T>(value: &mut T) -> &mut T {
    if size_of::<T>() == 0 {
        value
    } else {
        black_box(value)
    }
}

/// Calls the body once per input and returns the time in ns. Takes inputs that are not an iterator yet,
/// because an iterator that is passed in would be written to memory for each input. Drops the iterator after
/// the clock has stopped.
#[inline(never)]
pub fn calls<T, R>(
    inputs: impl IntoIterator<Item = T>,
    counted: &mut Counted,
    mut call: impl FnMut(T) -> R,
) -> u64 {
    let mut inputs = inputs.into_iter();
    let before = Counted::now();
    let start = now();
    for input in inputs.by_ref() {
        black_box(call(input));
    }
    let stop = now();
    counted.add_since(before);
    ns_between(start, stop)
}

/// Calls the body once per input, keeps the results, and returns the time in ns. `results` must have enough
/// capacity, so that no call allocates here.
#[inline(never)]
fn kept_calls<T, R>(
    inputs: impl IntoIterator<Item = T>,
    counted: &mut Counted,
    results: &mut Vec<R>,
    mut call: impl FnMut(T) -> R,
) -> u64 {
    let mut inputs = inputs.into_iter();
    let before = Counted::now();
    let start = now();
    results.extend(inputs.by_ref().map(|input| black_box(call(input))));
    let stop = now();
    counted.add_since(before);
    ns_between(start, stop)
}

/// The inputs of a piece, which its calls consume.
struct Drained<'a, I>(&'a mut Vec<I>);

impl<'a, I> IntoIterator for Drained<'a, I> {
    type Item = I;
    type IntoIter = Drain<'a, I>;

    fn into_iter(self) -> Drain<'a, I> {
        black_box(self.0).drain(..)
    }
}

/// A body that takes the context.
pub struct Calls<B, R> {
    pub body: B,
    pub results: Results<R>,
}

impl<C, R, B: FnMut(&mut C) -> R> Timed<C> for Calls<B, R> {
    fn reserve(&mut self) {
        self.results.reserve();
    }

    fn batch(
        &mut self,
        context: &mut C,
        iterations: u64,
        wants_hash: bool,
        counted: &mut Counted,
    ) -> (u64, Option<u64>) {
        let Calls { body, results } = self;
        let hash = results.hash.filter(|_| wants_hash);
        let (mut left, mut ns) = (iterations - u64::from(hash.is_some()), 0);
        while left > 0 {
            let piece = left.min(results.most());
            ns += results.piece(0..piece, counted, |_| opaque(body)(opaque(context)));
            left -= piece;
        }
        let Some(hash) = hash else { return (ns, None) };
        let (last_ns, hash) = results.last(hash, counted, || opaque(body)(opaque(context)));
        (ns + last_ns, hash)
    }

    fn empty(&mut self, context: &mut C, iterations: u64) -> u64 {
        let body = &mut self.body;
        calls(0..iterations, &mut Counted::default(), |_| {
            opaque(body);
            opaque(context);
        })
    }

    fn once(&mut self, context: &mut C) -> Option<u64> {
        let result = (self.body)(context);
        self.results.hash.map(|hash| hash(&result))
    }
}

pub struct FreshCalls<M, I, B, R> {
    make: M,
    inputs: Vec<I>,
    body: B,
    results: Results<R>,
    most: u64,
}

impl<M, I, B, R> FreshCalls<M, I, B, R> {
    pub fn new(make: M, body: B, results: Results<R>) -> Self {
        FreshCalls { make, inputs: Vec::new(), body, results, most: Self::ROOM as u64 }
    }

    /// Limits the number of inputs that exist at the same time.
    #[allow(dead_code)] // Used only by the crates in `suites/`, which include this file.
    pub fn at_most(self, inputs: u64) -> Self {
        FreshCalls { most: self.most.min(inputs.max(1)), ..self }
    }

    /// Maximum number of inputs that are made in advance.
    const ROOM: usize = room::<I>(1 << 20, 1024);
}

impl<C, I, R, M: FnMut(&mut C) -> I, B: FnMut(I) -> R> Timed<C> for FreshCalls<M, I, B, R> {
    fn reserve(&mut self) {
        self.inputs.reserve_exact(Self::ROOM);
        self.results.reserve();
    }

    fn batch(
        &mut self,
        context: &mut C,
        iterations: u64,
        wants_hash: bool,
        counted: &mut Counted,
    ) -> (u64, Option<u64>) {
        let FreshCalls { make, inputs, body, results, most } = self;
        let hash = results.hash.filter(|_| wants_hash);
        let most = results.most().min(*most);
        let (mut left, mut ns) = (iterations - u64::from(hash.is_some()), 0);
        while left > 0 {
            let piece = left.min(most);
            // If `make` panicked, inputs of the previous batch may remain.
            inputs.clear();
            inputs.extend((0..piece).map(|_| make(context)));
            ns += results.piece(Drained(inputs), counted, |input| opaque(body)(input));
            left -= piece;
        }
        let Some(hash) = hash else { return (ns, None) };
        let input = black_box(make(context));
        let (last_ns, hash) = results.last(hash, counted, || opaque(body)(input));
        (ns + last_ns, hash)
    }

    fn empty(&mut self, _context: &mut C, iterations: u64) -> u64 {
        let body = &mut self.body;
        calls(0..iterations, &mut Counted::default(), |_| {
            opaque(body);
        })
    }

    fn once(&mut self, context: &mut C) -> Option<u64> {
        let result = (self.body)((self.make)(context));
        self.results.hash.map(|hash| hash(&result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panics::catch;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Numbers of values that were made, that are alive, and that were alive at once at most.
    #[derive(Default)]
    struct Census {
        made: Cell<u64>,
        alive: Cell<usize>,
        most: Cell<usize>,
    }

    /// A value that counts its instances. Its drop allocates, so that tests can tell whether it was timed.
    struct Counting(Rc<Census>, u64);

    impl Counting {
        fn new(census: &Rc<Census>) -> Counting {
            census.made.set(census.made.get() + 1);
            census.alive.set(census.alive.get() + 1);
            census.most.set(census.most.get().max(census.alive.get()));
            Counting(Rc::clone(census), census.made.get())
        }
    }

    impl Drop for Counting {
        fn drop(&mut self) {
            self.0.alive.set(self.0.alive.get() - 1);
            drop(black_box(Box::new(1_u8)));
        }
    }

    /// Returns two bodies that make a value in each call: one with a context and one with fresh inputs.
    fn forms(census: &Rc<Census>, drop_outside: bool) -> [Box<dyn Timed<()>>; 2] {
        let (first, second) = (Rc::clone(census), Rc::clone(census));
        let results = || Results::new(Some(|value: &Counting| value.1), drop_outside);
        let mut forms: [Box<dyn Timed<()>>; 2] = [
            Box::new(Calls { body: move |_: &mut ()| Counting::new(&first), results: results() }),
            Box::new(FreshCalls::new(|_: &mut ()| (), move |()| Counting::new(&second), results())),
        ];
        forms.iter_mut().for_each(|timed| timed.reserve());
        forms
    }

    #[test]
    fn a_batch_calls_exactly_so_often_and_drops_each_result_before_the_next_call() {
        let census = Rc::default();
        for mut timed in forms(&census, false) {
            for (iterations, wants_hash) in [(1, false), (1, true), (7, true), (2500, false), (2500, true)] {
                let mut counted = Counted::default();
                let (_, hash) = timed.batch(&mut (), iterations, wants_hash, &mut counted);
                assert_eq!(census.made.take(), iterations);
                assert_eq!(hash, wants_hash.then_some(iterations), "the hash is of the last result");
                assert_eq!(counted.calls, iterations, "each drop is within the time");
                assert_eq!((census.most.take(), census.alive.get()), (1, 0));
            }
        }
    }

    #[test]
    fn drop_outside_keeps_some_results_and_drops_them_with_the_clock_stopped() {
        let census = Rc::default();
        for mut timed in forms(&census, true) {
            for (iterations, wants_hash, most) in
                [(1, true, 1), (7, false, 7), (1000, false, 256), (257, true, 256)]
            {
                let mut counted = Counted::default();
                let (_, hash) = timed.batch(&mut (), iterations, wants_hash, &mut counted);
                assert_eq!(census.made.take(), iterations);
                assert_eq!(hash, wants_hash.then_some(iterations));
                assert_eq!(counted, Counted::default(), "no drop is within the time");
                assert_eq!((census.most.take(), census.alive.get()), (most, 0));
            }
        }
    }

    #[test]
    fn what_is_kept_fits_into_half_of_a_first_level_cache() {
        let rooms = [Results::<()>::ROOM, Results::<[u8; 1000]>::ROOM, Results::<[u8; 100_000]>::ROOM];
        assert_eq!(rooms, [256, 16, 1]);
        assert!(!Results::<u64>::new(None, true).keeps(), "nothing is to be dropped");
    }

    #[test]
    fn a_panic_leaves_neither_inputs_nor_results_behind() {
        let (inputs, results) = (Rc::<Census>::default(), Rc::<Census>::default());
        let is_bad = Cell::new(false);
        for drop_outside in [false, true] {
            let body = |input: Counting| {
                assert!(!is_bad.get() || input.1 < 5);
                Counting::new(&results)
            };
            let mut timed =
                FreshCalls::new(|_: &mut ()| Counting::new(&inputs), body, Results::new(None, drop_outside));
            timed.reserve();
            for bad in [true, false] {
                is_bad.set(bad);
                inputs.made.set(0);
                let batch = catch(|| timed.batch(&mut (), 10, false, &mut Counted::default()));
                assert_eq!(batch.is_err(), bad);
                assert_eq!((inputs.alive.get(), results.alive.get()), (0, 0));
            }
        }
    }

    #[test]
    fn a_turn_ends_after_the_batch_that_passed_the_limit() {
        let mut times = Vec::new();
        let turn = Turn { iterations: 5, batches: 4, within_ns: u64::MAX, wants_hash: false };
        take(turn, &mut times, &mut |iterations| iterations * 10);
        assert_eq!(times, [50; 4]);
        take(Turn { within_ns: 0, ..turn }, &mut times, &mut |_| 1);
        assert_eq!(times, [1]);
    }
}
