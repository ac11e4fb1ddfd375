//! A reason to doubt a result.

use serde::{Deserialize, Serialize};

/// The cause of a warning, which decides where it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WarningClass {
    /// The meaning of the figure: it may not be what its name suggests.
    #[default]
    Meaning,
    /// Some turns: without them the estimate might differ.
    Turns,
    /// The design of the measurement: too few processes, the machine, the order.
    Design,
}

/// A reason to doubt a result, with a stable code that `derny explain` describes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warning {
    /// `DY204`.
    pub code: String,
    /// Index into the document's cases; absent if it concerns the run.
    pub case: Option<u32>,
    /// One sentence with the figures.
    pub message: String,
    /// The remedy to try.
    pub remedy: String,
    /// The cause.
    #[serde(default)]
    pub class: WarningClass,
    /// The effect of the blamed turns, as a clause: `without these turns its typical time is 3.1 % less`;
    /// empty if it blames none.
    #[serde(default)]
    pub effect: String,
    /// It can change a decision and is shown under the table. Other warnings appear only in the details.
    #[serde(default = "yes")]
    pub decides: bool,
    /// It marks the row of its case: it decides there, and most rows do not share it.
    #[serde(default = "yes")]
    pub marks: bool,
    /// Severity relative to others of its code; no unit.
    #[serde(default)]
    pub severity: f64,
}

/// Earlier versions showed every warning and marked every row.
fn yes() -> bool {
    true
}

impl Warning {
    /// Returns the message with the effect of the blamed turns.
    pub fn sentence(&self) -> String {
        let parts = [self.message.as_str(), &self.effect];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}
