//! What a user asks for, as typed.

use crate::calls::{Accepted, Output};
use crate::parameters::Parameter;
use std::path::PathBuf;

/// Commands with what belongs to them. Lists of one element are for all commands.
#[derive(Debug, Clone)]
pub struct Request {
    /// The commands; the reference stands first.
    pub commands: Vec<String>,
    /// Their names, as far as they have one.
    pub names: Vec<Option<String>>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The shell.
    pub shell: Option<String>,
    /// What runs once before all runs of a command.
    pub setup: Option<String>,
    /// What runs before each run.
    pub prepare: Vec<String>,
    /// What runs after each run.
    pub conclude: Vec<String>,
    /// What runs at the end.
    pub cleanup: Option<String>,
    /// What standard output becomes.
    pub output: Vec<Output>,
    /// The file that is standard input.
    pub input: Option<PathBuf>,
    /// Which ends are good.
    pub accepted: Accepted,
    /// Each command has a copy of the folder.
    pub copy: bool,
    /// The most time for a run, in ns.
    pub timeout_ns: Option<u64>,
    /// Where commands run.
    pub directory: PathBuf,
}
