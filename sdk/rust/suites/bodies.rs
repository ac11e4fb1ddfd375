//! Bodies for the crates that replace frameworks, based on the loops of this harness. The timed region
//! contains the same work as in the original framework.

use crate::alloc::Counted;
use crate::clock::{now, ns_between};
use crate::loops::{self, calls, room, FreshCalls, Results, Timed, Turn};
use crate::turns::Opened;
use std::hint::black_box;
use std::time::Duration;

pub trait Body {
    /// Calls the body `iterations` times and returns the time in ns. Adds the allocations to `counted`.
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64;
    /// Returns the time of the same loop without the body, in ns.
    fn empty(&mut self, iterations: u64) -> u64 {
        calls(0..iterations, &mut Counted::default(), |call| call)
    }
}

pub struct Case<B>(pub B);

impl<B: Body> Opened for Case<B> {
    fn check(&mut self) -> Option<u64> {
        self.0.batch(1, &mut Counted::default());
        None
    }

    fn turn(&mut self, turn: Turn, times: &mut Vec<u64>, counted: &mut Counted) -> Option<u64> {
        loops::take(turn, times, &mut |iterations| self.0.batch(iterations, counted));
        None
    }

    fn overhead(&mut self, turn: Turn, times: &mut Vec<u64>) {
        loops::take(turn, times, &mut |iterations| self.0.empty(iterations));
    }
}

/// A body whose results are dropped before the next call.
pub struct Plain<F>(pub F);

impl<R, F: FnMut() -> R> Body for Plain<F> {
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
        let body = &mut self.0;
        calls(0..iterations, counted, |_| body())
    }
}

/// A body that hides its own result from the compiler. It is moved into the loop and back, so that its state
/// can stay in registers, as in a loop that owns its body.
#[allow(dead_code)] // Used only for criterion.rs.
pub struct Moved<F>(Option<F>);

impl<F> Moved<F> {
    #[allow(dead_code)]
    pub fn new(body: F) -> Moved<F> {
        Moved(Some(body))
    }
}

#[inline(never)]
fn moved_calls<F: FnMut()>(iterations: u64, counted: &mut Counted, mut body: F) -> (u64, F) {
    let before = Counted::now();
    let start = now();
    for _ in 0..iterations {
        body();
    }
    let stop = now();
    counted.add_since(before);
    (ns_between(start, stop), body)
}

impl<F: FnMut()> Body for Moved<F> {
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
        // A body that panics is dropped.
        let body = self.0.take().expect("the body is not called again after a panic");
        let (ns, body) = moved_calls(iterations, counted, body);
        self.0 = Some(body);
        ns
    }
}

/// A body whose results are dropped while the clock is stopped.
pub struct Kept<F, R>(F, Results<R>);

impl<R, F: FnMut() -> R> Kept<F, R> {
    pub fn new(body: F) -> Kept<F, R> {
        Kept(body, Results::new(None, true))
    }
}

impl<R, F: FnMut() -> R> Body for Kept<F, R> {
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
        let Kept(body, results) = self;
        in_pieces(iterations, results.most(), |piece| results.piece(0..piece, counted, |_| body()))
    }
}

/// A body that takes an input in each call. Making inputs and dropping results is not timed.
pub struct Fresh<S, I, F, R>(FreshCalls<S, I, F, R>);

impl<I, R, S: FnMut(&mut ()) -> I, F: FnMut(I) -> R> Fresh<S, I, F, R> {
    /// Returns a body with at most `most` inputs at the same time.
    pub fn new(make: S, body: F, most: Option<u64>) -> Fresh<S, I, F, R> {
        Fresh(FreshCalls::new(make, body, Results::new(None, true)).at_most(most.unwrap_or(u64::MAX)))
    }
}

impl<I, R, S: FnMut(&mut ()) -> I, F: FnMut(I) -> R> Body for Fresh<S, I, F, R> {
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
        self.0.batch(&mut (), iterations, false, counted).0
    }
}

/// A body that takes inputs by reference. Dropping them is not timed.
pub struct Lent<S, I, F, R> {
    make: S,
    body: F,
    inputs: Vec<I>,
    results: Results<R>,
    most: u64,
}

impl<I, R, S: FnMut() -> I, F: FnMut(&mut I) -> R> Lent<S, I, F, R> {
    pub fn new(make: S, body: F, most: Option<u64>) -> Lent<S, I, F, R> {
        let results = Results::new(None, true);
        let most = most.unwrap_or(u64::MAX).min(results.most()).min(room::<I>(1 << 20, 1024) as u64);
        Lent { make, body, inputs: Vec::new(), results, most }
    }
}

impl<I, R, S: FnMut() -> I, F: FnMut(&mut I) -> R> Body for Lent<S, I, F, R> {
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
        let Lent { make, body, inputs, results, most } = self;
        in_pieces(iterations, *most, |piece| {
            inputs.clear();
            inputs.extend((0..piece).map(|_| make()));
            let ns = results.piece(black_box(&mut *inputs), counted, |input| body(input));
            inputs.clear();
            ns
        })
    }
}

/// A body that measures its own time.
pub struct Own<F>(pub F);

impl<F: FnMut(u64) -> Duration> Body for Own<F> {
    fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
        let before = Counted::now();
        let took = (self.0)(iterations);
        counted.add_since(before);
        u64::try_from(took.as_nanos()).unwrap_or(u64::MAX)
    }

    fn empty(&mut self, _iterations: u64) -> u64 {
        ns_between(now(), now())
    }
}

/// Runs a batch in pieces of at most `most` calls and returns the sum of their times.
pub fn in_pieces(iterations: u64, most: u64, mut piece: impl FnMut(u64) -> u64) -> u64 {
    let (mut left, mut ns) = (iterations, 0);
    while left > 0 {
        let calls = left.min(most.max(1));
        ns += piece(calls);
        left -= calls;
    }
    ns
}
