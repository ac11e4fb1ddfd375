//! `derny compare`: variants, runs, baselines or files side by side.

use crate::args::{CompareArgs, Global};
use crate::exit::Exit;
use crate::judge;
use crate::output::Destination;
use crate::session::Session;
use crate::sides::{Sides, Words};
use anyhow::Result;

/// Compares.
pub fn compare(global: &Global, args: &CompareArgs) -> Result<Exit> {
    let session = Session::open(global)?;
    let terms = judge::terms(&session, &args.judge, args.confidence.as_deref())?;
    let mut out = Destination::open(args.output.as_deref())?;
    let words = Words { words: &args.words, exclude: &args.exclude, param: &args.param, whole: false };
    let Some(sides) = Sides::of(&session, &words)? else { return Ok(Exit::Nothing) };
    let confidence = terms.confidence.unwrap_or_else(|| sides.confidence());
    let comparison = sides.compare(terms.margin, confidence, &args.metrics, false);
    judge::print(global, &comparison, args.format, &args.judge, &mut out)?;
    if comparison.cases.is_empty() && comparison.failures.is_empty() {
        return Ok(Exit::Nothing);
    }
    Ok(judge::exit(global, &comparison, &args.metrics, &terms.fail_on))
}
