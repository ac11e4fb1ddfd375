//! Reads the CSV of Haskell's criterion: mean and deviation of each benchmark with their bounds, in seconds.
//! Every run appends a header and its rows, so each header starts a new process.

use crate::cases::CaseIdentity;
use crate::csv::{Row, number, rows};
use crate::{Foreign, Input, ReadError, Sample};
use derny_model::{Direction, Kind, Metric};
use std::collections::HashMap;

const HEAD: [&str; 7] = ["Name", "Mean", "MeanLB", "MeanUB", "Stddev", "StddevLB", "StddevUB"];
const FIGURES: usize = HEAD.len() - 1;
/// Assumed number of iterations of the single value. It is large enough to keep the value's precision.
const ITERATIONS: u64 = 1_000_000;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.head().lines().next().is_some_and(|line| line.trim_end() == HEAD.join(","))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("criterion", "haskell");
    foreign.says("single measurements (the file has only means; criterion's bounds are kept as metrics)");
    foreign.says("iterations (a mean counts as 1,000,000 iterations)");
    foreign.says("versions of criterion and GHC");
    let (bounds, mut process) = (foreign.shared(&bounds()), None);
    // Number of measurements of each name in the current run. A name that occurs again belongs to another
    // case.
    let mut counts: HashMap<String, u32> = HashMap::new();
    for row in rows(input.text()?) {
        let Row { line, fields: row, .. } = row?;
        if row == HEAD {
            (process, counts) = (None, HashMap::new());
            continue;
        }
        let Some(at) = row.len().checked_sub(FIGURES).filter(|at| *at > 0) else {
            let found = row.len();
            return Err(ReadError::at(line, format!("expected 7 fields, found {found}")));
        };
        // Some versions do not quote names that contain commas.
        let (name, figures) = (row[..at].join(","), &row[at..]);
        let mut values = [None; FIGURES];
        for ((value, text), title) in values.iter_mut().zip(figures).zip(&HEAD[1..]) {
            *value = figure(line, title, text)?;
        }
        let process = match process {
            Some(process) => process,
            None => *process.insert(foreign.process(0, foreign.processes.len())),
        };
        let count = counts.entry(name.clone()).or_default();
        let case =
            foreign.case(CaseIdentity::Named(&format!("{name}\0{count}")), "criterion", &name, Vec::new());
        *count += 1;
        // The bounds are already per iteration.
        let counters = values[1..].iter().map(|value| value.map(|value| value * 1e9)).collect();
        let mean = values[0].filter(|mean| *mean >= 0.0);
        let sample = mean.map(|mean| Sample { counters, ..Sample::of(mean * 1e9, ITERATIONS) });
        let samples = foreign.numbers(case, [sample]);
        foreign.visit((process, case), &bounds, &samples, Vec::new());
    }
    Ok(foreign)
}

/// Parses a figure. Returns `None` if criterion could not compute it.
fn figure(line: usize, title: &str, text: &str) -> Result<Option<f64>, ReadError> {
    match text.trim() {
        "NaN" | "Infinity" | "-Infinity" => Ok(None),
        text => number(line, title, text).map(Some),
    }
}

fn bounds() -> Vec<Metric> {
    let metric = |name: &&str| Metric {
        name: (*name).to_owned(),
        unit: "ns/op".to_owned(),
        kind: Kind::Rate,
        direction: Direction::None,
        exact: false,
    };
    HEAD[2..].iter().map(metric).collect()
}
