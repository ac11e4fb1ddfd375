//! Metrics: named quantities with unit, kind, direction and exactness.

use serde::{Deserialize, Serialize};

/// How the values of a metric combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The sum over all operations of a turn; divided by their number.
    Total,
    /// A state at the end of a turn, such as a size; compared unchanged. A process has the median of its
    /// turns.
    Level,
    /// A maximum. A process has that of its largest turn.
    Peak,
    /// A quotient already. A process has the median of its turns.
    Rate,
    /// A value reported unchanged, from before metrics had kinds. A process has the Hodges–Lehmann estimate
    /// of its turns.
    #[default]
    Reported,
}

/// The direction in which a metric improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Less is better (time, memory).
    Less,
    /// More is better (rates).
    More,
    /// Neither (counts that only explain).
    None,
}

impl Metric {
    /// Returns true for a metric of a collector: `gc`, `gc_time` and the like.
    pub fn counts_collections(&self) -> bool {
        self.name == "gc" || self.name.starts_with("gc_")
    }
}

/// A quantity that closes every turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name: `cpu`, `allocated`, or one that the author chose.
    pub name: String,
    /// Its unit: `ns`, `bytes`, `count`, `requests/s`.
    pub unit: String,
    /// How its values combine. Records of earlier versions lack it; the store decides it on reading.
    #[serde(default)]
    pub kind: Kind,
    /// The direction of improvement.
    pub direction: Direction,
    /// Declared to be the same on every turn of equal work.
    pub exact: bool,
}
