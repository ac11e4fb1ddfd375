//! Tests copies of runs between all kinds of stores.

use super::{KINDS, each};
use crate::copy::{Copied, copy};
use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
use crate::{PrunePolicy, Store};
use derny_model::{Event, Failure, FailureCode, LearnedFact, RunHeader, RunStatus, StopReason};

fn record(store: &Store, header: RunHeader, visits: u32, status: RunStatus) {
    let mut recorder = store.recorder().unwrap();
    let mut random = Random(u64::from(visits));
    recorder.on_event(&start(header, &[case("a"), case("b")])).unwrap();
    recorder.on_event(&process(0)).unwrap();
    for number in 0..visits {
        recorder.on_event(&visit(number, 0, number % 2)).unwrap();
        for round in 0..5 {
            recorder.on_event(&Event::Turn(turn(&mut random, number, round))).unwrap();
        }
        recorder.on_event(&Event::VisitEnded { visit: number }).unwrap();
    }
    let failure = Failure {
        code: FailureCode::DY304,
        what: "it ended".into(),
        case: Some(1),
        variant: None,
        place: Vec::new(),
        why: "a signal".into(),
        remedy: "run it alone".into(),
    };
    let fact = LearnedFact { file_hash: "f".into(), case: "a".into(), key: "k".into(), value: "v".into() };
    let rest = [
        Event::Failed(failure),
        Event::CaseEnded { case: 1, reason: StopReason::Failed },
        Event::Learned(fact),
    ];
    rest.iter().chain(&[process_end(0), end(status)]).for_each(|event| recorder.on_event(event).unwrap());
}

fn copied(from: &Store, to: &Store) -> Copied {
    copy(from, to, &mut |_| {}).unwrap()
}

#[test]
fn runs_are_copied_with_all_that_belongs_to_them_and_once() {
    each(|kind| {
        for other in KINDS {
            let ((_from, from), (_to, to)) = (kind.fresh(), other.fresh());
            record(&from, header("aaaa"), 70, RunStatus::Complete);
            record(&from, header("bbbb"), 3, RunStatus::Failed);
            from.prune(&PrunePolicy { max_bytes: 0, keep_newest: 1 }).unwrap();
            from.set_baseline("main", "aaaa").unwrap();
            from.annotate("bbbb", Some("a note")).unwrap();
            let done = copied(&from, &to);
            assert_eq!((&done.new[..], done.there, done.facts), (&["aaaa".into(), "bbbb".into()][..], 0, 1));
            assert_eq!(done.baselines, ["main"]);
            for id in ["aaaa", "bbbb"] {
                assert_eq!(to.load(id).unwrap(), from.load(id).unwrap(), "{} to {}", kind.name, other.name);
                assert_eq!(to.summary(id).unwrap(), from.summary(id).unwrap());
            }
            assert!(to.summary("aaaa").unwrap().pruned && !to.summary("bbbb").unwrap().pruned);
            assert_eq!(to.learned().unwrap(), from.learned().unwrap());
            let again = copied(&from, &to);
            assert_eq!(again, Copied { there: 2, ..Copied::default() });
        }
    });
}

#[test]
fn what_is_there_is_completed_and_nothing_is_overwritten() {
    each(|kind| {
        let ((_from, from), (_to, to)) = (kind.fresh(), kind.fresh());
        record(&from, header("aaaa"), 3, RunStatus::Partial);
        copied(&from, &to);
        to.set_baseline("mine", "aaaa").unwrap();
        let mut recorder = from.recorder().unwrap();
        recorder.on_event(&start(header("aaaa"), &[case("a"), case("b")])).unwrap();
        let rest = [
            process(9),
            visit(9, 9, 0),
            Event::VisitEnded { visit: 9 },
            process_end(9),
            end(RunStatus::Complete),
        ];
        rest.iter().for_each(|event| recorder.on_event(event).unwrap());
        drop(recorder);
        assert_eq!(copied(&from, &to).completed, ["aaaa"]);
        assert_eq!(to.load("mine").unwrap(), from.load("aaaa").unwrap());
        assert_eq!(copied(&to, &from).baselines, ["mine"]);

        // Add a different run with the same id, and a baseline with the same name for another run.
        record(&to, RunHeader { started_ms: 5, ..header("bbbb") }, 1, RunStatus::Complete);
        record(&from, RunHeader { started_ms: 6, ..header("bbbb") }, 2, RunStatus::Complete);
        to.set_baseline("main", "bbbb").unwrap();
        from.set_baseline("main", "aaaa").unwrap();
        let mut under_way = from.recorder().unwrap();
        under_way.on_event(&start(header("cccc"), &[case("a")])).unwrap();
        let done = copied(&from, &to);
        assert_eq!((&done.others[..], &done.under_way[..]), (&["bbbb".into()][..], &["cccc".into()][..]));
        assert_eq!(done.other_baselines, ["main"]);
        assert_eq!(to.resolve("main").unwrap(), "bbbb");
        assert_eq!(to.load("bbbb").unwrap().visits.len(), 1);
    });
}
