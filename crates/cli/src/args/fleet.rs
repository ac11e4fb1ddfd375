//! Arguments of the verbs for several machines.

use super::format::{Format, OF_A_COMPARISON};
use super::global::ADVANCED;
use super::judge::{FailOn, JudgeArgs};
use super::measure::{PassedArgs, Selection, SettingArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `derny plan`.
#[derive(Debug, Clone, Args)]
pub struct PlanArgs {
    /// Which cases.
    #[command(flatten)]
    pub select: Selection,
    /// With which arguments.
    #[command(flatten)]
    pub passed: PassedArgs,
    /// How.
    #[command(flatten)]
    pub settings: SettingArgs,
    /// One side of a comparison, as `derny run -x` takes it; repeat it
    ///
    /// A revision is kept as its commit. A case never leaves a machine: all of its sides are alternated
    /// there, turn by turn.
    #[arg(short = 'x', long = "variant", value_name = "SIDE")]
    pub variants: Vec<String>,
    /// Divide the cases among so many machines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub shards: u32,
    /// Measure each case on so many machines, so that a verdict does not hold for one alone
    ///
    /// The machine becomes a level of its own: the interval is over machines, not over their pairs. Two have
    /// no interval in one wave; three or more do.
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub machines_per_case: u32,
    /// All machines together may take so long, such as 2h
    #[arg(long, value_name = "TIME")]
    pub machine_time: Option<String>,
    /// Measure the first side against itself too: any difference that this shows is noise
    #[arg(long, help_heading = ADVANCED)]
    pub control: bool,
    /// Changes within this share do not matter, such as 1% [default: that of [gate], else 1%]
    #[arg(long, value_name = "SHARE")]
    pub margin: Option<String>,
    /// The same for mean time [default: that of [gate], else the larger of the margin and 2%]
    #[arg(long, value_name = "SHARE")]
    pub mean_margin: Option<String>,
    /// What `derny merge` fails by, unless it says otherwise
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Ask every file for its cases again
    #[arg(long, help_heading = ADVANCED)]
    pub refresh: bool,
    /// Let the plan carry the builds of its sides, so that shards build nothing: -o plan.tar
    ///
    /// What is not built into a folder of its own, such as a Maven project or an environment of asv, each
    /// shard builds as without this.
    #[arg(long)]
    pub build: bool,
    /// Write the plan to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `derny shard`.
#[derive(Debug, Clone, Args)]
pub struct ShardArgs {
    /// The plan that `derny plan` or `derny merge` wrote
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Which shard, from 1, and of how many [default: what the scheduler's variables say]
    ///
    /// The variables are those of Kubernetes Indexed Jobs, Slurm arrays, GitLab, CircleCI, Buildkite, Azure
    /// Pipelines and AWS Batch.
    #[arg(value_name = "I/N")]
    pub shard: Option<String>,
    /// Write the part to this file [default: the plan's name with the shard, such as plan-4.derny]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What this machine is called, where the host's name is another one in every job
    #[arg(long, value_name = "NAME", env = "DERNY_MACHINE")]
    pub machine: Option<String>,
    /// Take the builds that this plan carries, for one of a later wave
    #[arg(long, value_name = "PLAN.TAR")]
    pub builds: Option<PathBuf>,
}

/// `derny worker`.
#[derive(Debug, Clone, Args)]
pub struct WorkerArgs {
    /// The plan that `derny plan` or `derny merge` wrote
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Begin no shard after this time, such as 1h [default: go on until none is left]
    #[arg(long = "for", value_name = "TIME")]
    pub at_most: Option<String>,
    /// What this machine is called, where the host's name is another one in every job
    #[arg(long, value_name = "NAME", env = "DERNY_MACHINE")]
    pub machine: Option<String>,
    /// Take the builds that this plan carries, for one of a later wave
    #[arg(long, value_name = "PLAN.TAR")]
    pub builds: Option<PathBuf>,
    /// A shard of a worker that is silent for so many seconds is measured by another
    #[arg(long, value_name = "SECONDS", default_value_t = 60, help_heading = ADVANCED, value_parser = clap::value_parser!(u32).range(1..))]
    pub lease: u32,
}

/// `derny merge`.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// Parts that `derny shard` wrote, of one wave or of several; or plans, whose shards `derny worker`
    /// measured into the store
    #[arg(value_name = "PARTS", required = true)]
    pub parts: Vec<PathBuf>,
    /// Write the plan of the next wave to this file, if anything is undecided that more pairs may decide
    ///
    /// If nothing is, a plan that an earlier wave left there is taken away.
    #[arg(long, value_name = "FILE", default_value = "undecided.json")]
    pub undecided: PathBuf,
    /// Form of the result
    #[arg(short, long, value_name = "FORMAT", default_value = "table", value_parser = Format::among(OF_A_COMPARISON))]
    pub format: Format,
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Exit with 1 where a case is worse by more than the margin, with 5 where that is unclear [default: that
    /// of the plan]
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
    /// Remember the merged run under this name
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Leave out the lines above the rows
    #[arg(long, help_heading = ADVANCED)]
    pub no_header: bool,
}

impl MergeArgs {
    /// How a comparison is shown.
    pub fn judge(&self) -> JudgeArgs {
        JudgeArgs { no_header: self.no_header, ..JudgeArgs::default() }
    }
}

/// `derny generate`.
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
    /// A script that submits a job array, a merge behind it, and the next wave
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
