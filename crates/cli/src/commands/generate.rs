//! `derny fleet generate`: job files that let schedulers start shards.

use crate::args::{GenerateArgs, Global, Scheduler};
use crate::output::{Destination, Form};
use derny_workbench::{Outcome, Result};

pub fn generate(global: &Global, args: &GenerateArgs) -> Result<Outcome> {
    let plan = derny_fleet::read(&args.plan)?;
    let scheduler = match args.scheduler {
        Scheduler::Slurm => derny_fleet::Scheduler::Slurm,
        Scheduler::Kubernetes => derny_fleet::Scheduler::Kubernetes,
        Scheduler::Github => derny_fleet::Scheduler::GitHub,
        Scheduler::Gitlab => derny_fleet::Scheduler::GitLab,
        Scheduler::Buildkite => derny_fleet::Scheduler::Buildkite,
    };
    let text = derny_fleet::generate::file(scheduler, &plan, &args.plan.display().to_string());
    Destination::open(global, args.output.as_deref())?.write_as(Form::Data, &text)?;
    Ok(Outcome::Done)
}
