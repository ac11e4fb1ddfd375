//! Tests that loading returns what was recorded.

use super::{Kind, each};
use crate::backend::{Act, Backend, Snapshot, by_name};
use crate::connection::Connection;
use crate::error::{ErrorKind, StoreError, Trouble};
use crate::runs::{load, load_within};
use crate::scenario::{Random, case, end, header, process, process_end, reported, start, turn, visit};
use derny_model::{
    Case, Event, Failure, FailureCode, LearnedFact, Look, LookReason, Observation, Records, RunStatus,
    StopReason, Turn, VisitReport, Yardstick,
};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns the events of two cases with two processes and two visits each, of `rounds` turns, and the
/// expected records.
fn whole_run(id: &str, rounds: u32) -> (Vec<Event>, Records) {
    let cases = vec![case("parse"), case("format")];
    let mut random = Random(11);
    let mut records = Records::new(header(id), cases.clone());
    let mut events = vec![start(header(id), &cases)];
    for number in 0..2 {
        events.push(process(number));
        for index in 0..2 {
            events.push(visit(number * 2 + index, number, index));
            events.extend((0..rounds).map(|round| Event::Turn(turn(&mut random, number * 2 + index, round))));
            let values = vec![reported("hits", 3.0), reported("n%s/op", 0.25)];
            let report = VisitReport { operations: 1e6, values, texts: vec![("kept".into(), "a, b".into())] };
            events.push(Event::Reported { visit: number * 2 + index, report });
            events.push(Event::VisitEnded { visit: number * 2 + index });
        }
        let yardsticks = vec![Yardstick { name: "integer".into(), time_ns: 1.25, error_ns: 0.01 }];
        events.push(Event::Observed(Observation { at_ns: 5, yardsticks, ..Observation::default() }));
        let reason = if number == 0 { LookReason::Planned } else { LookReason::TimeOver };
        events.push(Event::Looked(Look { case: 1, blocks: (0..=number).collect(), reason }));
        events.push(process_end(number));
    }
    events.push(Event::CaseEnded { case: 0, reason: StopReason::Precise });
    events.push(Event::Failed(failure()));
    events.push(Event::Log { case: None, message: "not kept".into() });
    events.push(Event::CaseEnded { case: 1, reason: StopReason::Failed });
    events.push(end(RunStatus::Failed));
    events.iter().cloned().for_each(|event| records.take(event));
    (events, records)
}

fn failure() -> Failure {
    Failure {
        code: FailureCode::DY304,
        what: "the harness was killed by signal 11".into(),
        case: Some(1),
        variant: Some(1),
        place: vec!["bench/url.js".into()],
        why: "segmentation fault".into(),
        remedy: "run it alone".into(),
    }
}

/// Returns `count` cases, each with a separate process and visit.
fn of_a_file(id: &str, count: u32) -> (Vec<Case>, Vec<Event>, Records) {
    let cases: Vec<Case> = (0..count).map(|number| case(&format!("case{number}"))).collect();
    let mut random = Random(count.into());
    let mut events = Vec::new();
    for number in 0..count {
        events.extend([process(number), visit(number, number, number)]);
        events.extend((0..number % 3).map(|round| Event::Turn(turn(&mut random, number, round))));
        let names = ["mean", "median", "least"].iter().take(number as usize / 40 + 1);
        let values = names.map(|name| reported(name, number.into())).collect();
        let report = VisitReport { operations: 1.0, values, texts: Vec::new() };
        let report = Event::Reported { visit: number, report };
        events.extend([report].into_iter().filter(|_| number % 5 > 0));
        events.push(Event::VisitEnded { visit: number });
    }
    let reason = |case| if case % 30 == 29 { StopReason::Failed } else { StopReason::Maximum };
    events.extend((0..count).map(|case| Event::CaseEnded { case, reason: reason(case) }));
    events.push(end(RunStatus::Complete));
    let mut records = Records::new(header(id), cases.clone());
    events.iter().cloned().for_each(|event| records.take(event));
    (cases, events, records)
}

#[test]
fn a_file_comes_back_as_it_was_told() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        // Use more rows than fit in one statement. The first file has only new cases, the second both known
        // and new ones.
        let files = [("k3fz", 70), ("m2aa", 150)].map(|(id, count)| (id, of_a_file(id, count)));
        for (id, (cases, events, records)) in &files {
            let mut recorder = store.recorder().unwrap();
            recorder.begin_file(&records.header, &|| by_name(cases)).unwrap();
            recorder.take_file(events.iter().cloned()).unwrap();
            drop(recorder);
            assert_eq!(store.load(id).unwrap(), *records);
        }
        store.delete("k3fz", false).unwrap();
        assert_eq!(store.load("m2aa").unwrap(), files[1].1.2, "texts that it has in common stay");
    });
}

#[test]
fn a_run_comes_back_as_it_was_told() {
    each(|kind| {
        let dir = tempfile::tempdir().unwrap();
        let store = kind.store(&dir.path().join(".derny"));
        let (events, expected) = whole_run("k3fz", 60);
        let mut recorder = store.recorder().unwrap();
        events.iter().for_each(|event| recorder.on_event(event).unwrap());
        assert_eq!(store.load("k3fz").unwrap(), expected);
        assert_eq!(store.load("last").unwrap(), expected);

        let summary = &store.runs(5).unwrap()[0];
        assert_eq!(summary.header, expected.header);
        assert_eq!((summary.cases, summary.processes, summary.visits, summary.failures), (2, 2, 4, 1));
        assert_eq!((summary.pruned, summary.baselines.len()), (false, 0));
        assert_eq!(std::fs::read_to_string(dir.path().join(".derny/.gitignore")).unwrap(), "*\n");
        assert!(std::fs::read_dir(dir.path().join(".derny/running")).unwrap().next().is_none());
    });
}

#[test]
fn at_every_moment_the_store_holds_all_that_was_taken() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let (events, _) = whole_run("k3fz", 60);
        let mut recorder = store.recorder().unwrap();
        let mut told = 0;
        for event in &events[..events.len() - 1] {
            recorder.on_event(event).unwrap();
            told += usize::from(matches!(event, Event::Turn(_)));
            let records = store.load("k3fz").unwrap();
            assert_eq!(records.header.status, RunStatus::Running);
            let stored: usize = records.visits.iter().map(|visit| visit.turns.len()).sum();
            assert_eq!(stored, told);
        }
    });
}

#[test]
fn alternated_visits_do_not_mix() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        let mut random = Random(3);
        let mut told: Vec<Vec<Turn>> = vec![vec![], vec![]];
        let mut events =
            vec![start(header("k3fz"), &[case("a")]), process(0), process(1), visit(0, 0, 0), visit(1, 1, 0)];
        for round in 0..100 {
            for number in [round % 2, 1 - round % 2] {
                let turn = turn(&mut random, number, round);
                told[number as usize].push(turn.clone());
                events.push(Event::Turn(turn));
            }
        }
        events.push(Event::VisitEnded { visit: 1 });
        events.iter().for_each(|event| recorder.on_event(event).unwrap());
        recorder.flush().unwrap();
        let records = store.load("k3fz").unwrap();
        for (visit, told) in records.visits.iter().zip(&told) {
            assert_eq!(&visit.turns, told);
        }
        assert_eq!((records.visits[0].complete, records.visits[1].complete), (false, true));
    });
}

#[test]
fn a_recorder_that_is_dropped_leaves_a_partial_run_that_can_be_continued() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let (events, _) = whole_run("k3fz", 30);
        let cut = events.iter().position(|event| matches!(event, Event::VisitEnded { visit: 1 })).unwrap();
        let mut recorder = store.recorder().unwrap();
        events[..cut].iter().for_each(|event| recorder.on_event(event).unwrap());
        assert_eq!(store.summary("last").unwrap().header.status, RunStatus::Running);
        drop(recorder);
        let partial = store.load("k3fz").unwrap();
        assert_eq!(partial.header.status, RunStatus::Partial);
        assert_eq!(partial.visits[1].turns.len(), 30);

        let mut recorder = store.recorder().unwrap();
        let second = store.recorder().unwrap().on_event(&events[0]);
        assert!(second.is_ok(), "a finished recorder's lock must be free again: {second:?}");
        recorder.on_event(&events[0]).unwrap();
        let refused = store.recorder().unwrap().on_event(&events[0]).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::InUse);
        let rest = [
            process(7),
            visit(9, 7, 1),
            Event::VisitEnded { visit: 9 },
            process_end(7),
            end(RunStatus::Complete),
        ];
        rest.iter().for_each(|event| recorder.on_event(event).unwrap());
        let records = store.load("k3fz").unwrap();
        assert_eq!(records.header.status, RunStatus::Complete);
        let complete: Vec<(u32, bool)> = records.visits.iter().map(|v| (v.visit.visit, v.complete)).collect();
        assert_eq!(complete, [(0, true), (1, false), (9, true)]);
        assert_eq!(records.visits[1].turns, partial.visits[1].turns);
        assert_eq!(store.runs(10).unwrap().len(), 1);
    });
}

#[test]
fn an_event_before_its_run_is_refused() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        assert_eq!(recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap_err().kind, ErrorKind::Unknown);
    });
}

#[test]
fn what_was_learnt_is_unique_by_file_case_and_key() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        recorder.on_event(&start(header("k3fz"), &[case("a")])).unwrap();
        let learnt = |case: &str, value: &str| LearnedFact {
            file_hash: "f00d".into(),
            case: case.into(),
            key: "once-per-process".into(),
            value: value.into(),
        };
        for (case, value) in [("", "no"), ("a", "yes"), ("", "yes")] {
            recorder.on_event(&Event::Learned(learnt(case, value))).unwrap();
        }
        assert_eq!(store.learned().unwrap(), [learnt("", "yes"), learnt("a", "yes")]);
    });
}

#[test]
fn an_event_that_cannot_be_written_is_kept_for_the_next_group() {
    each(|kind| {
        if !kind.one_writes {
            return; // writers of this database do not block each other
        }
        let (dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        recorder.on_event(&start(header("k3fz"), &[case("a")])).unwrap();
        recorder.on_event(&process(0)).unwrap();
        recorder.on_event(&visit(0, 0, 0)).unwrap();
        let mut random = Random(3);
        let told = [turn(&mut random, 0, 0), turn(&mut random, 0, 1)];
        // Another writer takes longer than the recorder waits.
        let blocked = kind.backend(dir.path()).write(&mut |_| {
            for turn in told.clone() {
                recorder.on_event(&Event::Turn(turn)).unwrap();
            }
            let busy = recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap_err();
            assert_eq!(busy.kind, ErrorKind::Busy, "{busy}");
            Ok(())
        });
        blocked.unwrap();
        recorder.flush().unwrap();
        assert_eq!(store.load("k3fz").unwrap().visits[0].turns, told);
    });
}

/// A database that calls `meanwhile` once, at the moment `at`: before the first read (0), after it (1),
/// before the second read (2), and so on.
struct Interrupted {
    backend: Box<dyn Backend>,
    moments: AtomicU32,
    at: u32,
    meanwhile: Mutex<Box<dyn FnMut() + Send>>,
}

impl Interrupted {
    fn pass(&self) {
        if self.moments.fetch_add(1, Ordering::Relaxed) == self.at {
            (self.meanwhile.lock().unwrap())();
        }
    }
}

impl Backend for Interrupted {
    fn place(&self) -> String {
        self.backend.place()
    }

    fn again(&self) -> Result<Box<dyn Backend>, StoreError> {
        self.backend.again()
    }

    fn read(&self, act: Act<'_>) -> Result<(), Trouble> {
        self.pass();
        let done = self.backend.read(act);
        self.pass();
        done
    }

    fn write(&self, act: Act<'_>) -> Result<(), Trouble> {
        self.backend.write(act)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        self.pass();
        let done = self.backend.snapshot();
        self.pass();
        done
    }

    fn bytes(&self) -> Result<u64, Trouble> {
        self.backend.bytes()
    }

    fn shrink(&self) -> Result<(), Trouble> {
        self.backend.shrink()
    }

    fn check_references(&self, yes: bool) -> Result<(), Trouble> {
        self.backend.check_references(yes)
    }

    fn write_to(&self, file: &Path) -> Result<(), Trouble> {
        self.backend.write_to(file)
    }
}

/// Loads a run while its last open visit ends, which also clears the journal. The visit ends at the moment
/// `at` of loading.
fn load_while_a_visit_ends(kind: &Kind, at: u32, unpacked: u64) {
    let (dir, store) = kind.fresh();
    let mut recorder = store.recorder().unwrap();
    let mut random = Random(3);
    let told = [turn(&mut random, 0, 0), turn(&mut random, 1, 0)];
    let mut events = vec![start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0), visit(1, 0, 0)];
    events.extend(told.clone().map(Event::Turn));
    events.extend([Event::Failed(failure()), Event::VisitEnded { visit: 1 }]);
    events.iter().for_each(|event| recorder.on_event(event).unwrap());
    let interrupted = Interrupted {
        backend: kind.backend(dir.path()),
        moments: AtomicU32::new(0),
        at,
        meanwhile: Mutex::new(Box::new(move || recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap())),
    };
    let connection = Connection::new(Box::new(interrupted), dir.path().to_owned());
    let records = load_within(&connection, "k3fz", unpacked).unwrap();
    let turns: Vec<Turn> = records.visits.into_iter().flat_map(|visit| visit.turns).collect();
    assert_eq!(turns, told, "moment {at}");
    assert_eq!((records.processes.len(), records.failures.len()), (1, 1), "moment {at}");
    assert!(records.header.runtimes.len() == 1, "moment {at}");
}

#[test]
fn what_becomes_rows_while_a_run_is_loaded_is_there_once() {
    each(|kind| (0..4).for_each(|at| load_while_a_visit_ends(kind, at, u64::MAX)));
    each(|kind| (0..4).for_each(|at| load_while_a_visit_ends(kind, at, 0)));
}

/// Deleting the run does not affect records that were loaded before.
#[test]
fn turns_of_a_large_run_stay_in_the_store_until_they_are_looked_at() {
    each(|kind| {
        let (dir, store) = kind.fresh();
        let (events, expected) = whole_run("k3fz", 60);
        let mut recorder = store.recorder().unwrap();
        events.iter().for_each(|event| recorder.on_event(event).unwrap());
        let connection = Connection::new(kind.backend(dir.path()), dir.path().to_owned());
        let [mut some, large] = [8 << 20, 0].map(|bytes| load_within(&connection, "k3fz", bytes).unwrap());
        assert!(some.visits.iter().all(|record| record.turns.are_here()));
        store.delete("k3fz", true).unwrap();
        assert_eq!(load(&connection, "k3fz").unwrap_err().kind, ErrorKind::Unknown);
        for (held, kept) in some.visits.iter_mut().zip(&large.visits) {
            assert_eq!(held.turns.facts(), kept.turns.facts());
            assert!(!kept.turns.are_here());
            assert_eq!(*kept.at_hand(), *held);
            assert!(!kept.turns.are_here(), "a copy has read them");
        }
        assert_eq!(large, expected);
        assert!(large.visits.iter().all(|record| record.turns.are_here()));
    });
}
