//! `derny fleet merge`: the result of all parts, and the plan of undecided cases.

use crate::args::{Global, MergeArgs};
use crate::output::{self, Destination, Form};
use crate::{options, results, session};
use derny_engine::launch::folder::PrivateFolder;
use derny_fleet::Fault;
use derny_json::ToJson;
use derny_model::{Document, FleetPlan, Records, problem};
use derny_report as report;
use derny_store::Store;
use derny_workbench::config::gate;
use derny_workbench::error::Doing;
use derny_workbench::pipeline;
use derny_workbench::{Outcome, Result};
use std::io::Read;
use std::path::{Path, PathBuf};

pub fn merge(global: &Global, args: &MergeArgs) -> Result<Outcome> {
    let mut out = Destination::open(global, args.output.as_deref())?;
    if let Some(name) = &args.save {
        Store::check_baseline_name(name)?;
    }
    let given = Given::of(global, &args.parts)?;
    let mut merged = derny_fleet::merge(&given.files)?;
    // Parts from the store carry the plan as workers divide it. Divide the next wave like the original plan.
    if let Some(plan) = given.plans.iter().find(|plan| derny_fleet::pieces(plan).id == merged.plan.id) {
        merged.plan = plan.clone();
    }
    let fail_on = match args.fail_on.as_slice() {
        [] => merged.plan.settings.gate.as_ref().map_or(Vec::new(), gate::stored_fail_on),
        named => options::fail_on(named),
    };
    if !args.fail_on.is_empty() {
        // Store the terms of the verdict with the run.
        let settings = &mut merged.records.header.settings;
        settings.gate = gate::recorded(&settings.metrics, &fail_on);
    }
    for fault in merged.faults.iter().filter(|fault| fault.counts() || global.quiet == 0) {
        output::note(&told(fault, !given.plans.is_empty()));
    }
    let store = session::open(global)?.store()?;
    let is_known = derny_fleet::name(&store, &mut merged)?;
    let incomplete = merged.faults.iter().any(Fault::counts);
    let empty = Records::new(merged.records.header.clone(), Vec::new());
    let records = std::mem::replace(&mut merged.records, empty);
    let keep = move |records: &Records| {
        if !is_known {
            store.keep(records)?;
        }
        if let Some(name) = &args.save {
            store.set_baseline(name, &records.header.id)?;
        }
        Ok(())
    };
    let judge = args.judge();
    let tell = |records: &Records, document: &Document| {
        results::write(global, (args.format, &judge), (Some(records), document), &mut out)
    };
    let (concluded, told) = pipeline::merged(records, &merged.digests, (&fail_on, incomplete), keep, tell)?;
    told?;
    results::say(global, args.format, &fail_on, &concluded);
    let next = concluded
        .document
        .comparison
        .as_ref()
        .and_then(|comparison| derny_fleet::next(&merged, &concluded.records, comparison));
    leave(&args.undecided, next.as_ref(), &merged.plan)?;
    if let Some(next) = next.filter(|_| global.quiet == 0) {
        output::painted(&report::fleet::next(&next, &args.undecided, &output::error_style(global)));
    }
    Ok(concluded.outcome)
}

/// Inputs of a merge.
struct Given {
    files: Vec<PathBuf>,
    /// Plans whose parts came from the store.
    plans: Vec<FleetPlan>,
    /// Folder of these parts, kept until they have been read.
    _folder: Option<PrivateFolder>,
}

impl Given {
    /// Reads the arguments. For a plan, reads the parts that workers have put into the store.
    fn of(global: &Global, words: &[PathBuf]) -> Result<Given> {
        let mut given = Given { files: Vec::new(), plans: Vec::new(), _folder: None };
        let mut store = None;
        for word in words {
            if !is_plan(word) {
                given.files.push(word.clone());
                continue;
            }
            let plan = derny_fleet::read(word)?;
            let store = match &mut store {
                Some(store) => store,
                none => none.insert(session::open(global)?.existing_store()?),
            };
            let folder = match &mut given._folder {
                Some(folder) => folder,
                none => none
                    .insert(PrivateFolder::make(None).doing(|| "cannot create a folder for parts".into())?),
            };
            given.files.extend(derny_fleet::parts(store, &plan, folder.path())?);
            given.plans.push(plan);
        }
        if given.files.is_empty() {
            let plan = words.first().map_or("PLAN".into(), |plan| plan.display().to_string());
            return Err(problem!("no shard of the plan was measured")
                .place(&plan)
                .remedy(format_args!("run `derny fleet worker {plan}` with the same --store"))
                .into());
        }
        Ok(given)
    }
}

/// Returns true if a file is a plan: JSON, or a tar with its builds. Parts are neither.
fn is_plan(file: &Path) -> bool {
    if derny_fleet::is_carrying(file) {
        return true;
    }
    let mut first = [0; 16];
    let read = std::fs::File::open(file).and_then(|mut file| file.read(&mut first));
    let begins = first.iter().find(|byte| !byte.is_ascii_whitespace());
    read.is_ok() && begins == Some(&b'{')
}

fn told(fault: &Fault, from_store: bool) -> String {
    match fault {
        Fault::Missing { shard, of, .. } if from_store => {
            format!("missing: shard {shard} of {of}; `derny fleet worker PLAN` measures it")
        }
        other => other.to_string(),
    }
}

/// Writes the next plan. If there is none, removes the plan of an earlier wave, which a script would
/// otherwise use again.
fn leave(file: &Path, next: Option<&FleetPlan>, plan: &FleetPlan) -> Result<()> {
    match next {
        Some(next) => Destination::unreported(Some(file))?
            .write_as(Form::Json, &(next.to_json().map_err(std::io::Error::from)? + "\n"))?,
        None if file.exists() && derny_fleet::read(file).is_ok_and(|old| old.measures == plan.measures) => {
            std::fs::remove_file(file)?;
        }
        None => {}
    }
    Ok(())
}
