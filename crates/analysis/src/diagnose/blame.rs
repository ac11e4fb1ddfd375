//! Defines what a warning blames, which determines where the warning is shown. Identifies blamed turns, so
//! that estimates can be recomputed without them.

use super::counted::{collected, compiled, counted, is_timed, preempted, rose};
use super::view::CaseView;
use super::{contention, memory};
use derny_estimate::turn;
use derny_model::{Case, Turn, VisitRecord, WarningClass};
use derny_stats::median;
use derny_stats::quantile::{quantile, sorted};

const THESE: &str = "these turns";
/// An outlier turn differs from the median of its visit by at least this share.
const FAR: f64 = 0.05;

/// The part of a run that a warning blames.
pub enum Blamed {
    /// The meaning of a figure. Marks every row that has the warning.
    Meaning,
    /// Some turns. Marks a row if its estimate differs without them.
    Turns(&'static Blame),
    /// The speed of the run, which both sides of a pair share. Can change a decision if it shifts by more
    /// than the half-width of the intervals in most rows.
    Speed,
    /// The design of the run. Marks the rows that have the warning if they are a minority.
    Design,
}

/// The turns that a warning blames.
pub struct Blame {
    /// Completes a sentence after the word `without`.
    pub(crate) name: &'static str,
    /// Returns a flag for each turn of a visit: true if the turn is blamed.
    pub(crate) turns: fn(&VisitRecord, &Case) -> Vec<bool>,
    /// True to also recompute mean time without the turns. False for collections, for example, because mean
    /// time includes them.
    pub(crate) mean: bool,
    /// True if the cause makes turns slow. If an estimate rises without the turns, its cause is a different
    /// one.
    pub(crate) slow: bool,
    /// The consequence if too few other turns remain.
    pub(crate) rest: Rest,
}

/// Effect of a warning on an estimate if too few turns remain. `Counted` always applies.
#[derive(Clone, Copy)]
pub(crate) enum Rest {
    /// The estimate is unaffected, because these turns are part of the body's cost.
    Nothing,
    /// The estimate depends on the blamed turns.
    Decides,
    /// The cause took this share of the time, and the estimate is too long by it. `None` if that time is not
    /// counted.
    Share(fn(&CaseView) -> Option<f64>),
    /// Like [`Rest::Share`], but the cause has its own counter. Other events in the same turns are not
    /// attributed to it.
    Counted(fn(&CaseView) -> Option<f64>),
}

pub(super) const PREEMPTED: Blame =
    Blame { name: THESE, turns: preempted, mean: true, slow: true, rest: Rest::Share(contention::off) };
/// Turns with a garbage collection. If every turn has one, collections are part of the body's cost.
pub(super) const COLLECTED: Blame =
    Blame { name: THESE, turns: collected, mean: false, slow: true, rest: Rest::Nothing };
pub(super) const COMPILED: Blame =
    Blame { name: THESE, turns: compiled, mean: true, slow: true, rest: Rest::Decides };
pub(super) const TOUCHED: Blame =
    Blame { name: THESE, turns: touched, mean: true, slow: true, rest: Rest::Counted(memory::share) };
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
/// Turns whose times are far from those of the other turns of the visit, without a counter that explains it.
pub(super) const UNEXPLAINED: Blame =
    Blame { name: "these outliers", turns: unexplained, mean: true, slow: true, rest: Rest::Nothing };
pub(super) const NEIGHBOURS: Blame =
    Blame { name: "every second turn", turns: neighbours, mean: true, slow: false, rest: Rest::Nothing };

impl Blamed {
    /// Returns the warning class that results show.
    pub fn class(&self) -> WarningClass {
        match self {
            Blamed::Meaning => WarningClass::Meaning,
            Blamed::Turns(_) => WarningClass::Turns,
            Blamed::Design | Blamed::Speed => WarningClass::Design,
        }
    }
}

impl Blame {
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

/// Flags turns that are beyond Tukey's fences of their visit and far from its median.
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

/// Flags outliers without a counted collection, compilation or preemption.
fn unexplained(record: &VisitRecord, case: &Case) -> Vec<bool> {
    far_out(record, case).into_iter().zip(counted(record, case)).map(|(far, hit)| far && !hit).collect()
}
