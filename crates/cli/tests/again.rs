//! Tests `run --against`. Derny measures the baseline again together with the new code, from its kept
//! program or its commit. If it cannot, a line gives the reason, and the stored times are compared.

#![cfg(unix)]

use crate::place::{Done, Place, git, harness, number};
use serde_json::Value;
use std::process::Command;

/// Settings with which a run with made-up times reaches a verdict in every case.
const SURE: [&str; 8] =
    ["--set", "processes=11", "--set", "rounds=4", "--set", "warmup=0", "--budget", "60s"];

fn commit(place: &Place, subject: &str) {
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-qm", subject]);
}

/// Returns the source of a program that runs the scripted harness with made-up times, slower by `offset` per
/// cent.
fn program(offset: u32) -> String {
    format!(
        "use std::os::unix::process::CommandExt;\nfn main() {{\n    let mut command = std::process::Command::new({:?});\n    \
         let error = command.args([\"--made-up\", \"--noise=0.1\", \"--changed=fake/steady:{offset}\"]).exec();\n    \
         panic!(\"{{error}}\");\n}}\n",
        harness()
    )
}

/// Returns a repository with a compiled suite. Each build appends a line to `log`.
fn compiled() -> Place {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\nlog\nbench\n");
    place.write("derny.toml", "[suite.s]\nharness = { command = './bench' }\nbuild = 'sh build.sh'\n");
    let log = place.root.join("log");
    place.write("build.sh", &format!("pwd >> '{}'\nrustc -o bench bench.rs\n", log.display()));
    place.write("bench.rs", &program(0));
    commit(&place, "first");
    place
}

/// Returns a repository whose suite is a script.
fn interpreted() -> Place {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\n");
    place.write("derny.toml", "[suite.s]\nharness = { command = 'sh bench.sh' }\n");
    script(&place, 0);
    commit(&place, "first");
    place
}

fn script(place: &Place, offset: u32) {
    let line = format!("exec '{}' --made-up --noise=0.1 --changed=fake/steady:{offset}\n", harness());
    place.write("bench.sh", &line);
}

fn run(place: &Place, args: &[&str]) -> Done {
    place.derny(&[&["run", "steady"], &SURE[..], args].concat())
}

/// Returns the comparison of a run, and its standard error.
#[track_caller]
fn compared(place: &Place, args: &[&str]) -> (Value, String) {
    let done = run(place, &[args, &["-f", "json"]].concat()).expect(0);
    (done.json()["comparison"].clone(), done.err)
}

/// Returns the verdict, or `same` for any change within the margin. With few pairs, such a change may be
/// significant by chance.
fn verdict(comparison: &Value) -> &str {
    let verdict = comparison["cases"][0]["sides"][0]["verdict"].as_str().unwrap();
    if verdict.ends_with("within-margin") { "same" } else { verdict }
}

fn change(comparison: &Value) -> f64 {
    number(&comparison["cases"][0]["sides"][0]["changes"][0]["change"]["value"])
}

fn kept(place: &Place) -> usize {
    std::fs::read_dir(place.root.join(".derny/kept")).map_or(0, |folder| folder.count())
}

#[test]
fn a_kept_program_is_measured_beside_the_new_one() {
    let place = compiled();
    run(&place, &["--save", "main"]).expect(0);
    assert_eq!(kept(&place), 1);
    let (same, err) = compared(&place, &["--against", "main"]);
    assert_eq!((verdict(&same), &same["pairing"]), ("same", &"paired".into()), "{err}");
    assert_eq!(same["against"]["again"], "program");
    assert_eq!((&same["sides"][0]["name"], &same["sides"][1]["name"]), (&"main".into(), &"new".into()));
    // The working tree now has another build with uncommitted changes. The kept program is unchanged.
    place.write("bench.rs", &program(50));
    let done = run(&place, &["--against", "main"]).expect(0);
    assert!(done.out.contains("measured again, in pairs") && done.out.contains("slower"), "{}", done.out);
    let worse = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!((verdict(&worse), &worse["against"]["again"]), ("worse", &"program".into()));
    assert!((0.49..0.51).contains(&change(&worse)), "{worse}");
    let folders = std::fs::read_to_string(place.root.join("log")).unwrap();
    assert!(!folders.contains("worktrees"), "nothing was built of the commit: {folders}");
    // A gate on the baseline uses the pairs, whether or not the baseline is named.
    for args in [
        &["compare", "--gate"][..],
        &["compare", "--gate", "main", "last"],
        &["compare", "main", "--fail-on", "worse"],
    ] {
        let done = place.derny(args).expect(1);
        assert!(done.out.contains("measured again, in pairs"), "{}", done.out);
    }
    // Formats without a field for variants export only the run's own variant.
    place.derny(&["export", "-f", "node-run"]).expect(0);
    place.derny(&["export", "-f", "node-compare"]).expect(0);
    place.derny(&["export", "-f", "node-compare", "--against", "main"]).expect(0);
    // Make this run a baseline. The program kept for it is its own, not the one that it measured again.
    place.derny(&["runs", "baseline", "set", "next"]).expect(0);
    assert_eq!(kept(&place), 2);
    let (same, _) = compared(&place, &["--against", "next"]);
    assert_eq!((verdict(&same), &same["against"]["again"]), ("same", &"program".into()));
}

#[test]
fn what_is_stored_is_compared_if_asked_for() {
    let place = compiled();
    run(&place, &["--save", "main"]).expect(0);
    place.write("bench.rs", &program(50));
    let (stored, err) = compared(&place, &["--against", "main", "--stored"]);
    assert_eq!(stored["pairing"], "unpaired");
    assert!(stored["against"]["again"].is_null() && stored["against"]["why_stored"].is_null(), "{stored}");
    assert!(!err.contains("not measured again"), "{err}");
    let done = run(&place, &["--against", "main", "--stored"]).expect(0);
    assert!(done.out.contains("unpaired, against stored run "), "{}", done.out);
    let gate = place.derny(&["compare", "--gate", "main", "last", "--fail-on", "worse"]);
    assert!(gate.out.contains("unpaired, against stored run "), "{}", gate.out);
    place.derny(&["run", "--stored"]).expect(2);
}

#[test]
fn what_was_changed_beside_its_commit_and_not_kept_cannot_be_measured_again() {
    let place = interpreted();
    script(&place, 10);
    run(&place, &["--save", "main"]).expect(0);
    let (stored, err) = compared(&place, &["--against", "main"]);
    assert_eq!(stored["pairing"], "unpaired");
    let why = stored["against"]["why_stored"].as_str().unwrap();
    assert!(why.contains("uncommitted changes on top of commit"), "{why}");
    assert!(err.contains("is not measured again: ") && err.contains(why), "{err}");
    // For a compiled suite, the message also mentions that the program is gone.
    let place = compiled();
    place.write("bench.rs", &program(10));
    run(&place, &["--save", "main"]).expect(0);
    std::fs::remove_dir_all(place.root.join(".derny/kept")).unwrap();
    place.write("bench.rs", &program(20));
    // Until the next build, the program in the working tree is still that of the baseline.
    let (stored, _) = compared(&place, &["--against", "last"]);
    assert_eq!(stored["pairing"], "paired");
    std::fs::remove_dir_all(place.root.join(".derny/kept")).unwrap();
    let (stored, err) = compared(&place, &["--against", "main"]);
    assert_eq!(stored["pairing"], "unpaired");
    assert!(err.contains("program was not kept"), "{err}");
}

#[test]
fn a_commit_is_measured_again_in_a_worktree() {
    let place = interpreted();
    run(&place, &["--save", "main"]).expect(0);
    script(&place, 50);
    let (worse, err) = compared(&place, &["--against", "main", "--fail-on", "unclear"]);
    assert_eq!((verdict(&worse), &worse["against"]["again"]), ("worse", &"commit".into()), "{err}");
    // A program that was not kept is built again from its commit.
    let place = compiled();
    run(&place, &["--save", "main"]).expect(0);
    std::fs::remove_dir_all(place.root.join(".derny/kept")).unwrap();
    place.write("bench.rs", &program(50));
    run(&place, &[]).expect(0);
    let (worse, err) = compared(&place, &["--against", "main"]);
    assert_eq!((verdict(&worse), &worse["against"]["again"]), ("worse", &"commit".into()), "{err}");
    assert!(std::fs::read_to_string(place.root.join("log")).unwrap().contains("worktrees"));
    // Another run can take the name of a baseline whose program is missing.
    place.derny(&["runs", "baseline", "set", "main", "last~1"]).expect(0);
    // If the commit can no longer be built, a line reports that.
    let place = compiled();
    place.write("build.sh", "test -f here || exit 9\nrustc -o bench bench.rs\n");
    place.write("here", "");
    place.write(".gitignore", ".derny\nlog\nbench\nhere\n");
    commit(&place, "builds here only");
    run(&place, &["--save", "main"]).expect(0);
    std::fs::remove_dir_all(place.root.join(".derny/kept")).unwrap();
    place.write("bench.rs", &program(50));
    run(&place, &[]).expect(0);
    let (stored, err) = compared(&place, &["--against", "main"]);
    assert_eq!(stored["pairing"], "unpaired");
    assert!(err.contains("cannot be built at ") && err.contains("exit status: 9"), "{err}");
}

#[test]
fn a_commit_that_is_not_in_the_clone_says_what_to_type() {
    let place = interpreted();
    run(&place, &["--save", "main"]).expect(0);
    commit_without_history(&place);
    let (stored, err) = compared(&place, &["--against", "main"]);
    assert_eq!(stored["pairing"], "unpaired");
    assert!(err.contains("is not in this clone; `git fetch origin "), "{err}");
    std::fs::remove_dir_all(place.root.join(".git")).unwrap();
    let (_, err) = compared(&place, &["--against", "main"]);
    assert!(err.contains("no git repository here"), "{err}");
}

/// Replaces the repository with one that has the same files but not the earlier commits.
fn commit_without_history(place: &Place) {
    std::fs::remove_dir_all(place.root.join(".git")).unwrap();
    git(&place.root, &["init", "-q", "-b", "main"]);
    commit(place, "another history");
}

#[test]
fn a_kept_program_that_was_changed_is_not_used() {
    let place = compiled();
    run(&place, &["--save", "main"]).expect(0);
    place.write("bench.rs", &program(50));
    run(&place, &[]).expect(0);
    let folder = std::fs::read_dir(place.root.join(".derny/kept")).unwrap().flatten();
    let file = folder.map(|entry| entry.path()).next().unwrap();
    std::fs::copy(place.root.join("bench"), &file).unwrap();
    let (worse, _) = compared(&place, &["--against", "main"]);
    assert_eq!((verdict(&worse), &worse["against"]["again"]), ("worse", &"commit".into()));
}

#[test]
fn kept_programs_go_with_their_baselines_and_for_the_limit() {
    let place = compiled();
    for (offset, name) in [(0, "a"), (1, "b"), (2, "c")] {
        place.write("bench.rs", &program(offset));
        place.derny(&["run", "steady", "--once", "--save", name]).expect(0);
    }
    assert_eq!(kept(&place), 3);
    place.derny(&["runs", "baseline", "remove", "a"]).expect(0);
    assert_eq!(kept(&place), 2);
    place.derny(&["runs", "delete", "b", "--force"]).expect(0);
    assert_eq!(kept(&place), 1);
    // Moving a baseline to another run removes the programs that only the old run needed. Baselines share the
    // programs that several of them need.
    place.derny(&["runs", "baseline", "set", "also", "c"]).expect(0);
    assert_eq!(kept(&place), 1);
    place.write("bench.rs", &program(3));
    place.derny(&["run", "steady", "--once", "--save", "c"]).expect(0);
    assert_eq!(kept(&place), 2);
    // There is room for two programs. The oldest one is removed and reported.
    let bytes = std::fs::metadata(place.root.join("bench")).unwrap().len();
    let limit = |kept: u64| {
        let text = std::fs::read_to_string(place.root.join("derny.toml")).unwrap();
        let suite = text.trim_start_matches(|c| c != '[');
        place.write("derny.toml", &format!("kept-programs = '{kept}'\n{suite}"));
    };
    limit(bytes * 5 / 2);
    place.write("bench.rs", &program(4));
    let done = place.derny(&["run", "steady", "--once", "--save", "d"]).expect(0);
    assert!(done.err.contains("program of baseline also is no longer kept"), "{}", done.err);
    assert_eq!(kept(&place), 2);
    // A program above the limit is not kept, and does not displace others.
    limit(bytes / 2);
    place.write("bench.rs", &program(5));
    let done = place.derny(&["run", "steady", "--once", "--save", "e"]).expect(0);
    assert!(done.err.contains("program of baseline e is not kept: its size is "), "{}", done.err);
    place.write("derny.toml", "kept-programs = 'much'\n");
    assert!(place.derny(&["runs", "baseline", "set", "f", "last"]).expect(2).err.contains("`kept-programs`"));
}

#[test]
fn variants_are_each_compared_with_the_baseline() {
    let place = interpreted();
    run(&place, &["--save", "main"]).expect(0);
    let args = ["--against", "main", "-x", "one@.", "-x", "two+--changed=fake/steady:50"];
    place.write("bench.sh", &format!("exec '{}' --made-up --noise=0.1 \"$@\"\n", harness()));
    let (both, err) = compared(&place, &args);
    let names: Vec<&str> =
        both["sides"].as_array().unwrap().iter().map(|side| side["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["main", "one", "two"], "{err}");
    let sides = &both["cases"][0]["sides"];
    let [one, two] = [&sides[0]["verdict"], &sides[1]["verdict"]].map(|verdict| verdict.as_str().unwrap());
    assert!(one == "same" || one.ends_with("within-margin"), "{one}");
    assert_eq!(two, "worse");
    let (stored, _) = compared(&place, &[&args[..], &["--stored"]].concat());
    assert_eq!(stored["cases"][0]["sides"].as_array().unwrap().len(), 2);
    let taken = run(&place, &["--against", "main", "-x", "main@."]).expect(2);
    assert!(taken.err.contains("two variants are called `main`"), "{}", taken.err);
    // A revision with the same commit shares the worktree.
    let (same, _) = compared(&place, &["--against", "main", "-x", "old@main"]);
    assert_eq!((verdict(&same), &same["against"]["again"]), ("same", &"commit".into()));
}

#[test]
fn a_case_that_the_baseline_does_not_have_is_told() {
    let place = interpreted();
    let cases = |count| format!("exec '{}' --made-up --noise=0.1 --cases={count}\n", harness());
    place.write("bench.sh", &cases(1));
    commit(&place, "one case");
    place.derny(&[&["run"], &SURE[..], &["--save", "main"]].concat()).expect(0);
    place.write("bench.sh", &cases(2));
    let done = place.derny(&[&["run"], &SURE[..], &["--against", "main", "-f", "json"]].concat());
    let done = done.expect(0);
    assert!(done.err.contains("is skipped: main does not have it"), "{}", done.err);
    let comparison = &done.json()["comparison"];
    assert_eq!(comparison["alone"][0][1], "s/fake/copy-002", "{comparison}");
    assert_eq!(verdict(comparison), "same");
}

#[test]
fn a_control_is_of_the_baseline_and_cases_may_share_processes() {
    let place = interpreted();
    place.derny(&[&["run", "steady", "sized"], &SURE[..], &["--save", "main"]].concat()).expect(0);
    let args = ["--control", "--set", "isolation=suite", "--against", "main", "-f", "json"];
    let done = place.derny(&[&["run", "steady", "sized"], &SURE[..], &args].concat()).expect(0);
    let comparison = &done.json()["comparison"];
    assert_eq!(comparison["against"]["again"], "commit", "{}", done.err);
    let sides = comparison["sides"].as_array().unwrap();
    let controls: Vec<bool> = sides.iter().map(|side| side["control"].as_bool().unwrap()).collect();
    assert_eq!(controls, [false, true, false]);
    assert!(comparison["cases"].as_array().unwrap().len() > 1);
}

#[test]
fn an_interrupted_run_goes_on_with_its_baseline() {
    let place = compiled();
    run(&place, &["--save", "main"]).expect(0);
    place.write("bench.rs", &program(50));
    let long = [
        "--set",
        "processes=6",
        "--set",
        "rounds=400",
        "--set",
        "warmup=0",
        "--budget",
        "60s",
        "--set",
        "wave=1",
    ];
    let args = [&["run", "steady"], &long[..], &["--precise", "--against", "main", "-f", "ndjson"]].concat();
    let events = std::fs::File::create(place.root.join("events")).unwrap();
    let mut command = place.command(&args);
    let mut child = command.stdout(events).stderr(std::process::Stdio::null()).spawn().unwrap();
    let start = std::time::Instant::now();
    while !std::fs::read_to_string(place.root.join("events")).unwrap().contains("visit-ended") {
        assert!(start.elapsed() < std::time::Duration::from_secs(30) && child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let done = place.derny(&["run", "--resume", "-f", "json"]).expect(0);
    let comparison = &done.json()["comparison"];
    assert_eq!(comparison["against"]["again"], "program");
    assert!((0.49..0.51).contains(&change(comparison)), "{comparison}");
}
