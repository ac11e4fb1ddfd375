//! A row of the table of warnings.

use super::blame::Blamed;
use super::view::{CaseView, Detected, RunView};

/// What a detector examines, with the function that does so.
pub enum Scope {
    /// Examines each measured case.
    Case(fn(&CaseView) -> Option<Detected>),
    /// Examines the run.
    Run(fn(&RunView) -> Option<Detected>),
}

/// A row of the table of warnings.
pub struct Detector {
    /// Stable code of the warning. Codes that begin with 1 concern the machine, and those with 2 the result.
    pub code: &'static str,
    /// Markdown for `derny dev explain`: a title line, then the meaning, importance and remedy.
    pub explain: &'static str,
    /// Codes of warnings that explain this one. They suppress it.
    pub after: &'static [&'static str],
    /// The part of a run that the warning blames.
    pub blames: Blamed,
    /// What the detector examines, with the function that does so.
    pub scope: Scope,
}

impl Detector {
    /// Returns the title of the explanation.
    pub fn title(&self) -> &'static str {
        self.explain.split_once('\n').map_or(self.explain, |(title, _)| title).trim_start_matches('#').trim()
    }

    /// Returns the explanation without its title.
    pub fn text(&self) -> &'static str {
        self.explain.split_once('\n').map_or("", |(_, text)| text).trim()
    }
}
