//! What a diagnostic pass left behind: never a measurement, only where to look.

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
    /// What it shows, in a few words.
    pub about: String,
    /// Files that it left, as paths.
    pub files: Vec<String>,
    /// How many lines told of it, of which `excerpt` shows some.
    pub lines: u64,
    /// The first of those lines.
    pub excerpt: Vec<String>,
    /// Why there is nothing, or not all.
    pub problem: Option<String>,
}
