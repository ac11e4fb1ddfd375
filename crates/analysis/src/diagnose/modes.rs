//! Turns gather around more than one level.

use super::{CaseView, Finding, percent};
use derny_model::Phase;
use derny_stats::modes::{Mode, lowland};

/// Values for a look at modes; the share that a mode must have, and how far the next must lie from it.
const MODES_TURNS: usize = 80;
const MODE_SHARE: f64 = 0.1;
const MODE_APART: f64 = 0.01;

/// Turns gather around two or more levels within processes.
pub(super) fn modes(view: &CaseView) -> Option<Finding> {
    let values: Vec<f64> = view.series.iter().flat_map(|one| one.residuals.iter().copied()).collect();
    if values.len() < MODES_TURNS {
        return None;
    }
    let modes = lowland(&values, step(view));
    let large: Vec<Mode> = modes.into_iter().filter(|mode| mode.share >= MODE_SHARE).collect();
    let apart = large.windows(2).map(|pair| pair[1].location - pair[0].location).fold(0.0, f64::max);
    if apart < MODE_APART {
        return None;
    }
    let shares: Vec<String> = large.iter().map(|mode| percent(mode.share)).collect();
    Some(Finding {
        message: format!(
            "has {} levels with {} of its turns, up to {} apart",
            large.len(),
            shares.join(" and "),
            percent(apart.exp_m1())
        ),
        remedy: "one number cannot stand for both: look at `derny show --case`, and for what switches"
            .to_owned(),
        severity: apart,
    })
}

/// The clock's step as a share of a batch: what equal turns may differ by.
fn step(view: &CaseView) -> f64 {
    let shares = view.visits.iter().filter_map(|record| {
        let turn = record.turns.iter().find(|turn| turn.phase == Phase::Measured)?;
        let batch = *turn.times_ns.first().filter(|time| **time > 0)?;
        Some(view.processes.get(&record.visit.process)?.clock_step_ns as f64 / batch as f64)
    });
    shares.fold(0.0, f64::max)
}
