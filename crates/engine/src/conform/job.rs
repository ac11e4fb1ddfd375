use crate::launch::reaper::Reaper;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The result of a check. The error is a sentence that describes the problem.
pub(super) type Checked<T = ()> = Result<T, String>;

/// The program under test, and the options of the tests.
#[derive(Debug, Clone, Copy)]
pub struct Conform<'a> {
    /// The launch line of a conformance program.
    pub command: &'a [String],
    /// Working directory of the program.
    pub directory: &'a Path,
    /// Globs, or parts of names, that select the cases to run. If empty, all cases run.
    pub patterns: &'a [String],
    /// Names of cases that are known to fail.
    pub known: &'a [String],
    /// Time limit for each answer of the harness. After the first timeout, the limit is a fifth of this.
    pub timeout: Duration,
    /// The reaper that ends the harness if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Set when the user interrupts the run.
    pub stop: &'a AtomicBool,
    /// True to write every line to standard error as it arrives.
    pub trace: bool,
}
