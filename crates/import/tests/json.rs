//! Tests JSON files, each a miniature of its tool's output. Compares figures with those that the tool itself
//! printed, and checks the errors for damaged files.

use derny_import::{Foreign, Input, Part, ReadError, Sample, format};
use derny_model::{Direction, Reported};
use std::borrow::Borrow;

const HYPERFINE: &str = include_str!("files/hyperfine.json");
const PYTEST: &str = include_str!("files/pytest-benchmark.json");
const PYPERF: &str = include_str!("files/pyperf.json");
const ASV: &str = include_str!("files/asv.json");
const ASV_BENCHMARKS: &str = include_str!("files/asv-benchmarks.json");
const GOOGLE: &str = include_str!("files/google-benchmark.json");
const JMH: &str = include_str!("files/jmh.json");
const BMF: &str = include_str!("files/bmf.json");

fn part(path: &str, text: &str) -> Part {
    Part { path: path.to_owned(), bytes: text.as_bytes().to_vec() }
}

fn with(name: &str, text: &str, parts: &[Part]) -> Result<Foreign, ReadError> {
    (format(name).unwrap().read)(&Input { bytes: text.as_bytes(), name: "x", parts })
}

fn read(name: &str, text: &str) -> Foreign {
    with(name, text, &[]).unwrap()
}

fn error(name: &str, text: &str) -> String {
    with(name, text, &[]).unwrap_err().to_string()
}

fn each(sample: impl Borrow<Sample>) -> f64 {
    sample.borrow().per_operation()
}

fn samples(foreign: &Foreign, case: &str) -> Vec<Sample> {
    let own = foreign.visits().filter(|(own, _)| own.id.to_string() == case);
    let all: Vec<Sample> = own.flat_map(|(_, samples)| samples).filter(|sample| !sample.warm_up).collect();
    assert!(
        !all.is_empty(),
        "no samples of {case}: {:?}",
        foreign.cases().iter().map(|c| c.id.to_string()).collect::<Vec<_>>()
    );
    all
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len() as f64
}

fn stated(foreign: &Foreign, case: &str, name: &str) -> f64 {
    let own = foreign.told().filter(|(own, ..)| own.id.to_string() == case);
    let mut own = own.flat_map(|(_, _, stated)| stated).filter(|one: &Reported| one.metric.name == name);
    own.next().unwrap_or_else(|| panic!("{case} states no {name}")).value
}

#[track_caller]
fn near(found: f64, wanted: f64) {
    assert!((found / wanted - 1.0).abs() < 1e-9, "{found} is not {wanted}");
}

#[test]
fn hyperfine_has_a_process_for_every_run() {
    let foreign = read("hyperfine", HYPERFINE);
    for case in ["hyperfine/sleep 0.001 n=1", "hyperfine/sleep 0.002 n=2"] {
        let own = samples(&foreign, case);
        assert_eq!(own.len(), 4);
        near(mean(own.iter().map(each)), stated(&foreign, case, "stated mean"));
    }
    near(stated(&foreign, "hyperfine/sleep 0.001 n=1", "stated user"), 772_750.0);
    assert_eq!(foreign.visits().count(), 8, "a visit of its own for every process");
    // Add the members that newer versions and failed commands write.
    let more = HYPERFINE.replacen(
        "\"exit_codes\": [\n    0,",
        "\"memory_usage_byte\": [1024, 2048, 1024, 1024],\n   \"exit_codes\": [\n    3,",
        1,
    );
    let foreign = read("hyperfine", &more);
    let (_, metrics, _) = foreign.told().next().unwrap();
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["peak", "exit_code"]);
    assert_eq!(samples(&foreign, "hyperfine/sleep 0.001 n=1")[1].counters[..], [Some(2048.0), Some(0.0)]);
    // A mean alone is a single value, which cannot have an interval.
    let bare = r#"{"results":[{"command":"x","mean":0.5,"stddev":0.1}]}"#;
    let foreign = read("hyperfine", bare);
    assert_eq!(samples(&foreign, "hyperfine/x").len(), 1);
    near(stated(&foreign, "hyperfine/x", "stated sd"), 1e8);
}

#[test]
fn pytest_benchmark_keeps_rounds_names_and_the_machine() {
    let foreign = read("pytest-benchmark", PYTEST);
    let case = "test_w/test_sort[10]";
    let own = samples(&foreign, case);
    assert_eq!(own.len(), 5);
    // The tool's table: min 323.0625, max 339.3750, mean 327.2250, median 323.7500.
    let mut times: Vec<f64> = own.iter().map(each).collect();
    times.sort_by(f64::total_cmp);
    let shown = [times[0], times[4], mean(times.iter().copied()), times[2]].map(|time| format!("{time:.4}"));
    assert_eq!(shown, ["323.0625", "339.3750", "327.2250", "323.7500"]);
    near(stated(&foreign, case, "stated mean"), mean(times.into_iter()));
    assert_eq!((foreign.machine.host.as_str(), foreign.machine.cpu.as_str()), ("vm", "AMD EPYC"));
    assert_eq!(
        (foreign.started_ms, foreign.runtime.as_deref()),
        (Some(1_795_699_146_929), Some("cpython/3.11.7"))
    );
    assert_eq!((foreign.commit.as_ref(), foreign.tool.as_str()), (None, "pytest-benchmark 5.3.1"));
    let join = foreign.cases().iter().find(|case| case.id.benchmark == "test_join").unwrap();
    assert_eq!(join.group.as_deref(), Some("words"));
    assert_eq!(foreign.cases().get(0).tags, ["what=sorting"]);
    let of_one = foreign.visits().count();
    assert_eq!(of_one, foreign.cases().len(), "all rounds of a test are of one process");
    let bad = PYTEST.replacen("3.3937502053049684e-07,\n     3.26", "NaN,\n     3.26", 1);
    assert_ne!(bad, PYTEST);
    // A value that is not a number is omitted and reported.
    let foreign = read("pytest-benchmark", &bad);
    assert_eq!(samples(&foreign, case).len(), 4);
    assert!(foreign.unknown().iter().any(|line| line.contains("(1 value that is not a time is skipped")));
    assert!(foreign.failed.is_empty());
}

#[test]
fn pyperf_keeps_workers_apart_and_warm_ups_out() {
    let foreign = read("pyperf", PYPERF);
    let own = samples(&foreign, "pyperf/join");
    // `pyperf stats`: mean 1.23 us, median 650 ns, of 4 values in 2 processes.
    let mut times: Vec<f64> = own.iter().map(each).collect();
    times.sort_by(f64::total_cmp);
    let median = (times[1] + times[2]) / 2.0;
    assert_eq!(
        (times.len(), format!("{:.2}", mean(times.into_iter()) / 1e3), format!("{median:.0}")),
        (4, "1.23".into(), "650".into())
    );
    let of_join = || foreign.visits().filter(|(case, _)| case.id.benchmark == "join");
    assert_eq!(of_join().filter(|(_, samples)| samples.iter().any(|one| !one.warm_up)).count(), 2);
    assert!(of_join().all(|(_, samples)| samples.iter().any(|one| one.warm_up)));
    near(stated(&foreign, "pyperf/join", "mem_max_rss"), 19_795_968.0);
    assert_eq!((foreign.machine.host.as_str(), foreign.machine.cores), ("vm", 2));
    assert_eq!(foreign.started_ms, Some(1_795_699_142_325));
    let memory = PYPERF.replace("\"unit\":\"second\"", "\"unit\":\"byte\"");
    let foreign = read("pyperf", &memory);
    assert!(samples(&foreign, "pyperf/join")[0].untimed);
    assert_eq!(foreign.cases().get(0).metrics[0].direction, Direction::Less);
}

#[test]
fn asv_has_units_and_names_from_the_file_beside_it() {
    let foreign = with("asv", ASV, &[part("benchmarks.json", ASV_BENCHMARKS)]).unwrap();
    let sorted = "asv/b.Suite.time_sort n=10 kind='a'";
    // The tool's table: 4.20, 5.35, 4.87 µs and n/a; 42; failed.
    assert_eq!(format!("{:.2}", each(&samples(&foreign, sorted)[0]) / 1e3), "4.20");
    near(stated(&foreign, sorted, "stated median"), 4_198.000_169_708_394);
    assert_eq!(samples(&foreign, "asv/b.track_size")[0].counters[..], [Some(42.0)]);
    assert_eq!(samples(&foreign, "asv/b.peakmem_list")[0].counters[..], [Some(36_208_640.0)]);
    let track = foreign.cases().iter().find(|case| case.id.benchmark == "b.track_size").unwrap();
    assert_eq!((track.metrics[0].unit.as_str(), track.metrics[0].direction), ("things", Direction::Less));
    let failed: Vec<String> =
        foreign.failed.iter().map(|(case, _)| foreign.cases().get(*case).id.benchmark).collect();
    assert_eq!(failed, ["b.time_fails"]);
    let skipped = "asv/b.Suite.time_sort n=20 kind='b'";
    assert!(foreign.cases().iter().any(|case| case.id.to_string() == skipped));
    assert!(
        foreign.visits().all(|(case, _)| case.id.to_string() != skipped),
        "what set-up skips has no value"
    );
    assert_eq!((foreign.started_ms, foreign.machine.host.as_str()), (Some(1_795_699_277_000), "vm"));
    assert!(foreign.commit.as_ref().unwrap().hash.starts_with("508ec3e3"));
    // Without `benchmarks.json`, the values are the same, but parameter names and the unit of tracked values
    // are unknown.
    let alone = read("asv", ASV);
    assert!(alone.unknown().iter().any(|one| one.contains("benchmarks.json")));
    near(each(&samples(&alone, "asv/b.Suite.time_sort param1=10 param2='a'")[0]), 4_198.000_169_708_394);
    assert!(error("asv", &ASV.replace("\"version\": 2}", "\"version\": 3}")).contains("only versions up to"));
    let broken = with("asv", ASV, &[part("benchmarks.json", "{")]).unwrap_err();
    assert!(broken.to_string().contains("of benchmarks.json next to it"), "{broken}");
}

#[test]
fn google_benchmark_has_repetitions_counters_and_aggregates() {
    let foreign = read("google-benchmark", GOOGLE);
    let case = "google-benchmark/BM_Str n=8";
    let own = samples(&foreign, case);
    assert_eq!(own.len(), 3);
    // The tool's aggregates: mean 6.55 ns, median 6.61 ns, deviation 0.113 ns.
    near(mean(own.iter().map(each)), stated(&foreign, case, "stated mean"));
    assert_eq!(format!("{:.3}", stated(&foreign, case, "stated sd")), "0.113");
    let (_, metrics, _) = foreign.told().next().unwrap();
    let metrics: Vec<(&str, Direction)> = metrics.iter().map(|m| (m.name.as_str(), m.direction)).collect();
    assert_eq!(
        metrics,
        [
            ("cpu", Direction::Less),
            ("bytes_per_second", Direction::More),
            ("odd", Direction::None),
            ("rate", Direction::None)
        ]
    );
    assert_eq!(own[0].counters[2], None, "NaN is no value");
    assert_eq!(foreign.failed.len(), 1);
    assert_eq!(foreign.failed[0].1, "no input");
    let micro = samples(&foreign, "google-benchmark/BM_Ms threads=2");
    near(each(&micro[0]), 0.357_915_848_485_848_6);
    assert_eq!((foreign.machine.host.as_str(), foreign.started_ms), ("vm", Some(1_795_699_150_000)));
    // Aggregates alone give a mean, but no sample.
    let start = GOOGLE.find("    {\n      \"name\": \"BM_Str").unwrap();
    let aggregates = GOOGLE.find("    {\n      \"name\": \"BM_Str/n:8/repeats:3_mean").unwrap();
    let only = format!("{}{}", &GOOGLE[..start], &GOOGLE[aggregates..]);
    let foreign = read("google-benchmark", &only);
    near(each(&samples(&foreign, case)[0]), stated(&foreign, case, "stated mean"));
    assert!(foreign.unknown().iter().any(|one| one.contains("only a mean")));
    let newer = GOOGLE.replace("\"num_cpus\"", "\"json_schema_version\": 2, \"num_cpus\"");
    assert!(error("google-benchmark", &newer).contains("json_schema_version is 2"));
    assert!(error("google-benchmark", &GOOGLE.replace("\"us\"", "\"weeks\"")).contains("time_unit"));
}

#[test]
fn jmh_keeps_forks_and_rates() {
    let foreign = read("jmh", JMH);
    // The tool's table: 1.661 ops/us, 0.545 us/op, from two forks with three iterations each.
    let rate = samples(&foreign, "jmh/org.x.B.join n=1 mode=thrpt");
    assert!(rate.len() == 6 && rate.iter().all(|sample| sample.untimed), "a rate is no time");
    let score = mean(rate.iter().map(|sample| sample.counters[0].unwrap()));
    assert_eq!(format!("{score:.3}"), "1.661");
    near(stated(&foreign, "jmh/org.x.B.join n=1 mode=thrpt", "stated score"), score);
    let time = samples(&foreign, "jmh/org.x.B.join n=1");
    assert_eq!(format!("{:.3}", mean(time.iter().map(each)) / 1e3), "0.545");
    let (_, metrics, _) = foreign.told().next().unwrap();
    assert_eq!((metrics[0].unit.as_str(), metrics[0].direction), ("ops/us", Direction::More));
    assert_eq!((metrics[1].name.as_str(), metrics[1].direction), ("gc.alloc.rate.norm", Direction::Less));
    // In the mode `sample`, a histogram contains the number of calls per time.
    let sampled = samples(&foreign, "jmh/org.x.B.join n=1 mode=sample");
    assert_eq!(
        (
            format!("{:.0}", each(&sampled[0])),
            sampled[0].operations.map_or(sampled[0].iterations, |n| n.round() as u64)
        ),
        ("170".into(), 2)
    );
    let processes = foreign.visits().filter(|(case, _)| case.id.params.len() == 1);
    assert_eq!(processes.count(), 2);
    // JMH writes NaN as a string.
    let nan = JMH.replacen("\"scoreError\": 1.971446205781648", "\"scoreError\": \"NaN\"", 1);
    assert_ne!(nan, JMH);
    assert!(with("jmh", &nan, &[]).is_ok());
    let wrong =
        JMH.replacen("\"rawData\": [\n    [\n     1.04", "\"rawData\": [\n    [\n     \"NaN\", 1.04", 1);
    let foreign = read("jmh", &wrong);
    assert_eq!(samples(&foreign, "jmh/org.x.B.join n=1 mode=thrpt").len(), 6, "the others are there");
    assert!(foreign.unknown().iter().any(|line| line.contains("(1 value that is not a time is skipped")));
}

pub(crate) fn criterion() -> Vec<Part> {
    vec![
        part("sort/quick/100/base/sample.json", "{}"),
        part(
            "sort/quick/100/new/benchmark.json",
            r#"{"group_id":"sort","function_id":"quick","value_str":"100","throughput":{"Elements":100},"full_id":"sort/quick/100","directory_name":"sort/quick/100","title":"sort/quick/100"}"#,
        ),
        part(
            "sort/quick/100/new/estimates.json",
            r#"{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":30.1,"upper_bound":30.9},"point_estimate":30.5,"standard_error":0.2},"median":{"confidence_interval":{"confidence_level":0.95,"lower_bound":30.0,"upper_bound":31.0},"point_estimate":30.5,"standard_error":0.3},"median_abs_dev":{"confidence_interval":{"confidence_level":0.95,"lower_bound":0.0,"upper_bound":1.0},"point_estimate":0.7,"standard_error":0.3},"slope":null,"std_dev":{"confidence_interval":{"confidence_level":0.95,"lower_bound":0.0,"upper_bound":1.0},"point_estimate":0.5,"standard_error":0.1}}"#,
        ),
        part(
            "sort/quick/100/new/sample.json",
            r#"{"sampling_mode":"Linear","iters":[100.0,200.0],"times":[3000.0,6200.0]}"#,
        ),
    ]
}

#[test]
fn criterion_rs_is_a_folder() {
    let parts = criterion();
    let wanted = format("criterion-rs").unwrap().folder.unwrap();
    let wanted: Vec<bool> = parts.iter().map(|part| wanted(&part.path)).collect();
    assert_eq!(wanted, [false, true, true, true]);
    let input = Input { bytes: b"", name: "criterion", parts: &parts[1..] };
    assert_eq!(derny_import::guess(&input).unwrap().name, "criterion-rs");
    let foreign = with("criterion-rs", "", &parts[1..]).unwrap();
    let case = "criterion/sort/quick/100";
    let times: Vec<f64> = samples(&foreign, case).into_iter().map(each).collect();
    assert_eq!((times, foreign.ladder), (vec![30.0, 31.0], true));
    near(stated(&foreign, case, "stated mean"), 30.5);
    assert_eq!(
        (foreign.cases().get(0).items, foreign.cases().get(0).group.as_deref()),
        (Some(100.0), Some("sort"))
    );
    let wrong = |from: &str, to: &str| {
        let mut parts = criterion();
        let text = String::from_utf8(parts[3].bytes.clone()).unwrap().replace(from, to);
        parts[3].bytes = text.into_bytes();
        with("criterion-rs", "", &parts[1..]).unwrap_err().to_string()
    };
    assert!(wrong("100.0,200.0", "100.0").contains("different numbers of times"));
    assert!(wrong("}", "").contains("of sort/quick/100/new/sample.json: not valid JSON"));
}

#[test]
fn bmf_has_a_value_of_each_measure() {
    let foreign = read("bmf", BMF);
    near(each(&samples(&foreign, "bmf/split/words")[0]), 88.5);
    near(stated(&foreign, "bmf/split/words", "stated lower latency"), 87.42);
    assert_eq!(samples(&foreign, "bmf/join")[0].counters[..], [Some(2_500_000.0)]);
    assert_eq!(
        foreign.cases().get(1).metrics[0].direction,
        Direction::More,
        "{:?}",
        foreign.cases().get(0).id
    );
    assert!(error("bmf", &BMF.replace("\"value\": 88.5", "\"value\": \"fast\"")).contains("line 3"));
}

#[test]
fn files_that_are_cut_or_of_another_tool_name_their_line() {
    let files = [
        ("hyperfine", HYPERFINE),
        ("pytest-benchmark", PYTEST),
        ("pyperf", PYPERF),
        ("asv", ASV),
        ("google-benchmark", GOOGLE),
        ("jmh", JMH),
        ("bmf", BMF),
    ];
    for (name, text) in files {
        let cut = with(name, &text[..text.len() / 2], &[]).unwrap_err();
        assert!(cut.line.is_some() && cut.reason.contains("not valid JSON"), "{name}: {cut}");
        for other in ["", "[]x", "{\"results\": 3}", "\u{feff}", "[[[[[[[["] {
            assert!(with(name, other, &[]).is_err(), "{name} takes {other}");
        }
        let deep = "[".repeat(100_000);
        assert!(with(name, &deep, &[]).is_err());
    }
    let hostile = HYPERFINE.replace("sleep 0.001", "\\u001b[31m\\u0000\\n'; drop table runs");
    assert_eq!(read("hyperfine", &hostile).samples(), 8);
}
