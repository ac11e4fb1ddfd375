//! The commands to run: their words, folder, streams, and accepted exit statuses. The harness reads
//! them from a file in the folder that it receives as an argument.

use crate::figures::Metric;
use crate::gather::Gathering;
use crate::os::Exit;
use crate::printed::{Figures, MOST};
use derny_model::{Problem, problem};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Environment variable with the number of a command's run, as in hyperfine.
pub const ITERATION: &str = "HYPERFINE_ITERATION";

/// Name of the file that the harness reads.
const FILE: &str = "calls.json";

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The text as typed, with parameters filled in.
    pub text: String,
    /// The program and its arguments. With a shell, they are those of the shell.
    pub words: Vec<String>,
    /// Working directory.
    pub directory: PathBuf,
    /// Additional environment variables: name and value.
    #[serde(default)]
    pub env: Vec<(String, String)>,
}

/// The destination of a command's standard output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// The output goes to `/dev/null`, so that writing it costs almost no time.
    Null,
    /// The output is read through a pipe and discarded.
    Pipe,
    /// The output is shown, together with standard error.
    Inherit,
    /// The output goes to this file, which each run overwrites.
    File(PathBuf),
    /// The end of the output is kept, because it may contain figures.
    Kept,
}

/// The exit statuses that are accepted in addition to 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Accepted {
    /// No other status is accepted.
    Zero,
    /// All statuses are accepted.
    Any,
    /// These statuses are accepted.
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

/// A command to measure, and the commands to run before and after each of its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the benchmark that measures the command.
    pub name: String,
    /// Parameters of the case: names and values.
    pub params: Vec<(String, String)>,
    /// The timed command.
    pub run: Call,
    /// Command to run before each run.
    pub prepare: Option<Call>,
    /// Command to run after each run.
    pub conclude: Option<Call>,
    /// Destination of standard output.
    pub output: Output,
    /// File to use as standard input. By default `/dev/null`.
    pub input: Option<PathBuf>,
    /// Accepted exit statuses.
    pub accepted: Accepted,
    /// Results of the first runs.
    pub seen: FirstResults,
    /// Figures of each first run. Empty if no figures are read.
    pub figures: Vec<Figures>,
}

/// Results of the first runs of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstResults {
    /// Time of the fastest run, in ns.
    pub about_ns: u64,
    /// Time of the fastest run including the commands before and after it, in ns.
    pub whole_ns: u64,
    /// True if the command was never seen to use more than one processor at a time.
    pub is_single: bool,
}

/// The input of the harness that measures commands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    /// The commands to measure.
    pub entries: Vec<Entry>,
    /// Call that runs an empty command in the shell. Its time is subtracted from measured times. `None`
    /// without a shell, or if figures are judged instead of time.
    pub empty: Option<Call>,
    /// Time limit of a run in ns, if the user has set it.
    pub timeout_ns: Option<u64>,
    /// Sources of the figures to judge instead of time: values of `--metric-from`. Empty to judge time.
    pub sources: Vec<String>,
    /// Metrics of the figures that `sources` give.
    pub metrics: Vec<Metric>,
}

impl Calls {
    /// Reads the file that [`Calls::write`] wrote to a folder.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or does not contain calls.
    pub fn read(folder: &Path) -> io::Result<Calls> {
        serde_json::from_slice(&std::fs::read(folder.join(FILE))?).map_err(io::Error::from)
    }

    /// Writes the calls to a file in a folder. The harness also counts runs in that folder.
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

    /// Connects the standard streams of one run. Returns the reader of standard output if output is kept.
    ///
    /// # Errors
    /// Fails if a file cannot be opened.
    pub(crate) fn connect(&self, command: &mut Command) -> io::Result<Option<Gathering>> {
        if let Some(path) = &self.input {
            command.stdin(File::open(path).map_err(|why| named(path, &why))?);
        }
        match &self.output {
            Output::Null => {}
            Output::Pipe => {
                let (mut reader, writer) = io::pipe()?;
                command.stdout(writer);
                // The thread ends when every copy of the pipe's write end is closed.
                std::thread::spawn(move || io::copy(&mut reader, &mut io::sink()));
            }
            Output::Inherit => _ = command.stdout(shown()).stderr(shown()),
            Output::File(path) => _ = command.stdout(File::create(path).map_err(|why| named(path, &why))?),
            Output::Kept => {
                let (reader, writer) = io::pipe()?;
                command.stdout(writer);
                return Ok(Some(Gathering::end_of(reader, MOST)));
            }
        }
        Ok(None)
    }
}

/// Returns the stream that shows a command's output to the user: standard error, because standard output
/// is for results. The harness's own streams go to the engine, which also shows them on standard error.
fn shown() -> Stdio {
    File::options().append(true).open("/dev/stderr").map_or_else(|_| Stdio::inherit(), Stdio::from)
}

fn named(path: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

/// The engine's rules for the environment of programs that are not part of Derny.
#[derive(Debug)]
pub struct Surroundings {
    /// Names of variables that commands do not inherit.
    pub withheld: Vec<&'static str>,
    /// A variable and its value. A process with this variable in its environment is not killed after the
    /// command has ended.
    pub kept: (&'static str, &'static str),
    /// A variable and its value that all commands receive.
    pub always: (&'static str, &'static str),
}

/// The engine's rules for the environment. They are set before any command is started.
pub static SURROUNDINGS: OnceLock<Surroundings> = OnceLock::new();

impl Call {
    /// Returns the [`Command`] that runs this call, with [`ITERATION`] set to `iteration`, if any. Its
    /// standard streams are `/dev/null`.
    pub fn command(&self, iteration: Option<&str>) -> Command {
        let mut command = Command::new(self.words.first().map_or("", String::as_str));
        command.args(self.words.iter().skip(1)).current_dir(&self.directory);
        match iteration {
            Some(iteration) => command.env(ITERATION, iteration),
            None => command.env_remove(ITERATION),
        };
        if let Some(around) = SURROUNDINGS.get() {
            around.withheld.iter().for_each(|name| _ = command.env_remove(name));
            command.env(around.always.0, around.always.1);
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        // These variables are only for the harness, not for commands.
        command.env_remove("DERNY_COMMANDS").env_remove("DERNY_REPLIES");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Returns the [`Command`] for a call before or after a run. Such a call may leave processes behind
    /// on purpose.
    pub fn lasting_command(&self, iteration: Option<&str>) -> Command {
        let mut command = self.command(iteration);
        if let Some(Surroundings { kept: (name, value), .. }) = SURROUNDINGS.get() {
            command.env(name, value);
        }
        command
    }

    /// Returns the error for a command that cannot be started, with a remedy.
    pub fn not_started(&self, why: &io::Error) -> Problem {
        let program = self.words.first().map_or("", String::as_str);
        let advice = match why.kind() {
            io::ErrorKind::NotFound if !self.directory.is_dir() => {
                let folder = self.directory.display();
                return problem!("`{}` cannot be started: there is no folder {folder}", self.text);
            }
            io::ErrorKind::NotFound => {
                "use its full path, or omit -N to use commands that are built into the shell"
            }
            io::ErrorKind::PermissionDenied => "use `chmod +x`, or put the interpreter before the file",
            _ => "run the same line in a shell",
        };
        problem!("`{}` cannot be started: {program}: {why}", self.text).remedy(advice)
    }
}
