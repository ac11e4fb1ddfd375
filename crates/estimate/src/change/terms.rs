//! The subject and the terms of a comparison, and its separate result.

use crate::level::Levels;
use derny_model::{Change, Direction, Observed, Quantity, Reason, Settings, Verdict, Word};
use std::sync::Arc;

/// The quantity to judge, and the two values to display.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The quantity.
    pub quantity: Quantity,
    /// Unit of the two values.
    pub unit: Word,
    /// The two values are per operation.
    pub per_operation: bool,
    /// The direction of improvement.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The other variant's value.
    pub new: f64,
}

/// A separate comparison, before adjustment for the number of comparisons.
#[derive(Debug, Clone)]
pub struct Single {
    /// The change with its own verdict, without values over a family.
    pub change: Change,
    /// Repeated p-value of a change no worse than the margin; `None` if `change` has no p-value.
    pub p_at_margin: Option<f64>,
    /// It is unclear, and more pairs would not change that.
    pub is_final: bool,
    /// So few pairs that only typical time may have a verdict.
    pub is_few: bool,
    /// The lowest repeated p-value possible with this many pairs; 0 if their number sets no limit.
    pub least_p: f64,
    /// A collection was counted.
    pub is_collecting: bool,
    /// The composition of mean time, for both variants.
    pub observed: Option<[Observed; 2]>,
    /// Whether the base and the other variant are indistinguishable from an empty body.
    pub at_floor: [bool; 2],
}

impl From<Change> for Single {
    /// Returns a comparison without p-values.
    fn from(change: Change) -> Single {
        Single {
            change,
            p_at_margin: None,
            is_final: false,
            is_few: false,
            least_p: 0.0,
            is_collecting: false,
            observed: None,
            at_floor: [false; 2],
        }
    }
}

/// The terms of judging changes.
pub struct Terms {
    /// The levels of looks.
    pub levels: Levels,
    /// The share below which changes do not matter.
    pub margin: f64,
    /// The share below which changes of mean time do not matter.
    pub mean_margin: f64,
    /// Mean time is decided in every case, not only if a witness requires it ([`crate::witness`]).
    pub mean: bool,
    /// Too few pairs to call anything `same`.
    pub quick: bool,
    /// Total number of comparisons: cases with times × variants besides the base, without controls.
    pub comparisons: usize,
    /// Measuring stops when a gate has decided.
    pub gate: bool,
    /// One clock cycle of the machine in ns, if known.
    pub cycle_ns: Option<f64>,
    /// Several machines measured, so they are the units of replication.
    pub machines: bool,
}

impl Terms {
    /// Returns the terms of a run with these settings and number of comparisons, on a machine with unknown
    /// clock cycle.
    pub fn new(settings: &Settings, comparisons: usize) -> Terms {
        Terms {
            levels: Levels::new(settings),
            margin: settings.margin,
            mean_margin: settings.mean_margin(),
            mean: settings.mean,
            quick: settings.quick,
            comparisons,
            gate: settings.gate.as_ref().is_some_and(|gate| !gate.fail_on.is_empty()),
            cycle_ns: None,
            machines: false,
        }
    }
}

impl Subject {
    /// Returns a subject whose two values do not matter.
    pub fn unknown(quantity: Quantity) -> Subject {
        let (unit, direction) = (Word::default(), Direction::Less);
        Subject { quantity, unit, per_operation: true, direction, base: 1.0, new: 1.0 }
    }

    pub(crate) fn change(self) -> Change {
        Change {
            quantity: self.quantity,
            unit: self.unit,
            per_operation: self.per_operation,
            direction: self.direction,
            base: self.base,
            new: self.new,
            new_alone: None,
            change: None,
            difference: None,
            exact: false,
            replicates: 0,
            level: 0.0,
            p: None,
            q: None,
            holm: None,
            verdict: Verdict::Unclear,
            reason: Some(Reason::Noise),
            because: String::new(),
            needed: None,
            machine: None,
            machines: 0,
            unjudged: false,
            only_shown: false,
            pairs: Arc::default(),
        }
    }
}
