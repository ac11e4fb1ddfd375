//! Arguments of `derny history`.

use super::history_import::HistoryImportArgs;
use super::judge::{FailOn, Narrow};
use super::measure::{PairArgs, Selection};
use super::picture::LookArgs;
use super::site::SiteArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `derny history`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct HistoryArgs {
    /// The subcommand; without one, show the history.
    #[command(subcommand)]
    pub verb: Option<HistoryVerb>,
    /// What to show.
    #[command(flatten)]
    pub show: ShowHistoryArgs,
}

/// Subcommands of `derny history`.
#[derive(Debug, Clone, Subcommand)]
pub enum HistoryVerb {
    /// Measure suspected changes: are they changes of the code?
    Confirm(Box<ConfirmArgs>),
    /// Measure what accumulated since the last release and since a week ago
    Creep(Box<CreepArgs>),
    /// Add results of other tools, such as folders with the results of many commits
    Import(HistoryImportArgs),
    /// Set the state of a change: accepted or fixed
    Mark(MarkArgs),
    /// Write a static site, for GitHub Pages or another host
    Site(SiteArgs),
}

/// `derny history creep`.
#[derive(Debug, Clone, Args)]
pub struct CreepArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Compare with this tag, commit or age, such as v1.0 or 30d; repeat for several [default: the last
    /// tag before the head, and 1w]
    #[arg(long, value_name = "REV|AGE")]
    pub against: Vec<String>,
    /// Commit to measure [default: the checked-out one]
    #[arg(long, value_name = "REV")]
    pub head: Option<String>,
    /// Smallest change that matters, such as 1% [default: [gate] in derny.toml, else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// Exit with 1 if a case is worse by more than the margin, with 5 if that is unclear or a case could
    /// not be measured or judged
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// How to measure each pair.
    #[command(flatten)]
    pub pair: PairArgs,
}

/// `derny history confirm`.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfirmArgs {
    /// Cases: names or words of names; a word A..B is a pair of commits to measure instead of suspected
    /// changes [default: all]
    #[arg(value_name = "PATTERN")]
    pub words: Vec<String>,
    /// Include changes that are marked as caused by the machine
    #[arg(long)]
    pub machine: bool,
    /// Suspect smaller and less certain changes too
    #[arg(long)]
    pub sensitive: bool,
    /// Branch whose commits order the points [default: the current one]
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// Smallest change that matters with A..B, such as 1% [default: [gate] in derny.toml, else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// Exit with 1 if a change for the worse is confirmed
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// How to measure each pair.
    #[command(flatten)]
    pub pair: PairArgs,
}

/// `derny history mark`.
#[derive(Debug, Clone, Args)]
pub struct MarkArgs {
    /// First commit after the change
    #[arg(value_name = "COMMIT")]
    pub commit: String,
    /// Cases: names or words of names
    #[arg(value_name = "PATTERN", required = true)]
    pub patterns: Vec<String>,
    /// New state of the change
    #[arg(long = "as", value_name = "STATE")]
    pub state: MarkState,
    /// Figure of the change: time, mean, or a metric
    #[arg(short, long, value_name = "NAME", default_value = "time")]
    pub metric: String,
    /// Note about the change
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// Branch whose commits order the points [default: the current one]
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
}

/// States of a change that users set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MarkState {
    /// The change is intended.
    Accepted,
    /// A later commit has fixed it.
    Fixed,
}

/// What to show of the history.
#[derive(Debug, Clone, Args)]
pub struct ShowHistoryArgs {
    /// Cases: names or words of names [default: all]
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Selected cases.
    #[command(flatten)]
    pub narrow: Narrow,
    /// Figure to show: time, mean, or a metric
    #[arg(short, long, value_name = "NAME", default_value = "time")]
    pub metric: String,
    /// Omit points before a date (2026-01-31), an age (90d, 6w), or a tag or commit
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Show the changes against this release or age that `derny history creep` measured
    #[arg(long, value_name = "REV|AGE")]
    pub against: Option<String>,
    /// Branch whose commits order the points [default: the current one]
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// Include uncommitted changes, and sides of comparisons
    #[arg(long)]
    pub apart: bool,
    /// How a picture looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// Format of the result [default: from the output's name, else table]
    #[arg(short, long, value_name = "FORMAT")]
    pub format: Option<HistoryFormat>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Formats of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// A line for each case; with one case, a line for each point.
    Table,
    /// The changes as a Markdown table, for an issue.
    #[value(alias = "md")]
    Markdown,
    /// A row for each point.
    Csv,
    /// One JSON document.
    Json,
    /// A picture: scalable lines and text.
    Svg,
    /// A picture: pixels, at twice the requested size.
    Png,
}
