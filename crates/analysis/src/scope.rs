//! The data that the cases of a run share.

use derny_estimate::level::LookPlan;
use derny_model::{ProcessEnd, ProcessStart, VisitRecord};
use std::collections::HashMap;

/// The data of the run that the analysis of a case needs.
pub(crate) struct Scope<'a> {
    /// Processes by number.
    pub processes: HashMap<u32, &'a ProcessStart>,
    /// Ends of processes, by the number of the process.
    pub ends: HashMap<u32, &'a ProcessEnd>,
    /// Start of each process's first turn, of any case, in ns since the start of the run.
    pub begun: HashMap<u32, u64>,
    /// Names of the variants.
    pub variants: Vec<&'a str>,
    /// Levels of the intervals.
    pub levels: LookPlan,
    /// Clock cycle of the machine in ns, if it was measured.
    pub cycle_ns: Option<f64>,
    /// True if there were several machines.
    pub machines: bool,
    /// True if iterations increase from turn to turn.
    pub ladder: bool,
    /// Causes for which turns were rejected and measured again.
    pub reject: &'a [String],
    /// True if the witness tests the variants.
    pub witness: bool,
}

/// Returns the start of each process's first turn, in ns since the start of the run.
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
