//! Metrics: named quantities with a unit, a kind, a direction and exactness.

use serde::{Deserialize, Serialize};

/// How the values of a metric combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A sum over all operations of a turn. It is divided by their number.
    Total,
    /// A state at the end of a turn, such as a size. It is compared unchanged; the value of a process is the
    /// median of its turns.
    Level,
    /// A maximum. The value of a process is that of its largest turn.
    Peak,
    /// A quotient. It is compared unchanged; the value of a process is the median of its turns.
    Rate,
    /// A value from before metrics had kinds. It is compared unchanged; the value of a process is the
    /// Hodges–Lehmann estimate of its turns.
    #[default]
    Reported,
}

/// Which direction of a metric is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Less is better (time, memory).
    Less,
    /// More is better (rates).
    More,
    /// Neither, such as counts that only explain.
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
    /// Name: `cpu`, `allocated`, or one that the author chose.
    pub name: String,
    /// Unit, such as `ns`, `bytes`, `count` or `requests/s`.
    pub unit: String,
    /// How its values combine. Records of earlier versions lack it; the store decides it when it reads them.
    #[serde(default)]
    pub kind: Kind,
    /// Which direction is an improvement.
    pub direction: Direction,
    /// True if the metric is declared to be the same on every turn of equal work.
    pub exact: bool,
}
