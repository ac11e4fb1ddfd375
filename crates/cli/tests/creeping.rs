//! Tests `derny history creep`: small changes that add up, and what cannot be compared.

#![cfg(unix)]

use crate::bisecting::project;
use crate::place::{Done, Place, SHORT, git, number};
use serde_json::Value;

/// Costs that grow by 3 % in each of the last three commits of five. Only the first commit has a tag.
const CREEPING: &[(usize, &str, &str)] = &[(2, "cost", "1030"), (3, "cost", "1061"), (4, "cost", "1093")];

fn release(changes: &[(usize, &str, &str)]) -> Place {
    let place = project(4, changes);
    (1..=4).for_each(|number| _ = git(&place.root, &["tag", "-d", &format!("c{number}")]));
    place
}

fn creep(place: &Place, args: &[&str]) -> Done {
    place.derny(&[&["history", "creep", "steady"], SHORT, args].concat())
}

/// Returns the exit code of `derny history creep --fail-on slower` with a margin of 5 %.
pub fn code(changes: &[(usize, &str, &str)], args: &[&str]) -> i32 {
    creep(&release(changes), &[&["--margin", "5%", "--fail-on", "slower"], args].concat()).code
}

/// Returns the exit code of `derny history creep` in a repository without tags.
pub fn code_without_tags() -> i32 {
    let place = release(&[]);
    git(&place.root, &["tag", "-d", "c0"]);
    creep(&place, &[]).code
}

fn history(place: &Place, words: &[&str]) -> Vec<Value> {
    let out = place.derny(&[&["history", "-f", "json"], words].concat()).expect(0).out;
    serde_json::from_str(&out).unwrap()
}

#[test]
fn changes_that_add_up_are_found_against_the_last_release() {
    let place = release(CREEPING);
    let margin = ["--margin", "5%", "--fail-on", "slower"];
    for number in 2..=4 {
        let (base, head) = (format!("main~{}", 5 - number), format!("main~{}", 4 - number));
        creep(&place, &[&margin[..], &["--against", &base, "--head", &head]].concat()).expect(0);
    }
    let found = creep(&place, &margin).expect(1);
    assert!(found.err.contains("no ancestor that is a week old"), "{}", found.err);
    assert!(found.out.contains("since c0 (") && found.out.contains("4 commits"), "{}", found.out);
    assert!(found.out.contains("1 of 1 case is worse by more than 5 %"), "{}", found.out);
    assert!(found.out.contains("no known change explains it"), "{}", found.out);
    creep(&place, &["--margin", "5%"]).expect(0);

    // The comparisons form a separate series in the history.
    let [own] = &history(&place, &["--against", "c0"])[..] else { panic!() };
    assert_eq!((&own["against"], &own["unit"]), (&"c0".into(), &"share".into()));
    let point = &own["points"][0];
    assert_eq!(point["commit"], git(&place.root, &["rev-parse", "HEAD"]).trim());
    let value = number(&point["value"]);
    assert!((value - 0.093).abs() < 0.02, "{value}");
    assert!(number(&point["interval"]["lo"]) < value && own["changes"] == Value::Array(Vec::new()), "{own}");
    let table = place.derny(&["history", "--against", "c0"]).expect(0).out;
    assert!(table.contains("(against c0)") && table.contains("+9."), "{table}");
    let unknown = place.derny(&["history", "--against", "7d"]).expect(2).err;
    assert!(unknown.contains("against `1 week`") && unknown.contains("c0"), "{unknown}");
    // The sides of the runs are in the history only with `--apart`.
    assert!(history(&place, &["--apart"]).iter().all(|own| own["against"].is_null()));
    place.derny(&["history"]).expect(4);
}

#[test]
fn a_marked_change_explains_a_part() {
    let place = release(&[(2, "cost", "1100"), (4, "cost", "1155")]);
    let hash = git(&place.root, &["rev-parse", "main~2"]);
    for version in ["main~3", "main~2"] {
        git(&place.root, &["checkout", "-q", version]);
        place.derny(&[&["run", "steady"], SHORT].concat()).expect(0);
    }
    git(&place.root, &["checkout", "-q", "main"]);
    place.derny(&["history", "mark", hash.trim(), "steady", "--as", "accepted"]).expect(0);
    let out = creep(&place, &[]).expect(0).out;
    assert!(out.contains("known changes explain +") && out.contains("accumulated besides"), "{out}");
}

#[test]
fn bases_that_cannot_be_measured_are_named_and_others_are_measured() {
    let place = release(&[(0, "before.sh", "exit 1"), (1, "before.sh", "")]);
    let done = creep(&place, &["--against", "c0", "--against", "main~1"]).expect(2);
    assert!(done.err.contains("against c0") && done.err.contains("cannot be built"), "{}", done.err);
    assert!(done.out.contains("since main~1 ("), "{}", done.out);
    assert_eq!(history(&place, &["--against", "main~1"]).len(), 1);
    let same = creep(&place, &["--against", "main"]).expect(0);
    assert!(same.err.contains("main is the commit to measure") && same.out.is_empty(), "{}", same.err);
    let none = creep(&place, &["--against", "40d"]).expect(2);
    assert!(none.err.contains("no ancestor that is 40 days old"), "{}", none.err);
}
