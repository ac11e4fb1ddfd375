//! A row of Google Benchmark's JSON in any version: its name, and its role as a repetition or an aggregate.

use crate::json::Number;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Returns true for a field that the tool itself writes. These precede the counters, which may have the same
/// names.
fn is_field(key: &str, value: &Value) -> bool {
    match key {
        "name" | "run_name" | "run_type" | "aggregate_name" | "aggregate_unit" | "time_unit"
        | "error_message" | "skip_message" | "label" => value.is_string(),
        "family_index" | "per_family_instance_index" | "repetitions" | "repetition_index" | "threads" => {
            value.is_u64()
        }
        "error_occurred" => value.is_boolean(),
        "iterations" | "real_time" | "cpu_time" => true,
        _ => false,
    }
}

/// Further keys that are not counters.
const OTHERS: [&str; 5] = ["big_o", "rms", "cpu_coefficient", "real_coefficient", "skipped"];
/// Suffixes of the names of aggregates. Before version 1.4, nothing else marks these rows.
const AGGREGATES: [&str; 3] = ["mean", "median", "stddev"];

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Fields {
    pub name: String,
    pub family_index: Option<u64>,
    pub per_family_instance_index: Option<u64>,
    pub run_name: Option<String>,
    pub run_type: Option<String>,
    pub aggregate_name: Option<String>,
    pub aggregate_unit: Option<String>,
    pub repetitions: Option<u64>,
    pub repetition_index: Option<u64>,
    pub threads: Option<u32>,
    pub iterations: Option<Number>,
    pub real_time: Option<Number>,
    pub cpu_time: Option<Number>,
    pub time_unit: Option<String>,
    #[serde(default)]
    pub error_occurred: bool,
    pub error_message: Option<String>,
    pub skip_message: Option<String>,
    pub label: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub own: Fields,
    rest: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Row;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a result")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Row, A::Error> {
                let (mut own, mut rest) = (Map::new(), Map::new());
                while let Some((key, value)) = object.next_entry::<String, Value>()? {
                    let is_own = is_field(&key, &value) && !own.contains_key(&key);
                    (if is_own { &mut own } else { &mut rest }).entry(key).or_insert(value);
                }
                Ok(Row { own: Fields::deserialize(Value::Object(own)).map_err(A::Error::custom)?, rest })
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

impl Row {
    /// Returns the name that repetitions and aggregates share.
    pub fn run_name(&self) -> &str {
        self.own.run_name.as_deref().unwrap_or(&self.own.name)
    }

    /// Returns everything that identifies a benchmark to the tool, because two may have the same name.
    pub fn key(&self) -> String {
        let Fields { family_index, per_family_instance_index, .. } = &self.own;
        format!("{}\0{family_index:?}\0{per_family_instance_index:?}", self.run_name())
    }

    pub fn is_aggregate(&self) -> bool {
        self.own.run_type.as_deref() == Some("aggregate") || self.own.aggregate_name.is_some()
    }

    /// Returns true for a complexity estimate, which is not a measurement.
    pub fn is_complexity(&self) -> bool {
        self.rest.contains_key("rms") || self.rest.contains_key("big_o")
    }

    pub fn counters(&self) -> impl Iterator<Item = (&String, Number)> {
        let numbers = self.rest.iter().filter(|(key, _)| !OTHERS.contains(&key.as_str()));
        numbers.filter_map(|(key, value)| Some((key, Number::deserialize(value).ok()?)))
    }

    /// Returns benchmark and parameters. `BM_Str/n:8/64` is `BM_Str/64` with the parameter `n`. Removes parts
    /// that describe the measurement if the row confirms that meaning. Otherwise, they may be arguments of
    /// the benchmark.
    pub fn named(&self) -> (String, Vec<(String, String)>) {
        let mut parts: Vec<&str> = self.run_name().split('/').collect();
        let how = parts.len() - parts.iter().rev().take_while(|part| is_manner(part)).count();
        let mut at = 0;
        parts.retain(|part| {
            at += 1;
            at <= how || !self.says_how_often(part)
        });
        let mut parts = parts.into_iter();
        let mut benchmark = parts.next().unwrap_or_default().to_owned();
        let mut params: Vec<(String, String)> = Vec::new();
        for part in parts {
            match part.split_once(':') {
                Some((key, value))
                    if !key.is_empty()
                        && !value.starts_with(':')
                        && !params.iter().any(|(known, _)| known == key) =>
                {
                    params.push((key.to_owned(), value.to_owned()));
                }
                _ => {
                    benchmark.push('/');
                    benchmark.push_str(part);
                }
            }
        }
        (benchmark, params)
    }

    fn becomes(&mut self, of: &str, statistic: String) {
        self.own.run_name = Some(of.to_owned());
        self.own.aggregate_name = Some(statistic);
        self.own.repetitions = self.own.repetitions.or(repeats(of));
    }

    fn says_how_often(&self, part: &str) -> bool {
        let Some((key, value)) = part.split_once(':') else { return false };
        let count = value.parse::<u64>().ok();
        match key {
            "min_time" | "min_warmup_time" => value.contains('.'),
            "repeats" => count.is_some_and(|count| count > 1) && count == self.own.repetitions,
            _ => false,
        }
    }
}

fn is_manner(part: &str) -> bool {
    match part.split_once(':') {
        Some((key, _)) => ["min_time", "min_warmup_time", "iterations", "repeats", "threads"].contains(&key),
        None => ["process_time", "real_time", "manual_time"].contains(&part),
    }
}

/// Restores what rows of earlier versions lack: whether they are repetitions or aggregates. In these
/// versions, the rows of a benchmark are adjacent and followed by their aggregates.
#[derive(Default)]
pub(super) struct Older {
    /// Rows with the same name that may be repetitions.
    open: Vec<Row>,
    /// Benchmark of the last aggregates.
    aggregated: Option<String>,
}

impl Older {
    /// Adds a row. Returns the rows that are now complete.
    pub fn take(&mut self, mut row: Row) -> Vec<Row> {
        if row.is_complexity() {
            return self.rest();
        }
        if let Some((of, statistic)) = self.aggregate(&row) {
            let mut known = self.closed(true, &of);
            row.becomes(&of, statistic);
            self.aggregated = Some(of);
            known.push(row);
            return known;
        }
        if row.is_aggregate() || row.own.repetition_index.is_some() {
            let mut known = self.closed(row.is_aggregate(), row.run_name());
            known.push(row);
            return known;
        }
        let known = match self.open.first() {
            Some(first) if first.run_name() == row.run_name() => Vec::new(),
            _ => self.rest(),
        };
        self.aggregated = None;
        self.open.push(row);
        known
    }

    /// Returns the remaining rows.
    pub fn rest(&mut self) -> Vec<Row> {
        self.closed(false, "")
    }

    /// Returns the benchmark and the statistic of an unmarked aggregate, such as `BM_sum/8_mean`.
    fn aggregate(&self, row: &Row) -> Option<(String, String)> {
        if row.own.run_type.is_some() || row.own.run_name.is_some() {
            return None;
        }
        let (of, statistic) = row.own.name.rsplit_once('_').filter(|(_, last)| AGGREGATES.contains(last))?;
        let first = self.open.first().map(|first| first.own.name.as_str());
        // A single row has no aggregates. If there are only aggregates, the first of them is open and looks
        // like a benchmark.
        let follows = self.open.len() > 1 && first == Some(of)
            || first.and_then(|first| first.strip_suffix("_mean")) == Some(of);
        (follows || self.aggregated.as_deref() == Some(of)).then(|| (of.to_owned(), statistic.to_owned()))
    }

    /// Completes the open rows. They are repetitions if aggregates follow, or if their name states that many
    /// repetitions.
    fn closed(&mut self, is_aggregated: bool, of: &str) -> Vec<Row> {
        let mut rows = std::mem::take(&mut self.open);
        let Some(name) = rows.first().map(|first| first.run_name().to_owned()) else { return rows };
        if let ([mean], true) = (&mut rows[..], is_aggregated && name.strip_suffix("_mean") == Some(of)) {
            mean.becomes(of, "mean".to_owned());
            return rows;
        }
        let repeats = repeats(&name);
        let are_repetitions = is_aggregated && name == of || repeats == Some(rows.len() as u64);
        for (at, row) in (0..).zip(&mut rows).filter(|_| are_repetitions) {
            (row.own.repetition_index, row.own.repetitions) = (Some(at), repeats);
        }
        for row in rows.iter_mut().filter(|_| !are_repetitions) {
            row.own.repetition_index = Some(0);
        }
        rows
    }
}

fn repeats(name: &str) -> Option<u64> {
    name.split('/').rev().find_map(|part| part.strip_prefix("repeats:"))?.parse().ok()
}
