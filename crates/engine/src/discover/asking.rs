//! Options for listing the cases of sources.

use crate::discover::Source;
use crate::discover::pattern::Selector;
use crate::launch::reaper::Reaper;
use derny_model::{Case, CaseId, Variant};
use derny_protocol::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options that affect which cases a source lists.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Values that replace the benchmarks' own parameter values (`-p`).
    pub params: Vec<(String, Vec<String>)>,
    /// True to use the smallest valid input of each benchmark.
    pub test: bool,
}

impl Asked {
    /// Returns the command that lists cases. The user's values override those of the source. `prepare` is
    /// the key of a global set-up to perform first.
    pub(crate) fn command(&self, source: &Source, prepare: Option<String>) -> Command {
        let mut params = source.params.clone();
        params.retain(|(name, _)| self.params.iter().all(|(other, _)| other != name));
        params.extend_from_slice(&self.params);
        Command::List { params, test: self.test, prepare, file: None }
    }
}

/// The options and resources for listing the cases of sources.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// Options that affect which cases are listed.
    pub asked: &'a Asked,
    /// The selection. Parents that cannot contain selected cases are not expanded.
    pub selector: &'a Selector,
    /// The first variant, whose programs are launched.
    pub variant: &'a Variant,
    /// Time limit for the hello, and separately for the list of cases.
    pub timeout: Duration,
    /// The reaper that ends the processes if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// True to print the protocol's lines on standard error.
    pub trace: bool,
    /// Set when the user interrupts the run.
    pub stop: &'a AtomicBool,
}

impl Asking<'_> {
    /// Returns the parents below which cases must still be listed.
    pub(crate) fn expands(&self, cases: &[Case]) -> Vec<CaseId> {
        self.selector.may_hold(cases).into_iter().map(|case| case.id.clone()).collect()
    }
}
