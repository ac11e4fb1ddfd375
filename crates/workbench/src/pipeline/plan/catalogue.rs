//! Determines the cases of a run: finds the programs, lists their cases, and keeps those that every side can
//! measure.

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::plan::request::Request;
use crate::pipeline::plan::variants::Asked;
use crate::pipeline::{check_metrics, identity, resume};
use crate::project::session::{Launcher, Listing};
use crate::variants::baseline::{self, Base};
use crate::variants::build;
use derny_engine::discover::Source;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Failure, Identity, Problem, Settings, Variant, problem};
use derny_store::Store;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Finds the programs that contain the selected benchmarks. Also returns failures for files that suites name
/// but that do not exist.
///
/// # Errors
/// Fails if discovery fails.
pub(crate) fn sources(
    request: Request<'_, '_>,
    asked: &Asked<'_>,
    tell: &mut Tell<'_>,
) -> Result<(Vec<Source>, Vec<Failure>)> {
    let Request { launcher, options, .. } = request;
    let files = asked.files(request)?;
    let (sources, lost) =
        launcher.session.sources(&options.select, &files, &mut |notice| say(tell, notice))?;
    let with_coverage = |source: Source| match options.cover {
        Some(calls) => source.with_coverage(calls),
        None => source,
    };
    Ok((sources.into_iter().map(with_coverage).collect(), lost))
}

/// Returns the options for listing a variant's programs.
fn listing<'l>(request: Request<'l, '_>, variant: &'l Variant, timeout_ns: u64) -> Listing<'l> {
    let Launcher { reaper, stop, .. } = request.launcher;
    let (test, refresh) = (request.options.mode.smallest, request.options.refresh);
    Listing { variant, test, timeout_ns, refresh, reaper, stop }
}

/// Returns the variant whose programs list the cases: the first one that is neither the baseline nor a
/// revision, or else not the baseline.
fn own(variants: &[Variant]) -> &Variant {
    let is_own = |variant: &&Variant| variant.again.is_none() && !variant.control;
    let of_tree = variants.iter().filter(is_own).find(|variant| variant.directory.is_none());
    of_tree.or_else(|| variants.iter().find(is_own)).unwrap_or(&variants[0])
}

/// Lists the selected cases of the programs. Failures to list are added to the earlier ones in `lost`.
///
/// # Errors
/// Fails if a parameter is not `KEY=VALUE`, or with [`Error::Nothing`] if there is no case or none matches.
pub(crate) fn list(
    request: Request<'_, '_>,
    programs: (Vec<Source>, Vec<Failure>),
    variants: &[Variant],
    timeout_ns: u64,
    tell: &mut Tell<'_>,
) -> Result<(Catalogue, Vec<Failure>)> {
    let listing = listing(request, own(variants), timeout_ns);
    let mut selected = |notice| say(tell, notice);
    let select = &request.options.select;
    request.launcher.session.catalogue(select, programs, &listing, request.store, &mut selected)
}

/// Fails if the user wants to stop, or if nothing that was selected could be built.
///
/// # Errors
/// Returns [`Error::Interrupted`], or the failure of the first build.
pub(crate) fn can_go_on(
    request: Request<'_, '_>,
    (catalogue, failures): (&Catalogue, &[Failure]),
    unbuilt: &[Failure],
) -> Result<()> {
    if request.launcher.stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    match build::as_error(unbuilt) {
        Some(error) if catalogue.cases.is_empty() && failures.len() == unbuilt.len() => Err(error),
        _ => Ok(()),
    }
}

/// Computes the identity of the selection if requested, and keeps the cases in the run's scope.
///
/// # Errors
/// Fails if the part belongs to a plan of another selection.
pub(crate) fn in_scope(
    request: Request<'_, '_>,
    mut catalogue: Catalogue,
    variants: &[Variant],
    settings: &Settings,
) -> Result<(Catalogue, Option<Identity>)> {
    let scope = request.occasion.scope;
    let is_identified = scope.identify || scope.part.is_some();
    let session = request.launcher.session;
    let identity = is_identified.then(|| identity::of(session, &catalogue, variants, settings));
    if let (Some(part), Some(here)) = (scope.part, &identity) {
        identity::expect(part.identity, here)?;
    }
    catalogue.retain(scope.has());
    Ok((catalogue, identity))
}

/// Sorts the cases into the order of a resumed run. For a new run, rejects unknown metrics and modes.
///
/// # Errors
/// Fails if a case no longer exists, or if a name is unknown.
pub(crate) fn checked(
    request: Request<'_, '_>,
    store: &Store,
    catalogue: Catalogue,
    (variants, settings): (&[Variant], &Settings),
) -> Result<Catalogue> {
    let Request { launcher, options, occasion, .. } = request;
    if let Some(prior) = occasion.prior {
        return resume::align(catalogue, prior);
    }
    let layers = launcher.session.layers(&options.stated)?;
    let listing = listing(request, own(variants), settings.timeout_ns);
    let project = (launcher.session, store);
    check_metrics::check(project, &options.select, (&layers, settings), &catalogue, &listing)?;
    Ok(catalogue)
}

/// The cases that every side has.
pub(crate) struct Common {
    /// The cases, with their counterparts on the other sides.
    pub catalogue: Catalogue,
    /// Failures of the baseline to list cases.
    pub failures: Vec<Failure>,
    /// Names of cases that are not measured, each with the index of the only side that has it. 0 is the
    /// baseline.
    pub left_out: Vec<(u32, String)>,
}

/// Keeps the cases that every side has, and reports the others.
///
/// # Errors
/// Fails if no case is left; with [`Error::NotAgain`] if the baseline has none of the cases.
pub(crate) fn common(
    request: Request<'_, '_>,
    catalogue: Catalogue,
    base: Option<Base>,
    (variants, settings): (&[Variant], &Settings),
    tell: &mut Tell<'_>,
) -> Result<Common> {
    let Some(base) = base else {
        let common = of_revisions(request, catalogue, (variants, settings), tell)?;
        return Ok(Common { catalogue: pair(common.catalogue, variants, tell)?, ..common });
    };
    let Request { launcher, options, store, .. } = request;
    let listing = listing(request, &variants[0], settings.timeout_ns);
    let (listed, failures) = launcher.session.listed(&options.select, base.sources, &listing, store)?;
    let before = catalogue.cases.len();
    let gone = baseline::gone(&catalogue, &listed, &launcher.session.selector(&options.select));
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
    // A case that the baseline failed to list is not necessarily a new one.
    Ok(Common { catalogue: baseline::join(catalogue, listed, &again), failures, left_out })
}

/// Keeps the cases that every revision has, and reports the others. A revision that lacks a file has none of
/// its cases. A file that it has and cannot list is a failure.
///
/// # Errors
/// Fails if a parameter is not `KEY=VALUE`.
fn of_revisions(
    request: Request<'_, '_>,
    mut catalogue: Catalogue,
    (variants, settings): (&[Variant], &Settings),
    tell: &mut Tell<'_>,
) -> Result<Common> {
    let Request { launcher, options, store, .. } = request;
    let (select, session) = (&options.select, launcher.session);
    let (mut failures, mut left_out) = (Vec::new(), Vec::new());
    let own = own(variants);
    let is_other = |variant: &&Variant| variant.directory.is_some() && variant.directory != own.directory;
    for variant in variants.iter().filter(is_other) {
        let listing = listing(request, variant, settings.timeout_ns);
        let sources = catalogue.sources.iter().filter(|source| source.exists_for(variant)).cloned();
        let (listed, lost) = session.listed(select, sources.collect(), &listing, store)?;
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
