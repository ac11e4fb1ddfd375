//! `derny gate`: compares a run with the baseline, and reports the result as an exit code.

use crate::args::{GateArgs, Global};
use crate::{judge, session};
use derny_workbench::results::compare::Words;
use derny_workbench::{Outcome, Result};

/// Judges by the terms stored with the run, or else by `[gate]`. If neither lists the verdicts that fail,
/// undecided ones fail too.
pub fn gate(global: &Global, args: &GateArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let table = session.project.content.gate.as_ref();
    let baseline = args.baseline.clone().or_else(|| table.and_then(|gate| gate.baseline.clone()));
    let run = args.run.clone().unwrap_or_else(|| "last".to_owned());
    let runs: Vec<String> = baseline.into_iter().chain([run]).collect();
    let words = Words { words: &runs, narrow: &(&args.verdict.narrow).into(), whole: true };
    judge::conclude(global, &session, &args.verdict, true, &words)
}
