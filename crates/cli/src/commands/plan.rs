//! `derny plan`: what several machines are to measure.

use crate::args::{Global, PlanArgs};
use crate::news::Listener;
use crate::output::{self, Destination};
use crate::session;
use anyhow::Result;
use derny_report as report;
use derny_workbench::Outcome;
use derny_workbench::fleet::{self, FleetOptions, Made};
use derny_workbench::pipeline::{Bench, RunOptions};

/// Plans.
pub fn plan(global: &Global, args: &PlanArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(args.output.as_deref())?;
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let options = RunOptions::from(args).checked(bench)?;
    let options_of_fleet = FleetOptions {
        shards: args.shards,
        machines_per_case: args.machines_per_case,
        machine_time: args.machine_time.clone(),
        words: session.place.words.clone(),
    };
    let mut listener = Listener::new(global, None);
    match fleet::make(bench, &options, &options_of_fleet, &mut |news| listener.hear(news))? {
        Made::Early(outcome) => Ok(outcome),
        Made::Plan { plan, known, runs } => {
            if global.quiet == 0 {
                output::note(
                    report::fleet::plan(&plan, (known, &runs), &output::error_style(global)).trim_end(),
                );
            }
            out.write(&(serde_json::to_string(&*plan)? + "\n"))?;
            Ok(Outcome::Done)
        }
    }
}
