//! The user's request.

use crate::calls::{Accepted, Output};
use crate::figures::Wanted;
use crate::parameters::Parameter;
use crate::printed::Source;
use derny_model::{Problem, problem};
use std::path::PathBuf;

/// The user's request: commands with their options. A list with one element applies to all commands.
#[derive(Debug, Clone)]
pub struct Request {
    /// The commands. The one from `--reference` comes first.
    pub commands: Vec<String>,
    /// Names of the commands, if the user gave them.
    pub names: Vec<Option<String>>,
    /// The parameters, with their values.
    pub parameters: Vec<Parameter>,
    /// The shell to run commands with.
    pub shell: Option<String>,
    /// Command to run once, before all runs. With `copy`, it runs in each copy.
    pub setup: Option<String>,
    /// Commands to run before each run.
    pub prepare: Vec<String>,
    /// Commands to run after each run.
    pub conclude: Vec<String>,
    /// Command to run once, after all runs. With `copy`, it runs in each copy.
    pub cleanup: Option<String>,
    /// Destination of the standard output of each command.
    pub output: Vec<Output>,
    /// File to use as standard input.
    pub input: Option<PathBuf>,
    /// Accepted exit statuses.
    pub accepted: Accepted,
    /// True to give each command its own copy of the folder.
    pub copy: bool,
    /// Time limit of a run, in ns.
    pub timeout_ns: Option<u64>,
    /// Working directory of the commands.
    pub directory: PathBuf,
    /// The figures to judge instead of time.
    pub judged: Judged,
}

/// The figures to judge.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// Sources of the figures. Empty to judge time.
    pub sources: Vec<Source>,
    /// Descriptions of the figures.
    pub wanted: Vec<Wanted>,
}

impl Judged {
    /// Parses values of `--metric-from` and of `--metric`.
    ///
    /// # Errors
    /// Fails if a value is invalid, or if two values of `--metric` describe the same figure.
    pub fn parse(sources: &[String], wanted: &[String]) -> Result<Judged, Problem> {
        let sources = sources.iter().map(|text| Source::parse(text)).collect::<Result<_, _>>()?;
        let wanted: Vec<Wanted> = wanted.iter().map(|text| Wanted::parse(text)).collect::<Result<_, _>>()?;
        let is_twice =
            |(at, one): &(usize, &Wanted)| wanted[..*at].iter().any(|other| other.name == one.name);
        match wanted.iter().enumerate().find(is_twice) {
            Some((_, one)) => Err(problem!("--metric is given twice for `{}`", one.name)
                .remedy("give each figure one direction")),
            None => Ok(Judged { sources, wanted }),
        }
    }
}

impl Request {
    /// Returns the destination of standard output if the user gave none.
    pub(crate) fn otherwise(&self) -> Output {
        if self.judged.sources.is_empty() { Output::Null } else { Output::Kept }
    }
}
