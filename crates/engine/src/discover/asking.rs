//! The options and conditions of listing the cases of sources.

use crate::discover::Source;
use crate::discover::pattern::Selector;
use crate::launch::reaper::Reaper;
use derny_model::{Case, CaseId, Variant};
use derny_protocol::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options with which the cases of sources were listed.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Values that override the benchmarks' own (`-p`).
    pub params: Vec<(String, Vec<String>)>,
    /// Use the smallest valid form of each benchmark.
    pub test: bool,
}

impl Asked {
    /// Returns the command that lists cases. The user's values override the source's.
    pub(crate) fn command(&self, source: &Source, prepare: Option<String>) -> Command {
        let mut params = source.params.clone();
        params.retain(|(name, _)| self.params.iter().all(|(other, _)| other != name));
        params.extend_from_slice(&self.params);
        Command::List { params, test: self.test, prepare, file: None }
    }
}

/// Everything that listing needs.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// The options.
    pub asked: &'a Asked,
    /// The selection. Parents that cannot contain selected cases are not expanded.
    pub selector: &'a Selector,
    /// The variant that lists: the first one.
    pub variant: &'a Variant,
    /// Time limit for the first line and for the list.
    pub timeout: Duration,
    /// The reaper that ends the processes if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Show the protocol.
    pub trace: bool,
    /// Set when the user interrupts.
    pub stop: &'a AtomicBool,
}

impl Asking<'_> {
    /// Returns the cases below which others must be found.
    pub(crate) fn expands(&self, cases: &[Case]) -> Vec<CaseId> {
        self.selector.may_hold(cases).into_iter().map(|case| case.id.clone()).collect()
    }
}
