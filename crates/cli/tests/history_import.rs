//! Tests `derny history import`: histories of other tools. Nothing here measures.

#![cfg(unix)]

use crate::place::{Place, git};
use serde_json::Value;

const DEFINITIONS: &str = r#"{"b.time_a": {"unit": "seconds", "param_names": ["n"]},
    "b.peakmem": {"unit": "bytes", "param_names": []}, "version": 2}"#;

/// Returns a result of asv. The second value of `b.time_a` has failed.
fn asv(commit: &str, machine: &str, ms: f64) -> String {
    format!(
        r#"{{"commit_hash": "{commit}", "env_name": "e", "date": 1700000000000, "version": 2, "python": "3.11",
        "params": {{"machine": "{machine}", "cpu": "c", "python": "3.11"}}, "requirements": {{"numpy": "2"}},
        "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b"],
        "results": {{"b.time_a": [[{}, null, NaN], [["1", "2", "3"]], "v1v1v1v1v1", 1, 1, [{}], [{}]],
          "b.peakmem": [[1000], []]}}}}"#,
        ms / 1e3,
        ms / 1.1e3,
        ms / 0.9e3,
    )
}

fn commit(letter: char) -> String {
    letter.to_string().repeat(40)
}

/// Writes a folder of asv with two machines and three results.
fn folder(place: &Place) {
    place.write("results/benchmarks.json", DEFINITIONS);
    place.write("results/vm/machine.json", r#"{"machine": "vm", "version": 1}"#);
    place.write("results/vm/aa.json", &asv(&commit('a'), "vm", 5.0));
    place.write("results/vm/bb.json", &asv(&commit('b'), "vm", 6.0));
    place.write("results/pi/aa.json", &asv(&commit('a'), "pi", 50.0));
}

/// Returns the points of all histories as text, sorted.
fn points(place: &Place) -> Vec<String> {
    let mut all = Vec::new();
    for figure in ["time", "memory"] {
        let out = place.derny(&["history", "-m", figure, "-f", "json"]);
        let histories = if out.code == 0 { out.json() } else { Value::Null };
        for history in histories.as_array().into_iter().flatten() {
            for point in history["points"].as_array().unwrap() {
                let own =
                    [&history["case"]["benchmark"], &history["host"], &point["commit"], &point["value"]];
                all.push(own.map(Value::to_string).join(" "));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn a_folder_of_asv_is_added_once() {
    let place = Place::new();
    folder(&place);
    let out = place.derny(&["history", "import", "results"]).expect(0);
    assert_eq!(out.out, "results: 3 entries of asv (asv) in 3 files, 3 new: 6 points in 4 series\n");
    assert!(out.err.contains("left out: 3 results without a value"), "{}", out.err);
    assert!(out.err.contains("2 commits are not in this repository"), "{}", out.err);
    let first = points(&place);
    assert_eq!(first.len(), 6, "{first:?}");
    let out = place.derny(&["history", "import", "results"]).expect(0);
    assert_eq!(out.out, "results: 3 entries of asv (asv), all there already\n");
    // A result that has changed replaces the earlier one. A copy of the folder counts as the same folder.
    place.write("copy/results/benchmarks.json", DEFINITIONS);
    place.write("copy/results/vm/aa.json", &asv(&commit('a'), "vm", 7.0));
    place.write("copy/results/vm/cc.json", &asv(&commit('c'), "vm", 6.5));
    let out = place.derny(&["history", "import", "copy/results"]).expect(0);
    assert!(
        out.out.contains("2 new, of which 1 replaces an earlier one: 4 points in 2 series"),
        "{}",
        out.out
    );
    let second = points(&place);
    assert_eq!(second.len(), 8, "{second:?}");
    assert!(second.iter().any(|point| point.contains("7000000")), "{second:?}");
    assert!(!second.iter().any(|point| point.ends_with(" 5000000.0")), "{second:?}");
}

#[test]
fn cases_that_no_run_has_measured_are_named() {
    let place = Place::new();
    folder(&place);
    let note = "no recent run of this store has measured these cases";
    let out = place.derny(&["history", "import", "results"]).expect(0);
    assert!(!out.err.contains(note), "the store has no runs: {}", out.err);
    place.derny(&["import", "results/vm/aa.json"]).expect(3);
    place.write("data.js", &data_js(&[1.0]));
    let out = place.derny(&["history", "import", "results", "data.js"]).expect(0);
    assert_eq!(out.err.matches(note).count(), 1, "{}", out.err);
}

#[test]
fn a_folder_is_the_union_of_its_files() {
    let (whole, apart) = (Place::new(), Place::new());
    for place in [&whole, &apart] {
        folder(place);
    }
    whole.derny(&["history", "import", "results"]).expect(0);
    for file in ["results/vm/bb.json", "results/pi/aa.json", "results/vm/aa.json"] {
        apart.derny(&["history", "import", file]).expect(0);
    }
    assert_eq!(points(&whole), points(&apart));
    let out = apart.derny(&["history", "import", "results"]).expect(0);
    assert!(out.out.contains("all there already"), "{}", out.out);
}

/// Returns a `data.js` with an entry for each value.
fn data_js(values: &[f64]) -> String {
    let entry = |(number, value): (usize, &f64)| {
        format!(
            r#"{{"commit": {{"id": "{}"}}, "date": {}, "tool": "cargo",
            "benches": [{{"name": "<b>\u001b[31m/../x", "value": {value}, "unit": "ns/iter", "range": "± 3"}}]}}"#,
            commit(char::from(b'a' + number as u8)),
            1_700_000_000_000_u64 + number as u64
        )
    };
    let entries: Vec<String> = values.iter().enumerate().map(entry).collect();
    format!(r#"window.BENCHMARK_DATA = {{"entries": {{"S": [{}]}}}}"#, entries.join(","))
}

#[test]
fn a_data_js_that_grew_adds_its_new_entries() {
    let place = Place::new();
    place.write("data.js", &data_js(&[1.0, 2.0]));
    let out = place.derny(&["history", "import", "data.js"]).expect(0);
    assert!(out.out.contains("2 entries") && out.out.contains("2 new: 2 points in 1 series"), "{}", out.out);
    place.write("data.js", &data_js(&[1.0, 2.0, 3.0]));
    let out = place.derny(&["history", "import", "data.js", "data.js"]).expect(0);
    assert!(out.out.contains("3 entries") && out.out.contains("1 new: 1 point in 1 series"), "{}", out.out);
    assert!(out.out.contains("all there already"), "{}", out.out);
    assert_eq!(points(&place).len(), 3);
}

#[test]
fn a_damaged_file_adds_nothing_and_stops_no_other() {
    let place = Place::new();
    folder(&place);
    let text = data_js(&[1.0, 2.0]);
    place.write("results/broken/data.js", &text[..text.len() - 9]);
    place.write("results/broken/aa.json", &asv(&commit('a'), "vm", 5.0)[..300]);
    let out = place.derny(&["history", "import", "nowhere", "results"]).expect(3);
    assert!(out.out.contains("3 entries of asv"), "{}", out.out);
    assert!(out.err.contains("not imported: cannot read nowhere"), "{}", out.err);
    assert!(out.err.contains("not imported: results/broken/data.js"), "{}", out.err);
    assert_eq!(points(&place).len(), 6);
    place.write("empty/readme.txt", "no result");
    place.derny(&["history", "import", "empty"]).expect(2);
    place.derny(&["history", "import", "nowhere"]).expect(2);
}

const LOG: &str = "pkg: ex.com/a\ncpu: C\nBenchmarkX-8 100 20 ns/op\nBenchmarkX-8 100 22 ns/op\n";

#[test]
fn logs_get_their_commit_from_an_option_or_their_path() {
    let place = Place::new();
    git(&place.root, &["init", "-q"]);
    git(&place.root, &["commit", "-q", "--allow-empty", "-m", "one"]);
    let head = git(&place.root, &["rev-parse", "HEAD"]).trim().to_owned();
    place.write("a.log", LOG);
    let out = place.derny(&["history", "import", "a.log", "--commit", "HEAD"]).expect(0);
    assert!(!out.err.contains("commit"), "{}", out.err);
    place.write(&format!("logs/vm/2024-01-02_{}.txt", &head[..10]), &LOG.replace("20 ns", "30 ns"));
    let args = ["history", "import", "logs", "--path-template", "{host}/{date}_{commit}.txt"];
    let out = place.derny(&args).expect(0);
    assert!(!out.err.contains("commit") && !out.err.contains("machine"), "{}", out.err);
    let all = points(&place);
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all.iter().all(|point| point.contains(&head)), "{all:?}");
    assert!(all.iter().any(|point| point.contains("\"vm\"")), "{all:?}");
    place.derny(&["history", "import", "a.log", "--commit", "nothing"]).expect(2);
    place.derny(&["history", "import", "a.log", "--path-template", "{"]).expect(2);
}

#[test]
fn impossible_dates_and_commits_that_are_no_hashes_are_named() {
    let place = Place::new();
    place.write(
        "a.log",
        &format!("commit: --output=x\ndate: 1971-01-01\n{LOG}commit: {}\n{LOG}", commit('d')),
    );
    let out = place.derny(&["history", "import", "a.log"]).expect(0);
    assert!(out.out.contains("2 entries of go (benchfmt) in 1 file, 2 new"), "{}", out.out);
    assert!(out.err.contains("2 entries have an impossible date"), "{}", out.err);
    assert!(out.err.contains("unknown: commit of 1 entry"), "{}", out.err);
    assert!(out.err.contains("1 commit is not in this repository"), "{}", out.err);
    assert!(!place.root.join("x").exists());
}
