//! Adds the results of other tools to the history of a store. Skips results that the history already
//! contains.

use crate::commits::{Commits, is_hash};
use crate::imported::{Place, complete, measured};
use crate::index::add;
use crate::points::Measured;
use derny_import::Foreign;
use derny_model::{CaseId, HistorySeries};
use derny_store::Store;
use derny_workbench::Result;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// Number of points that are written in one transaction, because they are in memory until then.
const AT_ONCE: usize = 1 << 16;
/// Earliest plausible date: 1990-01-01. Dates before it, or later than tomorrow, are treated as wrong.
const EARLIEST_MS: i64 = 631_152_000_000;
const DAY_MS: i64 = 86_400_000;

/// Counts of what an import has read and added.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Added {
    /// Number of entries that were read.
    pub entries: usize,
    /// Number of entries that were new.
    pub new: usize,
    /// Number of new entries that replaced earlier ones of the same place and commit.
    pub replaced: usize,
    /// Number of points of the new entries.
    pub points: usize,
    /// Number of series of these points.
    pub series: usize,
    /// Number of results that the tool reports as failed.
    pub failed: usize,
    /// Names of the tools that wrote the results.
    pub tools: BTreeSet<String>,
    /// Names of the machines that the results come from.
    pub hosts: BTreeSet<String>,
    /// Number of entries without a commit.
    pub without_commit: usize,
    /// Number of commits that the repository does not have.
    pub absent_commits: usize,
    /// Number of entries whose date is impossible.
    pub wrong_dates: usize,
    /// Number of cases with results.
    pub cases: usize,
    /// Number of cases that a run of the store has measured.
    pub known_cases: usize,
}

/// Sets from which counts of [`Added`] are computed.
#[derive(Default)]
struct Seen {
    series: HashSet<HistorySeries>,
    cases: HashSet<CaseId>,
    absent: HashSet<String>,
}

/// An import into the history of a store.
pub struct Import<'a> {
    store: &'a Store,
    commits: Commits,
    /// Cases that runs of the store have measured.
    measured: HashSet<CaseId>,
    now_ms: i64,
    /// Hash of the content of each entry of the history, by the identity in its key.
    known: HashMap<String, String>,
    contents: HashSet<String>,
    pending: Vec<Measured>,
    points: usize,
    /// Number of entries of the current file with the same identity.
    repeated: HashMap<String, usize>,
    added: Added,
    seen: Seen,
}

impl<'a> Import<'a> {
    /// Begins an import. `root` is in the repository of the commits, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    pub fn open(store: &'a Store, root: &Path, measured: Vec<CaseId>, now_ms: i64) -> Result<Import<'a>> {
        let parts = |(_, entry): (i64, derny_model::HistoryEntry)| {
            let (identity, content) = entry.key.split_once(':')?;
            Some((identity.to_owned(), content.to_owned()))
        };
        let known: HashMap<String, String> = store.history_entries()?.into_iter().filter_map(parts).collect();
        Ok(Import {
            store,
            commits: Commits::read(root),
            measured: measured.into_iter().collect(),
            now_ms,
            contents: known.values().cloned().collect(),
            known,
            pending: Vec::new(),
            points: 0,
            repeated: HashMap::new(),
            added: Added::default(),
            seen: Seen::default(),
        })
    }

    /// Returns the commits of the repository.
    pub fn commits(&self) -> &Commits {
        &self.commits
    }

    /// Begins the next file.
    pub fn begin(&mut self) {
        self.repeated.clear();
    }

    /// Adds results of one commit and machine.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be written.
    pub fn add(&mut self, mut foreign: Foreign, place: &Place) -> Result<()> {
        complete(&mut foreign, place);
        let date_ms = self.date(&mut foreign).unwrap_or(place.time_ms);
        self.added.failed += foreign.failed.len();
        for mut one in measured(foreign, place, date_ms) {
            if one.points.is_empty() {
                continue;
            }
            self.count(&one);
            if self.is_new(&mut one)? {
                self.added.points += one.points.len();
                self.points += one.points.len();
                self.pending.push(one);
            }
            if self.points >= AT_ONCE {
                self.write()?;
            }
        }
        Ok(())
    }

    /// Writes the pending entries, and returns the counts since the last call.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be written.
    pub fn finish(&mut self) -> Result<Added> {
        self.write()?;
        let seen = std::mem::take(&mut self.seen);
        Ok(Added {
            series: seen.series.len(),
            cases: seen.cases.len(),
            known_cases: seen.cases.intersection(&self.measured).count(),
            absent_commits: seen.absent.len(),
            ..std::mem::take(&mut self.added)
        })
    }

    fn write(&mut self) -> Result<()> {
        self.points = 0;
        add(self.store, &std::mem::take(&mut self.pending))
    }

    /// Completes the hash of the commit, and returns the date. Removes a commit that is not a hash, and an
    /// impossible date.
    fn date(&mut self, foreign: &mut Foreign) -> Option<i64> {
        foreign.commit.take_if(|commit| !is_hash(&commit.hash));
        let mut committed_ms = None;
        if let Some(commit) = &mut foreign.commit {
            commit.hash.make_ascii_lowercase();
            match self.commits.find(&commit.hash) {
                Some((hash, at_ms)) => (commit.hash, committed_ms) = (hash.to_owned(), Some(at_ms)),
                None => _ = self.seen.absent.insert(commit.hash.clone()),
            }
        }
        let is_possible = |date: &mut i64| (EARLIEST_MS..self.now_ms + DAY_MS).contains(date);
        let date = foreign.started_ms;
        let own = foreign.started_ms.take_if(is_possible);
        foreign.started_ms = own;
        self.added.wrong_dates += usize::from(date.is_some() && own.is_none());
        own.or(committed_ms)
    }

    fn count(&mut self, one: &Measured) {
        self.added.entries += 1;
        self.added.without_commit += usize::from(one.entry.commit.is_none());
        if let Some((series, _)) = one.points.first() {
            let tool = series.tool.split(" (benchmark ").next().unwrap_or_default();
            for (names, name) in [(&mut self.added.tools, tool), (&mut self.added.hosts, &series.host)] {
                if !names.contains(name) {
                    names.insert(name.to_owned());
                }
            }
        }
        for (series, _) in &one.points {
            if !self.seen.series.contains(series) {
                self.seen.cases.insert(series.case.clone());
                self.seen.series.insert(series.clone());
            }
        }
    }

    /// Returns true if the history does not contain an entry. Completes the key of the entry, and removes an
    /// earlier entry of the same place and commit.
    fn is_new(&mut self, one: &mut Measured) -> Result<bool> {
        let (identity, content) = one.entry.key.split_once(':').unwrap_or_default();
        let (mut identity, content) = (identity.to_owned(), content.to_owned());
        let number = self.repeated.entry(identity.clone()).or_default();
        *number += 1;
        if *number > 1 {
            identity = format!("{identity}.{number}");
        }
        if !self.contents.insert(content.clone()) {
            return Ok(false);
        }
        one.entry.key = format!("{identity}:{content}");
        self.added.new += 1;
        if self.known.contains_key(&identity) {
            // Write the pending entries first, because one of them may have this identity.
            self.write()?;
            self.store.remove_history(&format!("{identity}:"))?;
            self.added.replaced += 1;
        }
        self.known.insert(identity, content);
        Ok(true)
    }
}
