//! Plans, measures and concludes a run.

use crate::error::Result;
use crate::pipeline::conclude::{Concluded, conclude};
use crate::pipeline::measure::measure;
use crate::pipeline::news::Tell;
use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::plan;
use crate::pipeline::planned::Ready;
use crate::project::session::Bench;
use crate::results::outcome::Outcome;
use crate::variants::kept_programs;
use derny_engine::measure::now_ms;

/// The result of a run.
#[derive(Debug)]
pub enum Ended {
    /// Nothing was measured.
    Early(Outcome),
    /// The run has results.
    Concluded(Box<Concluded>),
}

/// Plans, measures and concludes a run. The run is stored before it is analysed.
///
/// # Errors
/// Fails if options or settings are invalid, if a build fails, or if the store or `tell` fails. The failure
/// of a benchmark is not an error: the result contains it.
pub fn run(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
    tell: &mut Tell<'_>,
) -> Result<Ended> {
    let planned = match plan(bench, options, occasion, tell)? {
        Ready::Planned(planned) => planned,
        Ready::Early(outcome) => return Ok(Ended::Early(outcome)),
    };
    let mut measured = measure(bench, options, &planned, tell)?;
    // After an interruption, keep all programs: resuming the run needs those of its original baseline.
    if planned.header.again().is_some() && !measured.interrupted {
        measured.notices.extend(kept_programs::sweep(bench.session, bench.store)?);
    }
    let compared = planned.into_compared();
    let mut concluded = conclude(bench, options, measured, &compared)?;
    if options.stats {
        concluded.document.stats =
            derny_analysis::accounting(&concluded.records, Some(now_ms())).map(Box::new);
    }
    Ok(Ended::Concluded(Box::new(concluded)))
}
