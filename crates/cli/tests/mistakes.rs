//! Names that are mistyped are refused before anything is measured, with what is near them.

#![cfg(unix)]

use crate::place::{Done, Place};
use std::process::Command;

/// Nothing was measured or stored, and the usage is what is wrong.
#[track_caller]
fn refused(place: &Place, done: Done, parts: &[&str]) {
    ended(place, done.expect(2), parts);
}

/// The same of a name that nothing has.
#[track_caller]
fn unknown(place: &Place, done: Done, parts: &[&str]) {
    ended(place, done.expect(4), parts);
}

#[track_caller]
fn ended(place: &Place, done: Done, parts: &[&str]) {
    for part in parts {
        assert!(done.err.contains(part), "{part}\n---\n{}", done.err);
    }
    assert_eq!(place.runs().len(), 0);
}

#[test]
fn a_metric_or_mode_that_no_harness_has_is_unknown() {
    let place = Place::new();
    let modes = "--modes=time,trace";
    let run = |words: &[&str]| place.tiny(&[&["fake/steady"][..], words, &["--", modes]].concat());
    unknown(
        &place,
        run(&["--metric", "callz"]),
        &["no metric `callz`", "known  time", "did you mean `calls`?"],
    );
    unknown(&place, run(&["--metric", "qqq"]), &["no metric `qqq`", "without --metric"]);
    unknown(&place, run(&["--mode", "trase"]), &["no mode `trase`", "known  time, trace", "mean `trace`?"]);
    unknown(&place, run(&["--mode", "qqq"]), &["no mode `qqq`", "without --mode"]);
    for name in ["calls", "trace.calls", "cpu", "mean"] {
        place.tiny(&["fake/steady", "--metric", name, "--", modes]).expect(0);
    }
    // A file's words are for all benchmarks of the project, and not every one has what they name.
    place.write("derny.toml", "[defaults]\nmetrics = ['time', 'callz']\n");
    let done = place.tiny(&["fake/steady"]).expect(0);
    assert!(done.err.contains("no case has a metric `callz`"), "{}", done.err);
}

#[test]
fn a_value_that_is_only_reported_is_known_from_an_earlier_run() {
    let place = Place::new();
    let run = |words: &[&str]| {
        place.tiny(&[&["fake/steady"][..], words, &["--", "--reports=hits:points:level:more=3"]].concat())
    };
    unknown(&place, run(&["--metric", "hits"]), &["no metric `hits`", "without --metric"]);
    run(&[]).expect(0);
    let done = run(&["--metric", "hits"]).expect(0);
    assert!(done.out.contains("hits"), "{}", done.out);
}

#[test]
fn a_word_that_a_setting_does_not_have_is_named_with_its_neighbour() {
    let place = Place::new();
    for (flag, word, near) in [
        ("--gc", "nevr", "mean `never`?"),
        ("--isolation", "siute", "mean `suite`?"),
        ("--reject", "compiel", "mean `compile`?"),
        ("--precision", "500%", "below 100%"),
    ] {
        refused(&place, place.fake(&["run", "steady", flag, word]), &[word, near]);
    }
}

#[test]
fn a_revision_that_is_not_there_is_named_with_its_neighbour() {
    let place = Place::new();
    place.write("x.txt", "");
    let git = |words: &[&str]| {
        let own = ["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE").current_dir(&place.root);
        let output = command.args(own).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q"]);
    git(&["add", "x.txt"]);
    git(&["commit", "-q", "-m", "x"]);
    git(&["branch", "-M", "main"]);
    git(&["tag", "v1.2"]);
    let hash = git(&["rev-parse", "HEAD"]);
    let wrong = if hash.starts_with('0') { "1" } else { "0" }.to_owned() + &hash[1..9];
    for (typed, near) in
        [("mian", "main"), ("v1.3", "v1.2"), ("mian~1", "main~1"), ("HAED", "HEAD"), (&wrong, &hash[..9])]
    {
        let side = format!("a@{typed}");
        let done = place.fake(&["run", "steady", "-x", &side]);
        refused(&place, done, &[&format!("`{typed}` is no revision"), &format!("did you mean `{near}`?")]);
    }
    refused(&place, place.fake(&["run", "steady", "-x", "a@qqqq"]), &["git log --oneline"]);
}

const GOOD: &str = "import { bench } from 'derny'; bench('good', () => 1);";
const BROKEN: &str = "import { bench } from 'derny';\nnull.x;\nbench('lost', () => 1);";

#[test]
fn a_broken_file_costs_those_who_meant_it() {
    let place = Place::new();
    place.write("one.bench.mjs", GOOD);
    place.write("other.bench.mjs", BROKEN);
    place.write("third.bench.mjs", "let x = ;");
    let once = |words: &[&str]| place.derny(&[&["run", "--once"], words].concat());
    let done = once(&["good"]).expect(0);
    let notes: Vec<&str> = done.err.lines().filter(|line| line.contains("cannot be read")).collect();
    assert_eq!(notes.len(), 2, "{}", done.err);
    assert!(notes[0].starts_with("note: other.bench.mjs cannot be read: TypeError"), "{}", notes[0]);
    assert!(!done.err.contains("DY310") && !done.out.contains("not listed"), "{}\n{}", done.out, done.err);
    place.derny(&["list", "good"]).expect(0);
    // All of them, the file itself, and what might be in it.
    for words in [&[][..], &["good", "other"], &["good", "lost"], &["*"]] {
        let done = once(words).expect(3);
        assert!(done.err.contains("DY310") && done.err.contains("other.bench.mjs:2"), "{}", done.err);
    }
    let syntax = once(&["third.bench.mjs"]).expect(3);
    assert!(syntax.err.contains("SyntaxError") && syntax.err.contains("third.bench.mjs:1"), "{}", syntax.err);
}
