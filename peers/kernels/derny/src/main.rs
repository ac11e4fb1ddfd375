//! The kernels under Derny.

use derny_bench::{Suite, black_box};
use kernels::{Chase, SEED, mix, steps};

fn kernel(suite: &mut Suite) {
    let steps = steps();
    suite.bench("mix", move || mix(black_box(steps), black_box(SEED)));
    suite.define("chase").setup(|_| Chase::new(SEED)).run(move |chase| chase.walk(black_box(steps)));
}

derny_bench::main!(kernel);
