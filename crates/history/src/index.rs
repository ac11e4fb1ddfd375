//! Brings the history of a store up to date with its runs.

use crate::points::{Measured, entries};
use derny_model::{HistoryEntry, RunHeader, RunStatus};
use derny_store::Store;
use derny_workbench::Result;
use derny_workbench::results::source::Source;
use std::collections::HashSet;

/// The result of [`update`].
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Indexed {
    /// Number of runs whose points were added.
    pub runs: usize,
    /// Runs that cannot be read, with the reason.
    pub unreadable: Vec<(String, String)>,
}

/// Number of runs whose points are written in one transaction.
const AT_ONCE: usize = 64;

/// Adds the points of finished runs that the history does not contain yet, among the `newest` newest ones.
///
/// # Errors
///
/// Fails if the store cannot be read or written. Points that were already added are kept.
pub fn update(store: &Store, newest: usize) -> Result<Indexed> {
    let known: HashSet<String> =
        store.history_entries()?.into_iter().filter_map(|(_, entry)| run_of(&entry.key)).collect();
    let mut indexed = Indexed::default();
    let mut new: Vec<Measured> = Vec::new();
    for summary in store.runs(newest)? {
        let header = &summary.header;
        if known.contains(&header.id) || !is_indexed(header) {
            continue;
        }
        match Source::load(store, &header.id, None) {
            Ok(source) => new.extend(of_run(header, entries(&source.document()))),
            Err(error) => indexed.unreadable.push((header.id.clone(), error.to_string())),
        }
        indexed.runs += 1;
        if new.len() >= AT_ONCE {
            add(store, &std::mem::take(&mut new))?;
        }
    }
    add(store, &new)?;
    Ok(indexed)
}

/// Adds entries to the history, in one transaction. An entry with the key of an existing one replaces it.
///
/// # Errors
///
/// Fails if the store cannot be written. No entry is added then.
pub fn add(store: &Store, all: &[Measured]) -> Result<()> {
    let rows: Vec<_> = all.iter().map(|one| (&one.entry, &one.points[..])).collect();
    Ok(store.add_history(&rows)?)
}

/// Returns true if the points of a run belong to the history. A run that was merged from several machines has
/// none, because its cases were measured on different machines.
fn is_indexed(header: &RunHeader) -> bool {
    header.status != RunStatus::Running && !header.settings.once && header.only_machine().is_some()
}

/// Returns the entries of a run. A run without points has one too, so that it is not read again.
fn of_run(header: &RunHeader, all: Vec<Measured>) -> Vec<Measured> {
    if !all.is_empty() {
        return all;
    }
    let entry = HistoryEntry {
        key: format!("{}:", header.id),
        run: Some(header.id.clone()),
        file: None,
        measured_ms: header.started_ms,
        commit: header.commit.clone(),
        machine_ns: None,
    };
    vec![Measured { entry, points: Vec::new() }]
}

/// Returns the run of a key `RUN:VARIANT`. The keys of other entries of a run have two colons.
fn run_of(key: &str) -> Option<String> {
    let (run, rest) = key.split_once(':')?;
    (!rest.starts_with(':')).then(|| run.to_owned())
}
