//! The turns of a variant, as the tests of the witness see them.

use crate::scope::Scope;
use derny_model::{Case, Phase, Suspicion, Turn, VisitRecord};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of blocks per test, because a single process may be an exception.
pub(super) const LEAST_BLOCKS: usize = 2;

pub(super) type Visits<'a> = BTreeMap<u32, Vec<&'a VisitRecord>>;

/// A suspicion, no suspicion, or the reason why the test was impossible.
pub(super) type Tested = Result<Option<Suspicion>, String>;

pub(super) struct Side<'a> {
    pub(super) case: &'a Case,
    pub(super) step_ns: f64,
    pub(super) visits: Vec<SideVisit<'a>>,
}

pub(super) struct SideVisit<'a> {
    pub(super) block: u32,
    pub(super) collected: Vec<bool>,
    pub(super) turns: &'a [Turn],
}

impl<'a> Side<'a> {
    pub(super) fn new(scope: &Scope, case: &'a Case, visits: &Visits<'a>) -> Side<'a> {
        let mut side = Side { case, step_ns: 0.0, visits: Vec::new() };
        for (process, records) in visits {
            let Some(start) = scope.processes.get(process) else { continue };
            side.step_ns = side.step_ns.max(start.clock_step_ns as f64);
            side.visits.extend(records.iter().map(|record| {
                let at = record.visit.metrics.iter().position(|metric| metric.name == "gc");
                let has_collected = |turn: &Turn| {
                    at.and_then(|at| turn.counters.get(at).copied().flatten())
                        .is_some_and(|count| count > 0.0)
                };
                let collected = record.turns.iter().map(has_collected).collect();
                SideVisit { block: start.block, collected, turns: &record.turns }
            }));
        }
        side
    }

    pub(super) fn blocks(&self) -> usize {
        self.visits.iter().map(|visit| visit.block).collect::<BTreeSet<u32>>().len()
    }
}

impl SideVisit<'_> {
    pub(super) fn measured(&self) -> impl Iterator<Item = &Turn> {
        self.turns.iter().filter(|turn| turn.phase == Phase::Measured && !turn.times_ns.is_empty())
    }
}

pub(super) fn time(ns: f64) -> String {
    let (value, unit) = match ns.abs() {
        small if small < 1e3 => (ns, "ns"),
        small if small < 1e6 => (ns / 1e3, "µs"),
        small if small < 1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{value:.*} {unit}", if value.abs() < 10.0 { 2 } else { 1 })
}
