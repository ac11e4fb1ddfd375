//! What was asked for and not measured never passes.

#![cfg(unix)]

mod place;

use place::{Place, harness};

const REASON: &str = "the time was over before it was measured";

/// Two sides and a time that is over before the first process is up.
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
    place.derny(&["gate"]).expect(5);
    place.derny(&["show"]).expect(0);
    for (format, count) in [("junit", "<skipped message=\"not measured: "), ("github", "::warning ")] {
        let done = place.derny(&["compare", "--fail-on", "worse,unclear", "-f", format]).expect(5);
        assert_eq!(done.out.matches(count).count(), 2, "{}", done.out);
        assert_eq!(done.out.matches(REASON).count(), 2, "{}", done.out);
        assert!(done.out.contains("fake/steady") && done.out.contains("fake/work"), "{}", done.out);
    }
    let comment = place.derny(&["compare", "-f", "markdown"]).expect(5).out;
    assert!(comment.contains("not measured: ") && comment.contains(REASON), "{comment}");
    let json = place.derny(&["compare", "-f", "json"]).expect(5).json();
    assert_eq!(json["unmeasured"].as_array().unwrap().len(), 2, "{json}");
    assert_eq!(json["unmeasured"][0]["outcome"], "not-measured");
    assert_eq!(json["unmeasured"][0]["reason"], "budget");
}

#[test]
fn some_measured_pass_without_a_gate_only() {
    let place = Place::new();
    place.tiny(&["steady", "work", "sized", "--save", "all"]).expect(0);
    // The newer run was asked for all of them, and a case that it never came to hangs until its time is over.
    let hang = ["--", "--fault=hang@measure", "--fault-case=fake/work"];
    let args = [&["run", "steady", "work", "--processes", "1", "--rounds", "2", "--warmup", "0"][..]];
    let args =
        [args.concat(), vec!["--isolation", "case", "--wave", "1", "--total", "3s", "--timeout", "60s"]];
    place.fake(&[args.concat(), hang.to_vec()].concat()).expect(0);
    let json = place.derny(&["compare", "all", "last", "-f", "json"]).expect(0).json();
    let names = |key: &str| json[key].as_array().unwrap().len();
    assert_eq!((names("cases"), names("unmeasured")), (1, 1), "{json}");
    assert_eq!(names("alone"), 2, "what only one side has is listed and no more: {json}");
    let table = place.derny(&["compare", "all", "last"]).expect(0).out;
    assert!(table.contains("not measured: ") && table.contains("fake/work"), "{table}");
    for fail_on in ["worse", "worse,unclear"] {
        let args = ["compare", "all", "last", "--fail-on", fail_on, "--margin", "99%"];
        let done = place.derny(&args).expect(5);
        assert!(done.err.contains("not measured: ") && done.err.contains("fake/work"), "{}", done.err);
    }
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
