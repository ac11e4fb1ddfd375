//! Arguments of the verbs that measure or say what would be measured.

use crate::args::JudgeArgs;
use clap::builder::FalseyValueParser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which cases.
#[derive(Debug, Clone, Default, Args)]
pub struct Selection {
    /// Words of `suite/benchmark key=value`, globs (`*`, `**`), or paths of benchmark files and folders
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Leave out what matches
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Use this value of a parameter in place of the benchmark's own; repeat for several
    #[arg(short, long = "param", value_name = "KEY=VALUE")]
    pub param: Vec<String>,
    /// The harness itself, in place of discovery
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Settings of a measurement. Every one can also stand in derny.toml under `[defaults]` or a profile, or in the
/// environment as `DERNY_` and its name.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Measuring")]
pub struct SettingArgs {
    /// Wall time per case, such as 10s
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,
    /// Bound of the whole run, such as 5m
    #[arg(long, value_name = "TIME")]
    pub total: Option<String>,
    /// Stop a case when its interval is within this share of its estimate, such as 1%
    #[arg(long, value_name = "SHARE")]
    pub precision: Option<String>,
    /// Confidence of intervals, such as 95 or 0.95
    #[arg(long, value_name = "LEVEL")]
    pub confidence: Option<String>,
    /// The most processes per case (pairs, with variants)
    #[arg(long, value_name = "MAX")]
    pub processes: Option<String>,
    /// Measured rounds per process
    #[arg(long, value_name = "N")]
    pub rounds: Option<String>,
    /// Aimed time of a batch, such as 20us
    #[arg(long, value_name = "TIME")]
    pub batch_time: Option<String>,
    /// Measured time per process, in place of rounds
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Bound of the warm-up per process; 0 for none
    #[arg(long, value_name = "TIME")]
    pub warmup: Option<String>,
    /// When a collection is asked for: auto, never, process or round
    #[arg(long, value_name = "WHEN")]
    pub gc: Option<String>,
    /// Measure turns again that were hit by these: gc, compile, classload, preempted
    #[arg(long, value_name = "CAUSES")]
    pub reject: Option<String>,
    /// Time-out of one answer of a harness
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// Processors to measure on, such as 0,2-3, or none
    #[arg(long, value_name = "SET")]
    pub pin: Option<String>,
    /// One case per process (case) or many (suite)
    #[arg(long, value_name = "HOW")]
    pub isolation: Option<String>,
    /// Metrics to show: `time`, `mean`, `alloc`, `gc`, `cpu` (processor time of the measuring thread, without collector threads), or
    /// any that a harness reads
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<String>,
    /// Take this other way of measuring too, as thoroughly as the first; `none` takes none [default: all, briefly]
    #[arg(long = "mode", value_name = "NAME")]
    pub modes: Vec<String>,
    /// Limit of a harness's memory, such as 2G
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Processes (pairs) alive together
    #[arg(long, value_name = "N")]
    pub wave: Option<String>,
    /// Make parameters of what stands in benchmarks' names, such as 'Hash {file} by {chunk}'
    #[arg(long, value_name = "TEMPLATE")]
    pub name_template: Option<String>,
    /// At most 2 s per case, and one look at its results, after 4 processes (8 if launches are a small part of its budget); it never
    /// says that sides are the same
    #[arg(long, env = "DERNY_QUICK", value_parser = FalseyValueParser::new())]
    pub quick: bool,
    /// Settings of [profile.NAME] in derny.toml
    #[arg(long, value_name = "NAME", env = "DERNY_PROFILE")]
    pub profile: Option<String>,
}

/// `derny run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// Which cases.
    #[command(flatten)]
    pub select: Selection,
    /// How.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// One of several things to measure, alternated with the others turn by turn; repeat it
    ///
    /// NAME=COMMAND replaces the runtime or the program, NAME@REVISION builds a git revision in a worktree of its own,
    /// NAME+KEY=VALUE adds environment, NAME+-FLAG adds an argument, NAME:BENCHMARK measures another benchmark of the suite
    /// with the same parameters. They combine in the order NAME:BENCHMARK@REVISION+KEY=VALUE=COMMAND. A NAME by
    /// itself is [variant.NAME] of derny.toml, or the program as it is: `-x main@main -x head` sets the working tree
    /// against a branch.
    #[arg(short = 'x', long = "variant", value_name = "NAME…")]
    pub variants: Vec<String>,
    /// Compare with this run or baseline: its code is measured again beside the new code, in pairs
    ///
    /// The program that was kept when the baseline was made is used, or its commit is built again in a worktree. Where neither
    /// can be done, the stored times are compared, and a line says why.
    #[arg(long, value_name = "BASELINE")]
    pub against: Option<String>,
    /// With --against: measure nothing again, compare with the stored times
    #[arg(long, requires = "against")]
    pub stored: bool,
    /// Run each case once and check it; no statistics
    #[arg(long)]
    pub once: bool,
    /// With --once: let harnesses write down which code the cases cover, calling each body so many times
    ///
    /// A harness that can do so writes it where its language's tools look for it: the one for Erlang to
    /// `_build/test/cover/` of the project, for `rebar3 cover`.
    #[arg(long, value_name = "CALLS", num_args = 0..=1, default_missing_value = "1", require_equals = true)]
    #[arg(requires = "once", conflicts_with = "variants", value_parser = clap::value_parser!(u32).range(1..))]
    pub cover: Option<u32>,
    /// Measure the first variant against itself too, in the same blocks: what this shows is the floor
    #[arg(long)]
    pub control: bool,
    /// Build every variant N times with different layouts, and measure all of them
    ///
    /// The suite's build command is run with DERNY_PADDING=0 to N-1 and must make another layout of each; {build} in it and
    /// in the launch line is the folder of that build.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=64))]
    pub builds: Option<u32>,
    /// Go on to the precision even when a verdict is reached
    #[arg(long)]
    pub precise: bool,
    /// Go on, run after run, until every case of every variant has a verdict, --total is over or you stop it
    #[arg(long, conflicts_with_all = ["repeat", "resume", "once", "against", "save", "dry_run", "builds", "ladder"])]
    pub watch: bool,
    /// Let iterations grow by 5 % from round to round, for a regression
    #[arg(long)]
    pub ladder: bool,
    /// Do the whole run this many times; each is stored, marked as one of a series
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Go on with an interrupted run (the newest, or the one named)
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "last", require_equals = true)]
    pub resume: Option<String>,
    /// Put this command in front of every launch line
    #[arg(long, value_name = "CMD")]
    pub profiler: Option<String>,
    /// After measuring, run every case once more, briefly, as the runtime tells of itself (deoptimisations, collections, a
    /// profile …); all that its SDK knows, or those named
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "all", require_equals = true)]
    pub diagnose: Vec<String>,
    /// Remember the run under this name
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// A note that is stored with the run
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// Print the plan and stop
    #[arg(long)]
    pub dry_run: bool,
    /// Form of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table")]
    pub format: Format,
    /// Write the result to this file in place of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Ask every file for its cases again
    #[arg(long)]
    pub refresh: bool,
    /// How differences are judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
}

/// `derny attach`.
#[derive(Debug, Clone, Args)]
pub struct AttachArgs {
    /// Which cases.
    #[command(flatten)]
    pub select: Selection,
    /// How.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// What the session's cases are shown and stored under [default: session]
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    /// Let iterations grow by 5 % from round to round, for a regression
    #[arg(long)]
    pub ladder: bool,
    /// Remember the run under this name
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// A note that is stored with the run
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
}

/// Forms of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people.
    Table,
    /// One JSON document.
    Json,
    /// The event stream as it happens.
    Ndjson,
    /// A row per case and variant.
    Csv,
    /// A Markdown table.
    #[value(alias = "md")]
    Markdown,
    /// A JUnit report of a comparison.
    Junit,
    /// Annotations of a GitHub workflow, of a comparison.
    Github,
}

/// `derny list`.
#[derive(Debug, Clone, Args)]
pub struct ListArgs {
    /// Which cases.
    #[command(flatten)]
    pub select: Selection,
    /// How they would be measured.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Order and expected cost, in place of the cases
    #[arg(long)]
    pub plan: bool,
    /// The smallest honest form of each benchmark, as `run --once` takes it
    #[arg(long)]
    pub once: bool,
    /// Form of the list
    #[arg(short, long, value_name = "FORMAT", default_value = "table")]
    pub format: ListFormat,
    /// Ask every file again
    #[arg(long)]
    pub refresh: bool,
}

/// Forms of a list of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A tree for people.
    Table,
    /// One name a line, as patterns match it.
    Plain,
    /// All that is declared.
    Json,
}
