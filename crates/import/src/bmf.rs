//! Reads the Bencher Metric Format: one value per measure of each benchmark, with optional bounds.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::json::{self, Number};
use crate::{Input, ReadError};
use derny_model::{Direction, Kind, Metric, Reported};
use serde::Deserialize;
use std::collections::BTreeMap;

const SUITE: &str = "bmf";
/// Bencher's built-in measure of time, in ns.
const TIME: &str = "latency";
/// Bencher's built-in measure of rates.
const RATE: &str = "throughput";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    value: Number,
    lower_value: Option<Number>,
    upper_value: Option<Number>,
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    // Match `{"benchmark":{"measure":{"value":` with any names.
    let mut rest = input.head().trim_start();
    for _ in 0..2 {
        let Some((_, after)) = rest.strip_prefix('{').and_then(|rest| word(rest.trim_start())) else {
            return false;
        };
        let Some(after) = after.trim_start().strip_prefix(':') else { return false };
        rest = after.trim_start();
    }
    let last = rest.strip_prefix('{').and_then(|rest| word(rest.trim_start()));
    last.is_some_and(|(word, _)| matches!(word, "value" | "lower_value" | "upper_value"))
}

fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('"')?;
    let mut escaped = false;
    let end = text.char_indices().find(|(_, letter)| {
        let ends = *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    })?;
    Some((&text[..end.0], &text[end.0 + 1..]))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("bencher metric format", "");
    foreign.says(
        "variation of values (there is one per measure; the bounds shown are not a confidence interval)",
    );
    foreign.says("units and directions of measures other than latency and throughput");
    let process = foreign.process(0, 0);
    json::members(input, None, &mut |(name, measures): (String, BTreeMap<String, Value>)| {
        let case = foreign.case(CaseIdentity::Row, SUITE, &name, Vec::new());
        let latency = measures.get(TIME).map(|latency| latency.value.time());
        let time = latency.flatten();
        let others = || measures.iter().filter(|(measure, _)| *measure != TIME);
        let metrics: Vec<Metric> = others().map(|(measure, _)| metric(measure)).collect();
        if time.is_none() && others().all(|(_, value)| value.value.finite().is_none()) {
            foreign.numbers(case, [None]);
            return Ok(());
        }
        foreign.leave_out(case, usize::from(latency == Some(None)));
        foreign.declare(case, metrics.iter());
        let counters = others().map(|(_, value)| value.value.finite()).collect();
        let sample = match time {
            Some(each) => Sample { counters, ..Sample::of(each, 1) },
            None => Sample { untimed: true, iterations: 1, counters, ..Sample::default() },
        };
        let stated = foreign.said(measures.iter().flat_map(|(measure, value)| bounds(measure, value)));
        let metrics = foreign.shared(&metrics);
        foreign.visit((process, case), &metrics, &[sample], stated);
        Ok(())
    })?;
    Ok(foreign)
}

fn metric(measure: &str) -> Metric {
    let (unit, kind, direction) = match measure {
        RATE => ("op/s", Kind::Rate, Direction::More),
        _ => ("", Kind::Level, Direction::None),
    };
    Metric { name: measure.to_owned(), unit: unit.to_owned(), kind, direction, exact: false }
}

fn bounds(measure: &str, value: &Value) -> Vec<Reported> {
    let unit = if measure == TIME { "ns" } else { "" };
    let one = |word: &str, bound: Option<Number>| {
        Some(stated(&format!("{word} {measure}"), unit, bound?.finite()?))
    };
    [one("lower", value.lower_value), one("upper", value.upper_value)].into_iter().flatten().collect()
}
