//! What the cases of a run share.

use derny_estimate::level::LookPlan;
use derny_model::ProcessStart;
use std::collections::HashMap;

/// What analysis needs to know of the run that a case belongs to.
pub(crate) struct Scope<'a> {
    /// Processes by number.
    pub processes: HashMap<u32, &'a ProcessStart>,
    /// Names of the variants.
    pub variants: Vec<&'a str>,
    /// Levels of intervals.
    pub levels: LookPlan,
    /// One clock cycle of the machine in ns, if it was measured.
    pub cycle_ns: Option<f64>,
    /// Iterations grow from turn to turn.
    pub ladder: bool,
    /// Causes whose turns were measured again.
    pub reject: &'a [String],
}
