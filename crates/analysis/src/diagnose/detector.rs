//! A row of the table of warnings.

use super::blame::Blamed;
use super::view::{CaseView, Detected, RunView};

/// A detector's function, and the level that it examines.
pub enum Scope {
    /// Examines each measured case.
    Case(fn(&CaseView) -> Option<Detected>),
    /// Examines the run.
    Run(fn(&RunView) -> Option<Detected>),
}

/// A row of the table of warnings.
pub struct Detector {
    /// Code of the warning, which never changes. The first digit is 1 for the machine and 2 for the result.
    pub code: &'static str,
    /// Text for `derny dev explain` in Markdown. The first line is a title. The meaning of the warning, its
    /// importance and a remedy follow.
    pub explain: &'static str,
    /// Codes of warnings that explain this one and suppress it.
    pub after: &'static [&'static str],
    /// The part of a run that the warning blames.
    pub blames: Blamed,
    /// Function of the detector, and the level that it examines.
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
