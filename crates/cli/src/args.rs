//! The command line as clap types, with one `Args` struct per verb. `--help`, completions and manual pages
//! are all generated from these. The code of each verb is in `commands/`.

mod bisect;
mod candidate;
mod fleet;
mod format;
mod global;
mod help;
mod history;
mod history_import;
mod judge;
mod look;
mod measure;
mod picture;
mod site;
mod whole;

pub use bisect::*;
pub use candidate::*;
pub use fleet::*;
pub use format::{Format, OF_A_COMPARISON, OF_EVENTS};
pub use global::*;
pub use help::*;
pub use history::*;
pub use history_import::*;
pub use judge::*;
pub use look::*;
pub use measure::*;
pub use picture::*;
pub use site::*;
pub use whole::*;

use clap::{Parser, Subcommand};

/// Last paragraph of the help.
pub const EXIT_CODES: &str = "Exit codes: 0 done; 1 worse by more than the margin (--gate, --fail-on); 2 usage, configuration or internal error; \
    3 a benchmark or harness failed (the results of the others are stored); 4 nothing matched; 5 undecided (--gate, --fail-on unclear), or not \
    measured as requested; 130 interrupted (what was measured is stored)";

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
    /// Is my change slower? Compare the working tree with a revision
    Diff(Box<DiffArgs>),
    /// Run benchmarks, store the run, print the summary
    Run(Box<RunArgs>),
    /// Compare shell commands; takes options of hyperfine
    Try(Box<TryArgs>),
    /// Decide whether to keep a candidate, for people and optimisation agents
    Judge(Box<CandidateArgs>),
    /// Find the commit that changed a case
    Bisect(Box<BisectArgs>),
    /// Show a stored run
    Show(ShowArgs),
    /// Compare variants, runs, baselines or files
    Compare(CompareArgs),
    /// Write stored results as a page for a browser
    Report(ReportArgs),
    /// Draw stored results: boxes, intervals, curves, distributions, turns
    Plot(Box<PlotArgs>),
    /// Show results over commits
    History(Box<HistoryArgs>),
    /// Show cases without running them
    List(ListArgs),
    /// Write derny.toml and a first benchmark
    Init(InitArgs),
    /// Check whether this machine is fit to measure
    Doctor(DoctorArgs),
    /// List, delete, annotate, prune and copy stored runs, and name baselines
    Runs(RunsArgs),
    /// Store results that other tools wrote
    Import(ImportArgs),
    /// Write files of other tools, or every batch
    Export(ExportArgs),
    /// Show every setting and its origin
    Config(Box<ConfigArgs>),
    /// Serve these verbs as tools to an agent, by MCP over standard input and output
    ///
    /// The tools are `diff`, `judge`, `run`, `list`, `show`, `doctor` and `explain`. Each call runs this
    /// program in the project's folder and returns verdicts, changes and intervals. Paths outside the project
    /// are refused. A call that measures waits for the one before it, and ends after 15 minutes or its own
    /// `timeout`.
    Mcp,
    /// Divide one measurement among several machines
    Fleet(FleetArgs),
    /// Tools for authors of harnesses, editors and shells
    Dev(DevArgs),
}

/// Returns the heading under which `derny help all` lists a verb.
pub fn group_of(verb: &str) -> &'static str {
    match verb {
        "runs" | "import" | "export" | "config" => "Stored results and settings",
        "fleet" => "Several machines",
        "mcp" => "Agents",
        "dev" => "Harnesses, editors and shells",
        _ => "Every day",
    }
}
