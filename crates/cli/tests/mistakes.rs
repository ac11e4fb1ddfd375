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

#[test]
fn words_and_values_that_cannot_be_meant_are_refused_with_what_to_type() {
    let place = Place::new();
    place.write("one.bench.mjs", GOOD);
    place.write("plain.txt", "");
    for (words, parts) in [
        (&["rnu"][..], &["no command `rnu`", "try    `derny run`"][..]),
        (&["run", "--bugdet", "3s"], &["no option `--bugdet`", "where  derny run", "try    `--budget`"]),
        (
            &["run", "--fail-on", "wrose"],
            &["`wrose` is not a value", "known  worse, unclear", "--fail-on worse"],
        ),
        (&["run", "--budget=-3s"], &["`-3s` is not a duration; write 500ms"]),
        (&["run", "--quick", "--precise"], &["--quick looks once", "try    one of them"]),
        (&["run", "--processes", "100000000"], &["10000 at most", "--precision"]),
        (&["run", "-x", "old=@main"], &["`@main` is no program", "try    -x old@main"]),
        (&["try", ""], &["command 1 is empty", "try    a command in quotes"]),
        (&["report", "-o", "a.docx"], &["`.docx` is not a format", "known  html", "try    -o report.html"]),
        (&["plot", "violin", "-o", "a.docx"], &["`.docx` is not a format", "known  svg, png"]),
        (&["init", "cobol"], &["no language `cobol`", "known  elixir", "try    one of these"]),
        (&["init", "pyhton"], &["no language `pyhton`", "try    `derny init python`"]),
    ] {
        refused(&place, place.derny(words), parts);
    }
    assert!(!place.root.join("a.docx").exists());
    unknown(
        &place,
        place.derny(&["run", "nope"]),
        &["no case matches `nope`", "known  one/good", "try    `derny list`"],
    );
    unknown(&place, place.derny(&["run", "plain.txt"]), &["where  plain.txt", "why    no suite takes it"]);
    place.write("derny.toml", "[suite.s]\nfiles = ['*.mjs']\nharness = 'nod'\n");
    refused(&place, place.derny(&["run"]), &["harness `nod`", "did you mean `node`?"]);
    place.write("derny.toml", "budget = \n");
    let done = place.derny(&["run"]).expect(2);
    assert!(
        done.err.contains("line 1, column") && done.err.contains("`derny schema config`"),
        "{}",
        done.err
    );
}

#[test]
fn a_revision_in_the_place_of_a_run_is_named_as_one() {
    let place = Place::new();
    place.write("one.bench.mjs", GOOD);
    let git = |words: &[&str]| {
        let own = ["-c", "user.name=a", "-c", "user.email=a@b", "-C"];
        assert!(Command::new("git").args(own).arg(&place.root).args(words).status().unwrap().success());
    };
    git(&["init", "-q", "-b", "trunk"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "x"]);
    place.derny(&["run", "--once"]).expect(0);
    for words in [&["run", "--against", "trunk"][..], &["compare", "trunk", "last"]] {
        let done = place.derny(words).expect(2);
        for part in ["no run `trunk`", "`trunk` is a revision", "-x trunk@trunk"] {
            assert!(done.err.contains(part), "{words:?}: {}", done.err);
        }
    }
}

#[test]
fn variants_that_are_launched_in_one_way_are_named() {
    let place = Place::new();
    let said = |words: &[&str]| place.tiny(&[&["fake/steady"][..], words].concat()).expect(0).err;
    assert!(said(&["-x", "a", "-x", "b"]).contains("a and b are launched in the same way"));
    assert!(!said(&["-x", "a", "-x", "b+K=1"]).contains("the same way"));
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
