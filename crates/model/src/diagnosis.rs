//! The result of a diagnostic pass: never a measurement, only a hint where to look.

use serde::{Deserialize, Serialize};

/// One diagnosis of one case on one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Diagnosed {
    /// The case, by its name.
    pub case: String,
    /// The variant's name.
    pub variant: String,
    /// The diagnosis: `deopt`, `gc`, …
    pub name: String,
    /// A description of its content, in a few words.
    pub about: String,
    /// Paths of the files that it wrote.
    pub files: Vec<String>,
    /// Number of relevant lines; `excerpt` contains some of them.
    pub lines: u64,
    /// The first of those lines.
    pub excerpt: Vec<String>,
    /// Why the result is missing or incomplete.
    pub problem: Option<String>,
}
