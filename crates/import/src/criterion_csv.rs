//! The CSV of Haskell's criterion: mean and deviation of each benchmark with their bounds, in seconds. It is appended to, with
//! its head, by every run: what comes after a further head are further processes.

use crate::cases::Own;
use crate::csv::{number, rows};
use crate::{Foreign, Input, ReadError, Sample};
use derny_model::{Direction, Kind, Metric};

const HEAD: [&str; 7] = ["Name", "Mean", "MeanLB", "MeanUB", "Stddev", "StddevLB", "StddevUB"];
/// So many iterations are taken for the one value, so that it keeps its digits.
const ITERATIONS: u64 = 1_000_000;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.head().lines().next().is_some_and(|line| line.trim_end() == HEAD.join(","))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("criterion", "haskell");
    foreign.says("the measurements: the file has means only; their bounds are kept as metrics, and criterion made them");
    foreign.says("iterations: the mean is taken for 1,000,000 of them");
    foreign.says("versions of criterion and GHC");
    let (bounds, mut process) = (foreign.shared(&bounds()), None);
    for row in rows(input.text()?) {
        let (line, row) = row?;
        if row == HEAD {
            process = None;
            continue;
        }
        let [name, figures @ ..] = &row[..] else { continue };
        if figures.len() != 6 {
            let found = row.len();
            return Err(ReadError::at(line, format!("7 fields are needed, {found} are there")));
        }
        let mut values = [0.0; 6];
        for ((value, text), title) in values.iter_mut().zip(figures).zip(&HEAD[1..]) {
            *value = number(line, title, text)?;
        }
        if values[0] < 0.0 {
            return Err(ReadError::at(line, "the mean is negative"));
        }
        let process = match process {
            Some(process) => process,
            None => *process.insert(foreign.process(0, foreign.processes.len())),
        };
        let case = foreign.case(Own::Named(name), "criterion", name, Vec::new());
        let sample = Sample {
            time_ns: (values[0] * 1e9 * ITERATIONS as f64).round() as u64,
            iterations: ITERATIONS,
            // Per iteration already.
            counters: values[1..].iter().map(|value| Some(value * 1e9)).collect(),
            ..Sample::default()
        };
        foreign.visit((process, case), &bounds, &[sample], Vec::new());
    }
    Ok(foreign)
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
