//! `derny generate`: files by which schedulers start shards.

use crate::args::{GenerateArgs, Scheduler};
use crate::output::{Destination, Form};
use anyhow::Result;
use derny_workbench::Outcome;
use derny_workbench::fleet;

/// Writes one.
pub fn generate(args: &GenerateArgs) -> Result<Outcome> {
    let plan = fleet::read(&args.plan)?;
    let scheduler = match args.scheduler {
        Scheduler::Slurm => fleet::Scheduler::Slurm,
        Scheduler::Kubernetes => fleet::Scheduler::Kubernetes,
        Scheduler::Github => fleet::Scheduler::GitHub,
        Scheduler::Gitlab => fleet::Scheduler::GitLab,
        Scheduler::Buildkite => fleet::Scheduler::Buildkite,
    };
    let text = fleet::generate::file(scheduler, &plan, &args.plan.display().to_string());
    Destination::open(args.output.as_deref())?.write_as(Form::Data, &text)?;
    Ok(Outcome::Done)
}
