//! Tests the identity of cases with confusable names, in files of every format. Each file has as many cases
//! as the tool lists. No case contains values of two rows, unless the format marks them as repetitions.

use crate::formats::baseline;
use derny_import::{FORMATS, Foreign, Input, Part, Sample, format};
use derny_model::CaseId;
use javascript::{MITATA, NODE, NODE_BENCH, SCATTER, TINYBENCH, VITEST};
use managed::{DOTNET, DOTNET_JOBS, JMH, JMH_PARAMS};
use python::{ASV, PYPERF, PYTEST};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

mod javascript;
mod managed;
mod python;

/// Row of a file: the tool's identity of the benchmark, as its generator encodes it, and the time in ns.
type Row<'a> = (&'a str, u32);

/// Benchmark with several times.
type Entry<'a> = (&'a str, Vec<u32>);

type File = (Vec<u8>, Vec<Part>);

type Writer = Box<dyn Fn(&[Row<'_>]) -> File>;

struct Tool {
    format: &'static str,
    file: Writer,
    rows: &'static [&'static str],
    /// True if equal rows repeat one benchmark. Otherwise, each row is a separate one.
    again: bool,
    /// True if a case's name never depends on the other rows of the file, except for a number after it.
    fixed: bool,
}

fn tools() -> Vec<Tool> {
    let mut all = vec![
        own("benchfella", benchfella, &["M\ta", "M\ta #2", "M.a\tb", "M\ta.b", "N\ta", "M\ta n=1"]),
        own("rebar3-bench", rebar3, &["m:bench_a", "m:a", "m:a #2", "n:bench_a", "m:b"]),
        own("criterion-json", criterion_json, &["f/10", "f/10 #2", "f 10", "f/\"10\"", "f/10 n=1"]),
        own("criterion-csv", criterion_csv, &["f", "f (1,2)", "f (1", "f #2", "f (1;2)", "+f"]),
        again("google-benchmark", google, GOOGLE),
        own(
            "google-benchmark",
            google_older,
            &["B/n:1/x", "B/x/n:1", "B", "B_mean", "B/repeats:4", "B_fast"],
        ),
        own("hyperfine", hyperfine, HYPERFINE),
        own("catch2", catch2, &["T>a", "T>S>a", "T/S>a", "T>S/a", "T>a #2", "T>b"]),
        own("criterion-rs", criterion_rs, &["g|f|1", "g|f/1|", "g/f|1|", "g||f/1", "g|f|2", "g|f|1 #2"]),
        own("cargo-criterion", cargo_criterion, &["g/f/1", "g/f", "g/f #2", "g/f/\"1\""]),
        own("github-action-benchmark", action, &["B", "B #2", "B - B/op", "B/n=1"]),
        own("bmf", bmf, &["B", "B #2", "B/n=1", "B n=1"]),
        own("mitata", javascript::mitata, MITATA),
        own("tinybench", javascript::tinybench_table, TINYBENCH),
        again("node-compare", javascript::node_compare, NODE),
        again("node-run", javascript::node_run, NODE),
        again("node-scatter", javascript::node_scatter, SCATTER),
        own("benchee", benchee, BENCHEE),
        again("benchfmt", go, GO),
        again("benchfmt", go_json, GO),
        named_by_others(again("benchfmt", go, &["p A-1", "p A-2", "p A", "p A/n=2", "p A/n-2"])),
    ];
    let of_entries = [
        both("asv", python::asv, ASV),
        both("asv", python::asv_first, ASV),
        both("pytest-benchmark", python::pytest, PYTEST),
        both("pyperf", python::pyperf, PYPERF),
        both("pyperf", python::pyperf_older, PYPERF),
        both("tinybench", javascript::tinybench, TINYBENCH),
        both("tinybench", javascript::tinybench_beside, TINYBENCH),
        both("vitest", javascript::vitest, VITEST),
        both("node-bench", javascript::node_bench, NODE_BENCH),
        both("node-bench", javascript::node_bench_streamed, NODE_BENCH),
        both("jmh", managed::jmh, JMH_PARAMS),
        both("jmh", managed::jmh, JMH).map(named_by_others),
        both("benchmark-dotnet", managed::dotnet, DOTNET),
        both("benchmark-dotnet", managed::dotnet_values, DOTNET),
        both("benchmark-dotnet", managed::dotnet, DOTNET_JOBS).map(named_by_others),
    ];
    all.extend(of_entries.into_iter().flatten());
    all
}

fn again(format: &'static str, file: fn(&[Row<'_>]) -> File, rows: &'static [&'static str]) -> Tool {
    Tool { format, file: Box::new(file), rows, again: true, fixed: true }
}

fn own(format: &'static str, file: fn(&[Row<'_>]) -> File, rows: &'static [&'static str]) -> Tool {
    Tool { again: false, ..again(format, file, rows) }
}

/// Returns a tool for which each entry is a case, even if it equals another. Equal rows within an entry are
/// times of the same case.
fn both(format: &'static str, file: fn(&[Entry<'_>]) -> File, rows: &'static [&'static str]) -> [Tool; 2] {
    let one = move |rows: &[Row<'_>]| {
        let entries: Vec<Entry<'_>> = rows.iter().map(|(row, value)| (*row, vec![*value])).collect();
        file(&entries)
    };
    let several = move |rows: &[Row<'_>]| file(&gathered(rows));
    [
        Tool { format, file: Box::new(one), rows, again: false, fixed: true },
        Tool { format, file: Box::new(several), rows, again: true, fixed: true },
    ]
}

fn gathered<'a>(rows: &[Row<'a>]) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (row, value) in rows {
        match entries.iter_mut().find(|(known, _)| known == row) {
            Some((_, values)) => values.push(*value),
            None => entries.push((row, vec![*value])),
        }
    }
    entries
}

/// Marks a tool whose case names depend on the differences between rows.
fn named_by_others(tool: Tool) -> Tool {
    Tool { fixed: false, ..tool }
}

#[test]
fn no_case_holds_what_another_measured() {
    let all = tools();
    let have: BTreeSet<&str> = all.iter().map(|tool| tool.format).collect();
    let formats: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(have, formats, "every format is looked at");
    for tool in all {
        let alone = tool.alone();
        let count = tool.rows.len();
        for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
            tool.holds(&[a, b], &alone);
            if tool.again {
                tool.holds(&[a, b, a, a], &alone);
            }
        }
        let all: Vec<usize> = (0..count).collect();
        tool.holds(&all, &alone);
        tool.holds(&[all.clone(), all.iter().rev().copied().collect()].concat(), &alone);
    }
}

type Measured = BTreeMap<CaseId, BTreeSet<u32>>;

fn measured(foreign: &Foreign) -> Measured {
    let mut values = Measured::new();
    for (case, samples) in foreign.visits() {
        values.entry(case.id).or_default().extend(samples.iter().filter_map(value));
    }
    values
}

impl Tool {
    fn read(&self, rows: &[Row<'_>]) -> Foreign {
        let (bytes, parts) = (self.file)(rows);
        let read = format(self.format).unwrap().read;
        let text = || String::from_utf8_lossy(&bytes).into_owned();
        read(&Input { bytes: &bytes, name: "x", parts: &parts })
            .unwrap_or_else(|why| panic!("{}: {why}\n{}", self.format, text()))
    }

    /// Returns the name of each row's case in a file that has no other rows.
    fn alone(&self) -> Vec<CaseId> {
        self.rows.iter().map(|name| self.read(&[(name, 1000)]).cases().get(0).id).collect()
    }

    fn holds(&self, places: &[usize], alone: &[CaseId]) {
        // Give each row a different value.
        let rows: Vec<Row<'_>> =
            (1..).zip(places).map(|(at, place)| (self.rows[*place], at * 1000)).collect();
        let foreign = self.read(&rows);
        let values = measured(&foreign);
        let said = || format!("{} of {rows:?}: {values:#?}\n{:?}", self.format, foreign.unknown());
        let names: BTreeSet<&str> = rows.iter().map(|(name, _)| *name).collect();
        let wanted = if self.again { names.len() } else { rows.len() };
        assert_eq!((foreign.cases().len(), values.len()), (wanted, wanted), "{}", said());
        let all: Vec<u32> = values.values().flatten().copied().collect();
        assert_eq!(all.len(), rows.len(), "{}", said());
        for (id, own) in &values {
            let of: BTreeSet<&str> =
                rows.iter().filter(|(_, value)| own.contains(value)).map(|(name, _)| *name).collect();
            assert!(of.len() == 1 && (self.again || own.len() == 1), "{}", said());
            let keys: BTreeSet<&String> = id.params.iter().map(|(key, _)| key).collect();
            assert_eq!(keys.len(), id.params.len(), "no parameter is there twice: {}", said());
        }
        // Appended numbers follow the order of the file.
        if foreign.unknown().iter().any(|one| one.contains("differences between cases of the same name")) {
            return;
        }
        if self.fixed {
            for ((_, value), place) in rows.iter().zip(places) {
                let (called, _) = values.iter().find(|(_, own)| own.contains(value)).unwrap();
                assert_eq!(*called, alone[*place], "alone it is called otherwise: {}", said());
            }
        } else {
            let turned: Vec<Row<'_>> = rows.iter().rev().copied().collect();
            assert_eq!(measured(&self.read(&turned)), values, "in another order: {}", said());
        }
    }
}

fn value(sample: &Sample) -> Option<u32> {
    let value =
        if sample.untimed { sample.counters.first().copied().flatten()? } else { sample.per_operation() };
    Some(value.round() as u32)
}

fn document(value: &Value) -> File {
    (value.to_string().into_bytes(), Vec::new())
}

/// Returns the rows as JSON objects. `own` adds the members that a row does not contain.
fn objects(rows: &[Row<'_>], own: impl Fn(&str, u32) -> String) -> String {
    let all: Vec<String> = rows.iter().map(|(row, value)| own(row, *value)).collect();
    format!("[{}]", all.join(","))
}

fn benchfella(rows: &[Row<'_>]) -> File {
    let mut text =
        "duration:1.0;mem stats:false;sys mem stats:false\nmodule;test;tags;iterations;elapsed\n".to_owned();
    for (name, value) in rows {
        writeln!(text, "{name}\t\t1000\t{value}").unwrap();
    }
    (text.into_bytes(), Vec::new())
}

fn rebar3(rows: &[Row<'_>]) -> File {
    let one = |(name, value): &Row<'_>| {
        let (module, name) = name.split_once(':').unwrap();
        (module.to_owned(), name.to_owned(), vec![[f64::from(*value), 8.0, 6.0]])
    };
    (baseline(&rows.iter().map(one).collect::<Vec<_>>()), Vec::new())
}

fn criterion_json(rows: &[Row<'_>]) -> File {
    let report = |(name, value): &Row<'_>| json!({"reportName": name, "reportKeys": ["time", "iters"], "reportMeasured": [[f64::from(*value) * 1e-6, 1000]]});
    document(&json!(["criterion", "1.6.3.0", rows.iter().map(report).collect::<Vec<_>>()]))
}

fn criterion_csv(rows: &[Row<'_>]) -> File {
    let mut text = "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB\n".to_owned();
    for (name, value) in rows {
        writeln!(text, "{name},{value}e-9,1e-9,1e-9,1e-9,1e-9,1e-9").unwrap();
    }
    (text.into_bytes(), Vec::new())
}

const GOOGLE: &[&str] = &[
    "B",
    "B #2",
    "B/1",
    "B/n:1/x",
    "B/x/n:1",
    "B/n:1/m:2",
    "B/m:2/n:1",
    "B/iterations:10",
    "B/iterations:1000",
    "B/repeats:1",
    "B/repeats:4",
    "B/min_time:5",
    "B/threads:2",
    "B/threads:2/threads:4",
    "B/real_time",
    "B/process_time",
    "B<int>/n:1",
];

fn google(rows: &[Row<'_>]) -> File {
    let row = |(at, (name, value)): (usize, &Row<'_>)| {
        let before = rows[..at].iter().filter(|(other, _)| other == name).count();
        json!({"name": name, "run_name": name, "run_type": "iteration", "repetitions": 2, "repetition_index": before,
            "threads": 1, "iterations": 7000, "real_time": value, "cpu_time": value, "time_unit": "ns"})
    };
    let all: Vec<Value> = rows.iter().enumerate().map(row).collect();
    document(&json!({"context": {"num_cpus": 2}, "benchmarks": all}))
}

/// Returns a file of a version before 1.4, in which only the name identifies a row.
fn google_older(rows: &[Row<'_>]) -> File {
    let row = |(name, value): &Row<'_>| json!({"name": name, "iterations": 7000, "real_time": value, "cpu_time": value, "time_unit": "ns"});
    document(&json!({"context": {"num_cpus": 2}, "benchmarks": rows.iter().map(row).collect::<Vec<_>>()}))
}

const HYPERFINE: &[&str] = &[
    r#""command":"cat x""#,
    r#""command":"cat x #2""#,
    r#""command":"cat x","parameters":{"n":"1"}"#,
    r#""command":"cat x n=1""#,
    r#""command":"cat x","parameters":{"n":"1","m":"2"}"#,
    r#""command":"cat x","parameters":{"m":"2","n":"1"}"#,
];

fn hyperfine(rows: &[Row<'_>]) -> File {
    let own = |row: &str, value: u32| format!("{{{row},\"mean\":{value}e-9,\"times\":[{value}e-9]}}");
    (format!("{{\"results\":{}}}", objects(rows, own)).into_bytes(), Vec::new())
}

fn catch2(rows: &[Row<'_>]) -> File {
    let mut text =
        "<?xml version=\"1.0\"?><Catch2TestRun name=\"bench\" catch2-version=\"3.5.2\">".to_owned();
    for (path, value) in rows {
        let parts: Vec<&str> = path.split('>').collect();
        let (name, within) = parts.split_last().unwrap();
        for (depth, part) in within.iter().enumerate() {
            write!(text, "<{} name=\"{part}\">", if depth == 0 { "TestCase" } else { "Section" }).unwrap();
        }
        write!(text, "<BenchmarkResults name=\"{name}\"><mean value=\"{value}\"/></BenchmarkResults>")
            .unwrap();
        for depth in (0..within.len()).rev() {
            write!(text, "</{}>", if depth == 0 { "TestCase" } else { "Section" }).unwrap();
        }
    }
    (format!("{text}</Catch2TestRun>").into_bytes(), Vec::new())
}

fn criterion_rs(rows: &[Row<'_>]) -> File {
    let parts = |(at, (name, value)): (usize, &Row<'_>)| {
        let mut words = name.split('|').map(|word| Some(word).filter(|word| !word.is_empty()));
        let named = json!({"group_id": words.next(), "function_id": words.next(), "value_str": words.next()});
        let sample = json!({"sampling_mode": "Flat", "iters": [10.0], "times": [f64::from(*value) * 10.0]});
        [("sample", sample), ("benchmark", named)].map(|(file, value)| Part {
            path: format!("{at:03}/new/{file}.json"),
            bytes: value.to_string().into_bytes(),
        })
    };
    (Vec::new(), rows.iter().enumerate().flat_map(parts).collect())
}

fn cargo_criterion(rows: &[Row<'_>]) -> File {
    let mut text = String::new();
    for (name, value) in rows {
        let line = json!({"reason": "benchmark-complete", "id": name, "iteration_count": [10], "measured_values": [value * 10], "unit": "ns"});
        writeln!(text, "{line}").unwrap();
    }
    (text.into_bytes(), Vec::new())
}

fn action(rows: &[Row<'_>]) -> File {
    let row = |(name, value): &Row<'_>| json!({"name": name, "unit": "ns/op", "value": value});
    document(&rows.iter().map(row).collect())
}

fn bmf(rows: &[Row<'_>]) -> File {
    let row = |(name, value): &Row<'_>| format!("{}:{{\"latency\":{{\"value\":{value}}}}}", json!(name));
    let all: Vec<String> = rows.iter().map(row).collect();
    (format!("{{{}}}", all.join(",")).into_bytes(), Vec::new())
}

const BENCHEE: &[&str] = &[
    r#""job_name":"a""#,
    r#""job_name":"a","input_name":"1""#,
    r#""job_name":"a","input_name":"2""#,
    r#""job_name":"a input=1""#,
    r#""job_name":"a","tag":"1""#,
    r#""job_name":"a #2""#,
];

fn benchee(rows: &[Row<'_>]) -> File {
    let own = |row: &str, value: u32| format!("{{{row},\"run_time_data\":{{\"samples\":[{value}]}}}}");
    (objects(rows, own).into_bytes(), Vec::new())
}

const GO: &[&str] = &[
    "p A",
    "q A",
    "p A#01",
    "p A/n=1/x",
    "p A/x/n=1",
    "p A/n=1/m=2",
    "p A/m=2/n=1",
    "p A/n=1",
    "p A/n=1/n=1",
    "p A/n=\"1\"",
    "p A/cpu=4",
];

fn go(rows: &[Row<'_>]) -> File {
    let mut text = "goos: linux\n".to_owned();
    for (name, value) in rows {
        let (package, name) = name.split_once(' ').unwrap();
        writeln!(text, "pkg: {package}\nBenchmark{name} \t 1000\t {value} ns/op").unwrap();
    }
    (text.into_bytes(), Vec::new())
}

fn go_json(rows: &[Row<'_>]) -> File {
    let mut text =
        format!("{}\n", json!({"Time": "2026-02-03T00:00:00Z", "Action": "start", "Package": "p"}));
    for (name, value) in rows {
        let (package, name) = name.split_once(' ').unwrap();
        for output in [format!("Benchmark{name} \t"), format!(" 1000\t {value} ns/op\n")] {
            let event =
                json!({"Action": "output", "Package": package, "Test": "Benchmark", "Output": output});
            writeln!(text, "{event}").unwrap();
        }
    }
    (text.into_bytes(), Vec::new())
}
