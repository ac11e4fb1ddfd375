//! Metrics: named quantities with unit, kind, direction and assumption.

use serde::{Deserialize, Serialize};

/// What the values of a metric are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// What all operations of a turn came to: it is divided by them.
    Total,
    /// What there was at a turn's end, such as a size: it is compared as it is. That of a process is the median of its
    /// turns.
    Level,
    /// The most that there was: that of a process is its largest turn.
    Peak,
    /// A quotient already. That of a process is the median of its turns.
    Rate,
    /// A value that was reported as it is before metrics had kinds. That of a process is the Hodges–Lehmann estimate of
    /// its turns.
    #[default]
    Reported,
}

/// Which way a metric is better.
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
    /// Whether it tells of a collector: `gc`, `gc_time` and the like.
    pub fn counts_collections(&self) -> bool {
        self.name == "gc" || self.name.starts_with("gc_")
    }
}

/// A quantity that closes every turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metric {
    /// Its name, `cpu` or `allocated` or the author's own.
    pub name: String,
    /// Its unit: `ns`, `bytes`, `count`, `requests/s`.
    pub unit: String,
    /// What its values are. Records of earlier versions do not say it; the store decides it when it reads them.
    #[serde(default)]
    pub kind: Kind,
    /// Which way it is better.
    pub direction: Direction,
    /// Declared to be the same on every turn of equal work.
    pub exact: bool,
}
