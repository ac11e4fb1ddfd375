//! Baselines of rebar3_bench, in Erlang's external term format: `{[0,1,0], [{Module, Name, [[Wall, Memory,
//! Reductions], …]}]}`, newest sample first. Each sample is a turn.

use derny_model::{Phase, Records, Turn, VisitRecord};

/// Maximum length of an atom in bytes.
const LONGEST: usize = 255;

/// The names of the functions in a benchmark module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Functions are named `bench_x`, the default callback style of rebar3_bench.
    Legacy,
    /// Functions are named `x`, as with `--callback-style new`.
    New,
}

/// Returns the turns of one variant as a baseline. If the growth of the process was not measured, its memory
/// is the allocated memory. Missing values are 0.
///
/// # Errors
///
/// Fails if there are several variants, because a baseline has no place for them.
pub fn baseline(records: &Records, naming: Naming) -> Result<Vec<u8>, String> {
    if records.header.variants.len() > 1 {
        return Err("a rebar3_bench baseline cannot contain variants".to_owned());
    }
    let mut benches = Vec::new();
    for (index, case) in records.cases.iter().enumerate() {
        let visits = records
            .visits
            .iter()
            .filter(|r| r.complete && r.visit.case == index as u32 && r.visit.mode.is_none());
        let mut samples: Vec<[f64; 3]> = visits.flat_map(|record| samples(record, case.ops)).collect();
        if samples.is_empty() {
            continue;
        }
        samples.reverse();
        let id = &case.id;
        let module = id.suite.rsplit('/').next().unwrap_or(&id.suite);
        let prefix = if naming == Naming::Legacy { "bench_" } else { "" };
        let samples = samples.iter().map(|sample| list(&sample.map(float)));
        let name = format!("{prefix}{}", id.name());
        benches.push(tuple(&[atom(module), atom(&name), list(&samples.collect::<Vec<_>>())]));
    }
    // [0,1,0] in Erlang's encoding of a list of small integers.
    let version = vec![107, 0, 3, 0, 1, 0];
    Ok([vec![131], tuple(&[version, list(&benches)])].concat())
}

fn samples(record: &VisitRecord, ops: f64) -> Vec<[f64; 3]> {
    let place = |name: &str| record.visit.metrics.iter().position(|metric| metric.name == name);
    let (memory, reductions) = (place("memory").or_else(|| place("allocated")), place("reductions"));
    let sample = |turn: &Turn| {
        let time: u64 = turn.times_ns.iter().sum();
        let operations: f64 = turn.all_operations(ops);
        let counter = |place: Option<usize>| {
            place.and_then(|place| turn.counters.get(place).copied().flatten()).unwrap_or(0.0) / operations
        };
        let values = [time as f64 / operations, counter(memory), counter(reductions)];
        values.iter().all(|value| value.is_finite()).then_some(values)
    };
    let measured = record.turns.iter().filter(|t| t.phase == Phase::Measured && !t.times_ns.is_empty());
    measured.filter_map(sample).collect()
}

fn float(value: f64) -> Vec<u8> {
    [vec![70], value.to_be_bytes().to_vec()].concat()
}

fn atom(name: &str) -> Vec<u8> {
    let end = (0..=name.len().min(LONGEST)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    let bytes = &name.as_bytes()[..end];
    [&[119, bytes.len() as u8], bytes].concat()
}

fn tuple(terms: &[Vec<u8>]) -> Vec<u8> {
    [vec![104, terms.len() as u8], terms.concat()].concat()
}

fn list(terms: &[Vec<u8>]) -> Vec<u8> {
    if terms.is_empty() {
        return vec![106];
    }
    [vec![108], (terms.len() as u32).to_be_bytes().to_vec(), terms.concat(), vec![106]].concat()
}
