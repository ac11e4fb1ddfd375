//! The result of a diagnosis, which is a hint for further investigation and not a measurement.

use serde::{Deserialize, Serialize};

/// A diagnosis of one case in one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosed {
    /// Name of the case.
    pub case: String,
    /// Name of the variant.
    pub variant: String,
    /// Name of the diagnosis, such as `deopt` or `gc`.
    pub name: String,
    /// Content of the diagnosis, in a few words.
    pub about: String,
    /// Paths of the written files.
    pub files: Vec<String>,
    /// Number of relevant lines. `excerpt` contains the first of them.
    pub lines: u64,
    /// The first of the relevant lines.
    pub excerpt: Vec<String>,
    /// Reason why the result is missing or incomplete.
    pub problem: Option<String>,
}
