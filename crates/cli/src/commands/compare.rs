//! `derny compare`: variants, runs, baselines or files side by side.

use crate::args::{CompareArgs, Global};
use crate::commands::import;
use crate::judge;
use crate::{options, session};
use anyhow::Result;
use derny_workbench::Outcome;
use derny_workbench::gate;
use derny_workbench::sides::Words;

/// Compares.
pub fn compare(global: &Global, args: &CompareArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let verdict = &args.verdict;
    let terms = gate::terms(&session, verdict.terms())?;
    let narrow = (&verdict.narrow).into();
    let words =
        args.words.iter().map(|word| import::taken(&session, word)).collect::<Result<Vec<String>>>()?;
    let words = Words { words: &words, narrow: &narrow, whole: false };
    let fail_on = options::fail_on(&verdict.judge.fail_on);
    judge::conclude(global, &session, verdict, &terms, &fail_on, &words)
}
