//! Arguments of the verbs for several machines.

use super::format::{Format, OF_A_COMPARISON};
use super::global::ADVANCED;
use super::judge::{FailOn, JudgeArgs};
use super::measure::{PassedArgs, Selection, SettingArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `derny fleet`.
#[derive(Debug, Clone, Args)]
pub struct FleetArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub verb: FleetVerb,
}

/// Subcommands for several machines.
#[derive(Debug, Clone, Subcommand)]
pub enum FleetVerb {
    /// Divide a measurement among several machines
    Plan(Box<PlanArgs>),
    /// Measure one shard of a plan, and write its part
    Shard(ShardArgs),
    /// Measure shards of a plan that several machines take from one store
    Worker(WorkerArgs),
    /// Merge the parts into one result, and plan what is undecided
    Merge(MergeArgs),
    /// Write a scheduler's file that measures a plan
    Generate(GenerateArgs),
}

/// `derny fleet plan`.
#[derive(Debug, Clone, Args)]
pub struct PlanArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// With which arguments.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// How to measure.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// One side of a comparison, as `derny run -x` takes it; repeat it
    ///
    /// A revision is kept as its commit. A case never leaves a machine: all of its sides are alternated
    /// there, turn by turn.
    #[arg(short = 'x', long = "variant", value_name = "SIDE")]
    pub variants: Vec<String>,
    /// Divide the cases among N machines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub shards: u32,
    /// Measure each case on M machines, so that a verdict does not hold for only one
    ///
    /// The interval is then over machines, not over their pairs. Two machines have no interval in one wave;
    /// three or more do.
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub machines_per_case: u32,
    /// Maximum time of all machines together, such as 2h
    #[arg(long, value_name = "TIME")]
    pub machine_time: Option<String>,
    /// Measure the first side against itself too: any difference is noise
    #[arg(long, help_heading = ADVANCED)]
    pub control: bool,
    /// Changes within this share do not matter, such as 1% [default: that of [gate], else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// The same for mean time [default: that of [gate], else the larger of the margin and 2%]
    #[arg(long, value_name = "SHARE")]
    pub mean_margin: Option<String>,
    /// Verdicts that fail `derny fleet merge`, unless its own option overrides them
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// List the cases of every file again
    #[arg(long, help_heading = ADVANCED)]
    pub refresh: bool,
    /// Include the builds of its sides in the plan, so that shards build nothing: -o plan.tar
    ///
    /// Each shard still builds what has no separate build folder, such as a Maven project or an environment
    /// of asv.
    #[arg(long)]
    pub build: bool,
    /// Write the plan to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `derny fleet shard`.
#[derive(Debug, Clone, Args)]
pub struct ShardArgs {
    /// The plan that `derny fleet plan` or `derny fleet merge` wrote
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Number of the shard, from 1, and of how many [default: from the scheduler's variables]
    ///
    /// The variables are those of Kubernetes Indexed Jobs, Slurm arrays, GitLab, CircleCI, Buildkite, Azure
    /// Pipelines and AWS Batch.
    #[arg(value_name = "I/N")]
    pub shard: Option<String>,
    /// Write the part to this file [default: the plan's name with the shard, such as plan-4.derny]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Name of this machine, if its host name differs in every job
    #[arg(long, value_name = "NAME", env = "DERNY_MACHINE")]
    pub machine: Option<String>,
    /// Use the builds in this plan, for a plan of a later wave
    #[arg(long, value_name = "PLAN.TAR")]
    pub builds: Option<PathBuf>,
}

/// `derny fleet worker`.
#[derive(Debug, Clone, Args)]
pub struct WorkerArgs {
    /// The plan that `derny fleet plan` or `derny fleet merge` wrote
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Start no shard after this time, such as 1h [default: continue until none is left]
    #[arg(long = "for", value_name = "TIME")]
    pub at_most: Option<String>,
    /// Name of this machine, if its host name differs in every job
    #[arg(long, value_name = "NAME", env = "DERNY_MACHINE")]
    pub machine: Option<String>,
    /// Use the builds in this plan, for a plan of a later wave
    #[arg(long, value_name = "PLAN.TAR")]
    pub builds: Option<PathBuf>,
    /// If a worker is silent for this many seconds, another one measures its shard
    #[arg(long, value_name = "SECONDS", default_value_t = 60, help_heading = ADVANCED, value_parser = clap::value_parser!(u32).range(1..))]
    pub lease: u32,
}

/// `derny fleet merge`.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// Parts that `derny fleet shard` wrote, of one or several waves; or plans whose shards `derny fleet
    /// worker` measured into the store
    #[arg(value_name = "PARTS", required = true)]
    pub parts: Vec<PathBuf>,
    /// Write the plan of the next wave to this file, if more pairs may decide anything
    ///
    /// Otherwise the file of an earlier wave is removed.
    #[arg(long, value_name = "FILE", default_value = "undecided.json")]
    pub undecided: PathBuf,
    /// Form of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_COMPARISON))]
    pub format: Format,
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 1 if a case is worse by more than the margin, with 5 if that is unclear [default: that of
    /// the plan]
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Name the merged run
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Omit the lines above the rows
    #[arg(long, help_heading = ADVANCED)]
    pub no_header: bool,
}

impl MergeArgs {
    /// Returns how to show a comparison.
    pub fn judge(&self) -> JudgeArgs {
        JudgeArgs { no_header: self.no_header, ..JudgeArgs::default() }
    }
}

/// `derny fleet generate`.
#[derive(Debug, Clone, Args)]
pub struct GenerateArgs {
    /// Whose file
    #[arg(value_name = "SCHEDULER")]
    pub scheduler: Scheduler,
    /// The plan that it is for
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Write it to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Schedulers that files are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheduler {
    /// A script that submits a job array, then a merge, then the next wave
    Slurm,
    /// The manifest of an Indexed Job
    Kubernetes,
    /// A workflow of GitHub Actions with a matrix
    Github,
    /// A pipeline of GitLab CI with `parallel`
    Gitlab,
    /// A pipeline of Buildkite with `parallelism`
    Buildkite,
}
