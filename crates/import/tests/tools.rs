//! Tests files that the tools wrote, some of them shortened. Imported figures equal those of the tool.

use derny_import::{Foreign, Input, ReadError, Sample, format};

fn read(name: &str, bytes: &[u8]) -> Result<Foreign, ReadError> {
    (format(name).unwrap().read)(&Input { bytes, name: "x", parts: &[] })
}

fn times(foreign: &Foreign) -> Vec<(String, Vec<f64>)> {
    let visits = foreign.visits().filter(|(_, samples)| samples.iter().any(|sample| !sample.untimed));
    visits
        .map(|(case, samples)| (case.id.to_string(), samples.iter().map(Sample::per_operation).collect()))
        .collect()
}

fn stated(foreign: &Foreign, case: &str, statistic: &str) -> Option<f64> {
    let name = format!("stated {statistic}");
    let mut all = foreign.told().filter(|(own, ..)| own.id.to_string() == case).flat_map(|(_, _, said)| said);
    all.find(|said| said.metric.name == name).map(|said| said.value)
}

fn values(foreign: &Foreign, case: &str, metric: &str) -> Vec<f64> {
    let visits = foreign.visits().zip(foreign.told());
    let of_case = visits.filter(|((own, _), _)| own.id.to_string() == case);
    let own = |((_, samples), (_, metrics, _)): ((_, Vec<Sample>), (_, &[derny_model::Metric], _))| {
        let at = metrics.iter().position(|known| known.name == metric);
        at.map(|at| samples.iter().filter_map(|sample| sample.counters[at]).collect::<Vec<f64>>())
            .unwrap_or_default()
    };
    of_case.flat_map(own).collect()
}

fn near(found: Option<f64>, wanted: f64) {
    assert!(found.is_some_and(|found| (found / wanted - 1.0).abs() < 1e-9), "{found:?} is not {wanted}");
}

#[test]
fn vitest_has_figures_by_file_and_group() {
    let foreign = read("vitest", include_bytes!("files/vitest.json")).unwrap();
    let found = times(&foreign);
    assert_eq!(
        found.iter().map(|(case, _)| case.as_str()).collect::<Vec<_>>(),
        ["x.bench.js/text > join", "x.bench.js/text > concat"]
    );
    assert!((found[0].1[0] / 180.828_108_612_482_55 - 1.0).abs() < 1e-9);
    near(stated(&foreign, "x.bench.js/text > join", "median"), 139.999_999_987_594_5);
    assert_eq!(foreign.failed, [(0, "it has no result".to_owned())]);
    let text = include_str!("files/vitest.json").replacen("\"mean\": 0.0001", "\"mean\": -0.0001", 1);
    let foreign = read("vitest", text.as_bytes()).unwrap();
    assert_eq!(
        foreign.failed,
        [(0, "it has no result".to_owned()), (1, "the file has no valid time for it".to_owned())]
    );
}

#[test]
fn tinybench_has_samples_or_a_table() {
    let foreign = read("tinybench", include_bytes!("files/tinybench.json")).unwrap();
    let found = times(&foreign);
    assert_eq!((found.len(), found[0].0.as_str(), found[0].1.len()), (1, "tinybench/join", 8));
    near(stated(&foreign, "tinybench/join", "mean"), found[0].1.iter().sum::<f64>() / 8.0);
    assert_eq!(foreign.failed, [(1, "no".to_owned())]);
    let table = read("tinybench", include_bytes!("files/tinybench-table.json")).unwrap();
    near(stated(&table, "tinybench/join", "mean"), 5862.4);
    near(stated(&table, "tinybench/join", "median"), 1557.5);
    assert_eq!(table.failed, [(1, "no".to_owned())]);
    let older = br#"[{"name":"a","result":{"totalTime":5,"mean":0.5,"samples":[0.25,0.75],"hz":2000}},{"name":"b","result":null}]"#;
    let older = read("tinybench", older).unwrap();
    assert_eq!(times(&older), [("tinybench/a".to_owned(), vec![250_000.0, 750_000.0])]);
    assert_eq!(older.failed.len(), 1);
    let wrong = br#"[{"Task name":"a","Latency avg (ns)":"quick"}]"#;
    let said = read("tinybench", wrong).unwrap_err().to_string();
    assert_eq!(said, "`a` has `quick` under `Latency avg (ns)`, which is not a duration");
}

#[test]
fn mitata_has_arguments_and_a_heap() {
    let foreign = read("mitata", include_bytes!("files/mitata.json")).unwrap();
    let cases: Vec<String> = foreign.cases().iter().map(|case| case.id.to_string()).collect();
    assert_eq!(cases, ["mitata/noop", "mitata/sized $n n=8", "mitata/sized $n n=64", "mitata/g/fails"]);
    assert_eq!(foreign.failed, [(3, "no".to_owned())]);
    assert_eq!(foreign.runtime.as_deref(), Some("node/20.20.2"));
    let noop = &times(&foreign)[0].1;
    assert_eq!(noop.len(), 8);
    near(Some(noop[0]), 0.090_332_031_25);
    near(stated(&foreign, "mitata/noop", "mean"), 0.123_515_722_311_854_59);
    near(values(&foreign, "mitata/noop", "heap").first().copied(), 0.103_825_642_282_294_67);
    assert_eq!(foreign.cases().get(3).group.as_deref(), Some("g"));
}

#[test]
fn cargo_criterion_has_a_line_for_each_benchmark() {
    let text = include_str!("files/cargo-criterion.json");
    let foreign = read("cargo-criterion", text.as_bytes()).unwrap();
    let found = times(&foreign);
    let names: Vec<&str> = found.iter().map(|(case, _)| case.as_str()).collect();
    let word = "criterion/text/reverse a word \"é\"";
    assert_eq!(names, ["criterion/sum/fold/1000", "criterion/sum/fold/100000", word, "criterion/wait/2 ms"]);
    assert_eq!(found[3].1[0], 10_393_256.0 / 5.0);
    assert_eq!((foreign.cases().get(0).bytes, foreign.ladder), (Some(8000.0), true));
    // cargo-criterion printed 195.28 ns and 2.0765 ms.
    near(stated(&foreign, names[0], "typical"), 195.283_706_813_920_7);
    near(stated(&foreign, names[3], "typical"), 2_076_536.900_779_220_7);
    let wrong = |from: &str, to: &str| {
        read("cargo-criterion", text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    assert_eq!(
        wrong("[5,10,", "[10,"),
        "line 6: `wait/2 ms` has different numbers of times and iteration counts"
    );
    assert_eq!(
        wrong("],\"unit\":\"ns\"", "],\"unit\":\"cycles\""),
        "line 1: `sum/fold/1000` has values in `cycles`, which is not a unit of time"
    );
    assert!(wrong("\"reason\":\"group-complete\"", "\"reason\":").starts_with("line 3: "));
    let flat = text.replacen("],\"unit\":\"ns\"", "],\"unit\":\"ms\"", 1);
    let milliseconds = times(&read("cargo-criterion", flat.as_bytes()).unwrap())[0].1[0];
    near(Some(milliseconds), 9_234_472.0 / 49_603.0 * 1e6);
}

#[test]
fn benchmark_dotnet_has_launches_without_their_overhead() {
    let text = include_str!("files/benchmark-dotnet.json");
    let foreign = read("benchmark-dotnet", text.as_bytes()).unwrap();
    let first = "Some.Where.Lists/Sort N=10 Kind=a=b job=DefaultJob";
    let second = "Some.Where.Lists/Sort N=10 Kind=a=b job=Job-XYZ(Runtime=.NET 9.0)";
    let wanted = [(first, vec![100.5, 101.5]), (first, vec![100.25]), (second, vec![90.0])];
    assert_eq!(times(&foreign), wanted.map(|(case, times)| (case.to_owned(), times)));
    near(stated(&foreign, first, "mean"), 100.75);
    assert_eq!(values(&foreign, first, "allocated"), [64.0]);
    assert_eq!(values(&foreign, first, "gen0"), [12.0 / 4096.0]);
    assert_eq!(values(&foreign, first, "Completed Work Items"), [0.5]);
    assert_eq!(foreign.failed, [(2, "it has no result".to_owned())]);
    assert_eq!((foreign.tool.as_str(), foreign.machine.cores), ("benchmark-dotnet 0.14.0", 8));
    let wrong = text.replacen("\"Nanoseconds\":411648", "\"Nanoseconds\":NaN", 1);
    let foreign = read("benchmark-dotnet", wrong.as_bytes()).unwrap();
    assert_eq!(times(&foreign)[0].1.len(), 1, "the other is there");
    assert!(foreign.unknown().iter().any(|line| line.contains("(1 value that is not a time is skipped")));
}

#[test]
fn catch2_of_both_versions_has_means() {
    for (bytes, tool, mean, sd) in [
        (&include_bytes!("files/catch2-v2.xml")[..], "catch2 2", 765.358, 37.2037),
        (&include_bytes!("files/catch2-v3.xml")[..], "catch2 3.7.1", 1854.09, 5365.65),
    ] {
        let foreign = read("catch2", bytes).unwrap();
        assert_eq!(foreign.tool, tool);
        let names: Vec<String> = foreign.cases().iter().map(|case| case.id.benchmark).collect();
        assert_eq!(names, ["sums & more/accumulate", "sums & more/a section/size <n>", "sums & more/throws"]);
        let first = foreign.cases().get(0).id.to_string();
        near(times(&foreign)[0].1.first().copied(), mean);
        near(stated(&foreign, &first, "sd"), sd);
        assert_eq!(foreign.failed, [(2, "no".to_owned())]);
        assert!(foreign.cases().get(0).file.is_some());
    }
    let text = include_str!("files/catch2-v3.xml");
    let wrong =
        |from: &str, to: &str| read("catch2", text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
    assert_eq!(
        wrong("mean value=\"1854.09\"", "mean value=\"fast\""),
        "line 4: `accumulate` has the value `fast`, which is not a number"
    );
    assert!(wrong("</TestCase>", "").starts_with("line "));
    let entity = "<!DOCTYPE x [<!ENTITY a \"aa\">]><Catch2TestRun name=\"&a;\"/>";
    assert!(read("catch2", entity.as_bytes()).unwrap_err().to_string().contains("not valid XML"));
    // Test consecutive elements, and end tags within a value or a comment.
    for each in ["<a>", "<a b='/>'>", "<a><!-- </a></a> -->", "<a><![CDATA[</a>]]>"] {
        let deep = format!("<Catch2TestRun name='x'>{}", each.repeat(200_000));
        let error = read("catch2", deep.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("nested more than 256 deep"), "{error}");
    }
    assert!(
        read("catch2", b"<Catch2TestRun name='x'/>")
            .unwrap_err()
            .to_string()
            .contains("it has no benchmarks")
    );
}

#[test]
fn benchee_has_times_memory_and_reductions() {
    let foreign = read("benchee", include_bytes!("files/suite.benchee")).unwrap();
    let cases: Vec<String> = foreign.cases().iter().map(|case| case.id.to_string()).collect();
    assert!(cases.contains(&"benchee/lists/sort input=big tag=first".to_owned()), "{cases:?}");
    let big = "benchee/lists/sort input=big tag=first";
    let own = times(&foreign).into_iter().find(|(case, _)| case == big).unwrap().1;
    assert_eq!((own.len(), own[0]), (3, 53_410.0));
    near(stated(&foreign, big, "mean"), 69_727.333_333_333_33);
    assert_eq!(values(&foreign, big, "memory"), [54_032.0]);
    assert_eq!(values(&foreign, big, "reductions"), [4871.0, 4871.0]);
    assert_eq!(foreign.runtime.as_deref(), Some("elixir/1.14.0"));
    assert_eq!(foreign.machine.cores, 2);
    // Output of Benchee's JSON formatter. Benchee's console shows the same figures.
    let foreign = read("benchee", include_bytes!("files/benchee.json")).unwrap();
    let small = "benchee/map.flatten input=small";
    let found = times(&foreign);
    assert_eq!(found.iter().map(|(_, own)| own.len()).collect::<Vec<usize>>(), [1, 1, 21, 16]);
    assert_eq!((&*found[2].0, found[1].1[0]), (small, 5_597_751.0));
    near(stated(&foreign, small, "mean"), 372_868.0);
    near(stated(&foreign, small, "median"), 162_705.0);
    near(stated(&foreign, "benchee/flat_map input=small", "mean"), 1_103_325.312_5);
    assert_eq!(values(&foreign, small, "memory"), [192_184.0; 4]);
    let older = br#"{"run_times":{"My Job":[200,400]},"statistics":{"My Job":{"average":300.0,"std_dev_ips":800.0}}}"#;
    let foreign = read("benchee", older).unwrap();
    assert_eq!(times(&foreign), [("benchee/My Job".to_owned(), vec![200_000.0, 400_000.0])]);
    near(stated(&foreign, "benchee/My Job", "mean"), 300_000.0);
    let cut = &include_bytes!("files/suite.benchee")[..5000];
    assert_eq!(read("benchee", cut).unwrap_err().to_string(), "truncated at byte 5000");
}
