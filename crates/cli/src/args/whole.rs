//! Arguments of `derny try`. The hyperfine 1.20 options that Derny supports come first, with the same
//! letters. Derny's own options follow.

use super::format::{Format, OF_EVENTS};
use super::global::ADVANCED;
use super::judge::JudgeArgs;
use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Heading of the options for input and output of commands.
const STREAMS: &str = "Input and output of commands";
/// Heading of the options for hyperfine's output files.
const EXPORTS: &str = "Exports, as hyperfine writes them";

/// Heading of the options for figures that commands print.
const FIGURES: &str = "Printed figures";

/// Figures that commands print.
#[derive(Debug, Clone, Default, Args)]
pub struct FigureArgs {
    /// Judge figures that commands print, not times
    ///
    /// `metric` reads lines METRIC name=value of standard output. `regex:NAME=PATTERN` reads the group of
    /// a pattern. `json:FILE:PATH` reads a path such as a.b[0] in a file that the command writes, or in
    /// standard output if FILE is -. `file:FILE` reads a file with such lines, or with one number.
    #[arg(long, value_name = "SPEC", help_heading = FIGURES)]
    pub metric_from: Vec<String>,
    /// Direction of a figure, as in qps:higher or p99:ms:lower
    ///
    /// The form is NAME[:UNIT]:higher or NAME[:UNIT]:lower. A figure without a direction gets no verdict.
    #[arg(long, value_name = "FIGURE", requires = "metric_from", help_heading = FIGURES)]
    pub metric: Vec<String>,
}

/// `derny try`.
#[derive(Debug, Clone, Args)]
#[command(version)]
pub struct TryArgs {
    /// The commands; the first is the base of the comparison
    #[arg(value_name = "COMMAND", required = true)]
    pub commands: Vec<String>,
    /// Run each command NUM times before measuring it; at least once
    #[arg(short = 'w', long = "warmup", value_name = "NUM")]
    pub warmup_runs: Option<u32>,
    /// Measure at most NUM runs of each command; fewer if the verdict is clear earlier
    #[arg(short = 'M', long, value_name = "NUM", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_runs: Option<u32>,
    /// Run CMD once before all runs of a command
    ///
    /// Derny alternates commands, so different set-ups need --copy. A set-up that all commands share runs
    /// only once.
    #[arg(short = 's', long, value_name = "CMD")]
    pub setup: Option<String>,
    /// Run each command in its own copy of the folder, or of the repository around it
    #[arg(long)]
    pub copy: bool,
    /// Measure this command too, as the base
    #[arg(long, value_name = "CMD")]
    pub reference: Option<String>,
    /// Name of the reference
    #[arg(long, value_name = "NAME", requires = "reference")]
    pub reference_name: Option<String>,
    /// Run CMD before each run, untimed; give one CMD for all commands, or one for each
    #[arg(long, value_name = "CMD")]
    pub prepare: Vec<String>,
    /// Run CMD after each run, untimed; give one CMD for all commands, or one for each
    #[arg(long, value_name = "CMD")]
    pub conclude: Vec<String>,
    /// Run CMD after all runs of a command; commands with the same CMD run it only once
    #[arg(short = 'c', long, value_name = "CMD")]
    pub cleanup: Option<String>,
    /// Replace {VAR} with each value from MIN to MAX
    #[arg(short = 'P', long, value_names = ["VAR", "MIN", "MAX"], num_args = 3, allow_hyphen_values = true)]
    pub parameter_scan: Vec<String>,
    /// Step of --parameter-scan; required for numbers with decimals
    #[arg(short = 'D', long, value_name = "DELTA", requires = "parameter_scan", allow_hyphen_values = true)]
    pub parameter_step_size: Option<String>,
    /// Replace {VAR} with each of these values, separated by commas; repeat for all combinations
    #[arg(short = 'L', long, value_names = ["VAR", "VALUES"], num_args = 2, conflicts_with = "parameter_scan")]
    pub parameter_list: Vec<String>,
    /// Shell that runs commands: `default` (sh) or `none`; its start time is subtracted
    #[arg(short = 'S', long, value_name = "SHELL")]
    pub shell: Option<String>,
    /// The same as --shell=none
    #[arg(short = 'N', conflicts_with = "shell")]
    pub no_shell: bool,
    /// Accept exit statuses other than 0: all, or those listed, separated by commas
    #[arg(short = 'i', long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "all-non-zero")]
    pub ignore_failure: Option<String>,
    /// Name of a command; repeat for the next commands
    #[arg(short = 'n', long, value_name = "NAME")]
    pub command_name: Vec<String>,
    /// Whether to show colour and progress, by hyperfine's names
    #[arg(long, value_name = "TYPE", default_value = "auto", hide_default_value = true)]
    pub style: OutputStyle,
    /// Write comma-separated values, in seconds
    #[arg(long, value_name = "FILE", conflicts_with = "metric_from", help_heading = EXPORTS)]
    pub export_csv: Option<PathBuf>,
    /// Write every run as JSON, in seconds
    #[arg(long, value_name = "FILE", conflicts_with = "metric_from", help_heading = EXPORTS)]
    pub export_json: Option<PathBuf>,
    /// Write a table in Markdown
    #[arg(long, value_name = "FILE", conflicts_with = "metric_from", help_heading = EXPORTS)]
    pub export_markdown: Option<PathBuf>,
    /// Show the output of commands, on standard error
    #[arg(long, conflicts_with_all = ["output", "metric_from"], help_heading = STREAMS)]
    pub show_output: bool,
    /// Destination of standard output: null, pipe, inherit (same as --show-output) or a FILE; give one for
    /// all commands, or one for each
    #[arg(long, value_name = "WHERE", conflicts_with = "metric_from", help_heading = STREAMS)]
    pub output: Vec<String>,
    /// Source of standard input: null or a FILE
    #[arg(long, value_name = "WHERE", default_value = "null", hide_default_value = true, help_heading = STREAMS)]
    pub input: PathBuf,
    /// Minimum measuring time of each command, in seconds
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub min_benchmarking_time: Option<f64>,
    /// Time limit of a run, after which its command is ended, such as 30s [default: none]
    #[arg(long = "timeout", value_name = "TIME")]
    pub run_timeout: Option<String>,
    /// Time per case [default: the time of 20 runs of each command, but at least 3s]
    #[arg(long = "budget", value_name = "TIME")]
    pub time: Option<String>,
    /// The setting `total`.
    #[arg(long, value_name = "TIME")]
    pub total: Option<String>,
    /// Change a setting, as in precision=2%: precision, confidence, pin, metrics or memory; repeat for
    /// several
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Figures to judge.
    #[command(flatten)]
    pub figures: FigureArgs,
    /// Measure the base against itself too: any difference is noise
    #[arg(long, help_heading = ADVANCED)]
    pub control: bool,
    /// Continue until the precision is reached, even after a verdict
    #[arg(long)]
    pub precise: bool,
    /// Name the run
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// A note to store with the run
    #[arg(long, value_name = "TEXT", help_heading = ADVANCED)]
    pub note: Option<String>,
    /// Do not wait for other measurements on this machine
    #[arg(long, env = "DERNY_NO_QUEUE", value_parser = FalseyValueParser::new(), help_heading = ADVANCED)]
    pub no_queue: bool,
    /// Format of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_EVENTS))]
    pub format: Format,
    /// How to judge differences.
    #[command(flatten)]
    pub judge: JudgeArgs,
}

/// Colour and progress, by hyperfine's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputStyle {
    /// Colour and progress on a terminal only.
    Auto,
    /// Neither colour nor progress.
    Basic,
    /// Both colour and progress.
    Full,
    /// Progress without colour.
    Nocolor,
    /// Colour without progress.
    Color,
    /// No output at all.
    None,
}
