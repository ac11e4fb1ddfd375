//! Tests runs at different times, and the machine's change according to the yardsticks. Times and yardsticks
//! are made up, so that the truth is known.

#![cfg(unix)]

use crate::place::{self, Place, number};
use serde_json::Value;

const NAMES: [&str; 5] = ["integer", "branches", "cache", "memory", "system-call"];
const TIMES: [f64; 5] = [0.25, 3.0, 5.0, 80.0, 150.0];

/// Measures four cases of 1 µs. `yardsticks` contains the factor by which each yardstick takes longer than
/// at first. The cases take longer by the product of `machine` and `program`.
fn measure(place: &Place, yardsticks: [f64; 5], machine: f64, program: f64, words: &[&str]) -> String {
    measure_ending(0, place, yardsticks, machine, program, words)
}

/// Like `measure`, for a run that ends with this status.
fn measure_ending(
    code: i32,
    place: &Place,
    yardsticks: [f64; 5],
    machine: f64,
    program: f64,
    words: &[&str],
) -> String {
    measure_by(code, place, &script(yardsticks), machine * program, words)
}

/// Returns a script in which each yardstick takes longer than at first by these factors.
fn script(yardsticks: [f64; 5]) -> String {
    let line = |at: usize| {
        let time = TIMES[at] * yardsticks[at];
        format!("{} {time} {}\n", NAMES[at], 0.001 * time)
    };
    (0..5).map(line).collect()
}

/// Measures four cases of 1 µs times `factor` on the machine that a script describes.
fn measure_by(code: i32, place: &Place, script: &str, factor: f64, words: &[&str]) -> String {
    let file = place.write("yardsticks.txt", script);
    let cost = format!("--cost-ns={}", (1000.0 * factor).round());
    let run = ["run", "--budget", "600s", "--set", "rounds=4", "--set", "warmup=0", "--no-progress"];
    let processes: &[&str] = if words.contains(&"--quick") { &[] } else { &["--set", "processes=6"] };
    let harness = ["--", "--made-up", &cost, "--noise=0.3", "--cases=4", "--collector=none"];
    let args = [&run, processes, words, &harness].concat();
    let done = place
        .derny_with(&[("DERNY_YARDSTICKS", file.to_str().unwrap())], &place::fake_args(&args))
        .expect(code);
    done.out + &done.err
}

/// Flags that compare a run with the stored times of a baseline.
const AGAINST_STORED: [&str; 5] = ["--against", "main", "--stored", "--fail-on", "worse,unclear"];

/// Returns a project with a baseline, and five runs of the same code within minutes.
fn with_history() -> Place {
    let place = Place::new();
    measure(&place, [1.0; 5], 1.0, 1.0, &["--save", "main"]);
    measure(&place, [1.0; 5], 1.0, 1.0, &["--repeat", "5"]);
    place
}

fn sides(comparison: &Value) -> Vec<Value> {
    let cases = comparison["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4);
    cases.iter().map(|case| case["sides"][0].clone()).collect()
}

/// Tests a machine that is 3 % slower. The same code must be undecided, and a program that is 10 % slower
/// must be worse. Both must hold for a comparison, a gate, its files, and a run that is compared with
/// stored times.
fn slower_machine(yardsticks: [f64; 5], said: &str) {
    let place = with_history();
    measure_ending(5, &place, yardsticks, 1.03, 1.0, &AGAINST_STORED);
    let comparison = place.derny(&["compare", "main", "-f", "json"]).expect(0).comparison();
    for side in sides(&comparison) {
        assert_eq!((&side["verdict"], &side["reason"]), (&"unclear".into(), &"machine".into()), "{side}");
        for change in side["changes"].as_array().unwrap().iter().filter(|change| change["metric"] == "time") {
            assert!(change["p"].is_null() && change["q"].is_null(), "{change}");
            let machine = &change["machine"];
            assert!(number(&machine["lo"]) < 0.03 && number(&machine["hi"]) > 0.03, "{change}");
        }
    }
    assert!((number(&comparison["machine"][0]["common_shift"]) - 0.03).abs() < 0.005, "{comparison}");
    assert!(comparison["unknown"].to_string().contains(said), "{}", comparison["unknown"]);
    let gate = place.derny(&["compare", "--gate", "main", "last"]).expect(5);
    assert!(gate.out.contains("not measured together; the machine may explain"), "{}", gate.out);
    assert!(gate.out.contains(said) && !gate.out.contains("slower\n"), "{}", gate.out);
    let junit = place.derny(&["compare", "--gate", "main", "last", "-f", "junit"]).expect(5).out;
    assert_eq!(junit.matches("the machine may explain").count(), 4, "{junit}");
    place.derny(&["compare", "main", "--fail-on", "worse,unclear"]).expect(5);

    measure_ending(1, &place, yardsticks, 1.03, 1.1, &AGAINST_STORED);
    let comparison = place.derny(&["compare", "main", "-f", "json"]).expect(0).comparison();
    for side in sides(&comparison) {
        assert_eq!(side["verdict"], "worse", "{side}");
    }
    let gate = place.derny(&["compare", "--gate", "main", "last", "-v"]).expect(1);
    assert!(gate.out.contains("not measured together; the machine may explain"), "{}", gate.out);
}

#[test]
fn a_slower_machine_that_no_yardstick_sees_is_not_the_program() {
    slower_machine([1.0; 5], "and no yardstick moved");
}

#[test]
fn a_slower_machine_that_all_yardsticks_see_is_not_the_program() {
    slower_machine([1.03; 5], "and the yardsticks moved too");
}

#[test]
fn a_slower_machine_whose_yardsticks_drift_apart_is_not_the_program() {
    slower_machine([1.03, 1.0, 1.02, 1.05, 1.01], "memory +5.0 %");
}

/// Fails unless every side of the comparison with the baseline is unclear for this reason. Returns the
/// comparison.
fn unclear(place: &Place, reason: &str) -> Value {
    let comparison = place.derny(&["compare", "main", "-f", "json"]).expect(0).comparison();
    for side in sides(&comparison) {
        assert_eq!((&side["verdict"], &side["reason"]), (&"unclear".into(), &reason.into()), "{side}");
    }
    place.derny(&["compare", "--gate", "main", "last"]).expect(5);
    comparison
}

#[test]
fn quick_runs_beside_each_other_have_no_verdict() {
    let place = Place::new();
    let quick = ["--quick", "--set", "processes=3"];
    measure_by(0, &place, &script([1.0; 5]), 1.0, &[&quick[..], &["--save", "main"]].concat());
    for factor in [0.6, 1.6] {
        let text = measure_by(5, &place, &script([1.0; 5]), factor, &[&quick[..], &AGAINST_STORED].concat());
        assert!(text.contains("not measured together; an interval needs 6 processes"), "{text}");
        let comparison = unclear(&place, "too-few-pairs");
        let change = &comparison["cases"][0]["sides"][0]["changes"][0];
        assert!(change["change"]["interval"].is_null() && change["machine"].is_null(), "{change}");
        assert!((number(&change["change"]["value"]) - (factor - 1.0)).abs() < 0.05, "{change}");
    }
}

#[test]
fn a_busy_machine_is_not_the_program() {
    let place = Place::new();
    measure_by(0, &place, &script([1.0; 5]), 1.0, &["--save", "main"]);
    // Other programs took 40 % and the hypervisor 10 %, which may double a program's time.
    let busy = script([1.0; 5]) + "others 0.4\nsteal 0.1\nload 7.5\n";
    measure_by(5, &place, &busy, 1.7, &AGAINST_STORED);
    let comparison = unclear(&place, "machine");
    let machine = &comparison["machine"][0];
    // Contention is a mean over waves, so its last digits depend on the durations of the waves.
    let near = |value: &Value, expected: f64| (number(value) - expected).abs() < 1e-9;
    assert!(near(&machine["contention"][0]["others"], 0.0), "{machine}");
    assert!(near(&machine["contention"][1]["load"], 7.5), "{machine}");
    let range = &comparison["cases"][0]["sides"][0]["changes"][0]["machine"];
    assert!(number(&range["lo"]) > -0.1 && number(&range["hi"]) > 1.0, "{range}");
    let said = "other programs took 40 % and the hypervisor 10 % of its processors' time";
    assert!(comparison["unknown"].to_string().contains(said), "{}", comparison["unknown"]);
    let document = place.document();
    assert!(near(&document["contention"]["steal"], 0.1), "{}", document["contention"]);
    // The program is slower by more than the load explains, or faster despite the load.
    for (factor, verdict) in [(3.0, "worse"), (0.8, "better")] {
        measure_by(i32::from(verdict == "worse"), &place, &busy, factor, &AGAINST_STORED);
        let comparison = place.derny(&["compare", "main", "-f", "json"]).expect(0).comparison();
        sides(&comparison).iter().for_each(|side| assert_eq!(side["verdict"], verdict, "{side}"));
    }
}

#[test]
fn a_plain_second_run_tells_what_is_known_of_its_change() {
    let place = Place::new();
    measure(&place, [1.0; 5], 1.0, 1.0, &[]);
    // The range is −1.4 to +4.1 %, extended at both ends by half its width.
    let drifting = [1.0, 0.9864, 1.02, 1.0413, 1.01];
    let text = measure(&place, drifting, 1.0, 0.74, &[]);
    let told = "not measured together; the machine may explain −4 to +7 %";
    assert!(text.contains(told) && text.contains("−26.0 % faster"), "{text}");
    let change = &place.document()["suites"][0]["cases"][0]["change"];
    assert_eq!(change["verdict"], "better", "{change}");
    assert!((number(&change["change"]) + 0.26).abs() < 0.01, "{change}");
    // Compared with that run, the machine is unchanged.
    let text = measure(&place, drifting, 1.0, 0.75, &[]);
    let told = "not measured together; the machine may explain −5 to +5 %";
    // Look only at the rows of cases, because a warning may say that a processor is slower.
    let mut rows = text.lines().filter(|line| line.contains("fake/copy"));
    assert!(
        text.contains(told) && !rows.any(|row| row.contains("faster") || row.contains("slower")),
        "{text}"
    );
    let change = &place.document()["suites"][0]["cases"][0]["change"];
    assert_eq!((&change["verdict"], &change["reason"]), (&"unclear".into(), &"machine".into()), "{change}");
}

#[test]
fn a_run_reads_its_yardsticks_before_and_after() {
    let place = Place::new();
    let readings = |place: &Place, words: &[&str]| -> Vec<Value> {
        let events = place.events(&[&["steady"], words].concat());
        let seen = events.of("observed").into_iter().map(|event| event["yardsticks"].clone());
        seen.filter(|yardsticks| yardsticks.is_array()).collect()
    };
    let real = readings(&place, &[]);
    assert_eq!(real.len(), 2);
    for reading in real {
        let names: Vec<&str> =
            reading.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, NAMES);
        assert!(reading.as_array().unwrap().iter().all(|one| number(&one["time_ns"]) > 0.0), "{reading}");
    }
    assert!(readings(&place, &["--once"]).is_empty());
    let document = place.tiny(&["steady", "-f", "json"]).expect(0).json();
    assert_eq!(document["yardsticks"].as_array().unwrap().len(), 5, "{}", document["yardsticks"]);
}
