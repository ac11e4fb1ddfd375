//! Builds the header of a run: its id, seed, settings, commit, time and machine.

use crate::error::Result;
use crate::pipeline::occasion::{Occasion, PartOf};
use crate::pipeline::options::RunOptions;
use crate::project::git;
use crate::project::session::Bench;
use derny_engine::measure::now_ms;
use derny_engine::observe::machine;
use derny_model::{Built, Preparation, RunHeader, RunStatus, Series, Settings, Variant};

/// Returns the header of a run. A resumed run keeps its header, except for its status, variants and time
/// limits. `before` contains the builds and the time spent so far, which only a new run records.
///
/// # Errors
/// Fails if the store fails.
pub(crate) fn of(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
    (settings, variants): (Settings, Vec<Variant>),
    before: (Vec<Built>, Preparation),
) -> Result<RunHeader> {
    let header = match occasion.prior {
        Some(prior) => RunHeader {
            status: RunStatus::Running,
            engine_pid: std::process::id(),
            ended_ms: None,
            variants,
            settings: Settings {
                budget_ns: settings.budget_ns,
                total_ns: settings.total_ns,
                ..prior.header.settings.clone()
            },
            ..prior.header.clone()
        },
        None => {
            let (note, series) = (options.note.clone(), occasion.series.clone());
            let header = header(bench, note, settings, variants, series)?;
            RunHeader { built: before.0, preparation: Some(before.1), ..header }
        }
    };
    Ok(match occasion.scope.part {
        Some(part) => of_part(header, part),
        None => header,
    })
}

/// Completes the header of a run that is a part of a measurement on several machines.
fn of_part(header: RunHeader, of: PartOf<'_>) -> RunHeader {
    let PartOf { part, seed, machine, .. } = of;
    let mut own = header.machine.clone();
    own.host = machine.map_or(own.host, str::to_owned);
    RunHeader { machine: own, part: Some(part.clone()), seed, ..header }
}

/// Returns the header of a part that has nothing to measure.
///
/// # Errors
/// Fails if the store fails.
pub fn header_of_part(bench: Bench<'_>, of: PartOf<'_>, settings: Settings) -> Result<RunHeader> {
    Ok(of_part(header(bench, None, settings, of.variants.to_vec(), None)?, of))
}

/// Returns the header of a new run.
pub(crate) fn header(
    bench: Bench<'_>,
    note: Option<String>,
    settings: Settings,
    variants: Vec<Variant>,
    mut series: Option<Series>,
) -> Result<RunHeader> {
    let place = &bench.session.place;
    let seed = place.seed.unwrap_or_else(|| now_ms() as u64 ^ u64::from(std::process::id()) << 32);
    // Each run of a series has its own seed. Otherwise, the runs would repeat the same order.
    let seed = seed.wrapping_add(series.as_ref().map_or(0, |series| u64::from(series.number)));
    let id = bench.store.new_run_id(seed)?;
    if let Some(series) = series.as_mut().filter(|series| series.number == 0) {
        series.id.clone_from(&id);
    }
    Ok(RunHeader {
        id,
        started_ms: now_ms(),
        ended_ms: None,
        status: RunStatus::Running,
        engine_pid: std::process::id(),
        derny: env!("CARGO_PKG_VERSION").to_string(),
        args: place.words.clone(),
        seed,
        settings,
        variants,
        machine: machine::machine(),
        commit: git::commit(&bench.session.project.root),
        note,
        runtimes: Vec::new(),
        series,
        imported: None,
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    })
}
