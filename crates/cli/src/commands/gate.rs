//! `derny gate`: a run against the baseline, for an exit code.

use crate::args::{FailOn, GateArgs, Global};
use crate::exit::Exit;
use crate::judge;
use crate::session::Session;
use crate::sides::Words;
use anyhow::{Result, bail};
use clap::ValueEnum;

/// Judges. Undecided fails too unless `[gate]` or the command line say what does: a gate that is open because nothing
/// could be told would be taken for one that was passed.
pub fn gate(global: &Global, args: &GateArgs) -> Result<Exit> {
    let session = Session::open(global)?;
    let table = session.project.content.gate.as_ref();
    let verdict = &args.verdict;
    let mut terms = judge::terms(&session, &verdict.judge, verdict.confidence.as_deref())?;
    if terms.fail_on.is_empty() {
        terms.fail_on = configured(table.map_or(&[][..], |gate| gate.fail_on.as_slice()))?;
    }
    let baseline = args.baseline.clone().or_else(|| table.and_then(|gate| gate.baseline.clone()));
    let run = args.run.clone().unwrap_or_else(|| "last".to_owned());
    let runs: Vec<String> = baseline.into_iter().chain([run]).collect();
    judge::conclude(&session, verdict, &terms, &Words { words: &runs, narrow: &verdict.narrow, whole: true })
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
