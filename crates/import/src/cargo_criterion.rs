//! Reads the messages of cargo-criterion (`--message-format json`): a line per benchmark, with all samples.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError, units};
use derny_model::Reported;
use serde::Deserialize;

const SUITE: &str = "criterion";
const COMPLETE: &str = "benchmark-complete";

#[derive(Deserialize)]
struct Reason {
    reason: String,
}

#[derive(Deserialize)]
struct Complete {
    id: String,
    #[serde(default)]
    iteration_count: Vec<Number>,
    #[serde(default)]
    measured_values: Vec<Number>,
    unit: Option<String>,
    #[serde(default)]
    throughput: Vec<Throughput>,
    typical: Option<Estimate>,
    mean: Option<Estimate>,
    median: Option<Estimate>,
    median_abs_dev: Option<Estimate>,
    slope: Option<Estimate>,
}

#[derive(Deserialize)]
struct Throughput {
    per_iteration: Number,
    unit: String,
}

#[derive(Deserialize)]
struct Estimate {
    estimate: Number,
    unit: Option<String>,
}

pub(crate) const KEYS: &[&[&str]] =
    &[&["reason", "measured_values", "id"], &["reason", "group_name", "benchmarks"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("cargo-criterion", "rust");
    foreign.says("differences between processes (the samples of a benchmark come from one process)");
    foreign.says("versions of criterion.rs and Rust");
    let process = foreign.process(0, 0);
    for (line, text) in (1..).zip(input.text()?.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let at = |error: ReadError| ReadError::at(line, error.reason);
        let Reason { reason } = json::part(text.as_bytes()).map_err(at)?;
        if reason == COMPLETE {
            let complete: Complete = json::part(text.as_bytes()).map_err(at)?;
            take(&mut foreign, process, &complete).map_err(at)?;
        }
    }
    if foreign.cases.is_empty() {
        return Err(ReadError::whole("no benchmark was completed"));
    }
    Ok(foreign)
}

fn take(foreign: &mut Foreign, process: usize, complete: &Complete) -> Result<(), ReadError> {
    let wrong = |what: &str| ReadError::whole(format!("`{}` has {what}", complete.id));
    let unit = complete.unit.as_deref().unwrap_or("ns");
    let ns =
        units::ns(unit).ok_or_else(|| wrong(&format!("values in `{unit}`, which is not a unit of time")))?;
    let case = foreign.case(CaseIdentity::Row, SUITE, &complete.id, Vec::new());
    foreign.cases.change(case, |own| {
        for work in &complete.throughput {
            match work.unit.as_str() {
                "bytes" => own.bytes = work.per_iteration.finite(),
                "elements" => own.items = work.per_iteration.finite(),
                _ => {}
            }
        }
    });
    let (counts, values) = (&complete.iteration_count, &complete.measured_values);
    if counts.len() != values.len() {
        return Err(wrong("different numbers of times and iteration counts"));
    }
    let one = |(count, value): (&Number, &Number)| {
        let count = count.time().filter(|count| *count >= 1.0)?;
        Some(Sample::lasting(value.time()? * ns, count as u64))
    };
    let said = statements(complete);
    // A message that was shortened by hand contains only estimates.
    let typical = said.first().filter(|typical| values.is_empty() && typical.value >= 0.0);
    let typical = typical.map(|typical| Some(Sample::of(typical.value, 1)));
    let samples = foreign.numbers(case, counts.iter().zip(values).map(one).chain(typical));
    foreign.ladder |= counts.windows(2).any(|pair| pair[0].0 < pair[1].0);
    foreign.long_visit((process, case), &[], &samples, said);
    Ok(())
}

fn statements(complete: &Complete) -> Vec<Reported> {
    let all = [
        ("typical", &complete.typical),
        ("mean", &complete.mean),
        ("median", &complete.median),
        ("slope", &complete.slope),
        ("mad", &complete.median_abs_dev),
    ];
    let one = |(name, estimate): (&str, &Option<Estimate>)| {
        let estimate = estimate.as_ref()?;
        let ns = units::ns(estimate.unit.as_deref().unwrap_or("ns"))?;
        Some(stated(name, "ns", estimate.estimate.finite()? * ns))
    };
    all.into_iter().filter_map(one).collect()
}
