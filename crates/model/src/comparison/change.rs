//! The change of one quantity between two sides.

use crate::comparison::quantity::Quantity;
use crate::comparison::verdict::{Reason, Verdict};
use crate::{Direction, Estimate, Interval, Word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The change of one quantity of one side against the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The quantity.
    #[serde(flatten)]
    pub quantity: Quantity,
    /// Unit of the two values: `ns`, `bytes`, …
    pub unit: Word,
    /// The two values are per operation.
    #[serde(default)]
    pub per_operation: bool,
    /// The direction of improvement.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The side's value. In paired measurements it is the base's value changed by `change`, so that the three
    /// agree.
    pub new: f64,
    /// The side's value from its own processes only, where `new` differs in kind. It may differ from `new`,
    /// because it includes disturbances of these processes that did not affect the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_alone: Option<f64>,
    /// `new / base - 1` with the repeated interval; absent if one side is 0 or nothing can be estimated. In
    /// paired measurements the point is the Hodges–Lehmann estimate of the pairs.
    pub change: Option<Estimate>,
    /// `new - base` with its interval, in the unit of the two values, if one of them is 0 and there is no
    /// ratio.
    #[serde(default)]
    pub difference: Option<Estimate>,
    /// Declared exact and the same on every turn of both sides: compared exactly, without an interval.
    pub exact: bool,
    /// Pairs (paired) or processes of the side with fewer (unpaired).
    pub replicates: u32,
    /// Two-sided nominal level of the interval.
    pub level: f64,
    /// Repeated p-value of no change, valid under the stopping rule; absent for exact quantities.
    pub p: Option<f64>,
    /// The p-value adjusted after Benjamini and Hochberg over the family.
    pub q: Option<f64>,
    /// The p-value adjusted after Holm over the family.
    pub holm: Option<f64>,
    /// The verdict from the interval and the margin; `better` and `worse` also need `q` below the
    /// comparison's level.
    pub verdict: Verdict,
    /// Why the verdict is unclear; absent for another verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Why a verdict is weaker than the interval alone suggests or impossible, or what it cannot exclude: a
    /// sentence, or empty.
    pub because: String,
    /// Total number of pairs (or processes) that would probably decide an unclear verdict.
    pub needed: Option<u32>,
    /// The change that the machine may account for, as shares, if the sides were measured at different times.
    /// The interval of `change` is what remains for the program, so it need not contain the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Interval>,
    /// Number of machines that measured it, if several: the interval is over them, not over their pairs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub machines: u32,
    /// Too little was measured to call it worse, whatever its value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
    /// Shown without a verdict: mean time that nothing required.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_shown: bool,
    /// The change of every pair, in the order of blocks; empty if unpaired, exact, or judged by the
    /// difference.
    #[serde(default)]
    pub pairs: Arc<[f64]>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The composition of a side's mean time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observed {
    /// Wall time of the turns included, in ns.
    pub wall_ns: f64,
    /// Collections during them.
    pub collections: f64,
    /// Pauses: turns that took more than twice as long per operation as similar ones.
    pub pauses: u32,
    /// Excess time of the pauses, in ns.
    pub paused_ns: f64,
    /// Turns excluded because the thread was preempted or code was compiled.
    pub left_out: u32,
    /// Greatest age of its processes, in ns: later parts of a program's life were not measured.
    pub age_ns: u64,
}

impl Change {
    /// Sets the verdict to unclear, for this reason.
    pub fn unclear(&mut self, reason: Reason) {
        (self.verdict, self.reason) = (Verdict::Unclear, Some(reason));
    }

    /// Returns true if the change is certainly worse by more than `margin`: the whole interval, or the exact
    /// value, lies beyond it, and the error over the family is at most `alpha`. A gate fails on this.
    pub fn worse_beyond(&self, margin: f64, alpha: f64) -> bool {
        let (change, margin) = match (self.change, self.difference) {
            (Some(share), _) => (share, margin),
            (None, Some(difference)) => (difference, margin * self.base.abs()),
            (None, None) => return false,
        };
        let ends = change.interval.unwrap_or(Interval { lo: change.value, hi: change.value });
        let known = self.exact || change.interval.is_some();
        known
            && self.verdict == Verdict::Worse
            && self.holm.is_none_or(|holm| holm <= alpha)
            && match self.direction {
                Direction::More => ends.hi < -margin,
                _ => ends.lo > margin,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Estimate;

    #[test]
    fn beyond_the_margin_is_the_whole_interval() {
        let worse = |direction, lo: f64, hi: f64| {
            let estimate = Estimate { value: (lo + hi) / 2.0, interval: Some(Interval { lo, hi }) };
            let change = Change {
                quantity: Quantity::Typical,
                unit: "ns".into(),
                per_operation: true,
                direction,
                base: 1.0,
                new: 1.0 + estimate.value,
                new_alone: None,
                change: Some(estimate),
                difference: None,
                exact: false,
                replicates: 8,
                level: 0.95,
                p: None,
                q: None,
                holm: None,
                verdict: Verdict::Worse,
                reason: None,
                because: String::new(),
                needed: None,
                only_shown: false,
                machine: None,
                machines: 0,
                unjudged: false,
                pairs: Arc::default(),
            };
            change.worse_beyond(0.01, 0.05)
        };
        assert!(worse(Direction::Less, 0.011, 0.05));
        assert!(!worse(Direction::Less, 0.005, 0.05));
        assert!(worse(Direction::More, -0.05, -0.011));
        assert!(!worse(Direction::More, 0.011, 0.05));
    }
}
