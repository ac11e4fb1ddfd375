//! Tests what a harness declares about its cases (keys of `case` and of `end`), and how the engine uses it.

use crate::place::{Place, number};
use std::time::Instant;

#[test]
fn a_body_that_wears_out_runs_no_more_batches_than_it_may() {
    let place = Place::new();
    for most in [1_u32, 2, 3, 5, 40, 400] {
        let limit = format!("--max-batches={most}");
        // The only batch of a process is the cold one, so nothing is measured.
        let code = if most == 1 { 5 } else { 0 };
        let words = ["steady", "--set", "processes=3", "--set", "gc=process", "--", &limit];
        let events = place.events_ending(&words, code);
        assert!(events.of("failed").is_empty(), "{most}: {:?}", events.of("failed"));
        let visits = events.of("visit-started");
        assert_eq!(visits.len(), 3);
        for visit in visits {
            let of_visit = |turn: &&&serde_json::Value| turn["visit"] == visit["visit"];
            let counted = ["cold", "calibration", "warm-up", "measured"];
            let batches = |phase: &str| -> usize {
                let turns = events.turns(phase);
                turns.iter().filter(of_visit).map(|turn| turn["times_ns"].as_array().unwrap().len()).sum()
            };
            let all: usize = counted.iter().map(|phase| batches(phase)).sum();
            assert!(all <= most as usize, "{all} of {most}");
            assert!(most < 2 || batches("measured") > 0, "{most}: nothing was measured");
        }
    }
}

#[test]
fn the_empty_body_of_one_that_times_itself_has_as_many_operations() {
    let place = Place::new();
    let measure = |flags: &[&str]| {
        let words = ["fake/steady", "--set", "processes=2", "--", "--timing=self"];
        place.events(&[&words[..], flags].concat())
    };
    let events = measure(&[]);
    let measured = events.turns("measured");
    let overhead = events.turns("overhead");
    assert!(!overhead.is_empty());
    for turn in overhead {
        let last = measured.iter().rfind(|other| other["visit"] == turn["visit"]).unwrap();
        assert_eq!((&turn["ops"][0], turn["times_ns"].as_array().map(Vec::len)), (&last["ops"][0], Some(10)));
    }
    // The engine never requests the overhead of a body that wears out. A harness that cannot measure the
    // overhead is measured nevertheless.
    assert!(measure(&["--max-batches=400"]).turns("overhead").is_empty());
    let refused = measure(&["--fault=throw@overhead"]);
    assert!(refused.of("failed").is_empty() && refused.turns("overhead").is_empty());
    assert_eq!(refused.turns("measured").len(), measured.len());
}

#[test]
fn a_body_far_from_the_empty_one_is_compared_with_it_once() {
    let place = Place::new();
    let processes = |flags: &[&str]| {
        let words = ["fake/steady", "--set", "processes=4", "--", "--cost-ns=2000"];
        let turns = place.events(&[&words[..], flags].concat());
        let visits = turns.turns("overhead").into_iter().map(|turn| turn["visit"].as_u64());
        visits.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(processes(&[]), 1);
    assert_eq!(processes(&["--fault=full-overhead"]), 3, "as many as an interval needs");
}

#[test]
fn cases_are_shown_and_selected_by_their_module() {
    let place = Place::new();
    let list = |words: &[&str]| place.fake(&[&["list"][..], words, &["--", "--module=pkg/Maths"]].concat());
    let all = list(&["-f", "json"]).expect(0).json();
    assert!(all.as_array().unwrap().iter().all(|case| case["module"] == "pkg/Maths"));
    assert_eq!(all[0]["id"]["benchmark"], "fake/steady", "it is no part of the name");
    let names = list(&["Maths/fake/sized", "-f", "plain"]).expect(0).out;
    assert_eq!(names.lines().count(), 2, "{names}");
    assert_eq!(list(&["pkg/Maths/fake/w*", "-f", "plain"]).expect(0).out.lines().count(), 1);
    list(&["Physics"]).expect(4);
}

#[test]
fn a_case_that_is_known_to_be_skipped_is_not_launched() {
    let place = Place::new();
    let events = place.events(&["--", "--skips=fake/work"]);
    let cases = events.of("run-started")[0]["cases"].as_array().unwrap().clone();
    let work = cases.iter().position(|case| case["id"]["benchmark"] == "fake/work").unwrap();
    let ended = events.of("case-ended");
    let of_work: Vec<_> = ended.iter().filter(|event| event["case"] == work).collect();
    assert_eq!((of_work.len(), &of_work[0]["reason"]), (1, &"skipped".into()));
    assert!(events.of("visit-started").iter().all(|visit| visit["case"] != work));
    let said = events.of("log").iter().any(|log| log["message"] == "skipped: needs more than there is");
    assert!(said, "{:?}", events.of("log"));
}

#[test]
fn what_a_call_takes_is_planned_with() {
    let place = Place::new();
    let plan = |flag: &str| place.fake(&["run", "steady", "--dry-run", "--", flag]).expect(0).out;
    assert_ne!(plan("--about-ns=2000000000"), plan("--about-ns=1000"));
}

#[test]
fn a_case_may_give_less_time_than_the_time_out() {
    let place = Place::new();
    let start = Instant::now();
    let done = place.tiny(&["steady", "--", "--fault=hang@measure:2", "--timeout-ns=300000000"]).expect(3);
    assert!(done.err.contains("DY305") && done.err.contains("within 300 ms"), "{}", done.err);
    // With the configured timeout, this would take a minute.
    assert!(start.elapsed().as_secs() < 40);
}

#[test]
fn a_thread_that_moves_leaves_its_counters_unknown() {
    let place = Place::new();
    let events = place.events(&["steady", "--set", "processes=1", "--set", "rounds=12", "--", "--moves=1"]);
    let metrics = events.of("visit-started")[0]["metrics"].as_array().unwrap().clone();
    let cpu = metrics.iter().position(|metric| metric["name"] == "faults").unwrap();
    let measured = events.turns("measured");
    assert!(measured.len() >= 12 && measured.iter().all(|turn| turn["counters"][cpu].is_null()));
    assert!(measured.iter().all(|turn| number(&turn["times_ns"][0]) > 0.0));
}

#[test]
fn values_that_nobody_declared_are_kept_and_shown() {
    let place = Place::new();
    let report = ["--reports=score:points:level:more=3/5/4", "--reports=work:count:total:exact=7"];
    let close = ["--reports-at-close=lines:count:total=3", "--reports-at-close=peak:B:peak:less=900"];
    let declared = ["--metric=size:B:level=131", "--reports=size:kB:level=1"];
    let words = ["steady", "--set", "processes=3", "--set", "rounds=6", "-v", "--"];
    let done = place.tiny(&[&words[..], &report, &close, &declared].concat()).expect(0);
    assert_eq!(done.err.matches("reported value `size` is ignored").count(), 3, "once a visit: {}", done.err);
    let document = place.derny(&["show", "-f", "json"]).expect(0).json();
    let metrics = document["suites"][0]["cases"][0]["variants"][0]["metrics"].as_array().unwrap().clone();
    let value = |name: &str| {
        let metric = metrics.iter().find(|metric| metric["metric"]["name"] == name);
        let metric = metric.unwrap_or_else(|| panic!("no {name} in {metrics:?}"));
        (
            number(&metric["estimate"]["value"]),
            metric["metric"]["unit"].clone(),
            metric["metric"]["kind"].clone(),
        )
    };
    assert_eq!(value("size"), (131.0, "B".into(), "level".into()), "what was declared stands");
    let (score, ..) = value("score");
    assert!((3.0..=5.0).contains(&score), "{score}");
    assert_eq!(value("work"), (7.0, "count".into(), "total".into()));
    let (lines, ..) = value("lines");
    assert!((lines - 3.0).abs() < 1e-9, "divided by all operations since it was opened: {lines}");
    assert_eq!(value("peak"), (900.0, "B".into(), "peak".into()));
    // The journal and the event stream contain the same values.
    let events = place.events(&[&words[..5], &["--"], &report[..1], &close[..1]].concat());
    assert_eq!(events.of("reported").len(), events.of("visit-ended").len());
    assert!(events.turns("measured").iter().all(|turn| turn["reported"][0]["metric"]["name"] == "score"));
    assert!(events.turns("overhead").iter().all(|turn| turn["reported"].is_null()));
}

#[test]
fn looks_and_the_order_of_launches_are_recorded() {
    let place = Place::new();
    let words = ["steady", "--set", "processes=8", "--set", "rounds=4", "-x", "a+A=1", "-x", "b+A=2"];
    let events = place.events(&words.iter().copied().chain(["--"]).collect::<Vec<_>>());
    let looks = events.of("looked");
    assert!(!looks.is_empty());
    let ended = events.of("visit-ended").len();
    let blocks = looks.last().unwrap()["blocks"].as_array().unwrap().len();
    assert_eq!(2 * blocks, ended, "the last look is based on all complete blocks");
    assert!(["planned", "time-over"].contains(&looks[0]["reason"].as_str().unwrap()));
    let places: Vec<u64> =
        events.of("process-started").iter().map(|start| start["place"].as_u64().unwrap()).collect();
    assert!(places.len() >= 2 && places.iter().filter(|place| **place == 0).count() * 2 == places.len());
}

#[test]
fn a_body_on_as_many_threads_as_it_likes_is_not_pinned() {
    let place = Place::new();
    let of = |threads: &str| {
        let events = place.events(&["steady", "--set", "processes=1", "--", threads]);
        events.turns("measured").iter().all(|turn| turn["cpu"].is_null())
    };
    assert!(of("--threads=0") && of("--threads=2"));
}

#[test]
fn cases_below_a_parent_are_found_by_running_it_where_they_are_meant() {
    let place = Place::new();
    let counts = place.root.join("counts");
    let flag = format!("--count-file={}", counts.display());
    let list = |pattern: &str| {
        let _ = std::fs::remove_file(&counts);
        let done = place.fake(&["list", pattern, "-f", "plain", "--", "--below=3", &flag]).expect(0);
        let verbs = std::fs::read_to_string(&counts).unwrap_or_default();
        (done.out.lines().count(), verbs.matches(" expand ").count())
    };
    assert_eq!(list("fake/w*"), (1, 0), "nothing is run for a name that cannot be below it");
    assert_eq!(list("fake/tree/*"), (3, 1), "the listing that is remembered does not do");
    assert_eq!(list("fake/tree/2"), (1, 0), "what was found is remembered");
    assert_eq!(list("tree"), (3, 0));
    let events = place.events(&["tree/2", "--", "--below=3", &flag]);
    let cases = events.of("run-started")[0]["cases"].as_array().unwrap().clone();
    assert_eq!((cases.len(), &cases[0]["id"]["benchmark"]), (1, &"fake/tree/2".into()));
    assert!(!events.of("visit-ended").is_empty());
}

#[test]
fn a_parent_that_fails_costs_its_own_cases_only() {
    let place = Place::new();
    let done = place.tiny(&["--", "--below=3", "--cases=2", "--fault=throw@expand"]).expect(3);
    assert!(done.err.contains("fake/tree") && done.err.contains("`expand`"), "{}", done.err);
    let ended = place.rows().iter().filter(|row| row["phase"] == "measured").count();
    assert!(ended > 0, "the others are measured");
}

#[test]
fn a_loop_inside_the_users_own_call_ends_when_its_body_throws() {
    let place = Place::new();
    let words = [
        "--set",
        "isolation=suite",
        "--set",
        "processes=2",
        "--",
        "--inside",
        "--max-batches=1",
        "--can=",
        "--cases=3",
    ];
    // The engine keeps to the limit, so nothing throws. If something does throw, the engine continues with
    // the process.
    assert!(place.events_ending(&words, 5).of("failed").is_empty());
    let thrown = [
        "--set",
        "isolation=suite",
        "--set",
        "processes=2",
        "-p",
        "at=call",
        "conform/throw",
        "fake",
        "--",
        "--inside",
        "--conform",
    ];
    let done = place.tiny(&thrown).expect(3);
    assert!(done.err.contains("conform/throw at=call"), "{}", done.err);
    let measured = place
        .rows()
        .iter()
        .filter(|row| row["phase"] == "measured" && row["benchmark"] != "conform/throw")
        .count();
    assert!(measured > 0, "the other cases of the process are measured");
}
