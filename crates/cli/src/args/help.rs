//! Arguments of the verbs that help users. None of them runs a benchmark.

use super::format::{Format, OF_ROWS};
use super::measure::{AttachArgs, SettingArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `derny doctor`.
#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// Measure a built-in kernel against itself for two seconds, and report the smallest change that can be
    /// detected here
    #[arg(long)]
    pub noise: bool,
    /// Format of the report
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_ROWS))]
    pub format: Format,
}

/// `derny dev`.
#[derive(Debug, Clone, Args)]
pub struct DevArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub verb: DevVerb,
}

/// Subcommands for harnesses, editors and shells.
#[derive(Debug, Clone, Subcommand)]
pub enum DevVerb {
    /// Explain a warning or a failure
    Explain(ExplainArgs),
    /// Test a harness against the protocol
    Conform(ConformArgs),
    /// Speak the protocol by hand, to debug a harness
    Protocol(ProtocolArgs),
    /// Measure the benchmarks of a running session; harnesses start this in a REPL
    Attach(Box<AttachArgs>),
    /// Print the JSON Schema of a format
    Schema(SchemaArgs),
    /// Print a page of the manual
    Man(ManArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// `derny dev explain`.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// A code such as DY204 [default: list all]
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `derny config`.
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    /// Format of the list
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_ROWS))]
    pub format: Format,
    /// Settings that the command line changes.
    #[command(flatten)]
    pub settings: SettingArgs,
}

/// `derny dev schema`.
#[derive(Debug, Clone, Args)]
pub struct SchemaArgs {
    /// Name of the schema
    #[arg(value_name = "NAME")]
    pub name: SchemaName,
}

/// Formats that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaName {
    /// Output of every command that measures, shows or compares, with -f json
    Result,
    /// Output of `plot scaling -f json`
    Scaling,
    /// One line of `run -f ndjson`
    Events,
    /// Output of `derny fleet plan`
    Plan,
    /// Output of `derny judge -f json`
    Judgement,
    /// Output of `derny bisect -f json`
    Bisection,
    /// An item of the output of `derny history -f json`
    History,
    /// The file derny.toml, for editors
    Config,
}

/// `derny init`.
#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// Languages, such as javascript [default: those found here]
    #[arg(value_name = "LANGUAGE")]
    pub languages: Vec<String>,
    /// Also write a workflow that compares every change with its base
    #[arg(long, value_name = "SERVICE")]
    pub ci: Option<Ci>,
}

/// CI service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    /// GitHub Actions: .github/workflows/benchmarks.yml
    Github,
    /// GitLab CI: .gitlab-ci.yml
    Gitlab,
}

/// `derny dev conform`.
#[derive(Debug, Clone, Args)]
pub struct ConformArgs {
    /// Only cases whose names contain this, or match it as a glob
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// File of expected failures: one case name per line, with the reason after `#`. An expected failure
    /// that passes counts as a failure
    #[arg(long, value_name = "FILE")]
    pub known_failing: Option<PathBuf>,
    /// List the cases and the declarations they need from the harness, without running them
    #[arg(long)]
    pub list: bool,
    /// Time limit for each answer of the harness
    #[arg(long, value_name = "TIME", default_value = "5s")]
    pub timeout: String,
    /// Launch line of the harness's conformance program
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// `derny dev protocol`.
#[derive(Debug, Clone, Args)]
pub struct ProtocolArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub verb: ProtocolVerb,
}

/// Subcommands for using the protocol by hand.
#[derive(Debug, Clone, Subcommand)]
pub enum ProtocolVerb {
    /// Print the lines that the engine would send for these cases, to pipe into a harness
    Send(SendArgs),
}

/// `derny dev protocol send`.
#[derive(Debug, Clone, Args)]
pub struct SendArgs {
    /// Cases, each quoted as one word: 'benchmark key=value'. Without any, list the cases
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// Iterations per batch
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub iterations: u64,
    /// Batches per turn
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub batches: u32,
    /// Turns per case
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub turns: u32,
    /// Time of a turn
    #[arg(long, value_name = "TIME", default_value = "2ms")]
    pub within: String,
    /// Request a single checked call first
    #[arg(long)]
    pub check: bool,
    /// Request a garbage collection before the turns
    #[arg(long)]
    pub collect: bool,
    /// Request a turn of the empty body
    #[arg(long)]
    pub overhead: bool,
}

/// `derny dev completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `derny dev man`.
#[derive(Debug, Clone, Args)]
pub struct ManArgs {
    /// The command, such as `run` or `runs prune` [default: derny itself]
    #[arg(value_name = "COMMAND")]
    pub verb: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    pub all: Option<PathBuf>,
}
