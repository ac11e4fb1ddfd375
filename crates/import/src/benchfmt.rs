//! Go benchmark format, as printed by `go test -bench` and other tools. It has lines of results, lines of
//! configuration (`key: value`, valid until changed), lines about units, and other output.
//!
//! Each line counts as a process, as in benchstat; the file does not say which lines come from one process.

mod cases;
mod failures;
mod test2json;
mod units;

use crate::{Foreign, Input, ReadError};
pub(crate) use cases::NO_PACKAGE;
use failures::Failures;
use std::collections::{BTreeMap, HashMap};
use units::Units;

/// Prefix of results.
const PREFIX: &str = "Benchmark";
/// Maximum number of unreadable lines quoted.
const QUOTED: usize = 3;

/// One line of results.
struct Row {
    /// Index into the names.
    name: u32,
    /// Index into the configurations.
    configuration: u32,
    /// Index into the lists of units.
    units: u32,
    iterations: u64,
}

/// Current configuration by key.
type Configuration<'a> = BTreeMap<&'a str, &'a str>;

/// State of the reader.
#[derive(Default)]
struct Reader<'a> {
    names: Interned<&'a str>,
    lists: Interned<Vec<&'a str>>,
    configurations: Vec<Configuration<'a>>,
    now: Configuration<'a>,
    /// Index of the current configuration; `None` if it changed since the last result.
    current: Option<u32>,
    units: Units<'a>,
    rows: Vec<Row>,
    /// Values of all rows in one list, one per unit of a row: there may be millions.
    values: Vec<f64>,
    /// Lines that begin like a result but are not one.
    unread: Vec<(usize, &'a str)>,
    failures: Failures<'a>,
}

/// Distinct values with indices.
#[derive(Default)]
struct Interned<T> {
    list: Vec<T>,
    places: HashMap<T, u32>,
}

impl<T: Clone + std::hash::Hash + Eq> Interned<T> {
    fn place(&mut self, value: T) -> u32 {
        let next = self.list.len() as u32;
        let place = *self.places.entry(value.clone()).or_insert(next);
        if place == next {
            self.list.push(value);
        }
        place
    }
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let is_one = |line: &str| {
        line.starts_with(PREFIX) && matches!(result(line), Ok(Some(_))) || failures::is_benchmark(line)
    };
    if !test2json::is_one(input.bytes) {
        return lines(input.bytes).any(is_one);
    }
    test2json::output(input.bytes).is_ok_and(|output| lines(&output).any(is_one))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    if test2json::is_one(input.bytes) {
        // Its line numbers differ from the file's.
        return printed(&test2json::output(input.bytes)?).map_err(|why| ReadError::whole(why.reason));
    }
    printed(input.bytes)
}

/// Reads the output of `go test`.
fn printed(bytes: &[u8]) -> Result<Foreign, ReadError> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        match text(line) {
            Some(line) => reader.take(number, line),
            None if line.starts_with(PREFIX.as_bytes()) => {
                return Err(ReadError::at(number, "it is a result that is not UTF-8 text"));
            }
            None => {}
        }
    }
    // An incomplete result on an unterminated last line was truncated.
    if let Some((number, line)) = reader.unread.last()
        && bytes.ends_with(line.as_bytes())
        && line.split_ascii_whitespace().count() > 1
    {
        return Err(ReadError::at(
            *number,
            format!("the file is truncated within the result `{}`", short(line)),
        ));
    }
    Ok(cases::foreign(reader))
}

/// Returns the lines that are valid text.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &str> {
    bytes.split(|byte| *byte == b'\n').filter_map(text)
}

fn text(line: &[u8]) -> Option<&str> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    std::str::from_utf8(line).ok()
}

fn short(line: &str) -> String {
    let mut text: String = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(60) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Name, iterations, values and units of a result. `None` for a name alone, as `go test -v` prints it.
type Parts<'a> = (&'a str, u64, Vec<f64>, Vec<&'a str>);

fn result(line: &str) -> Result<Option<Parts<'_>>, ()> {
    let mut fields = line.split_whitespace();
    let name = fields.next().ok_or(())?;
    let Some(iterations) = fields.next() else { return Ok(None) };
    let iterations: u64 = iterations.parse().map_err(|_| ())?;
    let (mut values, mut units) = (Vec::new(), Vec::new());
    while let Some(value) = fields.next() {
        values.push(value.parse().map_err(|_| ())?);
        units.push(fields.next().ok_or(())?);
    }
    if values.is_empty() { Err(()) } else { Ok(Some((name, iterations, values, units))) }
}

impl<'a> Reader<'a> {
    fn take(&mut self, number: usize, line: &'a str) {
        if self.failures.take(line, &self.now) {
        } else if line.starts_with(PREFIX) {
            match result(line) {
                Ok(Some(parts)) => self.row(parts),
                Ok(None) => {}
                Err(()) => self.unread.push((number, line)),
            }
        } else if let Some(rest) = line.strip_prefix("Unit").filter(|rest| rest.starts_with([' ', '\t'])) {
            self.units.declare(rest);
        } else if let Some((key, value)) = configuration(line) {
            let before = match value {
                "" => self.now.remove(key),
                value => self.now.insert(key, value),
            };
            if before.unwrap_or_default() != value {
                self.current = None;
            }
        }
    }

    fn row(&mut self, (name, iterations, values, units): Parts<'a>) {
        let configuration = match self.current {
            Some(place) => place,
            None => {
                let known = self.configurations.iter().position(|one| *one == self.now);
                let place = known.unwrap_or_else(|| {
                    self.configurations.push(self.now.clone());
                    self.configurations.len() - 1
                });
                *self.current.insert(place as u32)
            }
        };
        self.rows.push(Row {
            name: self.names.place(name),
            configuration,
            units: self.lists.place(units),
            iterations,
        });
        self.values.extend(values);
    }

    /// Describes the lines that could not be read.
    fn unread(&self) -> Option<String> {
        let (first, _) = self.unread.first()?;
        let quoted = self.unread.iter().take(QUOTED).map(|(line, text)| format!("{line} `{}`", short(text)));
        Some(format!(
            "{} like a result and {} none, the first in line {first}: a benchmark that prints breaks its own line ({})",
            if self.unread.len() == 1 {
                "one line begins".to_owned()
            } else {
                format!("{} lines begin", self.unread.len())
            },
            if self.unread.len() == 1 { "is" } else { "are" },
            quoted.collect::<Vec<_>>().join(", ")
        ))
    }
}

/// Parses `key: value`. The key begins with a lower-case letter and contains neither whitespace nor
/// upper-case letters. An empty value removes the key.
fn configuration(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_key = key.starts_with(char::is_lowercase)
        && !key.contains(|letter: char| letter.is_whitespace() || letter.is_uppercase());
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (is_key && apart).then(|| (key, value.trim_matches([' ', '\t'])))
}
