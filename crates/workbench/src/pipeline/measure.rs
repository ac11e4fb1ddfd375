//! Measures a planned run, and concludes it. Every event goes to the store first, and then to the caller.

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::pipeline::conclude::{Concluded, conclude};
use crate::pipeline::news::{News, Tell, say};
use crate::pipeline::options::RunOptions;
use crate::pipeline::planned::{Measured, Planned};
use crate::project::session::Bench;
use crate::results::diagnoses;
use crate::variants::kept_programs;
use derny_engine::diagnose::Pass;
use derny_engine::measure::{self, Job, now_ms};
use derny_model::{Event, Records, StopReason};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Measures and concludes a planned run. The run is stored before it is analysed.
///
/// # Errors
/// Fails if the store or `tell` fails. The failure of a benchmark is not an error: the result contains it.
pub fn run(
    bench: Bench<'_>,
    options: &RunOptions,
    planned: Planned<'_>,
    tell: &mut Tell<'_>,
) -> Result<Concluded> {
    let mut measured = measure(bench, options, &planned, tell)?;
    // After an interruption, keep all programs: resuming the run needs those of its original baseline.
    if planned.header.again().is_some() && !measured.interrupted {
        measured.notices.extend(kept_programs::sweep(bench.session, bench.store)?);
    }
    let compared = planned.into_compared();
    let mut concluded = conclude(bench, options, measured, &compared)?;
    if options.stats {
        concluded.document.stats =
            derny_analysis::accounting(&concluded.records, Some(now_ms())).map(Box::new);
    }
    Ok(concluded)
}

/// Measures the planned run, stores it, and runs the requested diagnoses.
///
/// # Errors
/// Fails if the store fails, or if `tell` fails for an event. Earlier events remain stored.
pub fn measure(
    bench: Bench<'_>,
    options: &RunOptions,
    planned: &Planned<'_>,
    tell: &mut Tell<'_>,
) -> Result<Measured> {
    let _ = tell(News::Planned(planned));
    let job = Job {
        catalogue: &planned.catalogue,
        plan: &planned.plan,
        fixed: &planned.fixed,
        header: planned.header.clone(),
        learned: &planned.learned,
        failures: &planned.failures,
        prior: planned.prior,
        reaper: bench.reaper,
        stop: bench.stop,
        echo: bench.session.place.echo,
        trace: bench.session.place.trace,
        attached: None,
    };
    record(bench, job, tell)?;
    let measured = stored(bench, &planned.header.id, options.save.as_deref(), !planned.failures.is_empty())?;
    if !options.diagnose.is_empty() && !bench.stop.load(Ordering::Relaxed) {
        diagnose(bench, options, planned, &measured.records, tell);
    }
    Ok(measured)
}

/// Runs a job of the engine. Stops the run if an event cannot be stored, or if `tell` fails for an event.
/// Earlier events remain stored.
pub(crate) fn record(bench: Bench<'_>, job: Job<'_>, tell: &mut Tell<'_>) -> Result<()> {
    let mut recorder = bench.store.recorder()?;
    let mut trouble: Option<Error> = None;
    measure::run(job, &mut |event: &Event| {
        if trouble.is_none()
            && let Err(error) = recorder.on_event(event)
        {
            trouble = Some(error.into());
            bench.stop.store(true, Ordering::Relaxed);
        }
        if let Err(error) = tell(News::Event(event)) {
            trouble.get_or_insert(error.into());
            bench.stop.store(true, Ordering::Relaxed);
        }
    });
    trouble.map_or(Ok(()), Err)
}

/// Saves a finished run under the name `save`, if any, and reads the run back. `unlisted` is true if a
/// program could not list its cases.
pub(crate) fn stored(bench: Bench<'_>, id: &str, save: Option<&str>, unlisted: bool) -> Result<Measured> {
    let notices = match save {
        Some(name) => kept_programs::set_baseline(bench.session, bench.store, name, id)?.1,
        None => Vec::new(),
    };
    let records = bench.store.load(id)?;
    let interrupted = bench.stop.load(Ordering::Relaxed);
    let failed = unlisted || !records.failures.is_empty();
    Ok(Measured { records, interrupted, failed, notices })
}

/// Runs every case once more under the diagnosis tool of its runtime, except failed and skipped cases.
fn diagnose(
    bench: Bench<'_>,
    options: &RunOptions,
    planned: &Planned<'_>,
    records: &Records,
    tell: &mut Tell<'_>,
) {
    let names: Vec<String> = options.diagnose.iter().filter(|name| *name != "all").cloned().collect();
    let pass = Pass {
        catalogue: &planned.catalogue,
        variants: &records.header.variants,
        names: &names,
        folder: &diagnoses::folder(bench.session, &records.header.id),
        timeout: Duration::from_nanos(planned.header.settings.timeout_ns),
        reaper: bench.reaper,
        stop: bench.stop,
    };
    let known: Vec<String> = pass.known().into_iter().map(String::from).collect();
    for name in names.iter().filter(|name| !known.contains(name)) {
        say(tell, Notice::NoDiagnosis { name: name.clone(), known: known.clone() });
    }
    if !known.is_empty() {
        say(tell, Notice::Diagnosing);
    }
    let failed = |case: u32| {
        let ended = |(other, reason): &(u32, StopReason)| {
            *other == case && matches!(reason, StopReason::Failed | StopReason::Skipped)
        };
        records.ended.iter().any(ended)
    };
    let mut found = pass.run(|case| !failed(case));
    if let (Err(error), Some(last)) = (diagnoses::keep(pass.folder, &found), found.last_mut()) {
        last.problem = Some(error.in_a_line());
    }
    let _ = tell(News::Diagnosed(&found));
}
