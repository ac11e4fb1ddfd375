//! Replaces the crate criterion, versions 0.3 to 0.8. It has the same names, but the engine controls the
//! loops. Settings for the number and duration of samples, and for reports and plots, are accepted and
//! ignored.

#![allow(missing_docs, dead_code, clippy::all)]
// Cargo passes lint settings that are meant for the replaced crate's source.
#![allow(unexpected_cfgs, unused_imports)]

include!("../shared.rs");

pub mod async_executor;
mod bencher;
mod group;
pub mod measurement;
#[cfg(derny_criterion = "0.3")]
mod old;
pub mod profiler;
mod settings;
mod suite;

#[cfg(feature = "async")]
pub use crate::bencher::AsyncBencher;
pub use crate::bencher::Bencher;
pub use crate::group::{BenchmarkGroup, BenchmarkId};
#[cfg(derny_criterion = "0.3")]
pub use crate::old::{Benchmark, BenchmarkDefinition, Fun, ParameterizedBenchmark};
#[cfg(derny_codspeed)]
pub use crate::settings::IterManualOptions;
pub use crate::settings::{
    AxisScale, Baseline, BatchSize, BenchmarkFilter, PlotConfiguration, PlottingBackend, SamplingMode,
    Throughput,
};
pub use crate::suite::Criterion;

/// Hides a value from the optimiser.
#[cfg(any(not(derny_volatile), feature = "real_blackbox"))]
#[inline]
pub fn black_box<T>(dummy: T) -> T {
    std::hint::black_box(dummy)
}

/// Hides a value from the optimiser by a volatile read, as criterion.rs does before 0.6. Its cost differs
/// from that in later versions, so the same function is needed here.
#[cfg(all(derny_volatile, not(feature = "real_blackbox")))]
#[inline]
pub fn black_box<T>(dummy: T) -> T {
    let hidden = std::mem::ManuallyDrop::new(dummy);
    // SAFETY: `hidden` is never dropped, so the value is not duplicated by reading it.
    unsafe { std::ptr::read_volatile(&*hidden) }
}

/// Runs benches that use criterion.rs as a custom test framework.
#[doc(hidden)]
pub fn runner(benches: &[&dyn Fn()]) {
    let parts: Vec<live::Part<'_>> = benches.iter().map(|bench| ("benches", *bench)).collect();
    live::main(&parts);
}

/// Runs the groups. [`criterion_main!`] expands to a call of this function.
#[doc(hidden)]
pub fn __main(groups: &[(&str, fn())]) {
    let parts: Vec<live::Part<'_>> = groups.iter().map(|(name, group)| (*name, group as &dyn Fn())).collect();
    live::main(&parts);
}

#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $( $target:path ),+ $(,)*) => {
        pub fn $name() {
            let mut criterion: $crate::Criterion<_> = $config.configure_from_args();
            $( $target(&mut criterion); )+
        }
    };
    ($name:ident, $( $target:path ),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $( $target ),+
        }
    };
}

#[macro_export]
macro_rules! criterion_main {
    ( $( $group:path ),+ $(,)* ) => {
        fn main() {
            $crate::__main(&[$( (::std::stringify!($group), || { $group(); }) ),+]);
        }
    };
}
