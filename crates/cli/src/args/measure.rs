//! Arguments of the verbs that measure, or that show what they would measure.

use super::format::{Format, OF_CASES, OF_EVENTS};
use super::global::ADVANCED;
use super::judge::JudgeArgs;
use super::whole::FigureArgs;
use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Selected cases.
#[derive(Debug, Clone, Default, Args)]
pub struct Selection {
    /// Names or words of names, globs (`*`, `**`), `key=value`, or paths of benchmark files and folders.
    /// A case must match one word of each kind
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Exclude matching cases
    #[arg(long, value_name = "PATTERN", help_heading = ADVANCED)]
    pub exclude: Vec<String>,
    /// Use this parameter value instead of the benchmark's own; repeat for several
    #[arg(short, long = "param", value_name = "KEY=VALUE")]
    pub param: Vec<String>,
    /// Launch line of a harness to measure, instead of searching for benchmark files
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Arguments for programs and builds.
#[derive(Debug, Clone, Default, Args)]
pub struct PassedArgs {
    /// Arguments for the suite's own program, such as 'small.json' for a script; split as in a shell
    ///
    /// They follow `args` of [suite.NAME] in derny.toml. A suite that takes no arguments rejects them.
    /// For arguments of the runtime, use `runtime-args` there, or -x NAME+-FLAG.
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true, help_heading = ADVANCED)]
    pub args: Vec<String>,
    /// Arguments for the suite's build command, such as '--features simd'
    ///
    /// They follow `build-args` of [suite.NAME] in derny.toml. For one side only, use -x NAME+build:FLAG.
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true, help_heading = ADVANCED)]
    pub build_args: Vec<String>,
}

/// Settings of a measurement. Each can also be set at the top of derny.toml, in a profile, or in the
/// environment as `DERNY_` and its name. Their help, including defaults, comes from the table of settings
/// (see `manual`).
#[derive(Debug, Clone, Default, Args)]
pub struct SettingArgs {
    /// The setting `budget`.
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,
    /// The setting `total`.
    #[arg(long, value_name = "TIME")]
    pub total: Option<String>,
    /// Change a setting, such as rounds=12; repeat for several. `derny help settings` lists all
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Spend at most 2 s per case, and judge it once; never reports that sides are the same
    ///
    /// Derny judges a case after 4 processes, or after 8 if launching them takes a small part of the budget.
    #[arg(long, env = "DERNY_QUICK", value_parser = FalseyValueParser::new())]
    pub quick: bool,
    /// Settings of [profile.NAME] in derny.toml
    #[arg(long, value_name = "NAME", env = "DERNY_PROFILE", help_heading = ADVANCED)]
    pub profile: Option<String>,
}

/// `derny run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Sides to compare.
    #[command(flatten)]
    pub sides: SideArgs,
    /// Continue the newest interrupted run, or this one
    #[arg(long, value_name = "RUN", conflicts_with = "watch", num_args = 0..=1, default_missing_value = "last", require_equals = true, help_heading = ADVANCED)]
    pub resume: Option<String>,
    /// Figures of commands to judge instead of benchmarks.
    #[command(flatten)]
    pub figures: FigureArgs,
    /// How the run measures and reports.
    #[command(flatten)]
    pub how: HowArgs,
}

/// `derny diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// Revision to compare with, then patterns that select cases: names, words, `key=value`, globs or files
    /// [default: the commit where the branch left its upstream, and all cases]
    #[arg(value_name = "REV PATTERN")]
    pub words: Vec<String>,
    /// Exclude matching cases
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Use this parameter value instead of the benchmark's own; repeat for several
    #[arg(short, long = "param", value_name = "KEY=VALUE")]
    pub param: Vec<String>,
    /// How the run measures and reports.
    #[command(flatten)]
    pub how: HowArgs,
    /// Launch line of a harness to measure, instead of searching for benchmark files
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

impl DiffArgs {
    /// Returns the arguments of the run of these sides, for cases that match the patterns.
    pub fn run(&self, variants: Vec<String>, patterns: Vec<String>) -> RunArgs {
        let (exclude, param, command) = (self.exclude.clone(), self.param.clone(), self.command.clone());
        RunArgs {
            select: Selection { patterns, exclude, param, command },
            sides: SideArgs { variants, ..SideArgs::default() },
            resume: None,
            figures: FigureArgs::default(),
            how: self.how.clone(),
        }
    }
}

/// The sides of a run.
#[derive(Debug, Clone, Default, Args)]
pub struct SideArgs {
    /// One side of a comparison; repeat it: a REVISION such as main, `head` for the working tree,
    /// NAME@REVISION, NAME=COMMAND, NAME+KEY=VALUE, NAME+-FLAG, NAME+build:FLAG, NAME:BENCHMARK
    ///
    /// Derny alternates the sides turn by turn. NAME=COMMAND replaces the runtime or the program.
    /// NAME@REVISION builds a git revision in a separate worktree. NAME+KEY=VALUE adds a variable to the
    /// environment, NAME+-FLAG an argument, and NAME+build:FLAG an argument for the build command.
    /// NAME:BENCHMARK measures another benchmark of the suite with the same parameters. Combine them in
    /// the order NAME:BENCHMARK@REVISION+KEY=VALUE=COMMAND. A NAME alone is [variant.NAME] of derny.toml,
    /// or else a git revision. `head` is the working tree with its uncommitted changes.
    #[arg(short = 'x', long = "variant", value_name = "SIDE", conflicts_with = "cover")]
    pub variants: Vec<String>,
    /// Measure this baseline, run or revision again together with the new code, and compare in pairs
    ///
    /// Derny runs the program that it kept with the baseline, or builds its commit again in a worktree.
    /// If neither is possible, it compares with the stored times and explains why. A revision is built in
    /// a worktree.
    #[arg(long, value_name = "NAME", conflicts_with = "watch")]
    pub against: Option<String>,
    /// With --against: compare with the stored times, and do not measure the base again
    #[arg(long, requires = "against", help_heading = ADVANCED)]
    pub stored: bool,
}

/// How `derny run` and `derny diff` measure and report.
#[derive(Debug, Clone, Args)]
pub struct HowArgs {
    /// Arguments for programs and builds.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// Settings of the measurement.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Run each case once as a test, without statistics; with `=smallest`, each benchmark in its smallest
    /// form
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "each", require_equals = true, help_heading = ADVANCED)]
    pub once: Option<Once>,
    /// With --once: record coverage, calling each case this many times
    ///
    /// A harness with coverage support writes the coverage where the language's tools expect it. The
    /// Erlang harness writes to `_build/test/cover/` of the project, for `rebar3 cover`.
    #[arg(long, value_name = "CALLS", num_args = 0..=1, default_missing_value = "1", require_equals = true, help_heading = ADVANCED)]
    #[arg(requires = "once", value_parser = clap::value_parser!(u32).range(1..))]
    pub cover: Option<u32>,
    /// Measure the first side against itself too: any difference is noise
    #[arg(long, help_heading = ADVANCED)]
    pub control: bool,
    /// Continue until the precision is reached, even after a verdict and, without variants, beyond the
    /// budget. --total still limits the run
    #[arg(long)]
    pub precise: bool,
    /// Repeat the run until every case has a verdict, --total runs out, or you stop it
    #[arg(long, conflicts_with_all = ["repeat", "once", "save", "dry_run"], help_heading = ADVANCED)]
    pub watch: bool,
    /// Repeat the whole run this many times
    #[arg(long, help_heading = ADVANCED, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Launch every harness through this command
    #[arg(long, value_name = "CMD", help_heading = ADVANCED)]
    pub profiler: Option<String>,
    /// Afterwards, run every case again to collect reports from the runtime: all reports, or only NAME
    ///
    /// Each SDK offers its own reports, such as deoptimisations, collections or a profile. They never
    /// affect the measurement.
    #[arg(long, help_heading = ADVANCED, value_name = "NAME", num_args = 0..=1, default_missing_value = "all", require_equals = true)]
    pub diagnose: Vec<String>,
    /// Name the run
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// A note to store with the run
    #[arg(long, value_name = "TEXT", help_heading = ADVANCED)]
    pub note: Option<String>,
    /// Print the plan and stop
    #[arg(long, help_heading = ADVANCED)]
    pub dry_run: bool,
    /// Show how the run spent its time: launches, warm-up, measured turns, everything else
    #[arg(long, help_heading = ADVANCED, conflicts_with_all = ["watch", "dry_run"])]
    pub stats: bool,
    /// Format of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_EVENTS))]
    pub format: Format,
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Do not wait for other measurements on this machine
    #[arg(long, env = "DERNY_NO_QUEUE", value_parser = FalseyValueParser::new(), help_heading = ADVANCED)]
    pub no_queue: bool,
    /// List the cases of every file again, instead of reading stored lists
    #[arg(long, help_heading = ADVANCED)]
    pub refresh: bool,
    /// How to judge differences.
    #[command(flatten)]
    pub judge: JudgeArgs,
}

/// How `derny bisect` and `derny history` measure a pair of commits.
#[derive(Debug, Clone, Default, Args)]
pub struct PairArgs {
    /// Arguments for programs and builds.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// Settings of each measurement. `--budget` limits one of them, and `--total` all together.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Do not wait for other measurements on this machine
    #[arg(long, env = "DERNY_NO_QUEUE", value_parser = FalseyValueParser::new(), help_heading = ADVANCED)]
    pub no_queue: bool,
}

impl PairArgs {
    /// Returns how to measure one pair, where `--total` limits all pairs together.
    pub fn without_total(&self) -> PairArgs {
        PairArgs { settings: SettingArgs { total: None, ..self.settings.clone() }, ..self.clone() }
    }
}

/// `derny dev attach`.
#[derive(Debug, Clone, Args)]
pub struct AttachArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Settings of the measurement.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Suite name of the session's cases [default: session]
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    /// Name the run
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// A note to store with the run
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// `derny list`.
#[derive(Debug, Clone, Args)]
pub struct ListArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Arguments for programs and builds.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// The setting `timeout`.
    #[arg(long, value_name = "TIME", help_heading = ADVANCED)]
    pub timeout: Option<String>,
    /// List the cases of `run --once`; with `=smallest`, the smallest form of each benchmark
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "each", require_equals = true)]
    pub once: Option<Once>,
    /// Format of the list
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_CASES))]
    pub format: Format,
    /// List the cases of every file again, instead of reading stored lists
    #[arg(long)]
    pub refresh: bool,
}

/// Cases to run once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Once {
    /// Every case.
    Each,
    /// The smallest form of each benchmark that tests its code, as chosen by its program.
    Smallest,
}
