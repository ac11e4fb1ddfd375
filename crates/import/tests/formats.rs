//! Tests every format with miniature output of its tool, and with files that the tool did not write.

use derny_import::{FORMATS, Foreign, Input, ReadError, Sample, format, guess};

pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Foreign, ReadError> {
    (format(name).unwrap().read)(&Input { bytes, name: "x", parts: &[] })
}

fn visits(foreign: &Foreign) -> Vec<(String, Vec<Sample>)> {
    foreign.visits().map(|(case, samples)| (case.id.to_string(), samples)).collect()
}

const SNAPSHOT: &str = "duration:1.0;mem stats:false;sys mem stats:false\n\
    module;test;tags;iterations;elapsed\n\
    ListBench\thello list\t\t500000\t3546225\n\
    ListBench\tone; two\tslow\t1\t7\n";

const COMPARE: &str = "\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"\n\
    \"new\",\"path/x.js\",\"n=1000 ext='a \"\"b\"\"'\",2000000,0.0005\n\
    \"old\",\"path/x.js\",\"n=1000 ext='a \"\"b\"\"'\",1000000,0.001\n\
    \"old\",\"path/x.js\",\"n=1000 ext='a \"\"b\"\"'\",1250000,0.0008\n\
    \"new\",\"path/x.js\",\"n=1000 ext='a \"\"b\"\"'\",2500000,0.0004\n";

const RUN: &str = "\"filename\", \"configuration\", \"rate\", \"time\"\n\
    \"path/x.js\", \"n=1000 ext=\"\"\"\"\", 1219084.5, 0.000820288\n";

const SCATTER: &str = "\"filename\", \"n\", \"ext\", \"rate\", \"time\"\n\
    \"path/x.js\", 1000, \"a,b\", 1500000.5, 0.000666142\n\
    \"path/x.js\", 10, \"\", 1000, 0.01\n";

const CRITERION: &str = r#"["criterion","1.6.3.0",[{"reportName":"fib/9","reportNumber":0,
    "reportKeys":["time","cpuTime","cycles","iters","allocated","peakMbAllocated","numGcs","bytesCopied","mutatorWallSeconds","mutatorCpuSeconds","gcWallSeconds","gcCpuSeconds"],
    "reportMeasured":[[1.0e-6,9.0e-7,2000,1,64,null,0,null,null,null,null,null],
      [0.04,0.039,80000000,40000,null,null,1,null,null,null,0.001,null],
      [0.042,0.04,84000000,42000,null,null,0,null,null,null,null,null],
      [0.044,0.04,88000000,44000,null,null,0,null,null,null,null,null],
      [0.0462,0.04,92000000,46200,null,null,0,null,null,null,null,null]]}]]"#;

const CRITERION_CSV: &str = "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB\r\n\
    \"exp, \"\"x\"\"\",2.0e-8,1.9e-8,2.1e-8,8.0e-10,4.0e-10,1.3e-9\r\n\
    Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB\r\n\
    \"exp, \"\"x\"\"\",3.0e-8,1.9e-8,2.1e-8,8.0e-10,4.0e-10,1.3e-9\r\n";

const BENCH: &str = r#"{"type":"bench:plan","data":{"fileRunId":"1","entryFile":"/a/b.bench.mjs","benchId":"u","name":"make","namePath":["URL","make"],"params":{"len":16,"kind":"short"}}}
{"type":"bench:sample","data":{"fileRunId":"1","benchId":"u","name":"make","namePath":["URL","make"],"index":0,"operations":10000,"duration_ns":"27968718","rate":357542.3}}
{"type":"bench:sample","data":{"fileRunId":"1","benchId":"u","name":"make","index":1,"operations":5,"duration_ns":"1234"}}
{"type":"bench:complete","data":{"fileRunId":"1","entryFile":"/a/b.bench.mjs","benchId":"u","namePath":["URL","make"],"params":{"len":16,"kind":"short"},"samples":[{"operations":10000,"duration_ns":"27968718"}]}}
{"type":"bench:complete","data":{"fileRunId":"1","entryFile":"/a/b.bench.mjs","benchId":"f","namePath":["fails"],"params":{},"samples":[],"error":{"message":"no"}}}
{"type":"bench:summary","data":{"fileRunId":"1","success":false}}
"#;

const GO: &str = include_str!("files/go-bench.txt");

type Bench = (String, String, Vec<[f64; 3]>);

fn one(samples: &[[f64; 3]]) -> Vec<u8> {
    baseline(&[("bench_kv".to_owned(), "bench_maps".to_owned(), samples.to_vec())])
}

/// Returns the external term format of `{[0,1,0], [{Module, Name, [[Wall, Memory, Reductions], …]}, …]}`.
pub(crate) fn baseline(benches: &[Bench]) -> Vec<u8> {
    let atom = |name: &str| [&[119, name.len() as u8][..], name.as_bytes()].concat();
    let list = |items: Vec<Vec<u8>>| {
        [vec![108], (items.len() as u32).to_be_bytes().to_vec(), items.concat(), vec![106]].concat()
    };
    let float = |value: &f64| [vec![70], value.to_be_bytes().to_vec()].concat();
    let bench = |(module, name, samples): &Bench| {
        let samples = samples.iter().map(|sample| list(sample.iter().map(float).collect())).collect();
        [vec![104, 3], atom(module), atom(name), list(samples)].concat()
    };
    [vec![131, 104, 2, 107, 0, 3, 0, 1, 0], list(benches.iter().map(bench).collect())].concat()
}

pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("benchfella", SNAPSHOT.into()),
        ("rebar3-bench", one(&[[100.0, 8.0, 6.0]])),
        ("criterion-json", CRITERION.into()),
        ("criterion-csv", CRITERION_CSV.into()),
        ("node-compare", COMPARE.into()),
        ("node-run", RUN.into()),
        ("node-scatter", SCATTER.into()),
        ("node-bench", BENCH.into()),
        ("benchfmt", GO.into()),
        ("hyperfine", include_bytes!("files/hyperfine.json").into()),
        ("pytest-benchmark", include_bytes!("files/pytest-benchmark.json").into()),
        ("pyperf", include_bytes!("files/pyperf.json").into()),
        ("asv", include_bytes!("files/asv.json").into()),
        ("google-benchmark", include_bytes!("files/google-benchmark.json").into()),
        ("jmh", include_bytes!("files/jmh.json").into()),
        ("github-action-benchmark", include_bytes!("files/benchmark-action.js").into()),
        ("bmf", include_bytes!("files/bmf.json").into()),
        ("cargo-criterion", include_bytes!("files/cargo-criterion.json").into()),
        ("benchmark-dotnet", include_bytes!("files/benchmark-dotnet.json").into()),
        ("benchee", include_bytes!("files/suite.benchee").into()),
        ("catch2", include_bytes!("files/catch2-v3.xml").into()),
        ("vitest", include_bytes!("files/vitest.json").into()),
        ("tinybench", include_bytes!("files/tinybench.json").into()),
        ("mitata", include_bytes!("files/mitata.json").into()),
    ]
}

#[test]
fn every_format_is_recognised_by_its_own_row_alone() {
    let files = files();
    // One format is not in the list, because it reads a folder.
    assert_eq!(files.len() + 1, FORMATS.len());
    for (name, bytes) in &files {
        let input = Input { bytes, name: "x", parts: &[] };
        let matching: Vec<&str> = derny_import::matching(&input).map(|format| format.name).collect();
        assert_eq!(matching, [*name]);
        assert!(!read(name, bytes).unwrap().cases().is_empty(), "{name}");
        assert!(!read(name, bytes).unwrap().unknown().is_empty(), "{name} says what its file does not tell");
    }
    for bytes in [&b""[..], b"hello", b"{}", b"[]", b"\xff\xfe", b"a,b,c\n1,2,3\n"] {
        assert!(guess(&Input { bytes, name: "x", parts: &[] }).is_none(), "{bytes:?}");
    }
}

/// Truncating a file anywhere, or changing a byte of it, gives an error or another result, but never a panic.
#[test]
fn damaged_files_never_panic() {
    for (name, bytes) in files() {
        // Testing every byte of longer files would take minutes.
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 700) {
            let _ = read(name, &bytes[..at]);
            let mut changed = bytes.clone();
            changed[at] = changed[at].wrapping_add(1 + (at % 200) as u8);
            let _ = read(name, &changed);
        }
    }
}

#[test]
fn benchfella_has_one_sample_per_test() {
    let foreign = read("benchfella", SNAPSHOT.as_bytes()).unwrap();
    let visits = visits(&foreign);
    assert_eq!(visits[0].0, "ListBench/hello list");
    assert_eq!((visits[0].1[0].time_ns, visits[0].1[0].iterations), (3_546_225_000, 500_000));
    assert_eq!((visits[1].0.as_str(), visits[1].1[0].time_ns), ("ListBench/one; two", 7000));
    let wrong = |from: &str, to: &str| read("benchfella", SNAPSHOT.replace(from, to).as_bytes()).unwrap_err();
    assert_eq!(wrong("500000", "many").to_string(), "line 3: iterations `many` is not a whole number");
    assert_eq!(wrong("\tslow", "").line, Some(4));
    assert_eq!(wrong("\t1\t7", "\t0\t7").to_string(), "line 4: iterations are 0");
    assert_eq!(wrong("module;", "").line, Some(2));
}

#[test]
fn samples_of_a_baseline_come_in_time_order() {
    let foreign = read("rebar3-bench", &one(&[[120.25, 8.5, 6.0], [81.0, -2.0, 5.0]])).unwrap();
    let visits = visits(&foreign);
    assert_eq!(visits[0].0, "test/bench_kv/maps");
    let per: Vec<f64> = visits[0].1.iter().map(|s| s.time_ns as f64 / s.iterations as f64).collect();
    assert_eq!(per, [81.0, 120.25]);
    let counters = &visits[0].1[0].counters[..];
    assert_eq!(counters, [Some(-2e6), Some(5e6)]);
    let text = read("rebar3-bench", &one(&[[1.0, 1.0, 1.0]])[..20]).unwrap_err().to_string();
    assert!(text.contains("truncated at byte 20"), "{text}");
    assert!(read("rebar3-bench", &[131, 97, 5]).unwrap_err().to_string().contains("{Version, Benches}"));
    assert!(
        read("rebar3-bench", &[131, 109, 0, 0, 0, 0]).unwrap_err().to_string().contains("{Version, Benches}")
    );
    assert!(read("rebar3-bench", &[131, 1]).unwrap_err().to_string().contains("kind 1 "));
    let deep = [vec![131], [108, 0, 0, 0, 1].repeat(100_000)].concat();
    assert!(read("rebar3-bench", &deep).unwrap_err().to_string().contains("nested more than"));
}

#[test]
fn short_measurements_of_criterion_are_warm_up() {
    let foreign = read("criterion-json", CRITERION.as_bytes()).unwrap();
    assert_eq!((foreign.tool.as_str(), foreign.ladder), ("criterion 1.6.3.0", true));
    let visits = visits(&foreign);
    let warm: Vec<bool> = visits[0].1.iter().map(|sample| sample.warm_up).collect();
    assert_eq!((visits[0].0.as_str(), warm), ("criterion/fib/9", vec![true, false, false, false, false]));
    let second = &visits[0].1[1];
    assert_eq!((second.time_ns, second.iterations), (40_000_000, 40_000));
    // The counters are cpu, cycles, allocated, peak, gc, copied, mutator, mutator cpu, gc time and gc cpu.
    assert_eq!(second.counters[0], Some(39_000_000.0));
    assert_eq!((second.counters[2], second.counters[4], second.counters[8]), (None, Some(1.0), Some(1e6)));
    let bare = format!("[{}]", &CRITERION[CRITERION.find('{').unwrap()..CRITERION.rfind('}').unwrap() + 1]);
    assert_eq!(read("criterion-json", bare.as_bytes()).unwrap().samples(), 5);
    let fails = |from: &str, to: &str| {
        read("criterion-json", CRITERION.replacen(from, to, 1).as_bytes()).unwrap_err()
    };
    assert!(fails("]]}]]", "]]}]").to_string().starts_with("line "));
    assert_eq!(fails("[1.0e-6,", "[").to_string(), "report `fib/9`: measurement 0: 11 figures for 12 keys");
    assert!(fails("[1.0e-6,", "[null,").to_string().contains("has no `time`"));
    assert!(fails("reportName", "name").to_string().contains("report 0 has no `reportName`"));
}

#[test]
fn a_further_head_of_criterions_csv_is_a_further_process() {
    let foreign = read("criterion-csv", CRITERION_CSV.as_bytes()).unwrap();
    let visits = visits(&foreign);
    assert_eq!((visits.len(), visits[0].0.as_str()), (2, "criterion/exp, \"x\""));
    assert_eq!(visits[0].1[0].time_ns as f64 / visits[0].1[0].iterations as f64, 20.0);
    assert_eq!(foreign.cases().len(), 1);
    let wrong = CRITERION_CSV.replacen("2.0e-8", "two", 1);
    assert_eq!(
        read("criterion-csv", wrong.as_bytes()).unwrap_err().to_string(),
        "line 2: Mean `two` is not a number"
    );
}

#[test]
fn node_files_are_processes_with_a_rate() {
    let foreign = read("node-compare", COMPARE.as_bytes()).unwrap();
    assert_eq!(foreign.cases().get(0).id.to_string(), "benchmark/path/x.js n=1000 ext=a \"b\"");
    assert_eq!((foreign.cases().len(), foreign.samples()), (1, 4));
    let first = visits(&foreign)[0].1[0].clone();
    assert_eq!((first.time_ns, first.operations), (500_000, Some(1000.0)));
    let run = read("node-run", RUN.as_bytes()).unwrap();
    assert_eq!(run.cases().get(0).id.to_string(), "benchmark/path/x.js n=1000 ext=");
    let scatter = read("node-scatter", SCATTER.as_bytes()).unwrap();
    assert_eq!(scatter.cases().get(0).id.to_string(), "benchmark/path/x.js n=1000 ext=a,b");
    assert_eq!(scatter.cases().get(1).id.params[1], ("ext".to_owned(), String::new()));
    for (name, text, from, to, line, part) in [
        ("node-compare", COMPARE, "1250000", "Infinity", 4, "rate `Infinity` is not a number"),
        ("node-compare", COMPARE, ",0.0005", "", 2, "expected 5 fields, found 4"),
        ("node-compare", COMPARE, "n=1000 ext", "n", 2, ""),
        ("node-run", RUN, ", 0.000820288", ", 0", 2, "is not usable"),
        ("node-run", RUN, "n=1000", "hello", 2, ""),
        ("node-scatter", SCATTER, ", 10, ", ", ", 3, "expected 5 fields, found 4"),
        ("node-scatter", SCATTER, "\"\", 1000", "\"", 3, "unterminated"),
    ] {
        let changed = text.replacen(from, to, 1);
        match read(name, changed.as_bytes()) {
            Err(error) => {
                assert_eq!(error.line, Some(line), "{name}: {error}");
                assert!(error.reason.contains(part), "{name}: {error}");
            }
            Ok(foreign) => assert!(part.is_empty(), "{name} took {changed}: {:?}", visits(&foreign)),
        }
    }
}

#[test]
fn node_bench_takes_samples_where_they_are() {
    let foreign = read("node-bench", BENCH.as_bytes()).unwrap();
    let found = visits(&foreign);
    assert_eq!((found.len(), found[0].0.as_str()), (1, "b.bench.mjs/URL/make kind=short len=16"));
    assert_eq!((found[0].1.len(), found[0].1[1].time_ns, found[0].1[1].operations), (2, 1234, Some(5.0)));
    assert_eq!(foreign.failed, [(1, "no".to_owned())]);
    let complete: String =
        BENCH.lines().filter(|line| !line.contains("bench:sample")).map(|l| format!("{l}\n")).collect();
    assert_eq!(visits(&read("node-bench", complete.as_bytes()).unwrap())[0].1.len(), 1);
    let wrong = BENCH.replacen("\"1234\"", "null", 1);
    assert_eq!(
        read("node-bench", wrong.as_bytes()).unwrap_err().to_string(),
        "line 3: a sample has no `duration_ns`"
    );
}
