//! Records the engine's events, on the engine's thread between turns. Each event is encoded, which takes a
//! few microseconds, and written to the journal. The timestamps of the events decide when the database is
//! written, so no clock is read. Only imported files use another thread, because their events arrive as fast
//! as they can be created.

use crate::backend::{Cases, RunKey, by_name};
use crate::connection::Connection;
use crate::error::{ErrorKind, StoreError};
use crate::groups::{Group, Groups};
use crate::history;
use crate::journal::alive::{Running, path};
use crate::journal::frames;
use crate::journal::open::Open;
use crate::keep::{PrunePolicy, prune};
use crate::recovery::replay;
use crate::seal::{AT_ONCE, append, seal_open};
use derny_model::{Event, Problem, RunHeader, RunStatus, Turn, problem};
use std::sync::mpsc::sync_channel;

/// Maximum time in ns, on the run's clock, that ended visits wait before they are written to the database.
const GROUP_NS: u64 = 1_000_000_000;
const CANNOT_RECORD: &str = "the run cannot be recorded";

/// Records a run, event by event.
///
/// When [`Recorder::on_event`] returns, the event is in the run's journal, so a killed engine loses no event
/// that was accepted. The database is written when a visit ends and no other visit is open, or when
/// [`GROUP_NS`] have passed. After an error, the events are kept and written with the next group.
pub struct Recorder {
    conn: Connection,
    policy: PrunePolicy,
    run: Option<(RunKey, Running)>,
    /// Number of the last event.
    taken: u64,
    /// Events that are not yet in the database, in order. Turns are in `open`.
    pending: Vec<Event>,
    /// Turns of the visits that are not sealed yet.
    open: Open,
    packed: Vec<u8>,
    /// End of the last turn, in ns on the run's clock.
    now_ns: u64,
    /// Time of the last write to the database, in ns on the run's clock.
    written_ns: u64,
    /// True for a large run if no other process writes to the store.
    is_much: bool,
}

impl Recorder {
    pub(crate) fn new(conn: Connection, policy: PrunePolicy) -> Recorder {
        let (pending, open, packed) = (Vec::new(), Open::default(), Vec::new());
        Recorder {
            conn,
            policy,
            run: None,
            taken: 0,
            pending,
            open,
            packed,
            now_ns: 0,
            written_ns: 0,
            is_much: false,
        }
    }

    /// Writes the run as a large transaction ([`Connection::write_much`]) until it ends.
    pub(crate) fn write_much(&mut self) -> Result<(), StoreError> {
        self.is_much = true;
        self.conn.write_much(true)
    }

    /// Records the next event. The first event must be `RunStarted`. If its run exists, that run is
    /// continued.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be written (see [`StoreError::kind`]). The event is then kept, and written
    /// with the next group. `RunStarted` fails if another engine is recording this run.
    pub fn on_event(&mut self, event: &Event) -> Result<(), StoreError> {
        match event {
            Event::RunStarted { run, cases, .. } => return self.begin(run, &|| by_name(cases)),
            Event::Progress(_) | Event::Log { .. } => return Ok(()),
            Event::Turn(turn) => self.keep(turn),
            _ => self.pending.push(event.clone()),
        }
        self.taken += 1;
        let Some((_, running)) = &mut self.run else { return Err(not_started()) };
        let noted = match event {
            Event::Turn(_) => running.journal.take_turn(self.taken, &self.packed),
            _ => running.journal.take(self.taken, event),
        };
        if self.is_due(event) {
            self.flush()?;
        }
        if matches!(event, Event::RunEnded { .. }) {
            self.end()?;
        }
        noted.map_err(|error| journal_failed(&self.conn, &error))
    }

    /// Starts a run from a file. [`Recorder::take_file`] records the rest. References between rows use
    /// numbers that are assigned here, so the database need not check them.
    ///
    /// # Errors
    ///
    /// Fails like [`Recorder::begin`].
    pub fn begin_file(&mut self, header: &RunHeader, cases: Cases<'_>) -> Result<(), StoreError> {
        self.conn.check_references(false)?;
        self.begin(header, cases)
    }

    /// Records all further events of a run from a file, as fast as it can be read. There is no journal,
    /// because the file can be read again. The last event must be `RunEnded`, and visits must not overlap. A
    /// second thread creates events and encodes turns while this one writes to the database.
    ///
    /// # Errors
    ///
    /// Fails like [`Recorder::on_event`]. The run is then incomplete.
    pub fn take_file(&mut self, events: impl Iterator<Item = Event> + Send) -> Result<(), StoreError> {
        let Some((run, _)) = self.run else { return Err(not_started()) };
        let conn = &self.conn;
        let mut groups = Groups::of(events, if self.is_much { Groups::MUCH } else { Groups::USUAL });
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(0); // one group is created while another is written
            scope.spawn(move || groups.try_for_each(|group| sender.send(group)));
            receiver.iter().try_for_each(|group: Group| {
                conn.write(CANNOT_RECORD, |rows| {
                    rows.append(run, &group.events, group.taken)?;
                    group.sealed.chunks(AT_ONCE).try_for_each(|some| rows.seal(run, some))
                })
            })
        })?;
        self.end()
    }

    fn end(&mut self) -> Result<(), StoreError> {
        self.run = None; // pruning must not see the run as running
        self.conn.release()?;
        if std::mem::take(&mut self.is_much) {
            self.conn.write_much(false)?;
        }
        self.conn.check_references(true)?; // deleting relies on the checks
        prune(&self.conn, &self.policy).map(|_| ())
    }

    fn keep(&mut self, turn: &Turn) {
        self.now_ns = turn.at_ns.saturating_add(turn.wall_ns);
        self.packed.clear();
        frames::pack(&mut self.packed, turn);
        self.open.push(turn.visit, &self.packed);
    }

    fn is_due(&self, event: &Event) -> bool {
        match event {
            Event::RunEnded { .. } | Event::Learned(_) => true,
            Event::VisitEnded { .. } => {
                self.now_ns.abs_diff(self.written_ns) >= GROUP_NS || self.open_after().next().is_none()
            }
            _ => false,
        }
    }

    /// Returns the visits that are still open after the last pending event.
    fn open_after(&self) -> impl Iterator<Item = u32> {
        let ended = |visit: u32| {
            self.pending.iter().any(|event| matches!(event, Event::VisitEnded { visit: v } if *v == visit))
        };
        self.open.numbers().filter(move |visit| !ended(*visit))
    }

    /// Writes pending events to the database.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be written. Everything is kept for the next attempt.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        let Some((run, running)) = &mut self.run else {
            return if self.pending.is_empty() { Ok(()) } else { Err(not_started()) };
        };
        // Set this after an error too. Otherwise, a full disk would cause a retry at every visit.
        self.written_ns = self.now_ns;
        let (run, pending, open, taken) = (*run, &self.pending, &self.open, self.taken);
        let written = self.conn.write(CANNOT_RECORD, |rows| append(rows, run, pending, open, taken));
        written.map_err(|error| kept(&self.conn, error))?;
        let over = pending.iter().any(|event| matches!(event, Event::RunEnded { .. }));
        for event in self.pending.drain(..) {
            if let Event::VisitEnded { visit } = event {
                self.open.remove(visit);
            }
        }
        if over {
            self.open.clear();
        }
        if self.open.is_empty() {
            running.journal.clear().map_err(|error| journal_failed(&self.conn, &error))?;
        }
        Ok(())
    }

    /// Starts a run as `RunStarted` does. Not all cases need to be in memory.
    ///
    /// # Errors
    ///
    /// Fails like `RunStarted`.
    pub fn begin(&mut self, header: &RunHeader, cases: Cases<'_>) -> Result<(), StoreError> {
        let mut running = Running::take(&self.conn.dir, &header.id)
            .map_err(|error| lock_failed(&header.id, &self.conn, &error))?
            .ok_or_else(|| recorded_elsewhere(&header.id))?;
        if !self.conn.hold(&header.id)? {
            return Err(recorded_elsewhere(&header.id));
        }
        let left = frames::read(&path(&self.conn.dir, &header.id));
        running.keep = true;
        let run = self.conn.write(CANNOT_RECORD, |rows| {
            if let Some(before) = rows.with_id(&header.id)? {
                replay(rows, before.key, &left)?;
                // The points of an incomplete run must not stay in the history.
                rows.remove_history_entries(&history::of_run(&header.id))?;
            }
            rows.begin(header, cases)
        })?;
        running.keep = false;
        running.journal.clear().map_err(|error| journal_failed(&self.conn, &error))?;
        self.run = Some((run, running));
        (self.taken, self.now_ns, self.written_ns) = (0, 0, 0);
        Ok(())
    }

    /// Writes everything as rows if the engine stopped without `RunEnded`. Events that cannot be written stay
    /// in the journal.
    fn give_up(&mut self) {
        let flushed = self.flush();
        let Some((run, running)) = &mut self.run else { return };
        let (run, open) = (*run, &self.open);
        let sealed = flushed.and_then(|()| {
            self.conn.write(CANNOT_RECORD, |rows| {
                seal_open(rows, run, open)?;
                rows.set_status(run, RunStatus::Partial)
            })
        });
        running.keep = sealed.is_err();
        let _ = self.conn.release();
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.give_up(); // callers that need the error call `flush` first
    }
}

fn kept(conn: &Connection, error: StoreError) -> StoreError {
    if conn.shares_folder() {
        return error;
    }
    let kept = "; nothing is lost: when Derny opens this store again, it recovers the events in";
    let remedy = format!("{}{kept} {}", error.problem.remedy, conn.dir.join("running").display());
    StoreError { problem: error.problem.remedy(remedy), ..error }
}

fn not_started() -> StoreError {
    StoreError {
        kind: ErrorKind::Unknown,
        problem: Problem::new("an event came before its run had started")
            .place("the recorder")
            .why("the stream of events does not begin with `RunStarted`")
            .remedy("report this bug in Derny"),
    }
}

fn recorded_elsewhere(id: &str) -> StoreError {
    StoreError {
        kind: ErrorKind::InUse,
        problem: problem!("run {id} cannot be continued")
            .place(format_args!("run {id}"))
            .why("another Derny process is recording it")
            .remedy("wait until it ends, or start another run"),
    }
}

fn lock_failed(id: &str, conn: &Connection, error: &std::io::Error) -> StoreError {
    StoreError {
        kind: ErrorKind::Open,
        problem: problem!("run {id} cannot be marked as running")
            .place(conn.dir.join("running").join(id).display())
            .why(error)
            .remedy("make the folder writable, or choose another store"),
    }
}

fn journal_failed(conn: &Connection, error: &std::io::Error) -> StoreError {
    let full = error.kind() == std::io::ErrorKind::StorageFull;
    StoreError {
        kind: if full { ErrorKind::Full } else { ErrorKind::Open },
        problem: Problem::new("the journal of the run cannot be written")
            .place(conn.dir.join("running").display())
            .why(error)
            .remedy(if full { "free some disk space" } else { "make the folder writable" }),
    }
}
