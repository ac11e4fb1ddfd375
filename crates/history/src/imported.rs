//! Converts the results of other tools to entries of the history, without storing runs.

use crate::points::{Measured, entries};
use derny_engine::hash::Fnv;
use derny_import::{Foreign, Origin};
use derny_model::{Commit, HistoryEntry, HistorySeries, HistoryValue, Records};

/// Where results come from, and data that the file lacks.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// Path of the file, as the user named it.
    pub file: String,
    /// The last parts of the absolute path. An entry replaces one of the same place and commit.
    pub place: String,
    /// Name of the importer.
    pub format: String,
    /// Modification time of the file, milliseconds since the Unix epoch.
    pub time_ms: i64,
    /// Commit of results that name none.
    pub commit: Option<String>,
    /// Date of results that have none, milliseconds since the Unix epoch.
    pub date_ms: Option<i64>,
    /// Machine of results that name none.
    pub host: Option<String>,
}

/// Adds the commit, the date and the machine of `place` to results that lack them.
pub fn complete(foreign: &mut Foreign, place: &Place) {
    if foreign.commit.is_none() {
        let commit = |hash: &String| Commit { hash: hash.clone(), branch: None, dirty: false };
        foreign.commit = place.commit.as_ref().map(commit);
    }
    foreign.started_ms = foreign.started_ms.or(place.date_ms);
    if let Some(host) = place.host.as_ref().filter(|_| foreign.machine.host.is_empty()) {
        foreign.machine.host.clone_from(host);
    }
}

/// Returns the entries of a file's results, one for each variant. `date_ms` is the date of the entries.
pub fn measured(foreign: Foreign, place: &Place, date_ms: i64) -> Vec<Measured> {
    let shared = shared(&foreign, &place.format);
    let own = (foreign.commit.is_some() || foreign.started_ms.is_some()).then_some(place.place.as_str());
    let mut all = match single(&foreign, place, date_ms) {
        Some(one) => vec![one],
        None => analysed(foreign, place, date_ms),
    };
    all.iter_mut().for_each(|one| one.entry.key = key(&shared, own, one));
    all
}

/// Returns the entry of results with one value for each figure.
fn single(foreign: &Foreign, place: &Place, date_ms: i64) -> Option<Measured> {
    let runtime = runtime(foreign);
    let point = |single: derny_import::Single<'_>| {
        let series = HistorySeries {
            case: foreign.cases().id(single.case),
            figure: single.figure.to_owned(),
            unit: single.unit.to_owned(),
            better: single.better,
            host: foreign.machine.host.clone(),
            cpu: foreign.machine.cpu.clone(),
            runtime: runtime.clone(),
            tool: match foreign.version(single.case) {
                Some(version) => format!("{} (benchmark {version})", foreign.tool),
                None => foreign.tool.clone(),
            },
            apart: None,
            against: None,
        };
        (series, HistoryValue { value: single.value, interval: single.interval })
    };
    let points = foreign.singles()?.into_iter().map(point).collect();
    Some(Measured { entry: entry(place, date_ms, foreign.commit.clone()), points })
}

/// Returns the entries of results with samples, which are analysed like those of a run.
fn analysed(foreign: Foreign, place: &Place, date_ms: i64) -> Vec<Measured> {
    let (runtime, commit) = (runtime(&foreign), foreign.commit.clone());
    let origin = Origin {
        id: String::new(),
        format: place.format.clone(),
        file: place.file.clone(),
        time_ms: date_ms,
        derny: String::new(),
        args: Vec::new(),
        note: None,
        hash: String::new(),
        name_template: None,
    };
    let (header, cases, events) = derny_import::events(foreign, &origin);
    let mut records = Records::new(header, cases.iter().collect());
    events.for_each(|event| records.take(event));
    let mut all = entries(&derny_analysis::summarise(&records));
    for one in &mut all {
        one.entry = entry(place, date_ms, commit.clone());
        one.points.iter_mut().for_each(|(series, _)| series.runtime.clone_from(&runtime));
    }
    all
}

fn entry(place: &Place, date_ms: i64, commit: Option<Commit>) -> HistoryEntry {
    HistoryEntry {
        key: String::new(),
        run: None,
        file: Some(place.file.clone()),
        measured_ms: date_ms,
        commit,
        machine_ns: None,
    }
}

fn runtime(foreign: &Foreign) -> String {
    match foreign.runtime.as_deref() {
        None => String::new(),
        Some(own) if own.starts_with(foreign.language) => own.to_owned(),
        Some(own) => format!("{} {own}", foreign.language),
    }
}

/// Returns a hash of the properties that results of one commit and machine share.
fn shared(foreign: &Foreign, format: &str) -> Fnv {
    let commit = foreign.commit.as_ref().map_or("", |commit| &commit.hash);
    let date = foreign.started_ms.map(|date| date.to_string()).unwrap_or_default();
    let machine = &foreign.machine;
    let mut hash = Fnv::new();
    for word in [format, commit, &date, &machine.host, &machine.cpu, &runtime(foreign)] {
        hash.write(word.as_bytes());
    }
    hash
}

/// Returns the key of an entry: its identity, which includes the place of the file, and a hash of its
/// content. Results without commit and date are identified by their content.
fn key(shared: &Fnv, place: Option<&str>, own: &Measured) -> String {
    let mut content = shared.clone();
    for (series, value) in &own.points {
        let HistorySeries { case, figure, unit, tool, .. } = series;
        for word in [&case.suite, &case.benchmark, figure, unit, tool] {
            content.write(word.as_bytes());
        }
        for (name, value) in &case.params {
            content.write(name.as_bytes()).write(value.as_bytes());
        }
        let interval = value.interval.map_or([f64::NAN; 2], |own| [own.lo, own.hi]);
        let values = [value.value, interval[0], interval[1]];
        values.iter().for_each(|value| _ = content.write(&value.to_bits().to_le_bytes()));
    }
    let apart = own.points.first().and_then(|(series, _)| series.apart.as_deref()).unwrap_or_default();
    let content = content.write(apart.as_bytes()).hex();
    let identity = place.map(|place| shared.clone().write(place.as_bytes()).write(apart.as_bytes()).hex());
    format!("{}:{content}", identity.as_ref().unwrap_or(&content))
}
