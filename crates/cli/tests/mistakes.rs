//! Tests names that only some benchmarks have, and files that cannot be read.

#![cfg(unix)]

use crate::place::Place;

#[test]
fn a_metric_that_a_harness_has_is_taken() {
    let place = Place::new();
    for name in ["calls", "trace.calls", "cpu", "mean"] {
        place
            .tiny(&["fake/steady", "--set", &format!("metrics={name}"), "--", "--modes=time,trace"])
            .expect(0);
    }
    // The keys of derny.toml apply to all benchmarks of the project, and some may lack what the keys name.
    place.write("derny.toml", "metrics = ['time', 'callz']\n");
    let done = place.tiny(&["fake/steady"]).expect(0);
    assert!(done.err.contains("no case has a metric `callz`"), "{}", done.err);
}

#[test]
fn a_value_that_is_only_reported_is_known_from_an_earlier_run() {
    let place = Place::new();
    let run = |words: &[&str]| {
        place.tiny(&[&["fake/steady"][..], words, &["--", "--reports=hits:points:level:more=3"]].concat())
    };
    run(&["--set", "metrics=hits"]).expect(4);
    run(&[]).expect(0);
    let done = run(&["--set", "metrics=hits"]).expect(0);
    assert!(done.out.contains("hits"), "{}", done.out);
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
    // Select everything, the file itself, and names that it might contain.
    for words in [&[][..], &["good", "other"], &["good", "lost"], &["*"]] {
        let done = once(words).expect(3);
        assert!(done.err.contains("DY310") && done.err.contains("other.bench.mjs:2"), "{}", done.err);
    }
    let syntax = once(&["third.bench.mjs"]).expect(3);
    assert!(syntax.err.contains("SyntaxError") && syntax.err.contains("third.bench.mjs:1"), "{}", syntax.err);
}
