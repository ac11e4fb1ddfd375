//! Tests `derny history confirm`: suspected changes, pairs of commits, and what cannot be measured.

#![cfg(unix)]

use crate::bisecting::project;
use crate::place::{Done, Place, SHORT, git, number};
use serde_json::Value;

/// Returns a repository whose last commit was measured.
fn measured(commits: usize, changes: &[(usize, &str, &str)]) -> Place {
    let place = project(commits, changes);
    place.derny(&[&["run", "steady"], SHORT].concat()).expect(0);
    place
}

fn confirm(place: &Place, args: &[&str]) -> Done {
    place.derny(&[&["history", "confirm", "steady"], SHORT, args].concat())
}

/// Returns the exit code for a repository of two commits.
pub fn code(changes: &[(usize, &str, &str)], args: &[&str]) -> i32 {
    confirm(&measured(1, changes), args).code
}

fn changes(place: &Place) -> Vec<Value> {
    let out = place.derny(&["history", "steady", "-f", "json"]).expect(0).out;
    let all: Value = serde_json::from_str(&out).unwrap();
    all[0]["changes"].as_array().unwrap().clone()
}

#[test]
fn a_suspected_change_is_confirmed_and_stays_so() {
    let place = project(15, &[(8, "cost", "1300")]);
    for number in 0..=15 {
        git(&place.root, &["checkout", "-q", &format!("c{number}")]);
        place.derny(&[&["run", "steady"], SHORT].concat()).expect(0);
    }
    git(&place.root, &["checkout", "-q", "main"]);
    let suspected = changes(&place);
    assert_eq!(suspected.len(), 1, "{suspected:?}");
    assert_eq!(suspected[0]["state"], "new");
    let late = confirm(&place, &["--total", "1ns"]).expect(5);
    assert!(late.err.contains("1 change not measured"), "{}", late.err);
    let done = confirm(&place, &["--fail-on", "slower"]).expect(1);
    assert!(done.out.contains("s/fake/steady: +30") && done.out.contains("confirmed in run"), "{}", done.out);
    let [own] = &changes(&place)[..] else { panic!() };
    assert_eq!((&own["state"], own["to"].as_str()), (&"confirmed".into(), suspected[0]["to"].as_str()));
    assert!((number(&own["change"]) - 0.3).abs() < 0.02 && own["run"].is_string(), "{own}");
    let again = confirm(&place, &["--fail-on", "slower"]).expect(0);
    assert!(again.err.contains("no change to confirm"), "{}", again.err);
}

#[test]
fn a_pair_of_commits_is_measured_and_only_a_change_is_kept() {
    let place = measured(3, &[(1, "before.sh", "exit 1"), (2, "before.sh", ""), (3, "cost", "700")]);
    let same = confirm(&place, &["c0..c2", "--fail-on", "slower"]).expect(0);
    assert!(same.out.contains("not confirmed in run"), "{}", same.out);
    assert!(changes(&place).is_empty());
    let faster = confirm(&place, &["c2..c3", "--fail-on", "slower"]).expect(0);
    assert!(faster.out.contains(", confirmed in run"), "{}", faster.out);
    let broken = confirm(&place, &["c0..c1"]).expect(0);
    assert!(broken.err.contains("skipped: ") && broken.out.is_empty(), "{}", broken.err);
    confirm(&place, &["c1..nowhere"]).expect(2);
    confirm(&place, &["c1..c2", "--fail-on", "unclear"]).expect(2);
}
