//! The kernels, as benchmarks of tango.

use kernels::{Chase, SEED, mix, steps};
use std::cell::RefCell;
use std::hint::black_box;
use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks, tango_main};

fn kernel() -> impl IntoBenchmarks {
    let steps = steps();
    [
        benchmark_fn("mix", move |b| b.iter(move || mix(black_box(steps), black_box(SEED)))),
        benchmark_fn("chase", move |b| {
            let chase = RefCell::new(Chase::new(SEED));
            b.iter(move || chase.borrow_mut().walk(black_box(steps)))
        }),
    ]
}

tango_benchmarks!(kernel());
tango_main!();
