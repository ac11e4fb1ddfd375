//! The history: figures of runs, and of imported results, by series.
//!
//! Points that are added at once are packed by series, because an import adds thousands to each series.

use crate::codec::varint::{self, Reader};
use crate::connection::Connection;
use crate::error::{StoreError, Trouble};
use derny_json::{FromJson, ToJson};
use derny_model::{HistoryEntry, HistorySeries, HistoryValue, Interval};
use std::collections::{HashMap, HashSet};

const READ: &str = "the history cannot be read";
const WRITE: &str = "the history cannot be written";

/// Returns the prefix of the keys of all history entries that belong to a run.
pub fn of_run(id: &str) -> String {
    format!("{id}:")
}

type Added<'a> = (&'a HistoryEntry, &'a [(HistorySeries, HistoryValue)]);

/// Adds entries with their points in one transaction.
pub fn add(conn: &Connection, all: &[Added<'_>]) -> Result<(), StoreError> {
    if all.is_empty() {
        return Ok(());
    }
    conn.write(WRITE, |rows| {
        let mut places: HashMap<&HistorySeries, usize> = HashMap::new();
        let mut bodies: Vec<String> = Vec::new();
        let mut packed: Vec<Packed> = Vec::new();
        for (entry, points) in all {
            let number = rows.add_history_entry(&entry.key, &entry.to_json()?)?;
            for (series, value) in points.iter().filter(|(_, value)| is_finite(*value)) {
                let place = match places.get(series) {
                    Some(place) => *place,
                    None => {
                        bodies.push(series.to_json()?);
                        packed.push(Packed::new(number));
                        places.insert(series, packed.len() - 1);
                        packed.len() - 1
                    }
                };
                packed[place].push(number, *value);
            }
        }
        let numbers = rows.history_numbers(&bodies)?;
        let row = |(series, own): (i64, Packed)| (series, own.first, own.bytes);
        let points: Vec<_> = numbers.into_iter().zip(packed).map(row).collect();
        rows.add_history_points(&points)
    })
}

fn is_finite(value: HistoryValue) -> bool {
    value.value.is_finite() && value.interval.is_none_or(|own| own.lo.is_finite() && own.hi.is_finite())
}

pub fn entries(conn: &Connection) -> Result<Vec<(i64, HistoryEntry)>, StoreError> {
    conn.read(READ, |rows| parsed(rows.history_entries()?))
}

pub fn series(conn: &Connection) -> Result<Vec<(i64, HistorySeries)>, StoreError> {
    conn.read(READ, |rows| parsed(rows.history_series()?))
}

fn parsed<T: FromJson>(rows: Vec<(i64, String)>) -> Result<Vec<(i64, T)>, Trouble> {
    rows.into_iter().map(|(number, body)| Ok((number, T::from_json(&body)?))).collect()
}

pub fn points(conn: &Connection, series: i64) -> Result<Vec<(i64, HistoryValue)>, StoreError> {
    conn.read(READ, |rows| {
        let mut all = Vec::new();
        for bytes in rows.history_points(series)? {
            let damaged = || Trouble::Damaged(format!("points of series {series}"));
            all.extend(unpacked(&bytes).ok_or_else(damaged)?);
        }
        Ok(all)
    })
}

/// Copies the entries that `to` lacks, with their points, in one transaction. Returns the number of entries.
pub fn copy(from: &Connection, to: &Connection) -> Result<usize, StoreError> {
    let (here, all) = (entries(from)?, series(from)?);
    if here.is_empty() {
        return Ok(0);
    }
    to.write(WRITE, |rows| {
        let there: HashSet<String> = parsed::<HistoryEntry>(rows.history_entries()?)?
            .into_iter()
            .map(|(_, entry)| entry.key)
            .collect();
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        for (number, entry) in here.iter().filter(|(_, entry)| !there.contains(&entry.key)) {
            numbers.insert(*number, rows.add_history_entry(&entry.key, &entry.to_json()?)?);
        }
        for (number, series) in &all {
            let own = points(from, *number).map_err(Trouble::from)?;
            let new = own.into_iter().filter_map(|(entry, value)| Some((*numbers.get(&entry)?, value)));
            let mut packed: Option<Packed> = None;
            for (entry, value) in new {
                packed.get_or_insert_with(|| Packed::new(entry)).push(entry, value);
            }
            if let Some(packed) = packed {
                let there = rows.history_numbers(&[series.to_json()?])?[0];
                rows.add_history_points(&[(there, packed.first, packed.bytes)])?;
            }
        }
        Ok(numbers.len())
    })
}

/// Encoded points of a series, after the number of the first entry. Each point starts with a varint: twice
/// the distance from the entry of the previous point, plus 1 if the point has an interval. The value follows,
/// and then the ends of the interval.
struct Packed {
    first: i64,
    last: i64,
    bytes: Vec<u8>,
}

impl Packed {
    fn new(first: i64) -> Packed {
        let mut bytes = Vec::with_capacity(32);
        varint::put(&mut bytes, first as u64);
        Packed { first, last: first, bytes }
    }

    fn push(&mut self, entry: i64, value: HistoryValue) {
        let distance = (entry - self.last) as u64;
        self.last = entry;
        varint::put(&mut self.bytes, distance << 1 | u64::from(value.interval.is_some()));
        self.bytes.extend(value.value.to_le_bytes());
        if let Some(Interval { lo, hi }) = value.interval {
            self.bytes.extend(lo.to_le_bytes());
            self.bytes.extend(hi.to_le_bytes());
        }
    }
}

/// Decodes the points of a series. Returns `None` if the bytes are corrupt.
fn unpacked(bytes: &[u8]) -> Option<Vec<(i64, HistoryValue)>> {
    let mut reader = Reader::new(bytes);
    let mut entry = reader.varint()? as i64;
    let mut all = Vec::new();
    while !reader.is_empty() {
        let word = reader.varint()?;
        entry = entry.checked_add((word >> 1) as i64)?;
        let value = number(&mut reader)?;
        let interval = match word & 1 {
            0 => None,
            _ => Some(Interval { lo: number(&mut reader)?, hi: number(&mut reader)? }),
        };
        all.push((entry, HistoryValue { value, interval }));
    }
    Some(all)
}

/// Reads a float. Returns `None` if it is not finite.
fn number(reader: &mut Reader<'_>) -> Option<f64> {
    let bytes = reader.bytes(8)?.try_into().ok()?;
    Some(f64::from_le_bytes(bytes)).filter(|number| number.is_finite())
}
