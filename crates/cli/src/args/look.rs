//! Arguments of the verbs that show or manage stored runs.

use super::format::{Format, OF_A_COMPARISON, OF_A_RUN, OF_ROWS};
use super::judge::{Narrow, View};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// A stored run, and a selection of its cases.
#[derive(Debug, Clone, Default, Args)]
pub struct Stored {
    /// A run: an id or its beginning, a baseline, `last`, `last~1`, a file that Derny wrote, or `-` for
    /// standard input; `:VARIANT` selects one of its variants [default: last]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// Cases of the run: names, words of names, or benchmark files
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Selected cases.
    #[command(flatten)]
    pub narrow: Narrow,
    /// Extract parameters from benchmark names, as in 'Hash {file} by {chunk}' [default: from the run]
    #[arg(long, value_name = "TEMPLATE")]
    pub name_template: Option<String>,
}

/// `derny show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// Runs and cases to show.
    #[command(flatten)]
    pub stored: Stored,
    /// Show results in the style of another tool
    #[arg(long, value_name = "VIEW", conflicts_with = "case")]
    pub view: Option<View>,
    /// Show a regression, as criterion's `--regress` does, such as allocated:iters; repeat for several
    #[arg(long, value_name = "RESPONDER:PREDICTOR,...", requires = "view")]
    pub regress: Vec<String>,
    /// Show everything about each case: distribution, processes, all warnings
    #[arg(long, visible_alias = "details")]
    pub case: bool,
    /// Show how the run spent its time: launches, warm-up, measured turns, everything else
    #[arg(long, conflicts_with_all = ["case", "view"])]
    pub stats: bool,
    /// Format of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_COMPARISON))]
    pub format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `derny runs`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RunsArgs {
    /// The subcommand; without one, list.
    #[command(subcommand)]
    pub verb: Option<RunsVerb>,
    /// Options of the list.
    #[command(flatten)]
    pub list: ListRunsArgs,
}

/// `derny runs list`.
#[derive(Debug, Clone, Args)]
pub struct ListRunsArgs {
    /// Maximum number of runs to list
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Format of the list
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_ROWS))]
    pub format: Format,
}

/// Subcommands for stored runs.
#[derive(Debug, Clone, Subcommand)]
pub enum RunsVerb {
    /// List the newest runs
    List(ListRunsArgs),
    /// Delete runs, and their diagnoses
    Delete {
        /// Runs to delete: ids or their beginnings, baselines, `last`, `last~1`
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<String>,
        /// Delete the run even if it is a baseline
        #[arg(long)]
        force: bool,
    },
    /// Set the note of a run; an empty text removes it
    Note {
        /// The run
        #[arg(value_name = "RUN")]
        run: String,
        /// The note
        #[arg(value_name = "TEXT")]
        text: String,
    },
    /// Reduce the raw data of old runs to one value per turn, and delete their diagnoses; skips
    /// baselines, runs with a note and the newest runs
    Prune {
        /// Prune only while the store is larger than this, such as 1G
        #[arg(long, value_name = "SIZE", default_value = "0")]
        above: String,
        /// Number of newest runs to skip
        #[arg(long, value_name = "N", default_value_t = 20)]
        keep: u32,
    },
    /// Copy all runs with their data into another store; runs that exist there are skipped or completed
    Copy(CopyArgs),
    /// Name stored runs to compare against
    Baseline(BaselineArgs),
}

/// `derny runs copy`.
#[derive(Debug, Clone, Args)]
pub struct CopyArgs {
    /// The store to copy: a folder, or postgresql://USER@HOST/NAME
    #[arg(value_name = "FROM")]
    pub from: PathBuf,
    /// The store to copy into; it is created if necessary
    #[arg(value_name = "TO")]
    pub to: PathBuf,
}

/// `derny runs baseline`.
#[derive(Debug, Clone, Args)]
pub struct BaselineArgs {
    /// The subcommand; without one, list.
    #[command(subcommand)]
    pub verb: Option<BaselineVerb>,
}

/// Subcommands for baselines.
#[derive(Debug, Clone, Subcommand)]
pub enum BaselineVerb {
    /// Give a run a name
    Set {
        /// The name
        #[arg(value_name = "NAME")]
        name: String,
        /// The run
        #[arg(value_name = "RUN", default_value = "last")]
        run: String,
    },
    /// List all names
    List {
        /// Format of the list
        #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_ROWS))]
        format: Format,
    },
    /// Remove a name, but keep its run
    Remove {
        /// The name
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// `derny export`.
#[derive(Debug, Clone, Args)]
pub struct ExportArgs {
    /// Runs and cases to export.
    #[command(flatten)]
    pub stored: Stored,
    /// Write one row per batch, in time order
    #[arg(long)]
    pub raw: bool,
    /// Export only this variant; files of most other tools contain only one
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Base for node-compare: a run or a baseline
    #[arg(long, value_name = "BASELINE")]
    pub against: Option<String>,
    /// For criterion-json: add a regression, as criterion's `--regress` does, such as allocated:iters;
    /// repeat for several
    #[arg(long, value_name = "RESPONDER:PREDICTOR,...")]
    pub regress: Vec<String>,
    /// Format: csv or ndjson with --raw, otherwise that of another tool
    #[arg(short, long, value_name = "FORMAT", default_value = "csv")]
    pub format: ExportFormat,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Formats of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Raw rows with a header.
    Csv,
    /// One JSON object per raw row.
    Ndjson,
    /// The JSON report of Haskell's criterion.
    CriterionJson,
    /// The CSV of Haskell's criterion.
    CriterionCsv,
    /// The CSV of Node's compare.js, for compare.R: the variants of a run, or a run against `--against`.
    NodeCompare,
    /// The CSV of Node's run.js.
    NodeRun,
    /// The CSV of Node's scatter.js, for scatter.R: one benchmark.
    NodeScatter,
    /// A snapshot of Elixir's Benchfella.
    Benchfella,
    /// Output of Go's `go test -bench`, one line per process, for benchstat.
    Benchfmt,
    /// The JSON of hyperfine, for its scripts.
    Hyperfine,
    /// The JSON of JMH, for jmh-visualizer.
    Jmh,
    /// Input of github-action-benchmark as customSmallerIsBetter.
    GithubActionBenchmark,
    /// Bencher Metric Format.
    Bmf,
    /// The text format of Prometheus.
    Openmetrics,
    /// A baseline of Erlang's rebar3_bench, with names such as `bench_x`.
    Rebar3Bench,
    /// A rebar3_bench baseline for --callback-style new, with names such as `x`.
    Rebar3BenchNew,
}

/// `derny import`.
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// Files of other tools, or `-` for one on standard input; each becomes a stored run
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Format of the files [default: detected]
    #[arg(short, long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<String>,
    /// Suite name for the imported cases [default: from the file]
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    /// Extract parameters from benchmark names, as in 'Hash {file} by {chunk}'
    #[arg(long, value_name = "TEMPLATE")]
    pub name_template: Option<String>,
    /// Name the run
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// A note to store with the run
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// Names of the importers, each with a line of help.
pub(super) fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(
        derny_import::FORMATS.map(|format| PossibleValue::new(format.name).help(format.about)),
    )
}

/// `derny plot scaling`.
#[derive(Debug, Clone, Args)]
pub struct ScalingArgs {
    /// Runs and cases to analyse.
    #[command(flatten)]
    pub stored: Stored,
    /// The parameter to follow; its values must be numbers, or sizes such as 64 KiB or 2^23
    #[arg(long, value_name = "PARAM")]
    pub over: String,
    /// Draw one curve for each value of this parameter; repeat for several. Points are means over all others
    #[arg(long, value_name = "PARAM")]
    pub by: Vec<String>,
    /// Logarithmic axes, to base 2 or 10
    #[arg(long, value_name = "BASE", num_args = 0..=1, default_missing_value = "2", require_equals = true, value_parser = clap::value_parser!(u32).range(2..=10))]
    pub log: Option<u32>,
    /// The metric to follow instead of time
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Smallest change that matters
    #[arg(long, value_name = "SHARE", default_value = "1%")]
    pub margin: String,
    /// Confidence level of intervals, such as 95 or 0.95 [default: from the run]
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<String>,
    /// Format of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_RUN))]
    pub format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
