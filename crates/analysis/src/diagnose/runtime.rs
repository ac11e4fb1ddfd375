//! Warns about runtime settings that are known to change times ([`ProcessStart::settings`]). The protocol
//! defines their names, so any harness may report them.

use super::collected;
use super::view::{CaseView, Detected, percent};
use derny_model::ProcessStart;

/// Approximate time to store a result, in ns.
const STORE_NS: f64 = 1.0;
const SHORT_NS: f64 = 20.0;
/// From this share of turns with a collection, the size of the heap matters.
const COLLECTING: f64 = 0.05;

fn processes<'a>(view: &'a CaseView<'a>) -> impl Iterator<Item = &'a ProcessStart> {
    view.visits.iter().filter_map(|record| view.processes.get(&record.visit.process).copied())
}

pub(super) fn heap(view: &CaseView) -> Option<Detected> {
    let collecting = collected::share_with(view, "gc").filter(|share| *share >= COLLECTING)?;
    let bytes = |process: &ProcessStart, name: &str| process.settings.get(name)?.parse::<u64>().ok();
    let (least, most) = processes(view)
        .filter_map(|process| Some((bytes(process, "heap_min")?, bytes(process, "heap_max")?)))
        .find(|(least, most)| least < most)?;
    let mib = |bytes: u64| bytes >> 20;
    Some(Detected {
        message: format!(
            "collects garbage in {} of its turns, while the heap may grow from {} MiB to {} MiB",
            percent(collecting),
            mib(least),
            mib(most)
        ),
        remedy: "give the heap a fixed size, as in production: `derny dev explain DY226` lists the flags"
            .to_owned(),
        severity: collecting,
    })
}

/// Warns if storing results takes a noticeable part of a short time.
pub(super) fn sink(view: &CaseView) -> Option<Detected> {
    processes(view).find(|process| process.settings.get("sink").is_some_and(|sink| sink == "store"))?;
    let times = view.result.variants.iter().filter_map(|variant| variant.time.as_ref());
    let shortest = times.map(|time| time.typical.value).fold(f64::INFINITY, f64::min);
    (shortest < SHORT_NS).then(|| Detected {
        message: format!("stores each result, which takes about {STORE_NS} ns"),
        remedy: "let Derny start the runtime, or use the flags that `derny dev explain DY227` \
            lists"
            .to_owned(),
        severity: STORE_NS / shortest.max(STORE_NS),
    })
}

/// Warns if compiler restrictions make the code unlike production.
pub(super) fn compiler(view: &CaseView) -> Option<Detected> {
    let mut named = processes(view).filter_map(|process| process.settings.get("compiler"));
    let limited = named.find(|compiler| *compiler != "full")?;
    Some(Detected {
        message: format!("ran with a limited compiler: {limited}"),
        remedy: "remove the flags that `derny dev explain DY228` lists, unless you use them in \
            production"
            .to_owned(),
        severity: 1.0,
    })
}

/// Warns if the program contains instrumentation that production lacks.
pub(super) fn instrumented(view: &CaseView) -> Option<Detected> {
    let what = processes(view).find_map(|process| process.settings.get("instrumented"))?;
    Some(Detected {
        message: format!("is built with `{what}`, which changes its times"),
        remedy: "build without it, unless you use it in production".to_owned(),
        severity: 1.0,
    })
}
