//! Arguments of the verbs that draw.

use super::judge::Narrow;
use super::look::{ScalingArgs, Stored};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `derny plot`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct PlotArgs {
    /// The subcommand; without one, draw.
    #[command(subcommand)]
    pub verb: Option<PlotVerb>,
    /// Runs and cases to draw.
    #[command(flatten)]
    pub stored: Stored,
    /// Kind of plot [default: scatter with --over or --by, else box]
    #[arg(short, long, value_name = "KIND")]
    pub kind: Option<PlotKind>,
    /// Parameter of the x axis, or `place` (position of a case in its suite), or a metric [default: the
    /// parameter with the most values, numbers first]
    #[arg(long, value_name = "PARAM")]
    pub over: Option<String>,
    /// Parameter whose values get separate colours
    #[arg(long, value_name = "PARAM")]
    pub by: Option<String>,
    /// Quantity to draw: time, rate, mean, cpu, bytes or items (per second), or a metric
    #[arg(short, long, value_name = "NAME", default_value = "time")]
    pub metric: String,
    /// Draw changes against the first variant of each case instead of values
    #[arg(long)]
    pub relative: bool,
    /// Use logarithmic axes [default: if values differ by a factor of 20]
    #[arg(long, conflicts_with = "linear")]
    pub log: bool,
    /// Use linear axes
    #[arg(long)]
    pub linear: bool,
    /// How the picture looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// Format of the picture [default: from the output's name, else svg]
    #[arg(short, long, value_name = "FORMAT")]
    pub format: Option<PlotFormat>,
    /// Write to this file (.svg, .png) instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How a picture looks.
#[derive(Debug, Clone, Args)]
pub struct LookArgs {
    /// Colours of a picture for a light or dark background
    #[arg(long, value_name = "THEME", default_value = "light")]
    pub theme: Theme,
    /// Size of a picture in pixels: a width, or WIDTHxHEIGHT; with several panels, HEIGHT is the height of
    /// each
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// Title of a picture
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

/// Subcommands for pictures.
#[derive(Debug, Clone, Subcommand)]
pub enum PlotVerb {
    /// Follow results along a parameter: steps, growth, and outliers
    Scaling(ScalingArgs),
}

/// Kinds of plots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlotKind {
    /// A box over the processes of every case and variant.
    Box,
    /// Estimates with their intervals.
    Interval,
    /// Values over a parameter.
    Scatter,
    /// Distribution of turn values.
    Density,
    /// Turns in time order.
    Trace,
}

/// Themes of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// Dark on a light background.
    Light,
    /// Light on a dark background.
    Dark,
}

/// Formats of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlotFormat {
    /// Scalable lines and text.
    Svg,
    /// Pixels, at twice the requested width and height.
    Png,
}

/// `derny report`.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// Runs: ids, baselines, `last`, files that Derny wrote, or `-` for standard input. The first is the
    /// base of the comparison, and the last is shown. Names, words or files of cases may follow [default:
    /// the last run]
    #[arg(value_name = "RUN PATTERN")]
    pub words: Vec<String>,
    /// Selected cases.
    #[command(flatten)]
    pub narrow: Narrow,
    /// Confidence level of a comparison's intervals, such as 95 or 0.95 [default: from the base]
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<String>,
    /// Smallest change that matters, such as 1% [default: from the run's gate, else [gate] in derny.toml,
    /// else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// Smallest change of mean time that matters [default: from the run's gate, else [gate] in
    /// derny.toml, else the run's settings, else the larger of the margin and 2%]
    #[arg(long, value_name = "SHARE")]
    pub mean_margin: Option<String>,
    /// Open the page in a browser; without -o, write it into the folder of the store
    #[arg(long)]
    pub open: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
