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
    /// Measure shards of a plan that several machines share through a store
    Worker(WorkerArgs),
    /// Merge parts into one result, and plan another wave for undecided cases
    Merge(MergeArgs),
    /// Generate a CI or cluster job that measures a plan
    Generate(GenerateArgs),
}

/// `derny fleet plan`.
#[derive(Debug, Clone, Args)]
pub struct PlanArgs {
    /// Selected cases.
    #[command(flatten)]
    pub select: Selection,
    /// Arguments for programs and builds.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// Settings of the measurement.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// One side of the comparison, written as for `derny run -x`; repeat for several
    ///
    /// The plan records the commit of a revision. One machine measures all sides of a case, alternating
    /// turn by turn.
    #[arg(short = 'x', long = "variant", value_name = "SIDE")]
    pub variants: Vec<String>,
    /// Divide the cases among N machines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub shards: u32,
    /// Measure each case on M machines, so that a verdict does not depend on one machine
    ///
    /// The interval then covers differences between machines. It needs at least three machines in one wave.
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub machines_per_case: u32,
    /// Time limit of all machines together, such as 2h
    #[arg(long, value_name = "TIME")]
    pub machine_time: Option<String>,
    /// Measure the first side against itself too: any difference is noise
    #[arg(long, help_heading = ADVANCED)]
    pub control: bool,
    /// Smallest change that matters, such as 1% [default: from [gate], else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// Smallest change of mean time that matters [default: from [gate], else the larger of the margin and 2%]
    #[arg(long, value_name = "SHARE")]
    pub mean_margin: Option<String>,
    /// Verdicts that fail `derny fleet merge`, unless it has its own --fail-on
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// List the cases of every file again, instead of reading stored lists
    #[arg(long, help_heading = ADVANCED)]
    pub refresh: bool,
    /// Put the built programs into the plan, so that shards need not build; needs -o, as in -o plan.tar
    ///
    /// Shards still build projects without a separate build folder, such as Maven projects and asv
    /// environments.
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
    /// Shard to measure, such as 1/4 for the first of four [default: from the scheduler's variables]
    ///
    /// The variables are those of Kubernetes Indexed Jobs, Slurm arrays, GitLab, CircleCI, Buildkite, Azure
    /// Pipelines and AWS Batch.
    #[arg(value_name = "I/N")]
    pub shard: Option<String>,
    /// Write the part to this file [default: the plan's name with the shard, such as plan-4.derny]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Name of this machine; set it if the host name changes from job to job
    #[arg(long, value_name = "NAME", env = "DERNY_MACHINE")]
    pub machine: Option<String>,
    /// Use the builds in this plan; the plan of a later wave has none
    #[arg(long, value_name = "PLAN.TAR")]
    pub builds: Option<PathBuf>,
}

/// `derny fleet worker`.
#[derive(Debug, Clone, Args)]
pub struct WorkerArgs {
    /// The plan that `derny fleet plan` or `derny fleet merge` wrote
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Start no shard after this time, such as 1h [default: measure all shards]
    #[arg(long = "for", value_name = "TIME")]
    pub at_most: Option<String>,
    /// Name of this machine; set it if the host name changes from job to job
    #[arg(long, value_name = "NAME", env = "DERNY_MACHINE")]
    pub machine: Option<String>,
    /// Use the builds in this plan; the plan of a later wave has none
    #[arg(long, value_name = "PLAN.TAR")]
    pub builds: Option<PathBuf>,
    /// Seconds of silence after which another worker takes over a shard
    #[arg(long, value_name = "SECONDS", default_value_t = 60, help_heading = ADVANCED, value_parser = clap::value_parser!(u32).range(1..))]
    pub lease: u32,
}

/// `derny fleet merge`.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// Parts written by `derny fleet shard`, of one or several waves; or plans whose shards `derny fleet
    /// worker` measured into the store
    #[arg(value_name = "PARTS", required = true)]
    pub parts: Vec<PathBuf>,
    /// Write the plan of the next wave to this file, if more pairs could decide a case
    ///
    /// Otherwise Derny removes the file that an earlier wave wrote.
    #[arg(long, value_name = "FILE", default_value = "undecided.json")]
    pub undecided: PathBuf,
    /// Format of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_COMPARISON))]
    pub format: Format,
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 1 if a case is worse by more than the margin, with 5 if that is unclear [default: from
    /// the plan]
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Name the merged run
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Omit the header lines
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
    /// Scheduler or CI service that the job is for
    #[arg(value_name = "SCHEDULER")]
    pub scheduler: Scheduler,
    /// The plan to generate a job for
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Schedulers and CI services that `derny fleet generate` supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheduler {
    /// A script that submits a job array, then a merge, then the next wave
    Slurm,
    /// The manifest of an Indexed Job
    Kubernetes,
    /// A GitHub Actions workflow with a matrix
    Github,
    /// A GitLab CI pipeline with `parallel`
    Gitlab,
    /// A Buildkite pipeline with `parallelism`
    Buildkite,
}
