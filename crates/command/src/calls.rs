//! The commands to run: words, folder, streams, and accepted exit statuses. The harness reads all of it from
//! the file that it is started with.

use crate::os::Exit;
use derny_model::{Problem, problem};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The variable with the number of a command's run, as in hyperfine.
pub const ITERATION: &str = "HYPERFINE_ITERATION";

/// The file of a harness in its folder.
const FILE: &str = "calls.json";

/// One command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The text as typed, with its parameters filled in.
    pub text: String,
    /// Program and arguments; those of the shell, if there is one.
    pub words: Vec<String>,
    /// Working directory.
    pub directory: PathBuf,
}

/// The destination of a command's standard output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// Discarded, at no cost.
    Null,
    /// Read through a pipe, and discarded.
    Pipe,
    /// Shown, together with standard error.
    Inherit,
    /// Written to this file, which each run replaces.
    File(PathBuf),
}

/// The exit statuses accepted besides 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Accepted {
    /// None.
    Zero,
    /// All.
    Any,
    /// These statuses.
    Statuses(Vec<i32>),
}

impl Accepted {
    /// Returns true if this exit is accepted.
    pub fn has(&self, exit: Exit) -> bool {
        match (self, exit) {
            (Accepted::Any, _) | (_, Exit::Status(0)) => true,
            (Accepted::Statuses(statuses), Exit::Status(status)) => statuses.contains(&status),
            _ => false,
        }
    }
}

/// A command to measure, with the commands around each of its runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name as a benchmark.
    pub name: String,
    /// The parameters that make it a case.
    pub params: Vec<(String, String)>,
    /// The timed command.
    pub run: Call,
    /// The command before each run.
    pub prepare: Option<Call>,
    /// The command after each run.
    pub conclude: Option<Call>,
    /// The destination of standard output.
    pub output: Output,
    /// The file for standard input; `/dev/null` by default.
    pub input: Option<PathBuf>,
    /// The accepted exit statuses.
    pub accepted: Accepted,
    /// Results of the first runs.
    pub seen: FirstResults,
}

/// Results of the first runs of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstResults {
    /// Time of the fastest run, in ns.
    pub about_ns: u64,
    /// The same including the commands around it.
    pub whole_ns: u64,
    /// At no time could two of its threads have run at once.
    pub is_single: bool,
}

/// Everything that the harness of commands needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// The commands.
    pub entries: Vec<Entry>,
    /// The same shell without a command, whose time is subtracted; `None` without a shell.
    pub empty: Option<Call>,
    /// Time limit of a run in ns, if the user has set one.
    pub timeout_ns: Option<u64>,
}

impl Calls {
    /// Reads the calls that [`Calls::write`] wrote to a folder.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is of another kind.
    pub fn read(folder: &Path) -> io::Result<Calls> {
        serde_json::from_slice(&std::fs::read(folder.join(FILE))?).map_err(io::Error::from)
    }

    /// Writes the calls to a folder, in which the harness also counts runs.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join(FILE), serde_json::to_vec(self)?)
    }
}

impl Entry {
    /// Returns true if another command runs before or after every run.
    pub fn is_surrounded(&self) -> bool {
        self.prepare.is_some() || self.conclude.is_some()
    }

    /// Connects the standard streams of one run.
    ///
    /// # Errors
    /// Fails if a file cannot be opened.
    pub fn connect(&self, command: &mut Command) -> io::Result<()> {
        if let Some(path) = &self.input {
            command.stdin(File::open(path).map_err(|why| named(path, &why))?);
        }
        match &self.output {
            Output::Null => {}
            Output::Pipe => {
                let (mut reader, writer) = io::pipe()?;
                command.stdout(writer);
                // It ends with the last process that holds the other end.
                std::thread::spawn(move || io::copy(&mut reader, &mut io::sink()));
            }
            Output::Inherit => _ = command.stdout(shown()).stderr(shown()),
            Output::File(path) => _ = command.stdout(File::create(path).map_err(|why| named(path, &why))?),
        }
        Ok(())
    }
}

/// Returns standard error: standard output is for results. The harness's own streams go to the engine, which
/// shows them there too.
fn shown() -> Stdio {
    File::options().append(true).open("/dev/stderr").map_or_else(|_| Stdio::inherit(), Stdio::from)
}

fn named(path: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

/// The engine's decisions about the environment of programs that are not its own.
#[derive(Debug)]
pub struct Surroundings {
    /// Variables of this program's environment that commands do not get.
    pub withheld: Vec<&'static str>,
    /// A variable and its value: processes with it are not ended after the command.
    pub kept: (&'static str, &'static str),
}

/// The engine's decisions. The program sets them before it starts a command.
pub static SURROUNDINGS: OnceLock<Surroundings> = OnceLock::new();

impl Call {
    /// Returns the command, without input and output, for this `iteration`.
    pub fn command(&self, iteration: Option<&str>) -> Command {
        let mut command = Command::new(self.words.first().map_or("", String::as_str));
        command.args(self.words.iter().skip(1)).current_dir(&self.directory);
        match iteration {
            Some(iteration) => command.env(ITERATION, iteration),
            None => command.env_remove(ITERATION),
        };
        if let Some(around) = SURROUNDINGS.get() {
            around.withheld.iter().for_each(|name| _ = command.env_remove(name));
        }
        // The engine's own variables, of no use to a command.
        command.env_remove("DERNY_COMMANDS").env_remove("DERNY_REPLIES");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Returns a command that runs around others. It may leave processes behind on purpose.
    pub fn lasting_command(&self, iteration: Option<&str>) -> Command {
        let mut command = self.command(iteration);
        if let Some(Surroundings { kept: (name, value), .. }) = SURROUNDINGS.get() {
            command.env(name, value);
        }
        command
    }

    /// Returns the message for a command that cannot be started, with a remedy.
    pub fn not_started(&self, why: &io::Error) -> Problem {
        let program = self.words.first().map_or("", String::as_str);
        let advice = match why.kind() {
            io::ErrorKind::NotFound if !self.directory.is_dir() => {
                let folder = self.directory.display();
                return problem!("`{}` cannot be started: there is no folder {folder}", self.text);
            }
            io::ErrorKind::NotFound => "its full path; without -N, a shell knows its own commands too",
            io::ErrorKind::PermissionDenied => "chmod +x, or the interpreter before the file",
            _ => "the same line in a shell",
        };
        problem!("`{}` cannot be started: {program}: {why}", self.text).remedy(advice)
    }
}
