//! The table of warnings.

use super::blame::Blamed::{Design, Meaning, Speed, Turns};
use super::blame::{COLLECTED, COMPILED, EARLY, FAR_OUT, NEIGHBOURS, PREEMPTED, TOUCHED, UNEXPLAINED};
use super::detector::Detector;
use super::detector::Scope::{Case, Run};
use super::{
    collected, contention, count, drift, machine, memory, modes, resolution, results, runtime, sample, shape,
    suite, untimed, witness,
};

macro_rules! rows {
    ($($code:literal $scope:expr, blames $blamed:expr, after [$($after:literal)*];)*) => {
        &[$(Detector {
            code: $code,
            explain: include_str!(concat!("explain/", $code, ".md")),
            after: &[$($after),*],
            blames: $blamed,
            scope: $scope,
        }),*]
    };
}

/// All detectors in the order of their codes.
pub const DETECTORS: &[Detector] = rows![
    "DY101" Run(contention::machine), blames Design, after [];
    "DY102" Case(contention::case), blames Turns(&PREEMPTED), after [];
    "DY104" Run(machine::governor), blames Speed, after [];
    "DY105" Run(machine::turbo), blames Speed, after [];
    "DY106" Run(machine::siblings), blames Design, after [];
    "DY107" Run(machine::battery), blames Design, after [];
    "DY109" Run(machine::processors), blames Speed, after [];
    "DY111" Run(machine::throttling), blames Speed, after ["DY101" "DY104" "DY105" "DY107"];
    "DY114" Run(machine::unmoved), blames Design, after [];
    "DY201" Case(sample::too_few), blames Design, after [];
    "DY202" Case(resolution::empty), blames Meaning, after [];
    "DY203" Case(resolution::clock), blames Design, after ["DY202" "DY232"];
    "DY204" Case(drift::within), blames Turns(&EARLY), after ["DY207"];
    "DY205" Case(sample::memory), blames Design, after [];
    "DY206" Run(drift::run), blames Speed, after ["DY207"];
    "DY207" Run(drift::level), blames Speed, after [];
    "DY208" Case(shape::never_steady), blames Design, after ["DY101" "DY111" "DY204" "DY206" "DY207"];
    "DY209" Case(shape::offsets), blames Design, after ["DY206" "DY207" "DY222" "DY223"];
    "DY210" Case(modes::modes), blames Design, after ["DY204" "DY207" "DY208"];
    "DY211" Case(shape::correlated), blames Turns(&NEIGHBOURS), after ["DY101" "DY204" "DY206" "DY207" "DY208" "DY210"];
    "DY212" Case(collected::collections), blames Turns(&COLLECTED), after [];
    "DY213" Case(collected::compilation), blames Turns(&COMPILED), after [];
    "DY214" Case(collected::gap), blames Turns(&UNEXPLAINED), after ["DY101" "DY204" "DY207"];
    "DY215" Case(resolution::below_cycle), blames Meaning, after ["DY202"];
    "DY216" Case(contention::blocks), blames Design, after ["DY101" "DY102"];
    "DY217" Case(results::changing), blames Meaning, after [];
    "DY218" Case(results::different), blames Meaning, after ["DY217"];
    "DY219" Case(shape::outliers), blames Turns(&FAR_OUT), after ["DY101" "DY102" "DY204" "DY207" "DY208" "DY210" "DY212" "DY213" "DY214"];
    "DY220" Case(collected::evaluated), blames Design, after [];
    "DY221" Case(results::printing), blames Design, after [];
    "DY222" Run(suite::position), blames Speed, after [];
    "DY223" Case(sample::imprecise), blames Design, after ["DY201"];
    "DY224" Case(sample::pruned), blames Design, after [];
    "DY225" Run(sample::attached), blames Design, after [];
    "DY226" Case(runtime::heap), blames Design, after [];
    "DY227" Case(runtime::sink), blames Design, after ["DY202" "DY215"];
    "DY228" Case(runtime::compiler), blames Design, after ["DY220"];
    "DY229" Case(memory::first_touch), blames Turns(&TOUCHED), after [];
    "DY230" Case(count::matters), blames Meaning, after [];
    "DY231" Case(runtime::instrumented), blames Meaning, after [];
    "DY232" Case(untimed::dominates), blames Design, after [];
    "DY233" Case(suite::neighbours), blames Design, after [];
    "DY234" Case(witness::suspicious), blames Meaning, after [];
];
