//! Tests that the terms of a run apply to every verb that judges it later. A run that could not show anything
//! passes no gate.

#![cfg(unix)]

use crate::place::{Place, SHORT, harness};

/// Returns the flags for two sides of the scripted harness with these arguments.
fn sides(base: &str, new: &str) -> Vec<String> {
    let side = |name: &str, more: &str| format!("{name}={} --made-up {more}", harness());
    vec!["-x".to_owned(), side("base", base), "-x".to_owned(), side("new", new)]
}

/// Runs `derny run` for both sides with further arguments.
fn run(place: &Place, words: &[&str], (base, new): (&str, &str), code: i32) -> crate::place::Done {
    let sides = sides(base, new);
    let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
    place.fake(&[&["run"], words, &sides[..]].concat()).expect(code)
}

/// Makes a run whose benchmarks report a value without declaring it.
fn reported(place: &Place, name: &str) {
    place.tiny(&["steady", "--", "--made-up", &format!("--reports={name}:count:level:less=1")]).expect(0);
}

#[test]
fn a_gate_judges_by_the_terms_that_the_run_has_stored() {
    let place = Place::new();
    reported(&place, "queries");
    let slightly = ("", "--offset=0.4");
    let more = ("--reports=queries:count:level:less=40", "--reports=queries:count:level:less=44");
    let gone = ("--reports=queries:count:level:less=40", "");
    for (words, sides, code, other) in [
        (&["--margin", "0.1%", "--fail-on", "worse"][..], slightly, 1, &["--margin", "5%"][..]),
        (&["--set", "metrics=queries", "--fail-on", "worse"], more, 1, &["--metric", "time"]),
        (&["--set", "metrics=queries", "--fail-on", "worse"], gone, 5, &["--metric", "time"]),
        (&["--fail-on", "worse", "--margin", "3%"], slightly, 0, &["--margin", "3%"]),
    ] {
        let all = [&["steady"][..], SHORT, words].concat();
        run(&place, &all, sides, code);
        place.derny(&["compare", "--gate", "last"]).expect(code);
        place.derny(&["compare", "last", "--fail-on", "worse"]).expect(code);
        let junit = place.derny(&["compare", "last", "-f", "junit"]).out;
        assert_eq!(junit.matches("<failure ").count(), usize::from(code == 1), "{words:?}: {junit}");
        assert_eq!(junit.matches("<skipped ").count(), usize::from(code == 5), "{words:?}: {junit}");
        let github = place.derny(&["compare", "last", "-f", "github"]).out;
        assert_eq!(github.matches("::error ").count(), usize::from(code == 1), "{words:?}: {github}");
        // The command line takes precedence over stored terms.
        let args = [&["compare", "--gate", "last", "--fail-on", "worse"], other].concat();
        place.derny(&args).expect(0);
    }
    // Stored terms take precedence over derny.toml.
    let all = [&["steady"][..], SHORT, &["--margin", "0.1%", "--fail-on", "worse"]].concat();
    run(&place, &all, slightly, 1);
    place.write("derny.toml", "[gate]\nmargin = \"9%\"\nfail-on = [\"unclear\"]\n");
    place.derny(&["compare", "--gate", "last"]).expect(1);
}

#[test]
fn a_metric_that_one_side_lacks_passes_no_gate() {
    let place = Place::new();
    reported(&place, "rows");
    let all = [&["steady", "work"][..], SHORT, &["--set", "metrics=time,rows"]].concat();
    let all = [&all[..], &["--margin", "90%", "--fail-on", "worse"]].concat();
    let done = run(&place, &all, ("", "--reports=rows:count:level:less=7"), 5);
    for name in ["fake/steady", "fake/work"] {
        let line = format!("{name}  only one side has the metric rows");
        assert!(done.err.contains(&line), "{}", done.err);
    }
    let json = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(json["cases"][0]["sides"][0]["outcome"], "not-measured", "{json}");
    let junit = place.derny(&["compare", "-f", "junit"]).expect(0).out;
    assert!(junit.contains("not measured: only one side has the metric rows"), "{junit}");
    // A metric that neither side has belongs to other cases, so its absence does not matter here.
    run(&place, &[&["steady"][..], SHORT, &["--fail-on", "worse", "--margin", "90%"]].concat(), ("", ""), 0);
}

#[test]
fn what_could_not_have_been_called_worse_passes_no_gate() {
    let place = Place::new();
    let half_more = ("", "--offset=50");
    for (few, code) in [
        (&["--set", "processes=1"][..], 5),
        (&["--set", "processes=3"], 5),
        (&["--budget", "0", "--total", "20s"], 5),
        (&["--quick", "--set", "processes=4"], 5),
        (&["--set", "processes=14"], 1),
    ] {
        let mut words =
            vec!["steady", "work", "--set", "rounds=2", "--set", "warmup=0", "--set", "batch-time=50us"];
        words.extend(few);
        if !few.contains(&"--budget") {
            words.extend(["--budget", "60s"]);
        }
        run(&place, &[&words[..], &["--fail-on", "worse"]].concat(), half_more, code);
        place.derny(&["compare", "--gate"]).expect(code);
        place.derny(&["compare"]).expect(0);
        if code == 5 {
            let done = place.derny(&["compare", "--fail-on", "worse"]).expect(5);
            assert_eq!(done.err.matches("could not be judged against base: ").count(), 2, "{}", done.err);
            let json = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
            assert_eq!(json["cases"][1]["sides"][0]["outcome"], "unjudged", "{json}");
            let junit = place.derny(&["compare", "-f", "junit"]).expect(0).out;
            assert_eq!(junit.matches("<skipped message=\"unclear").count(), 2, "{junit}");
        }
    }
}

/// The chance that eight pairs all agree is one in 128, which is not rare enough among several comparisons.
#[test]
fn among_many_cases_few_pairs_judge_none() {
    let place = Place::new();
    let words =
        ["--set", "processes=4", "--set", "rounds=2", "--set", "warmup=0", "--set", "batch-time=50us"];
    let words = [&words[..], &["--budget", "60s", "--fail-on", "worse"]].concat();
    let done = run(&place, &words, ("--cases=3", "--cases=3 --offset=50"), 5);
    assert!(done.err.contains("4 pairs are too few among 3 comparisons"), "{}", done.err);
}

#[test]
fn a_full_look_that_ends_unclear_passes_where_only_worse_fails() {
    let place = Place::new();
    // The pairs scatter by far more than they differ. At this confidence, one run in a hundred would report
    // a difference, instead of one in twenty at 95 %.
    let noisy = ("--process-noise=30 --seed=3", "--process-noise=30 --seed=4");
    let all =
        [&["steady"][..], SHORT, &["--margin", "0.1%", "--set", "confidence=0.99", "--fail-on", "worse"]]
            .concat();
    run(&place, &all, noisy, 0);
    place.derny(&["compare", "--fail-on", "worse,unclear"]).expect(5);
    let json = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(json["cases"][0]["sides"][0]["outcome"], "undecided", "{json}");
}

#[test]
fn a_gate_without_anything_to_judge_is_not_passed() {
    let place = Place::new();
    let skip = "--fault=skip@open";
    let all = [&["steady"][..], SHORT].concat();
    run(&place, &all, (skip, skip), 0);
    run(&place, &[&all[..], &["--fail-on", "worse"]].concat(), (skip, skip), 5);
    run(&place, &["steady", "--once", "--fail-on", "worse"], ("", ""), 5);
}
