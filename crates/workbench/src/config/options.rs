//! Options of a command as plain data, independent of flags and command-line syntax.

use std::path::PathBuf;

/// The place where a session runs, and the options that apply to all of its commands.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// Absolute directory that paths and patterns are relative to. The project is the one that contains it.
    pub directory: PathBuf,
    /// The configuration file to read instead of the nearest `derny.toml`.
    pub config: Option<PathBuf>,
    /// True to ignore configuration files.
    pub no_config: bool,
    /// Folder of the store, or the address of its server. Without one, the configuration decides. The
    /// default is `.derny` in the project.
    pub store: Option<PathBuf>,
    /// Seed for all random choices. Derived from the clock if absent.
    pub seed: Option<u64>,
    /// True to copy the output of harnesses to standard error.
    pub echo: bool,
    /// True to print every protocol line on standard error.
    pub trace: bool,
    /// The command line of the caller. It is stored with every run, for readers and to resume the run.
    pub words: Vec<String>,
}

/// The cases to measure, and the arguments for their programs.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Names, words of names, `key=value`, globs, or paths of benchmark files and folders.
    pub patterns: Vec<String>,
    /// Patterns of cases to exclude.
    pub exclude: Vec<String>,
    /// `KEY=VALUE`: values to use for a parameter instead of the benchmarks' own.
    pub params: Vec<String>,
    /// Launch line of a harness. If empty, Derny discovers the programs.
    pub command: Vec<String>,
    /// Name of the suite for the cases of `command`. By default the name of its program.
    pub suite: Option<String>,
    /// Arguments for the programs of the suites, after those of the configuration.
    pub args: Vec<String>,
    /// Arguments for the builds of the suites, after those of the configuration.
    pub build_args: Vec<String>,
    /// Number of calls of each case's body in which harnesses record coverage. None to record none.
    pub cover: Option<u32>,
}

/// Restrictions on the cases of stored runs.
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    /// Patterns of cases to exclude.
    pub exclude: Vec<String>,
    /// `KEY=VALUE`: keep only cases with one of these values.
    pub params: Vec<String>,
}

/// A stored run and a selection of its cases.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    /// Id of the run or a prefix of it, a baseline, `last`, a file, or `-` for standard input. Any other word
    /// is a pattern. By default the last run.
    pub run: Option<String>,
    /// Patterns of cases: names, parts of names, `key=value`, globs or files.
    pub patterns: Vec<String>,
    /// Further restrictions on the cases.
    pub narrow: Narrow,
    /// Template that extracts parameters from names. By default the run's own.
    pub name_template: Option<String>,
}

/// Settings from the command line. They take precedence over every file and variable.
#[derive(Debug, Clone, Default)]
pub struct Stated {
    /// Name of the `[profile.NAME]` table to apply.
    pub profile: Option<String>,
    /// Pairs of a key from [`KEYS`](crate::config::settings::KEYS) and its value as typed.
    pub values: Vec<(&'static str, String)>,
    /// Values as `KEY=VALUE`. They take precedence over `values`.
    pub set: Vec<String>,
}

impl Stated {
    /// Returns true if the command line sets `key`.
    pub fn has(&self, key: &str) -> bool {
        let is_set = |text: &String| text.split_once('=').is_some_and(|(name, _)| name == key);
        self.values.iter().any(|(name, _)| *name == key) || self.set.iter().any(is_set)
    }
}
