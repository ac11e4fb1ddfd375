//! Estimates from earlier runs in the store: the cost of a pair, and the number of pairs that would detect a
//! change as large as the margin.

use derny_estimate::level::Levels;
use derny_estimate::precision;
use derny_model::{CaseId, FleetPlan, Quantity, Records, RunId, Settings, VisitRecord};
use derny_store::Store;
use derny_workbench::config::gate::Terms;
use derny_workbench::error::Result;
use derny_workbench::results::compare::Sides;
use derny_workbench::results::source::Source;
use std::collections::{HashMap, HashSet};

const RUNS: usize = 5;

#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Time of one process of the case in ns, from the launch to the end of the last turn.
    pub process_ns: u64,
    /// Number of pairs at the look that is probably decisive. `None` if the noise of the case is unknown.
    pub pairs: Option<u32>,
}

/// Estimates for cases, and the runs that they were made from.
#[derive(Debug, Default)]
pub struct Knowledge {
    pub cases: HashMap<CaseId, Known>,
    pub runs: Vec<RunId>,
}

/// Estimates the costs of these cases from the newest runs.
///
/// # Errors
/// Fails if the store fails.
pub fn of(store: &Store, wanted: &[CaseId], settings: &Settings, looks: &[u32]) -> Result<Knowledge> {
    let mut found = Knowledge::default();
    let mut open: Vec<&CaseId> = wanted.iter().collect();
    for run in store.runs(RUNS)? {
        open.retain(|id| !found.cases.contains_key(id));
        if open.is_empty() {
            break;
        }
        if run.header.imported.is_some() || run.header.settings.once || run.visits == 0 {
            continue;
        }
        let records = store.load(&run.header.id)?;
        let asked: HashSet<&CaseId> = open.iter().copied().collect();
        let costs = costs(&records, &asked);
        let before = found.cases.len();
        // Read only the turns of the requested cases, because a run may have ten thousand cases.
        let records = derny_analysis::select(records, |case| asked.contains(&case.id));
        let pairs = if costs.is_empty() { HashMap::new() } else { pairs(records, settings, looks)? };
        for id in &open {
            if let Some(process_ns) = costs.get(*id) {
                let known = Known { process_ns: *process_ns, pairs: pairs.get(*id).copied() };
                found.cases.insert((*id).clone(), known);
            }
        }
        if found.cases.len() > before {
            found.runs.push(run.header.id);
        }
    }
    Ok(found)
}

fn costs(records: &Records, asked: &HashSet<&CaseId>) -> HashMap<CaseId, u64> {
    let is_asked: Vec<bool> = records.cases.iter().map(|case| asked.contains(&case.id)).collect();
    let is_asked = |case: u32| is_asked.get(case as usize).is_some_and(|asked| *asked);
    let launch: HashMap<u32, u64> =
        records.processes.iter().map(|process| (process.process, process.launch_ns)).collect();
    let mut visits: HashMap<u32, u64> = HashMap::new();
    records.visits.iter().for_each(|record| *visits.entry(record.visit.process).or_default() += 1);
    let mut sums: HashMap<u32, (u64, u64)> = HashMap::new();
    let own = records.visits.iter().filter(|record| record.complete && is_asked(record.visit.case));
    for record in own {
        let process = record.visit.process;
        let launch_ns =
            launch.get(&process).copied().unwrap_or(0) / visits.get(&process).copied().unwrap_or(1).max(1);
        let sum = sums.entry(record.visit.case).or_default();
        *sum = (sum.0 + launch_ns + record.visit.open_ns + turns_ns(record), sum.1 + 1);
    }
    let mean = |(case, (sum, count)): (u32, (u64, u64))| {
        Some((records.cases.get(case as usize)?.id.clone(), sum / count.max(1)))
    };
    sums.into_iter().filter_map(mean).collect()
}

fn turns_ns(record: &VisitRecord) -> u64 {
    record.at_hand().turns.iter().map(|turn| turn.wall_ns).sum()
}

/// Returns the expected number of pairs for each case. It is the first look that would probably detect a
/// change as large as the margin, given the noise of the measured pairs.
fn pairs(records: Records, settings: &Settings, looks: &[u32]) -> Result<HashMap<CaseId, u32>> {
    if records.header.variants.len() < 2 {
        return Ok(HashMap::new());
    }
    let sides = Sides::variants(Source::Records(Box::new(records)))?;
    let terms = Terms { metrics: Vec::new(), ..Terms::of_run(settings) };
    let comparison = sides.compare(&terms, false);
    let levels = Levels::at(settings.processes as usize, settings.confidence);
    let of_case = |case: &derny_model::ComparedCase| {
        let changes = case.sides.iter().flat_map(|side| &side.changes);
        let typical = changes.filter(|change| change.quantity == Quantity::Typical && change.pairs.len() > 2);
        let most = typical.filter_map(|change| {
            let logs: Vec<f64> = change.pairs.iter().map(|share| share.ln_1p()).collect();
            let reaches =
                |look: &&u32| precision::is_within_reach(&logs, settings.margin, &[**look], &levels);
            looks.iter().find(reaches).or(looks.last()).copied()
        });
        Some((case.case.id.clone(), most.max()?))
    };
    Ok(comparison.cases.iter().filter_map(of_case).collect())
}

/// Returns the expected time of a pair for each case, by its index in the plan.
pub fn planned(plan: &FleetPlan) -> HashMap<u32, u64> {
    let blocks = plan.shards.iter().flat_map(|shard| &shard.blocks);
    blocks.map(|block| (block.case, block.cost_ns / u64::from(block.pairs.max(1)))).collect()
}
