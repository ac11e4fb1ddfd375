//! `derny gate`: a run against the baseline, for an exit code.

use crate::args::{FailOn, GateArgs, Global};
use crate::exit::Exit;
use crate::judge;
use crate::output::Destination;
use crate::session::Session;
use crate::sides::{Sides, Words};
use anyhow::{Result, bail};
use clap::ValueEnum;

/// Judges. Undecided fails too unless `[gate]` or the command line say what does: a gate that is open because nothing
/// could be told would be taken for one that was passed.
pub fn gate(global: &Global, args: &GateArgs) -> Result<Exit> {
    let session = Session::open(global)?;
    let table = session.project.content.gate.clone();
    let mut terms = judge::terms(&session, &args.judge, args.confidence.as_deref())?;
    if let Some(confidence) = table.as_ref().and_then(|gate| gate.confidence) {
        terms.confidence = terms.confidence.or(Some(confidence));
    }
    if terms.fail_on.is_empty() {
        terms.fail_on = configured(&table.as_ref().map(|gate| gate.fail_on.clone()).unwrap_or_default())?;
    }
    let mut out = Destination::open(args.output.as_deref())?;
    let baseline = args.baseline.clone().or_else(|| table.and_then(|gate| gate.baseline));
    let run = args.run.clone().unwrap_or_else(|| "last".to_owned());
    let runs: Vec<String> = baseline.into_iter().chain([run]).collect();
    let words = Words { words: &runs, exclude: &args.exclude, param: &args.param, whole: true };
    let Some(sides) = Sides::of(&session, &words)? else { return Ok(Exit::Nothing) };
    let confidence = terms.confidence.unwrap_or_else(|| sides.confidence());
    let comparison = sides.compare(terms.margin, confidence, &args.metrics, false);
    judge::print(global, &comparison, args.format, &args.judge, &mut out)?;
    if comparison.cases.is_empty() && comparison.failures.is_empty() {
        return Ok(Exit::Nothing);
    }
    Ok(judge::exit(global, &comparison, &args.metrics, &terms.fail_on))
}

/// `fail-on` of `[gate]`; both where it is not given.
fn configured(words: &[String]) -> Result<Vec<FailOn>> {
    if words.is_empty() {
        return Ok(vec![FailOn::Worse, FailOn::Unclear]);
    }
    let read = |word: &String| match FailOn::from_str(word, false) {
        Ok(fail_on) => Ok(fail_on),
        Err(_) => bail!("`fail-on` of [gate]: `{word}` is none of worse, unclear"),
    };
    words.iter().map(read).collect()
}
