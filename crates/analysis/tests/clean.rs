//! Simulates many runs. Warnings must be rare on a quiet machine and appear on a changing one.

use crate::build::machine::{Plan, simulated};
use derny_testkit::scenario::Scenario;
use std::collections::BTreeMap;

const RUNS: u64 = 30;

fn raised(plan: impl Fn(u64) -> Plan, extra: impl Fn(f64, usize) -> f64 + Copy) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for seed in 0..RUNS {
        let document = simulated(plan(seed), extra).document();
        let mut codes: Vec<String> = document.warnings.into_iter().map(|warning| warning.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().for_each(|code| *counts.entry(code).or_insert(0) += 1);
    }
    counts
}

fn quiet(seed: u64) -> Plan {
    Plan::new(Scenario::Quiet.noise(), seed)
}

fn count(raised: &BTreeMap<String, u64>, codes: &[&str]) -> u64 {
    codes.iter().filter_map(|code| raised.get(*code)).sum()
}

#[test]
fn a_quiet_machine_raises_nothing() {
    for (processes, cases) in [(6, 1), (8, 1), (16, 1), (40, 1), (8, 4)] {
        let raised = raised(|seed| Plan { processes, cases, ..quiet(seed) }, |_, _| 0.0);
        assert!(raised.is_empty(), "{processes} processes, {cases} cases: {raised:?}");
    }
}

#[test]
fn processes_with_speeds_of_their_own_hardly_look_like_drift() {
    let raised = raised(|seed| Plan::new(Scenario::Offset.noise(), seed), |_, _| 0.0);
    assert!(raised.values().sum::<u64>() <= 2, "of {RUNS}: {raised:?}");
}

#[test]
fn load_in_the_middle_of_a_run_is_a_change_of_level() {
    for (processes, at_s) in [(16, 0.25), (8, 0.12)] {
        let step = |at: f64, _| if at > at_s { 0.03 } else { 0.0 };
        let raised = raised(|seed| Plan { processes, ..quiet(seed) }, step);
        assert_eq!(count(&raised, &["DY207"]), RUNS, "{raised:?}");
        assert_eq!(count(&raised, &["DY204", "DY206"]), 0, "said once: {raised:?}");
    }
}

#[test]
fn a_run_on_a_slope_drifts() {
    let raised = raised(quiet, |at, _| 0.08 * at);
    assert!(count(&raised, &["DY204", "DY206"]) >= RUNS, "{raised:?}");
    assert_eq!(count(&raised, &["DY207"]), 0, "{raised:?}");
}

#[test]
fn processes_that_slow_down_with_age_drift_and_the_run_does_not() {
    let raised = raised(quiet, |_, round| 0.003 * round as f64);
    assert_eq!(raised, BTreeMap::from([("DY204".to_owned(), RUNS)]));
}

#[test]
fn a_shared_machine_is_noticed() {
    let raised = raised(|seed| Plan::new(Scenario::Ci.noise(), seed), |_, _| 0.0);
    assert!(raised.values().sum::<u64>() >= RUNS, "{raised:?}");
    assert!(count(&raised, &["DY102"]) >= RUNS / 2, "{raised:?}");
}
