//! `derny fleet worker`: measures shards of a plan until none is left.

use super::shard;
use crate::args::{Global, WorkerArgs};
use crate::news::Listener;
use crate::{output, session};
use derny_fleet::{Step, WorkerOptions};
use derny_model::problem;
use derny_report::numbers::counted;
use derny_workbench::config::units;
use derny_workbench::pipeline::RunOptions;
use derny_workbench::project::session::Bench;
use derny_workbench::{Outcome, Result};
use std::cell::RefCell;

pub fn worker(global: &Global, args: &WorkerArgs) -> Result<Outcome> {
    let (plan, builds) = shard::opened(&args.plan, args.builds.as_deref())?;
    let at_most = args.at_most.as_deref().map(units::duration_ns).transpose();
    let at_most = at_most.map_err(|why| problem!("{why}").place("--for"))?;
    let (global, planned) = shard::words(global, &plan)?;
    let session = session::open(&global)?;
    let store = session.store()?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let options = RunOptions::from(&planned);
    let own = WorkerOptions {
        machine: args.machine.as_deref(),
        builds: builds.as_ref(),
        for_ms: at_most.map(|ns| (ns / 1_000_000) as i64),
        lease_seconds: args.lease,
    };
    // Each shard is a run with its own progress display.
    let listener = RefCell::new(Listener::new(&global, None));
    let mut step = |step: Step| {
        if matches!(step, Step::Begun(..)) {
            listener.replace(Listener::new(&global, None));
        }
        if global.quiet < 2 {
            output::note(&said(&step));
        }
    };
    let mut hear = |news: derny_workbench::pipeline::News<'_>| listener.borrow_mut().hear(news);
    let worked = derny_fleet::work(bench, (&plan, &options), &own, &mut hear, &mut step)?;
    if global.quiet < 2 {
        let shards = counted(worked.shards as usize, "shard", "shards");
        let left = match (worked.outcome, worked.over) {
            (Outcome::Interrupted, _) => "interrupted",
            (_, true) => "time is up, and some shards are left",
            _ => "no shard is left",
        };
        output::note(&format!("measured {shards}; {left}"));
    }
    Ok(worked.outcome)
}

fn said(step: &Step) -> String {
    match step {
        Step::Begun(shard, of) => format!("shard {shard} of {of}"),
        Step::Kept(shard) => format!("shard {shard} is in the store"),
        Step::Lost(shard) => format!("shard {shard} was taken over by another worker"),
        Step::Waiting(left) => {
            format!("waiting: other workers are measuring {}", counted(*left as usize, "shard", "shards"))
        }
    }
}
