//! Writes files like those of Python tools.

use super::{Entry, File, document};
use derny_import::Part;
use serde_json::{Value, json};

/// Name of a benchmark, and its parameter as written by Python.
pub(super) const ASV: &[&str] = &[
    "shop.time_all",
    "shop.Cart.time_all",
    "shop.time_n 1",
    "shop.time_n '1'",
    "shop.time_n 1.0",
    "shop.time_n None",
    "shop.time_n 'None'",
    "shop.time_n True",
    "shop.time_n 'a b=c'",
    "shop.time_n <function f at 0x7f00aa>",
    "shop.time_n <function f at 0x7f00bb>",
    "shop.time_n param1=1",
    "shop.Cart.time_n 1",
];

/// Name, values of the parameter if there is one, and a result and samples for each value.
type Benchmark<'a> = (&'a str, Vec<&'a str>, [Vec<Value>; 2]);

fn asv_benchmarks<'a>(entries: &[Entry<'a>]) -> Vec<Benchmark<'a>> {
    let mut all: Vec<Benchmark<'_>> = Vec::new();
    for (row, values) in entries {
        let (name, param) = row.split_once(' ').map_or((*row, None), |(name, param)| (name, Some(param)));
        let known = all.iter().position(|(known, ..)| param.is_some() && *known == name);
        let place = known.unwrap_or_else(|| {
            all.push((name, Vec::new(), Default::default()));
            all.len() - 1
        });
        let (_, params, [results, samples]) = &mut all[place];
        params.extend(param);
        let own: Vec<f64> = values.iter().map(|value| f64::from(*value) * 1e-9).collect();
        results.push(own[0].into());
        samples.push(own.into());
    }
    all
}

fn asv_file(entries: &[Entry<'_>], one: fn(Value, [Vec<Value>; 2]) -> Value, rest: &str) -> Vec<u8> {
    let all = asv_benchmarks(entries).into_iter().map(|(name, params, measured)| {
        let axes = if params.is_empty() { json!([]) } else { json!([params]) };
        format!("{}:{}", json!(name), one(axes, measured))
    });
    let results = all.collect::<Vec<_>>().join(",");
    format!(r#"{{"commit_hash":"c0ffee","params":{{"machine":"m"}},"results":{{{results}}},{rest}}}"#).into()
}

pub(super) fn asv(entries: &[Entry<'_>]) -> File {
    let rest = r#""result_columns":["result","params","samples"],"version":2"#;
    let definitions = json!({"shop.time_n": {"param_names": ["param n"], "unit": "seconds"}, "version": 2});
    let beside = Part { path: "benchmarks.json".to_owned(), bytes: definitions.to_string().into_bytes() };
    let one = |axes: Value, [results, samples]: [Vec<Value>; 2]| json!([results, axes, samples]);
    (asv_file(entries, one, rest), vec![beside])
}

/// Returns a file in version 1 of the format, which has no columns.
pub(super) fn asv_first(entries: &[Entry<'_>]) -> File {
    let one = |axes: Value, [results, samples]: [Vec<Value>; 2]| json!({"params": axes, "result": results, "samples": samples});
    (asv_file(entries, one, r#""env_name":"e","version":1"#), Vec::new())
}

pub(super) const PYTEST: &[&str] = &[
    "tests/a/test_v.py::test_v[1_0]",
    "tests/a/test_v.py::test_v[1_1]",
    "tests/a/test_v.py::test_v[None0]",
    "tests/a/test_v.py::test_v[None1]",
    "tests/a/test_v.py::test_v[<A object at 0x7f12>-2]",
    "tests/a/test_v.py::test_v[<A object at 0x7f34>-2]",
    "tests/a/test_v.py::test_v[1] #2",
    "tests/a/test_v.py::test_v[b/c::d]",
    "tests/a/test_v.py::T::test_v[1]",
    "tests/test_v.py::test_v[1]",
    "tests.py::test_v.py::test_v[1]",
    "tests.py::test_v",
    "tests::test_v",
    "test_v",
    "pytest.py::test_v",
];

pub(super) fn pytest(entries: &[Entry<'_>]) -> File {
    let one = |(name, values): &Entry<'_>| {
        let rounds: Vec<f64> = values.iter().map(|value| f64::from(*value) * 1e-9).collect();
        json!({"name": "x", "fullname": name, "params": null, "stats": {"mean": rounds[0], "data": rounds}})
    };
    document(&json!({"machine_info": {}, "benchmarks": entries.iter().map(one).collect::<Vec<_>>()}))
}

pub(super) const PYPERF: &[&str] = &[
    r#""name":"spin""#,
    r#""name":"spin #2""#,
    r#""name":"spin n=1""#,
    r#""name":"Spin""#,
    r#""name":"pyperf/spin""#,
    r#""name":"\"spin\"""#,
    r#""name":"benchmark""#,
    r#""loops":1"#,
];

/// Returns pyperf's JSON, with at most two values per run.
fn pyperf_of(entries: &[Entry<'_>], version: &str, metadata: &str, values: &str) -> File {
    let one = |(row, all): &Entry<'_>| {
        let seconds: Vec<f64> = all.iter().map(|value| f64::from(*value) * 1e-9).collect();
        let runs: Vec<Value> = seconds.chunks(2).map(|some| json!({values: some})).collect();
        format!("{{\"{metadata}\":{{{row}}},\"runs\":{}}}", json!(runs))
    };
    let all: Vec<String> = entries.iter().map(one).collect();
    (format!("{{\"version\":{version},\"benchmarks\":[{}]}}", all.join(",")).into_bytes(), Vec::new())
}

pub(super) fn pyperf(entries: &[Entry<'_>]) -> File {
    pyperf_of(entries, "\"1.0\"", "metadata", "values")
}

pub(super) fn pyperf_older(entries: &[Entry<'_>]) -> File {
    pyperf_of(entries, "5", "common_metadata", "samples")
}
