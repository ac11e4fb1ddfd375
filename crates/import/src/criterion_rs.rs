//! Reads the folder of criterion.rs (`target/criterion`), with the newest samples of every benchmark. The
//! name of a benchmark is in its file, not in the path.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::{Input, Part, ReadError};
use derny_model::Reported;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

const SUITE: &str = "criterion";
const SAMPLE: &str = "new/sample.json";
const ESTIMATES: &str = "new/estimates.json";
const BENCHMARK: &str = "new/benchmark.json";

#[derive(Deserialize)]
struct Measured {
    sampling_mode: Option<String>,
    iters: Vec<Number>,
    times: Vec<Number>,
}

#[derive(Deserialize)]
struct Named {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    throughput: Option<Value>,
    full_id: Option<String>,
    title: Option<String>,
}

impl Named {
    /// Returns the name as printed by `--list` and as used in live runs.
    fn whole(&self) -> String {
        let parts = [Some(self.group_id.as_str()), self.function_id.as_deref(), self.value_str.as_deref()];
        let name = self.title.as_ref().or(self.full_id.as_ref());
        name.cloned().unwrap_or_else(|| parts.into_iter().flatten().collect::<Vec<_>>().join("/"))
    }
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: Number,
}

pub(crate) fn wanted(path: &str) -> bool {
    [SAMPLE, ESTIMATES, BENCHMARK].iter().any(|end| path == *end || path.ends_with(&format!("/{end}")))
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.bytes.is_empty() && input.parts.iter().any(|part| part.path.ends_with(SAMPLE))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("criterion.rs", "rust");
    foreign.says("differences between processes (the samples of a benchmark come from one process)");
    foreign.says("versions of criterion.rs and Rust");
    let process = foreign.process(0, 0);
    let by_path: HashMap<&str, &Part> = input.parts.iter().map(|part| (part.path.as_str(), part)).collect();
    for part in input.parts.iter().filter(|part| part.path.ends_with(SAMPLE)) {
        let folder = &part.path[..part.path.len() - SAMPLE.len()];
        let within = |error: ReadError, path: &str| ReadError {
            reason: format!("of {path}: {}", error.reason),
            ..error
        };
        let beside = |name: &str| by_path.get(format!("{folder}{name}").as_str());
        let measured: Measured = json::part(&part.bytes).map_err(|error| within(error, &part.path))?;
        let named: Option<Named> = match beside(BENCHMARK) {
            Some(file) => Some(json::part(&file.bytes).map_err(|error| within(error, &file.path))?),
            None => None,
        };
        let estimates: BTreeMap<String, Option<Estimate>> = match beside(ESTIMATES) {
            Some(file) => json::part(&file.bytes).map_err(|error| within(error, &file.path))?,
            None => BTreeMap::new(),
        };
        if measured.iters.len() != measured.times.len() {
            let why = format!("{} has different numbers of times and iteration counts", part.path);
            return Err(ReadError::whole(why));
        }
        foreign.ladder |= measured.sampling_mode.as_deref() == Some("Linear");
        let case = case(&mut foreign, folder.trim_end_matches('/'), named);
        let samples = foreign.numbers(case, samples(&measured));
        foreign.long_visit((process, case), &[], &samples, statements(&estimates));
    }
    Ok(foreign)
}

fn samples(measured: &Measured) -> impl Iterator<Item = Option<Sample>> {
    let one = |(iterations, time): (&Number, &Number)| {
        let iterations = iterations.time().filter(|count| *count >= 1.0)?;
        Some(Sample::lasting(time.time()?, iterations as u64))
    };
    measured.iters.iter().zip(&measured.times).map(one)
}

fn case(foreign: &mut Foreign, folder: &str, named: Option<Named>) -> usize {
    let Some(named) = named else { return foreign.case(CaseIdentity::Row, SUITE, folder, Vec::new()) };
    let case = foreign.case(CaseIdentity::Row, SUITE, &named.whole(), Vec::new());
    let work = |keys: &[&str]| {
        let throughput = named.throughput.as_ref()?;
        keys.iter().find_map(|key| throughput.get(key)?.as_f64())
    };
    let (bytes, items) = (work(&["Bytes", "BytesDecimal"]), work(&["Elements"]));
    foreign.cases.change(case, |own| {
        own.group = Some(named.group_id);
        own.printed = named.full_id;
        own.bytes = bytes;
        own.items = items;
    });
    case
}

fn statements(estimates: &BTreeMap<String, Option<Estimate>>) -> Vec<Reported> {
    let names = [
        ("mean", "mean"),
        ("median", "median"),
        ("slope", "slope"),
        ("std_dev", "sd"),
        ("median_abs_dev", "mad"),
    ];
    let one = |(key, name): (&str, &str)| {
        Some(stated(name, "ns", estimates.get(key)?.as_ref()?.point_estimate.finite()?))
    };
    names.into_iter().filter_map(one).collect()
}
