//! The table of warnings.

use super::Detector;
use super::Scope::{Case, Run};
use super::{
    collected, contention, drift, machine, memory, modes, resolution, results, runtime, sample, shape, suite,
};

macro_rules! rows {
    ($($code:literal $scope:expr, after [$($after:literal)*];)*) => {
        &[$(Detector {
            code: $code,
            explain: include_str!(concat!("explain/", $code, ".md")),
            after: &[$($after),*],
            scope: $scope,
        }),*]
    };
}

/// All detectors in the order of their codes.
pub const DETECTORS: &[Detector] = rows![
    "DY101" Run(contention::machine), after [];
    "DY102" Case(contention::case), after [];
    "DY104" Run(machine::governor), after [];
    "DY105" Run(machine::turbo), after [];
    "DY106" Run(machine::siblings), after [];
    "DY107" Run(machine::battery), after [];
    "DY109" Run(machine::processors), after [];
    "DY111" Run(machine::throttling), after ["DY101" "DY104" "DY105" "DY107"];
    "DY201" Case(sample::too_few), after [];
    "DY202" Case(resolution::empty), after [];
    "DY203" Case(resolution::clock), after [];
    "DY204" Case(drift::within), after ["DY207"];
    "DY205" Case(sample::memory), after [];
    "DY206" Run(drift::run), after ["DY207"];
    "DY207" Run(drift::level), after [];
    "DY208" Case(shape::never_steady), after ["DY101" "DY111" "DY204" "DY206" "DY207"];
    "DY209" Case(shape::offsets), after ["DY206" "DY207" "DY222"];
    "DY210" Case(modes::modes), after ["DY204" "DY207" "DY208"];
    "DY211" Case(shape::correlated), after ["DY101" "DY204" "DY206" "DY207" "DY208" "DY210"];
    "DY212" Case(collected::collections), after [];
    "DY213" Case(collected::compilation), after [];
    "DY214" Case(collected::gap), after ["DY101" "DY102" "DY204" "DY207" "DY212" "DY213"];
    "DY215" Case(resolution::below_cycle), after ["DY202"];
    "DY216" Case(contention::blocks), after ["DY101" "DY102"];
    "DY217" Case(results::changing), after [];
    "DY218" Case(results::different), after ["DY217"];
    "DY219" Case(shape::outliers), after ["DY101" "DY102" "DY204" "DY207" "DY208" "DY210" "DY212" "DY213" "DY214"];
    "DY220" Case(collected::evaluated), after [];
    "DY221" Case(results::printing), after [];
    "DY222" Run(suite::position), after [];
    "DY223" Case(sample::imprecise), after ["DY201" "DY209"];
    "DY224" Case(sample::pruned), after [];
    "DY225" Run(sample::attached), after [];
    "DY226" Case(runtime::heap), after [];
    "DY227" Case(runtime::sink), after ["DY202" "DY215"];
    "DY228" Case(runtime::compiler), after ["DY220"];
    "DY229" Case(memory::first_touch), after [];
];
