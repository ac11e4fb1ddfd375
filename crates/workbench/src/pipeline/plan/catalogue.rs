//! Determines the cases of a run: lists those of its programs, and keeps those that every side can measure.

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::pipeline::{check_metrics, identity, resume};
use crate::project::session::{Bench, Launcher, Listing};
use crate::variants::baseline::{self, Base};
use crate::variants::build;
use derny_engine::discover::Source;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Failure, Identity, Problem, Settings, Variant, problem};
use derny_store::Store;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns the options for listing a variant's programs.
fn listing<'l>(
    (launcher, cache): (Launcher<'l>, Option<&'l Store>),
    options: &RunOptions,
    (variant, settings): (&'l Variant, &Settings),
) -> Listing<'l> {
    let (test, timeout_ns, refresh) = (options.mode.smallest, settings.timeout_ns, options.refresh);
    Listing { launcher, cache, variant, test, timeout_ns, refresh }
}

/// Returns the variant whose programs list the cases: the first one that is neither the baseline nor a
/// revision, or else the first that is not the baseline.
fn own(variants: &[Variant]) -> &Variant {
    let is_own = |variant: &&Variant| variant.again.is_none() && !variant.control;
    let of_tree = variants.iter().filter(is_own).find(|variant| variant.directory.is_none());
    of_tree.or_else(|| variants.iter().find(is_own)).unwrap_or(&variants[0])
}

/// Lists the selected cases of the programs. Failures to list are added to the earlier failures in
/// `programs`.
///
/// # Errors
/// Fails if a parameter is not `KEY=VALUE`, or with [`Error::Nothing`] if there is no case or none matches.
pub(crate) fn list(
    (launcher, cache): (Launcher<'_>, Option<&Store>),
    options: &RunOptions,
    programs: (Vec<Source>, Vec<Failure>),
    (variants, settings): (&[Variant], &Settings),
    tell: &mut Tell<'_>,
) -> Result<(Catalogue, Vec<Failure>)> {
    let listing = listing((launcher, cache), options, (own(variants), settings));
    let mut selected = |notice| say(tell, notice);
    launcher.session.catalogue(&options.select, programs, &listing, &mut selected)
}

/// Fails if the user wants to stop, or if nothing that was selected could be built.
///
/// # Errors
/// Returns [`Error::Interrupted`], or the failure of the first build.
pub(crate) fn can_go_on(
    stop: &AtomicBool,
    (catalogue, failures): (&Catalogue, &[Failure]),
    unbuilt: &[Failure],
) -> Result<()> {
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    match build::as_error(unbuilt) {
        Some(error) if catalogue.cases.is_empty() && failures.len() == unbuilt.len() => Err(error),
        _ => Ok(()),
    }
}

/// The cases that a run measures.
pub(crate) struct Cases {
    /// The cases in the scope of the run, with their counterparts on the other sides.
    pub catalogue: Catalogue,
    /// Failures to list cases.
    pub failures: Vec<Failure>,
    /// Names of cases that are not measured, each with the index of the only side that has it. 0 is the
    /// baseline.
    pub left_out: Vec<(u32, String)>,
    /// Identity of the selection, if the scope requests it.
    pub identity: Option<Identity>,
}

/// Keeps the listed cases that are in the run's scope and that every side has. Returns None if the scope
/// has none. A resumed run keeps its order. A new run rejects unknown metrics and modes.
///
/// # Errors
/// Fails if a part belongs to a plan of another selection, if a case no longer exists, or if a name is
/// unknown. Fails with [`Error::NotAgain`] if the baseline has none of the cases.
pub(crate) fn in_scope(
    bench: Bench<'_>,
    (options, occasion): (&RunOptions, &Occasion<'_>),
    (mut catalogue, mut failures): (Catalogue, Vec<Failure>),
    base: Option<Base>,
    (variants, settings): (&[Variant], &Settings),
    tell: &mut Tell<'_>,
) -> Result<Option<Cases>> {
    let Occasion { prior, scope, .. } = *occasion;
    let is_identified = scope.identify || scope.part.is_some();
    let identity = is_identified.then(|| identity::of(bench.session, &catalogue, variants, settings));
    if let (Some(part), Some(here)) = (scope.part, &identity) {
        identity::expect(part.identity, here)?;
    }
    catalogue.retain(scope.has());
    if catalogue.cases.is_empty() && failures.is_empty() {
        return Ok(None);
    }
    let catalogue = match prior {
        Some(prior) => resume::align(catalogue, prior)?,
        None => {
            let listing = listing((bench.launcher(), Some(bench.store)), options, (own(variants), settings));
            let (select, stated) = (&options.select, &options.stated);
            check_metrics::check(bench.store, select, (stated, settings), &catalogue, &listing)?;
            catalogue
        }
    };
    let common = common(bench, options, catalogue, base, (variants, settings), tell)?;
    failures.extend(common.failures);
    Ok(Some(Cases { catalogue: common.catalogue, failures, left_out: common.left_out, identity }))
}

/// The cases that every side has.
struct Common {
    catalogue: Catalogue,
    /// Failures of the baseline to list cases.
    failures: Vec<Failure>,
    left_out: Vec<(u32, String)>,
}

/// Keeps the cases that every side has, and reports the others.
///
/// # Errors
/// Fails if no case is left. Fails with [`Error::NotAgain`] if the baseline has none of the cases.
fn common(
    bench: Bench<'_>,
    options: &RunOptions,
    catalogue: Catalogue,
    base: Option<Base>,
    (variants, settings): (&[Variant], &Settings),
    tell: &mut Tell<'_>,
) -> Result<Common> {
    let Some(base) = base else {
        let common = of_revisions(bench, options, catalogue, (variants, settings), tell)?;
        return Ok(Common { catalogue: pair(common.catalogue, variants, tell)?, ..common });
    };
    let listing = listing((bench.launcher(), Some(bench.store)), options, (&variants[0], settings));
    let (listed, failures) = bench.session.listed(&options.select, base.sources, &listing)?;
    let before = catalogue.cases.len();
    let gone = baseline::gone(&catalogue, &listed, &bench.session.selector(&options.select));
    let (catalogue, left) = baseline::common(catalogue, &listed, &variants[0].name);
    if catalogue.cases.is_empty() && before > 0 {
        let why = failures.first().map(|failure| Problem::from(failure).in_a_line());
        return Err(Error::NotAgain(why.unwrap_or_else(|| "it has none of these cases".into())));
    }
    let of_new = left.iter().map(|(case, _)| (1, case.clone()));
    let left_out = of_new.chain(gone.iter().map(|case| (0, case.clone()))).collect();
    let gone = gone.into_iter().map(|case| (case, "the new code does not have it".to_owned()));
    left.into_iter().chain(gone).for_each(|(case, why)| say(tell, Notice::LeftOut { case, why }));
    let catalogue = pair(catalogue, variants, tell)?;
    let again = (0..).zip(variants).filter(|(_, variant)| variant.again.is_some());
    let again: Vec<u32> = again.map(|(number, _)| number).collect();
    // The baseline may have failed to list a case, so a case that only the new code has is not necessarily
    // new.
    Ok(Common { catalogue: baseline::join(catalogue, listed, &again), failures, left_out })
}

/// Keeps the cases that every revision has, and reports the others. A revision that lacks a file has none of
/// its cases. A file that it has but cannot list is a failure.
///
/// # Errors
/// Fails if a parameter is not `KEY=VALUE`.
fn of_revisions(
    bench: Bench<'_>,
    options: &RunOptions,
    mut catalogue: Catalogue,
    (variants, settings): (&[Variant], &Settings),
    tell: &mut Tell<'_>,
) -> Result<Common> {
    let (select, session) = (&options.select, bench.session);
    let (mut failures, mut left_out) = (Vec::new(), Vec::new());
    let own = own(variants);
    let is_other = |variant: &&Variant| variant.directory.is_some() && variant.directory != own.directory;
    for variant in variants.iter().filter(is_other) {
        let listing = listing((bench.launcher(), Some(bench.store)), options, (variant, settings));
        let sources = catalogue.sources.iter().filter(|source| source.exists_for(variant)).cloned();
        let (listed, lost) = session.listed(select, sources.collect(), &listing)?;
        let root = variant.directory.as_deref().map_or(Path::new(""), Path::new);
        let is_new = |file: &String| session.project.root.join(file).exists() && !root.join(file).exists();
        let has = |failure: &Failure| failure.place.is_empty() || !failure.place.iter().all(is_new);
        failures.extend(lost.into_iter().filter(has));
        let gone = baseline::gone(&catalogue, &listed, &session.selector(select));
        let (common, left) = baseline::common(catalogue, &listed, &variant.name);
        catalogue = common;
        let number = |wanted: &Variant| (0..).zip(variants).find(|(_, one)| one.name == wanted.name);
        let side = |wanted: &Variant| number(wanted).map_or(0, |(number, _)| number);
        left_out.extend(left.iter().map(|(case, _)| (side(own), case.clone())));
        left_out.extend(gone.iter().map(|case| (side(variant), case.clone())));
        let gone = gone.into_iter().map(|case| (case, format!("{} does not have it", own.name)));
        left.into_iter().chain(gone).for_each(|(case, why)| say(tell, Notice::LeftOut { case, why }));
    }
    Ok(Common { catalogue, failures, left_out })
}

/// Finds the counterpart of each case in each variant, and reports the cases without one.
fn pair(mut catalogue: Catalogue, variants: &[Variant], tell: &mut Tell<'_>) -> Result<Catalogue> {
    let before = catalogue.cases.len();
    let unpaired = catalogue.pair(variants);
    if catalogue.cases.is_empty() && before > 0 {
        let names: Vec<&str> = variants.iter().filter_map(|variant| variant.benchmark.as_deref()).collect();
        let why =
            unpaired.first().map_or("each variant's benchmark is itself a selected case", |first| &first.why);
        return Err(problem!("no case can be compared with `{}`", names.join("`, `"))
            .why(why)
            .remedy("name a benchmark of the same suite; `derny list` shows them")
            .into());
    }
    for left in unpaired {
        say(tell, Notice::LeftOut { case: left.case.to_string(), why: left.why });
    }
    Ok(catalogue)
}
