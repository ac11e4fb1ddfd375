//! The consumer of the engine's events. It runs on the engine's thread between turns, so it has no thread and no
//! clock of its own: a turn costs a few microseconds of encoding, and the events' own times say when a group is due.

use crate::alive::Running;
use crate::blob::put_turn;
use crate::error::{ErrorKind, StoreError};
use crate::keep::{ThinPolicy, thin};
use crate::rows::{start_run, write_group};
use crate::schema::Db;
use derny_model::{Case, Event, RunHeader, Turn};

/// Turns that are not yet written may span this much of the run.
const GROUP_NS: u64 = 50_000_000;

/// Writes one run, event by event.
///
/// What a killed engine can lose is the turns of the last group (50 ms); a visit that ended, a process that ended, a
/// failure and a case's end are written before [`Recorder::on_event`] returns. After an error nothing is dropped: what
/// could not be written is tried again with the next group.
pub struct Recorder {
    db: Db,
    policy: ThinPolicy,
    run: Option<(i64, Running)>,
    /// Events other than turns that are not written yet, in order.
    pending: Vec<Event>,
    /// Encoded turns that are not written yet, by visit.
    open: Vec<(u32, Vec<u8>)>,
    /// When the last group was written, on the run's clock.
    written_ns: u64,
}

impl Recorder {
    pub(crate) fn new(db: Db, policy: ThinPolicy) -> Recorder {
        Recorder { db, policy, run: None, pending: Vec::new(), open: Vec::new(), written_ns: 0 }
    }

    /// Takes the next event. The first must be `RunStarted`; that of a run that exists continues it.
    ///
    /// # Errors
    /// The store could not be written (see [`StoreError::kind`]); the event is kept and written with the next group.
    /// `RunStarted` fails when another engine is recording this run.
    pub fn on_event(&mut self, event: &Event) -> Result<(), StoreError> {
        match event {
            Event::RunStarted { run, cases, .. } => self.start(run, cases),
            Event::Turn(turn) => self.turn(turn),
            Event::Progress { .. } | Event::Log { .. } => Ok(()),
            _ => {
                self.pending.push(event.clone());
                let due = matches!(
                    event,
                    Event::VisitEnded { .. }
                        | Event::ProcessEnded(_)
                        | Event::CaseEnded { .. }
                        | Event::Failed(_)
                        | Event::Learned(_)
                        | Event::RunEnded { .. }
                );
                if due {
                    self.flush()?;
                }
                if matches!(event, Event::RunEnded { .. }) {
                    self.run = None; // the run is no longer running: thinning looks at that
                    thin(&self.db, &self.policy)?;
                }
                Ok(())
            }
        }
    }

    /// Writes what is pending. For the engine when it is about to wait for long.
    ///
    /// # Errors
    /// The store could not be written; everything is kept for the next try.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        let Some((run, _)) = &self.run else {
            return if self.pending.is_empty() { Ok(()) } else { Err(not_started()) };
        };
        let (run, pending, open) = (*run, &self.pending, &self.open);
        let sealed =
            self.db.write("the run cannot be recorded", |conn| write_group(conn, run, pending, open))?;
        self.pending.clear();
        self.open.retain(|(visit, _)| !sealed.contains(visit));
        self.open.iter_mut().for_each(|(_, chunk)| chunk.clear());
        Ok(())
    }

    fn start(&mut self, header: &RunHeader, cases: &[Case]) -> Result<(), StoreError> {
        let running = Running::take(&self.db.dir, &header.id)
            .map_err(|error| lock_failed(&header.id, &self.db, &error))?
            .ok_or_else(|| recorded_elsewhere(&header.id))?;
        let run = self.db.write("the run cannot be recorded", |conn| start_run(conn, header, cases))?;
        self.run = Some((run, running));
        self.written_ns = 0;
        Ok(())
    }

    fn turn(&mut self, turn: &Turn) -> Result<(), StoreError> {
        let known = self.open.iter().position(|(visit, _)| *visit == turn.visit);
        let index = known.unwrap_or_else(|| {
            self.open.push((turn.visit, Vec::with_capacity(16 << 10)));
            self.open.len() - 1
        });
        put_turn(&mut self.open[index].1, turn);
        let now = turn.at_ns.saturating_add(turn.wall_ns);
        if now.abs_diff(self.written_ns) < GROUP_NS {
            return Ok(());
        }
        self.written_ns = now; // also after an error: a full disk is not asked again with every turn
        self.flush()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // The engine gave up without `RunEnded`: keep what there is. Whoever wants the error calls `flush`.
        let _ = self.flush();
    }
}

fn not_started() -> StoreError {
    StoreError {
        kind: ErrorKind::Unknown,
        what: "an event came before its run had started".into(),
        place: "the recorder".into(),
        why: "the stream of events does not begin with `RunStarted`".into(),
        remedy: "report this: it is a defect of derny".into(),
    }
}

fn recorded_elsewhere(id: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::InUse,
        what: format!("run {id} cannot be continued"),
        place: format!("run {id}"),
        why: "another derny is recording it".into(),
        remedy: "wait until it ends, or start a run of its own".into(),
    }
}

fn lock_failed(id: &str, db: &Db, error: &std::io::Error) -> StoreError {
    StoreError {
        kind: ErrorKind::Open,
        what: format!("run {id} cannot be marked as running"),
        place: db.dir.join("running").join(id).display().to_string(),
        why: error.to_string(),
        remedy: "make the directory writable, or choose another store".into(),
    }
}

#[cfg(test)]
#[path = "../tests/scenario/mod.rs"]
mod scenario;

#[cfg(test)]
mod tests {
    use super::scenario::{Random, case, header, process, start, turn, visit};
    use super::*;
    use crate::Store;

    fn limit(recorder: &Recorder, pages: u32) {
        let set = |conn: &rusqlite::Connection| {
            Ok(conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
        };
        recorder.db.write("", set).unwrap();
    }

    #[test]
    fn a_full_disk_loses_nothing_that_was_taken() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let mut recorder = store.recorder().unwrap();
        for event in [start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0)] {
            recorder.on_event(&event).unwrap();
        }
        limit(&recorder, 100); // kilobytes
        let (mut random, mut told, mut stored_before) = (Random(1), Vec::new(), 0);
        let full = loop {
            let turn = turn(&mut random, 0, told.len() as u32);
            told.push(turn.clone());
            match recorder.on_event(&Event::Turn(turn)) {
                Ok(()) => stored_before = store.load("k3fz").unwrap().visits[0].turns.len(),
                Err(error) => break error,
            }
            assert!(told.len() < 10_000);
        };
        assert_eq!(full.kind, ErrorKind::Full, "{full}");
        assert!(stored_before > 100);
        assert_eq!(store.load("k3fz").unwrap().visits[0].turns, told[..stored_before], "what is there stays");
        assert_eq!(recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap_err().kind, ErrorKind::Full);
        limit(&recorder, 1_000_000);
        recorder.flush().unwrap();
        let records = store.load("k3fz").unwrap();
        assert!(records.visits[0].complete);
        assert_eq!(records.visits[0].turns, told);
    }
}
