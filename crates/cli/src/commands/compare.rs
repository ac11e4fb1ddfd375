//! `derny compare`: variants, runs, baselines or files side by side.

use crate::args::{CompareArgs, Global};
use crate::exit::Exit;
use crate::judge;
use crate::session::Session;
use crate::sides::Words;
use anyhow::Result;

/// Compares.
pub fn compare(global: &Global, args: &CompareArgs) -> Result<Exit> {
    let session = Session::open(global)?;
    let verdict = &args.verdict;
    let terms = judge::terms(&session, &verdict.judge, verdict.confidence.as_deref())?;
    let words = Words { words: &args.words, narrow: &verdict.narrow, whole: false };
    judge::conclude(&session, verdict, &terms, &words)
}
