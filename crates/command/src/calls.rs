//! What is run: a command with its words, where it runs, what it reads and writes, and which end of it is a good one.
//! All of it stands in the file that the harness is started with.

use crate::os::Exit;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The variable that counts the runs of a command, as in hyperfine.
pub const ITERATION: &str = "HYPERFINE_ITERATION";

/// The file of a harness in its folder.
const FILE: &str = "calls.json";

/// One command line that can be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// As it was typed, with its parameters put in.
    pub text: String,
    /// Program and arguments; those of the shell, if there is one.
    pub words: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
}

/// What the standard output of a command becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// Nothing, at no cost.
    Null,
    /// Read through a pipe, and dropped.
    Pipe,
    /// Shown, and standard error too.
    Inherit,
    /// Written to this file, anew by every run.
    File(PathBuf),
}

/// Which ends are good beside status 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Accepted {
    /// No other.
    Zero,
    /// All.
    Any,
    /// These statuses.
    Statuses(Vec<i32>),
}

impl Accepted {
    /// Whether this end is good.
    pub fn has(&self, exit: Exit) -> bool {
        match (self, exit) {
            (Accepted::Any, _) | (_, Exit::Status(0)) => true,
            (Accepted::Statuses(statuses), Exit::Status(status)) => statuses.contains(&status),
            _ => false,
        }
    }
}

/// A command to be measured, with what surrounds each of its runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name: that of a benchmark.
    pub name: String,
    /// The parameters that make a case of it.
    pub params: Vec<(String, String)>,
    /// What is timed.
    pub run: Call,
    /// What runs before each run.
    pub prepare: Option<Call>,
    /// What runs after each run.
    pub conclude: Option<Call>,
    /// What standard output becomes.
    pub output: Output,
    /// The file that is standard input; none is `/dev/null`.
    pub input: Option<PathBuf>,
    /// Which ends are good.
    pub accepted: Accepted,
    /// What the first runs have shown.
    pub seen: Seen,
}

/// What the first runs of a command have shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Time of the quickest, in ns.
    pub about_ns: u64,
    /// The same with what surrounds it.
    pub whole_ns: u64,
    /// There were never two threads that could have run at the same time.
    pub is_single: bool,
}

/// All that the harness of commands is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// The commands.
    pub entries: Vec<Entry>,
    /// The same shell with nothing to do, whose time is taken off; none where there is no shell.
    pub empty: Option<Call>,
    /// The most time for a run, in ns, where the user has set one.
    pub timeout_ns: Option<u64>,
}

impl Calls {
    /// Reads what was written to a folder.
    ///
    /// # Errors
    /// Those of reading, and a file of another kind.
    pub fn read(folder: &Path) -> io::Result<Calls> {
        serde_json::from_slice(&std::fs::read(folder.join(FILE))?).map_err(io::Error::from)
    }

    /// Writes it to a folder, where the harness also counts runs.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join(FILE), serde_json::to_vec(self)?)
    }
}

impl Entry {
    /// Whether something else runs before and after every run.
    pub fn is_surrounded(&self) -> bool {
        self.prepare.is_some() || self.conclude.is_some()
    }

    /// Connects the standard streams of one run.
    ///
    /// # Errors
    /// Files that cannot be opened.
    pub fn connect(&self, command: &mut Command) -> io::Result<()> {
        if let Some(path) = &self.input {
            command.stdin(File::open(path).map_err(|why| named(path, &why))?);
        }
        match &self.output {
            Output::Null => {}
            Output::Pipe => {
                let (mut reader, writer) = io::pipe()?;
                command.stdout(writer);
                // It ends when the last process that holds the other end has.
                std::thread::spawn(move || io::copy(&mut reader, &mut io::sink()));
            }
            Output::Inherit => _ = command.stdout(shown()).stderr(shown()),
            Output::File(path) => _ = command.stdout(File::create(path).map_err(|why| named(path, &why))?),
        }
        Ok(())
    }
}

/// Standard error: standard output is for results. The harness's own goes to the engine, which shows it there too.
fn shown() -> Stdio {
    File::options().append(true).open("/dev/stderr").map_or_else(|_| Stdio::inherit(), Stdio::from)
}

fn named(path: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

/// What the engine has decided about the environment of programs that are not its own.
#[derive(Debug)]
pub struct Surroundings {
    /// Variables of this program's environment that commands do not get.
    pub withheld: Vec<&'static str>,
    /// A variable and its value: what a program with it leaves behind is not ended.
    pub kept: (&'static str, &'static str),
}

/// See there. The program sets it before it starts a command.
pub static SURROUNDINGS: OnceLock<Surroundings> = OnceLock::new();

impl Call {
    /// The command, without input and output, before its `iteration`th run.
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
        // The engine's own, of no use to a command.
        command.env_remove("DERNY_COMMANDS").env_remove("DERNY_REPLIES");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The same of a command that surrounds others: what it leaves behind may be what it is for.
    pub fn lasting_command(&self, iteration: Option<&str>) -> Command {
        let mut command = self.command(iteration);
        if let Some(Surroundings { kept: (name, value), .. }) = SURROUNDINGS.get() {
            command.env(name, value);
        }
        command
    }

    /// Why it cannot be started, and what to try.
    pub fn not_started(&self, why: &io::Error) -> String {
        let program = self.words.first().map_or("", String::as_str);
        let advice = match why.kind() {
            io::ErrorKind::NotFound if !self.directory.is_dir() => {
                return format!(
                    "`{}` cannot be started: there is no folder {}",
                    self.text,
                    self.directory.display()
                );
            }
            io::ErrorKind::NotFound => "its full path; without -N, a shell knows its own commands too",
            io::ErrorKind::PermissionDenied => "chmod +x, or the interpreter before the file",
            _ => "the same line in a shell",
        };
        format!("`{}` cannot be started: {program}: {why}\n  try    {advice}", self.text)
    }
}
