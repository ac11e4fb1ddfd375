//! Tests the names of cases that a tool distinguishes by more than a name. `identity` tests that they are not
//! merged. Also tests that an invalid value does not affect the others.

use crate::formats::{files, read};
use derny_import::{Foreign, Input, matching};

fn cases(foreign: &Foreign) -> Vec<(String, f64)> {
    let each = |(case, samples): (derny_model::Case, Vec<derny_import::Sample>)| {
        let timed: Vec<f64> = samples
            .iter()
            .filter(|sample| !sample.warm_up)
            .map(derny_import::Sample::per_operation)
            .collect();
        (case.id.to_string(), timed.iter().sum::<f64>() / timed.len().max(1) as f64)
    };
    foreign.visits().map(each).map(|(name, mean)| (name, (mean * 1000.0).round() / 1000.0)).collect()
}

#[track_caller]
fn are(format: &str, text: &str, wanted: &[(&str, f64)]) -> Foreign {
    let foreign = read(format, text.as_bytes()).unwrap();
    let wanted: Vec<(String, f64)> = wanted.iter().map(|(name, ns)| ((*name).to_owned(), *ns)).collect();
    assert_eq!(cases(&foreign), wanted);
    foreign
}

fn jmh(entries: &[(&str, &str, u32, &str, &str)]) -> String {
    let entry = |(name, mode, threads, params, score): &(&str, &str, u32, &str, &str)| {
        format!(
            r#"{{"benchmark":"{name}","mode":"{mode}","threads":{threads},"params":{{{params}}},
            "primaryMetric":{{"score":1,"scoreError":"NaN","scoreUnit":"{}","rawData":{}}},"secondaryMetrics":{{}}}}"#,
            score.split('|').next().unwrap(),
            score.split('|').nth(1).unwrap(),
        )
    };
    format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(","))
}

#[test]
fn jmh_names_threads_and_modes_and_has_every_unit_of_time() {
    let text = jmh(&[
        ("q.Ring.poll", "avgt", 2, "", "ns/op|[[30]]"),
        ("q.Ring.poll", "avgt", 16, "", "ns/op|[[700]]"),
        ("q.Ring.poll", "sample", 16, "", "us/op|[[0.6]]"),
        ("q.Ring.push", "avgt", 16, r#""threads":"2""#, "ns/op|[[5]]"),
        ("q.Ring.push", "avgt", 2, r#""threads":"2""#, "ns/op|[[4]]"),
    ]);
    are(
        "jmh",
        &text,
        &[
            ("jmh/q.Ring.poll threads=2", 30.0),
            ("jmh/q.Ring.poll threads=16", 700.0),
            ("jmh/q.Ring.poll mode=sample threads=16", 600.0),
            ("jmh/q.Ring.push threads=2 jmh.threads=16", 5.0),
            ("jmh/q.Ring.push threads=2 jmh.threads=2", 4.0),
        ],
    );
    let units = [("min", 6e10), ("hr", 3.6e12), ("day", 8.64e13)];
    for (unit, ns) in units {
        let text = jmh(&[("q.Slow.run", "avgt", 1, "", &format!("{unit}/op|[[2]]"))]);
        are("jmh", &text, &[("jmh/q.Slow.run", 2.0 * ns)]);
    }
}

#[test]
fn a_value_that_is_no_number_costs_no_other() {
    let text = jmh(&[
        ("a.A.some", "avgt", 1, "", "ns/op|[[\"NaN\", 7]]"),
        ("a.A.none", "avgt", 1, "", "ns/op|[[\"NaN\"],[\"NaN\"]]"),
    ]);
    let foreign = are("jmh", &text, &[("jmh/a.A.some", 7.0)]);
    assert_eq!(foreign.failed, [(1, "the file has no valid time for it".to_owned())]);
    assert!(foreign.unknown().iter().any(|line| line.contains("(1 value that is not a time is skipped")));
    let foreign = are(
        "tinybench",
        r#"[{"name":"a","result":{"totalTime":1,"mean":0.25,"samples":[NaN,0.25]}},
            {"name":"b","result":{"totalTime":1,"mean":NaN,"samples":[]}}]"#,
        &[("tinybench/a", 250_000.0)],
    );
    assert_eq!(foreign.failed, [(1, "the file has no valid time for it".to_owned())]);
}

/// Returns BenchmarkDotNet's full JSON. A row contains namespace, job, displayed parameters, full name, and
/// time in ns.
fn dotnet(rows: &[(&str, &str, &str, &str, f64)]) -> String {
    let row = |(space, job, params, full, ns): &(&str, &str, &str, &str, f64)| {
        let shown =
            if params.is_empty() { String::new() } else { format!(" [{}]", params.replace('|', ", ")) };
        format!(
            r#"{{"DisplayInfo":"Text.Cut: {job}{shown}","Namespace":"{space}","Type":"Text","Method":"Cut",
            "Parameters":"{}","FullName":"{}","Statistics":{{"OriginalValues":[{ns}],"Mean":{ns}}},"Measurements":[]}}"#,
            params.replace('|', "&"),
            full.replace('"', "\\\"")
        )
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!(r#"{{"Title":"t","HostEnvironmentInfo":{{}},"Benchmarks":[{}]}}"#, rows.join(","))
}

#[test]
fn benchmark_dotnet_names_whole_values_and_jobs() {
    let text = dotnet(&[
        ("A", "DefaultJob", "At=x&y=z|N=1", r#"A.Text.Cut(At: "x&y=z", N: 1)"#, 10.0),
        ("A", "DefaultJob", "At=long(...)text [60]|N=1", r#"A.Text.Cut(At: "long one text", N: 1)"#, 30.0),
        ("A", "DefaultJob", "At=long(...)text [60]|N=1", r#"A.Text.Cut(At: "long two text", N: 1)"#, 40.0),
        ("A", "DefaultJob", "At=1|N=1", r#"A.Text.Cut(At: "1", N: 1)"#, 50.0),
        ("A", "DefaultJob", "At=1|N=1", "A.Text.Cut(At: 1, N: 1)", 60.0),
        ("A", "DefaultJob", "", "A.Text.Cut", 70.0),
        ("A", "Job-KQ(Runtime=.NET 9.0)", "", "A.Text.Cut", 80.0),
        ("A", "DefaultJob", "job=x", "A.Text.Cut(job: \"x\")", 90.0),
        ("A", "Slow", "job=x", "A.Text.Cut(job: \"x\")", 95.0),
        ("A", "DefaultJob", "At=v&w|N=2", "A.Text.Cut", 100.0),
    ]);
    are(
        "benchmark-dotnet",
        &text,
        &[
            ("A.Text/Cut At=x&y=z N=1", 10.0),
            ("A.Text/Cut At=long one text N=1", 30.0),
            ("A.Text/Cut At=long two text N=1", 40.0),
            ("A.Text/Cut At=\"1\" N=1", 50.0),
            ("A.Text/Cut At=1 N=1", 60.0),
            ("A.Text/Cut job=DefaultJob", 70.0),
            ("A.Text/Cut job=Job-KQ(Runtime=.NET 9.0)", 80.0),
            ("A.Text/Cut job=x benchmark-dotnet.job=DefaultJob", 90.0),
            ("A.Text/Cut job=x benchmark-dotnet.job=Slow", 95.0),
            ("A.Text/Cut At=v&w N=2", 100.0),
        ],
    );
}

#[test]
fn asv_has_values_as_python_writes_them_and_its_first_form() {
    let of = |results: &str, more: &str| {
        format!(r#"{{"results":{{{results}}},"params":{{"machine":"m"}},"commit_hash":"c0ffee",{more}}}"#)
    };
    let text = of(
        r#""shop.Cart.time_add":[[1e-6,2e-6,3e-6,4e-6,5e-6],[["'1'","1","None","'None'","<function f at 0x7f00aa>"]]]"#,
        r#""result_columns":["result","params"],"version":2"#,
    );
    are(
        "asv",
        &text,
        &[
            ("asv/shop.Cart.time_add param1='1'", 1000.0),
            ("asv/shop.Cart.time_add param1=1", 2000.0),
            ("asv/shop.Cart.time_add param1=None", 3000.0),
            ("asv/shop.Cart.time_add param1='None'", 4000.0),
            ("asv/shop.Cart.time_add param1=<function f>", 5000.0),
        ],
    );
    let first = of(
        r#""shop.time_all":2.5e-06,"shop.time_bad":null,"shop.time_n":{"params":[["1","2"]],"result":[1e-06,null],
            "stats":[{"number":10},null],"samples":[[1e-06,3e-06],null]}"#,
        r#""env_name":"e","version":1"#,
    );
    let foreign = are("asv", &first, &[("asv/shop.time_all", 2500.0), ("asv/shop.time_n param1=1", 2000.0)]);
    let failed: Vec<String> =
        foreign.failed.iter().map(|(case, _)| foreign.cases().get(*case).id.to_string()).collect();
    assert_eq!(failed, ["asv/shop.time_bad", "asv/shop.time_n param1=2"]);
}

#[test]
fn pytest_has_its_own_ids_without_addresses() {
    let test = |name: &str, params: &str, s: f64| {
        format!(r#"{{"name":"x","fullname":"{name}","params":{params},"stats":{{"mean":{s},"data":[{s}]}}}}"#)
    };
    let all = [
        test("tests/a/test_v.py::test_v[1_0]", r#"{"v":1}"#, 1e-9),
        test("tests/test_v.py::test_v[<A object at 0x7f12>-2]", "null", 5e-9),
        test("test_root.py::T::test_v", "null", 7e-9),
    ];
    are(
        "pytest-benchmark",
        &format!(r#"{{"benchmarks":[{}],"machine_info":{{}}}}"#, all.join(",")),
        &[
            ("tests/a/test_v.py::test_v[1_0]", 1.0),
            ("tests/test_v.py::test_v[<A object>-2]", 5.0),
            ("test_root/T::test_v", 7.0),
        ],
    );
}

#[test]
fn pyperf_of_before_1_0_is_read_or_refused_by_name() {
    let five = r#"{"version":5,"benchmarks":[
        {"common_metadata":{"name":"spin","loops":4,"inner_loops":2},
         "runs":[{"warmups":[[4,1.6e-5]]},{"samples":[1e-6,3e-6],"warmups":[[4,1.6e-5]]}]},
        {"common_metadata":{"name":"empty"},"runs":[{"warmups":[[1,0.5]]}]}]}"#;
    let foreign = read("pyperf", five.as_bytes()).unwrap();
    let all = cases(&foreign);
    assert_eq!((all[1].0.as_str(), all[1].1), ("pyperf/spin", 2000.0));
    let warm = foreign.visits().next().unwrap().1;
    let each = warm[0].per_operation();
    assert!(warm[0].warm_up && (each - 2000.0).abs() < 1e-6, "of one loop: {each}");
    assert_eq!(foreign.failed, [(1, "none of its 1 runs has a value that is a number".to_owned())]);
    let six =
        five.replace("\"version\":5", "\"version\":6").replace("samples", "values").replace("common_", "");
    assert_eq!(cases(&read("pyperf", six.as_bytes()).unwrap()), all);
    for form in [1, 4] {
        let text = five.replace("\"version\":5", &format!("\"version\":{form}"));
        let input = Input { bytes: text.as_bytes(), name: "x", parts: &[] };
        assert_eq!(matching(&input).map(|format| format.name).collect::<Vec<_>>(), ["pyperf"]);
        let refused = read("pyperf", text.as_bytes()).unwrap_err().to_string();
        assert!(
            refused
                .starts_with(&format!("its format is version {form}, but only 5, 6 and 1.0 are supported")),
            "{refused}"
        );
    }
}

#[test]
fn tasks_are_read_in_every_form() {
    // Files with the result next to the name, in both versions.
    let beside = r#"[{"name":"push","latency":{"mean":0.001,"samples":[0.001]},"throughput":{"mean":1},"state":"completed"},
        {"totalTime":3,"hz":1,"mean":0.002,"samples":[0.002],"name":"pop"}]"#;
    are("tinybench", beside, &[("tinybench/push", 1000.0), ("tinybench/pop", 2000.0)]);
    let input = Input { bytes: beside.as_bytes(), name: "x", parts: &[] };
    assert_eq!(matching(&input).map(|format| format.name).collect::<Vec<_>>(), ["tinybench"]);
    let table = r#"[{"Latency avg (ns)":"5 ± 1%","Task name":"p"},
        {"Task name":"n","Latency avg (ns)":"NaN ± 1%"}]"#;
    let foreign = are("tinybench", table, &[("tinybench/p", 5.0)]);
    assert_eq!(foreign.failed.len(), 1);
    let vitest = r#"{"files":[{"filepath":"/r/a.bench.ts","groups":[
        {"fullName":"a.bench.ts > g > h","benchmarks":[{"name":"x","mean":0.001}]}]}]}"#;
    are("vitest", vitest, &[("a.bench.ts/g > h > x", 1000.0)]);
}

#[test]
fn a_benchmark_of_node_without_an_end_has_failed() {
    let line = |kind: &str, path: &str| {
        format!(
            r#"{{"type":"bench:{kind}","data":{{"fileRunId":"1","entryFile":"/r/u.bench.mjs","benchId":"{path}","namePath":["{path}"],"params":{{"v":"1"}},"samples":[{{"operations":1,"duration_ns":"10"}}]}}}}"#
        )
    };
    let cut = format!("{}\n{}", line("plan", "never"), line("complete", "made"));
    let foreign = are("node-bench", &cut, &[("u.bench.mjs/made v=\"1\"", 10.0)]);
    assert_eq!(foreign.failed, [(0, "the file ends before it was measured".to_owned())]);
}

#[test]
fn formats_of_json_are_recognised_whatever_the_order_of_keys() {
    fn turned(value: &serde_json::Value) -> String {
        match value {
            serde_json::Value::Object(map) => {
                let all: Vec<String> = map
                    .iter()
                    .rev()
                    .map(|(key, value)| format!("{}: {}", serde_json::json!(key), turned(value)))
                    .collect();
                format!("{{ {} }}", all.join(",\n "))
            }
            serde_json::Value::Array(all) => {
                format!("[{}]", all.iter().map(turned).collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }
    let mut seen = 0;
    for (name, bytes) in files() {
        // The converter rejects non-finite numbers, because they are not valid JSON.
        let text = String::from_utf8_lossy(&bytes)
            .replace("-Infinity", "-1e9")
            .replace("Infinity", "1e9")
            .replace("NaN", "1e9");
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { continue };
        // The generator's maps are already sorted.
        for text in [serde_json::to_string_pretty(&value).unwrap(), turned(&value)] {
            let input = Input { bytes: text.as_bytes(), name: "x", parts: &[] };
            let found: Vec<&str> = matching(&input).map(|format| format.name).collect();
            assert_eq!(found, [name], "{}", &text[..text.len().min(300)]);
        }
        seen += 1;
    }
    assert!(seen >= 11, "{seen} formats are JSON");
}
