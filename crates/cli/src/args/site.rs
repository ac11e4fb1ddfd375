//! Arguments of `derny history site`.

use super::judge::Narrow;
use clap::Args;
use std::path::PathBuf;

/// `derny history site`.
#[derive(Debug, Clone, Args)]
pub struct SiteArgs {
    /// Cases: names or words of names [default: all]
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Selected cases.
    #[command(flatten)]
    pub narrow: Narrow,
    /// Folder for the site, created if missing
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Only this figure: time, mean, or a metric [default: all]
    #[arg(short, long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Omit points before a date (2026-01-31), an age (90d, 6w), or a tag or commit
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Branch whose commits order the points [default: the current one]
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// Include uncommitted changes, and sides of comparisons
    #[arg(long)]
    pub apart: bool,
    /// Title [default: the name of the repository]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Address of a commit, with {commit} for its hash [default: that of the repository's host]
    #[arg(long, value_name = "URL")]
    pub commit_url: Option<String>,
    /// Address of the page of a run, with {run} for its id, such as runs/{run}.html
    #[arg(long, value_name = "URL")]
    pub run_url: Option<String>,
}
