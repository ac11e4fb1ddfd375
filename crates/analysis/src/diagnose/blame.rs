//! Blame of a warning, which decides where it is shown. A warning that blames turns names them, so that
//! the estimate can be computed again without them.

use super::counted::{collected, compiled, counted, is_timed, preempted, rose};
use super::view::CaseView;
use super::{contention, memory};
use derny_estimate::turn;
use derny_model::{Case, Turn, VisitRecord, WarningClass};
use derny_stats::median;
use derny_stats::quantile::{quantile, sorted};

const THESE: &str = "these turns";
/// Minimum relative distance of an outlier turn from the median of its visit.
const FAR: f64 = 0.05;

/// Blamed part of the measurement.
pub enum Blamed {
    /// Meaning of the figure: marks every row that has the warning.
    Meaning,
    /// Certain turns: marks a row if its estimate differs without them.
    Turns(&'static Blame),
    /// Speed of the whole run: can change a decision if it moved by more than the half-width of most rows'
    /// intervals. Pairs share it.
    Speed,
    /// Design of the run: marks the rows that have the warning if they are the minority.
    Design,
}

/// Turns that a warning blames.
pub struct Blame {
    /// Name after `without`.
    pub(crate) name: &'static str,
    /// Returns whether each turn of a visit is blamed, in order.
    pub(crate) turns: fn(&VisitRecord, &Case) -> Vec<bool>,
    /// True if mean time is computed again too. Collections belong to it.
    pub(crate) mean: bool,
    /// True if the turns are slow: an increase without them has another cause.
    pub(crate) slow: bool,
    /// Conclusion if almost every turn is blamed.
    pub(crate) rest: Rest,
}

/// Conclusion about an estimate if all of its turns are blamed.
#[derive(Clone, Copy)]
pub(crate) enum Rest {
    /// No effect: the turns belong to the cost of the body.
    Nothing,
    /// The estimate depends on the blamed turns.
    Decides,
    /// Share of the time attributed to the cause; `None` if not counted.
    Share(fn(&CaseView) -> Option<f64>),
    /// As [`Rest::Share`], and the cause is counted separately: other events in these turns are not
    /// attributed to it.
    Counted(fn(&CaseView) -> Option<f64>),
}

/// Turns in which the thread was preempted or waited for a processor.
pub(super) const PREEMPTED: Blame =
    Blame { name: THESE, turns: preempted, mean: true, slow: true, rest: Rest::Share(contention::off) };
/// Turns with a garbage collection. If every turn has one, it is part of the body's cost.
pub(super) const COLLECTED: Blame =
    Blame { name: THESE, turns: collected, mean: false, slow: true, rest: Rest::Nothing };
/// Turns in which code was compiled or loaded.
pub(super) const COMPILED: Blame =
    Blame { name: THESE, turns: compiled, mean: true, slow: true, rest: Rest::Decides };
/// Turns in which memory was touched for the first time.
pub(super) const TOUCHED: Blame =
    Blame { name: THESE, turns: touched, mean: true, slow: true, rest: Rest::Counted(memory::share) };
/// First half of the turns, for drift within processes.
pub(super) const EARLY: Blame = Blame {
    name: "the first half of its turns",
    turns: early,
    mean: false,
    slow: false,
    rest: Rest::Nothing,
};
/// Turns far from the others of their visit.
pub(super) const FAR_OUT: Blame =
    Blame { name: "them", turns: far_out, mean: true, slow: false, rest: Rest::Nothing };
/// Turns far out that no counter explains.
pub(super) const UNEXPLAINED: Blame =
    Blame { name: "turns that are far out", turns: unexplained, mean: true, slow: true, rest: Rest::Nothing };
/// Every second turn, for correlated turns.
pub(super) const NEIGHBOURS: Blame =
    Blame { name: "every second turn", turns: neighbours, mean: true, slow: false, rest: Rest::Nothing };

impl Blamed {
    /// Returns the class as shown in results.
    pub fn class(&self) -> WarningClass {
        match self {
            Blamed::Meaning => WarningClass::Meaning,
            Blamed::Turns(_) => WarningClass::Turns,
            Blamed::Design | Blamed::Speed => WarningClass::Design,
        }
    }
}

impl Blame {
    /// Returns the visit without those blamed turns that estimates are made of.
    pub(crate) fn without(&self, record: &VisitRecord, case: &Case) -> VisitRecord {
        let blamed = (self.turns)(record, case);
        let kept = record.turns.iter().zip(blamed).filter(|(turn, blamed)| !(*blamed && is_timed(turn)));
        let turns = kept.map(|(turn, _)| turn.clone()).collect();
        VisitRecord { turns, visit: record.visit.clone(), report: None, ..*record }
    }
}

fn touched(record: &VisitRecord, _: &Case) -> Vec<bool> {
    rose(record, |name| name == "touched")
}

fn early(record: &VisitRecord, _: &Case) -> Vec<bool> {
    let timed = record.turns.iter().filter(|turn| is_timed(turn)).count();
    let mut seen = 0;
    let in_first_half = |turn: &Turn| {
        seen += usize::from(is_timed(turn));
        seen <= timed / 2
    };
    record.turns.iter().map(in_first_half).collect()
}

fn neighbours(record: &VisitRecord, _: &Case) -> Vec<bool> {
    (0..record.turns.len()).map(|at| at % 2 == 1).collect()
}

/// Returns which turns lie beyond Tukey's fences of their visit and far from its median, by total time.
fn far_out(record: &VisitRecord, case: &Case) -> Vec<bool> {
    let each = |turn: &Turn| {
        let (time, operations) = turn::totals(turn, case.ops);
        time / operations
    };
    let timed = record.turns.iter().filter(|turn| is_timed(turn)).map(each);
    let values = sorted(&timed.filter(|value| value.is_finite()).collect::<Vec<f64>>());
    if values.is_empty() {
        return vec![false; record.turns.len()];
    }
    let (q1, q3) = (quantile(&values, 0.25), quantile(&values, 0.75));
    let (middle, reach) = (median(&values), 1.5 * (q3 - q1));
    let is_far = |value: f64| {
        let inside = (q1 - reach..=q3 + reach).contains(&value);
        !inside && (value / middle - 1.0).abs() > FAR
    };
    record.turns.iter().map(|turn| is_far(each(turn))).collect()
}

/// Returns the outlier turns without a counted collection, compilation or preemption.
fn unexplained(record: &VisitRecord, case: &Case) -> Vec<bool> {
    far_out(record, case).into_iter().zip(counted(record, case)).map(|(far, hit)| far && !hit).collect()
}
