//! Tests the figures of files: means equal those of their samples, and only invalid values are omitted.

use derny_import::{Foreign, Input, Origin, Part, events, format};
use derny_model::{Event, Kind, Phase};

const TIMES: [f64; 6] = [39.87, 0.64, 12.25, 95.5, 41.0, 2.375];

fn read(name: &str, text: &str, parts: &[Part]) -> Foreign {
    let input = Input { bytes: text.as_bytes(), name: "x", parts };
    (format(name).unwrap().read)(&input).unwrap_or_else(|why| panic!("{name}: {why}"))
}

fn origin() -> Origin {
    Origin {
        id: "k3fz".to_owned(),
        format: String::new(),
        file: String::new(),
        time_ms: 0,
        derny: String::new(),
        args: Vec::new(),
        note: None,
        hash: String::new(),
        name_template: None,
    }
}

fn totals(foreign: Foreign) -> (f64, f64, f64, f64) {
    let (.., events) = events(foreign, &origin());
    let mut all = (0.0, 0.0, f64::INFINITY, 0.0_f64);
    for event in events {
        if let Event::Turn(turn) = event
            && turn.phase == Phase::Measured
            && !turn.times_ns.is_empty()
        {
            let (time, operations) = (turn.times_ns[0] as f64, turn.operations(0, 1.0));
            let each = time / operations;
            all = (all.0 + time, all.1 + operations, all.2.min(each), all.3.max(each));
        }
    }
    all
}

/// Returns files with these times as samples, in formats without iterations or with a fixed number.
fn files() -> Vec<(&'static str, String)> {
    let list = |factor: f64| TIMES.map(|time| (time * factor).to_string()).join(",");
    let rows = |row: &dyn Fn(usize, f64) -> String, between: &str| {
        (0..).zip(TIMES).map(|(at, time)| row(at, time)).collect::<Vec<_>>().join(between)
    };
    let google = |at: usize, time: f64| {
        format!(
            r#"{{"name":"B","run_name":"B","run_type":"iteration","repetition_index":{at},"iterations":3,"real_time":{time},"cpu_time":{time},"time_unit":"ns"}}"#
        )
    };
    vec![
        ("hyperfine", format!(r#"{{"results":[{{"command":"c","mean":1,"times":[{}]}}]}}"#, list(1e-9))),
        (
            "google-benchmark",
            format!(r#"{{"context":{{"num_cpus":1}},"benchmarks":[{}]}}"#, rows(&google, ",")),
        ),
        (
            "mitata",
            format!(
                r#"{{"layout":[],"benchmarks":[{{"alias":"a","runs":[{{"stats":{{"samples":[{}]}}}}]}}]}}"#,
                list(1.0)
            ),
        ),
        ("benchee", format!(r#"[{{"job_name":"a","run_time_data":{{"samples":[{}]}}}}]"#, list(1.0))),
        (
            "cargo-criterion",
            format!(
                r#"{{"reason":"benchmark-complete","id":"a","iteration_count":[3,3,3,3,3,3],"measured_values":[{}],"unit":"ns"}}"#,
                list(3.0)
            ),
        ),
        ("benchfmt", rows(&|_, time| format!("BenchmarkA 3 {time} ns/op"), "\n")),
        (
            "jmh",
            format!(
                r#"[{{"jmhVersion":"1.37","benchmark":"a.B.c","mode":"avgt","threads":1,"forks":2,"primaryMetric":{{"score":1,"scoreError":1,"scoreUnit":"ns/op","rawData":[[{}]]}}}}]"#,
                list(1.0)
            ),
        ),
        (
            "tinybench",
            format!(
                r#"[{{"name":"a","result":{{"totalTime":5,"mean":0.5,"samples":[{}],"hz":2000}}}}]"#,
                list(1e-6)
            ),
        ),
    ]
}

#[test]
fn a_mean_is_that_of_the_samples() {
    let wanted = TIMES.iter().sum::<f64>() / TIMES.len() as f64;
    for (name, text) in files() {
        let (time, operations, least, most) = totals(read(name, &text, &[]));
        assert!(
            (time / operations / wanted - 1.0).abs() < 1e-6,
            "{name}: {} is not {wanted}",
            time / operations
        );
        assert!(
            (least / 0.64 - 1.0).abs() < 1e-9 && (most / 95.5 - 1.0).abs() < 1e-9,
            "{name}: {least} {most}"
        );
    }
}

#[test]
fn totals_grow_with_the_operations_that_they_belong_to() {
    let (_, text) = files().into_iter().find(|(name, _)| *name == "google-benchmark").unwrap();
    let foreign = read("google-benchmark", &text, &[]);
    let cpu = foreign.told().next().unwrap().1.iter().position(|metric| metric.kind == Kind::Total).unwrap();
    let (.., events) = events(foreign, &origin());
    for event in events {
        if let Event::Turn(turn) = event {
            // In these files, the CPU time equals the time.
            let ratio = turn.counters[cpu].unwrap() / turn.times_ns[0] as f64;
            assert!((ratio - 1.0).abs() < 1e-9, "{turn:?}");
        }
    }
}

fn found(foreign: &Foreign) -> (Vec<String>, Vec<String>) {
    let measured = foreign.visits().filter(|(_, samples)| !samples.is_empty());
    let failed =
        foreign.failed.iter().map(|(case, why)| format!("{}: {why}", foreign.cases().get(*case).id.name()));
    (measured.map(|(case, _)| case.id.name()).collect(), failed.collect())
}

#[test]
fn a_value_that_is_no_number_costs_only_itself() {
    let criterion = |times: &str| {
        format!(r#"{{"reportName":"x","reportKeys":["time","iters"],"reportMeasured":[{times}]}}"#)
    };
    let rows = [
        ("hyperfine", r#"{"results":[{"command":"x","mean":NaN,"times":[NaN]},{"command":"y","mean":1,"times":[1,NaN]}]}"#.to_owned()),
        (
            "google-benchmark",
            r#"{"context":{"num_cpus":1},"benchmarks":[
                {"name":"x","run_name":"x","run_type":"iteration","repetition_index":0,"iterations":0,"real_time":NaN,"cpu_time":NaN,"time_unit":"ns"},
                {"name":"y","run_name":"y","run_type":"iteration","repetition_index":0,"iterations":9,"real_time":5,"cpu_time":-Infinity,"time_unit":"ns"},
                {"name":"y","run_name":"y","run_type":"iteration","repetition_index":1,"iterations":9,"real_time":Infinity,"cpu_time":3,"time_unit":"ns"}]}"#
                .to_owned(),
        ),
        ("mitata", r#"{"layout":[],"benchmarks":[{"alias":"x","runs":[{"stats":{"samples":[NaN]}}]},{"alias":"y","runs":[{"stats":{"samples":[3,NaN]}}]}]}"#.to_owned()),
        ("benchee", r#"[{"job_name":"x","run_time_data":{"samples":[NaN]}},{"job_name":"y","run_time_data":{"samples":[4,NaN]}}]"#.to_owned()),
        ("github-action-benchmark", r#"[{"name":"x","unit":"ns/op","value":NaN},{"name":"y","unit":"ns/op","value":4}]"#.to_owned()),
        ("bmf", r#"{"x":{"latency":{"value":NaN}},"y":{"latency":{"value":2}}}"#.to_owned()),
        ("benchfmt", "Benchmarkx 10 NaN ns/op\nBenchmarky 10 4 ns/op\nBenchmarky 10 +Inf ns/op\n".to_owned()),
        (
            "catch2",
            r#"<Catch2TestRun catch2-version="3.5.2"><TestCase name="T">
                <BenchmarkResults name="x"><mean value="nan"/></BenchmarkResults>
                <BenchmarkResults name="y"><mean value="4"/><standardDeviation value="nan"/></BenchmarkResults></TestCase></Catch2TestRun>"#
                .to_owned(),
        ),
        (
            "criterion-csv",
            "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB\nx,NaN,NaN,NaN,NaN,NaN,NaN\ny,1e-8,NaN,1e-8,NaN,NaN,NaN\n".to_owned(),
        ),
        (
            "criterion-json",
            format!("[{},{}]", criterion("[NaN,1]"), criterion("[1e-3,1],[NaN,2]").replace("\"x\"", "\"y\"")),
        ),
        (
            "cargo-criterion",
            [("x", "[NaN]", "[1]"), ("y", "[NaN,4]", "[1,2]")]
                .map(|(id, values, counts)| {
                    format!(r#"{{"reason":"benchmark-complete","id":"{id}","iteration_count":{counts},"measured_values":{values},"unit":"ns"}}"#)
                })
                .join("\n"),
        ),
    ];
    for (name, text) in rows {
        let foreign = read(name, &text, &[]);
        let (measured, failed) = found(&foreign);
        assert_eq!(measured.len(), 1, "{name}: {measured:?}");
        assert!(measured[0].ends_with('y'), "{name}: {measured:?}");
        assert_eq!(failed.len(), 1, "{name}: {failed:?}");
        assert!(failed[0].ends_with("x: the file has no valid time for it"), "{name}: {failed:?}");
        assert!(
            foreign.unknown().iter().any(|one| one.contains("skipped")),
            "{name}: {:?}",
            foreign.unknown()
        );
    }
}

#[test]
fn counters_of_google_benchmark_may_have_any_name() {
    let text = r#"{"context":{"num_cpus":1},"benchmarks":[{"name":"B","run_name":"B","run_type":"iteration","repetitions":1,"repetition_index":0,
        "threads":1,"iterations":100,"real_time":5,"cpu_time":4,"time_unit":"ns","iterations":7e3,"label":2.5,"real_time":9e9}]}"#;
    let foreign = read("google-benchmark", text, &[]);
    let (_, samples) = foreign.visits().next().unwrap();
    assert_eq!((samples[0].per_operation(), samples[0].iterations), (5.0, 100));
    let (_, metrics, _) = foreign.told().next().unwrap();
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert!(names.contains(&"iterations") && names.contains(&"real_time"), "{names:?}");
}

#[test]
fn google_benchmark_before_its_rows_were_marked() {
    let row = |name: &str, time: &str| {
        format!(
            r#"{{"name":"{name}","iterations":1000,"real_time":{time},"cpu_time":{time},"time_unit":"ns"}}"#
        )
    };
    let aggregates = |name: &str| {
        ["mean", "median", "stddev"].map(|statistic| row(&format!("{name}_{statistic}"), "6.5")).to_vec()
    };
    let complexity = [
        r#"{"name":"S_BigO","cpu_coefficient":1.2,"real_coefficient":1.3,"big_o":"N","time_unit":"ns"}"#
            .to_owned(),
        r#"{"name":"S_RMS","rms":0.05}"#.to_owned(),
    ];
    let all = [
        vec![row("S/8/repeats:2", "6"), row("S/8/repeats:2", "7")],
        aggregates("S/8/repeats:2"),
        // Aggregates follow repetitions, so these two benchmarks have the same name.
        vec![row("T", "3"), row("T", "30"), row("T_mean", "9")],
        complexity.to_vec(),
        // The file contains only the aggregates of this benchmark.
        aggregates("U/n:4"),
    ];
    let text = format!(r#"{{"context":{{"num_cpus":1}},"benchmarks":[{}]}}"#, all.concat().join(","));
    let foreign = read("google-benchmark", &text, &[]);
    let times = |(case, samples): (derny_model::Case, Vec<derny_import::Sample>)| {
        (case.id.name(), samples.iter().map(derny_import::Sample::per_operation).collect::<Vec<_>>())
    };
    let found: Vec<(String, Vec<f64>)> = foreign.visits().map(times).collect();
    let wanted = [("S/8", vec![6.0, 7.0]), ("T", vec![3.0, 30.0]), ("U n=4", vec![6.5])];
    assert_eq!(found, wanted.map(|(name, times)| (name.to_owned(), times)));
    assert!(foreign.failed.is_empty());
}

#[test]
fn what_go_says_has_failed_has_failed() {
    let text = "pkg: example.com/x\nBenchmarkA-8 \t 10\t 5 ns/op\nBenchmarkB-8 \t--- FAIL: BenchmarkB-8\n    b_test.go:4: broken\n\
        --- FAIL: BenchmarkC\n    --- FAIL: BenchmarkC/n=2\n        c_test.go:8: no file\nFAIL\nFAIL\texample.com/x\t0.1s\n\
        FAIL\texample.com/y [build failed]\nFAIL\n";
    let foreign = read("benchfmt", text, &[]);
    let (measured, failed) = found(&foreign);
    assert_eq!(measured, ["BenchmarkA"]);
    let wanted = [
        "BenchmarkB: b_test.go:4: broken",
        "BenchmarkC n=2: c_test.go:8: no file",
        "go test: FAIL example.com/y [build failed]",
    ];
    assert_eq!(failed, wanted);
    assert!(
        !foreign.unknown().iter().any(|one| one.contains("may have split it")),
        "{:?}",
        foreign.unknown()
    );
    // The same records as events, with keys in another order, between lines of other programs.
    let event = |line: &str| {
        format!(
            "{}\n",
            serde_json::json!({"Output": format!("{line}\n"), "Package": "example.com/x", "Action": "output"})
        )
    };
    let lines: String = text.lines().map(event).collect();
    let input = Input { bytes: lines.as_bytes(), name: "x", parts: &[] };
    assert_eq!(derny_import::guess(&input).map(|format| format.name), Some("benchfmt"));
    assert_eq!(found(&read("benchfmt", &lines, &[])), (measured, failed));
}
