//! A user's request, as typed.

use crate::calls::{Accepted, Output};
use crate::parameters::Parameter;
use std::path::PathBuf;

/// Commands with their options. Lists of one element apply to all commands.
#[derive(Debug, Clone)]
pub struct Request {
    /// The commands; the reference comes first.
    pub commands: Vec<String>,
    /// Their names, if they have any.
    pub names: Vec<Option<String>>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The shell.
    pub shell: Option<String>,
    /// The command before all runs of a command, once.
    pub setup: Option<String>,
    /// The commands before each run.
    pub prepare: Vec<String>,
    /// The commands after each run.
    pub conclude: Vec<String>,
    /// The command at the end.
    pub cleanup: Option<String>,
    /// The destinations of standard output.
    pub output: Vec<Output>,
    /// The file for standard input.
    pub input: Option<PathBuf>,
    /// The accepted exit statuses.
    pub accepted: Accepted,
    /// Each command has a copy of the folder.
    pub copy: bool,
    /// Time limit of a run, in ns.
    pub timeout_ns: Option<u64>,
    /// Working directory of the commands.
    pub directory: PathBuf,
}
