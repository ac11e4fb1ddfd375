//! `Bencher`: the loops that benchmarks call. A call runs all turns of its case.

use crate::black_box;
use crate::bodies::{Body, Case, Fresh, Kept, Lent, Moved, Own};
use crate::live;
use crate::measurement::{other_than_time, Measurement, WallTime};
use crate::settings::BatchSize;
use std::time::Duration;

pub struct Bencher<'a, M: Measurement = WallTime> {
    measurement: &'a M,
}

fn time<M: Measurement>(measurement: &M, value: &M::Value) -> Duration {
    match other_than_time::<M>() {
        None => Duration::from_nanos(measurement.to_f64(value) as u64),
        Some(name) => {
            panic!("iter_custom returns a value of the measurement {name}, which is not a time: Derny supports wall time only")
        }
    }
}

impl<'a, M: Measurement> Bencher<'a, M> {
    pub(crate) fn new(measurement: &'a M) -> Bencher<'a, M> {
        Bencher { measurement }
    }

    fn serve(&mut self, body: impl Body) {
        live::serve(&mut Case(body));
    }

    #[inline(never)]
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.serve(Moved::new(move || drop(black_box(routine()))));
    }

    #[cfg(derny_codspeed)]
    pub fn iter_manual_unstable<O, R>(&mut self, opts: crate::IterManualOptions, routine: R)
    where
        R: FnMut() -> O,
    {
        let _ = opts;
        crate::suite::not_obeyed();
        self.iter(routine);
    }

    #[inline(never)]
    pub fn iter_custom<R>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        let measurement = self.measurement;
        self.serve(Own(|iterations| time(measurement, &routine(iterations))));
    }

    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    #[doc(hidden)]
    pub fn iter_with_large_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    pub fn iter_with_large_drop<O, R>(&mut self, routine: R)
    where
        R: FnMut() -> O,
    {
        self.serve(Kept::new(routine));
    }

    #[inline(never)]
    pub fn iter_batched<I, O, S, R>(&mut self, mut setup: S, routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.serve(Fresh::new(move |_: &mut ()| setup(), routine, size.most()));
    }

    #[inline(never)]
    pub fn iter_batched_ref<I, O, S, R>(&mut self, setup: S, routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        self.serve(Lent::new(setup, routine, size.most()));
    }
}

#[cfg(feature = "async")]
pub use with_futures::AsyncBencher;

#[cfg(feature = "async")]
mod with_futures {
    use super::*;
    use crate::alloc::Counted;
    use crate::async_executor::AsyncExecutor;
    use crate::bodies::in_pieces;
    use crate::clock::{now, ns_between};
    use std::future::Future;

    impl<'a, M: Measurement> Bencher<'a, M> {
        pub fn to_async<'b, A: AsyncExecutor>(&'b mut self, runner: A) -> AsyncBencher<'a, 'b, A, M> {
            AsyncBencher { b: self, runner }
        }
    }

    pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
        b: &'b mut Bencher<'a, M>,
        runner: A,
    }

    /// A body that runs each batch in one call of the executor, as criterion.rs does.
    struct Driven<'a, A, F> {
        runner: &'a A,
        body: F,
    }

    impl<A: AsyncExecutor, R, G: Future<Output = R>, F: FnMut() -> G> Body for Driven<'_, A, F> {
        fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
            let body = &mut self.body;
            self.runner.block_on(async {
                let before = Counted::now();
                let start = now();
                for _ in 0..iterations {
                    black_box(body().await);
                }
                let stop = now();
                counted.add_since(before);
                ns_between(start, stop)
            })
        }
    }

    /// A body with inputs. Each call of the executor runs one piece of a batch.
    struct DrivenWith<'a, A, S, F> {
        runner: &'a A,
        make: S,
        body: F,
        most: u64,
    }

    impl<A: AsyncExecutor, I, R, G: Future<Output = R>, S: FnMut() -> I, F: FnMut(I) -> G> Body
        for DrivenWith<'_, A, S, F>
    {
        fn batch(&mut self, iterations: u64, counted: &mut Counted) -> u64 {
            let DrivenWith { runner, make, body, most } = self;
            in_pieces(iterations, *most, |piece| {
                runner.block_on(async {
                    let inputs: Vec<I> = black_box((0..piece).map(|_| make()).collect());
                    let mut results = Vec::with_capacity(inputs.len());
                    let before = Counted::now();
                    let start = now();
                    for input in inputs {
                        results.push(black_box(body(input).await));
                    }
                    let stop = now();
                    counted.add_since(before);
                    ns_between(start, stop)
                })
            })
        }
    }

    /// Default maximum number of inputs of an asynchronous batch.
    const INPUTS: u64 = 256;

    impl<A: AsyncExecutor, M: Measurement> AsyncBencher<'_, '_, A, M> {
        pub fn iter<O, R, F>(&mut self, routine: R)
        where
            R: FnMut() -> F,
            F: Future<Output = O>,
        {
            let runner = &self.runner;
            self.b.serve(Driven { runner, body: routine });
        }

        #[cfg(derny_codspeed)]
        pub fn iter_manual_unstable<O, R, F>(&mut self, opts: crate::IterManualOptions, routine: R)
        where
            R: FnMut() -> F,
            F: Future<Output = O>,
        {
            let _ = opts;
            crate::suite::not_obeyed();
            self.iter(routine);
        }

        pub fn iter_custom<R, F>(&mut self, mut routine: R)
        where
            R: FnMut(u64) -> F,
            F: Future<Output = M::Value>,
        {
            let (runner, measurement) = (&self.runner, self.b.measurement);
            self.b.serve(Own(|iterations| time(measurement, &runner.block_on(routine(iterations)))));
        }

        #[doc(hidden)]
        pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
        where
            S: FnMut() -> I,
            R: FnMut(I) -> F,
            F: Future<Output = O>,
        {
            self.iter_batched(setup, routine, BatchSize::PerIteration);
        }

        pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
        where
            R: FnMut() -> F,
            F: Future<Output = O>,
        {
            self.iter_batched(|| (), move |()| routine(), BatchSize::SmallInput);
        }

        #[doc(hidden)]
        pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
        where
            S: FnMut() -> I,
            R: FnMut(I) -> F,
            F: Future<Output = O>,
        {
            self.iter_batched(setup, routine, BatchSize::NumBatches(1));
        }

        pub fn iter_batched<I, O, S, R, F>(&mut self, setup: S, routine: R, size: BatchSize)
        where
            S: FnMut() -> I,
            R: FnMut(I) -> F,
            F: Future<Output = O>,
        {
            let most = size.most().unwrap_or(INPUTS);
            let runner = &self.runner;
            self.b.serve(DrivenWith { runner, make: setup, body: routine, most });
        }

        pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
        where
            S: FnMut() -> I,
            R: FnMut(&mut I) -> F,
            F: Future<Output = O>,
        {
            let most = size.most().unwrap_or(INPUTS);
            let runner = &self.runner;
            self.b.serve(Own(move |iterations| {
                let ns = in_pieces(iterations, most, |piece| {
                    runner.block_on(async {
                        let mut inputs: Vec<I> = black_box((0..piece).map(|_| setup()).collect());
                        let mut results = Vec::with_capacity(inputs.len());
                        let start = now();
                        for input in &mut inputs {
                            results.push(black_box(routine(input).await));
                        }
                        ns_between(start, now())
                    })
                });
                Duration::from_nanos(ns)
            }));
        }
    }
}
