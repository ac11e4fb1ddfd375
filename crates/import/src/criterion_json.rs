//! Reads the JSON report of Haskell's criterion, with every measurement of every benchmark. There are two
//! forms: `["criterion", version, [report, …]]` from `--json`, and the bare list of reports from the template
//! `json`. Rows have 11 figures up to version 1.5, and 12 since 1.6.

use crate::cases::CaseIdentity;
use crate::json::{self, Number};
use crate::{Foreign, Input, ReadError, Sample};
use derny_model::{Direction, Kind, Metric};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Minimum time of a measurement, in seconds. Shorter ones count as warm-up: criterion excludes them.
const LEAST_S: f64 = 0.030;
/// Minimum number of measurements to keep. If fewer would remain, none are excluded.
const ENOUGH: usize = 4;

/// criterion's keys with Derny's metrics: key, name, unit, and conversion factor.
const METRICS: [(&str, &str, &str, f64); 10] = [
    ("cpuTime", "cpu", "ns", 1e9),
    ("cycles", "cycles", "count", 1.0),
    ("allocated", "allocated", "B", 1.0),
    ("peakMbAllocated", "peak", "B", 1_048_576.0),
    ("numGcs", "gc", "count", 1.0),
    ("bytesCopied", "copied", "B", 1.0),
    ("mutatorWallSeconds", "mutator", "ns", 1e9),
    ("mutatorCpuSeconds", "mutator_cpu", "ns", 1e9),
    ("gcWallSeconds", "gc_time", "ns", 1e9),
    ("gcCpuSeconds", "gc_cpu", "ns", 1e9),
];

pub(crate) const KEYS: &[&[&str]] = &[&["[].reportName"], &["[][].reportName"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("criterion", "haskell");
    foreign.ladder = true;
    foreign.says("version and flags of GHC");
    foreign.says("differences between processes (all measurements come from one process)");
    let process = foreign.process(0, 0);
    let mut reports = Reports { foreign, process, words: 0, taken: 0, refused: None };
    let done = json::walk(input, Level { reports: &mut reports, is_outer: true });
    match (reports.refused.take(), done) {
        (Some(why), _) | (None, Err(why)) => Err(why),
        (None, Ok(())) => Ok(reports.foreign),
    }
}

struct Reports {
    foreign: Foreign,
    process: usize,
    /// Number of texts before the reports: `criterion` and the version.
    words: usize,
    taken: usize,
    refused: Option<ReadError>,
}

impl Reports {
    fn refuse<E: Error>(&mut self, why: ReadError) -> E {
        self.refused = Some(why);
        E::custom("it was refused")
    }

    fn is_none<E: Error>(&mut self) -> E {
        self.refuse(ReadError::whole(
            "it is neither `[\"criterion\", version, reports]` nor a list of reports",
        ))
    }

    fn word(&mut self, word: &str) -> Result<(), ()> {
        self.words += 1;
        match self.words {
            1 if word == "criterion" && self.taken == 0 => Ok(()),
            2 => {
                self.foreign.tool = format!("criterion {word}");
                Ok(())
            }
            _ => Err(()),
        }
    }

    fn report(&mut self, report: &Value) -> Result<(), ReadError> {
        let number = self.taken;
        self.taken += 1;
        let name = report.get("reportName").and_then(Value::as_str);
        let name = name.ok_or_else(|| ReadError::whole(format!("report {number} has no `reportName`")))?;
        let why = |why: String| ReadError::whole(format!("report `{name}`: {why}"));
        let keys =
            keys(report).ok_or_else(|| why("its `reportKeys` are not a list of strings".to_owned()))?;
        let rows = report.get("reportMeasured").and_then(Value::as_array);
        let rows = rows.ok_or_else(|| why("it has no `reportMeasured`".to_owned()))?;
        let mut samples = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            samples.push(sample(&keys, row).map_err(|reason| why(format!("measurement {index}: {reason}")))?);
        }
        let case = self.foreign.case(CaseIdentity::Row, "criterion", name, Vec::new());
        let mut samples = self.foreign.numbers(case, samples);
        let long = |sample: &Sample| sample.time_ns as f64 >= LEAST_S * 1e9;
        if samples.iter().filter(|sample| long(sample)).count() >= ENOUGH {
            samples.iter_mut().for_each(|sample| sample.warm_up = !long(sample));
        }
        let metrics = self.foreign.shared(&metrics(&keys));
        self.foreign.visit((self.process, case), &metrics, &samples, Vec::new());
        Ok(())
    }
}

/// Visits the outer list or one of its elements, and reads reports one by one.
struct Level<'a> {
    reports: &'a mut Reports,
    is_outer: bool,
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of reports")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<(), E> {
        if self.is_outer {
            return Err(self.reports.is_none());
        }
        self.reports.word(word).map_err(|()| self.reports.is_none())
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<(), A::Error> {
        if self.is_outer {
            return Err(self.reports.is_none());
        }
        let report = Value::deserialize(MapAccessDeserializer::new(object))?;
        self.reports.report(&report).map_err(|why| self.reports.refuse(why))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if !self.is_outer && self.reports.words != 2 {
            return Err(self.reports.is_none());
        }
        while list.next_element_seed(Level { reports: self.reports, is_outer: false })?.is_some() {}
        Ok(())
    }
}

fn keys(report: &Value) -> Option<Vec<&str>> {
    report.get("reportKeys")?.as_array()?.iter().map(Value::as_str).collect()
}

fn metrics(keys: &[&str]) -> Vec<Metric> {
    let known = METRICS.iter().filter(|(key, ..)| keys.contains(key));
    let metric = |(_, name, unit, _): &(&str, &str, &str, f64)| Metric {
        name: (*name).to_owned(),
        unit: (*unit).to_owned(),
        // All figures of a row are totals over its iterations, except this one.
        kind: if *name == "peak" { Kind::Peak } else { Kind::Total },
        direction: Direction::Less,
        exact: false,
    };
    known.map(metric).collect()
}

/// Converts a row to a sample. Returns `None` if the time of the row is NaN.
fn sample(keys: &[&str], row: &Value) -> Result<Option<Sample>, String> {
    let row = row.as_array().ok_or("the row is not a list")?;
    if row.len() != keys.len() {
        return Err(format!("{} figures for {} keys", row.len(), keys.len()));
    }
    let figure =
        |key: &str| keys.iter().position(|known| *known == key).and_then(|place| row[place].as_f64());
    let time = keys.iter().position(|known| *known == "time").map(|place| Number::deserialize(&row[place]));
    let Some(Ok(time)) = time else { return Err("the row has no `time`".to_owned()) };
    let iterations = figure("iters").filter(|count| *count >= 1.0).ok_or("the row has no `iters`")?;
    let known = METRICS.iter().filter(|(key, ..)| keys.contains(key));
    let counters = known.map(|(key, _, _, unit)| figure(key).map(|value| value * unit)).collect();
    let sample = |time: f64| Sample { counters, ..Sample::lasting(time * 1e9, iterations as u64) };
    Ok(time.time().map(sample))
}
