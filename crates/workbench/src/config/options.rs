//! Plain options of the callers. They are independent of flags and of how they were typed.

use std::path::PathBuf;

/// The place of a session, and options for everything that it does.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The directory that paths and patterns are relative to, absolute. The project is found around it.
    pub directory: PathBuf,
    /// The configuration file to read instead of the nearest `derny.toml`.
    pub config: Option<PathBuf>,
    /// Read no configuration file.
    pub no_config: bool,
    /// Folder of the store, or its address on a server. By default the configuration's, else
    /// `.derny` in the project.
    pub store: Option<PathBuf>,
    /// Seed of everything random. By default one from the clock.
    pub seed: Option<u64>,
    /// Pass the output of harnesses on to standard error.
    pub echo: bool,
    /// Print the lines of the protocol on standard error.
    pub trace: bool,
    /// The caller's command line, kept with every run so that it can be understood and resumed.
    pub words: Vec<String>,
}

/// Selection of cases.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Names, words of names, `key=value`, globs, or paths of benchmark files and folders.
    pub patterns: Vec<String>,
    /// Exclude cases that match these.
    pub exclude: Vec<String>,
    /// `KEY=VALUE`: values of parameters instead of the benchmarks' own.
    pub params: Vec<String>,
    /// The launch line of the harness itself. Empty: programs are discovered.
    pub command: Vec<String>,
    /// The suite that its cases belong to. By default it is called after the program.
    pub suite: Option<String>,
    /// Arguments for the suites' own programs, in addition to those of the configuration.
    pub args: Vec<String>,
    /// Arguments for their builds.
    pub build_args: Vec<String>,
}

/// Selection of cases of stored runs.
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    /// Exclude cases that match these.
    pub exclude: Vec<String>,
    /// `KEY=VALUE`: only cases with these values.
    pub params: Vec<String>,
}

/// A stored run and a selection of its cases.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    /// An id or its beginning, a baseline, `last`, a file, `-`, or else a pattern. By default the last run.
    pub run: Option<String>,
    /// Names, words, `key=value`, globs or files of its cases.
    pub patterns: Vec<String>,
    /// The selection of its cases.
    pub narrow: Narrow,
    /// Template that makes parameters of names. By default that of the run.
    pub name_template: Option<String>,
}

/// Settings of the caller. They take precedence over every file and variable.
#[derive(Debug, Clone, Default)]
pub struct Stated {
    /// `[profile.NAME]` of the configuration to use.
    pub profile: Option<String>,
    /// Values as typed, by the names of [`KEYS`](crate::config::settings::KEYS).
    pub values: Vec<(&'static str, String)>,
}
