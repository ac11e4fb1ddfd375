//! Tests that budgets are bounds: every case has a figure within its budget, whatever untimed work a
//! benchmark does. Slow work sleeps, so that load on the machine hardly affects its duration.
#![cfg(target_os = "linux")]

use crate::place::{Place, number};
use serde_json::Value;
use std::time::{Duration, Instant};

const BAD: &str = "fake/copy-002";

/// A run of three cases, of which one has a problem, and the commands that the harnesses received.
struct Troubled {
    place: Place,
    took: Duration,
    events: Vec<Value>,
}

impl Troubled {
    /// Runs the cases. Fails the test if the exit code is not `code`, without printing the event stream of
    /// thousands of lines.
    #[track_caller]
    fn run(flags: &[&str], trouble: &[&str], code: i32) -> Troubled {
        let place = Place::new();
        let file = format!("--count-file={}", place.root.join("commands").display());
        let only = format!("--fault-case={BAD}");
        let harness = ["--cases=3", "--cost-ns=200", &only, &file];
        let args = [&["run", "-f", "ndjson"], flags, &["--"], &harness[..], trouble].concat();
        let start = Instant::now();
        let done = place.fake(&args);
        assert_eq!(done.code, code, "{}", done.err);
        Troubled { took: start.elapsed(), events: done.lines(), place }
    }

    /// Returns how often the harness received this command for the troubled case.
    fn count(&self, verb: &str) -> usize {
        let lines = self.place.read("commands");
        lines.lines().filter(|line| line.contains(&format!(" {verb} {BAD} "))).count()
    }

    /// Returns the typical times of the cases, in the order of their names.
    fn times(&self) -> Vec<Option<f64>> {
        let document = self.place.document();
        let cases = document["suites"][0]["cases"].as_array().unwrap();
        cases.iter().map(|case| case["variants"][0]["time"]["typical"]["value"].as_f64()).collect()
    }

    /// Fails unless every case has a figure, which must be right for the cases without a problem.
    #[track_caller]
    fn has_figures(&self) {
        let times = self.times();
        assert!(times.len() == 3 && times.iter().all(Option::is_some), "{times:?}");
        assert!([0, 2].iter().all(|at| (190.0..400.0).contains(&times[*at].unwrap())), "{times:?}");
    }

    /// Returns the number of iterations in all turns of the troubled case.
    fn iterations(&self) -> f64 {
        let bad = self.events[0]["cases"]
            .as_array()
            .unwrap()
            .iter()
            .position(|case| case["id"]["benchmark"] == BAD);
        let visits: Vec<&Value> = self
            .events
            .iter()
            .filter(|event| {
                event["event"] == "visit-started" && event["case"].as_u64() == bad.map(|at| at as u64)
            })
            .map(|event| &event["visit"])
            .collect();
        let turns =
            self.events.iter().filter(|event| event["event"] == "turn" && visits.contains(&&event["visit"]));
        turns
            .filter(|turn| turn["phase"] != "overhead")
            .map(|turn| number(&turn["iterations"]) * turn["times_ns"].as_array().unwrap().len() as f64)
            .sum()
    }

    fn warns(&self, code: &str) -> bool {
        let document = self.place.document();
        document["warnings"].as_array().unwrap().iter().any(|warning| warning["code"] == code)
    }
}

#[test]
fn a_set_up_before_every_call_leaves_few_iterations_and_a_warning() {
    // The untimed work takes ten thousand times as long as the timed routine. By timed work alone, a batch
    // would have 100 iterations of 2 ms each. On a busy machine, too few processes for the warning fit into a
    // few seconds.
    let ran = Troubled::run(&["--budget=10s"], &["--untimed=2000000:0"], 0);
    ran.has_figures();
    assert!(ran.iterations() < 6000.0, "{} iterations of 2 ms", ran.iterations());
    assert!(ran.warns("DY232"));
    let text = ran.place.derny(&["dev", "explain", "DY232"]).expect(0).out;
    assert!(text.contains("untimed") && text.contains("--budget"), "{text}");
}

#[test]
fn untimed_work_that_grows_with_the_square_of_iterations_is_bounded_too() {
    let ran = Troubled::run(&["--budget=2s"], &["--untimed=400000:0:2"], 0);
    ran.has_figures();
    // A batch of a hundred iterations would take 4 s.
    let most = ran.events.iter().filter(|event| event["event"] == "turn" && event["phase"] == "measured");
    let most = most.filter(|turn| number(&turn["wall_ns"]) > 1e9).count();
    assert_eq!(most, 0);
    assert!(ran.took < Duration::from_secs(40), "{:?}", ran.took);
}

#[test]
fn a_slow_set_up_of_each_batch_is_not_mistaken_for_one_of_each_call() {
    let ran = Troubled::run(&["--budget=2s"], &["--untimed=0:20000000"], 0);
    ran.has_figures();
    let bad = ran.times()[1].unwrap();
    assert!((190.0..1000.0).contains(&bad), "{bad}");
    let ran = Troubled::run(&["--budget=2s"], &["--untimed=0:400000000"], 0);
    ran.has_figures();
    assert!(ran.count("measure") <= 16, "{} turns of 400 ms", ran.count("measure"));
}

#[test]
fn slow_opening_and_closing_count() {
    let ran = Troubled::run(&["--budget=1s"], &["--open-ms=700"], 0);
    ran.has_figures();
    assert!((1..=4).contains(&ran.count("open")), "{} times", ran.count("open"));
    // Eight visits are open before the first one is closed. They are closed at the same time.
    let ran = Troubled::run(&["--budget=2s"], &["--close-ms=3000"], 0);
    ran.has_figures();
    assert!(ran.took < Duration::from_secs(20), "{:?}", ran.took);
}

#[test]
fn a_first_call_beyond_the_budget_is_not_the_figure() {
    let ran = Troubled::run(&["--budget=1s"], &["--first-ms=4000"], 0);
    ran.has_figures();
    let bad = ran.times()[1].unwrap();
    assert!((190.0..10_000.0).contains(&bad), "{bad}");
    assert_eq!(ran.count("close"), ran.count("open"));
}

#[test]
fn a_case_that_hangs_in_every_process_is_waited_for_once() {
    let ran = Troubled::run(&["--budget=2s", "--set=timeout=4s"], &["--fault=hang@measure:4"], 3);
    let times = ran.times();
    assert!(times[0].is_some() && times[2].is_some(), "{times:?}");
    // Waiting for each of eight processes would take 32 s in addition to the other cases' time.
    assert!(ran.took < Duration::from_secs(40), "{:?}", ran.took);
}

#[test]
fn a_case_that_eats_the_time_of_the_run_leaves_its_neighbours_theirs() {
    for isolation in ["--set=isolation=case", "--set=isolation=suite"] {
        let flags = ["--total=16s", "--budget=2s", "--set=timeout=60s", isolation];
        let ran = Troubled::run(&flags, &["--fault=hang@measure:4"], 0);
        let times = ran.times();
        assert!(times[0].is_some() && times[2].is_some(), "{isolation} {times:?}");
        let ended =
            ran.events.iter().filter(|event| event["event"] == "case-ended" && event["reason"] == "budget");
        assert!(ended.count() >= 1, "{isolation}");
    }
}

#[test]
fn a_run_whose_programs_start_slowly_ends_with_what_there_is() {
    let place = Place::new();
    let side = |name: &str| format!("{name}={} --cases=4 --launch-ms=1500", crate::place::harness());
    let (a, b) = (side("a"), side("b"));
    let flags = ["run", "copy", "-f", "ndjson", "--quick", "--budget=500ms", "--set=isolation=case"];
    let done = place.fake(&[&flags[..], &["-x", &a, "-x", &b]].concat());
    let events = done.lines();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    // The run has a limit of two seconds. A pair of each case takes 3 s, far more than that, so a second pair
    // is not begun.
    assert!(count("process-started") <= 16, "{} processes", count("process-started"));
    assert_eq!(count("run-ended"), 1);
    let reasons: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "case-ended").map(|event| &event["reason"]).collect();
    assert!(reasons.len() == 4 && reasons.iter().all(|reason| *reason == "budget"), "{reasons:?}");
    assert!(done.code == 0 || done.code == 5, "{}", done.code);
}
