//! Tests the history: entries, series and points.

use super::each;
use crate::Store;
use crate::scenario::{case, end, header, start};
use derny_model::{
    CaseId, Commit, Direction, HistoryEntry, HistorySeries, HistoryValue, Interval, RunStatus,
};

fn series(name: &str) -> HistorySeries {
    HistorySeries {
        case: CaseId { suite: "s".into(), benchmark: name.into(), params: vec![("n".into(), "1".into())] },
        figure: "time".into(),
        unit: "ns".into(),
        better: Direction::Less,
        host: "h".into(),
        cpu: "c".into(),
        runtime: String::new(),
        tool: "derny".into(),
        apart: None,
        against: None,
    }
}

fn entry(key: &str, at: i64) -> HistoryEntry {
    let commit = Commit { hash: "ab".repeat(20), branch: None, dirty: false };
    HistoryEntry {
        key: key.into(),
        run: None,
        file: None,
        measured_ms: at,
        commit: Some(commit),
        machine_ns: None,
    }
}

fn value(value: f64) -> HistoryValue {
    HistoryValue { value, interval: Some(Interval { lo: value - 1.0, hi: value + 1.0 }) }
}

fn add(store: &Store, key: &str, points: &[(&str, HistoryValue)]) {
    let points: Vec<_> = points.iter().map(|(name, value)| (series(name), *value)).collect();
    store.add_history(&[(&entry(key, 7), &points)]).unwrap();
}

/// Returns the keys and values of the points of a series.
fn points(store: &Store, name: &str) -> Vec<(String, f64)> {
    let entries = store.history_entries().unwrap();
    let all = store.history_series().unwrap();
    let Some((number, _)) = all.iter().find(|(_, known)| *known == series(name)) else { return Vec::new() };
    let key =
        |wanted| entries.iter().find(|(number, _)| *number == wanted).map(|(_, entry)| entry.key.clone());
    let found = store.history_points(*number).unwrap();
    found.into_iter().filter_map(|(entry, value)| Some((key(entry)?, value.value))).collect()
}

fn of(all: &[(&str, f64)]) -> Vec<(String, f64)> {
    all.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
}

#[test]
fn points_are_kept_by_series_and_an_entry_replaces_its_predecessor() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let bare = HistoryValue { value: -0.5, interval: None };
        add(&store, "r1:base", &[("a", value(1.5)), ("b", bare)]);
        add(&store, "r2:base", &[("a", value(2.0))]);
        let both = [(series("a"), value(3.0))];
        store.add_history(&[(&entry("f:1", 1), &both), (&entry("f:2", 2), &both)]).unwrap();
        assert_eq!(
            points(&store, "a"),
            of(&[("r1:base", 1.5), ("r2:base", 2.0), ("f:1", 3.0), ("f:2", 3.0)])
        );
        assert_eq!(points(&store, "b"), of(&[("r1:base", -0.5)]));
        let (number, _) = store.history_series().unwrap()[0].clone();
        assert_eq!(store.history_points(number).unwrap()[0].1, value(1.5));

        add(&store, "r1:base", &[("a", value(9.0))]);
        assert_eq!(
            points(&store, "a"),
            of(&[("r2:base", 2.0), ("f:1", 3.0), ("f:2", 3.0), ("r1:base", 9.0)])
        );
        assert!(points(&store, "b").is_empty());
        store.remove_history("r2:").unwrap();
        assert_eq!(points(&store, "a"), of(&[("f:1", 3.0), ("f:2", 3.0), ("r1:base", 9.0)]));
    });
}

#[test]
fn values_that_are_no_numbers_are_left_out() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let half = HistoryValue { value: 1.0, interval: Some(Interval { lo: f64::NAN, hi: 2.0 }) };
        let never = HistoryValue { value: f64::INFINITY, interval: None };
        add(&store, "r:base", &[("a", half), ("b", never), ("c", value(1.0))]);
        assert!(points(&store, "a").is_empty() && points(&store, "b").is_empty());
        assert_eq!(points(&store, "c"), of(&[("r:base", 1.0)]));
    });
}

#[test]
fn the_points_of_a_run_go_with_it() {
    each(|kind| {
        let (_dir, store) = kind.fresh();
        let mut recorder = store.recorder().unwrap();
        recorder.on_event(&start(header("gone"), &[case("a")])).unwrap();
        recorder.on_event(&end(RunStatus::Complete)).unwrap();
        add(&store, "gone:base", &[("a", value(1.0))]);
        add(&store, "gone2:base", &[("a", value(2.0))]);
        store.delete("gone", false).unwrap();
        assert_eq!(points(&store, "a"), of(&[("gone2:base", 2.0)]));
    });
}

#[test]
fn a_copy_has_the_history_once() {
    each(|kind| {
        let ((_one, from), (_two, to)) = (kind.fresh(), kind.fresh());
        add(&to, "there:base", &[("b", value(5.0))]);
        add(&from, "r1:base", &[("a", value(1.0)), ("b", value(2.0))]);
        add(&from, "r2:base", &[("a", value(3.0))]);
        assert_eq!(from.copy(&to, &mut |_| ()).unwrap().history, 2);
        assert_eq!(from.copy(&to, &mut |_| ()).unwrap().history, 0);
        assert_eq!(points(&to, "a"), of(&[("r1:base", 1.0), ("r2:base", 3.0)]));
        assert_eq!(points(&to, "b"), of(&[("there:base", 5.0), ("r1:base", 2.0)]));
    });
}
