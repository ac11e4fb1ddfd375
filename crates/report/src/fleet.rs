//! Formats the size and the cost of plans for several machines.

use crate::style::Paint;
use crate::{Style, numbers};
use derny_model::{FleetPlan, PlannedShard};
use std::path::Path;

/// Returns the size of a plan, and the source of its estimated cost. `known` is the number of cases with
/// known costs, and `runs` are the runs that measured them.
pub fn plan(plan: &FleetPlan, (known, runs): (usize, &[String]), style: &Style) -> String {
    let cases = numbers::counted(plan.cases.len(), "case", "cases");
    let costs = match (known, plan.cases.len()) {
        (0, _) => "no case has been measured before: all costs are assumed equal".to_owned(),
        (known, all) if known >= all => format!("costs are taken from {}", named(runs)),
        (known, all) => {
            format!(
                "costs of {known} of {all} cases are taken from {}; the others are assumed equal",
                named(runs)
            )
        }
    };
    format!("{cases}: {}\n{}\n", size(plan, style), style.paint(Paint::Dim, &style.prose(&costs)))
}

/// Returns a line that announces the plan of the next wave.
pub fn next(plan: &FleetPlan, file: &Path, style: &Style) -> String {
    let mut cases: Vec<u32> = blocks(plan).map(|block| block.case).collect();
    cases.sort_unstable();
    cases.dedup();
    let cases = numbers::counted(cases.len(), "case is", "cases are");
    format!("{cases} undecided; {} contains wave {}: {}", file.display(), plan.wave, size(plan, style))
}

fn blocks(plan: &FleetPlan) -> impl Iterator<Item = &derny_model::PlannedBlock> {
    plan.shards.iter().flat_map(|shard| &shard.blocks)
}

fn named(runs: &[String]) -> String {
    format!("{} {}", if runs.len() == 1 { "run" } else { "runs" }, runs.join(", "))
}

/// Formats the size of a plan:
/// `4 shards, 8 pairs per case and machine, about 12 min of machine time, the longest shard takes 3 min`.
fn size(plan: &FleetPlan, style: &Style) -> String {
    let shards = numbers::counted(plan.shards.len(), "shard", "shards");
    let each = |of: fn(u32, u32) -> u32| blocks(plan).map(|block| block.pairs).reduce(of).unwrap_or(0);
    let (least, most) = (each(u32::min), each(u32::max));
    let pairs = match (least, most) {
        (_, 0) => "measured until they are precise".to_owned(),
        (least, most) if least == most => format!("{most} pairs per case and machine"),
        (least, most) => format!("{least} to {most} pairs per case and machine"),
    };
    let longest = plan.shards.iter().map(|shard: &PlannedShard| shard.cost_ns).max().unwrap_or(0);
    let parts = [
        shards,
        pairs,
        format!("about {} of machine time", numbers::wall(plan.cost_ns())),
        format!("the longest shard takes {}", numbers::wall(longest)),
    ];
    style.prose(&parts.join(", "))
}
