//! Finds the stored runs that preceded a run on its machine.

use crate::error::Result;
use crate::results::source::Source;
use derny_model::{CaseId, Document, RunHeader, RunStatus};
use derny_store::Store;
use std::collections::HashSet;

/// Limits for the search of earlier runs.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Maximum number of runs.
    pub runs: usize,
    /// Maximum number of visits to read in all. A visit is one opening of a case in a process.
    pub visits: u64,
}

/// Returns the runs of the same machine before `newest`, oldest first, restricted to the cases of its source.
pub fn runs(source: &Source, newest: &RunHeader, store: &Store, reach: Reach) -> Result<Vec<Document>> {
    let machine = |header: &RunHeader| (header.machine.host.clone(), header.machine.cpu.clone());
    // Imports have no machine. Results of different tools cannot be compared.
    let tool = |header: &RunHeader| header.imported.as_ref().map(|from| from.format.clone());
    let cases: HashSet<CaseId> = source.cases().into_iter().map(|case| case.id.clone()).collect();
    let mut all = Vec::new();
    let mut visits = 0;
    for summary in store.runs(reach.runs.saturating_mul(4).max(100))? {
        let header = &summary.header;
        let usable = header.status != RunStatus::Running && !header.settings.once && summary.visits > 0;
        let earlier = header.started_ms < newest.started_ms && header.id != newest.id;
        if !usable || !earlier || machine(header) != machine(newest) || tool(header) != tool(newest) {
            continue;
        }
        visits += u64::from(summary.visits);
        if all.len() >= reach.runs || visits > reach.visits {
            break;
        }
        let records = derny_analysis::select(store.load(&header.id)?, |case| cases.contains(&case.id));
        if !records.cases.is_empty() {
            all.push(derny_analysis::summarise(&records));
        }
    }
    all.reverse();
    Ok(all)
}
