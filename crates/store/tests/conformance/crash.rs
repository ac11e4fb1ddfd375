//! Kills engine processes and runs several at once. The test executable starts itself as the engine.

use super::{Kind, each, kind_of};
use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
use derny_model::{Event, RunStatus, Turn};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const ROUNDS: u32 = 40;

/// Returns the turns of a visit. They are the same in parent and child.
fn turns(number: u32) -> Vec<Turn> {
    let mut random = Random(u64::from(number) + 1);
    (0..ROUNDS).map(|round| turn(&mut random, number, round + number * ROUNDS)).collect()
}

/// Runs as the engine: records `visits` visits, and prints each visit and turn once it is stored.
fn engine(kind: &Kind, dir: &Path, id: &str, visits: u32) {
    let mut recorder = kind.store(dir).recorder().unwrap();
    recorder.on_event(&start(header(id), &[case("a")])).unwrap();
    for number in 0..visits {
        recorder.on_event(&process(number)).unwrap();
        recorder.on_event(&visit(number, number, 0)).unwrap();
        for turn in turns(number) {
            recorder.on_event(&Event::Turn(turn)).unwrap();
            say("turn", number);
        }
        recorder.on_event(&Event::VisitEnded { visit: number }).unwrap();
        say("visit", number);
        recorder.on_event(&process_end(number)).unwrap();
    }
    recorder.on_event(&end(RunStatus::Complete)).unwrap();
}

fn say(what: &str, number: u32) {
    let mut out = std::io::stdout();
    writeln!(out, "{what} {number}").unwrap();
}

/// Runs the engine and returns true if this is the child process. Returns false in the parent process.
fn was_engine() -> bool {
    let Ok(task) = std::env::var("DERNY_STORE_TEST_ENGINE") else { return false };
    let mut words = task.splitn(4, ' ');
    let (kind, id) = (kind_of(words.next().unwrap()), words.next().unwrap());
    let visits = words.next().unwrap().parse().unwrap();
    engine(kind, Path::new(words.next().unwrap()), id, visits);
    true
}

fn spawn_engine(kind: &Kind, test: &str, dir: &Path, id: &str, visits: u32) -> Child {
    let (_, place) = module_path!().split_once("::").unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args([&format!("{place}::{test}"), "--exact", "--nocapture", "--test-threads=1"])
        .envs(kind.env())
        .env("DERNY_STORE_TEST_ENGINE", format!("{} {id} {visits} {}", kind.name, dir.display()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills an engine `moment` after its first turn. Returns the number of complete visits and of turns that the
/// engine reported as stored.
fn kill_after(kind: &Kind, moment: Duration, dir: &Path, id: &str) -> (u32, u32) {
    let mut child =
        spawn_engine(kind, "an_engine_that_is_killed_loses_nothing_that_was_taken", dir, id, 100_000);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut killer = None;
    let mut kill = Some(move || {
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
    });
    let (mut visits, mut turns) = (0, 0);
    for line in lines.map_while(Result::ok) {
        // The test harness prints before our first line, and the kill may cut off the last line.
        let whole = line.ends_with(|c: char| c.is_ascii_digit());
        visits += u32::from(whole && line.starts_with("visit "));
        turns += u32::from(whole && line.contains("turn "));
        if turns > 0
            && let Some(kill) = kill.take()
        {
            killer = Some(std::thread::spawn(kill));
        }
    }
    killer.expect("the engine recorded something").join().unwrap();
    (visits, turns)
}

#[test]
fn an_engine_that_is_killed_loses_nothing_that_was_taken() {
    if was_engine() {
        return;
    }
    each(|kind| {
        let (dir, store) = kind.fresh();
        let mut reached = 0;
        // Slower stores reach the same states with fewer kills.
        for number in 0..if kind.one_writes { 12u32 } else { 4 } {
            let id = format!("kkk{number}");
            let (visits, told) = kill_after(
                kind,
                Duration::from_millis(if kind.one_writes { 23 } else { 61 } * u64::from(number)),
                dir.path(),
                &id,
            );
            reached += visits;
            let records = store.load(&id).unwrap();
            assert_eq!(records.header.status, RunStatus::Partial);
            let complete = records.visits.iter().filter(|visit| visit.complete).count() as u32;
            assert!(complete >= visits, "{complete} of {visits} visits that were promised");
            let stored: usize = records.visits.iter().map(|visit| visit.turns.len()).sum();
            assert!(stored >= told as usize, "{stored} of {told} turns");
            for visit in &records.visits {
                let expected = turns(visit.visit.visit);
                assert_eq!(visit.turns, expected[..visit.turns.len()]);
                assert!(!visit.complete || visit.turns.len() == expected.len());
            }
            assert!(store.recover().unwrap().contains(&id));
            assert_eq!(store.load(&id).unwrap(), records, "recovery changes the form only");
            assert!(store.recover().unwrap().is_empty());
        }
        assert!(reached > 2, "the engines were killed before they recorded anything: {reached} visits");
        let left = std::fs::read_dir(dir.path().join("running")).unwrap().count();
        assert_eq!(left, 0, "every journal was brought into the tables");
    });
}

#[test]
fn engines_that_start_and_record_at_once_do_not_disturb_each_other() {
    if was_engine() {
        return;
    }
    each(|kind| {
        let dir = tempfile::tempdir().unwrap();
        let store = dir.path().join("new");
        let name = "engines_that_start_and_record_at_once_do_not_disturb_each_other";
        let ids = ["aaaa", "bbbb", "cccc", "dddd"];
        let children: Vec<Child> = ids.map(|id| spawn_engine(kind, name, &store, id, 25)).into();
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        let store = kind.store(&store);
        for id in ids {
            let records = store.load(id).unwrap();
            assert_eq!(records.header.status, RunStatus::Complete);
            assert_eq!(records.visits.len(), 25);
            assert!(
                records.visits.iter().all(|visit| visit.complete && visit.turns == turns(visit.visit.visit))
            );
        }
    });
}
