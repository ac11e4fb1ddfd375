//! `--diagnose`: the pass after measuring, and what of it is said.

use crate::args::Global;
use crate::output;
use derny_engine::diagnose::Pass;
use derny_model::{Diagnosed, Records, StopReason};

/// What was asked for, checked against what there is, done. `names` holds `all` where nobody named one.
pub fn diagnose(global: &Global, pass: &Pass<'_>, records: &Records) -> Vec<Diagnosed> {
    let known = pass.known();
    for name in pass.names.iter().filter(|name| !known.contains(&name.as_str())) {
        let there = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        output::note(&format!("note: no SDK of these cases has a diagnosis `{name}`; there are: {there}"));
    }
    if global.quiet == 0 && !known.is_empty() {
        output::note("diagnosing, beside what was measured");
    }
    let failed = |case: u32| {
        let ended = |(other, reason): &(u32, StopReason)| {
            *other == case && matches!(reason, StopReason::Failed | StopReason::Skipped)
        };
        records.ended.iter().any(ended)
    };
    pass.run(|case| !failed(case))
}
