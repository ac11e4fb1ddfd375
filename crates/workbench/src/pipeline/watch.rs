//! `--watch`: repeats the run of the same sides until every case has a verdict.
//!
//! Each run adds blocks to the earlier ones. Planned looks need a maximum number of blocks, which watching
//! does not have. The intervals are therefore those of a confidence sequence, which covers the true value
//! at any number of looks.

use crate::config::gate::Terms;
use crate::error::Result;
use crate::notice::Notice;
use crate::pipeline::measure::measure;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::occasion::{Occasion, Scope};
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::plan;
use crate::pipeline::planned::Ready;
use crate::project::session::Bench;
use crate::results::compare::Sides;
use crate::results::outcome::{Happened, Outcome};
use crate::results::source::Source;
use derny_model::{
    CaseId, CaseOutcome, ComparedCase, Comparison, Document, Reason, Records, Series, Unmeasured, Verdict,
    problem,
};
use std::collections::HashSet;

/// Default number of blocks in one run.
const BLOCKS: &str = "8";

/// The result of watching.
#[derive(Debug)]
pub enum Watched {
    /// Nothing was measured.
    Early(Outcome),
    /// All runs were compared together.
    Compared {
        /// The results of all runs together, with their comparison.
        document: Box<Document>,
        /// Outcome of the command.
        outcome: Outcome,
    },
}

/// Measures the variants repeatedly, until every case has a verdict on every side, the time is over, or the
/// user stops.
///
/// # Errors
/// Fails if planning or measuring fails, if there is no variant, or if the settings `builds` or `ladder` are
/// set.
pub fn watch(bench: Bench<'_>, options: &RunOptions, tell: &mut Tell<'_>) -> Result<Watched> {
    if options.variants.is_empty() {
        return Err(problem!(
            "--watch needs at least two sides, because it runs until every case has a verdict"
        )
        .remedy("use -x old=COMMAND -x new=COMMAND")
        .into());
    }
    if let Some(key) = ["builds", "ladder"].into_iter().find(|key| options.stated.has(key)) {
        return Err(problem!("--watch does not support the setting `{key}`")
            .place(format_args!("--set {key}"))
            .remedy(format_args!("omit --watch, or --set {key}"))
            .into());
    }
    let each = each(options);
    let mut series = Series { id: String::new(), number: 0, of: 1 };
    let mut all: Option<Records> = None;
    let mut open: Vec<CaseId> = Vec::new();
    loop {
        let scope = Scope { only: &open, ..Scope::default() };
        let occasion = Occasion { prior: None, series: Some(series.clone()), scope };
        let mut happened = Happened::default();
        let (new, early) = match plan(bench, &each, &occasion, tell)? {
            Ready::Early(outcome) => (None, outcome),
            Ready::Planned(planned) => {
                let measured = measure(bench, &each, &planned, tell)?;
                (happened.interrupted, happened.failed) = (measured.interrupted, measured.failed);
                (Some(measured.records), Outcome::Done)
            }
        };
        if let Some(own) = new.as_ref().and_then(|records| records.header.series.as_ref()) {
            series.id.clone_from(&own.id);
        }
        let Some(joined) = derny_analysis::join(all.take().into_iter().chain(new)) else {
            return Ok(Watched::Early(early));
        };
        let settings = joined.header.settings.clone();
        let spent_ms = joined.header.ended_ms.unwrap_or(joined.header.started_ms) - joined.header.started_ms;
        let sides = Sides::variants(Source::Records(Box::new(joined)))?;
        let comparison = sides.compare(&Terms::of_run(&settings), true);
        open = undecided(&comparison);
        let over = settings.total_ns.is_some_and(|total| spent_ms as u64 * 1_000_000 >= total);
        let ended = early != Outcome::Done || happened.interrupted || happened.failed;
        if open.is_empty() || over || ended {
            let Happened { interrupted, failed, .. } = happened;
            let happened = Happened { interrupted, failed, ..Happened::of_comparison(&comparison) };
            let outcome = early.max(happened.outcome(&options.fail_on));
            let document = Box::new(sides.into_document(comparison));
            return Ok(Watched::Compared { document, outcome });
        }
        say(tell, Notice::GoingOn { undecided: open.len(), runs: series.number + 1 });
        series.number += 1;
        series.of += 1;
        let (Source::Records(joined), _) = sides.into_newest() else { unreachable!("records stay records") };
        all = Some(*joined);
    }
}

/// Returns the options for each of the repeated runs.
fn each(options: &RunOptions) -> RunOptions {
    let mut each = options.clone();
    each.mode.precise = true;
    if !each.stated.has("processes") {
        each.stated.values.push(("processes", BLOCKS.to_owned()));
    }
    each
}

/// Returns the cases with a side that has no verdict yet or was not measured. Controls need no verdict.
fn undecided(comparison: &Comparison) -> Vec<CaseId> {
    let is_open = |case: &&ComparedCase| {
        let mut sides = case.sides.iter().filter(|side| !comparison.sides[side.side as usize].control);
        sides.any(|side| side.verdict == Verdict::Unclear)
    };
    let compared = comparison.cases.iter().filter(is_open).map(|case| &case.case.id);
    // If a side skipped a case, it will skip it again.
    let may_come =
        |case: &&Unmeasured| case.outcome == CaseOutcome::NotMeasured && case.reason != Reason::Skipped;
    let unmeasured = comparison.unmeasured.iter().filter(may_come);
    let mut all: Vec<CaseId> = compared.chain(unmeasured.map(|case| &case.case.id)).cloned().collect();
    let mut seen = HashSet::new();
    all.retain(|id| seen.insert(id.clone()));
    all
}
