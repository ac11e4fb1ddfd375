//! What the cases of a run share.

use derny_estimate::level::LookPlan;
use derny_model::{ProcessEnd, ProcessStart, VisitRecord};
use std::collections::HashMap;

/// What analysis needs to know of the run that a case belongs to.
pub(crate) struct Scope<'a> {
    /// Processes by number.
    pub processes: HashMap<u32, &'a ProcessStart>,
    /// How they ended.
    pub ends: HashMap<u32, &'a ProcessEnd>,
    /// When each process began its first turn, of whichever case, in ns since the run's start.
    pub begun: HashMap<u32, u64>,
    /// Names of the variants.
    pub variants: Vec<&'a str>,
    /// Levels of intervals.
    pub levels: LookPlan,
    /// One clock cycle of the machine in ns, if it was measured.
    pub cycle_ns: Option<f64>,
    /// Several machines measured.
    pub machines: bool,
    /// Iterations grow from turn to turn.
    pub ladder: bool,
    /// Causes whose turns were measured again.
    pub reject: &'a [String],
}

/// When each process began its first turn.
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
