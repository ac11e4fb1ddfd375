//! The subject and the terms of a comparison, and its result before adjustment.

use crate::level::Levels;
use derny_model::{Change, Direction, Observed, Quantity, Reason, Settings, Verdict, Word};
use std::sync::Arc;

/// The quantity to judge, with the two values to display.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The quantity to judge.
    pub quantity: Quantity,
    /// Unit of the two values.
    pub unit: Word,
    /// True if the two values are per operation.
    pub per_operation: bool,
    /// The direction that is an improvement.
    pub direction: Direction,
    /// Value of the base.
    pub base: f64,
    /// Value of the other variant.
    pub new: f64,
}

/// The result of one comparison, before adjustment for the number of comparisons.
#[derive(Debug, Clone)]
pub struct Single {
    /// The change with its verdict, but without values that depend on other comparisons.
    pub change: Change,
    /// Repeated p-value of the hypothesis that the change is no worse than the margin. `None` if `change` has
    /// no p-value.
    pub p_at_margin: Option<f64>,
    /// True if the verdict is unclear and more pairs would not change that.
    pub is_final: bool,
    /// True if there are so few pairs that only typical time may have a verdict.
    pub is_few: bool,
    /// Lowest repeated p-value that is possible with this many pairs. 0 if the number of pairs sets no limit.
    pub least_p: f64,
    /// True if a collection was counted.
    pub is_collecting: bool,
    /// Components of mean time, for both variants.
    pub observed: Option<[Observed; 2]>,
    /// True for each of the base and the other variant that is indistinguishable from an empty body.
    pub at_floor: [bool; 2],
}

impl From<Change> for Single {
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

/// The terms on which changes are judged.
pub struct Terms {
    /// Significance levels of the looks.
    pub levels: Levels,
    /// Largest change that does not matter, as a share.
    pub margin: f64,
    /// Largest change of mean time that does not matter, as a share.
    pub mean_margin: f64,
    /// True to decide mean time in every case. Otherwise, only cases with a suspicious [`crate::indicator`]
    /// need it.
    pub mean: bool,
    /// True if the run is quick, and has too few pairs to call anything `same`.
    pub quick: bool,
    /// Total number of comparisons: timed cases multiplied by the variants, without the base and controls.
    pub comparisons: usize,
    /// True if measuring stops once a gate is decided.
    pub gate: bool,
    /// Clock cycle of the machine in ns, if known.
    pub cycle_ns: Option<f64>,
    /// True if several machines measured. The machines are then the replicates.
    pub machines: bool,
}

impl Terms {
    /// Returns the terms for a run with these settings and number of comparisons. The clock cycle of the
    /// machine is unknown.
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
    /// Returns a subject without displayed values.
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
