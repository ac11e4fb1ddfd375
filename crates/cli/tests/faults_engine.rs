//! Tests how the engine ends: by Ctrl-C, by `kill -9`, and while another engine runs. Measurements are
//! kept, and no processes or files remain.
#![cfg(target_os = "linux")]

use crate::faults::{Project, SHORT, assert_whole, fates, only_failure, signal};
use derny_model::{FailureCode, RunStatus};
use derny_stats::Rng;
use std::time::Duration;

/// Settings of a run of about two seconds: 4 cases with 4 processes each.
const LONG: &[&str] = &[
    "--set=processes=4",
    "--set=rounds=30",
    "--set=warmup=20ms",
    "--budget=20s",
    "--set=timeout=5s",
    "--set=precision=0.0001%",
];
const CASES: usize = 4;
const HARNESS: &[&str] = &["--cases=4", "--fault=spawn-child:60"];
const ISOLATIONS: [&str; 3] = ["--set=isolation=case", "--set=isolation=suite", "--set=isolation=auto"];

#[test]
fn ctrl_c_keeps_what_was_measured_and_resume_goes_on() {
    for isolation in ISOLATIONS {
        let project = Project::new("interrupt");
        let mut running = project.begin(&[LONG, &[isolation]].concat(), HARNESS);
        running.wait_for("visit-ended", 3);
        let alive = project.alive();
        assert!(
            alive.iter().any(|process| process.ends_with(" sleep")),
            "grandchildren are not found: {alive:?}"
        );
        running.signal("INT");
        assert_eq!(running.finish(), Some(130), "{isolation}");
        assert_eq!(project.orphans(), [] as [String; 0], "{isolation}");
        let records = project.records();
        assert_eq!(records.header.status, RunStatus::Partial);
        let kept =
            |records: &derny_model::Records| records.visits.iter().filter(|record| record.complete).count();
        let before = kept(&records);
        assert!((3..4 * CASES).contains(&before), "{before} visits");
        let resumed = project.run(&["run", "--resume"]);
        assert_eq!(resumed.code, Some(0), "{isolation}: {}", resumed.stderr);
        let after = project.records();
        assert_eq!(after.header.id, records.header.id);
        assert_whole(&after, CASES);
        assert!(kept(&after) >= 4 * CASES, "{} visits", kept(&after));
        assert_eq!(
            after.visits[..before.min(2)],
            records.visits[..before.min(2)],
            "what was measured is unchanged"
        );
    }
}

/// Kills the engine at a random moment and checks the state it leaves. Returns true if the run was
/// interrupted.
fn kill_engine(seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let project = Project::new("kill");
    let isolation = ISOLATIONS[rng.below(3) as usize];
    let mut running = project.begin(&[LONG, &[isolation]].concat(), HARNESS);
    running.wait_for("run-started", 1);
    std::thread::sleep(Duration::from_millis(rng.below(1800)));
    running.signal("KILL");
    let was_alive = running.finish().is_none();
    let context = format!("seed {seed} {isolation}");
    assert_eq!(project.orphans(), [] as [String; 0], "{context}");
    let records = project.records();
    let told = running.ended();
    let stored: Vec<u32> = records.ended.iter().map(|(case, _)| *case).collect();
    assert!(told.iter().all(|case| stored.contains(case)), "{context}: told {told:?}, stored {stored:?}");
    let visits = running.of("visit-ended").filter_map(|event| event["visit"].as_u64()).collect::<Vec<_>>();
    let complete =
        |visit: &u64| records.visits.iter().any(|r| r.complete && u64::from(r.visit.visit) == *visit);
    assert!(visits.iter().all(complete), "{context}: told {visits:?}");
    if was_alive && records.header.status != RunStatus::Complete {
        assert_eq!(records.header.status, RunStatus::Partial, "{context}");
        let resumed = project.run(&["run", "--resume"]);
        assert_eq!(resumed.code, Some(0), "{context}: {}", resumed.stderr);
    }
    assert_whole(&project.records(), CASES);
    assert_eq!(project.orphans(), [] as [String; 0], "{context}");
    was_alive
}

#[test]
fn kill_9_of_the_engine_leaves_no_orphan_and_loses_nothing_that_was_finished() {
    let caught = (1..=4).filter(|seed| kill_engine(*seed)).count();
    assert!(caught >= 2, "only {caught} of 4 runs were caught in the middle");
}

#[test]
fn kill_9_while_cases_are_listed_leaves_no_orphan() {
    let project = Project::new("list");
    let fake = derny_testkit::program::fake_harness().display().to_string();
    let running = project.start(&["list", "--", &fake, "--fault=spawn-child:60@list", "--fault=hang@list"]);
    while !project.alive().iter().any(|process| process.ends_with(" sleep")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal("KILL");
    drop(running);
    assert_eq!(project.orphans(), [] as [String; 0]);
}

/// Without the reaper, the system ends the processes that the engine started itself.
#[test]
fn kill_9_of_the_engine_and_its_reaper_ends_a_harness_that_hangs() {
    let project = Project::new("both");
    let without = LONG.iter().filter(|flag| !flag.starts_with("--set=timeout"));
    let patient: Vec<&str> = without.copied().chain(["--set=timeout=60s"]).collect();
    let mut running = project.begin(&patient, &["--cases=1", "--fault=hang@measure:4"]);
    running.wait_for("turn", 1);
    let number = |process: &String| process.split(' ').next().unwrap().parse::<u32>().unwrap();
    let line = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let reapers: Vec<u32> =
        project.alive().iter().map(number).filter(|pid| line(pid).contains("__reap")).collect();
    assert_eq!(reapers.len(), 1, "{:?}", project.alive());
    signal("KILL", reapers[0]);
    running.signal("KILL");
    assert_eq!(running.finish(), None);
    assert_eq!(project.orphans(), [] as [String; 0]);
}

#[test]
fn kill_9_of_a_harness_costs_at_most_its_case() {
    for (seed, isolation) in (1..).zip(ISOLATIONS) {
        let project = Project::new("victim");
        let mut running = project.begin(&[LONG, &[isolation]].concat(), &["--cases=4"]);
        running.wait_for("turn", 20 + 20 * seed);
        let victim = running.of("process-started").last().and_then(|event| event["pid"].as_u64()).unwrap();
        signal("KILL", victim as u32);
        let code = running.finish();
        let records = project.records();
        let (failed, ended, visited) = fates(&records);
        if records.failures.is_empty() {
            // The harness was killed after its last event, so nothing failed.
            assert_eq!(code, Some(0), "{isolation}");
        } else {
            assert_eq!(code, Some(3), "{isolation}");
            let failure = only_failure(&records);
            assert_eq!(failure.code, FailureCode::DY304, "{failure:?}");
            assert!(failure.why.contains("SIGKILL"), "{failure:?}");
        }
        assert!(
            failed.len() <= 1 && ended.len() == CASES - failed.len(),
            "{isolation}: {failed:?} {ended:?}"
        );
        assert!(visited.len() >= ended.len());
        assert_eq!(project.orphans(), [] as [String; 0]);
    }
}

#[test]
fn two_runs_at_once_share_a_store() {
    let project = Project::new("two");
    let mut both = [0, 1].map(|_| project.begin(SHORT, &["--cases=3"]));
    let codes = both.each_mut().map(|running| running.finish());
    assert_eq!(codes, [Some(0), Some(0)]);
    let summaries = project.summaries();
    assert_eq!(summaries.len(), 2);
    for summary in summaries {
        assert_whole(&project.store().load(&summary.header.id).unwrap(), 3);
    }
}

#[test]
fn a_second_engine_that_dies_does_not_harm_the_first() {
    let project = Project::new("both");
    let mut first = project.begin(LONG, &["--cases=4"]);
    let mut second = project.begin(LONG, &["--cases=4"]);
    second.wait_for("visit-ended", 1);
    second.signal("KILL");
    second.finish();
    assert_eq!(first.finish(), Some(0));
    let statuses: Vec<RunStatus> =
        project.summaries().into_iter().map(|summary| summary.header.status).collect();
    assert!(
        statuses.contains(&RunStatus::Complete) && statuses.contains(&RunStatus::Partial),
        "{statuses:?}"
    );
    assert_eq!(project.orphans(), [] as [String; 0]);
}
