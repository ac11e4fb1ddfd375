//! The result of a diagnosis. It is not a measurement, but a hint where to look.

use serde::{Deserialize, Serialize};

/// A diagnosis of one case on one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosed {
    /// Name of the case.
    pub case: String,
    /// Name of the variant.
    pub variant: String,
    /// Name of the diagnosis, such as `deopt` or `gc`.
    pub name: String,
    /// What the diagnosis contains, in a few words.
    pub about: String,
    /// Paths of the files that it wrote.
    pub files: Vec<String>,
    /// Number of relevant lines. `excerpt` contains the first of them.
    pub lines: u64,
    /// The first of the relevant lines.
    pub excerpt: Vec<String>,
    /// Why the result is missing or incomplete.
    pub problem: Option<String>,
}
