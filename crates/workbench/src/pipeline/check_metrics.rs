//! Checks the names of metrics and modes before anything is measured, because a mistyped name would waste a
//! run.

use crate::config::options::{Selection, Stated};
use crate::config::settings::MADE_METRICS;
use crate::error::{Error, Result};
use crate::project::session::Listing;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::offers::Offers;
use derny_engine::discover::pattern::closest;
use derny_model::{Records, Settings, problem};
use derny_store::Store;

/// Number of stored runs in which to search for metrics that a benchmark reports without declaring.
const SEARCHED: usize = 5;

/// Rejects a metric or a mode from the command line that no program of the catalogue has. Names from files
/// are accepted, because the benchmarks that have them may not be selected today. If a program does not list
/// its metrics, every name is accepted.
///
/// # Errors
/// Fails with [`Error::Nothing`] if a name is unknown. The error lists the known names, and suggests the
/// closest.
pub(crate) fn check(
    store: &Store,
    select: &Selection,
    (stated, settings): (&Stated, &Settings),
    catalogue: &Catalogue,
    listing: &Listing<'_>,
) -> Result<()> {
    let metrics = settings
        .metrics
        .iter()
        .filter(|name| stated.has("metrics") && !MADE_METRICS.contains(&name.as_str()));
    let metrics: Vec<&String> = metrics.collect();
    let modes: Vec<&String> = settings.modes.iter().flatten().filter(|_| stated.has("modes")).collect();
    if metrics.is_empty() && modes.is_empty() {
        return Ok(());
    }
    let has_all = |offers: &Offers| {
        metrics.iter().all(|name| offers.has_metric(name)) && modes.iter().all(|name| offers.has_mode(name))
    };
    let offers = listing.launcher.session.offers(select, catalogue, listing, has_all)?;
    if !offers.is_whole || has_all(&offers) {
        return Ok(());
    }
    if let Some(name) = modes.iter().find(|name| !offers.has_mode(name)) {
        let remedy = near(name, offers.modes.iter().map(String::as_str));
        let remedy =
            remedy.unwrap_or_else(|| "omit `modes`: a run then measures all modes briefly".to_owned());
        return Err(Error::Nothing(
            problem!("there is no mode `{name}`")
                .place(format_args!("--set modes={name}"))
                .known(listed(&offers.modes))
                .remedy(remedy),
        ));
    }
    for name in metrics.iter().filter(|name| !offers.has_metric(name)) {
        if reported(store, name)? {
            continue;
        }
        let known: Vec<String> =
            MADE_METRICS.iter().map(|name| (*name).to_owned()).chain(offers.metrics).collect();
        let remedy = near(name, known.iter().map(String::as_str))
            .unwrap_or_else(|| "omit `metrics`, if the benchmark reports it without declaring it".to_owned());
        return Err(Error::Nothing(
            problem!("there is no metric `{name}`")
                .place(format_args!("--set metrics={name}"))
                .known(listed(&known))
                .remedy(remedy),
        ));
    }
    Ok(())
}

fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    closest(name, known).first().map(|near| format!("use `{near}`"))
}

fn listed(names: &[String]) -> String {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if !once.contains(&name.as_str()) {
            once.push(name);
        }
    }
    if once.is_empty() { "none".to_owned() } else { once.join(", ") }
}

/// Returns true if a benchmark in one of the latest runs reported a value with this name.
fn reported(store: &Store, name: &str) -> Result<bool> {
    let has = |records: &Records| {
        records.visits.iter().any(|visit| {
            let of_turns = visit.turns.iter().flat_map(|turn| &turn.reported);
            let of_visit = visit.report.iter().flat_map(|report| &report.values);
            of_turns.chain(of_visit).any(|value| value.metric.name == name)
        })
    };
    for run in store.runs(SEARCHED)?.iter().filter(|run| run.visits > 0) {
        if has(&store.load(&run.header.id)?) {
            return Ok(true);
        }
    }
    Ok(false)
}
