//! A row of the table of warnings.

use super::blame::Blamed;
use super::view::{CaseView, Detected, RunView};

/// Detector function and what it examines.
pub enum Scope {
    /// Every measured case separately.
    Case(fn(&CaseView) -> Option<Detected>),
    /// The whole run.
    Run(fn(&RunView) -> Option<Detected>),
}

/// Row of the table of warnings.
pub struct Detector {
    /// Stable code. The first digit is 1 for the machine and 2 for the result.
    pub code: &'static str,
    /// Markdown for `derny explain`. The first line is a title; then follow what it means, why it matters and
    /// what to do.
    pub explain: &'static str,
    /// Codes of warnings that explain this one and suppress it.
    pub after: &'static [&'static str],
    /// Blamed part of the measurement.
    pub blames: Blamed,
    /// Function and scope.
    pub scope: Scope,
}

impl Detector {
    /// Returns a short description of the warning.
    pub fn title(&self) -> &'static str {
        self.explain.split_once('\n').map_or(self.explain, |(title, _)| title).trim_start_matches('#').trim()
    }

    /// Returns the paragraphs below the title.
    pub fn text(&self) -> &'static str {
        self.explain.split_once('\n').map_or("", |(_, text)| text).trim()
    }
}
