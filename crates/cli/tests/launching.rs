//! Tests the flags of `run` that determine which processes start, where, in which order and within which
//! limits.

#![cfg(unix)]

use crate::place::{Events, Place, fake_args, harness};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn isolation_decides_how_many_cases_share_a_process() {
    let place = Place::new();
    let shared = place.events(&["--set", "isolation=suite", "--", "--cases=6"]);
    let visits = |events: &Events| events.of("visit-started").len();
    assert_eq!(visits(&shared), 12);
    assert_eq!(shared.of("process-started").len(), 2);
    assert!(shared.of("visit-started").iter().any(|visit| visit["position"] == 5));
    let alone = place.events(&["--set", "isolation=case", "--", "--cases=3"]);
    assert_eq!(visits(&alone), 6);
    assert_eq!(alone.of("process-started").len(), 6);
}

#[test]
fn an_answer_that_does_not_come_ends_in_time() {
    let place = Place::new();
    let start = Instant::now();
    let args =
        ["steady", "work", "--set", "timeout=2s", "--", "--fault=hang@measure", "--fault-case=fake/steady"];
    let done = place.tiny(&args).expect(3);
    assert!(done.err.contains("error DY305") && done.err.contains("within 2 s"), "{}", done.err);
    assert!(done.out.contains("fake/work"), "the other case was measured\n{}", done.out);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// The run ends before the timeout of the answer, so it is unknown whether the harness hangs.
#[test]
fn an_answer_that_the_run_does_not_wait_for_is_no_failure() {
    let place = Place::new();
    let args = ["run", "steady", "--total", "1s", "--set", "timeout=60s", "--", "--fault=hang@measure"];
    let done = place.fake(&args).expect(5);
    assert!(
        !done.err.contains("DY305") && done.err.contains("not measured (budget exhausted)"),
        "{}",
        done.err
    );
}

fn processors(place: &Place) -> Vec<Option<u64>> {
    place.phase("measured").iter().map(|row| row["cpu"].as_u64()).collect()
}

#[test]
fn pin_puts_turns_on_processors() {
    let place = Place::new();
    place.tiny(&["steady", "--set", "pin=none"]).expect(0);
    assert!(processors(&place).iter().all(Option::is_none));
    if cfg!(target_os = "linux") {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
        let first = list.split([',', '-']).next().unwrap();
        place.tiny(&["steady", "--set", &format!("pin={first}")]).expect(0);
        assert!(processors(&place).iter().all(|cpu| *cpu == Some(first.parse().unwrap())));
        let bad = place.fake(&["run", "--set", "pin=4095"]).expect(2);
        assert!(bad.err.contains("processor 4095 is not available"), "{}", bad.err);
    }
}

#[test]
fn memory_limits_a_harness() {
    let place = Place::new();
    let args = [
        "steady",
        "--set",
        "memory=64M",
        "--set",
        "rounds=40",
        "--budget",
        "5s",
        "--",
        "--fault=leak:20000000@measure",
    ];
    let done = place.tiny(&args).expect(3);
    assert!(done.err.contains("error DY311") && done.err.contains("the limit is 64 MiB"), "{}", done.err);
}

#[test]
fn wave_bounds_how_many_processes_are_alive() {
    let place = Place::new();
    let alive = |wave: &str| {
        let events = place.events(&["steady", "--set", &format!("wave={wave}"), "--set", "processes=4"]);
        let (mut now, mut most) = (0, 0);
        for event in &events.0 {
            match event["event"].as_str() {
                Some("process-started") => now += 1,
                Some("process-ended") => now -= 1,
                _ => {}
            }
            most = most.max(now);
        }
        most
    };
    assert_eq!(alive("1"), 1);
    assert!(alive("4") > 1);
}

#[test]
fn a_profiler_stands_in_front_of_every_launch() {
    let place = Place::new();
    let events = place.events(&["steady", "--profiler", "env 'PROFILED=a b'"]);
    for process in events.of("process-started") {
        assert_eq!(process["command"][0], "env");
        assert_eq!(process["command"][1], "PROFILED=a b");
    }
}

#[test]
fn once_calls_every_case_once_and_times_nothing() {
    let place = Place::new();
    let count = place.root.join("calls");
    let file = format!("--count-file={}", count.display());
    for (once, cases, which) in [
        ("--once", 5, "steady, work, both sized, slow"),
        ("--once=smallest", 4, "one sized"),
        ("--once=each", 5, "all"),
    ] {
        let done = place.fake(&["run", once, "fake", "--", &file]).expect(0);
        assert!(done.err.contains("passed"), "{}", done.err);
        assert!(place.rows().is_empty());
        let calls = std::fs::read_to_string(&count).unwrap();
        let checks: Vec<&str> = calls.lines().filter(|line| line.contains(" check ")).collect();
        assert_eq!(checks.len(), cases, "{which}: {calls}");
        std::fs::remove_file(&count).unwrap();
    }
    let list = |once: &str| place.fake(&["list", once, "-f", "plain"]).expect(0).out.lines().count();
    assert_eq!((list("--once"), list("--once=smallest")), (5, 4));
    let failed =
        place.fake(&["run", "--once", "--", "--fault=throw@check", "--fault-case=fake/work"]).expect(3);
    assert!(failed.err.contains("error DY312"), "{}", failed.err);
    assert!(failed.err.contains("1 failed"), "{}", failed.err);
}

#[test]
fn seeds_repeat_the_order_and_the_whole_plan() {
    let place = Place::new();
    let plan =
        |seed: &str| place.fake(&["run", "--dry-run", "--seed", seed, "--", "--cases=12"]).expect(0).out;
    assert_eq!(plan("5"), plan("5"));
    assert_ne!(plan("5"), plan("6"));
    let order = |seed: &str| {
        let args = [
            "--seed",
            seed,
            "--set",
            "processes=2",
            "--budget",
            "60s",
            "--set",
            "isolation=case",
            "--",
            "--cases=6",
        ];
        let events = place.events(&args);
        assert_eq!(events.0[0]["run"]["seed"], seed.parse::<u64>().unwrap());
        let visits = events.of("visit-started").into_iter().map(|visit| visit["case"].as_u64().unwrap());
        visits.collect::<Vec<_>>()
    };
    let once = order("11");
    assert_eq!(once, order("11"));
    assert_ne!(once, order("12"));
}

#[test]
fn a_dry_run_tells_the_plan_and_starts_nothing() {
    let place = Place::new();
    let count = place.root.join("calls");
    let file = format!("--count-file={}", count.display());
    let args = ["run", "--dry-run", "steady", "--set", "processes=8", "--", &file];
    let done = place.fake(&args).expect(0);
    assert!(done.out.contains("fake/steady") && done.out.contains("may stop after 6 or 8"), "{}", done.out);
    let calls = std::fs::read_to_string(&count).unwrap_or_default();
    assert!(!calls.contains(" open ") && !calls.contains(" measure "), "{calls}");
    assert!(place.runs().is_empty());
}

#[test]
fn what_the_environment_says_counts_less_than_flags() {
    let place = Place::new();
    let env = [("DERNY_PROCESSES", "3"), ("DERNY_ROUNDS", "3"), ("DERNY_SEED", "77"), ("DERNY_WARMUP", "0")];
    let args = fake_args(&["run", "steady", "--set", "rounds=2", "--budget", "60s", "-f", "ndjson"]);
    let first = place.derny_with(&env, &args).expect(0).lines()[0].clone();
    let settings = &first["run"]["settings"];
    assert_eq!((settings["processes"].as_u64(), settings["rounds"].as_u64()), (Some(3), Some(2)));
    assert_eq!(first["run"]["seed"], 77);
}

/// Returns the flag that makes the scripted harness need a global set-up, and a function that returns the log
/// of the set-ups, in which each word is `prepare` or `end`.
fn preparing(place: &Place) -> (String, impl Fn() -> Vec<String>) {
    let file = place.root.join("prepared");
    let flag = format!("--prepared={}", file.display());
    let words = move || {
        let told = std::fs::read_to_string(&file).unwrap_or_default();
        told.lines().map(|line| line.split(' ').next().unwrap_or("").to_string()).collect()
    };
    (flag, words)
}

/// The scripted harness opens a case only while the process of the global set-up is alive.
#[test]
fn what_a_run_needs_once_is_prepared_once_and_lives_as_long() {
    let place = Place::new();
    let (flag, told) = preparing(&place);
    place.fake(&["list", "--", &flag, "--cases=3"]).expect(0);
    assert!(told().is_empty(), "to list is not to run: {:?}", told());
    for isolation in ["case", "suite"] {
        let before = told().len();
        let events = place.events(&["--set", &format!("isolation={isolation}"), "--", &flag, "--cases=3"]);
        assert_eq!(events.of("visit-ended").len(), 6);
        assert_eq!(told()[before..], ["prepare", "end"]);
    }
    let before = told().len();
    place.fake(&["run", "--once", "--", &flag, "--cases=3"]).expect(0);
    assert_eq!(told()[before..], ["prepare", "end"]);
}

#[test]
fn a_variant_that_is_launched_otherwise_has_a_preparer_of_its_own() {
    let place = Place::new();
    let (flag, told) = preparing(&place);
    let variant = |name: &str, ns: u32| format!("{name}={} {flag} --cases=2 --cost-ns={ns}", harness());
    let (old, new) = (variant("old", 50), variant("new", 60));
    place.tiny(&["copy", "-x", &old, "-x", &new, "--", &flag, "--cases=2"]).expect(0);
    assert_eq!(told().iter().filter(|what| *what == "prepare").count(), 2, "{:?}", told());
    assert_eq!(told().iter().filter(|what| *what == "end").count(), 2, "{:?}", told());
}

/// Each line in the log of the global set-ups contains `prepare` or `end`, the process, the key and the
/// folder.
#[test]
fn each_key_is_prepared_by_a_process_of_its_own_in_the_folder_of_the_run() {
    let place = Place::new();
    let file = place.root.join("prepared");
    let flag = format!("--prepared={}", file.display());
    let run = ["--set", "isolation=suite", "--", &flag, "--cases=4", "--setup-keys=a,b"];
    let events = place.events(&run);
    assert_eq!(events.of("visit-ended").len(), 8);
    let told = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Vec<&str>> = told.lines().map(|line| line.split(' ').collect()).collect();
    let prepared: Vec<&Vec<&str>> = lines.iter().filter(|line| line[0] == "prepare").collect();
    let mut keys: Vec<&str> = prepared.iter().map(|line| line[2]).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["a", "b"]);
    assert_ne!(prepared[0][1], prepared[1][1], "two processes");
    assert_eq!(prepared[0][3], prepared[1][3], "one folder: {told}");
    assert!(!Path::new(prepared[0][3]).exists(), "it is removed at the run's end");
    // Cases with different keys never share a process.
    let cases = events.of("run-started")[0]["cases"].as_array().unwrap().clone();
    let key = |case: &Value| &cases[case.as_u64().unwrap() as usize]["global_setup"];
    for visit in events.of("visit-started") {
        for other in events.of("visit-started") {
            assert!(visit["process"] != other["process"] || key(&visit["case"]) == key(&other["case"]));
        }
    }
}

#[test]
fn what_cannot_be_prepared_fails_each_case_that_needs_it() {
    let place = Place::new();
    let done = place.tiny(&["--", "--prepared=/nowhere/there", "--cases=2"]).expect(3);
    assert_eq!(done.err.matches("the benchmark threw during `prepare`").count(), 2, "{}", done.err);
    assert!(done.err.contains("No such file or directory"), "{}", done.err);
}

/// Returns the order of variants for each block: in launches, in `visit-started` and in `visit-ended`.
fn orders(events: &Events) -> BTreeMap<u64, [Vec<u64>; 3]> {
    let mut orders: BTreeMap<u64, [Vec<u64>; 3]> = BTreeMap::new();
    let number = |value: &Value| value.as_u64().unwrap();
    for start in events.of("process-started") {
        let order = orders.entry(number(&start["block"])).or_default();
        assert_eq!(number(&start["place"]), order[0].len() as u64, "places count launches");
        order[0].push(number(&start["variant"]));
    }
    let visits = events.of("visit-started");
    for (step, kind) in [(1, "visit-started"), (2, "visit-ended")] {
        for event in events.of(kind) {
            let visit = visits.iter().find(|start| start["visit"] == event["visit"]).unwrap();
            let starts = events.of("process-started");
            let process = starts.iter().find(|start| start["process"] == visit["process"]).unwrap();
            orders.get_mut(&number(&process["block"])).unwrap()[step].push(number(&process["variant"]));
        }
    }
    orders
}

#[test]
fn each_side_of_a_pair_is_launched_first_in_half_of_the_blocks() {
    let place = Place::new();
    let words = ["steady", "--set", "processes=8", "--precise", "--set", "precision=0.0001%"];
    let sides = ["-x", "a+A=1", "-x", "b+A=2", "--"];
    let events = place.events(&[&words[..], &sides].concat());
    let orders = orders(&events);
    assert_eq!(orders.len(), 8);
    for [launched, opened, closed] in orders.values() {
        assert_eq!((opened, closed), (launched, launched));
    }
    let base_first = orders.values().filter(|[launched, ..]| launched == &[0, 1]).count();
    assert_eq!(base_first, 4);
    // Calibration does not favour the base: the other side has the same turns.
    let base = |turn: &&&Value| events.process_of(turn)["variant"] == 0;
    let calibrating = events.turns("calibration");
    assert_eq!(calibrating.iter().filter(base).count() * 2, calibrating.len());
}

#[test]
fn of_three_sides_every_second_block_has_the_order_reversed() {
    let place = Place::new();
    let words = ["steady", "--set", "processes=4", "--precise", "--set", "precision=0.0001%"];
    let sides = ["-x", "a+A=1", "-x", "b+A=2", "-x", "c+A=3", "--"];
    let orders = orders(&place.events(&[&words[..], &sides].concat()));
    // Blocks of a case may launch in either order. Pair each block with its mirror image, and check that no
    // other remains.
    let mut lonely: Vec<Vec<u64>> = Vec::new();
    for [launched, opened, closed] in orders.into_values() {
        assert_eq!((&opened, &closed), (&launched, &launched));
        let mirrored: Vec<u64> = launched.iter().rev().copied().collect();
        match lonely.iter().position(|other| *other == mirrored) {
            Some(at) => drop(lonely.remove(at)),
            None => lonely.push(launched),
        }
    }
    assert!(lonely.is_empty(), "{lonely:?}");
}
