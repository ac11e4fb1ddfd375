//! Guarantees of a database: atomicity, snapshots, a single writer, and keys.

use super::{Kind, each};
use crate::backend::{Backend, Rows, RunKey, RunRef, SealedTurns, by_name};
use crate::error::{ErrorKind, Trouble};
use crate::scenario::{case, end, header, process, visit};
use derny_model::{Event, LearnedFact, RunStatus, Visit};
use std::sync::mpsc;
use std::time::Duration;

fn fresh(kind: &Kind) -> (tempfile::TempDir, Box<dyn Backend>) {
    let dir = tempfile::tempdir().unwrap();
    let backend = kind.backend(dir.path());
    (dir, backend)
}

fn write<T>(backend: &dyn Backend, act: impl Fn(&dyn Rows) -> Result<T, Trouble>) -> T {
    let mut found = None;
    let done = backend.write(&mut |rows| {
        found = Some(act(rows)?);
        Ok(())
    });
    done.unwrap();
    found.unwrap()
}

fn begin(backend: &dyn Backend, id: &str) -> RunKey {
    let cases = [case("a")];
    write(backend, |rows| rows.begin(&header(id), &|| by_name(&cases)))
}

fn ids(runs: Vec<RunRef>) -> Vec<String> {
    runs.into_iter().map(|run| run.id).collect()
}

#[test]
fn a_write_that_fails_leaves_nothing() {
    each(|kind| {
        let (_dir, backend) = fresh(kind);
        let key = begin(&*backend, "aaaa");
        let failed = backend.write(&mut |rows| {
            rows.begin(&header("bbbb"), &|| by_name(&[]))?;
            rows.append(key, &[process(0), visit(0, 0, 0)], 2)?;
            rows.seal(key, &[SealedTurns { visit: 0, bytes: vec![1, 0] }])?;
            rows.set_baseline("main", key)?;
            rows.annotate(key, Some("note"))?;
            rows.index_put("k", &[case("a")], 9)?;
            Err(Trouble::Damaged("here it ends".into()))
        });
        assert!(matches!(failed, Err(Trouble::Damaged(why)) if why == "here it ends"));
        let look = |rows: &dyn Rows| {
            let stored = rows.load(key)?;
            assert!(stored.processes.is_empty() && stored.visits.is_empty());
            assert_eq!((stored.taken, stored.header.note), (0, None));
            assert!(rows.baselines()?.is_empty() && rows.index_get("k")?.is_none());
            assert_eq!(ids(rows.newest(9)?), ["aaaa"]);
            Ok(())
        };
        write(&*backend, look);
    });
}

#[test]
fn a_reader_sees_one_state_and_does_not_wait_for_a_writer() {
    each(|kind| {
        let (_dir, reader) = fresh(kind);
        let writer = reader.again().unwrap();
        begin(&*writer, "aaaa");
        let read = reader.read(&mut |rows| {
            assert_eq!(ids(rows.newest(9)?), ["aaaa"]);
            begin(&*writer, "bbbb");
            assert_eq!(ids(rows.newest(9)?), ["aaaa"]);
            Ok(())
        });
        read.unwrap();
        let read = reader.read(&mut |rows| {
            assert_eq!(ids(rows.newest(9)?), ["bbbb", "aaaa"]);
            Ok(())
        });
        read.unwrap();
    });
}

#[test]
fn writers_wait_for_each_other_and_never_in_the_middle() {
    each(|kind| {
        let (_dir, first) = fresh(kind);
        let second = first.again().unwrap();
        let key = begin(&*first, "aaaa");
        let (inside, is_inside) = mpsc::channel();
        let other = std::thread::spawn(move || {
            is_inside.recv().unwrap();
            write(&*second, |rows| {
                let taken = rows.taken(key)?;
                rows.append(key, &[], taken + 1)
            });
        });
        write(&*first, |rows| {
            let taken = rows.taken(key)?;
            let _ = inside.send(());
            std::thread::sleep(Duration::from_millis(50));
            rows.append(key, &[], taken + 1)
        });
        other.join().unwrap();
        assert_eq!(write(&*first, |rows| rows.taken(key)), 2);
    });
}

#[test]
fn a_writer_that_waits_too_long_is_told_that_the_store_is_busy() {
    each(|kind| {
        if !kind.one_writes {
            return;
        }
        let (_dir, first) = fresh(kind);
        let second = first.again().unwrap();
        let mut refused = None;
        let first = first.write(&mut |_| {
            refused = Some(second.write(&mut |_| Ok(())));
            Ok(())
        });
        first.unwrap();
        let Some(Err(Trouble::Database { kind, .. })) = refused else { panic!("{refused:?}") };
        assert_eq!(kind, ErrorKind::Busy);
    });
}

#[test]
fn writers_of_different_runs_do_not_wait_where_the_database_can() {
    each(|kind| {
        if kind.one_writes {
            return;
        }
        let (_dir, first) = fresh(kind);
        let second = first.again().unwrap();
        let written = first.write(&mut |rows| {
            rows.begin(&header("aaaa"), &|| by_name(&[]))?;
            begin(&*second, "bbbb");
            rows.set_text("first", "was there")
        });
        written.unwrap();
        assert_eq!(ids(write(&*first, |rows| rows.newest(9))).len(), 2);
    });
}

#[test]
fn a_run_that_is_recorded_is_seen_so_by_all() {
    each(|kind| {
        let (_dir, first) = fresh(kind);
        let second = first.again().unwrap();
        assert!(first.hold("aaaa").unwrap());
        if !first.shares_folder() {
            assert!(!second.hold("aaaa").unwrap());
            assert!(second.hold("bbbb").unwrap());
            assert!(write(&*second, |rows| rows.is_held("aaaa")));
        }
        first.release().unwrap();
        assert!(!write(&*second, |rows| rows.is_held("aaaa")));
        assert!(second.hold("aaaa").unwrap());
        drop(second);
        assert!(first.hold("aaaa").unwrap(), "it went with its connection");
    });
}

#[test]
fn later_runs_have_greater_keys_and_none_is_used_twice() {
    each(|kind| {
        let (_dir, backend) = fresh(kind);
        let first = begin(&*backend, "aaaa");
        let second = begin(&*backend, "bbbb");
        write(&*backend, |rows| rows.delete(second));
        let third = begin(&*backend, "cccc");
        assert!(first < second && second < third, "{first} {second} {third}");
        assert_eq!(begin(&*backend, "aaaa"), first, "it is continued");
    });
}

#[test]
fn a_run_that_is_continued_counts_anew_and_keeps_its_note() {
    each(|kind| {
        let (_dir, backend) = fresh(kind);
        let key = begin(&*backend, "aaaa");
        write(&*backend, |rows| {
            rows.append(key, &[process(0), end(RunStatus::Partial)], 7)?;
            rows.annotate(key, Some("slow disk"))
        });
        assert_eq!(write(&*backend, |rows| rows.taken(key)), 7);
        begin(&*backend, "aaaa");
        let stored = write(&*backend, |rows| rows.load(key));
        assert_eq!((stored.taken, stored.header.status), (0, RunStatus::Running));
        assert_eq!((stored.header.note.as_deref(), stored.processes.len()), (Some("slow disk"), 1));
        assert_eq!(ids(write(&*backend, |rows| rows.marked_running())), ["aaaa"]);
        write(&*backend, |rows| rows.set_status(key, RunStatus::Partial));
        assert!(write(&*backend, |rows| rows.marked_running()).is_empty());
    });
}

#[test]
fn words_of_64_bits_and_bytes_come_back() {
    each(|kind| {
        let (_dir, backend) = fresh(kind);
        let key = begin(&*backend, "aaaa");
        let Event::VisitStarted(first) = visit(0, 0, 0) else { unreachable!() };
        let long = Visit { open_ns: u64::MAX, at_ns: 1 << 63, mode: Some("é".into()), ..first };
        let bytes: Vec<u8> = (0..=255).collect();
        write(&*backend, |rows| {
            rows.append(key, &[process(0), Event::VisitStarted(long.clone())], 2)?;
            assert_eq!(rows.unsealed(key)?, [0]);
            rows.seal(key, &[SealedTurns { visit: 0, bytes: bytes.clone() }])?;
            assert!(rows.unsealed(key)?.is_empty());
            Ok(())
        });
        let stored = write(&*backend, |rows| rows.load(key)).visits.remove(0);
        assert_eq!((stored.record.visit, stored.sealed), (long, true));
        assert_eq!(write(&*backend, |rows| rows.turns(key, 0)), Some(bytes));
        assert_eq!(write(&*backend, |rows| rows.turn_bytes(key)), 256);
        assert!(!stored.record.complete && !stored.record.pruned);
    });
}

#[test]
fn a_visit_that_does_not_exist_has_no_turns_and_one_that_exists_does_not_begin_again() {
    each(|kind| {
        let (_dir, backend) = fresh(kind);
        let key = begin(&*backend, "aaaa");
        write(&*backend, |rows| rows.append(key, &[process(0), visit(0, 0, 0)], 2));
        let turns = |visit: u32| SealedTurns { visit, bytes: vec![1, 0] };
        assert!(backend.write(&mut |rows| rows.seal(key, &[turns(7)])).is_err());
        assert!(backend.write(&mut |rows| rows.append(key, &[visit(0, 0, 0)], 3)).is_err());
        assert!(backend.write(&mut |rows| rows.append(key, &[process(0)], 3)).is_err());
        write(&*backend, |rows| rows.seal(key, &[turns(0)]));
        assert!(backend.write(&mut |rows| rows.seal(key, &[turns(0)])).is_err());
    });
}

#[test]
fn order_is_that_of_bytes_whatever_the_language_of_the_system() {
    each(|kind| {
        let (_dir, backend) = fresh(kind);
        let key = begin(&*backend, "aaaa");
        let fact = |case: &str| LearnedFact {
            file_hash: "f".into(),
            case: case.into(),
            key: "k".into(),
            value: "v".into(),
        };
        let names = ["B", "Z", "a", "a-b", "aa", "é"];
        write(&*backend, |rows| {
            for (number, name) in names.iter().rev().enumerate() {
                rows.set_baseline(name, key)?;
                rows.append(key, &[Event::Learned(fact(name))], number as u64 + 1)?;
            }
            Ok(())
        });
        write(&*backend, |rows| {
            assert_eq!(rows.baselines_of(key)?, names);
            assert_eq!(rows.baselines()?.into_iter().map(|one| one.name).collect::<Vec<_>>(), names);
            assert_eq!(rows.learned()?.into_iter().map(|one| one.case).collect::<Vec<_>>(), names);
            Ok(())
        });
    });
}
