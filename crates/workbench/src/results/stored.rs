//! Finds stored runs, their selected cases and their documents.

use crate::config::options::Stored;
use crate::config::settings::MADE_METRICS;
use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::project::session::Session;
use crate::results::history;
use crate::results::source::{self, Source};
use derny_analysis::template::Template;
use derny_analysis::{Input, Options};
use derny_engine::discover::pattern::{self, Selector};
use derny_model::{Case, Comparison, Document, Problem, Records, RunId, Visit};
use derny_store::{ErrorKind, Store, StoreError};

/// Returns the run that `stored` names, from the store, a file or standard input. Also returns the store, if
/// the run is from it. `tell` receives the number of selected cases.
///
/// # Errors
/// Fails if a file or run cannot be read, or with [`Error::Nothing`] if no case matches.
pub fn source(
    session: &Session,
    stored: &Stored,
    tell: &mut dyn FnMut(Notice),
) -> Result<(Source, Option<Store>)> {
    let template = stored.name_template.as_deref();
    if let Some(word) = stored.run.as_ref().filter(|word| source::is_file(word)) {
        let mut source = source::read(word)?;
        source.name(template)?;
        let selector = session.stored_selector(&stored.patterns, &stored.narrow)?;
        let place = format!("of {}", source::name(word));
        return Ok((narrow(source, &selector, &place, tell)?, None));
    }
    let store = session.existing_store()?;
    if store.runs(1)?.is_empty() {
        return Err(session.no_runs().into());
    }
    let (id, variant, unknown) = match &stored.run {
        None => (newest(&store, tell)?, None, None),
        Some(word) if word == "last" => (newest(&store, tell)?, None, None),
        Some(word) => match find(&store, word)? {
            Ok((id, variant)) => (id, variant, None),
            Err(error) => (newest(&store, tell)?, None, Some((word, error))),
        },
    };
    // If the first word is not a run, it is a pattern for the last run.
    let first = unknown.iter().map(|(word, _)| (*word).clone());
    let patterns: Vec<String> = first.chain(stored.patterns.iter().cloned()).collect();
    let selector = session.stored_selector(&patterns, &stored.narrow)?;
    let mut source = Source::load(&store, &id, template)?;
    if let Some(variant) = variant {
        source = source.variant(variant)?;
    }
    let narrowed = narrow(source, &selector, &format!("of run {id}"), tell);
    let source = match (narrowed, unknown) {
        (Err(Error::Nothing(why)), Some((word, error))) => {
            return Err(Error::Nothing(neither(&store, word, &error, why)?));
        }
        (narrowed, _) => narrowed?,
    };
    Ok((source, Some(store)))
}

/// Returns the newest run that has its own results. `tell` receives a notice if a newer run measured
/// nothing or was imported.
fn newest(store: &Store, tell: &mut dyn FnMut(Notice)) -> Result<RunId> {
    let shown = match store.last_measured()? {
        Some(shown) => shown,
        None => store.resolve("last")?,
    };
    if let Some(newest) = store.runs(1)?.pop().map(|run| run.header).filter(|run| run.id != shown) {
        let is_imported = newest.imported.is_some();
        tell(Notice::Earlier { shown: shown.clone(), newest: newest.id, is_imported });
    }
    Ok(shown)
}

/// Returns the id of the run that a word names, and the variant after its colon. The inner error explains why
/// there is no such run.
///
/// # Errors
/// Fails if the store fails, or if a word matches several runs.
pub(crate) fn find<'a>(store: &Store, word: &'a str) -> Result<Result<(RunId, Option<&'a str>), StoreError>> {
    let unknown = match store.resolve(word) {
        Ok(id) => return Ok(Ok((id, None))),
        Err(error) if error.kind == ErrorKind::Unknown => error,
        Err(error) => return Err(error.into()),
    };
    let Some((run, variant)) = word.rsplit_once(':') else { return Ok(Err(unknown)) };
    match store.resolve(run) {
        Ok(id) => Ok(Ok((id, Some(variant)))),
        Err(error) if error.kind == ErrorKind::Unknown => Ok(Err(unknown)),
        Err(error) => Err(error.into()),
    }
}

/// Returns the error for a word that is neither a run nor a case. `error` is the reason why it is not a run,
/// and `why` the error that it selects no case.
pub(crate) fn neither(store: &Store, word: &str, error: &StoreError, why: Problem) -> Result<Problem> {
    if let Some(problem) = source::no_run(word) {
        return Ok(problem);
    }
    if word == "last" || word.starts_with("last~") {
        return Ok(error.problem.clone());
    }
    let names: Vec<String> = store.baselines()?.into_iter().map(|baseline| baseline.name).collect();
    let near = pattern::closest(word, names.iter().map(String::as_str));
    let remedy = match near.first() {
        Some(name) => format!("use the baseline `{name}`; `derny runs` lists all runs"),
        None => "`derny runs` lists all runs".to_owned(),
    };
    Ok(why.why(format_args!("nor is it a run: {}", error.problem.why)).remedy(remedy))
}

/// Keeps the cases that a selector chooses. `place` names the origin of the cases, for the error.
///
/// # Errors
/// Fails with [`Error::Nothing`] if no case is left, or if any pattern matches none.
pub(crate) fn narrow(
    source: Source,
    selector: &Selector,
    place: &str,
    tell: &mut dyn FnMut(Notice),
) -> Result<Source> {
    if selector.is_everything() {
        return Ok(source);
    }
    let cases = source.cases();
    let chosen = selector.choose(&cases);
    if !cases.is_empty() && (chosen.count() == 0 || !chosen.unmatched.is_empty()) {
        return Err(Error::Nothing(pattern::refusal(&chosen, &cases, place)));
    }
    Notice::selected(&chosen).into_iter().for_each(tell);
    Ok(source.select(|case| chosen.has(case)))
}

/// Returns the document of a source. The document of a stored run contains its change against the last
/// comparable run.
pub fn concluded(source: &Source, store: Option<&Store>) -> Result<Document> {
    finished(source, source.document(), store)
}

/// Completes the document of a source as [`concluded`] does.
pub(crate) fn finished(source: &Source, document: Document, store: Option<&Store>) -> Result<Document> {
    match (source, store) {
        (Source::Records(records), Some(store)) => changed(store, records, document, None),
        _ => Ok(document),
    }
}

/// Returns the cases with the names under which they are stored, before the name template is applied.
pub(crate) fn measured(records: &Records) -> Vec<Case> {
    let template = records.header.settings.name_template.as_deref();
    match template.and_then(|text| Template::parse(text).ok()) {
        Some(template) => template.undo(&records.cases),
        None => records.cases.clone(),
    }
}

/// Returns the document of records, with the requested metrics and the change against `against`, or else
/// against the last comparable run. A run with several variants gets a change only if `against` is given,
/// because the differences between its variants are its result.
pub(crate) fn changed(
    store: &Store,
    records: &Records,
    mut document: Document,
    against: Option<&str>,
) -> Result<Document> {
    derny_analysis::only_metrics(&mut document, &records.header.settings.metrics);
    let earlier = match against {
        Some(name) => Some(store.resolve(name)?),
        None if records.header.settings.once || records.header.variants.len() > 1 => None,
        None => store.last_comparable(&records.header, &measured(records))?,
    };
    let Some(id) = earlier else { return Ok(document) };
    let before = Source::load(store, &id, records.header.settings.name_template.as_deref())?;
    Ok(match before_and_now(store, &before, records, &document)? {
        Some(comparison) => derny_analysis::change(document, &comparison, against),
        None => document,
    })
}

/// Compares a variant of the earlier run with one of this run: the runs' own variants if either run measured
/// a baseline again, or else the first variant that both runs have. Returns None if the runs have no variant
/// in common.
fn before_and_now(
    store: &Store,
    before: &Source,
    records: &Records,
    document: &Document,
) -> Result<Option<Comparison>> {
    let earlier = before.document();
    let of = |name: &str| earlier.run.variants.iter().position(|variant| variant.name == name);
    let mut shared =
        (0..).zip(&document.run.variants).filter_map(|(new, own)| Some((of(&own.name)? as u32, new)));
    let is_again = document.run.again().is_some() || earlier.run.again().is_some();
    let owns = is_again.then(|| (earlier.run.own_variant(), document.run.own_variant()));
    let Some((old, new)) = owns.or_else(|| shared.next()) else { return Ok(None) };
    let input = |document, records, variant| Input { name: String::new(), document, records, variant };
    let inputs = [input(&earlier, before.records(), old), input(document, Some(records), new)];
    let groups = history::groups(store, &earlier.run)?;
    let groups: Vec<Vec<&Document>> = groups.iter().map(|group| group.iter().collect()).collect();
    let settings = &records.header.settings;
    let (margin, mean_margin, confidence) = (settings.margin, settings.mean_margin, settings.confidence);
    let options = Options { margin, mean_margin, confidence, history: &groups, ..Options::default() };
    Ok(Some(derny_analysis::compare(&inputs, &options)))
}

/// Returns the metrics requested with `metrics` that no measured benchmark has. `document` contains the
/// values that the benchmarks report.
pub(crate) fn unknown_metrics<'a>(records: &'a Records, document: &Document) -> Vec<&'a String> {
    let sides = || document.cases().flat_map(|case| &case.variants);
    let shown = |name: &String| sides().any(|side| side.metrics.iter().any(|own| own.metric.name == *name));
    let of_visit = |name: &str, visit: &Visit| {
        let mode = visit.mode.as_deref();
        let plain = mode.and_then(|mode| name.strip_prefix(mode)?.strip_prefix('.')).unwrap_or(name);
        mode == Some(name) || visit.metrics.iter().any(|metric| metric.name == plain)
    };
    let as_run = |name: &String| records.cases.iter().any(|case| case.as_run().as_ref() == Some(name));
    let measured =
        |name: &String| as_run(name) || records.visits.iter().any(|record| of_visit(name, &record.visit));
    let wanted = records.header.settings.metrics.iter();
    wanted.filter(|name| !MADE_METRICS.contains(&name.as_str()) && !measured(name) && !shown(name)).collect()
}

/// Returns the modes requested with `modes` that no harness has.
pub(crate) fn unknown_modes(records: &Records) -> Vec<&String> {
    let measured = |name: &String| {
        records.visits.iter().any(|record| record.visit.mode.is_some_and(|mode| mode == *name))
    };
    // If nothing was measured, it is unknown which modes are available.
    let asked = records.header.settings.modes.iter().flatten().filter(|_| !records.visits.is_empty());
    asked.filter(|name| !measured(name)).collect()
}
