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

/// Returns the exit code of `derny history confirm` in a repository of two commits with these changes.
pub fn code(changes: &[(usize, &str, &str)], args: &[&str]) -> i32 {
    confirm(&measured(1, changes), args).code
}

fn changes(place: &Place) -> Vec<Value> {
    let out = place.derny(&["history", "steady", "-f", "json"]).expect(0).out;
    let all: Value = serde_json::from_str(&out).unwrap();
    all[0]["changes"].as_array().unwrap().clone()
}

/// Measures 16 commits, and returns the change that is suspected at commit 8. With `busy`, the working tree
/// has that cost from commit 8 on, though the commits do not.
fn suspected(place: &Place, busy: Option<&str>) -> Value {
    for number in 0..=15 {
        git(&place.root, &["checkout", "-q", &format!("c{number}")]);
        if let Some(cost) = busy.filter(|_| number == 8) {
            git(&place.root, &["update-index", "--assume-unchanged", "cost"]);
            place.write("cost", cost);
        }
        place.derny(&[&["run", "steady"], SHORT].concat()).expect(0);
    }
    git(&place.root, &["checkout", "-q", "main"]);
    let [own] = &changes(place)[..] else { panic!("{:?}", changes(place)) };
    assert_eq!(own["state"], "new");
    assert_eq!(own["to"], git(&place.root, &["rev-parse", "c8"]).trim());
    own.clone()
}

#[test]
fn a_suspected_change_is_confirmed_and_stays_so() {
    let place = project(15, &[(8, "cost", "1300")]);
    let suspected = suspected(&place, None);
    let late = confirm(&place, &["--total", "1ns"]).expect(5);
    assert!(late.err.contains("1 change not measured"), "{}", late.err);
    let done = confirm(&place, &["--fail-on", "slower"]).expect(1);
    assert!(done.out.contains("s/fake/steady: +30") && done.out.contains("confirmed in run"), "{}", done.out);
    let [own] = &changes(&place)[..] else { panic!() };
    assert_eq!((&own["state"], &own["to"]), (&"confirmed".into(), &suspected["to"]));
    assert!((number(&own["change"]) - 0.3).abs() < 0.02 && own["run"].is_string(), "{own}");
    let again = confirm(&place, &["--fail-on", "slower"]).expect(0);
    assert!(again.err.contains("no change to confirm"), "{}", again.err);
}

#[test]
fn an_import_confirms_for_as_long_as_derny_toml_says() {
    let place = project(15, &[(8, "cost", "1300")]);
    suspected(&place, None);
    let toml = std::fs::read_to_string(place.root.join("derny.toml")).unwrap();
    let settings = "processes = 8\nrounds = 2\nwarmup = 0\nbatch-time = \"50us\"\nbudget = \"60s\"\n";
    let file = place.write("other.json", "[{\"name\":\"x\",\"unit\":\"ns\",\"value\":1}]");
    let import = |confirm: &str| {
        place.write("derny.toml", &format!("{settings}{toml}[history]\nconfirm = \"{confirm}\"\n"));
        place.derny(&["history", "import", file.to_str().unwrap()])
    };
    let late = import("1ns").expect(0);
    assert!(late.err.contains("1 change not measured"), "{}", late.err);
    let done = import("120s").expect(0);
    assert!(done.out.contains("confirmed in run"), "{}{}", done.out, done.err);
    assert_eq!(changes(&place)[0]["state"], "confirmed");
    let wrong = import("soon").expect(2);
    assert!(wrong.err.contains("soon"), "{}", wrong.err);
}

#[test]
fn a_suspected_improvement_is_confirmed_with_its_sign() {
    let place = project(15, &[(8, "cost", "700")]);
    suspected(&place, None);
    confirm(&place, &["--fail-on", "slower"]).expect(0);
    let own = &changes(&place)[0];
    assert_eq!(own["state"], "confirmed");
    let (lo, hi) = (number(&own["interval"]["lo"]), number(&own["interval"]["hi"]));
    assert!((number(&own["change"]) + 0.3).abs() < 0.02 && lo <= hi && hi < 0.0, "{own}");
}

#[test]
fn a_change_that_no_commit_made_is_not_confirmed() {
    let place = project(15, &[]);
    suspected(&place, Some("1300"));
    let done = confirm(&place, &["--fail-on", "slower"]).expect(0);
    assert!(done.out.contains("not confirmed in run"), "{}", done.out);
    assert_eq!(changes(&place)[0]["state"], "not-confirmed");
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
