//! The one decision: what would be reported of a run now, and which of its comparisons more pairs could still change. The engine asks
//! to stop, analysis asks to report.

use crate::change::{Single, Terms};
use crate::family::{self, Adjusted};
use crate::gate::{self, Decision, Limits};
use crate::verdict;
use derny_model::{ComparedSide, Quantity, Reason, StopReason, Verdict};

/// A side of a case by itself.
#[derive(Debug, Clone)]
pub struct Side {
    /// Which side of the comparison; never 0.
    pub side: u32,
    /// The base measured against itself.
    pub control: bool,
    /// Typical time, mean time, then metrics.
    pub singles: Vec<Single>,
    /// Why measuring of the case ended; none while it goes on.
    pub ended: Option<StopReason>,
}

/// A side of a case among all others.
#[derive(Debug, Clone)]
pub struct Judged {
    /// What is reported of it.
    pub side: ComparedSide,
    /// More pairs may decide what is not decided yet.
    pub is_open: bool,
}

/// What is reported of the sides of every case, and the size of the family of time.
pub fn judge(cases: &[Vec<Side>], terms: &Terms) -> (Vec<Vec<Judged>>, u32) {
    let alpha = terms.levels.error();
    let sides = || cases.iter().flatten();
    let singles: Vec<Single> = sides().flat_map(|side| side.singles.iter().cloned()).collect();
    let is_control: Vec<bool> = sides().flat_map(|side| side.singles.iter().map(|_| side.control)).collect();
    let times = times(cases, terms);
    let Adjusted { changes, family } = family::families(&singles, &is_control, times, alpha);
    let mut changes = changes.into_iter();
    let mut one = |side: &Side| {
        let own = changes.by_ref().take(side.singles.len()).collect();
        let compared = verdict::side(side.side, own, &side.singles, terms.mean_margin);
        of_side(compared, side, terms, alpha)
    };
    let judged = cases.iter().map(|sides| sides.iter().map(&mut one).collect()).collect();
    (judged, family)
}

/// Comparisons of time in all. Where one case is compared with one side by few pairs, typical time alone is asked.
fn times(cases: &[Vec<Side>], terms: &Terms) -> usize {
    let mut all = cases.iter().flatten().filter(|side| !side.control);
    let few = |side: &Side| {
        let speaks = |single: &&Single| single.change.quantity == Quantity::Typical;
        let typical = side.singles.iter().find(speaks);
        typical.is_some_and(|single| single.is_few)
    };
    if terms.comparisons == 1 && all.any(few) { 1 } else { 2 * terms.comparisons }
}

fn of_side(compared: ComparedSide, side: &Side, terms: &Terms, alpha: f64) -> Judged {
    let final_of = |quantity: &Quantity| {
        side.singles.iter().any(|single| single.change.quantity == *quantity && single.is_final)
    };
    let waits =
        |change: &derny_model::Change| change.verdict == Verdict::Unclear && !final_of(&change.quantity);
    let is_time = |quantity: &Quantity| matches!(quantity, Quantity::Typical | Quantity::Mean);
    let timed = compared.changes.iter().any(|change| is_time(&change.quantity));
    let mut asked = compared.changes.iter().enumerate().filter(|(at, change)| match timed {
        true => is_time(&change.quantity),
        // What has no times is known by its first metric.
        false => *at == 0,
    });
    let is_listed = !asked.any(|(_, change)| waits(change)) && !compared.changes.is_empty();
    if !terms.gate {
        return Judged { side: cut_short(compared, side, false), is_open: !is_listed };
    }
    let limits = Limits { margin: terms.margin, mean_margin: terms.mean_margin, alpha, metrics: &[] };
    let decision = gate::decide(&compared, &limits);
    let is_decided = match decision {
        Decision::Undecided(which) => !waits(&compared.changes[which]),
        Decision::Worse(_) => true,
        Decision::Passes => timed,
    };
    let by_gate = is_decided && side.ended == Some(StopReason::Verdict);
    Judged { side: cut_short(compared, side, by_gate), is_open: !(is_decided || (!timed && is_listed)) }
}

/// The side with the reasons that noise alone does not account for: measuring ended before it was decided.
fn cut_short(mut compared: ComparedSide, side: &Side, by_gate: bool) -> ComparedSide {
    let final_of = |quantity: &Quantity| {
        side.singles.iter().any(|single| single.change.quantity == *quantity && single.is_final)
    };
    let reason_of = |quantity: &Quantity, reason: Option<Reason>| match (reason, side.ended) {
        (Some(Reason::Noise), _) if final_of(quantity) => reason,
        (Some(Reason::Noise | Reason::MultipleComparisons), _) if by_gate => Some(Reason::GateDecided),
        (Some(Reason::Noise), Some(StopReason::Budget)) => Some(Reason::Budget),
        (Some(Reason::Noise), Some(StopReason::Interrupted)) => Some(Reason::Interrupted),
        _ => reason,
    };
    let before = compared.reason;
    for change in &mut compared.changes {
        let reason = reason_of(&change.quantity, change.reason);
        if compared.verdict == Verdict::Unclear && change.reason == before && reason != before {
            compared.reason = reason;
        }
        change.reason = reason;
    }
    compared
}
