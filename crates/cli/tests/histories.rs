//! Tests `derny history`, which shows stored results over commits.

#![cfg(unix)]

use crate::place::{Place, git};
use serde_json::Value;

/// Measures `cases` at three commits of a new repository, the second of which is tagged. Returns their
/// hashes.
fn measured(place: &Place, cases: &[&str]) -> Vec<String> {
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\n");
    let commit = |name: &str| {
        place.write("version", name);
        git(&place.root, &["add", "."]);
        git(&place.root, &["commit", "-qm", name]);
        place.tiny(cases).expect(0);
        git(&place.root, &["rev-parse", "HEAD"]).trim().to_owned()
    };
    let hashes = ["one", "two", "three"].map(commit).to_vec();
    git(&place.root, &["tag", "v1.0", &hashes[1]]);
    hashes
}

fn json(place: &Place, words: &[&str]) -> Vec<Value> {
    let out = place.derny(&[&["history", "-f", "json"], words].concat()).expect(0).out;
    serde_json::from_str(&out).unwrap()
}

fn commits(history: &Value) -> Vec<&str> {
    let points = history["points"].as_array().unwrap();
    points.iter().map(|point| point["commit"].as_str().unwrap()).collect()
}

#[test]
fn results_are_shown_over_commits_in_every_format() {
    let place = Place::new();
    let hashes = measured(&place, &["steady", "work"]);
    let all = json(&place, &[]);
    assert_eq!(all.len(), 2);
    assert_eq!(commits(&all[0]), hashes);
    assert_eq!(all[0]["points"][1]["releases"][0], "v1.0");
    assert_eq!(commits(&json(&place, &["work", "--since", "v1.0"])[0]), hashes[1..]);

    let table = place.derny(&["history"]).expect(0).out;
    assert!(table.contains("since first") && table.contains("work"), "{table}");
    let one = place.derny(&["history", "steady"]).expect(0).out;
    assert!(one.contains("3 points") && one.contains("v1.0") && one.contains(&hashes[2][..7]), "{one}");
    let csv = place.derny(&["history", "-f", "csv"]).expect(0).out;
    assert_eq!(csv.lines().count(), 7, "{csv}");
    let file = place.root.join("a.svg");
    place.derny(&["history", "-o", file.to_str().unwrap()]).expect(0);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("v1.0") && svg.contains(&hashes[0][..7]));
}

#[test]
fn uncommitted_changes_sides_and_other_branches_are_kept_apart() {
    let place = Place::new();
    let hashes = measured(&place, &["steady"]);
    place.write("version", "dirty");
    place.tiny(&["steady"]).expect(0);
    git(&place.root, &["checkout", "-q", "-f", "-b", "aside"]);
    git(&place.root, &["commit", "-q", "--allow-empty", "-m", "aside"]);
    place.tiny(&["steady"]).expect(0);
    let [own] = &json(&place, &["--branch", "main"])[..] else { panic!() };
    assert_eq!(commits(own), hashes);
    assert!(own["remarks"].to_string().contains("not on main"), "{own}");
    let all = json(&place, &["--branch", "main", "--apart"]);
    let apart: Vec<&Value> = all.iter().map(|one| &one["apart"]).collect();
    assert_eq!(apart, [&Value::Null, &"uncommitted changes".into()]);

    // The branch is rebased, and the repository forgets the old commits.
    git(&place.root, &["checkout", "-q", "main"]);
    git(&place.root, &["branch", "-q", "-D", "aside"]);
    git(&place.root, &["reset", "-q", "--hard", &hashes[1]]);
    git(&place.root, &["reflog", "expire", "--expire=now", "--all"]);
    let [own] = &json(&place, &[])[..] else { panic!() };
    assert_eq!(commits(own), hashes[..2]);
    assert!(own["remarks"].to_string().contains("no longer has"), "{own}");
}

#[test]
fn a_change_can_be_accepted_with_a_note() {
    let place = Place::new();
    let hashes = measured(&place, &["steady"]);
    place.derny(&["history", "mark", "v1.0", "steady", "--as", "accepted", "--note", "checks <b>"]).expect(0);
    let [own] = &json(&place, &[])[..] else { panic!() };
    let change = &own["changes"][0];
    assert_eq!((&change["state"], &change["to"]), (&"accepted".into(), &hashes[1].as_str().into()));
    let text = place.derny(&["history"]).expect(0).out;
    assert!(text.contains("accepted") && text.contains("checks <b>"), "{text}");
    let missing = place.derny(&["history", "mark", "HEAD", "nothing", "--as", "fixed"]).expect(4);
    assert!(missing.err.contains("nothing"), "{}", missing.err);
}

#[test]
fn what_cannot_be_shown_is_one_clear_error() {
    let place = Place::new();
    let empty = place.derny(&["history"]).expect(2);
    assert!(empty.err.contains("there are no stored runs yet"), "{}", empty.err);
    place.tiny(&["steady"]).expect(0);
    let error = |code: i32, words: &[&str], text: &str| {
        let done = place.derny(&[&["history"], words].concat()).expect(code);
        assert!(done.err.contains(text) && done.err.matches("error:").count() == 1, "{}", done.err);
    };
    error(4, &["nowhere"], "nowhere");
    error(2, &["-m", "tim"], "use --metric time");
    error(2, &["--since", "yesterday"], "neither a date, nor an age, nor a revision");
    error(2, &["--branch", "main"], "no revision `main`");
    error(2, &["-o", "a.pdf"], "not a format of a history");
    let alone = place.derny(&["history"]).expect(0).out;
    assert!(alone.contains("1 point"), "outside a repository, points are ordered by date: {alone}");
}

#[test]
fn a_run_that_is_deleted_leaves_the_history() {
    let place = Place::new();
    measured(&place, &["steady"]);
    assert_eq!(commits(&json(&place, &[])[0]).len(), 3);
    place.derny(&["runs", "delete", "last"]).expect(0);
    assert_eq!(commits(&json(&place, &[])[0]).len(), 2);
}

#[test]
fn a_site_has_the_cases_commits_and_changes_of_the_store() {
    let place = Place::new();
    let hashes = measured(&place, &["steady", "work"]);
    git(&place.root, &["remote", "add", "origin", "git@github.com:acme/ledger.git"]);
    let mark = ["history", "mark", &hashes[2][..8], "work", "--as", "accepted", "--note", "its price"];
    place.derny(&mark).expect(0);
    let told = place.derny(&["history", "site", "-o", "public/pages"]).expect(0).err;
    assert!(told.contains("wrote 2 cases to public/pages/index.html"), "{told}");
    let read = |name: &str| std::fs::read_to_string(place.root.join("public/pages").join(name)).unwrap();
    assert!(read("index.html").contains("<title>ledger</title>"));
    for name in ["site.js", "site.css", "data/outline.js", "data/places.js", "data/series-0.js"] {
        assert!(!read(name).is_empty(), "{name}");
    }
    place.derny(&["history", "site", "-o", "public/pages", "-m", "nothing"]).expect(2);
    place.write("file", "");
    let refused = place.derny(&["history", "site", "-o", "file"]).expect(2).err;
    assert!(refused.contains("the site cannot be written to file"), "{refused}");
}
