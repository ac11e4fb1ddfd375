//! The timed loops. Know neither names nor lines.
//!
//! Each benchmark has loops of its own: the functions marked `inline(never)` are generic in the body, so the compiler makes
//! one for each and inlines that body and no other; where in a program a benchmark stands cannot matter. Between the two
//! readings of the clock there is nothing but loop and body. Results that need dropping are kept in a buffer made at
//! `open` and are dropped when the clock stands still.

use crate::alloc::Counted;
use crate::clock::{now, ns_between};
use std::hint::black_box;
use std::mem::{needs_drop, size_of};

/// What one `measure` asks for.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Calls in each batch.
    pub iterations: u64,
    /// The most batches.
    pub batches: usize,
    /// The turn ends after the batch in which so many ns have passed.
    pub within_ns: u64,
}

/// Takes a turn: `batch` is told the calls of a batch and tells its time in ns.
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
    /// Makes the buffers. Nothing is allocated for them afterwards.
    fn reserve(&mut self);
    /// Calls the body `iterations` times; the time of the calls in ns. What they allocate is added to `counted`.
    fn batch(&mut self, context: &mut C, iterations: u64, counted: &mut Counted) -> u64;
    /// The same loop without the body.
    fn empty(&mut self, context: &mut C, iterations: u64) -> u64;
    /// Calls the body once, untimed; the hash of its result, if it has one.
    fn once(&mut self, context: &mut C) -> Option<u64>;
    /// Ends a turn: drops what was kept; the hash of the last result.
    fn settle(&mut self) -> Option<u64>;
}

/// Results on their way from the loop to their end.
pub struct Kept<R> {
    results: Vec<R>,
    hash: Option<fn(&R) -> u64>,
}

impl<R> Kept<R> {
    pub fn new(hash: Option<fn(&R) -> u64>) -> Kept<R> {
        Kept { results: Vec::new(), hash }
    }

    /// Small results without a destructor vanish in `black_box`.
    fn keeps(&self) -> bool {
        needs_drop::<R>() || self.hash.is_some()
    }

    fn settle(&mut self) -> Option<u64> {
        let hash = self.hash.and_then(|hash| self.results.last().map(hash));
        self.results.clear();
        hash
    }
}

/// Calls that one buffer of `T` lasts for: at most 1 MiB, and no more than 1,024, since what is kept may own memory. A batch
/// of more calls is timed in pieces, between which the clock stands still.
fn capacity<T>() -> usize {
    ((1 << 20) / size_of::<T>().max(1)).clamp(1, 1024)
}

/// The compiler must take what stands behind the reference for changed. Behind one to nothing there is nothing to hide.
#[inline(always)]
fn opaque<T>(value: &mut T) -> &mut T {
    if size_of::<T>() == 0 {
        value
    } else {
        black_box(value)
    }
}

#[inline(never)]
fn calls<R>(iterations: u64, counted: &mut Counted, mut call: impl FnMut() -> R) -> u64 {
    let before = Counted::now();
    let start = now();
    for _ in 0..iterations {
        black_box(call());
    }
    let stop = now();
    counted.add_since(before);
    ns_between(start, stop)
}

/// `results` has room for all, so that nothing is allocated here.
#[inline(never)]
fn kept_calls<R>(
    iterations: usize,
    counted: &mut Counted,
    results: &mut Vec<R>,
    mut call: impl FnMut() -> R,
) -> u64 {
    let before = Counted::now();
    let start = now();
    results.extend((0..iterations).map(|_| black_box(call())));
    let stop = now();
    counted.add_since(before);
    ns_between(start, stop)
}

#[inline(never)]
fn fresh_calls<I, R>(inputs: &mut Vec<I>, counted: &mut Counted, mut call: impl FnMut(I) -> R) -> u64 {
    let mut inputs = black_box(inputs).drain(..);
    let before = Counted::now();
    let start = now();
    for input in inputs.by_ref() {
        black_box(call(input));
    }
    let stop = now();
    counted.add_since(before);
    ns_between(start, stop)
}

#[inline(never)]
fn kept_fresh_calls<I, R>(
    inputs: &mut Vec<I>,
    counted: &mut Counted,
    results: &mut Vec<R>,
    mut call: impl FnMut(I) -> R,
) -> u64 {
    let mut inputs = black_box(inputs).drain(..);
    let before = Counted::now();
    let start = now();
    results.extend(inputs.by_ref().map(|input| black_box(call(input))));
    let stop = now();
    counted.add_since(before);
    ns_between(start, stop)
}

/// A body that is given the context.
pub struct Calls<B, R> {
    pub body: B,
    pub kept: Kept<R>,
}

impl<C, R, B: FnMut(&mut C) -> R> Timed<C> for Calls<B, R> {
    fn reserve(&mut self) {
        if self.kept.keeps() {
            self.kept.results.reserve_exact(capacity::<R>());
        }
    }

    fn batch(&mut self, context: &mut C, iterations: u64, counted: &mut Counted) -> u64 {
        let Calls { body, kept } = self;
        let mut call = || opaque(body)(opaque(context));
        if !kept.keeps() {
            return calls(iterations, counted, call);
        }
        let (mut left, mut ns) = (iterations, 0);
        while left > 0 {
            let piece = left.min(capacity::<R>() as u64);
            kept.results.clear();
            ns += kept_calls(piece as usize, counted, &mut kept.results, &mut call);
            left -= piece;
        }
        ns
    }

    fn empty(&mut self, context: &mut C, iterations: u64) -> u64 {
        let body = &mut self.body;
        calls(iterations, &mut Counted::default(), || {
            opaque(body);
            opaque(context);
        })
    }

    fn once(&mut self, context: &mut C) -> Option<u64> {
        let result = (self.body)(context);
        self.kept.hash.map(|hash| hash(&result))
    }

    fn settle(&mut self) -> Option<u64> {
        self.kept.settle()
    }
}

/// A body that consumes a fresh input in each call.
pub struct FreshCalls<M, I, B, R> {
    pub make: M,
    pub inputs: Vec<I>,
    pub body: B,
    pub kept: Kept<R>,
}

impl<C, I, R, M: FnMut(&mut C) -> I, B: FnMut(I) -> R> Timed<C> for FreshCalls<M, I, B, R> {
    fn reserve(&mut self) {
        self.inputs.reserve_exact(capacity::<I>());
        if self.kept.keeps() {
            self.kept.results.reserve_exact(capacity::<R>());
        }
    }

    fn batch(&mut self, context: &mut C, iterations: u64, counted: &mut Counted) -> u64 {
        let FreshCalls { make, inputs, body, kept } = self;
        let most = capacity::<I>().min(capacity::<R>()) as u64;
        let (mut left, mut ns) = (iterations, 0);
        while left > 0 {
            let piece = left.min(most);
            kept.results.clear();
            // What a body that panicked has left.
            inputs.clear();
            inputs.extend((0..piece).map(|_| make(context)));
            let mut call = |input| opaque(body)(input);
            ns += match kept.keeps() {
                true => kept_fresh_calls(inputs, counted, &mut kept.results, &mut call),
                false => fresh_calls(inputs, counted, &mut call),
            };
            left -= piece;
        }
        ns
    }

    fn empty(&mut self, _context: &mut C, iterations: u64) -> u64 {
        let body = &mut self.body;
        calls(iterations, &mut Counted::default(), || {
            opaque(body);
        })
    }

    fn once(&mut self, context: &mut C) -> Option<u64> {
        let result = (self.body)((self.make)(context));
        self.kept.hash.map(|hash| hash(&result))
    }

    fn settle(&mut self) -> Option<u64> {
        self.kept.settle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Counts how many of its kind are alive.
    struct Alive(Rc<Cell<usize>>);

    impl Alive {
        fn new(count: &Rc<Cell<usize>>) -> Alive {
            count.set(count.get() + 1);
            Alive(Rc::clone(count))
        }
    }

    impl Drop for Alive {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }

    #[test]
    fn a_batch_calls_exactly_so_often_and_keeps_what_needs_dropping() {
        let alive = Rc::new(Cell::new(0));
        let mut most = 0;
        let mut timed = Calls {
            body: |calls: &mut u64| {
                *calls += 1;
                most = most.max(alive.get());
                Alive::new(&alive)
            },
            kept: Kept::new(None),
        };
        timed.reserve();
        let mut calls = 0;
        for iterations in [1, 7, 1024, 3000] {
            calls = 0;
            timed.batch(&mut calls, iterations, &mut Counted::default());
            assert_eq!(calls, iterations);
        }
        assert_eq!(calls, 3000);
        assert_eq!(timed.settle(), None);
        drop(timed);
        assert_eq!((most, alive.get()), (1023, 0));
    }

    #[test]
    fn inputs_are_made_for_each_call_and_a_panic_leaves_none_behind() {
        let alive = Rc::new(Cell::new(0));
        let (made, is_bad) = (Rc::clone(&alive), Cell::new(false));
        let mut timed = FreshCalls {
            make: move |calls: &mut u64| {
                *calls += 1;
                Alive::new(&made)
            },
            inputs: Vec::new(),
            body: |input: Alive| {
                assert!(!is_bad.get());
                input
            },
            kept: Kept::new(None),
        };
        timed.reserve();
        let mut calls = 0;
        timed.batch(&mut calls, 2500, &mut Counted::default());
        assert_eq!(calls, 2500);
        is_bad.set(true);
        assert!(crate::panics::catch(|| timed.batch(&mut calls, 10, &mut Counted::default())).is_err());
        is_bad.set(false);
        timed.batch(&mut calls, 10, &mut Counted::default());
        timed.settle();
        assert_eq!(alive.get(), 0);
    }

    #[test]
    fn a_turn_ends_after_the_batch_that_passed_the_limit() {
        let mut times = Vec::new();
        let turn = Turn { iterations: 5, batches: 4, within_ns: u64::MAX };
        take(turn, &mut times, &mut |iterations| iterations * 10);
        assert_eq!(times, [50; 4]);
        take(Turn { within_ns: 0, ..turn }, &mut times, &mut |_| 1);
        assert_eq!(times, [1]);
    }
}
