//! Global set-up: processes that prepare something for an entire run, because their benchmark files
//! declare it. They stay alive until the run ends.
//!
//! The first launch of a case that needs a global set-up starts its process, while nothing is being
//! measured. Each variant that runs the case has a separate process. Everything that the process
//! prepares ends with it, like the temporary directory of a test suite.

use crate::discover::Source;
use crate::discover::asking::Asked;
use crate::launch::LaunchSpec;
use crate::launch::fault::{self, FaultSite};
use crate::launch::link::{Fault, Link, Starting};
use crate::launch::reaper::Reaper;
use crate::launch::scratch::Way;
use derny_model::Failure;
use derny_protocol::Answer;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Environment variable with the id of the process that prepared the files of a measuring process.
pub const PREPARER: &str = "DERNY_PREPARER";
/// Environment variable with a folder for the processes of one variant and build. The folder is removed at
/// the end of the run.
pub const SCRATCH: &str = "DERNY_SCRATCH";
/// Time limit for the clean-up.
const GRACE: Duration = Duration::from_secs(10);

/// A global set-up, and the options for starting its process.
pub struct Preparation<'a> {
    /// Key that the cases declare. Cases with the same key share the process.
    pub key: &'a str,
    /// The program that contains the benchmarks.
    pub source: &'a Source,
    /// The launch line, working directory and environment of the benchmark file.
    pub way: &'a Way,
    /// Folder for the data that the process prepares. Processes with the same way of launching receive
    /// its path in [`SCRATCH`].
    pub scratch: Option<String>,
    /// The options with which the cases were listed.
    pub asked: &'a Asked,
    /// The reaper, which ends the process if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// True to copy the output of the process to standard error.
    pub echo: bool,
    /// True to print the protocol's lines on standard error.
    pub trace: bool,
    /// Time limit for each answer of the process.
    pub timeout: Duration,
    /// Set when the user interrupts the run.
    pub stop: &'a AtomicBool,
}

/// The running global set-ups: one process for each way of launching a file. A failure to start applies
/// to all cases that need the process.
#[derive(Debug, Default)]
pub struct GlobalSetups {
    known: BTreeMap<(String, Way), Result<Link, Failure>>,
}

impl GlobalSetups {
    /// Returns the id of the process that prepared the cases of a file. Starts the process on first
    /// use.
    pub fn number(&mut self, preparation: &Preparation<'_>) -> Result<u32, Failure> {
        let key = (preparation.key.to_string(), preparation.way.clone());
        let link = self.known.entry(key).or_insert_with_key(|(key, way)| preparation.start(key, way));
        link.as_ref().map(|link| link.hello.pid).map_err(Clone::clone)
    }

    /// Ends all processes at the end of the run, and then the processes that these left behind. Returns
    /// the names of those left behind.
    pub fn end(&mut self) -> Vec<String> {
        let started = std::mem::take(&mut self.known).into_values().flatten();
        started.flat_map(|link| link.quit(GRACE).orphans).collect()
    }
}

impl Preparation<'_> {
    fn start(&self, key: &str, (words, directory, env): &Way) -> Result<Link, Failure> {
        let scratch = self.scratch.clone().map(|folder| (SCRATCH.to_string(), folder));
        let env = env.iter().cloned().chain(scratch).collect();
        let (command, directory) = (words.clone(), directory.clone());
        let (echo, descriptors) = (self.echo, self.source.descriptors);
        let spec = LaunchSpec { command, env, directory, padding: 0, echo, capture: None, descriptors };
        let place = FaultSite::source(self.source);
        let failed = |fault: &Fault, words: &[String]| fault::failure(&place, "prepare", fault, words);
        let starting =
            Starting::launch(&spec, self.reaper, self.trace).map_err(|fault| failed(&fault, &[]))?;
        let mut link = starting
            .hello(self.timeout, self.stop)
            .map_err(|(fault, link)| failed(&fault, &link.last_words()))?;
        match link.ask(&self.asked.command(self.source, Some(key.to_string())), self.timeout, self.stop) {
            Ok(Answer::Cases(_)) => Ok(link),
            Ok(_) => Err(failed(&Fault::Unsupported("list".into()), &link.last_words())),
            Err(fault) => Err(failed(&fault, &link.last_words())),
        }
    }
}
