//! `derny fleet plan`: a plan for measuring on several machines.

use crate::args::{Global, PlanArgs};
use crate::news::Listener;
use crate::output::{self, Destination, Form};
use crate::session;
use derny_fleet::{FleetOptions, Made, ToCarry};
use derny_json::ToJson;
use derny_model::problem;
use derny_report as report;
use derny_report::numbers;
use derny_workbench::pipeline::RunOptions;
use derny_workbench::project::session::Bench;
use derny_workbench::{Outcome, Result};
use std::io;

pub fn plan(global: &Global, args: &PlanArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(global, args.output.as_deref())?;
    if args.build && !out.is_file() {
        return Err(problem!("a plan with builds cannot be printed")
            .why("--build writes a tar file")
            .remedy("use -o plan.tar")
            .into());
    }
    let (stop, reaper) = (session::interruptible()?, session::reaper()?);
    let bench = Bench { session: &session, store: &store, reaper: Some(&reaper), stop: &stop };
    let options = RunOptions::from(args).checked(bench)?;
    let options_of_fleet = FleetOptions {
        shards: args.shards,
        machines_per_case: args.machines_per_case,
        machine_time: args.machine_time.clone(),
        words: session.place.words.clone(),
        carry: args.build,
    };
    let mut listener = Listener::new(global, None);
    match derny_fleet::make(bench, &options, &options_of_fleet, &mut |news| listener.hear(news))? {
        Made::Early(outcome) => Ok(outcome),
        Made::Plan { plan, known, runs, builds } => {
            if global.quiet == 0 {
                output::note(
                    report::fleet::plan(&plan, (known, &runs), &output::error_style(global)).trim_end(),
                );
            }
            match builds {
                Some(builds) => {
                    out.write_by(|to| builds.write(&plan, to))?;
                    if global.quiet < 2 {
                        carried(&builds, plan.build_ns, global.quiet);
                    }
                }
                None => out.write_as(Form::Json, &(plan.to_json().map_err(io::Error::from)? + "\n"))?,
            }
            Ok(Outcome::Done)
        }
    }
}

/// Prints the size of the builds that the plan contains, and what each shard still builds itself.
fn carried(builds: &ToCarry, took_ns: u64, quiet: u8) {
    match builds.is_empty() {
        true => output::note("note: the plan contains no builds"),
        false if quiet == 0 => output::note(&format!(
            "the plan contains {:.1} MB of builds, made in {}",
            builds.bytes as f64 / 1e6,
            numbers::wall(took_ns)
        )),
        false => {}
    }
    builds.left.iter().for_each(|left| output::note(&format!("note: {left}")));
}
