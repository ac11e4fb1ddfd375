//! Tests the import of files with the results of several commits.

use derny_import::{Foreign, Input, Part, ReadError, format};
use derny_model::{Direction, Interval};

const ACTION: &str = include_str!("files/benchmark-action.js");
const ASV: &str = include_str!("files/asv.json");
const DEFINITIONS: &str = include_str!("files/asv-benchmarks.json");
const COMMIT: &str = "508ec3e3d174043a310d1cd10b58d73d80c5dfd3";

fn read(name: &str, text: &str) -> Result<Vec<Foreign>, ReadError> {
    let parts = match name {
        "asv" => vec![Part { path: "benchmarks.json".into(), bytes: DEFINITIONS.into() }],
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    let input = Input { bytes: text.as_bytes(), name: "x", parts: &parts };
    format(name).unwrap().history(&input, &mut |foreign| {
        all.push(foreign);
        Ok(())
    })?;
    Ok(all)
}

/// Returns the figures as text, such as `suite/case time 3 ns`.
fn figures(foreign: &Foreign) -> Vec<String> {
    let one = |single: derny_import::Single<'_>| {
        let id = foreign.cases().get(single.case).id;
        format!("{id} {} {} {} {:?}", single.figure, single.value, single.unit, single.better)
    };
    foreign.singles().unwrap().into_iter().map(one).collect()
}

fn hash(foreign: &Foreign) -> &str {
    foreign.commit.as_ref().map_or("", |commit| &commit.hash)
}

#[test]
fn data_js_has_a_result_for_each_entry_of_each_suite() {
    let all = read("github-action-benchmark", ACTION).unwrap();
    let [first, _, python] = &all[..] else { panic!("{}", all.len()) };
    assert_eq!((first.started_ms, &hash(first)[..8]), (Some(1_705_898_705_284), "b2580dff"));
    assert_eq!(figures(first), ["Rust/split time 1250 ns Less", "Rust/join/{} time 80 ns Less"]);
    assert_eq!(figures(python), ["Python/test_sort value 3056001.2 iter/sec More"]);
    for truncated in [&ACTION[..ACTION.len() / 2], "window.BENCHMARK_DATA = {", "window.BENCHMARK_DATA = }{"]
    {
        assert!(read("github-action-benchmark", truncated).is_err());
    }
}

fn entry(tool: &str, bench: &str) -> Foreign {
    let text = format!(
        r#"window.BENCHMARK_DATA = {{"entries": {{"s": [{{"date": 1, "tool": "{tool}", "benches": [{bench}]}},
            {{"date": 2, "benches": []}}]}}}}"#
    );
    let mut all = read("github-action-benchmark", &text).unwrap();
    assert_eq!(all.len(), 1, "an entry without benchmarks is no result");
    all.remove(0)
}

#[test]
fn only_the_range_of_benchmark_js_is_an_interval() {
    let interval = |tool, range: &str| {
        let bench = format!(r#"{{"name": "a", "value": 200, "unit": "ops/sec", "range": "{range}"}}"#);
        entry(tool, &bench).singles().unwrap()[0].interval
    };
    assert_eq!(interval("benchmarkjs", "±1.50%"), Some(Interval { lo: 197.0, hi: 203.0 }));
    for (tool, range) in [("benchmarkjs", "±NaN%"), ("benchmarkjs", "± 3"), ("cargo", "± 3"), ("go", "±2%")]
    {
        assert_eq!(interval(tool, range), None, "{tool} {range}");
    }
}

#[test]
fn the_tool_says_which_direction_is_better_and_null_is_no_value() {
    let better = |tool, unit: &str| {
        let bench = format!(r#"{{"name": "a", "value": 2, "unit": "{unit}"}}"#);
        entry(tool, &bench).singles().unwrap()[0].better
    };
    assert_eq!(better("customBiggerIsBetter", "ns"), Direction::More);
    assert_eq!(better("customSmallerIsBetter", "MB"), Direction::Less);
    assert_eq!(better("pytest", "iter/sec"), Direction::More);
    assert_eq!(better("go", "allocs/op"), Direction::Less);
    assert_eq!(better("go", "MB/s"), Direction::More);
    assert_eq!(better("jmh", "percent"), Direction::None);
    let null = r#"{"name": "a", "value": null, "unit": "ns"}, {"name": "b", "value": 3, "unit": "us"}"#;
    assert_eq!(figures(&entry("cargo", null)), ["s/b time 3000 ns Less"]);
    let early = r#"{"name": "a", "value": 5, "unit": "ns/op\t  16 B/op\t 2 allocs/op"}"#;
    assert_eq!(figures(&entry("go", early)), ["s/a time 5 ns Less"]);
}

#[test]
fn asv_keeps_its_own_results_with_intervals_and_conditions() {
    let text = ASV
        .replacen("[-Infinity, -Infinity", "[4.1e-06, -Infinity", 1)
        .replacen("[Infinity, Infinity", "[4.3e-06, Infinity", 1)
        .replacen(r#""requirements": {}"#, r#""requirements": {"numpy": "2.0", "six": ""}"#, 1);
    let all = read("asv", &text).unwrap();
    let [foreign] = &all[..] else { panic!("{}", all.len()) };
    assert_eq!((hash(foreign), foreign.machine.host.as_str()), (COMMIT, "vm"));
    assert_eq!(foreign.runtime.as_deref(), Some("python/3.11 numpy/2.0 six"));
    let singles = foreign.singles().unwrap();
    assert_eq!(singles.len(), 5);
    assert_eq!(singles[0].value, 4.198_000_169_708_393_5e-6 * 1e9, "all digits");
    assert_eq!(singles[0].interval, Some(Interval { lo: 4.1e-6 * 1e9, hi: 4.3e-6 * 1e9 }));
    assert_eq!(singles[1].interval, None, "an infinite interval is none");
    assert_eq!(foreign.version(singles[0].case), Some("c6c4df4b"));
    assert!(figures(foreign)[3].contains("peakmem_list memory 36208640 B Less"), "{:?}", figures(foreign));
    assert_eq!(foreign.failed.len(), 1);
    // Cases have the names that an import as a run gives them.
    let run = (format("asv").unwrap().read)(&Input {
        bytes: text.as_bytes(),
        name: "x",
        parts: &[Part { path: "benchmarks.json".into(), bytes: DEFINITIONS.into() }],
    });
    assert_eq!(foreign.cases(), run.unwrap().cases());
}

#[test]
fn asv_version_1_has_its_intervals_too() {
    let text = format!(
        r#"{{"commit_hash": "{COMMIT}", "date": 1, "version": 1, "python": "2.7",
        "params": {{"machine": "vm", "cpu": "c", "python": "2.7", "numpy": null}},
        "benchmark_version": {{"b.time_a": "0123456789"}},
        "results": {{"b.time_a": {{"params": [["1", "2"]], "result": [1e-3, null],
            "stats": [{{"ci_99": [0.5e-3, 2e-3], "number": 3}}, null]}},
          "b.time_b": 2.5, "b.time_c": null, "b.time_d": {{"result": NaN}}}}}}"#
    );
    let all = read("asv", &text).unwrap();
    let singles = all[0].singles().unwrap();
    let found: Vec<_> = singles.iter().map(|one| (one.value, one.interval)).collect();
    assert_eq!(found, [(1e6, Some(Interval { lo: 5e5, hi: 2e6 })), (2.5e9, None)]);
    assert_eq!(all[0].runtime.as_deref(), Some("python/2.7 numpy"));
    assert_eq!((all[0].version(0), all[0].version(2)), (Some("01234567"), None));
    assert!(read("asv", &text[..text.len() / 2]).is_err());
}

const LOG: &str = "pkg: ex.com/a\ngoos: linux\ngoarch: amd64\ncpu: One\ncommit: 1111111\n\
    commit-time: 2024-01-02T03:04:05Z\nBenchmarkX-8 100 20 ns/op 8 B/op\nBenchmarkX-8 100 22 ns/op 8 B/op\n\
    commit: 2222222\ncommit-time: 2024-01-03\nnote: more\nBenchmarkX-8 100 30 ns/op 8 B/op\n\
    Unit widgets better=higher\npkg: ex.com/b\nBenchmarkY-8 100 5 widgets\n\
    cpu: Two\nBenchmarkX-8 100 40 ns/op\n";

#[test]
fn a_log_of_go_is_split_by_commit_and_machine() {
    let all = read("benchfmt", LOG).unwrap();
    let found: Vec<_> = all.iter().map(|one| (hash(one), one.machine.cpu.as_str(), one.samples())).collect();
    assert_eq!(found, [("1111111", "One", 2), ("2222222", "One", 2), ("2222222", "Two", 1)]);
    assert_eq!(all[0].started_ms, Some(1_704_164_645_000));
    assert_eq!(all[1].started_ms, Some(1_704_240_000_000));
    assert_eq!(all[0].runtime.as_deref(), Some("go amd64 GOMAXPROCS=8"));
    assert!(all[0].singles().is_none(), "several lines of a case need analysis");
    assert_eq!(
        figures(&all[1]),
        [
            "ex.com/a/BenchmarkX time 30 ns Less",
            "ex.com/a/BenchmarkX allocated 8 B Less",
            "ex.com/b/BenchmarkY widgets 5 widgets More"
        ]
    );
    assert!(read("benchfmt", &LOG[..LOG.len() - 8]).is_err(), "truncated within a result");
    let plain = read("benchfmt", "BenchmarkX 1 2 ns/op\n").unwrap();
    assert_eq!((plain.len(), hash(&plain[0]), plain[0].started_ms), (1, "", None));
}

#[test]
fn sides_of_one_commit_are_apart() {
    let log = "toolchain: baseline\nbaseline-commit: aaaaaaa\nexperiment-commit: bbbbbbb\n\
        BenchmarkX 1 20 ns/op\ntoolchain: experiment\nBenchmarkX 1 10 ns/op\n";
    let all = read("benchfmt", log).unwrap();
    let found: Vec<_> = all.iter().map(|one| (hash(one).to_owned(), figures(one))).collect();
    let own = |hash: &str, ns| (hash.to_owned(), vec![format!("go/BenchmarkX time {ns} ns Less")]);
    assert_eq!(found, [own("aaaaaaa", 20), own("bbbbbbb", 10)]);
}
