//! Forecasts how many pairs would decide an unclear comparison. The engine allocates time accordingly, and
//! reports suggest a time limit.

use derny_model::{Change, ComparedSide, Reason, Verdict};
use derny_stats::location;

/// Minimum forecast for a comparison with too few pairs.
const FIRST: u32 = 8;

/// Returns the total number of pairs that would probably decide the unclear changes of a variant. `None`
/// without a forecast, such as for a difference that no number of pairs would reveal.
pub fn needed(side: &ComparedSide, margin: f64) -> Option<u32> {
    let of_change = |change: &Change| match change.reason {
        Some(Reason::TooFewPairs) => change.needed.or(Some(of_few(change, margin))),
        _ => change.needed,
    };
    let unclear = side.changes.iter().filter(|change| change.verdict == Verdict::Unclear);
    unclear.filter(|change| !change.only_shown).filter_map(of_change).max()
}

/// Returns the absolute change of the variant's first quantity, as a share, or 0.
pub fn size(side: &ComparedSide) -> f64 {
    let estimate = side.changes.first().and_then(|change| change.change);
    estimate.map_or(0.0, |estimate| estimate.value.abs())
}

/// Forecasts the number of pairs for a change with too few pairs. The range of the pairs replaces the
/// interval, which does not exist for so few.
fn of_few(change: &Change, margin: f64) -> u32 {
    let (lo, hi) = change.pairs.iter().fold((f64::MAX, f64::MIN), |(lo, hi), x| (lo.min(*x), hi.max(*x)));
    if change.pairs.len() < 2 {
        return FIRST;
    }
    let off = location::median(&change.pairs).abs();
    let half = (hi - lo) / 2.0;
    let pairs = change.pairs.len() as f64 * (half / off.max(margin - off)).powi(2);
    if pairs.is_finite() { (pairs.ceil() as u32).max(FIRST) } else { FIRST }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Subject;
    use derny_model::{Estimate, Quantity};

    fn side(pairs: &[f64], reason: Reason, needed: Option<u32>) -> ComparedSide {
        let change = Change {
            change: Some(Estimate { value: location::median(pairs), interval: None }),
            pairs: pairs.into(),
            reason: Some(reason),
            needed,
            ..Subject::unknown(Quantity::Typical).change()
        };
        crate::verdict::side(1, vec![change], &[], 0.02)
    }

    #[test]
    fn few_pairs_that_agree_need_the_fewest_more() {
        let of = |pairs: &[f64]| needed(&side(pairs, Reason::TooFewPairs, None), 0.01);
        assert_eq!(of(&[0.4, 0.41, 0.39]), Some(FIRST), "a large change");
        assert_eq!(of(&[0.001, -0.001, 0.0]), Some(FIRST), "within the margin");
        assert!(of(&[0.03, -0.02, 0.005]) > Some(40), "{:?}", of(&[0.03, -0.02, 0.005]));
        assert_eq!(of(&[0.2]), Some(FIRST));
    }

    #[test]
    fn a_forecast_counts_and_its_absence_does_too() {
        assert_eq!(needed(&side(&[0.1; 8], Reason::Noise, Some(30)), 0.01), Some(30));
        assert_eq!(needed(&side(&[0.1; 8], Reason::Noise, None), 0.01), None);
        assert!((size(&side(&[-0.1; 8], Reason::Noise, None)) - 0.1).abs() < 1e-12);
    }
}
