//! Tests `derny bisect`: one or several changes, skipped commits, stopped searches, and ranges that cannot be
//! searched.

#![cfg(unix)]

use crate::place::{Done, Place, SHORT, git, harness, number};
use serde_json::Value;

/// Returns a repository of `commits` commits after the first one. Each of `changes` is a commit, a file and
/// its new text. The benchmark takes as many ns as the file `cost` says, with the arguments in the file
/// `flags`. The build fails if the script `before.sh` fails.
pub fn project(commits: usize, changes: &[(usize, &str, &str)]) -> Place {
    let place = Place::new();
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\nbench\n");
    place.write("derny.toml", "[suite.s]\nharness = { command = './bench' }\nbuild = 'sh build.sh'\n");
    let build = format!(
        "sh ./before.sh || exit 7\nprintf '#!/bin/sh\\nexec %s --made-up --cost-ns=%s %s\\n' '{}' \
         \"$(cat cost)\" \"$(cat flags)\" > bench\nchmod +x bench\n",
        harness()
    );
    place.write("build.sh", &build);
    place.write("before.sh", "");
    place.write("cost", "1000");
    place.write("flags", "");
    for number in 0..=commits {
        let here = changes.iter().filter(|(at, ..)| *at == number);
        here.for_each(|(_, name, text)| _ = place.write(name, text));
        place.write("number", &number.to_string());
        git(&place.root, &["add", "."]);
        git(&place.root, &["commit", "-q", "-m", &format!("commit {number}")]);
        git(&place.root, &["tag", &format!("c{number}")]);
    }
    place
}

/// Bisects the case `steady` from the first commit to the last one.
fn bisect(place: &Place, args: &[&str]) -> Done {
    place.derny(&[&["bisect", "c0..main", "steady"], SHORT, args].concat())
}

/// Returns the exit code for a range of `commits` commits with these changes.
pub fn code(commits: usize, changes: &[(usize, &str, &str)]) -> i32 {
    bisect(&project(commits, changes), &[]).code
}

fn answer(place: &Place, args: &[&str], code: i32) -> Value {
    bisect(place, &[args, &["-f", "json"]].concat()).expect(code).json()
}

fn subject(answer: &Value) -> &str {
    answer["found"]["subject"].as_str().unwrap_or_else(|| panic!("nothing found: {answer}"))
}

/// Returns the number of probes with this verdict.
fn count(answer: &Value, verdict: &str) -> usize {
    answer["probes"].as_array().unwrap().iter().filter(|probe| probe["verdict"] == verdict).count()
}

#[test]
fn a_slower_commit_is_found_and_confirmed() {
    let place = project(12, &[(8, "cost", "1300")]);
    let found = answer(&place, &[], 0);
    assert_eq!((&found["outcome"], subject(&found)), (&"found".into(), "commit 8"), "{found}");
    assert_eq!(found["before"]["subject"], "commit 7");
    let change = number(&found["change"]["value"]);
    assert!((change - 0.3).abs() < 0.02, "{change}");
    assert_eq!(found["rest"], Value::Array(Vec::new()));
    assert_eq!(
        (count(&found, "skipped"), count(&found, "differs")),
        (0, 2),
        "the ends, and the confirmation"
    );
    assert!(found["probes"].as_array().unwrap().len() <= 7, "{found}");
    // The same command measures nothing again.
    let runs = place.runs().len();
    let again = bisect(&place, &[]).expect(0);
    assert!(again.out.starts_with("found: ") && again.out.contains("commit 8"), "{}", again.out);
    assert_eq!(place.runs().len(), runs);
    assert!(again.err.contains("measurements are stored"), "{}", again.err);
    bisect(&place, &["--reset", "-q"]).expect(0);
    assert_eq!(place.runs().len(), 2 * runs, "--reset measures again");
}

#[test]
fn a_faster_commit_is_found_too() {
    let place = project(9, &[(2, "cost", "700")]);
    // Uncommitted changes do not count.
    place.write("cost", "5000");
    place.write("before.sh", "exit 1");
    let found = answer(&place, &[], 0);
    assert_eq!(subject(&found), "commit 2", "{found}");
    assert!((number(&found["change"]["value"]) + 0.3).abs() < 0.02, "{found}");
}

#[test]
fn of_several_changes_the_largest_is_found_and_the_rest_is_named() {
    let place = project(12, &[(3, "cost", "1100"), (6, "cost", "1650"), (11, "cost", "1800")]);
    let found = answer(&place, &[], 0);
    assert_eq!(subject(&found), "commit 6", "{found}");
    let rest: Vec<f64> =
        found["rest"].as_array().unwrap().iter().map(|part| number(&part["change"])).collect();
    assert_eq!(rest.len(), 2, "{found}");
    assert!((rest[0] - 0.1).abs() < 0.02 && (rest[1] - 0.15).abs() < 0.02, "{rest:?}");
    let text = bisect(&place, &[]).expect(0).out;
    let command = format!("derny bisect {}..", &git(&place.root, &["rev-parse", "c6"])[..10]);
    assert!(text.contains("this is +50") && text.contains(&command), "{text}");
}

#[test]
fn commits_that_do_not_build_or_lack_the_case_are_skipped() {
    let broken = "echo it is broken; exit 1";
    let place = project(9, &[(4, "before.sh", broken), (5, "cost", "1300"), (6, "before.sh", "")]);
    let range = answer(&place, &[], 5);
    assert_eq!((&range["outcome"], subject(&range)), (&"range".into(), "commit 6"), "{range}");
    assert_eq!(range["before"]["subject"], "commit 3");
    assert_eq!(count(&range, "skipped"), 2, "{range}");
    assert!(range["notes"][0].as_str().unwrap().contains("cannot be built"), "{range}");
    let runs = place.runs().len();
    let again = answer(&place, &["--retry"], 5);
    assert_eq!((count(&again, "skipped"), place.runs().len()), (2, runs), "only the builds are tried again");
    let place = project(6, &[(3, "flags", "--cases=1"), (4, "cost", "1300"), (4, "flags", "")]);
    let found = answer(&place, &[], 5);
    assert_eq!((subject(&found), count(&found, "skipped")), ("commit 4", 1), "{found}");
    let place = project(3, &[(1, "before.sh", broken), (3, "before.sh", ""), (3, "cost", "1300")]);
    let all = answer(&place, &[], 5);
    assert_eq!((all["before"]["subject"].as_str(), subject(&all)), (Some("commit 0"), "commit 3"), "{all}");
}

#[test]
fn ends_that_do_not_differ_are_not_searched() {
    let place = project(4, &[(2, "cost", "1300"), (3, "cost", "1000")]);
    let same = answer(&place, &[], 5);
    assert_eq!((&same["outcome"], count(&same, "same")), (&"no-change".into(), 1), "{same}");
    assert_eq!(same["probes"].as_array().unwrap().len(), 1);
}

#[test]
fn a_merged_branch_is_one_change() {
    let place = project(2, &[]);
    git(&place.root, &["checkout", "-q", "-b", "side", "c1"]);
    for (number, cost) in [(1, "1000"), (2, "1300"), (3, "1300")] {
        place.write("cost", cost);
        git(&place.root, &["commit", "-q", "--allow-empty", "-am", &format!("side {number}")]);
    }
    git(&place.root, &["checkout", "-q", "main"]);
    git(&place.root, &["merge", "-q", "--no-ff", "-m", "merge side", "side"]);
    git(&place.root, &["commit", "-q", "--allow-empty", "-m", "last"]);
    let found = answer(&place, &[], 0);
    assert_eq!((subject(&found), &found["commits"]), ("merge side", &4.into()), "{found}");
    assert!(found["notes"][0].as_str().unwrap().contains("merges a branch"), "{found}");
    let inside = place.derny(&[&["bisect", "main~2..side", "steady"], SHORT].concat()).expect(2);
    assert!(inside.err.contains("common commit"), "{}", inside.err);
    let inside = place.derny(&[&["bisect", "c1..side", "steady", "-f", "json"], SHORT].concat()).expect(0);
    assert_eq!(subject(&inside.json()), "side 2");
}

#[test]
fn an_exact_metric_is_bisected_without_noise() {
    let reports = |rows: u32| format!("--reports=rows:count:level:less={rows}");
    let (few, many) = (reports(1000), reports(1003));
    let place = project(8, &[(0, "flags", &few), (5, "flags", &many)]);
    let metric = ["--metric", "rows", "--margin", "0.1%"];
    let found = answer(&place, &metric, 0);
    assert_eq!((subject(&found), &found["quantity"]), ("commit 5", &"rows".into()), "{found}");
    assert!((number(&found["change"]["value"]) - 0.003).abs() < 1e-9, "{found}");
    assert_eq!(answer(&place, &[], 5)["outcome"], "no-change", "the time is another bisection");
    let unknown = bisect(&place, &["--metric", "heaps"]).expect(4);
    assert!(unknown.err.contains("heaps"), "{}", unknown.err);
}

#[test]
fn a_stopped_search_goes_on_where_it_was() {
    let place = project(8, &[(6, "cost", "1300")]);
    // The build of commit 6 interrupts the engine, once.
    let flag = place.write("interrupt", "");
    git(&place.root, &["checkout", "-q", "c6"]);
    let before = format!(
        "if [ -e '{0}' ]; then rm '{0}'; kill -INT $(ps -o ppid= $PPID); sleep 20; fi",
        flag.display()
    );
    place.write("before.sh", &before);
    git(&place.root, &["commit", "-q", "--amend", "-am", "commit 6 again"]);
    place.write("before.sh", "");
    git(&place.root, &["commit", "-q", "-am", "commit 6 repaired"]);
    git(&place.root, &["cherry-pick", "--allow-empty", "c7", "c8"]);
    git(&place.root, &["checkout", "-q", "-B", "main"]);
    let stopped = bisect(&place, &["--total", "1ns"]).expect(5);
    assert!(stopped.out.starts_with("stopped: "), "{}", stopped.out);
    assert_eq!(stopped.out.lines().count(), 1, "{}", stopped.out);
    while flag.exists() {
        let done = bisect(&place, &[]);
        assert!(done.code == 130 && done.err.contains("the same command continues"), "{}", done.err);
    }
    let runs = place.runs().len();
    let found = answer(&place, &[], 0);
    assert_eq!(subject(&found), "commit 6 again", "{found}");
    let measured: Vec<&Value> =
        found["probes"].as_array().unwrap().iter().filter(|probe| !probe["run"].is_null()).collect();
    assert_eq!(place.runs().len(), measured.len(), "no pair is measured twice");
    assert!(runs > 0 && runs < measured.len(), "{runs} of {}", measured.len());
}

#[test]
fn a_range_or_a_case_that_cannot_be_searched_is_named() {
    let place = project(3, &[(0, "flags", "--cases=1"), (2, "flags", ""), (3, "before.sh", "exit 1")]);
    git(&place.root, &["checkout", "-q", "c2"]);
    let error = |words: &[&str], code: i32, text: &str| {
        let done = place.derny(&[&["bisect"], words, SHORT].concat()).expect(code);
        assert!(done.err.contains(text), "{text}\n{}", done.err);
        assert_eq!(place.runs().len(), 0);
    };
    error(&["c1", "work"], 2, "is not a range of commits");
    error(&["c1..c1", "work"], 2, "are the same commit");
    error(&["c2..c1", "work"], 2, "derny bisect c1..c2");
    error(&["c1..nowhere", "work"], 2, "`nowhere` is not a revision");
    error(&["c1..c2", "steady"], 4, "no case matches");
    error(&["c1..c2", "copy"], 4, "is not on both sides");
    error(&["c1..c2", "nothing"], 4, "nothing");
    error(&["c2..c3", "work"], 2, "cannot be built");
    git(&place.root, &["commit", "-q", "--allow-empty", "-m", "more"]);
    error(&["c2..", "sized"], 2, "2 cases match");
}
