//! Tests that imported files of a tool and Derny's own runs use the same names for the benchmarks of a
//! project. Each test has a project of a tool, a small file that the tool itself wrote for the project, and
//! the cases that Derny lists. Tests of tools without a runtime are skipped.

#![cfg(unix)]

use crate::place::{Place, TINY};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(if program == "go" { "version" } else { "--version" });
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success()) || program == "erl"
}

/// Returns suite, benchmark and parameters, with the parameters sorted.
fn name(id: &Value) -> String {
    let mut params: Vec<String> = id["params"].as_array().unwrap().iter().map(Value::to_string).collect();
    params.sort();
    format!("{} {} {}", id["suite"], id["benchmark"], params.join(" "))
}

fn listed(place: &Place) -> BTreeSet<String> {
    let list = place.derny(&["list", "-f", "json"]).expect(0).json();
    list.as_array().unwrap().iter().map(|case| name(&case["id"])).collect()
}

fn imported(place: &Place, file: &str) -> BTreeSet<String> {
    let run = place.derny(&["import", file]).expect(0).out;
    let run = run.split([' ', ':']).nth(1).unwrap().to_owned();
    let shown = place.derny(&["show", &run, "-f", "json"]).expect(0).json();
    let suites = shown["suites"].as_array().unwrap().iter();
    suites
        .flat_map(|suite| suite["cases"].as_array().unwrap())
        .map(|case| name(&case["case"]["id"]))
        .collect()
}

/// Imports a file into the history. Returns the names of all cases in the history.
fn past(place: &Place, file: &str) -> BTreeSet<String> {
    place.derny(&["history", "import", file]).expect(0);
    let histories = |figure: &str| {
        let out = place.derny(&["history", "--apart", "-m", figure, "-f", "json"]);
        if out.code == 0 { out.json() } else { Value::Null }
    };
    let all = ["time", "value"].map(histories);
    all.iter().flat_map(|all| all.as_array()).flatten().map(|one| name(&one["case"])).collect()
}

#[track_caller]
fn meet(place: &Place, file: &str, count: usize) {
    let (live, past, foreign) = (listed(place), past(place, file), imported(place, file));
    assert_eq!(live.len(), count, "{live:#?}");
    assert_eq!(foreign, live);
    assert_eq!(past, live);
}

#[test]
fn of_asv() {
    if !has("python3") {
        return;
    }
    let place = Place::new();
    place.write(
        "asv.conf.json",
        r#"{"version": 1, "project": "shop", "repo": ".", "benchmark_dir": "benchmarks"}"#,
    );
    place.write("benchmarks/__init__.py", "");
    place.write(
        "benchmarks/cart.py",
        "class Sizes:\n    params = [[10], ['a b', '', '1', 1, None]]\n    param_names = ['n']\n\
         \x20   def time_get(self, n, text): pass\n\n\
         class Calls:\n    params = [len, lambda: 0, lambda: 1, object()]\n    def time_call(self, fn): pass\n\n\
         def track_two(a, b): return 1\ntrack_two.params = [[1], ['x=y']]\ntrack_two.param_names = ['of what', 'of what']\n",
    );
    place.write(
        "results/benchmarks.json",
        r#"{"cart.Sizes.time_get": {"param_names": ["n", "param2"], "unit": "seconds"},
            "cart.Calls.time_call": {"param_names": ["param1"], "unit": "seconds"},
            "cart.track_two": {"param_names": ["of what", "of what"], "unit": "unit"}, "version": 2}"#,
    );
    place.write(
        "results/box/c0ffee00-py.json",
        r#"{"commit_hash": "c0ffee", "env_name": "py", "date": 1700000000000, "params": {"machine": "box"}, "python": "3.11",
            "result_columns": ["result", "params"], "results": {
            "cart.Sizes.time_get": [[1e-6, 1e-6, 1e-6, 1e-6, 1e-6], [["10"], ["'a b'", "''", "'1'", "1", "None"]]],
            "cart.Calls.time_call": [[1e-6, 1e-6, 1e-6, 1e-6],
                [["<built-in function len>", "<function Calls.<lambda>> (0)", "<function Calls.<lambda>> (1)", "<object object>"]]],
            "cart.track_two": [[1], [["1"], ["'x=y'"]]]}, "version": 2}"#,
    );
    meet(&place, "results/box/c0ffee00-py.json", 10);
}

#[test]
fn of_pyperf() {
    if !has("python3") {
        return;
    }
    let place = Place::new();
    place.write(
        "benchmarks/bm_shop.py",
        "import pyperf\nrunner = pyperf.Runner()\nrunner.bench_func('add one', int)\nrunner.timeit('strip', \"' a '.strip()\")\n",
    );
    place.write(
        "out.json",
        r#"{"benchmarks":[{"metadata":{"name":"add one"},"runs":[{"values":[1e-7,2e-7]}]},
            {"metadata":{"name":"strip"},"runs":[{"values":[1e-8]}]}],"metadata":{"pyperf_version":"2.11.0"},"version":"1.0"}"#,
    );
    meet(&place, "out.json", 2);
}

#[test]
fn of_cases_without_figures_are_said() {
    let place = Place::new();
    let form = |number: u32| {
        format!(
            r#"{{"version":{number},"benchmarks":[{{"common_metadata":{{"name":"spin"}},"runs":[{{"samples":[0.5]}}]}},
                {{"common_metadata":{{"name":"cut off"}},"runs":[{{"warmups":[[1,0.5]]}}]}}]}}"#
        )
    };
    place.write("five.json", &form(5));
    let taken = place.derny(&["import", "five.json"]).expect(3);
    assert!(taken.err.contains("failed: pyperf/cut off: none of its 1 runs has a value"), "{}", taken.err);
    place.write("four.json", &form(4));
    let refused = place.derny(&["import", "four.json"]).expect(2);
    assert!(refused.err.contains("cannot be imported as pyperf"), "{}", refused.err);
    assert!(refused.err.contains("its format is version 4"), "{}", refused.err);
    place.derny(&["import", "four.json", "five.json"]).expect(3);
}

const BENCHFELLA: &str = "defmodule Shop.CartBench do\n  use Benchfella\n\
    \x20 for n <- [10, 100] do\n    bench \"sum #{n} of list\" do\n      Enum.sum(1..10)\n    end\n  end\nend\n\
    defmodule OtherBench do\n  use Benchfella\n  bench \"a/b\" do\n    Enum.sum(1..3)\n  end\nend\n";
const SNAPSHOT: &str = "duration:1.0;mem stats:false;sys mem stats:false\nmodule;test;tags;iterations;elapsed\n\
    Shop.CartBench\tsum 10 of list\t\t1000\t5000\nShop.CartBench\tsum 100 of list\t\t1000\t6000\nOtherBench\ta/b\t\t1000\t7000\n";

#[test]
fn of_benchfella_and_the_last_run_is_no_file() {
    if !has("elixir") {
        return;
    }
    let place = Place::new();
    place.write("bench/cart_bench.exs", BENCHFELLA);
    place.write("old.snapshot", SNAPSHOT);
    meet(&place, "old.snapshot", 3);
    place.derny(&[&["run"][..], &TINY].concat()).expect(0);
    let run = place.runs()[0]["header"]["id"].as_str().unwrap().to_owned();
    place.write("older.snapshot", &SNAPSHOT.replace("\t5000", "\t4999"));
    for words in [
        &["compare", "older.snapshot", "last"][..],
        &["compare", "older.snapshot", &run],
        &["compare", "old.snapshot"],
    ] {
        let compared = place.derny(&[words, &["-f", "json"]].concat());
        assert!([0, 5].contains(&compared.code), "{words:?}: {}", compared.err);
        let compared = compared.comparison();
        assert_eq!(compared["cases"].as_array().unwrap().len(), 3, "{words:?}: {compared}");
        assert_eq!(compared["sides"][1]["run"].as_str().unwrap_or(&run), run, "{words:?}");
    }
    // A file that was imported only for a comparison is not shown, judged, or used as the next baseline.
    let shown = place.derny(&["show", "-f", "json"]).expect(0);
    assert_eq!(shown.json()["run"]["id"], run.as_str());
    assert!(shown.err.contains("was imported later"), "{}", shown.err);
    place.derny(&["runs", "baseline", "set", "main"]).expect(0);
    let baselines = place.derny(&["runs", "baseline", "list"]).expect(0).out;
    assert!(baselines.contains(&run), "{baselines}");
    // The exported file has the original modules and tests.
    let old = imported_id(&place, "old.snapshot");
    let written = place.derny(&["export", &old, "-f", "benchfella"]).expect(0).out;
    for row in SNAPSHOT.lines().skip(2) {
        let test = row.rsplitn(4, '\t').last().unwrap();
        assert!(written.contains(&format!("{test}\t")), "{test}: {written}");
    }
    // The same template works for both runs.
    for run in ["last", "old.snapshot"] {
        let run = if run == "last" { run.to_owned() } else { imported_id(&place, run) };
        let words =
            ["plot", "scaling", &run, "--over", "n", "--name-template", "sum {n} of list", "-f", "json"];
        let scaled = place.derny(&words);
        assert!(scaled.out.contains("Shop.CartBench/sum {n} of list"), "{}{}", scaled.out, scaled.err);
    }
}

fn imported_id(place: &Place, file: &str) -> String {
    let told = place.derny(&["import", file]).expect(0).out;
    told.split([' ', ':']).nth(1).unwrap().to_owned()
}

#[test]
fn of_rebar3_bench() {
    if !has("erl") {
        return;
    }
    let place = Place::new();
    place.write("rebar.config", "{erl_opts, [debug_info]}.\n");
    place.write(
        "src/shop.app.src",
        "{application, shop, [{vsn, \"0\"}, {modules, []}, {applications, [kernel, stdlib]}]}.\n",
    );
    place.write(
        "test/bench_cart.erl",
        "-module(bench_cart).\n-export([sum/1, bench_sum/2]).\nsum({input, _}) -> [1, 2].\nbench_sum(L, _) -> lists:sum(L).\n",
    );
    // Encode `{[0,1,0], [{bench_cart, bench_sum, [[5.0, 0.0, 1.0]]}]}` in the external term format.
    let atom = |name: &str| [&[119, name.len() as u8][..], name.as_bytes()].concat();
    let list = |items: Vec<u8>| [&[108, 0, 0, 0, 1][..], &items, &[106]].concat();
    let floats: Vec<u8> =
        [5.0_f64, 0.0, 1.0].iter().flat_map(|value| [&[70][..], &value.to_be_bytes()].concat()).collect();
    let sample = [&[108, 0, 0, 0, 3][..], &floats, &[106]].concat();
    let bench = [vec![104, 3], atom("bench_cart"), atom("bench_sum"), list(sample)].concat();
    let term = [vec![131, 104, 2, 107, 0, 3, 0, 1, 0], list(bench)].concat();
    std::fs::write(place.root.join("base"), term).unwrap();
    meet(&place, "base", 1);
}

#[test]
fn of_node() {
    if !has("node") {
        return;
    }
    let place = Place::new();
    place.write("benchmark/common.js", "exports.createBenchmark = () => {};\n");
    place.write(
        "benchmark/cart/add.js",
        "const common = require('../common.js');\n\
         const bench = common.createBenchmark(main, { n: [10], type: ['a b', \"it's\", '1', ''], flag: [true] });\n\
         function main({ n }) { bench.start(); bench.end(n); }\n",
    );
    let row = |text: &str| format!("\"cart/add.js\", \"flag=true type={text} n=10\", 1000, 0.01\n");
    let texts = ["\"\"a b\"\"", "\"\"it's\"\"", "\"\"1\"\"", "\"\"\"\""];
    let rows: String = texts.iter().map(|text| row(text)).collect();
    place.write("run.csv", &format!("\"filename\", \"configuration\", \"rate\", \"time\"\n{rows}"));
    let rows: String = rows.lines().map(|row| format!("\"old\",{row}\n\"new\",{row}\n")).collect();
    place.write(
        "compare.csv",
        &format!("\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"\n{rows}"),
    );
    meet(&place, "run.csv", 4);
    meet(&place, "compare.csv", 4);
    let place = Place::new();
    place.write(
        "deep/cart.bench.mjs",
        "import { bench, suite } from 'node:bench';\n\
         suite('a', () => { bench('b', { params: { v: 1, w: 'x y' } }, (b) => { b.start(); b.end(1); }); });\n",
    );
    place.write(
        "more.bench.mjs",
        "import { bench } from 'node:bench';\nbench('b', (b) => { b.start(); b.end(1); });\n",
    );
    let line = |file: &str, path: &str, params: &str| {
        format!(
            r#"{{"type":"bench:complete","data":{{"fileRunId":"{file}","entryFile":"/home/ann/shop/{file}","benchId":"{file}","namePath":{path},"params":{params},"samples":[{{"operations":1,"duration_ns":"9"}}]}}}}"#
        )
    };
    let lines = [
        line("deep/cart.bench.mjs", r#"["a","b"]"#, r#"{"w":"x y","v":1}"#),
        line("more.bench.mjs", r#"["b"]"#, "{}"),
    ];
    place.write("out.ndjson", &lines.join("\n"));
    meet(&place, "out.ndjson", 2);
}

#[test]
fn of_go() {
    if !has("go") {
        return;
    }
    let place = Place::new();
    place.write("go.mod", "module example.com/shop/v2\n\ngo 1.21\n");
    place.write(
        "root_test.go",
        "package shop\n\nimport \"testing\"\n\nfunc BenchmarkRoot(b *testing.B) { for i := 0; i < b.N; i++ {} }\n",
    );
    place.write(
        "store/store_test.go",
        "package store\n\nimport \"testing\"\n\nfunc BenchmarkGet(b *testing.B) {\n\
         \tb.Run(\"n=1\", func(b *testing.B) { b.Run(\"hit it\", func(b *testing.B) { for i := 0; i < b.N; i++ {} }) })\n}\n",
    );
    place.write(
        "out.txt",
        "goos: linux\ngoarch: amd64\npkg: example.com/shop/v2\nBenchmarkRoot-2   \t     100\t         4.700 ns/op\nPASS\n\
         ok  \texample.com/shop/v2\t0.017s\npkg: example.com/shop/v2/store\n\
         BenchmarkGet/n=1/hit_it-2         \t     100\t         1.800 ns/op\nPASS\nok  \texample.com/shop/v2/store\t0.031s\n",
    );
    meet(&place, "out.txt", 2);
}

#[test]
fn of_haskells_criterion() {
    if !has("ghc") {
        return;
    }
    let place = Place::new();
    place.write(
        "bench/Cart.bench.hs",
        "import Criterion.Main\n\nmain :: IO ()\nmain = defaultMain\n  [ bgroup \"sum\" [ bench (show n) (whnf sum [1 .. n :: Int]) | n <- [10, 100] ]\n\
         \x20 , bench \"twice\" (whnf length \"x\"), bench \"twice\" (whnf length \"xy\") ]\n",
    );
    let report = |name: &str| {
        format!(
            r#"{{"reportName":"{name}","reportNumber":0,"reportKeys":["time","iters"],"reportMeasured":[[0.04,40000],[0.05,50000]]}}"#
        )
    };
    let reports = ["sum/10", "sum/100", "twice", "twice"].map(report).join(",");
    place.write("out.json", &format!(r#"["criterion","1.6.3.0",[{reports}]]"#));
    meet(&place, "out.json", 4);
}
