//! `derny merge`: the result of all parts, and the plan of what is undecided.

use crate::args::{Format, Global, MergeArgs};
use crate::output::{self, Destination};
use crate::{options, results, session};
use anyhow::{Result, bail};
use derny_model::FleetPlan;
use derny_report as report;
use derny_store::Store;
use derny_workbench::Outcome;
use derny_workbench::fleet::{self, Fault};
use derny_workbench::gate::FailOn;
use derny_workbench::pipeline;
use std::path::Path;

/// Merges.
pub fn merge(global: &Global, args: &MergeArgs) -> Result<Outcome> {
    if args.format == Format::Ndjson {
        bail!(
            "what was merged has no events\n  try    -f json; `derny export --raw` shows the turns of one run"
        );
    }
    let mut out = Destination::open(args.output.as_deref())?;
    if let Some(name) = &args.save {
        Store::check_baseline_name(name)?;
    }
    let mut merged = fleet::merge(&args.parts)?;
    let fail_on = match args.fail_on.as_slice() {
        [] => of_plan(&merged.plan),
        named => options::fail_on(named),
    };
    for fault in merged.faults.iter().filter(|fault| fault.counts() || global.quiet == 0) {
        output::note(&fault.to_string());
    }
    let store = session::open(global)?.store()?;
    let id = fleet::keep(&store, &mut merged)?;
    if let Some(name) = &args.save {
        store.set_baseline(name, &id)?;
    }
    let incomplete = merged.faults.iter().any(Fault::counts);
    let empty = derny_model::Records::new(merged.records.header.clone(), Vec::new());
    let records = std::mem::replace(&mut merged.records, empty);
    let concluded = pipeline::merged(records, &fail_on, incomplete)?;
    let judge = args.judge();
    results::print(global, (args.format, &judge), &fail_on, &concluded, &mut out)?;
    let next = concluded
        .document
        .comparison
        .as_ref()
        .and_then(|comparison| fleet::next(&merged, &concluded.records, comparison));
    leave(&args.undecided, next.as_ref(), &merged.plan)?;
    if let Some(next) = next.filter(|_| global.quiet == 0) {
        output::note(&report::fleet::next(&next, &args.undecided, &output::error_style(global)));
    }
    Ok(concluded.outcome)
}

fn of_plan(plan: &FleetPlan) -> Vec<FailOn> {
    let words = plan.settings.gate.iter().flat_map(|gate| &gate.fail_on);
    words.map(|word| if word == "worse" { FailOn::Worse } else { FailOn::Unclear }).collect()
}

/// Writes the next plan, or takes that of an earlier wave away: whoever asks whether there is one is not to find an old one.
fn leave(file: &Path, next: Option<&FleetPlan>, plan: &FleetPlan) -> Result<()> {
    match next {
        Some(next) => Destination::open(Some(file))?.write(&(serde_json::to_string(next)? + "\n"))?,
        None if file.exists() && fleet::read(file).is_ok_and(|old| old.measures == plan.measures) => {
            std::fs::remove_file(file)?;
        }
        None => {}
    }
    Ok(())
}
