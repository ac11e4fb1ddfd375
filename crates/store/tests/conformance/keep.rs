//! Tests retention (baselines, notes, deletion, pruning) and the resolution of run names.

use super::each;
use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
use crate::{ErrorKind, PrunePolicy, Store};
use derny_model::{Case, Event, Imported, RunHeader, RunStatus, Turn};

fn record(store: &Store, header: RunHeader, cases: &[Case], turns: u32) {
    let mut recorder = store.recorder().unwrap();
    let mut random = Random(u64::from(turns));
    recorder.on_event(&start(header, cases)).unwrap();
    recorder.on_event(&process(0)).unwrap();
    for number in 0..cases.len() as u32 {
        recorder.on_event(&visit(number, 0, number)).unwrap();
        for round in 0..turns {
            recorder.on_event(&Event::Turn(turn(&mut random, number, round))).unwrap();
        }
        recorder.on_event(&Event::VisitEnded { visit: number }).unwrap();
    }
    recorder.on_event(&process_end(0)).unwrap();
    recorder.on_event(&end(RunStatus::Complete)).unwrap();
}

fn pruned(store: &Store) -> Vec<String> {
    let mut ids: Vec<String> =
        store.runs(99).unwrap().into_iter().filter(|run| run.pruned).map(|run| run.header.id).collect();
    ids.sort();
    ids
}

#[test]
fn pruning_takes_the_oldest_and_never_baselines_annotated_or_newest_runs() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        for number in 0..8 {
            record(&store, header(&format!("run{number}")), &[case("a"), case("b")], 40);
        }
        store.set_baseline("main", "run1").unwrap();
        store.annotate("run2", Some("before the rewrite")).unwrap();
        let original = store.load("run0").unwrap();

        let nothing = store.prune(&PrunePolicy { max_bytes: 1 << 30, keep_newest: 0 }).unwrap();
        assert!(nothing.runs.is_empty() && pruned(&store).is_empty());

        // The store is one byte too large, so pruning one run is enough.
        let almost = PrunePolicy { max_bytes: store.bytes().unwrap() - 1, keep_newest: 3 };
        assert_eq!(store.prune(&almost).unwrap().runs, ["run0"]);

        let report = store.prune(&PrunePolicy { max_bytes: 0, keep_newest: 3 }).unwrap();
        assert_eq!(report.runs, ["run3", "run4"]);
        assert!(report.bytes_after < report.bytes_before);
        assert_eq!(report.bytes_after, store.bytes().unwrap());
        assert_eq!(pruned(&store), ["run0", "run3", "run4"]);
        assert!(
            store.prune(&PrunePolicy { max_bytes: 0, keep_newest: 3 }).unwrap().runs.is_empty(),
            "twice prunes nothing"
        );

        let after = store.load("run0").unwrap();
        assert_eq!(after.visits.len(), original.visits.len());
        for (after, original) in after.visits.iter().zip(&original.visits) {
            assert!(after.pruned && after.complete && !original.pruned);
            for (after, original) in after.turns.iter().zip(&original.turns) {
                let mut sorted = original.times_ns.clone();
                sorted.sort_unstable();
                let expected = Turn { times_ns: vec![sorted[49]; 100], ..original.clone() };
                assert_eq!(after, &expected);
            }
        }
    });
}

#[test]
fn the_median_batch_of_a_self_timed_body_is_that_of_its_rates() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        recorder.on_event(&start(header("k3fz"), &[case("a")])).unwrap();
        recorder.on_event(&process(0)).unwrap();
        recorder.on_event(&visit(0, 0, 0)).unwrap();
        // The batches take 10, 2 and 5 ns per operation, so the median batch is the longest.
        let times_ns = vec![100, 200, 1000];
        let turn = Turn { times_ns, ops: Some(vec![10.0, 100.0, 200.0]), ..turn(&mut Random(1), 0, 0) };
        recorder.on_event(&Event::Turn(turn)).unwrap();
        recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap();
        recorder.on_event(&end(RunStatus::Complete)).unwrap();
        store.prune(&PrunePolicy { max_bytes: 0, keep_newest: 0 }).unwrap();
        let turn = &store.load("k3fz").unwrap().visits[0].turns[0];
        assert_eq!((&turn.times_ns[..], turn.ops.as_deref()), (&[1000; 3][..], Some(&[200.0; 3][..])));
    });
}

#[test]
fn a_run_that_ends_prunes_by_itself_but_not_while_another_is_under_way() {
    each(|kind| {
        let (_dir, mut store) = kind.fresh();
        store.set_thin_policy(PrunePolicy { max_bytes: 0, keep_newest: 1 });
        record(&store, header("aaaa"), &[case("a")], 20);
        assert!(pruned(&store).is_empty());
        let mut other = store.recorder().unwrap();
        other.on_event(&start(header("bbbb"), &[case("a")])).unwrap();
        record(&store, header("cccc"), &[case("a")], 20);
        assert!(pruned(&store).is_empty(), "nothing may happen beside a measurement");
        other.on_event(&end(RunStatus::Partial)).unwrap();
        assert_eq!(pruned(&store), ["aaaa"]);
    });
}

#[test]
fn a_baseline_protects_its_run_from_deleting() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        record(&store, header("aaaa"), &[case("a")], 30);
        record(&store, header("bbbb"), &[case("a"), case("only here")], 30);
        assert_eq!(store.set_baseline("main", "aaaa").unwrap(), "aaaa");
        store.set_baseline("v1", "main").unwrap();
        assert_eq!(store.summary("aaaa").unwrap().baselines, ["main", "v1"]);
        let refused = store.delete("v1", false).unwrap_err();
        assert!(refused.kind == ErrorKind::InUse && refused.problem.why.contains("main, v1"), "{refused}");

        store.set_baseline("main", "bbbb").unwrap();
        let names: Vec<_> = store.baselines().unwrap().into_iter().map(|b| (b.name, b.run)).collect();
        assert_eq!(names, [("main".into(), "bbbb".into()), ("v1".into(), "aaaa".into())]);
        let before = store.bytes().unwrap();
        assert_eq!(store.delete("bbbb", true).unwrap(), "bbbb");
        assert!(store.bytes().unwrap() < before);
        assert!(store.remove_baseline("v1").unwrap() && !store.remove_baseline("v1").unwrap());
        assert_eq!(store.load("aaaa").unwrap().visits.len(), 1);
        store.delete("aaaa", false).unwrap();
        assert!(store.runs(9).unwrap().is_empty() && store.baselines().unwrap().is_empty());
        for name in ["", "last", "last~1", "two words"] {
            assert_eq!(store.set_baseline(name, "last").unwrap_err().kind, ErrorKind::BadName);
        }
    });
}

#[test]
fn a_run_under_way_cannot_be_deleted() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        recorder.on_event(&start(header("aaaa"), &[case("a")])).unwrap();
        assert_eq!(store.delete("aaaa", true).unwrap_err().kind, ErrorKind::InUse);
    });
}

#[test]
fn names_mean_baselines_then_ids_then_their_beginnings() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        for id in ["k3fz", "k3aa", "h81q", "k3fz9"] {
            record(&store, header(id), &[case("a")], 1);
        }
        store.set_baseline("h", "k3aa").unwrap();
        let meanings = [
            ("h", "k3aa"),
            ("h8", "h81q"),
            ("k3fz", "k3fz"),
            ("k3a", "k3aa"),
            ("last", "k3fz9"),
            ("last~2", "k3aa"),
        ];
        for (name, id) in meanings {
            assert_eq!(store.resolve(name).unwrap(), id, "{name}");
        }
        for (name, kind) in [
            ("k3f", ErrorKind::Ambiguous),
            ("k", ErrorKind::Ambiguous),
            ("", ErrorKind::Ambiguous),
            ("zz", ErrorKind::Unknown),
            ("last~4", ErrorKind::Unknown),
            ("K3fz", ErrorKind::Unknown),
            ("%", ErrorKind::Unknown),
            ("_3fz", ErrorKind::Unknown),
        ] {
            let error = store.resolve(name).unwrap_err();
            assert_eq!(error.kind, kind, "{name}: {error}");
        }
        let ambiguous = store.resolve("k3f").unwrap_err().to_string();
        assert!(ambiguous.contains("k3fz, k3fz9"), "{ambiguous}");
    });
}

#[test]
fn the_last_run_is_one_that_was_measured_where_there_is_one() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let imported = |id: &str| {
            let from = Imported {
                format: "f".to_owned(),
                file: "x".to_owned(),
                tool: "t".to_owned(),
                unknown: Vec::new(),
                hash: id.to_owned(),
            };
            record(&store, RunHeader { imported: Some(from), ..header(id) }, &[case("a")], 1);
        };
        let last = |name: &str| store.resolve(name).map_err(|error| error.kind);
        imported("aaaa");
        imported("bbbb");
        assert_eq!((last("last").unwrap(), last("last~1").unwrap()), ("bbbb".into(), "aaaa".into()));
        assert_eq!(store.last_measured().unwrap().as_deref(), Some("bbbb"));
        record(&store, header("cccc"), &[case("a")], 1);
        imported("dddd");
        record(&store, header("eeee"), &[case("a")], 1);
        imported("ffff");
        assert_eq!((last("last").unwrap(), last("last~1").unwrap()), ("eeee".into(), "cccc".into()));
        assert_eq!(last("last~2"), Err(ErrorKind::Unknown));
        assert_eq!(store.last_measured().unwrap().as_deref(), Some("eeee"));
        assert_eq!(store.runs(1).unwrap()[0].header.id, "ffff", "a list has them all");
    });
}

#[test]
fn new_ids_are_short_and_unlike_all_others() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        for seed in [0, 7, 7, 7, u64::MAX] {
            let id = store.new_run_id(seed).unwrap();
            assert_eq!(id.len(), 4);
            assert!(id.chars().all(|c| matches!(c, '0'..='9' | 'a'..='z') && !"ilou".contains(c)), "{id}");
            assert!(store.resolve(&id).is_err());
            record(&store, header(&id), &[case("a")], 1);
        }
        // The first eight ids of four characters are taken.
        for _ in 0..8 {
            let id = store.new_run_id(99).unwrap();
            assert_eq!(id.len(), 4);
            record(&store, header(&id), &[case("a")], 1);
        }
        assert_eq!(store.new_run_id(99).unwrap().len(), 5);
    });
}

#[test]
fn the_last_comparable_run_is_of_this_machine_and_has_measured_one_of_the_cases() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let cases = [case("a"), case("b")];
        let mut elsewhere = header("ffff");
        elsewhere.machine.cpu = "another".into();
        let mut checked = header("eeee");
        checked.settings.once = true;
        let mut foreign = case("a");
        foreign.harness = "python".into();
        let mut moved = case("b");
        moved.line = Some(99);
        record(&store, header("aaaa"), &[case("a")], 1);
        record(&store, header("bbbb"), &[moved], 1);
        record(&store, header("cccc"), &[case("c")], 1);
        record(&store, header("dddd"), &[foreign], 1);
        record(&store, checked, &cases, 1);
        record(&store, elsewhere, &cases, 1);
        let mut dead = store.recorder().unwrap();
        for event in [start(header("gggg"), &cases), process(0), visit(0, 0, 0)] {
            dead.on_event(&event).unwrap();
        }
        drop(dead);

        let last = |id: &str, cases: &[Case]| store.last_comparable(&header(id), cases).unwrap();
        assert_eq!(last("new", &cases).as_deref(), Some("bbbb"));
        assert_eq!(last("new", &cases[..1]).as_deref(), Some("aaaa"));
        assert_eq!(last("bbbb", &cases).as_deref(), Some("aaaa"), "before it, not after");
        assert_eq!(last("aaaa", &cases), None);
        assert_eq!(last("new", &[case("d")]), None);
    });
}

#[test]
fn a_case_is_the_same_whatever_the_order_of_its_parameters() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let ordered = |order: [usize; 2]| {
            let params =
                [("size", "4"), ("kind", "b")].map(|(key, value)| (key.to_owned(), value.to_owned()));
            let mut case = case("a");
            case.id.params = order.map(|at| params[at].clone()).into();
            case
        };
        record(&store, header("aaaa"), &[ordered([0, 1])], 1);
        let last = |case: Case| store.last_comparable(&header("new"), &[case]).unwrap();
        assert_eq!(last(ordered([1, 0])).as_deref(), Some("aaaa"));
        assert_eq!(last(case("a")), None);
    });
}

#[test]
fn the_index_of_cases_forgets_the_oldest() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        assert_eq!(store.index_get("k0").unwrap(), None);
        let found = vec![case("a"), case("b")];
        store.index_put("k0", &found).unwrap();
        assert_eq!(store.index_get("k0").unwrap(), Some(found));
        store.index_put("k0", &[]).unwrap();
        assert_eq!(store.index_get("k0").unwrap(), Some(vec![]));
        // Use fewer entries than the store keeps, because each is a transaction.
        for number in 1..=20 {
            let put = store.conn.write("cannot put", |rows| rows.index_put(&format!("k{number}"), &[], 20));
            put.unwrap();
        }
        assert_eq!(store.index_get("k0").unwrap(), None);
        assert!(store.index_get("k1").unwrap().is_some() && store.index_get("k20").unwrap().is_some());
    });
}
