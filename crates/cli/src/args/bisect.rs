//! Arguments of `derny bisect`.

use super::format::{Format, OF_ROWS};
use super::measure::{PairArgs, Selection};
use clap::Args;
use std::path::PathBuf;

/// `derny bisect`.
#[derive(Debug, Clone, Args)]
pub struct BisectArgs {
    /// Range of commits: GOOD lacks the change, and BAD has it. By default, BAD is the checked-out commit
    ///
    /// The search follows the first parents of merge commits, and measures each commit in a worktree. Both
    /// ends are revisions, so uncommitted changes do not count.
    #[arg(value_name = "GOOD..BAD")]
    pub range: String,
    /// Selection of exactly one case.
    #[command(flatten)]
    pub select: Selection,
    /// Bisect this metric instead of typical time, such as `mean` or `alloc`
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Smallest change that matters, such as 1% [default: [gate] in derny.toml, else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// Forget the measurements of this bisection, and start over
    #[arg(long)]
    pub reset: bool,
    /// Retry commits that could not be measured
    #[arg(long, conflicts_with = "reset")]
    pub retry: bool,
    /// Format of the answer
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_ROWS))]
    pub format: Format,
    /// Write the answer to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How to measure each pair.
    #[command(flatten)]
    pub pair: PairArgs,
}
