//! Tests which cases words select, in the same way for every verb, and the message if no case matches.

use crate::place::{Done, Place, TINY};

const BENCH: &str = "
import { bench } from 'derny';
bench('fake/steady', () => 1);
bench('fake/work', () => 2);
bench('fake/sized', { params: { n: [1, 2] } }, ({ n }) => n);
";

/// Returns a project with the same benchmarks in two files, each in its own folder.
fn place() -> Place {
    let place = Place::new();
    place.write("derny.toml", "");
    place.write("a/one.bench.mjs", BENCH);
    place.write("b/two.bench.mjs", BENCH);
    place
}

fn listed(place: &Place, words: &[&str]) -> Vec<String> {
    let done = place.derny(&[&["list", "-f", "plain"], words].concat()).expect(0);
    done.out.lines().map(String::from).collect()
}

#[track_caller]
fn says(done: &Done, parts: &[&str]) {
    for part in parts {
        assert!(done.err.contains(part), "{part}\n---\n{}", done.err);
    }
}

#[test]
fn a_listed_name_selects_that_case_and_no_other() {
    let place = place();
    let all = listed(&place, &[]);
    assert_eq!(all.len(), 8);
    for name in &all {
        assert_eq!(&listed(&place, &[name]), std::slice::from_ref(name));
    }
    assert_eq!(listed(&place, &["sized", "n=1"]), ["a/one/fake/sized n=1", "b/two/fake/sized n=1"]);
    assert_eq!(listed(&place, &["one", "n=1", "n=2"]).len(), 2);
}

#[test]
fn files_narrow_names_and_names_narrow_files() {
    let place = place();
    assert_eq!(listed(&place, &["a/one.bench.mjs", "work"]), ["a/one/fake/work"]);
    assert_eq!(listed(&place, &["work", "b"]), ["b/two/fake/work"]);
    assert_eq!(listed(&place, &["work", "a", "b", "--exclude", "two"]), ["a/one/fake/work"]);
    let refused = place.derny(&["list", "a/one.bench.mjs", "b/two/fake/work"]).expect(4);
    says(&refused, &["no case in a/one.bench.mjs matches `b/two/fake/work`"]);
    let below =
        |words: &[&str]| place.derny(&[&["-C", "a", "list", "-f", "plain"], words].concat()).expect(0);
    assert_eq!(below(&["one.bench.mjs", "work"]).out, "a/one/fake/work\n", "paths are those of the folder");
}

#[test]
fn it_is_said_how_many_of_how_many_cases_are_meant() {
    let place = place();
    says(&place.derny(&["list", "work"]).expect(0), &["2 of 8 cases\n"]);
    says(&place.derny(&["list", "wor"]).expect(0), &["2 of 8 cases; `wor` matches only parts of names\n"]);
    assert_eq!(place.derny(&["list"]).expect(0).err, "");
    assert_eq!(place.derny(&["-q", "list", "work"]).expect(0).err, "");
}

#[test]
fn a_file_that_is_not_there_is_refused_with_what_is_near() {
    let place = place();
    for verb in ["list", "run"] {
        let refused = place.derny(&[verb, "a/oen.bench.mjs"]).expect(4);
        says(&refused, &["no case matches `a/oen.bench.mjs`", "known  a/one.bench.mjs"]);
    }
}

#[test]
fn verbs_that_look_select_alike() {
    let place = place();
    let run = ["run", "-x", "a@.", "-x", "b@.", "--set", "isolation=suite", "-q", "-q", "--save", "base"];
    let run = [&run[..], &TINY].concat();
    place.derny(&run).expect(0);
    let shown = |verb: &[&str], words: &[&str]| place.derny(&[verb, words].concat());
    let verbs: [&[&str]; 3] =
        [&["show", "base", "-f", "csv"], &["export", "last", "--raw"], &["compare", "base", "-f", "csv"]];
    for verb in verbs {
        for (words, wanted) in [
            (&["a/one/fake/sized n=1"][..], "sized"),
            (&["a/one.bench.mjs", "steady"], "steady"),
            (&["a/one", "n=2"], "sized"),
            (&["a/one", "-p", "n=2"], "sized"),
        ] {
            let done = shown(verb, words).expect(0);
            let rows: Vec<&str> = done.out.lines().skip(1).collect();
            assert!(!rows.is_empty(), "{verb:?} {words:?}");
            assert!(
                rows.iter().all(|row| row.contains("a/one") && row.contains(wanted)),
                "{verb:?} {words:?}\n{}",
                done.out
            );
            says(&done, &["1 of 8 cases"]);
        }
        let refused = shown(verb, &["wrok"]).expect(4);
        says(&refused, &["matches `wrok`", "known  a/one/fake/work, b/two/fake/work"]);
    }
}

#[test]
fn a_variant_of_a_run_is_shown_by_itself() {
    let place = Place::new();
    place.tiny(&["steady", "-x", "old@.", "-x", "new@.", "-q", "-q"]).expect(0);
    let variants = |word: &str| {
        let document = place.derny(&["show", word, "-f", "json"]).expect(0).json();
        let variants = document["run"]["variants"].as_array().unwrap().clone();
        variants.iter().map(|variant| variant["name"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(variants("last"), ["old", "new"]);
    assert_eq!(variants("last:new"), ["new"]);
}
