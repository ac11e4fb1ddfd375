//! Stored runs as those who look at them need them: which run is meant, which of its cases, and what it came to.

use crate::error::{Error, Result};
use crate::history;
use crate::options::Stored;
use crate::session::{self, Session};
use crate::source::{self, Source};
use derny_analysis::template::Template;
use derny_analysis::{Input, Options};
use derny_engine::discover::pattern::{self, Selector};
use derny_model::{Case, Comparison, Document, Records, Visit};
use derny_store::{ErrorKind, Store};

/// What `stored` means, from the store, a file or standard input. The store comes along if the run is from there.
///
/// # Errors
/// Files and runs that cannot be read; [`Error::Nothing`] if no case matches.
pub fn source(session: &Session, stored: &Stored) -> Result<(Source, Option<Store>)> {
    let Some(word) = stored.run.as_ref().filter(|word| source::is_file(word)) else {
        let store = session.existing_store()?;
        let records = records(session, &store, stored)?;
        return Ok((Source::Records(Box::new(records)), Some(store)));
    };
    let params = session::params(&stored.narrow.params)?;
    let selector = Selector { patterns: stored.patterns.clone(), excludes: stored.narrow.exclude.clone() };
    let mut all = source::read(word)?;
    all.name(stored.name_template.as_deref())?;
    let names: Vec<String> = all.cases().iter().map(|case| case.id.to_string()).collect();
    let source = all.select(|case| selector.selects(case) && has(case, &params));
    if source.cases().is_empty() && !names.is_empty() {
        return Err(nothing(&source::name(word), &selector.patterns, &names));
    }
    Ok((source, None))
}

/// The document of a source; what comes from a store shows its change against the last comparable run.
pub fn concluded(source: &Source, store: Option<&Store>) -> Result<Document> {
    match (source, store) {
        (Source::Records(records), Some(store)) => document(store, records, None),
        _ => Ok(source.document()),
    }
}

/// The records that `stored` means.
///
/// The first word names a run if the store knows one of that name; otherwise it is a pattern for the last run.
///
/// # Errors
/// Runs that cannot be read; [`Error::Nothing`] if no case of the run matches.
pub fn records(session: &Session, store: &Store, stored: &Stored) -> Result<Records> {
    if store.runs(1)?.is_empty() {
        return Err(session.no_runs());
    }
    let mut patterns = stored.patterns.clone();
    let mut unknown = None;
    let id = match &stored.run {
        None => store.resolve("last")?,
        Some(word) => match store.resolve(word) {
            Ok(id) => id,
            Err(error) if error.kind == ErrorKind::Unknown => {
                patterns.insert(0, word.clone());
                unknown = Some(error);
                store.resolve("last")?
            }
            Err(error) => return Err(error.into()),
        },
    };
    let params = session::params(&stored.narrow.params)?;
    let selector = Selector { patterns, excludes: stored.narrow.exclude.clone() };
    let chosen = |case: &Case| selector.selects(case) && has(case, &params);
    let Source::Records(records) = Source::load(store, &id, stored.name_template.as_deref())? else {
        unreachable!("stored runs are records")
    };
    let records = *records;
    let all: Vec<String> = records.cases.iter().map(|case| case.id.to_string()).collect();
    let records = derny_analysis::select(records, chosen);
    if records.cases.is_empty() && !all.is_empty() {
        if let Some(error) = unknown
            && selector.patterns.len() == 1
            && params.is_empty()
        {
            return Err(Error::Nothing(format!(
                "{error}\n  note   no case of the last run ({id}) matches it either"
            )));
        }
        return Err(nothing(&format!("run {id}"), &selector.patterns, &all));
    }
    Ok(records)
}

/// Whether every parameter asked for is one of the values given.
pub(crate) fn has(case: &Case, params: &[(String, Vec<String>)]) -> bool {
    params
        .iter()
        .all(|(name, values)| case.id.params.iter().any(|(key, value)| key == name && values.contains(value)))
}

/// The error that nothing matches, with what comes near.
pub(crate) fn nothing(run: &str, patterns: &[String], all: &[String]) -> Error {
    let quoted: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    let asked = if quoted.is_empty() { "what was asked for".to_string() } else { quoted.join(" or ") };
    let near = patterns.iter().flat_map(|p| pattern::closest(p, all.iter().map(String::as_str)));
    let near: Vec<String> = near.take(3).collect();
    let hint = if near.is_empty() { String::new() } else { format!("\n  closest: {}", near.join(", ")) };
    Error::Nothing(format!("no case of {run} matches {asked}{hint}"))
}

/// The cases under the names by which the store knows them.
pub(crate) fn measured(records: &Records) -> Vec<Case> {
    let template = records.header.settings.name_template.as_deref();
    match template.and_then(|text| Template::parse(text).ok()) {
        Some(template) => template.undo(&records.cases),
        None => records.cases.clone(),
    }
}

/// What records came to, with the change against `against`, else against the last comparable run; for several variants
/// only against `against`, since what was asked there is how they differ.
pub fn document(store: &Store, records: &Records, against: Option<&str>) -> Result<Document> {
    let mut document = derny_analysis::summarise(records);
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

/// A run against an earlier one: by each run's own variant where one of them measured a baseline again, else by the first
/// variant that both have; none where they share no variant.
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

/// The names asked for with `--metric` that nothing measured has.
pub(crate) fn unknown_metrics(records: &Records) -> Vec<&String> {
    let made_of_times = ["time", "mean", "gc", "alloc"];
    let of_visit = |name: &str, visit: &Visit| {
        let mode = visit.mode.as_deref();
        let plain = mode.and_then(|mode| name.strip_prefix(mode)?.strip_prefix('.')).unwrap_or(name);
        mode == Some(name) || visit.metrics.iter().any(|metric| metric.name == plain)
    };
    let as_run = |name: &String| records.cases.iter().any(|case| case.as_run().as_ref() == Some(name));
    let measured =
        |name: &String| as_run(name) || records.visits.iter().any(|record| of_visit(name, &record.visit));
    let wanted = records.header.settings.metrics.iter();
    wanted.filter(|name| !made_of_times.contains(&name.as_str()) && !measured(name)).collect()
}

/// The ways of measuring asked for with `--mode` that no harness has.
pub(crate) fn unknown_modes(records: &Records) -> Vec<&String> {
    let measured =
        |name: &String| records.visits.iter().any(|record| record.visit.mode.as_ref() == Some(name));
    // Where nothing was measured, nobody can say what there is.
    let asked = records.header.settings.modes.iter().flatten().filter(|_| !records.visits.is_empty());
    asked.filter(|name| !measured(name)).collect()
}
