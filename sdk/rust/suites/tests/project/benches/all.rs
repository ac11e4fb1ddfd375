//! Uses the features of criterion.rs.

use criterion::async_executor::AsyncExecutor;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::profiler::Profiler;
use criterion::{
    black_box, criterion_group, criterion_main, AxisScale, BatchSize, Bencher, BenchmarkGroup, BenchmarkId,
    Criterion, PlotConfiguration, SamplingMode, Throughput,
};
use std::cell::Cell;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

fn plain(c: &mut Criterion) {
    c.bench_function("sum", |b: &mut Bencher| b.iter(|| project::sum(black_box(10))));
    c.bench_with_input(BenchmarkId::new("sum of", 20), &20, |b, n| b.iter(|| project::sum(*n)));
    // One name occurs twice, and one is truncated.
    c.bench_function("sum", |b| b.iter(|| project::sum(11)));
    c.bench_function(&"long".repeat(30), |b| b.iter(|| project::sum(1)));
}

fn grouped(c: &mut Criterion) {
    let mut group = c.benchmark_group("group");
    group.sample_size(10).measurement_time(Duration::from_secs(1)).sampling_mode(SamplingMode::Flat);
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    for n in [1_u64, 100] {
        group.throughput(Throughput::Bytes(n));
        group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, n| b.iter(|| project::sum(*n)));
        group.bench_function(BenchmarkId::new("function", n), |b| b.iter(|| project::sum(n)));
    }
    loops(&mut group);
    group.finish();
}

/// Set-up runs once per benchmark, and each kind of loop keeps its guarantees.
fn loops(group: &mut BenchmarkGroup<'_, WallTime>) {
    let made = Cell::new(0);
    let make = || {
        made.set(made.get() + 1);
        vec![0_u8; 10]
    };
    for (name, size) in [
        ("small", BatchSize::SmallInput),
        ("large", BatchSize::LargeInput),
        ("one", BatchSize::PerIteration),
        ("batches", BatchSize::NumBatches(3)),
        ("iterations", BatchSize::NumIterations(4)),
    ] {
        group.bench_function(format!("batched {name}"), |b| b.iter_batched(make, |list| list.len(), size));
        group.bench_function(format!("lent {name}"), |b| {
            b.iter_batched_ref(
                make,
                |list| {
                    assert_eq!(list.len(), 10);
                    list.push(1);
                    list.len()
                },
                size,
            );
        });
    }
    group.bench_function("with setup", |b| b.iter_with_setup(make, |list| list));
    group.bench_function("large drop", |b| b.iter_with_large_drop(make));
    group.bench_function("custom", |b| {
        b.iter_custom(|times| {
            let start = Instant::now();
            (0..times).for_each(|n| _ = black_box(project::sum(n % 10)));
            start.elapsed()
        });
    });
}

/// A user-defined executor that needs no other crate.
struct Executor;

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

impl AsyncExecutor for Executor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::new(Nobody));
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return value;
            }
        }
    }
}

fn asynchronous(c: &mut Criterion) {
    let mut group = c.benchmark_group("async");
    group.bench_function("iter", |b| b.to_async(Executor).iter(|| async { project::sum(10) }));
    group.bench_function("batched", |b| {
        b.to_async(Executor).iter_batched(|| 10, |n| async move { project::sum(n) }, BatchSize::SmallInput);
    });
    group.bench_function("custom", |b| {
        b.to_async(Executor).iter_custom(|times| async move { Duration::from_nanos(times * 10) });
    });
    group.finish();
}

/// A measurement other than time: Derny reports that it measures wall time instead.
struct Calls;

impl Measurement for Calls {
    type Intermediate = ();
    type Value = u64;
    fn start(&self) {}
    fn end(&self, (): ()) -> u64 {
        1
    }
    fn add(&self, v1: &u64, v2: &u64) -> u64 {
        v1 + v2
    }
    fn zero(&self) -> u64 {
        0
    }
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        &PerCall
    }
}

/// A formatter that matches all throughputs of criterion.rs 0.5.
struct PerCall;

impl ValueFormatter for PerCall {
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str {
        WallTime.formatter().scale_values(typical_value, values)
    }
    fn scale_throughputs(
        &self,
        _typical_value: f64,
        throughput: &Throughput,
        _values: &mut [f64],
    ) -> &'static str {
        match throughput {
            Throughput::Bytes(_) | Throughput::BytesDecimal(_) => "bytes",
            Throughput::Elements(_) => "elements",
        }
    }
    fn scale_for_machines(&self, _values: &mut [f64]) -> &'static str {
        "calls"
    }
}

struct Nothing;

impl Profiler for Nothing {
    fn start_profiling(&mut self, _id: &str, _folder: &Path) {}
    fn stop_profiling(&mut self, _id: &str, _folder: &Path) {}
}

fn counted(c: &mut Criterion<Calls>) {
    c.bench_function("counted", |b| b.iter(|| project::sum(10)));
    c.bench_function("no time", |b| b.iter_custom(|_| 5));
}

fn wrong(c: &mut Criterion) {
    let mut group = c.benchmark_group("wrong");
    group.bench_function("panics", |b| b.iter(|| assert!(black_box(false), "on purpose")));
    group.bench_function("panics before", |_| panic!("in set-up"));
    group.bench_function("never", |_| {});
    group.finish();
}

/// A panic between benchmarks does not affect other groups.
fn throws(c: &mut Criterion) {
    c.bench_function("before", |b| b.iter(|| project::sum(10)));
    panic!("a fixture is missing");
}

fn last(c: &mut Criterion) {
    c.bench_function("last", |b| b.iter(|| project::sum(10)));
}

criterion_group!(benches, plain, grouped, asynchronous, wrong,);
criterion_group!(thrown, throws);
criterion_group! {
    name = measured;
    config = Criterion::default().with_measurement(Calls).with_profiler(Nothing).sample_size(50).without_plots();
    targets = counted
}
criterion_group!(lasts, last);
criterion_main!(benches, thrown, measured, lasts);
