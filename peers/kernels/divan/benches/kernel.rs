//! A kernel, as a benchmark of divan.

use divan::{Bencher, black_box};
use kernels::{SEED, mix, steps};

#[divan::bench(name = "mix")]
fn mixed(bencher: Bencher) {
    let steps = steps();
    bencher.bench_local(|| mix(black_box(steps), black_box(SEED)));
}

fn main() {
    divan::main();
}
