//! `derny gate`: a run against the baseline, for an exit code.

use crate::args::{GateArgs, Global};
use crate::judge;
use crate::{options, session};
use anyhow::Result;
use derny_workbench::Outcome;
use derny_workbench::gate;
use derny_workbench::sides::Words;

/// Judges. Undecided fails too unless `[gate]` or the command line say what does.
pub fn gate(global: &Global, args: &GateArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let table = session.project.content.gate.as_ref();
    let verdict = &args.verdict;
    let terms = gate::terms(&session, verdict.terms())?;
    let fail_on = match verdict.judge.fail_on.as_slice() {
        [] => gate::configured(&session)?,
        named => options::fail_on(named),
    };
    let baseline = args.baseline.clone().or_else(|| table.and_then(|gate| gate.baseline.clone()));
    let run = args.run.clone().unwrap_or_else(|| "last".to_owned());
    let runs: Vec<String> = baseline.into_iter().chain([run]).collect();
    let words = Words { words: &runs, narrow: &(&verdict.narrow).into(), whole: true };
    judge::conclude(global, &session, verdict, &terms, &fail_on, &words)
}
