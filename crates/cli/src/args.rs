//! The command line as clap types, with one `Args` struct per verb. `--help`, completions and manual pages
//! are all generated from here; `commands/` contains what a verb does.

mod fleet;
mod format;
mod global;
mod help;
mod judge;
mod look;
mod measure;
mod picture;
mod whole;

pub use fleet::*;
pub use format::Format;
pub use global::*;
pub use help::*;
pub use judge::*;
pub use look::*;
pub use measure::*;
pub use picture::*;
pub use whole::*;

use clap::{Parser, Subcommand};

/// Last paragraph of the help.
const EXIT_CODES: &str = "Exit codes: 0 done; 1 worse by more than the margin (gate, --fail-on); 2 usage, configuration or internal error; \
    3 a benchmark or harness failed (the results of the others are stored); 4 nothing matched; 5 undecided (gate, --fail-on unclear), or not \
    measured what was asked for; 130 interrupted (what was measured is stored)";

/// One microbenchmarking system for every language.
///
/// Derny answers: did my change make this faster or slower, by how much, and can I trust the answer?
#[derive(Debug, Parser)]
#[command(
    name = "derny",
    version,
    max_term_width = 100,
    after_help = EXIT_CODES,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// Options of every verb.
    #[command(flatten)]
    pub global: Global,
    /// The verb.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Is my change slower? Measure the working tree against a revision
    Diff(Box<DiffArgs>),
    /// Run benchmarks, store the run, print the summary
    Run(Box<RunArgs>),
    /// Compare shell commands; takes options of hyperfine
    Try(Box<TryArgs>),
    /// Show cases without running them
    List(ListArgs),
    /// Compare variants, runs, baselines or files
    Compare(CompareArgs),
    /// Judge a run against the baseline, for an exit code
    Gate(GateArgs),
    /// Divide a measurement among several machines
    Plan(Box<PlanArgs>),
    /// Measure one shard of a plan, and write its part
    Shard(ShardArgs),
    /// Measure shards of a plan that several machines take from one store
    Worker(WorkerArgs),
    /// Merge the parts into one result, and plan what is undecided
    Merge(MergeArgs),
    /// Write a scheduler's file that measures a plan
    Generate(GenerateArgs),
    /// Show a stored run
    Show(ShowArgs),
    /// Draw stored results: boxes, intervals, curves, distributions, turns, history
    Plot(PlotArgs),
    /// Follow results along a parameter: steps, growth, and outliers
    Scaling(ScalingArgs),
    /// Write stored results as a page for a browser
    Report(ReportArgs),
    /// List, delete, annotate and prune stored runs
    Runs(RunsArgs),
    /// Name stored runs to compare against
    Baseline(BaselineArgs),
    /// Copy stored runs from one store into another
    Store(StoreArgs),
    /// Write files of other tools, or every batch
    Export(ExportArgs),
    /// Store results that other tools wrote
    Import(ImportArgs),
    /// Check whether this machine is fit to measure
    Doctor(DoctorArgs),
    /// Explain a warning or a failure
    Explain(ExplainArgs),
    /// Show every setting and its origin
    Config(Box<ConfigArgs>),
    /// Print the JSON Schema of a format
    Schema(SchemaArgs),
    /// Measure the benchmarks of a running session; harnesses start this in a REPL
    Attach(Box<AttachArgs>),
    /// Write derny.toml and a first benchmark
    Init(InitArgs),
    /// Test a harness against the protocol
    Conform(ConformArgs),
    /// Speak the protocol by hand, to debug a harness
    Protocol(ProtocolArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print a page of the manual
    Man(ManArgs),
}
