//! Global set-up: processes that prepare something for a whole run, if their benchmark files declare it, and
//! stay alive until its end.
//!
//! The first launch of a case that declares itself `prepared` starts one, for every variant that runs it,
//! while nothing is being measured. Its preparations end with it, like the temporary directory of a test
//! suite.

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

/// The environment variable with the process id of the process that prepared a measuring process's files.
pub const PREPARER: &str = "DERNY_PREPARER";
/// The environment variable with a folder for the processes of one variant and build, removed at the end of
/// the run.
pub const SCRATCH: &str = "DERNY_SCRATCH";
/// Time limit for the clean-up.
const GRACE: Duration = Duration::from_secs(10);

/// A preparation, and everything needed to start its process.
pub struct Preparation<'a> {
    /// The key that the cases declare.
    pub key: &'a str,
    /// The program that contains the benchmarks.
    pub source: &'a Source,
    /// How its file is launched.
    pub way: &'a Way,
    /// Folder for its output; processes launched the same way receive it as [`SCRATCH`].
    pub scratch: Option<String>,
    /// The requested parameters.
    pub asked: &'a Asked,
    /// The reaper that ends it if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Show its output.
    pub echo: bool,
    /// Show the protocol.
    pub trace: bool,
    /// Time limit of each answer.
    pub timeout: Duration,
    /// Set when the user interrupts.
    pub stop: &'a AtomicBool,
}

/// One process for each way of launching its file, or the failure to start it, which then applies to all
/// cases.
#[derive(Debug, Default)]
pub struct GlobalSetups {
    known: BTreeMap<(String, Way), Result<Link, Failure>>,
}

impl GlobalSetups {
    /// Returns the id of the process that prepared a file's cases; starts it on first use.
    pub fn number(&mut self, preparation: &Preparation<'_>) -> Result<u32, Failure> {
        let key = (preparation.key.to_string(), preparation.way.clone());
        let link = self.known.entry(key).or_insert_with_key(|(key, way)| preparation.start(key, way));
        link.as_ref().map(|link| link.hello.pid).map_err(Clone::clone)
    }

    /// Ends all of them at the end of the run, with the processes that they left behind. Returns the names of
    /// those.
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
