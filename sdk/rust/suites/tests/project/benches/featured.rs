use criterion::{criterion_group, criterion_main, Criterion};

fn bench(c: &mut Criterion) {
    c.bench_function("featured", |b| b.iter(|| project::sum(10)));
}

criterion_group!(benches, bench);
criterion_main!(benches);
