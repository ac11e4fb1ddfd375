//! A reason to doubt a result.

use serde::{Deserialize, Serialize};

/// The subject of a warning, which decides where it is displayed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WarningClass {
    /// The meaning of a figure, which may differ from what its name suggests.
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
    /// Index into the document's cases. Absent if the warning concerns the entire run.
    pub case: Option<u32>,
    /// The problem with its figures, in one sentence.
    pub message: String,
    /// Suggested remedy.
    pub remedy: String,
    /// Subject of the warning.
    #[serde(default)]
    pub class: WarningClass,
    /// Effect of the questionable turns on the result, as a clause: `without these turns, its typical
    /// time is 3.1 % lower`. Empty if the warning is not about turns.
    #[serde(default)]
    pub effect: String,
    /// True if the warning can change a decision. It is then displayed under the table. Other warnings
    /// appear only in the details.
    #[serde(default = "yes")]
    pub decides: bool,
    /// True if the warning marks the row of its case: it can change the decision there, and most other
    /// rows do not have it.
    #[serde(default = "yes")]
    pub marks: bool,
    /// Severity relative to other warnings with the same code, without a unit.
    #[serde(default)]
    pub severity: f64,
}

/// Returns true. Earlier versions displayed every warning and marked every row.
fn yes() -> bool {
    true
}

impl Warning {
    /// Returns the message, followed by the effect of the questionable turns.
    pub fn sentence(&self) -> String {
        let parts = [self.message.as_str(), &self.effect];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}
