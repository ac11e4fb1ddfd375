//! Tests arguments that are passed on: to the suite's program, to its build, or to one side of either.

#![cfg(unix)]

use crate::place::{Place, TINY, harness};
use serde_json::json;

/// Returns a project with one suite whose program records its arguments.
fn project(toml: &str) -> Place {
    let place = Place::new();
    let log = place.root.join("log");
    let script = format!("#!/bin/sh\nprintf '<%s>' \"$@\" >> '{}'\nexec '{}'\n", log.display(), harness());
    place.program("bench.sh", &script);
    place.write("derny.toml", &format!("[suite.s]\n{toml}"));
    place
}

fn once(place: &Place, words: &[&str]) -> String {
    let _ = std::fs::remove_file(place.root.join("log"));
    place.derny(&[&["run", "steady", "--once"], words].concat()).expect(0);
    place.read("log")
}

#[test]
fn arguments_reach_the_suites_own_program_and_are_recorded() {
    let place =
        project("harness = { command = ['./bench.sh', '{suite-args}', 'end'] }\nargs = ['a', 'b c']\n");
    assert!(once(&place, &[]).contains("<a><b c><end>"));
    assert!(once(&place, &["--args", "-k 'd e'", "--args", "f"]).contains("<a><b c><-k><d e><f><end>"));
    place.derny(&["list", "--refresh", "--args", "-l"]).expect(0);
    assert!(place.read("log").contains("<a><b c><-l><end>"));
    let line =
        [&["run", "steady", "-f", "ndjson", "--args=-k x"], &TINY[..], &["-x", "old@.", "-x", "new+--y"]];
    let lines = place.derny(&line.concat()).expect(0).lines();
    let run = &lines[0]["run"];
    assert_eq!(run["built"][1]["suite_args"], json!(["a", "b c", "-k", "x"]));
    assert_eq!(
        run["built"][0]["launch"],
        json!(["./bench.sh", "a", "b c", "-k", "x", "{suite-args}", "end"])
    );
    let commands = lines.iter().filter_map(|line| line["command"].as_array());
    let ends: std::collections::BTreeSet<String> = commands
        .map(|words| words.iter().skip(3).map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), ["-k x --y end", "-k x end"]);
    let stored = place.derny(&["show", "last", "-f", "json"]).expect(0).json();
    assert_eq!(stored["run"]["built"][0]["suite_args"], json!(["a", "b c", "-k", "x"]));
}

#[test]
fn what_is_selected_decides_whether_arguments_have_a_place() {
    let place = project("harness = { command = './bench.sh' }\n");
    place.write(
        "derny.toml",
        "[suite.a]\nharness = { command = ['./bench.sh', '{suite-args}'] }\n[suite.b]\nharness = { command = './bench.sh' }\n",
    );
    place.derny(&["run", "a/fake/steady", "--once", "--args", "x"]).expect(0);
    let done = place.derny(&["run", "steady", "--once", "--args", "x"]).expect(2);
    assert!(done.err.contains("suite `b`"), "{}", done.err);
}

#[test]
fn a_harness_without_a_place_for_them_takes_arguments_for_the_runtime() {
    let place = project(
        "harness = { command = ['{runtime}', '{args}', 'end'], runtime = './bench.sh' }\nargs = ['a']\n",
    );
    assert!(once(&place, &[]).contains("<a><end>"));
    let both = "harness = { command = ['{runtime}', '{args}', 'file', '{suite-args}'], runtime = './bench.sh' }\n\
                args = ['a']\nruntime-args = ['-r']\n";
    let place = project(both);
    assert!(once(&place, &["-x", "v+--flag"]).contains("<-r><--flag><file><a>"));
}

#[test]
fn sides_are_built_with_arguments_of_their_own() {
    let toml = "harness = { command = '{build}/bench' }\nbuild = ['sh', 'build.sh', '{build}', '{build-args}']\nbuild-args = ['--all']\n";
    let place = project(toml);
    let build = format!(
        "folder=$1; shift; echo \"$*\" >> built\nprintf '#!/bin/sh\\n# %s\\nexec %s\\n' \"$*\" '{}' > \"$folder/bench\"\nchmod +x \"$folder/bench\"\n",
        harness()
    );
    place.write("build.sh", &build);
    let line = [
        "run",
        "steady",
        "-f",
        "ndjson",
        "--build-args",
        "'x y'",
        "-x",
        "plain@.",
        "-x",
        "simd+build:--simd=1",
    ];
    let lines = place.derny(&[&line[..], &TINY[..]].concat()).expect(0).lines();
    assert_eq!(place.read("built"), "--all x y\n--all x y --simd=1\n");
    let run = &lines[0]["run"];
    assert_eq!(run["variants"][1]["build_args"], json!(["--simd=1"]));
    assert_eq!(run["built"][1]["build_args"], json!(["--all", "x y", "--simd=1"]));
    let programs: std::collections::BTreeSet<String> =
        lines.iter().filter_map(|line| Some(line["command"][0].as_str()?.to_string())).collect();
    assert_eq!(programs.len(), 2, "each side has a program of its own: {programs:?}");
    place.write(
        "derny.toml",
        "[suite.s]\nharness = { command = './bench.sh' }\nbuild = ['true', '{build-args}']\n",
    );
    let done = place.derny(&["run", "steady", "--once", "-x", "a@.", "-x", "b+build:-O"]).expect(2);
    assert!(done.err.contains("would be the same program"), "{}", done.err);
}
