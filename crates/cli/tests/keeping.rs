//! Tests stored runs: showing, listing, naming, exporting and resuming them.

#![cfg(unix)]

use crate::place::{self, Place, fake_args, harness};
use derny_store::Store;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

#[test]
fn show_finds_runs_and_their_cases() {
    let place = Place::new();
    place.derny(&["show"]).expect(2);
    assert!(!place.root.join(".derny").exists(), "looking makes no store");
    place.tiny(&["steady", "work"]).expect(0);
    place.tiny(&["sized"]).expect(0);
    let out = |args: &[&str]| place.derny(&[&["show"], args].concat()).expect(0).out;
    assert!(out(&[]).contains("fake/sized") && !out(&[]).contains("fake/work"));
    assert!(out(&["last~1"]).contains("fake/steady"));
    assert!(out(&["last~1", "work"]).contains("fake/work") && !out(&["last~1", "work"]).contains("steady"));
    assert!(
        out(&["n=2"]).contains("fake/sized") && !out(&["n=2"]).contains("n=1"),
        "a pattern for the last run"
    );
    let by_parameter = place.derny(&["show", "-p", "n=1", "-f", "json"]).expect(0).json();
    assert_eq!(by_parameter["suites"][0]["cases"].as_array().unwrap().len(), 1);
    assert_eq!(by_parameter["suites"][0]["cases"][0]["case"]["id"]["params"][0][1], "1");
    let without = place.derny(&["show", "--exclude", "n=1", "-f", "csv"]).expect(0).out;
    assert!(without.contains("fake/sized,2,") && !without.contains("fake/sized,1,"), "{without}");
    let id = place.runs()[1]["header"]["id"].as_str().unwrap().to_string();
    assert!(out(&[&id]).contains("fake/steady"));
    assert!(out(&["-f", "markdown"]).contains("| "));
    let none = place.derny(&["show", "last", "nosuch"]).expect(4);
    assert!(none.err.contains("matches `nosuch`"), "{}", none.err);
    let neither = place.derny(&["show", "nosuch"]).expect(4);
    assert!(
        neither.err.contains("matches `nosuch`") && neither.err.contains("nor is it a run"),
        "{}",
        neither.err
    );
    place.derny(&["show", "-p", "n=9"]).expect(4);
}

#[test]
fn show_tells_all_about_a_case() {
    let place = Place::new();
    place.tiny(&["steady", "work"]).expect(0);
    let case = place.derny(&["show", "--case", "last", "steady"]).expect(0).out;
    for part in ["fake/steady", "quartiles", "processes", "batches", "warning DY201"] {
        assert!(case.contains(part), "{part} is missing:\n{case}");
    }
    assert!(!case.contains("fake/work"));
    let both = place.derny(&["show", "--case"]).expect(0).out;
    assert!(both.contains("fake/steady") && both.contains("fake/work"));
    let file = place.root.join("case.txt");
    place.derny(&["show", "--case", "-o", file.to_str().unwrap()]).expect(0);
    assert!(std::fs::read_to_string(file).unwrap().contains("fake/steady"));
}

#[test]
fn runs_are_listed_annotated_and_deleted() {
    let place = Place::new();
    place.tiny(&["steady", "--note", "before the change"]).expect(0);
    place.tiny(&["work", "--save", "main"]).expect(0);
    place.tiny(&["slow"]).expect(0);
    let table = place.derny(&["runs"]).expect(0).out;
    assert!(table.starts_with("RUN ") && table.lines().count() == 4, "{table}");
    assert!(table.contains("before the change") && table.contains("main"), "{table}");
    assert_eq!(place.derny(&["runs", "-n", "1"]).expect(0).out.lines().count(), 2);
    place.derny(&["runs", "note", "last", "after it"]).expect(0);
    assert_eq!(place.runs()[0]["header"]["note"], "after it");
    place.derny(&["runs", "note", "last", ""]).expect(0);
    assert!(place.runs()[0]["header"]["note"].is_null());
    let named = place.derny(&["runs", "delete", "main"]).expect(2);
    assert!(named.err.contains("it is the baseline main"), "{}", named.err);
    assert_eq!(place.runs().len(), 3);
    place.derny(&["runs", "delete", "main", "--force"]).expect(0);
    assert_eq!(place.runs().len(), 2);
    // Both names are resolved before anything is deleted.
    place.derny(&["runs", "delete", "last", "last~1"]).expect(0);
    assert!(place.runs().is_empty());
}

#[test]
fn pruning_spares_baselines_notes_and_the_newest() {
    let place = Place::new();
    place.tiny(&["steady", "--note", "keep"]).expect(0);
    for _ in 0..2 {
        place.tiny(&["steady"]).expect(0);
    }
    let done = place.derny(&["runs", "prune", "--keep", "1"]).expect(0);
    assert!(done.err.contains("pruned 1 run:"), "{}", done.err);
    let different = |run: &str| {
        let rows = place.derny(&["export", run, "--raw", "-f", "ndjson"]).expect(0).lines();
        let turn = |row: &serde_json::Value| (row["visit"].to_string(), row["at_ns"].to_string());
        let mut turns: std::collections::BTreeMap<_, BTreeSet<u64>> = Default::default();
        for row in rows.iter().filter(|row| row["phase"] == "measured") {
            turns.entry(turn(row)).or_default().insert(row["time_ns"].as_u64().unwrap());
        }
        turns.values().map(BTreeSet::len).max().unwrap()
    };
    assert_eq!(different("last~1"), 1, "one time per turn is left");
    assert!(different("last") > 1 && different("last~2") > 1);
    let above = place.derny(&["runs", "prune", "--keep", "0", "--above", "1G"]).expect(0);
    assert!(above.err.contains("pruned 0 runs"), "{}", above.err);
}

#[test]
fn baselines_are_set_listed_moved_and_removed() {
    let place = Place::new();
    assert_eq!(
        place.derny(&["runs", "baseline", "list", "-f", "json"]).expect(0).out.trim(),
        "[]",
        "before any run"
    );
    assert!(place.derny(&["runs", "baseline"]).expect(0).err.contains("there are no baselines"));
    place.tiny(&["steady"]).expect(0);
    assert!(place.derny(&["runs", "baseline"]).expect(0).err.contains("there are no baselines"));
    place.derny(&["runs", "baseline", "set", "main"]).expect(0);
    let first = place.runs()[0]["header"]["id"].clone();
    place.tiny(&["steady"]).expect(0);
    let list = || place.derny(&["runs", "baseline", "list", "-f", "json"]).expect(0).json();
    assert_eq!(list()[0]["header"]["id"], first);
    assert_eq!(list()[0]["baselines"][0], "main");
    place.derny(&["runs", "baseline", "set", "main", "last"]).expect(0);
    assert_ne!(list()[0]["header"]["id"], first);
    assert!(place.derny(&["runs", "baseline"]).expect(0).out.contains("main"));
    place.derny(&["runs", "baseline", "remove", "main"]).expect(0);
    assert_eq!(list().as_array().unwrap().len(), 0);
}

#[test]
fn changes_are_against_the_run_asked_for() {
    let place = Place::new();
    place.tiny(&["steady", "--save", "main", "--", "--cost-ns=100"]).expect(0);
    place.tiny(&["steady", "--", "--cost-ns=50"]).expect(0);
    let main =
        place.derny(&["runs", "baseline", "list", "-f", "json"]).expect(0).json()[0]["header"]["id"].clone();
    let against = ["steady", "--against", "main", "-f", "json"];
    let again = place.tiny(&[&against[..], &["--", "--cost-ns=50"]].concat()).expect(0).json();
    let run = &again["comparison"]["against"];
    assert_eq!((&run["run"], &run["again"]), (&main, &"program".into()), "launched as it was then");
    let done = place.tiny(&[&against[..], &["--stored", "--", "--cost-ns=50"]].concat()).expect(0);
    let document = done.json();
    let change = &document["suites"][0]["cases"][0]["change"];
    assert_eq!(change["run"], main);
    let ratio = change["change"].as_f64().unwrap();
    assert!((-0.8..-0.2).contains(&ratio), "half the time, not {ratio}");
    assert_eq!(document["baseline"][0], "main");
    let shown = format!("compare again with `derny compare {} ", main.as_str().unwrap());
    assert!(done.err.contains(&shown), "{}", done.err);
    // Without a name, the last comparable run is used.
    let last = place.tiny(&["steady", "--", "--cost-ns=50"]).expect(0);
    assert!(last.out.contains("change"), "{}", last.out);
    assert!(last.err.contains("not measured together"), "{}", last.err);
    // Two variants are compared with each other.
    let (a, b) = (format!("a={}", harness()), format!("b={}", harness()));
    for _ in 0..2 {
        let both = place.fake(&[&["run", "steady", "-x", &a, "-x", &b], &place::TINY[..]].concat()).expect(0);
        assert!(both.err.contains("saved run") && !both.err.contains("unpaired"), "{}", both.err);
    }
}

#[test]
fn a_run_is_never_set_against_itself() {
    let place = Place::new();
    place.tiny(&["steady", "--save", "tip", "--", "--cost-ns=100"]).expect(0);
    for name in ["tip", "last"] {
        let before = place.runs()[0]["header"]["id"].clone();
        let args = ["steady", "--save", "tip", "--against", name, "-f", "json"];
        let again = [&args[..], &["--", "--cost-ns=50"]].concat();
        let document = place.tiny(&again).expect(0).json();
        assert_ne!(document["run"]["id"], before);
        assert_eq!(document["comparison"]["against"]["run"], before, "{name}");
        let before = document["run"]["id"].clone();
        let stored = [&args[..], &["--stored", "--", "--cost-ns=50"]].concat();
        let document = place.tiny(&stored).expect(0).json();
        assert_ne!(document["run"]["id"], before);
        // If the machine was too busy to show a change, the field is absent.
        let change = &document["suites"][0]["cases"][0]["change"];
        assert!(change.is_null() || change["run"] == before, "{name}: {change}");
    }
}

#[test]
fn exports_have_rows() {
    let place = Place::new();
    place.tiny(&["steady", "work"]).expect(0);
    let raw = place.derny(&["export", "--raw"]).expect(0).out;
    let rows = place.rows();
    assert_eq!(raw.lines().count(), rows.len() + 1);
    assert!(raw.starts_with("suite,benchmark,variant,process,visit,"), "{raw}");
    assert!(rows.iter().any(|row| row["phase"] == "overhead" || row["phase"] == "cold"));
    let file = place.root.join("rows.csv");
    place.derny(&["export", "last", "steady", "--raw", "-o", file.to_str().unwrap()]).expect(0);
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("fake/steady") && !text.contains("fake/work"));
}

#[test]
fn repeat_stores_a_run_each_time() {
    let place = Place::new();
    place.tiny(&["steady", "--repeat", "3", "-q"]).expect(0);
    assert_eq!(place.runs().len(), 3);
}

#[test]
fn the_store_is_where_it_was_said_to_be() {
    let place = Place::new();
    place.write("derny.toml", "store = \"kept/here\"\n");
    place.tiny(&["steady"]).expect(0);
    assert!(place.root.join("kept/here/derny.sqlite").exists());
    place.tiny(&["steady", "--store", "elsewhere"]).expect(0);
    assert!(place.root.join("elsewhere/derny.sqlite").exists());
    let mut args = vec!["run", "steady"];
    args.extend(place::TINY);
    place.derny_with(&[("DERNY_STORE", "third")], &fake_args(&args)).expect(0);
    assert!(place.root.join("third/derny.sqlite").exists());
    assert!(!place.root.join(".derny").exists());
}

/// Starts a long run, interrupts it once a case has turns, and waits for its end.
fn interrupted(place: &Place, args: &[&str]) {
    let all = [
        args,
        &["--budget", "60s", "--set", "precision=0.0001%", "--set", "processes=6", "--set", "rounds=40"],
    ]
    .concat();
    let args = fake_args(
        &[&all, &["--set", "warmup=0", "--set", "wave=1", "-f", "ndjson", "--", "--cases=2"][..]].concat(),
    );
    let events = std::fs::File::create(place.root.join("events")).unwrap();
    let mut child = place.command(&args).stdout(events).stderr(std::process::Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(place.root.join("events")).unwrap();
        if text.contains("visit-ended") {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{text}");
        assert!(child.try_wait().unwrap().is_none(), "it ended too soon: {text}");
        std::thread::sleep(Duration::from_millis(10));
    }
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupted_run_goes_on() {
    let place = Place::new();
    interrupted(&place, &["run", "--note", "long"]);
    let before = place.runs()[0].clone();
    assert_eq!(before["header"]["status"], "partial");
    let visits = |rows: &[serde_json::Value]| {
        let complete = rows.iter().filter(|row| row["complete"] == true);
        complete.map(|row| row["visit"].as_u64().unwrap()).collect::<BTreeSet<_>>()
    };
    let kept = visits(&place.rows());
    assert!(!kept.is_empty());
    let done = place.derny(&["run", "--resume", "-f", "json"]).expect(0);
    let document = done.json();
    assert_eq!(document["run"]["id"], before["header"]["id"]);
    assert_eq!(document["run"]["status"], "complete");
    assert_eq!(place.runs().len(), 1);
    let after = visits(&place.rows());
    assert!(kept.is_subset(&after) && after.len() == 12, "{kept:?} {after:?}");
    // Two processes of a case in one block would be indistinguishable.
    let store = Store::open_existing(&place.root.join(".derny")).unwrap().unwrap();
    let mut blocks: Vec<u32> =
        store.load("last").unwrap().processes.iter().map(|start| start.block).collect();
    blocks.sort_unstable();
    assert!(blocks.is_sorted_by(|one, next| one < next), "{blocks:?}");
    let again = place.derny(&["run", "--resume"]).expect(2);
    assert!(again.err.contains("is complete"), "{}", again.err);
}

/// An earlier version compared pairs and decided mean time in every case. Its interrupted runs resume under
/// that rule.
#[test]
fn an_interrupted_run_of_the_rule_before_goes_on_by_it() {
    let place = Place::new();
    interrupted(&place, &["run", "-x", "old@.", "-x", "new@."]);
    let store = Store::open_existing(&place.root.join(".derny")).unwrap().unwrap();
    let mut records = store.load("last").unwrap();
    assert!(records.header.settings.waves && !records.header.settings.mean);
    (records.header.settings.waves, records.header.settings.mean) = (false, true);
    records.processes.iter_mut().for_each(|start| start.wave = None);
    let (visits, processes) = (records.visits.len(), records.processes.len());
    store.delete(&records.header.id.to_string(), true).unwrap();
    store.keep(&records).unwrap();
    let document = place.derny(&["run", "--resume", "-f", "json"]).expect(0).json();
    assert_eq!(document["run"]["settings"]["mean"], true, "{}", document["run"]["settings"]);
    let after = store.load("last").unwrap();
    assert!(after.visits.len() > visits && after.processes.len() > processes);
    assert!(after.processes.iter().all(|start| start.wave.is_none()), "it went on in waves");
    let cases = document["comparison"]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    for case in cases {
        let changes = case["sides"][0]["changes"].as_array().unwrap();
        let mean = changes.iter().find(|change| change["statistic"] == "mean").unwrap();
        assert_ne!(mean["reason"], "not-asked", "{mean}");
    }
}

#[test]
fn a_run_goes_on_from_another_folder_with_what_it_was_given() {
    let place = Place::new();
    std::fs::create_dir_all(place.root.join("project/deep")).unwrap();
    let store = place.root.join("store");
    let store = store.to_str().unwrap();
    place.write("project/derny.toml", "gc = \"never\"\n");
    // A relative command is resolved against the project's root, wherever the run is resumed.
    place.program("project/bench.sh", &format!("#!/bin/sh\nexec '{}' \"$@\"\n", harness()));
    let all =
        ["-C", "project", "--store", store, "run", "copy", "--budget", "60s", "--set", "precision=0.0001%"];
    let rest = [
        "--set",
        "processes=6",
        "--set",
        "rounds=40",
        "--set",
        "warmup=0",
        "--set",
        "wave=1",
        "-f",
        "ndjson",
    ];
    let args = [&all[..], &rest, &["--", "./bench.sh", "--cases=2"]].concat();
    let events = std::fs::File::create(place.root.join("events")).unwrap();
    let mut child = place.command(&args).stdout(events).stderr(std::process::Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !std::fs::read_to_string(place.root.join("events")).unwrap().contains("visit-ended") {
        assert!(start.elapsed() < Duration::from_secs(30) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let done = place.derny(&["--store", store, "run", "--resume=last", "-f", "json"]).expect(0);
    let run = &done.json()["run"];
    assert_eq!(run["status"], "complete");
    assert_eq!(run["settings"]["gc"], "never");
    assert!(!place.root.join(".derny").exists() && !place.root.join("project/.derny").exists());
}
