//! Tests `kill -9` of engines and harnesses at random moments, with real JavaScript harnesses.
//! `tests/faults/random_kills.sh` runs this test, which prints the numbers of orphaned processes, lost cases
//! and completed resumes.
#![cfg(target_os = "linux")]

use crate::faults::{Project, Running, fates, signal};
use derny_model::{Records, RunStatus};
use derny_stats::Rng;
use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

/// Two files with six cases. One case is asynchronous, and one starts a child process that outlives its
/// benchmark.
const FILES: [(&str, &str); 2] = [
    (
        "text.bench.cjs",
        "const { bench } = require('derny');
         bench('join', { params: { n: [10, 100] }, setup: ({ n }) => Array(n).fill('word') }, (list) => list.join(' '));
         bench('split', { setup: () => 'a b c d e f g' }, (text) => text.split(' '));",
    ),
    (
        "calls.bench.mjs",
        "import { spawn } from 'node:child_process';
         import { bench } from 'derny';
         bench('promise', () => Promise.resolve(1));
         bench('sort', { setup: () => [5, 3, 1, 4, 2] }, (list) => list.slice().sort());
         bench('child', { setup: () => spawn('sleep', ['600'], { stdio: 'ignore' }).unref() }, () => {});",
    ),
];
const CASES: usize = 6;
const SETTINGS: &[&str] = &[
    "run",
    "--set=processes=3",
    "--set=rounds=20",
    "--set=warmup=30ms",
    "--budget=20s",
    "--set=precision=0.0001%",
    "--format=ndjson",
];
/// Longest time from a run's start to the kill of its engine, in ms. It is somewhat less than a run takes.
const LATEST_MS: u64 = 3_000;

#[derive(Debug, Default)]
struct Count {
    engines: u64,
    harnesses: u32,
    orphans: usize,
    lost: usize,
    completed: u64,
}

/// Returns the number of reported results that are not in the store.
fn lost(running: &Running, records: &Records) -> usize {
    let stored: BTreeSet<u32> = records.ended.iter().map(|(case, _)| *case).collect();
    let visits: BTreeSet<u64> = records
        .visits
        .iter()
        .filter(|record| record.complete)
        .map(|record| u64::from(record.visit.visit))
        .collect();
    let told = running.of("visit-ended").filter_map(|event| event["visit"].as_u64());
    running.ended().iter().filter(|case| !stored.contains(case)).count()
        + told.filter(|visit| !visits.contains(visit)).count()
}

/// Returns the integer in an environment variable, or `otherwise`.
fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn project(isolation: &str) -> (Project, Vec<String>) {
    let project = Project::new("random");
    for (name, text) in FILES {
        std::fs::write(project.folder.join(name), text).unwrap();
    }
    let settings = SETTINGS.iter().copied().chain([isolation]).map(str::to_owned).collect();
    (project, settings)
}

/// Kills a live harness. Returns false if there is none, as between two launches.
fn kill_harness(project: &Project, rng: &mut Rng) -> bool {
    let alive = project.alive();
    let harnesses: Vec<&String> = alive.iter().filter(|process| process.ends_with(" node")).collect();
    if harnesses.is_empty() {
        return false;
    }
    let victim = harnesses[rng.below(harnesses.len() as u64) as usize];
    signal("KILL", victim.split(' ').next().unwrap().parse().unwrap());
    true
}

/// Kills the engine of a run, and then resumes the run. In every second run, kills a harness before the
/// engine. A run that ended before the kill does not count.
fn blow(seed: u64, count: &mut Count) {
    let mut rng = Rng::new(seed);
    let isolation =
        ["--set=isolation=case", "--set=isolation=suite", "--set=isolation=auto"][rng.below(3) as usize];
    let (project, settings) = project(isolation);
    let mut running = project.start(&settings.iter().map(String::as_str).collect::<Vec<_>>());
    running.wait_for("run-started", 1);
    let at_ms = rng.below(LATEST_MS);
    let before_ms = rng.below(at_ms + 1);
    std::thread::sleep(Duration::from_millis(before_ms));
    let hit = seed.is_multiple_of(2) && kill_harness(&project, &mut rng);
    std::thread::sleep(Duration::from_millis(at_ms - before_ms));
    running.signal("KILL");
    if running.finish().is_some() {
        return;
    }
    count.engines += 1;
    count.harnesses += u32::from(hit);
    count.orphans += project.orphans().len();
    let records = project.records();
    count.lost += lost(&running, &records);
    let resumed = project.run(&["run", "--resume"]);
    count.orphans += project.orphans().len();
    let whole = project.records();
    let (failed, ended, visited) = fates(&whole);
    // Only the case whose harness was killed may have failed.
    let wanted = if failed.is_empty() { (0, RunStatus::Complete) } else { (3, RunStatus::Failed) };
    let is_complete = (resumed.code, whole.header.status) == (Some(wanted.0), wanted.1)
        && failed.len() <= usize::from(hit)
        && ended.len() + failed.len() == CASES
        && visited.len() >= ended.len();
    if is_complete {
        count.completed += 1;
    } else {
        let (code, status) = (resumed.code, whole.header.status);
        let text =
            format!("seed {seed}: {code:?} {status:?} failed {failed:?} ended {ended:?}\n{}", resumed.stderr);
        let _ = writeln!(std::io::stdout(), "{text}");
    }
}

#[test]
#[ignore = "takes minutes: tests/faults/random_kills.sh"]
fn random_kills() {
    let (kills, first) = (number("KILLS", 50), number("SEED", 1));
    let mut count = Count::default();
    for seed in first..first + 4 * kills {
        if count.engines == kills {
            break;
        }
        blow(seed, &mut count);
    }
    let _ = writeln!(
        std::io::stdout(),
        "{} kills of engines, {} of harnesses: {} orphans, {} finished cases or visits lost, {} resumes completed",
        count.engines,
        count.harnesses,
        count.orphans,
        count.lost,
        count.completed
    );
    assert_eq!((count.engines, count.orphans, count.lost, count.completed), (kills, 0, 0, kills));
}
