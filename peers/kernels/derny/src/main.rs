//! The kernels, as benchmarks of Derny.

use derny_bench::{Suite, black_box};
use kernels::eight::{self, Kernel};
use kernels::{Chase, SEED, mix, steps};

fn kernel(suite: &mut Suite) {
    let steps = steps();
    suite.bench("mix", move || mix(black_box(steps), black_box(SEED)));
    suite.bench("allocate", move || {
        for at in 0..steps / 16 {
            black_box(vec![at; 8]);
        }
    });
    suite.define("chase").setup(|_| Chase::new(SEED)).run(move |chase| chase.walk(black_box(steps)));
    suite.group("eight", |suite| {
        let steps = eight::steps();
        for name in eight::NAMES {
            let definition = suite.define(name);
            // For all other kernels, an operation is a call.
            let ops = if name == "sub-nanosecond" { eight::STEPS } else { 1 };
            definition
                .ops(move |_| ops)
                .setup(move |_| Kernel::new(name))
                .run(move |kernel| kernel.call(steps));
        }
    });
}

derny_bench::main!(kernel);
