//! Tests that cases which were requested but not measured never pass.

#![cfg(unix)]

use crate::place::{Place, harness};
use serde_json::Value;

const REASON: &str = "the time ran out before it was measured";

/// Returns the arguments of a run with two sides whose time ends before the first process is up.
fn too_short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["run", "steady", "work", "--total", "1ms"];
    args.extend(more);
    args
}

#[test]
fn nothing_measured_is_undecided_with_a_gate_and_without() {
    let place = Place::new();
    let (a, b) = (format!("a={}", harness()), format!("b={}", harness()));
    let sides = ["-x", a.as_str(), "-x", b.as_str()];
    for fail_on in [&["--fail-on", "worse,unclear"][..], &["--fail-on", "worse"], &[]] {
        let done = place.fake(&too_short(&[&sides[..], fail_on].concat())).expect(5);
        assert!(done.out.contains("no case was measured on both sides"), "{}", done.out);
        assert!(done.out.contains(REASON) && done.out.contains("--total"), "{}", done.out);
    }
    place.derny(&["compare", "--gate"]).expect(5);
    place.derny(&["show"]).expect(0);
    for (format, count) in [("junit", "<skipped message=\"not measured: "), ("github", "::warning ")] {
        let done = place.derny(&["compare", "--fail-on", "worse,unclear", "-f", format]).expect(5);
        assert_eq!(done.out.matches(count).count(), 2, "{}", done.out);
        assert_eq!(done.out.matches(REASON).count(), 2, "{}", done.out);
        assert!(done.out.contains("fake/steady") && done.out.contains("fake/work"), "{}", done.out);
    }
    let comment = place.derny(&["compare", "-f", "markdown"]).expect(5).out;
    assert!(comment.contains("not measured: ") && comment.contains(REASON), "{comment}");
    let json = place.derny(&["compare", "-f", "json"]).expect(5).comparison();
    assert_eq!(json["unmeasured"].as_array().unwrap().len(), 2, "{json}");
    assert_eq!(json["unmeasured"][0]["outcome"], "not-measured");
    assert_eq!(json["unmeasured"][0]["reason"], "budget");
}

/// Returns the events of a paired run, changed as if its time had ended before any process of these cases was
/// complete.
fn cut(events: &[Value], cases: &[u64]) -> String {
    let case_of = |event: &Value| event["case"].as_u64();
    let started = events.iter().filter(|event| event["event"] == "visit-started");
    let lost: Vec<&Value> = started
        .filter(|event| case_of(event).is_some_and(|case| cases.contains(&case)))
        .map(|event| &event["visit"])
        .collect();
    assert!(!lost.is_empty());
    let mut out = String::new();
    for event in events {
        let mut event = event.clone();
        if event["event"] == "visit-ended" && lost.contains(&&event["visit"]) {
            continue;
        }
        if event["event"] == "case-ended" && case_of(&event).is_some_and(|case| cases.contains(&case)) {
            event["reason"] = "budget".into();
        }
        out.push_str(&format!("{event}\n"));
    }
    out
}

#[test]
fn some_measured_pass_without_a_gate_only() {
    let place = Place::new();
    let side = |name: &str, offset: &str| format!("{name}={} --cases=3 --offset={offset}", harness());
    let (old, same, slow) = (side("old", "0"), side("new", "0"), side("new", "900"));
    let paired = |new: &str, name: &str, code: i32| {
        let mut args = vec!["run", "copy", "-x", &old, "-x", new, "-f", "ndjson", "--set=processes=14"];
        args.extend([
            "--set=rounds=2",
            "--set=warmup=0",
            "--set=batch-time=50us",
            "--margin",
            "99%",
            "--fail-on",
            "worse",
        ]);
        let events = place.fake(&args).expect(code).lines();
        place.write(name, &cut(&events, &[1, 2]));
    };
    paired(&same, "same.ndjson", 0);
    let table = place.derny(&["compare", "same.ndjson"]).expect(0).out;
    let names = ["fake/copy-002", "fake/copy-003"];
    assert!(table.contains("not measured: ") && names.iter().all(|name| table.contains(name)), "{table}");
    for fail_on in ["worse", "worse,unclear"] {
        let args = ["compare", "same.ndjson", "--margin", "99%", "--fail-on", fail_on];
        let done = place.derny(&args).expect(5);
        assert!(names.iter().all(|name| done.err.contains(&format!("{name}  {REASON}"))), "{}", done.err);
    }
    let junit = place.derny(&["compare", "same.ndjson", "--margin", "99%", "-f", "junit"]).expect(0).out;
    assert!(junit.contains("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"2\""), "{junit}");
    // The case is ten times as slow. Being worse takes precedence over not being measured.
    paired(&slow, "slow.ndjson", 1);
    place.derny(&["compare", "slow.ndjson", "--fail-on", "worse,unclear"]).expect(1);
    place.derny(&["compare", "slow.ndjson"]).expect(0);
    let github = place.derny(&["compare", "slow.ndjson", "-f", "github"]).expect(0).out;
    assert_eq!(
        (github.matches("::error ").count(), github.matches("::warning ").count()),
        (1, 2),
        "{github}"
    );
}

#[test]
fn what_failed_goes_before_what_is_worse() {
    let place = Place::new();
    let (old, new) = (format!("old={} --cases=2", harness()), format!("new={} --cases=2", harness()));
    let new = format!("{new} --offset=900 --fault=throw@measure --fault-case=fake/copy-002");
    let mut args = vec!["run", "copy", "-x", &old, "-x", &new, "--set=processes=14", "--set=rounds=2"];
    args.extend(["--set=warmup=0", "--set=batch-time=50us", "--fail-on", "worse,unclear"]);
    place.fake(&args).expect(3);
    place.derny(&["compare", "--fail-on", "worse,unclear"]).expect(3);
    let json = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(json["cases"][0]["sides"][0]["outcome"], "worse", "{json}");
    assert_eq!(json["unmeasured"][0]["outcome"], "failed", "{json}");
    let junit = place.derny(&["compare", "-f", "junit"]).expect(0).out;
    assert!(junit.contains("tests=\"3\" failures=\"1\" errors=\"2\""), "the failure and its case: {junit}");
}

#[test]
fn no_case_on_both_sides_is_undecided() {
    let place = Place::new();
    place.tiny(&["steady", "--save", "one"]).expect(0);
    place.tiny(&["work"]).expect(0);
    for more in [&[][..], &["--fail-on", "worse"]] {
        let done = place.derny(&[&["compare", "one", "last"], more].concat()).expect(5);
        assert!(done.out.contains("no case is on both sides"), "{}", done.out);
    }
}

#[test]
fn a_program_that_cannot_be_listed_is_counted_beside_what_passed() {
    let place = Place::new();
    let harness = harness();
    let suites = format!(
        "[suite.good]\nharness = {{ command = ['{harness}', '--cases=3'] }}\n\
         [suite.bad]\nharness = {{ command = ['{harness}', '--fault=exit:7@list'] }}\n"
    );
    place.write("derny.toml", &suites);
    let done = place.derny(&["run", "--once"]).expect(3);
    assert!(done.err.contains("3 passed, 1 not listed"), "{}", done.err);
}

#[test]
fn a_case_that_one_side_skips_passes_no_gate() {
    let place = Place::new();
    let side = |name: &str, skips: bool| {
        let skip = if skips { " --fault=skip@open --fault-case=fake/work" } else { "" };
        format!("{name}={} --made-up{skip}", harness())
    };
    let run = |base: bool, new: bool, fail_on: &str, code: i32| {
        let (base, new) = (side("base", base), side("new", new));
        let mut args = vec!["run", "steady", "work", "-x", &base, "-x", &new, "--set=processes=8"];
        args.extend(["--set=rounds=2", "--set=warmup=0", "--set=batch-time=50us", "--margin", "90%"]);
        args.extend(["--fail-on", fail_on]);
        place.fake(&args).expect(code)
    };
    for (base, new, names) in [(false, true, "new"), (true, false, "base")] {
        for fail_on in ["worse", "worse,unclear"] {
            let done = run(base, new, fail_on, 5);
            let line = format!("fake/work  its harness skipped it ({names})");
            assert!(done.err.contains(&line), "{}", done.err);
            assert!(done.out.contains(&format!("skipped it ({names})")), "{}", done.out);
        }
        place.derny(&["compare", "--gate"]).expect(5);
        let junit = place.derny(&["compare", "-f", "junit"]).expect(0).out;
        assert!(junit.contains("<skipped message=\"not measured: its harness skipped it"), "{junit}");
        let github = place.derny(&["compare", "-f", "github"]).expect(0).out;
        assert!(github.contains("not measured%3A derny-fake-harness/fake/work"), "{github}");
        assert!(place.derny(&["compare", "-f", "comment"]).expect(0).out.contains("1 not measured"));
        place.derny(&["compare", "--gate", "--exclude", "fake/work"]).expect(0);
    }
    // A case that both sides skip does not apply here, so nothing is missing.
    run(true, true, "worse,unclear", 0);
    place.derny(&["compare", "--gate"]).expect(0);
}

#[test]
fn stored_runs_of_which_one_skips_a_case_pass_no_gate() {
    let place = Place::new();
    let skip = ["--", "--made-up", "--fault=skip@open", "--fault-case=fake/work"];
    let run = |name: &str, more: &[&str]| {
        place.tiny(&[&["steady", "work", "--save", name], more].concat()).expect(0);
    };
    run("whole", &["--", "--made-up"]);
    run("part", &skip);
    run("other", &skip);
    for (words, name) in [(["whole", "part"], "part"), (["part", "whole"], "part")] {
        let done = place.derny(&[&["compare"], &words[..], &["--fail-on", "worse"]].concat()).expect(5);
        assert!(done.err.contains(&format!("fake/work  its harness skipped it ({name})")), "{}", done.err);
    }
    let both = place.derny(&["compare", "part", "other"]).expect(0);
    assert!(!both.out.contains("fake/work"), "{}", both.out);
}
