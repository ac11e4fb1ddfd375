//! Families of comparisons: what may be called different by chance when many are looked at.

use derny_model::{Change, ComparedCase, Direction, Quantity, Reason, Side, Verdict};
use derny_stats::{benjamini_hochberg, holm};
use std::collections::HashMap;

/// Adjusts for the number of comparisons: `q` by Benjamini and Hochberg (1995) for listings, Holm's (1979) values of
/// a change no worse than the margin for gates. A listing has a family per quantity: typical time is not asked twice
/// because mean time is told beside it. A gate takes the worse of the two, so that they are one family there. A
/// control is in none. A verdict whose `q` is not below the level is taken back. Gives the size of the family of typical
/// time, or of the largest.
pub fn families(cases: &mut [ComparedCase], sides: &[Side], alpha: f64) -> u32 {
    let gated = |change: &Change| match change.quantity {
        Quantity::Mean => (Quantity::Typical, false),
        _ => family(change),
    };
    for mut family in by(cases, sides, gated).into_values() {
        let at_margin: Vec<f64> = family.iter().filter_map(|change| change.holm).collect();
        family.iter_mut().zip(holm(&at_margin)).for_each(|(change, holm)| change.holm = Some(holm));
    }
    let (mut times, mut most) = (None, 0);
    for ((quantity, _), mut family) in by(cases, sides, family) {
        let p: Vec<f64> = family.iter().filter_map(|change| change.p).collect();
        let size = family.len() as u32;
        for (change, q) in family.iter_mut().zip(benjamini_hochberg(&p)) {
            change.q = Some(q);
            demote(change, q, alpha, size);
        }
        most = most.max(size);
        if quantity == Quantity::Typical {
            times = Some(size);
        }
    }
    times.unwrap_or(most)
}

/// What a change is listed among: its quantity, and whether either way is better.
fn family(change: &Change) -> (Quantity, bool) {
    (change.quantity.clone(), change.direction == Direction::None)
}

type Families<'a> = HashMap<(Quantity, bool), Vec<&'a mut Change>>;

/// The changes with a p-value, by family.
fn by<'a>(
    cases: &'a mut [ComparedCase],
    sides: &[Side],
    family: impl Fn(&Change) -> (Quantity, bool),
) -> Families<'a> {
    let mut families = Families::new();
    for side in cases.iter_mut().flat_map(|case| &mut case.sides) {
        if sides[side.side as usize].control {
            continue;
        }
        for change in side.changes.iter_mut().filter(|change| change.p.is_some()) {
            families.entry(family(change)).or_default().push(change);
        }
    }
    families
}

fn demote(change: &mut Change, q: f64, alpha: f64, family: u32) {
    if q <= alpha {
        return;
    }
    match change.verdict {
        Verdict::Better | Verdict::Worse => {
            change.verdict = Verdict::Unclear;
            change.reason = Some(Reason::MultipleComparisons);
            change.because = format!(
                "its interval leaves out no change, but of {family} comparisons some do by chance (q = {q:.2})"
            );
        }
        Verdict::BetterWithinMargin | Verdict::WorseWithinMargin => change.verdict = Verdict::Same,
        Verdict::Same | Verdict::Unclear => {}
    }
}
