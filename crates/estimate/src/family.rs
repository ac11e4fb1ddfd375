//! Families of comparisons: what may be called different by chance when many are looked at.

use crate::change::Single;
use derny_model::{Change, Direction, Quantity, Reason, Verdict};
use derny_stats::{benjamini_hochberg, holm};
use std::collections::HashMap;

/// Comparisons after adjusting for their number.
pub struct Adjusted {
    /// The changes, in the order of the comparisons.
    pub changes: Vec<Change>,
    /// The size of the family of typical time, or of the largest.
    pub family: u32,
}

/// Adjusts for the number of comparisons: `q` by Benjamini and Hochberg (1995) for listings, Holm's (1979) values of
/// a change no worse than the margin for gates. A listing has a family per quantity: typical time is not asked twice
/// because mean time is told beside it. A gate takes the worse of the two, so that they are one family there. A
/// control, for which `is_control` is set, is in none. A verdict whose `q` is not below the level is taken back.
pub fn families(singles: Vec<Single>, is_control: &[bool], alpha: f64) -> Adjusted {
    let gated = |change: &Change| match change.quantity {
        Quantity::Mean => (Quantity::Typical, false),
        _ => family(change),
    };
    let mut at_margin: Vec<Option<f64>> = vec![None; singles.len()];
    for members in by(&singles, is_control, gated).into_values() {
        let members = members.into_iter().filter_map(|index| Some((index, singles[index].p_at_margin?)));
        let (places, values): (Vec<usize>, Vec<f64>) = members.unzip();
        places.into_iter().zip(holm(&values)).for_each(|(index, holm)| at_margin[index] = Some(holm));
    }
    let mut listed: Vec<Option<(f64, u32)>> = vec![None; singles.len()];
    let (mut times, mut most) = (None, 0);
    for ((quantity, _), members) in by(&singles, is_control, family) {
        let p: Vec<f64> = members.iter().filter_map(|index| singles[*index].change.p).collect();
        let size = members.len() as u32;
        members
            .into_iter()
            .zip(benjamini_hochberg(&p))
            .for_each(|(index, q)| listed[index] = Some((q, size)));
        most = most.max(size);
        if quantity == Quantity::Typical {
            times = Some(size);
        }
    }
    let adjusted = singles.into_iter().zip(listed.into_iter().zip(at_margin));
    let changes = adjusted.map(|(single, (listed, holm))| {
        let change = Change { q: listed.map(|(q, _)| q), holm, ..single.change };
        match listed {
            Some((q, size)) if q > alpha => demoted(change, q, size),
            _ => change,
        }
    });
    Adjusted { changes: changes.collect(), family: times.unwrap_or(most) }
}

/// What a change is listed among: its quantity, and whether either way is better.
fn family(change: &Change) -> (Quantity, bool) {
    (change.quantity.clone(), change.direction == Direction::None)
}

/// The places of the changes with a p-value, by family.
fn by(
    singles: &[Single],
    is_control: &[bool],
    family: impl Fn(&Change) -> (Quantity, bool),
) -> HashMap<(Quantity, bool), Vec<usize>> {
    let mut families: HashMap<(Quantity, bool), Vec<usize>> = HashMap::new();
    for (index, (single, control)) in singles.iter().zip(is_control).enumerate() {
        if !control && single.change.p.is_some() {
            families.entry(family(&single.change)).or_default().push(index);
        }
    }
    families
}

/// The change without the claim that chance alone may have brought among `family` comparisons.
fn demoted(change: Change, q: f64, family: u32) -> Change {
    match change.verdict {
        Verdict::Better | Verdict::Worse => Change {
            verdict: Verdict::Unclear,
            reason: Some(Reason::MultipleComparisons),
            because: format!(
                "its interval leaves out no change, but of {family} comparisons some do by chance (q = {q:.2})"
            ),
            ..change
        },
        Verdict::BetterWithinMargin | Verdict::WorseWithinMargin => {
            Change { verdict: Verdict::Same, ..change }
        }
        Verdict::Same | Verdict::Unclear => change,
    }
}
