//! Reads the `data.js` of github-action-benchmark, a history whose entries are runs with commit and date.
//! Also reads the input of its tools `customSmallerIsBetter` and `customBiggerIsBetter`, a list that does not
//! name its tool.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::single::interval;
use crate::{Input, ReadError, TakeResult, time, units};
use derny_model::{Commit, Direction, Kind, Metric};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

const HEAD: &str = "window.BENCHMARK_DATA";
/// Suite of the benchmarks in a list, which does not name one.
const LIST: &str = "benchmark-action";

#[derive(Deserialize)]
struct Entry {
    commit: Option<CommitInfo>,
    date: Option<Number>,
    tool: Option<String>,
    benches: Vec<Bench>,
}

#[derive(Deserialize)]
struct CommitInfo {
    id: Option<String>,
    timestamp: Option<String>,
}

#[derive(Deserialize)]
struct Bench {
    name: String,
    /// NaN is written as null.
    value: Option<Number>,
    #[serde(default)]
    unit: String,
    range: Option<Value>,
    extra: Option<Value>,
}

impl Bench {
    /// Returns the unit. Early versions append all other figures of a line of Go's output after a tab.
    fn unit(&self) -> &str {
        self.unit.split('\t').next().unwrap_or_default().trim()
    }
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.head().trim_start().starts_with(HEAD) || is_list(input)
}

/// Returns true if the file is `[{"name": …, "unit": …, "value": …}]`, with keys in any order.
fn is_list(input: &Input<'_>) -> bool {
    let head = input.head();
    let first = head.find('}').map_or(head, |end| &head[..end]);
    let has = |key: &str| first.contains(&format!("\"{key}\""));
    json::begins(input, "[{\"") && ["name", "unit", "value"].into_iter().all(has)
}

#[derive(Default)]
struct Newest(Option<Entry>);

impl Newest {
    fn add(&mut self, entry: Entry) {
        let is_newer = self.0.as_ref().is_none_or(|known| entry.date() >= known.date());
        if is_newer && !entry.benches.is_empty() {
            self.0 = Some(entry);
        }
    }
}

impl<'de> Deserialize<'de> for Newest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Newest, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Newest;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of entries")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Newest, A::Error> {
                let mut newest = Newest::default();
                while let Some(entry) = list.next_element()? {
                    newest.add(entry);
                }
                Ok(newest)
            }
        }
        deserializer.deserialize_seq(All)
    }
}

/// Reads the newest entry of the file. Keeps only the newest entry of each suite in memory, because there may
/// be thousands.
pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    if is_list(input) {
        return run(LIST, &list(input)?);
    }
    let (mut newest, mut suite) = (Newest::default(), String::new());
    let object = Input { bytes: object(input.bytes), ..*input };
    let mut all: BTreeMap<String, Newest> = BTreeMap::new();
    json::members(&object, Some("entries"), &mut |(name, own): (String, Newest)| {
        all.insert(name, own);
        Ok(())
    })?;
    for (name, Newest(own)) in all {
        let Some(own) = own else { continue };
        if newest.0.as_ref().is_none_or(|known| own.date() >= known.date()) {
            (newest, suite) = (Newest(Some(own)), name);
        }
    }
    let newest = newest.0.ok_or_else(|| ReadError::whole("the history has no entries"))?;
    run(&suite, &newest)
}

/// Reads all entries of all suites.
pub(crate) fn history(input: &Input<'_>, take: TakeResult<'_>) -> Result<(), ReadError> {
    if is_list(input) {
        return take(run(LIST, &list(input)?)?);
    }
    let object = Input { bytes: object(input.bytes), ..*input };
    // Parse the whole file once before, so that a damaged file adds nothing.
    json::each_of(&object, "entries", &mut |_: (String, Entry)| Ok(()))?;
    json::each_of(&object, "entries", &mut |(suite, entry): (String, Entry)| {
        // An entry may be empty, such as one of a workflow that was cancelled.
        if entry.benches.is_empty() { Ok(()) } else { take(run(&suite, &entry)?) }
    })
}

fn list(input: &Input<'_>) -> Result<Entry, ReadError> {
    Ok(Entry { commit: None, date: None, tool: None, benches: json::document(input)? })
}

fn object(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| *byte == b'{').unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| *byte == b'}').map_or(bytes.len(), |end| end + 1);
    &bytes[start..end.max(start)]
}

impl Entry {
    fn date(&self) -> Option<i64> {
        let date = self.date.and_then(Number::finite).map(|ms| ms as i64);
        date.or_else(|| time::parse(self.commit.as_ref()?.timestamp.as_deref()?))
    }
}

fn run(suite: &str, entry: &Entry) -> Result<Foreign, ReadError> {
    let tool = entry.tool.as_deref().unwrap_or_default();
    let mut foreign = Foreign::new(format!("github-action-benchmark {tool}").trim(), "");
    let commit = entry.commit.as_ref();
    foreign.started_ms = entry.date();
    let hash = commit.and_then(|commit| commit.id.clone());
    foreign.commit = hash.map(|hash| Commit { hash, branch: None, dirty: false });
    foreign.says(
        "variation of values (there is one per benchmark; the range shown is not a confidence interval)",
    );
    let process = foreign.process(0, 0);
    for bench in &entry.benches {
        let case = foreign.case(CaseIdentity::Row, suite, &bench.name, Vec::new());
        let Some(value) = bench.value.and_then(Number::finite) else {
            foreign.numbers(case, [None]);
            continue;
        };
        let bigger = tool == "customBiggerIsBetter";
        let unit = bench.unit();
        let time = units::ns_per_operation(unit).filter(|_| value >= 0.0 && !bigger);
        let (metrics, sample) = match time {
            Some(ns) => (Vec::new(), Sample::of(value * ns, 1)),
            None => (
                vec![metric(tool, unit)],
                Sample { untimed: true, iterations: 1, counters: [Some(value)].into(), ..Sample::default() },
            ),
        };
        foreign.declare(case, metrics.iter());
        let extra = bench.extra.as_ref().map(json::text).filter(|extra| !extra.is_empty());
        foreign.cases.change(case, |own| own.tags.extend(extra));
        let (unit, ns) = time.map_or((unit, 1.0), |ns| ("ns", ns));
        let margin = relative_margin(tool, bench).map(|margin| margin * value.abs() * ns);
        let own = margin.map(|margin| interval(value * ns - margin, value * ns + margin));
        let range = range(bench).map(|range| stated("range", unit, range * ns));
        let stated = foreign.said(range.into_iter().chain(own.into_iter().flatten()));
        let metrics = foreign.shared(&metrics);
        foreign.visit((process, case), &metrics, &[sample], stated);
    }
    Ok(foreign)
}

fn metric(tool: &str, unit: &str) -> Metric {
    let direction = match tool {
        "customBiggerIsBetter" | "benchmarkjs" | "pytest" => Direction::More,
        "customSmallerIsBetter" => Direction::Less,
        _ if units::is_rate(unit) => Direction::More,
        "go" if unit.ends_with("/op") => Direction::Less,
        _ => Direction::None,
    };
    Metric { name: "value".to_owned(), unit: unit.to_owned(), kind: Kind::Level, direction, exact: false }
}

/// Returns the relative margin of error that Benchmark.js reports: half the width of a 95 % interval. The
/// ranges of other tools are not confidence intervals.
fn relative_margin(tool: &str, bench: &Bench) -> Option<f64> {
    let text = bench.range.as_ref().filter(|_| tool == "benchmarkjs").and_then(Value::as_str)?;
    let percent: f64 = text.strip_prefix('±')?.strip_suffix('%')?.trim().parse().ok()?;
    Some(percent / 100.0).filter(|margin| margin.is_finite() && *margin >= 0.0)
}

/// Parses a range: `± 12`, `stddev: 3.1e-06` or a number. Ignores a relative range such as `±1.5%`.
fn range(bench: &Bench) -> Option<f64> {
    let text = bench.range.as_ref().map(json::text)?;
    let text = text.trim_start_matches("stddev:").trim_start_matches(['±', '+', '/', '-', ' ']);
    text.replace(',', "").trim().parse::<f64>().ok().filter(|range| range.is_finite())
}
