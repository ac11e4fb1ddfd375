//! Reads rebar3_bench baselines: an Erlang term with the wall time, memory and reductions per iteration of
//! every sample, newest first.

use crate::cases::CaseIdentity;
use crate::foreign::metric;
use crate::term::{Term, term};
use crate::{Foreign, Input, ReadError, Sample};
use derny_model::{Direction, Kind, Metric};

/// Assumed number of iterations of a sample, because the file does not contain the real one. It resolves a
/// time of 1 ns to 0.1 %.
const ITERATIONS: u64 = 1_000_000;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.bytes.first() == Some(&131) && !crate::benchee::is_saved(input)
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let benches = match term(input.bytes)? {
        Term::Tuple(parts) => match <[Term; 2]>::try_from(parts) {
            Ok([Term::List(_) | Term::Numbers(_), Term::List(benches)]) => benches,
            _ => return Err(ReadError::whole("the term is not `{Version, Benches}`")),
        },
        _ => return Err(ReadError::whole("the term is not `{Version, Benches}`")),
    };
    let mut foreign = Foreign::new("rebar3_bench", "erlang");
    foreign.says("iterations per sample (each sample counts as 1,000,000; times per iteration are exact)");
    foreign.says("unit of time (native units are read as nanoseconds, as on Linux, macOS and Windows)");
    foreign.says("version of Erlang");
    let (process, metrics) = (foreign.process(0, 0), foreign.shared(&metrics()));
    for (number, bench) in (1..).zip(benches) {
        let parts = match &bench {
            Term::Tuple(parts) => &parts[..],
            _ => &[],
        };
        let [Term::Atom(module), Term::Atom(name), Term::List(samples)] = parts else {
            return Err(ReadError::whole(format!("bench {number} is not `{{Module, Name, Samples}}`")));
        };
        // The older callback style stores the name of the function, `bench_x`. The newer one calls it `x`.
        let benchmark = name.strip_prefix("bench_").unwrap_or(name);
        let case = foreign.case(CaseIdentity::Row, &format!("test/{module}"), benchmark, Vec::new());
        let mut read = Vec::with_capacity(samples.len());
        for sample in samples.iter().rev() {
            read.push(one(sample).ok_or_else(|| {
                ReadError::whole(format!(
                    "a sample of {module}:{name} is not `[WallTime, Memory, Reductions]`"
                ))
            })?);
        }
        let read = foreign.numbers(case, read);
        foreign.visit((process, case), &metrics, &read, Vec::new());
    }
    Ok(foreign)
}

/// Returns the metrics of a sample. Memory is the growth of the process, which collections undo, so neither
/// direction is better.
fn metrics() -> Vec<Metric> {
    vec![
        metric("memory", "bytes", Kind::Total, Direction::None),
        metric("reductions", "count", Kind::Total, Direction::Less),
    ]
}

/// Converts a sample. Returns `None` if it is malformed, and `Some(None)` if its time is negative.
fn one(sample: &Term) -> Option<Option<Sample>> {
    let values: Vec<Option<f64>> = match sample {
        Term::List(values) => values.iter().map(Term::number).collect(),
        Term::Numbers(values) => values.iter().map(|value| Some(*value).filter(|v| v.is_finite())).collect(),
        _ => return None,
    };
    let [wall, rest @ ..] = &values[..] else { return None };
    let wall = (*wall)?;
    let total = |index: usize| rest.get(index).copied().flatten().map(|value| value * ITERATIONS as f64);
    let counters = [total(0), total(1)].into();
    let sample = Sample { counters, ..Sample::of(wall, ITERATIONS) };
    Some(Some(sample).filter(|_| wall >= 0.0))
}
