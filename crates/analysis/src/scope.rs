//! The data that the cases of a run share.

use derny_estimate::level::LookPlan;
use derny_model::{ProcessEnd, ProcessStart, VisitRecord};
use std::collections::HashMap;

pub(crate) struct Scope<'a> {
    pub processes: HashMap<u32, &'a ProcessStart>,
    pub ends: HashMap<u32, &'a ProcessEnd>,
    /// Start of each process's first turn, in any case, in ns since the start of the run.
    pub begun: HashMap<u32, u64>,
    pub variants: Vec<&'a str>,
    pub levels: LookPlan,
    pub cycle_ns: Option<f64>,
    pub machines: bool,
    /// True if iterations increase from turn to turn.
    pub ladder: bool,
    pub reject: &'a [String],
    /// True if the witness tests the variants.
    pub witness: bool,
}

pub(crate) fn begun(visits: &[VisitRecord]) -> HashMap<u32, u64> {
    let mut begun = HashMap::new();
    for record in visits {
        if let Some(at_ns) = record.turns.facts().begun_ns {
            let first = begun.entry(record.visit.process).or_insert(at_ns);
            *first = at_ns.min(*first);
        }
    }
    begun
}
