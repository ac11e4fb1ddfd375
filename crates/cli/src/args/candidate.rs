//! Arguments of `derny judge`.

use super::global::ADVANCED;
use super::measure::{PassedArgs, Selection, SettingArgs};
use super::whole::FigureArgs;
use clap::builder::FalseyValueParser;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `derny judge`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct CandidateArgs {
    /// What to do with a session.
    #[command(subcommand)]
    pub verb: Option<JudgeVerb>,
    /// How to judge a candidate.
    #[command(flatten)]
    pub judge: JudgeCandidateArgs,
}

/// How `derny judge` judges a candidate.
#[derive(Debug, Clone, Args)]
pub struct JudgeCandidateArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Name of the session, which remembers the base, the best candidate, and how many were tested
    #[arg(short, long, value_name = "NAME")]
    pub session: Option<String>,
    /// The base, then the candidate, then perhaps an expert's solution, in the form of `derny run -x`
    /// [default: the base of the session, else the checked-out commit; and the working tree]
    ///
    /// A single side is the base. Revisions are frozen: a session keeps the commit that a branch had when
    /// it began.
    #[arg(short = 'x', long = "variant", value_name = "SIDE")]
    pub variants: Vec<String>,
    /// Share of the expert's speed that counts as parity
    #[arg(long, value_name = "SHARE", default_value = "0.95", help_heading = ADVANCED)]
    pub parity: f64,
    /// Command that must succeed in the folder of each side before it is measured, such as 'make test'
    /// [default: `check` of [judge] in derny.toml]
    #[arg(long, value_name = "CMD")]
    pub check: Option<String>,
    /// Time limit of the check in each side
    #[arg(long, value_name = "TIME", default_value = "10m", help_heading = ADVANCED)]
    pub check_limit: String,
    /// Side whose benchmark is used; with `candidate`, the candidate may change it
    #[arg(long, value_name = "SIDE", default_value = "base", help_heading = ADVANCED)]
    pub bench_from: BenchFrom,
    /// Arguments for programs and builds.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// Settings of the measurement.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Figures that commands print.
    #[command(flatten)]
    pub figures: FigureArgs,
    /// Smallest change that matters, such as 1% [default: [gate] in derny.toml, else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// How to print.
    #[command(flatten)]
    pub print: JudgePrintArgs,
}

/// How `derny judge` prints, and whether it waits.
#[derive(Debug, Clone, Args)]
pub struct JudgePrintArgs {
    /// Format of the answer
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub format: JudgeFormat,
    /// Write the answer to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Do not wait for other measurements on this machine
    #[arg(long, env = "DERNY_NO_QUEUE", value_parser = FalseyValueParser::new(), help_heading = ADVANCED)]
    pub no_queue: bool,
}

/// Subcommands for sessions.
#[derive(Debug, Clone, Subcommand)]
pub enum JudgeVerb {
    /// Make the last candidate of a session its best one
    Keep {
        /// Name of the session
        #[arg(short, long, value_name = "NAME")]
        session: String,
        /// Keep the candidate even if its verdict is not `keep`
        #[arg(long)]
        force: bool,
    },
    /// Show a session, or list all
    Status {
        /// Name of the session
        #[arg(short, long, value_name = "NAME")]
        session: Option<String>,
        /// Format of the answer
        #[arg(short, long, value_name = "FORMAT", default_value = "text")]
        format: JudgeFormat,
    },
    /// Measure the best candidate of a session against its base afresh: the figure to publish
    Final(Box<FinalArgs>),
    /// Check a receipt: compute its decision again from the stored measurements
    Verify {
        /// A file with the output of `derny judge -f json`, or a run
        #[arg(value_name = "RECEIPT")]
        receipt: String,
    },
}

/// `derny judge final`.
#[derive(Debug, Clone, Args)]
pub struct FinalArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Name of the session
    #[arg(short, long, value_name = "NAME")]
    pub session: String,
    /// Arguments for programs and builds.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// Settings of the measurement.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Figures that commands print.
    #[command(flatten)]
    pub figures: FigureArgs,
    /// How to print.
    #[command(flatten)]
    pub print: JudgePrintArgs,
}

/// The side whose benchmark is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BenchFrom {
    /// A candidate that changes the benchmark is `void`.
    Base,
    /// The candidate may change the benchmark.
    Candidate,
}

/// Formats of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum JudgeFormat {
    /// Text.
    Text,
    /// One JSON document.
    Json,
    /// Lines `METRIC name=value`, and a line `VERDICT word`.
    Metric,
}
