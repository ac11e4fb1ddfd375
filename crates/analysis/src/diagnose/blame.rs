//! What a warning blames: that says where it shows. One that blames turns says which, so that the estimate can be computed again
//! without them.

use super::{CaseView, contention, memory};
use derny_estimate::{reject, turn};
use derny_model::{Case, Phase, Turn, VisitRecord, WarningClass};
use derny_stats::median;
use derny_stats::quantile::{quantile, sorted};

const THESE: &str = "these turns";
/// Share of a turn's wall time that waiting for a processor may take.
const WAITING: f64 = 0.05;
/// A turn that is far out lies by this share from the median of its visit, at least.
const FAR: f64 = 0.05;

/// What a warning blames.
pub enum Blamed {
    /// The meaning of the figure: it marks every row that it holds for.
    Meaning,
    /// These turns: it marks a row where the estimate without them is another.
    Turns(&'static Blame),
    /// The speed of the whole run: it can change a decision where that moved by more than half of the interval of most rows. Pairs share
    /// it.
    Speed,
    /// The design of the run: it marks the rows that it holds for where those are the fewer.
    Design,
}

/// Turns that are blamed.
pub struct Blame {
    /// What they are called after `without`.
    pub(crate) name: &'static str,
    /// Whether each turn of a visit is blamed, in their order.
    pub(crate) turns: fn(&VisitRecord, &Case) -> Vec<bool>,
    /// Mean time is computed again too. Collections belong to it.
    pub(crate) mean: bool,
    /// They are slow: a time that is more without them is not of their making.
    pub(crate) slow: bool,
    /// What is known where hardly any turn is without.
    pub(crate) rest: Rest,
}

/// What can be said of an estimate all of whose turns are blamed.
#[derive(Clone, Copy)]
pub(crate) enum Rest {
    /// It is as it has to be: they are a part of the body's cost.
    Nothing,
    /// It rests on what is blamed.
    Decides,
    /// Which share of the time was counted as theirs; none where nobody counted.
    Share(fn(&CaseView) -> Option<f64>),
    /// The same, and it is known of turns with others beside them too: what else happened in such turns is not its doing.
    Counted(fn(&CaseView) -> Option<f64>),
}

/// The thread was preempted, or waited for a processor.
pub(super) const PREEMPTED: Blame =
    Blame { name: THESE, turns: preempted, mean: true, slow: true, rest: Rest::Share(contention::off) };
/// Garbage was collected. Where it is in every turn, it is a part of the body's cost.
pub(super) const COLLECTED: Blame =
    Blame { name: THESE, turns: collected, mean: false, slow: true, rest: Rest::Nothing };
/// Code was compiled or loaded.
pub(super) const COMPILED: Blame =
    Blame { name: THESE, turns: compiled, mean: true, slow: true, rest: Rest::Decides };
/// Memory was touched for the first time.
pub(super) const TOUCHED: Blame =
    Blame { name: THESE, turns: touched, mean: true, slow: true, rest: Rest::Counted(memory::share) };
/// The first half of the turns, where later ones are slower or faster.
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
/// Those of them of which no counter says why.
pub(super) const UNEXPLAINED: Blame =
    Blame { name: "turns that are far out", turns: unexplained, mean: true, slow: true, rest: Rest::Nothing };
/// Every second turn, where turns say what their neighbours say.
pub(super) const NEIGHBOURS: Blame =
    Blame { name: "every second turn", turns: neighbours, mean: true, slow: false, rest: Rest::Nothing };

impl Blamed {
    /// The class as results have it.
    pub fn class(&self) -> WarningClass {
        match self {
            Blamed::Meaning => WarningClass::Meaning,
            Blamed::Turns(_) => WarningClass::Turns,
            Blamed::Design | Blamed::Speed => WarningClass::Design,
        }
    }
}

impl Blame {
    /// The visit without the blamed ones of the turns that estimates are made of.
    pub(crate) fn without(&self, record: &VisitRecord, case: &Case) -> VisitRecord {
        let blamed = (self.turns)(record, case);
        let kept = record.turns.iter().zip(blamed).filter(|(turn, blamed)| !(*blamed && is_timed(turn)));
        let turns = kept.map(|(turn, _)| turn.clone()).collect();
        VisitRecord { turns, visit: record.visit.clone(), report: None, ..*record }
    }
}

/// Turns that typical or mean time is made of.
fn is_timed(turn: &Turn) -> bool {
    matches!(turn.phase, Phase::Measured | Phase::Rejected | Phase::Window)
}

/// Whether a counter that `wanted` names rose, in each turn.
fn rose(record: &VisitRecord, wanted: impl Fn(&str) -> bool) -> Vec<bool> {
    let metrics = record.visit.metrics.iter().enumerate();
    let places: Vec<usize> = metrics.filter(|(_, metric)| wanted(&metric.name)).map(|(at, _)| at).collect();
    let value = |turn: &Turn, at: usize| turn.counters.get(at).copied().flatten().unwrap_or(0.0);
    let hit = |turn: &Turn| places.iter().any(|at| value(turn, *at) > 0.0);
    record.turns.iter().map(hit).collect()
}

/// Turns in which the thread was preempted or waited.
pub(super) fn preempted(record: &VisitRecord, _: &Case) -> Vec<bool> {
    let wait = record.visit.metrics.iter().position(|metric| metric.name == "wait");
    let waited = |turn: &Turn| {
        let wait = wait.and_then(|at| turn.counters.get(at).copied().flatten()).unwrap_or(0.0);
        wait > WAITING * turn.wall_ns as f64
    };
    let preempted = rose(record, |name| name == "preempted");
    record.turns.iter().zip(preempted).map(|(turn, hit)| hit || waited(turn)).collect()
}

/// Turns in which garbage was collected.
pub(super) fn collected(record: &VisitRecord, _: &Case) -> Vec<bool> {
    rose(record, |name| name == "gc" || name.starts_with("gc_"))
}

/// Turns in which code was compiled or loaded.
pub(super) fn compiled(record: &VisitRecord, _: &Case) -> Vec<bool> {
    let hit = |turn: &Turn| reject::hit(&["compile", "classload"], &record.visit.metrics, &turn.counters);
    record.turns.iter().map(hit).collect()
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

/// Turns beyond Tukey's fences of their visit that lie far from its median, by all of their time.
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

/// The same without those in which a collection, a compilation or a preemption was counted.
fn unexplained(record: &VisitRecord, case: &Case) -> Vec<bool> {
    far_out(record, case).into_iter().zip(counted(record, case)).map(|(far, hit)| far && !hit).collect()
}

/// Turns in which something was counted that costs time: a collection, a compilation, a preemption.
pub(super) fn counted(record: &VisitRecord, case: &Case) -> Vec<bool> {
    let [a, b, c] = [collected, compiled, preempted].map(|of| of(record, case));
    (0..a.len()).map(|at| a[at] || b[at] || c[at]).collect()
}
