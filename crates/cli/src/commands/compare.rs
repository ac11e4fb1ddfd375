//! `derny compare`: compares variants, runs, baselines or files.

use crate::args::{CompareArgs, Global};
use crate::commands::import;
use crate::{judge, session};
use derny_workbench::results::compare::Words;
use derny_workbench::{Outcome, Result};

/// Runs the verb.
pub fn compare(global: &Global, args: &CompareArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let verdict = &args.verdict;
    let narrow = (&verdict.narrow).into();
    let words =
        args.words.iter().map(|word| import::taken(&session, word)).collect::<Result<Vec<String>>>()?;
    let words = Words { words: &words, narrow: &narrow, whole: false };
    judge::conclude(global, &session, verdict, false, &words)
}
