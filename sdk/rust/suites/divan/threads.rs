//! Runs one body in several threads at the same time.

use crate::alloc::Counted;
use crate::bodies::Body;
use crate::clock::{now, ns_between};
use std::sync::Barrier;

/// Runs one body per thread. The time of a batch is from the first start to the last finish, without the
/// untimed work of the threads.
pub struct Together<M> {
    threads: usize,
    make: M,
}

impl<M> Together<M> {
    pub fn new(threads: usize, make: M) -> Together<M> {
        Together { threads, make }
    }
}

impl<B: Body, M: Fn() -> B + Sync> Body for Together<M> {
    fn batch(&mut self, iterations: u64, _counted: &mut Counted) -> u64 {
        let Together { threads, make } = self;
        let (make, barrier) = (&*make, Barrier::new(*threads));
        let one = || {
            let mut body = make();
            barrier.wait();
            let start = now();
            // Keep the time of the calls separately, because a body may make inputs within its batch.
            let timed = body.batch(iterations, &mut Counted::default());
            (start, now(), timed)
        };
        let spans: Vec<_> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..*threads).map(|_| scope.spawn(one)).collect();
            all.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        assert!(spans.len() == *threads, "a thread of the benchmark has panicked");
        let start = spans.iter().map(|span| span.0).min();
        let stop = spans.iter().map(|span| span.1).max();
        let whole = start.zip(stop).map_or(0, |(start, stop)| ns_between(start, stop));
        // Subtract untimed work of the threads, such as making inputs.
        let untimed =
            spans.iter().map(|(start, stop, timed)| ns_between(*start, *stop).saturating_sub(*timed)).min();
        whole.saturating_sub(untimed.unwrap_or(0))
    }
}
