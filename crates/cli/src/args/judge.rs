//! Arguments of the verbs that compare results and set the exit code.

use super::format::{Format, OF_A_COMPARISON};
use super::global::ADVANCED;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Selection among the available cases.
#[derive(Debug, Clone, Default, Args)]
pub struct Narrow {
    /// Exclude matching cases
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Only cases with this value of a parameter; repeat for several
    #[arg(short, long = "param", value_name = "KEY=VALUE")]
    pub param: Vec<String>,
}

/// How to judge and show differences.
#[derive(Debug, Clone, Default, Args)]
pub struct JudgeArgs {
    /// Smallest change that matters, such as 1% [default: from the run's gate, else [gate] in derny.toml,
    /// else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// Smallest change of mean time that matters [default: from the run's gate, else [gate] in
    /// derny.toml, else the run's settings, else the larger of the margin and 2%]
    #[arg(long, value_name = "SHARE", help_heading = ADVANCED)]
    pub mean_margin: Option<String>,
    /// Exit with 1 if a case is worse by more than the margin, with 5 if that is unclear or a case could
    /// not be measured or judged
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Show results in the style of another tool, followed by Derny's verdict
    #[arg(long, value_name = "VIEW", help_heading = ADVANCED)]
    pub view: Option<View>,
    /// Omit the header lines
    #[arg(long, help_heading = ADVANCED)]
    pub no_header: bool,
}

/// Verdicts that can fail a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Worse by more than the margin.
    #[value(name = "slower", alias = "worse")]
    Worse,
    /// Neither worse nor shown to be harmless.
    Unclear,
}

/// Views in the style of other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// The columns of Node.js's `compare.R`, for comparisons.
    Node,
    /// The blocks of Haskell's criterion, for one run; its regression needs `run --set ladder=yes`.
    Criterion,
    /// The blocks of ministat.
    Ministat,
    /// A line `name key=value: rate` for each case, as Node.js's `run.js` prints it, for one run.
    Plain,
}

/// How `derny compare` judges and prints.
#[derive(Debug, Clone, Args)]
pub struct VerdictArgs {
    /// Selected cases.
    #[command(flatten)]
    pub narrow: Narrow,
    /// Confidence level of intervals, such as 95 or 0.95 [default: from the run's gate, else
    /// [gate] in derny.toml, else the base's settings]
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<String>,
    /// Judge only this metric, such as time
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<String>,
    /// How to judge.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Format of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_COMPARISON))]
    pub format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `derny compare`.
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// Runs: ids, baselines, `last`, files of Derny or of other tools, or `-` for standard input;
    /// `:VARIANT` selects one of a run's variants. The first run is the base. Names, words or files of
    /// cases may follow [default: the variants of the last run, else the last run against the one before]
    #[arg(value_name = "BASE NEW PATTERN")]
    pub words: Vec<String>,
    /// Set the exit code by [gate] of derny.toml, or by the run's own gate
    ///
    /// All words are runs. A single word is the run to judge; without any, it is the last run. Without
    /// BASE, the base is the one of [gate], unless the run has variants. Undecided verdicts fail too,
    /// unless `--fail-on` or [gate] lists the verdicts that fail.
    #[arg(long)]
    pub gate: bool,
    /// Selected cases, terms and format.
    #[command(flatten)]
    pub verdict: VerdictArgs,
}
