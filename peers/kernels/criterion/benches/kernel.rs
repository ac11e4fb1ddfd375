//! The kernels, as benchmarks of criterion.rs.

use criterion::{Criterion, criterion_group, criterion_main};
use kernels::{Chase, SEED, mix, steps};
use std::hint::black_box;

fn kernel(criterion: &mut Criterion) {
    let steps = steps();
    criterion.bench_function("mix", |b| b.iter(|| mix(black_box(steps), black_box(SEED))));
    let mut chase = Chase::new(SEED);
    criterion.bench_function("chase", |b| b.iter(|| chase.walk(black_box(steps))));
}

criterion_group!(benches, kernel);
criterion_main!(benches);
