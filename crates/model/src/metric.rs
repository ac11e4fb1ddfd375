//! Metrics: named quantities with unit, direction and assumption.

use serde::{Deserialize, Serialize};

/// Which way a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Less is better (time, memory).
    Less,
    /// More is better (rates).
    More,
    /// Neither (counts that only explain).
    None,
}

/// A quantity that closes every turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Its name, `cpu` or `allocated` or the author's own.
    pub name: String,
    /// Its unit: `ns`, `bytes`, `count`, `requests/s`.
    pub unit: String,
    /// Which way it is better.
    pub direction: Direction,
    /// Declared to be the same on every turn of equal work.
    pub exact: bool,
}
