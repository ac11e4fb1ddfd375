//! A case's place in its process.

use super::series::locations;
use super::{Detected, RunView, percent};
use derny_stats::{theil_sen, theil_sen_interval};

/// The least effect of the whole range of positions that matters, as a share.
const EFFECT: f64 = 0.01;
/// Level of the slope's interval.
const ALPHA: f64 = 0.01;
/// Visits and positions for a slope; of more visits a part is taken, since all pairs are looked at.
const LEAST_VISITS: usize = 20;
const LEAST_POSITIONS: u32 = 3;
const MOST_VISITS: usize = 1500;

/// Cases become slower, or faster, the later their process takes them. Positions are drawn at random in every process,
/// so the slope is the position's.
pub(super) fn position(view: &RunView) -> Option<Detected> {
    let points = locations(view.series);
    let last = points.iter().map(|(one, _)| one.position).max().filter(|last| *last >= LEAST_POSITIONS)?;
    if points.len() < LEAST_VISITS {
        return None;
    }
    let stride = points.len().div_ceil(MOST_VISITS);
    let taken = points.iter().step_by(stride);
    let (x, y): (Vec<f64>, Vec<f64>) = taken.map(|(one, value)| (f64::from(one.position), *value)).unzip();
    let interval = theil_sen_interval(&x, &y, ALPHA)?;
    let effect = theil_sen(&x, &y) * f64::from(last);
    if effect.abs() < EFFECT || interval.lo <= 0.0 && interval.hi >= 0.0 {
        return None;
    }
    Some(Detected {
        message: format!(
            "measures cases {} {} when they come last in their process than when they come first",
            percent(libm::expm1(effect)),
            if effect > 0.0 { "slower" } else { "faster" }
        ),
        remedy: "give every case a process of its own: --isolation case".to_owned(),
        severity: effect.abs(),
    })
}
