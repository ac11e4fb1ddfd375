//! A reason to doubt a result.

use serde::{Deserialize, Serialize};

/// What a warning is about, which decides where it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WarningClass {
    /// What a figure means: it may not be what its name suggests.
    #[default]
    Meaning,
    /// Some turns, without which the estimate might differ.
    Turns,
    /// The design of the measurement: too few processes, the machine, the order.
    Design,
}

/// A reason to doubt a result. `derny dev explain` describes its code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warning {
    /// Code, such as `DY204`.
    pub code: String,
    /// Index into the document's cases. Absent if the warning concerns the whole run.
    pub case: Option<u32>,
    /// The problem with its figures, in one sentence.
    pub message: String,
    /// What to try.
    pub remedy: String,
    /// What the warning is about.
    #[serde(default)]
    pub class: WarningClass,
    /// How much the turns in question affect the result, as a clause: `without these turns its typical time
    /// is 3.1 % less`. Empty if the warning is not about turns.
    #[serde(default)]
    pub effect: String,
    /// True if the warning can change a decision, so that it is shown under the table. Others appear only in
    /// the details.
    #[serde(default = "yes")]
    pub decides: bool,
    /// True if the warning marks the row of its case. It decides there, and most other rows do not have it.
    #[serde(default = "yes")]
    pub marks: bool,
    /// Severity relative to other warnings with the same code, without a unit.
    #[serde(default)]
    pub severity: f64,
}

/// Returns true: earlier versions showed every warning and marked every row.
fn yes() -> bool {
    true
}

impl Warning {
    /// Returns the message, followed by the effect of the turns in question.
    pub fn sentence(&self) -> String {
        let parts = [self.message.as_str(), &self.effect];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}
