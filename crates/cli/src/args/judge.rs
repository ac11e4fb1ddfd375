//! Arguments of the verbs that compare results and set the exit code.

use super::format::{Format, OF_A_COMPARISON};
use super::global::ADVANCED;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Selection among the available cases.
#[derive(Debug, Clone, Default, Args)]
pub struct Narrow {
    /// Exclude cases that match
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Only cases with this value of a parameter; repeat for several
    #[arg(short, long = "param", value_name = "KEY=VALUE")]
    pub param: Vec<String>,
}

/// How to judge and show differences.
#[derive(Debug, Clone, Default, Args)]
pub struct JudgeArgs {
    /// Changes within this share do not matter, such as 1% [default: that of the run's own gate, else of
    /// [gate], else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// The same for mean time [default: that of the run's own gate, else of [gate], else of the run, else the
    /// larger of the margin and 2%]
    #[arg(long, value_name = "SHARE", help_heading = ADVANCED)]
    pub mean_margin: Option<String>,
    /// Exit with 1 if a case is worse by more than the margin, with 5 if that is unclear or a case was not
    /// measured or could not be judged
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Show results in the style of another tool, followed by Derny's verdict
    #[arg(long, value_name = "VIEW", help_heading = ADVANCED)]
    pub view: Option<View>,
    /// Omit the lines above the rows
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
    /// A line `name key=value: rate` per case as Node.js's `run.js` prints it, for one run.
    Plain,
}

/// How `derny compare` judges and prints.
#[derive(Debug, Clone, Args)]
pub struct VerdictArgs {
    /// Selected cases.
    #[command(flatten)]
    pub narrow: Narrow,
    /// Confidence of intervals, such as 95 or 0.95 [default: that of the run's own gate, else of [gate], else
    /// of the base]
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<String>,
    /// Judge only this: time, or a metric's name
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<String>,
    /// How to judge.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Form of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_COMPARISON))]
    pub format: Format,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `derny compare`.
#[derive(Debug, Clone, Args)]
pub struct CompareArgs {
    /// Runs: ids, baselines, `last`, with `:VARIANT` for one of their variants, files that Derny wrote, or
    /// `-` for standard input, or files of other tools. The first is the base. Then names, words or files of
    /// cases [default: the variants of the last run, else the last run against the one before]
    #[arg(value_name = "BASE NEW PATTERN")]
    pub words: Vec<String>,
    /// Judge by [gate] of derny.toml, or by the gate of the run, for an exit code
    ///
    /// Without a BASE, that of [gate] is the base, unless the run has variants. All words are runs. One alone
    /// is the run to judge; without one, the last run is. Undecided verdicts fail too, unless `--fail-on` or
    /// [gate] says which fail.
    #[arg(long)]
    pub gate: bool,
    /// Selected cases, terms and format.
    #[command(flatten)]
    pub verdict: VerdictArgs,
}
