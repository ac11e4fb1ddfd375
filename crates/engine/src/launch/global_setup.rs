//! Global set-up: processes that have prepared something for a whole run, files that its benchmarks read say, and stay alive
//! until its end.
//!
//! The first launch of a case that declares itself `prepared` starts one, in every variant that runs it; nothing is being measured
//! then. What it has prepared ends with it, as the temporary directory of a test suite does.

use crate::discover::Source;
use crate::discover::catalogue::Asked;
use crate::launch::LaunchSpec;
use crate::launch::fault::{self, Place};
use crate::launch::link::{Fault, Link, Starting};
use crate::launch::reaper::Reaper;
use crate::launch::scratch::Way;
use derny_model::Failure;
use derny_protocol::Answer;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The environment variable in which a process that measures finds the number of the process that has prepared its files.
pub const PREPARER: &str = "DERNY_PREPARER";
/// The environment variable in which processes of one variant and build find a
/// folder of theirs, which is removed at the run's end.
pub const SCRATCH: &str = "DERNY_SCRATCH";
/// How long one may take to put away what it has made.
const GRACE: Duration = Duration::from_secs(10);

/// Which process is to prepare something, and what starting it needs.
pub struct Preparation<'a> {
    /// What the cases that need it call it.
    pub key: &'a str,
    /// The program that holds the benchmarks.
    pub source: &'a Source,
    /// How its file is launched.
    pub way: &'a Way,
    /// Where what it makes may lie; the processes that are launched so find it as [`SCRATCH`].
    pub scratch: Option<String>,
    /// The parameters that were asked for.
    pub asked: &'a Asked,
    /// The watcher that ends it if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Show what it prints.
    pub echo: bool,
    /// Show the protocol.
    pub trace: bool,
    /// Time to wait for each answer.
    pub timeout: Duration,
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
}

/// One process for each way in which its file is launched; or why there is none, which then holds for all cases.
#[derive(Debug, Default)]
pub struct GlobalSetups {
    known: BTreeMap<(String, Way), Result<Link, Failure>>,
}

impl GlobalSetups {
    /// The number of the process that has prepared what a file's cases need, started now if it is the first.
    pub fn number(&mut self, preparation: &Preparation<'_>) -> Result<u32, Failure> {
        let key = (preparation.key.to_string(), preparation.way.clone());
        let link = self.known.entry(key).or_insert_with_key(|(key, way)| preparation.start(key, way));
        link.as_ref().map(|link| link.hello.pid).map_err(Clone::clone)
    }

    /// Ends all: at the end of the run. What they have left behind is ended with them; its names.
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
        let place = Place::source(self.source);
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
