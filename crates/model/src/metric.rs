//! Metrics: named quantities with a unit, a kind, a direction and exactness.

use serde::{Deserialize, Serialize};

/// The rule by which the values of a metric combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A sum over all operations of a turn, which is divided by their number.
    Total,
    /// A state at the end of a turn, such as a size. It is compared unchanged. The value of a process is
    /// the median of its turns.
    Level,
    /// A maximum. The value of a process is the largest value of its turns.
    Peak,
    /// A quotient, which is compared unchanged. The value of a process is the median of its turns.
    Rate,
    /// A value that earlier versions recorded without a kind, which is compared unchanged. The value of
    /// a process is the Hodges–Lehmann estimate of its turns.
    #[default]
    Reported,
}

/// The direction in which a metric improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Less is better (time, memory).
    Less,
    /// More is better (rates).
    More,
    /// Neither is better, as for counts that only explain other metrics.
    None,
}

impl Metric {
    /// Returns true for a metric of a garbage collector, such as `gc` or `gc_time`.
    pub fn counts_collections(&self) -> bool {
        self.name == "gc" || self.name.starts_with("gc_")
    }
}

/// A quantity that harnesses report with every turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Name of the metric, such as `cpu` or `allocated`.
    pub name: String,
    /// Unit, such as `ns`, `bytes`, `count` or `requests/s`.
    pub unit: String,
    /// Rule by which its values combine. Records of earlier versions lack it, and the store infers it
    /// when it reads them.
    #[serde(default)]
    pub kind: Kind,
    /// Direction of improvement.
    pub direction: Direction,
    /// True if the metric is declared to be the same in every turn of equal work.
    pub exact: bool,
}
