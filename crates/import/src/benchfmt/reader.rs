//! Reads the format line by line.

use super::failures::Failures;
use super::line::{Configuration, PREFIX, Parts, configuration, result, short};
use super::units::Units;
use std::collections::HashMap;

const QUOTED: usize = 3;

pub(super) struct Row {
    /// Index into the names.
    pub name: u32,
    pub configuration: u32,
    pub units: u32,
    pub iterations: u64,
}

#[derive(Default)]
pub(super) struct Interned<T> {
    pub list: Vec<T>,
    pub places: HashMap<T, u32>,
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

#[derive(Default)]
pub(super) struct Reader<'a> {
    pub names: Interned<&'a str>,
    pub lists: Interned<Vec<&'a str>>,
    pub configurations: Vec<Configuration<'a>>,
    pub now: Configuration<'a>,
    /// Index of the current configuration. `None` if it has changed since the last result.
    pub current: Option<u32>,
    pub units: Units<'a>,
    pub rows: Vec<Row>,
    /// Values of all rows in one list, because there may be millions of rows. Each row has one value per
    /// unit.
    pub values: Vec<f64>,
    /// Lines that look like a result but cannot be read, with their numbers.
    pub unread: Vec<(usize, &'a str)>,
    pub failures: Failures<'a>,
}

impl<'a> Reader<'a> {
    pub fn take(&mut self, number: usize, line: &'a str) {
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

    /// Returns a description of the lines that could not be read, or `None` if there are none.
    pub fn unread(&self) -> Option<String> {
        let (first, _) = self.unread.first()?;
        let quoted = self.unread.iter().take(QUOTED).map(|(line, text)| format!("{line} `{}`", short(text)));
        Some(format!(
            "{} like a result and cannot be parsed, first in line {first}: output of the benchmark may have split it ({})",
            if self.unread.len() == 1 {
                "one line looks".to_owned()
            } else {
                format!("{} lines look", self.unread.len())
            },
            quoted.collect::<Vec<_>>().join(", ")
        ))
    }
}
