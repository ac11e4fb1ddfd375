//! The user's request.

use crate::calls::{Accepted, Output};
use crate::figures::Wanted;
use crate::parameters::Parameter;
use crate::printed::Source;
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
    /// Command to run once, before all runs of a command.
    pub setup: Option<String>,
    /// Commands to run before each run.
    pub prepare: Vec<String>,
    /// Commands to run after each run.
    pub conclude: Vec<String>,
    /// Command to run at the end.
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
    /// Sources of the figures to judge instead of time. Empty to judge time.
    pub sources: Vec<Source>,
    /// Descriptions of these figures.
    pub wanted: Vec<Wanted>,
}

impl Request {
    /// Returns the destination of standard output if the user gave none.
    pub(crate) fn otherwise(&self) -> Output {
        if self.sources.is_empty() { Output::Null } else { Output::Kept }
    }
}
