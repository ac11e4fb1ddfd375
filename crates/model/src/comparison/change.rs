//! The change of a quantity between two sides.

use crate::comparison::quantity::Quantity;
use crate::comparison::verdict::{Reason, Verdict};
use crate::{Direction, Estimate, Interval, Word};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The change of a quantity between the base and a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The quantity.
    #[serde(flatten)]
    pub quantity: Quantity,
    /// Unit of the two values, such as `ns` or `bytes`.
    pub unit: Word,
    /// True if the two values are per operation.
    #[serde(default)]
    pub per_operation: bool,
    /// Direction of improvement.
    pub direction: Direction,
    /// Value of the base.
    pub base: f64,
    /// Value of the side. In paired measurements it is the base's value changed by `change`, so that
    /// the three values agree.
    pub new: f64,
    /// Value of the side from its own processes only, if it is computed differently from `new`. It also
    /// contains disturbances of these processes that did not affect the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_alone: Option<f64>,
    /// `new / base - 1` with the repeated interval. Absent if one side is 0 or nothing can be
    /// estimated. In paired measurements the value is the Hodges–Lehmann estimate of the pairs.
    pub change: Option<Estimate>,
    /// `new - base` with its interval, in the unit of the two values. Present only if a value is 0, so
    /// that there is no ratio.
    #[serde(default)]
    pub difference: Option<Estimate>,
    /// True if the quantity was declared exact and is the same in every turn of both sides. It is then
    /// compared exactly, without an interval.
    pub exact: bool,
    /// Number of pairs. In unpaired measurements, number of processes of the side with fewer.
    pub replicates: u32,
    /// Nominal confidence level of the two-sided interval.
    pub level: f64,
    /// Repeated p-value for no change, which is valid under the stopping rule. Absent for exact
    /// quantities.
    pub p: Option<f64>,
    /// p-value adjusted over the family by the method of Benjamini and Hochberg.
    pub q: Option<f64>,
    /// p-value adjusted over the family by Holm's method.
    pub holm: Option<f64>,
    /// Verdict, which follows from the interval and the margin. `better` and `worse` also require that
    /// `q` is below the comparison's level.
    pub verdict: Verdict,
    /// Reason why the verdict is unclear. Absent for any other verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Limitation of the verdict, as a sentence: why it is missing, why it is weaker than the interval
    /// suggests, or what it cannot exclude. Empty if there is none.
    pub because: String,
    /// Total number of pairs (or processes) that would probably decide an unclear verdict.
    pub needed: Option<u32>,
    /// Part of the change that may be due to the machine, as a share, if the sides were measured at different
    /// times. The interval of `change` covers only the rest, which is due to the program. It may therefore
    /// not contain the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Interval>,
    /// Number of machines that measured the case, if there were several. The interval is then computed from
    /// the machines, not from their pairs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub machines: u32,
    /// True if too little was measured to call the side worse, whatever the value is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
    /// True if the change has no verdict, because nothing required mean time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_shown: bool,
    /// Change of every pair, in the order of the blocks. Empty if the change is unpaired, exact, or
    /// judged by `difference`.
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
    /// Number of collections during these turns.
    pub collections: f64,
    /// Number of pauses: turns that took more than twice as long per operation as similar ones.
    pub pauses: u32,
    /// Excess time of the pauses, in ns.
    pub paused_ns: f64,
    /// Number of turns that were excluded, because the thread was preempted or code was compiled.
    pub left_out: u32,
    /// Greatest age at which a process of the side was measured, in ns.
    pub age_ns: u64,
}

impl Change {
    /// Sets the verdict to unclear for this reason.
    pub fn unclear(&mut self, reason: Reason) {
        (self.verdict, self.reason) = (Verdict::Unclear, Some(reason));
    }

    /// Returns true if the change is certainly worse by more than `margin`. The interval, or the exact
    /// value, must be entirely beyond the margin, and the Holm-adjusted p-value must be at most `alpha`.
    /// A gate fails on such a change.
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
