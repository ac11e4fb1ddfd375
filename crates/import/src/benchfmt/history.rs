//! Splits a log into the results of each commit and machine, by its configuration lines.

use super::line::{Configuration, PREFIX, configuration};
use super::reader::Reader;
use crate::Foreign;
use crate::time::date_ms;
use derny_model::Commit;
use std::collections::{HashMap, HashSet};

/// Keys whose values separate results. Other keys that vary become parameters.
const KEYS: [&str; 13] = [
    "commit",
    "experiment-commit",
    "baseline-commit",
    "commit-time",
    "experiment-commit-time",
    "baseline-commit-time",
    "date",
    "toolchain",
    "goos",
    "goarch",
    "cpu",
    "host",
    "hostname",
];

/// Collects the lines of each commit and machine.
#[derive(Default)]
pub(super) struct Splitter<'a> {
    readers: Vec<Own<'a>>,
    places: HashMap<Vec<Option<&'a str>>, usize>,
    now: Configuration<'a>,
    /// Number of changes of the configuration.
    changes: usize,
    /// Index of the reader of the current configuration. `None` if it has changed since the last result.
    current: Option<usize>,
    units: Vec<(usize, &'a str)>,
    known_units: HashSet<&'a str>,
}

struct Own<'a> {
    reader: Reader<'a>,
    changes: usize,
}

impl<'a> Splitter<'a> {
    pub fn take(&mut self, number: usize, line: &'a str) {
        if line.starts_with(PREFIX) {
            let at = self.current.unwrap_or_else(|| self.reader());
            self.current = Some(at);
            let own = &mut self.readers[at];
            if own.changes != self.changes {
                own.reader.now.clone_from(&self.now);
                (own.reader.current, own.changes) = (None, self.changes);
            }
            own.reader.take(number, line);
        } else if line.starts_with("Unit") {
            if self.known_units.insert(line) {
                self.units.push((number, line));
                self.readers.iter_mut().for_each(|own| own.reader.take(number, line));
            }
        } else if let Some((key, value)) = configuration(line) {
            match value {
                "" => self.now.remove(key),
                value => self.now.insert(key, value),
            };
            (self.changes, self.current) = (self.changes + 1, None);
        }
    }

    /// Returns the index of the reader of the current commit and machine.
    fn reader(&mut self) -> usize {
        let key = KEYS.iter().map(|key| self.now.get(key).copied()).collect();
        let next = self.readers.len();
        let at = *self.places.entry(key).or_insert(next);
        if at == next {
            let mut reader = Reader { now: self.now.clone(), ..Reader::default() };
            self.units.iter().for_each(|(number, line)| reader.take(*number, line));
            self.readers.push(Own { reader, changes: self.changes });
        }
        at
    }

    /// Returns the readers, in the order in which their commits appear.
    pub fn readers(self) -> impl Iterator<Item = Reader<'a>> {
        self.readers.into_iter().map(|own| own.reader)
    }
}

/// Completes the commit, the date and the conditions of the measurement.
pub(super) fn describe(foreign: &mut Foreign) {
    let facts = &foreign.machine.facts;
    let fact = |key: &str| facts.get(key).map(String::as_str).filter(|value| !value.is_empty());
    let side = match fact("toolchain") {
        Some("baseline") => "baseline",
        _ => "experiment",
    };
    let either = |key: &str| fact(key).or_else(|| fact(&format!("{side}-{key}")));
    let commit = either("commit").map(|hash| Commit {
        hash: hash.to_owned(),
        branch: fact("branch").map(str::to_owned),
        dirty: false,
    });
    let date = fact("date").and_then(date_ms).or_else(|| date_ms(either("commit-time")?));
    let go = foreign.tool.replace(' ', "/");
    let processors = fact("GOMAXPROCS").map(|count| format!("GOMAXPROCS={count}"));
    let words = [Some(go), fact("goarch").map(str::to_owned), processors];
    let runtime = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
    (foreign.commit, foreign.started_ms, foreign.runtime) = (commit, date, Some(runtime));
}
