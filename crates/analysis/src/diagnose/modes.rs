//! Detects turns with several levels of speed (modes).

use super::view::{CaseView, Detected, percent};
use derny_model::Phase;
use derny_stats::modes::{Mode, lowland};

const MODES_TURNS: usize = 80;
/// Minimum share of turns in a mode.
const MODE_SHARE: f64 = 0.1;
/// Minimum relative distance between neighbouring modes.
const MODE_APART: f64 = 0.01;
/// Minimum of Sarle's coefficient. Two equal normal modes at a distance of three standard deviations have
/// 0.49. Modes of 90 % and 10 % at a distance of four have 0.51.
const LUMPY: f64 = 0.45;

pub(super) fn modes(view: &CaseView) -> Option<Detected> {
    let values: Vec<f64> = view.series.iter().flat_map(|one| one.residuals.iter().copied()).collect();
    if values.len() < MODES_TURNS || bimodality(&values) < LUMPY {
        return None;
    }
    let modes = lowland(&values, step(view));
    let large: Vec<Mode> = modes.into_iter().filter(|mode| mode.share >= MODE_SHARE).collect();
    let apart = large.windows(2).map(|pair| pair[1].location - pair[0].location).fold(0.0, f64::max);
    if apart < MODE_APART {
        return None;
    }
    let shares: Vec<String> = large.iter().map(|mode| percent(mode.share)).collect();
    Some(Detected {
        message: format!(
            "has {} levels with {} of its turns, up to {} apart",
            large.len(),
            shares.join(" and "),
            percent(libm::expm1(apart))
        ),
        remedy: "see `derny show --case`, and find out why the case switches between levels: no single \
            number describes them"
            .to_owned(),
        severity: apart,
    })
}

/// Returns Sarle's coefficient, (skewness² + 1) / kurtosis. It is 1 for two points and 0.33 for normal
/// values. It excludes single modes at much less cost than a density estimate.
fn bimodality(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let moment = |k: i32| values.iter().map(|x| (x - mean).powi(k)).sum::<f64>() / n;
    let variance = moment(2);
    if variance > 0.0 {
        (moment(3).powi(2) / variance.powi(3) + 1.0) * variance.powi(2) / moment(4)
    } else {
        0.0
    }
}

/// Returns the clock's step as a share of a batch. Equal turns may differ by that much.
fn step(view: &CaseView) -> f64 {
    let shares = view.visits.iter().filter_map(|record| {
        let turn = record.turns.iter().find(|turn| turn.phase == Phase::Measured)?;
        let batch = *turn.times_ns.first().filter(|time| **time > 0)?;
        Some(view.processes.get(&record.visit.process)?.clock_step_ns as f64 / batch as f64)
    });
    shares.fold(0.0, f64::max)
}
