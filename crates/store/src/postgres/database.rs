//! The connection to the database, and its transactions.
//!
//! Many clients write at the same time. A transaction sees one snapshot, and is retried if another one
//! changed the same rows. Writers wait for each other only while they write the same rows.

use super::address::Address;
use super::fault::{PgError, PgErrorKind};
use super::schema::{self, Unusable};
use super::talk::{Done, Statement, Talk};
use super::value::{Row, Value};
use crate::backend::{Act, Backend, Leases, Rows, RunKey, Snapshot};
use crate::error::{ErrorKind, StoreError, Trouble};
use derny_model::Problem;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Maximum number of attempts to run a transaction. The pauses between them increase to half a second.
const TRIES: u32 = 24;
/// Maximum number of attempts to reconnect to a server. Together, 24 attempts take ten seconds, so tests use
/// fewer.
const TRIES_AWAY: u32 = if cfg!(test) { 7 } else { 24 };
/// Maximum number of attempts to lock a run that another connection is recording.
const HOLD_TRIES: u32 = 6;
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
const AGAIN: Duration = Duration::from_secs(2);
/// Session settings. Locks have a timeout, and the server soon detects that this machine has disappeared.
const MANNERS: &str = "SET lock_timeout = '10s'; SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; \
                       SET tcp_keepalives_count = 4";
const WHAT: &str = "the store cannot be opened";

/// Opens the store at an address and migrates its schema.
pub fn open(text: &str) -> Result<Box<dyn Backend>, StoreError> {
    let database = Database::of(text)?;
    let updated = database.prepare(|talk, schema| schema::update(talk, schema, schema::STEPS));
    updated.map(|()| Box::new(database) as Box<dyn Backend>)
}

/// Returns true if there is a store at an address. Creates nothing.
pub fn exists(text: &str) -> Result<bool, StoreError> {
    let mut found = false;
    Database::of(text)?.prepare(|talk, schema| {
        found = schema::version(talk, schema)?.is_some();
        Ok(())
    })?;
    Ok(found)
}

pub struct Database {
    address: Address,
    talk: RefCell<Option<Talk>>,
    /// Id of the run that this connection is recording. It must be locked again after reconnecting.
    held: RefCell<Option<String>>,
    ahead: RefCell<(RunKey, BTreeMap<u32, Vec<u8>>)>,
}

impl Database {
    pub fn of(text: &str) -> Result<Database, StoreError> {
        let address = Address::parse(text, &|name| std::env::var(name).ok()).map_err(|fault| {
            let place = derny_model::secrets::word_without_secrets(text).into_owned();
            StoreError {
                kind: ErrorKind::Open,
                problem: Problem::new("the address of the store cannot be used")
                    .place(place)
                    .why(fault.why)
                    .remedy(fault.remedy.unwrap_or_default()),
            }
        })?;
        Ok(Database::at(address))
    }

    fn at(address: Address) -> Database {
        let ahead = RefCell::new((0, BTreeMap::new()));
        Database { address, talk: RefCell::new(None), held: RefCell::new(None), ahead }
    }

    /// Connects, and then calls `act` with the connection and the schema. Waits if the server is still
    /// starting.
    pub fn prepare(
        &self,
        act: impl FnMut(&mut Talk, &str) -> Result<(), Unusable>,
    ) -> Result<(), StoreError> {
        self.prepare_within(0, act)
    }

    /// Opens another connection to the same server. Retries, because the server was reachable before.
    fn beside(&self) -> Result<Database, StoreError> {
        let other = Database::at(self.address.clone());
        other.prepare_within(TRIES_AWAY, |_, _| Ok(()))?;
        Ok(other)
    }

    /// Connects and calls `act`, as [`Database::prepare`] does. Retries up to `tries_away` times if no server
    /// answers.
    fn prepare_within(
        &self,
        tries_away: u32,
        mut act: impl FnMut(&mut Talk, &str) -> Result<(), Unusable>,
    ) -> Result<(), StoreError> {
        let mut tries = 0;
        loop {
            let connected = self.connect(&self.address).map_err(Unusable::from);
            let done = connected.and_then(|()| match &mut *self.talk.borrow_mut() {
                Some(talk) => act(talk, &self.address.schema),
                None => Ok(()),
            });
            match done {
                Ok(()) => return Ok(()),
                Err(Unusable::TooNew(error)) => {
                    return Err(StoreError { problem: error.problem.place(self.place()), ..error });
                }
                Err(Unusable::PgError(fault)) if fault.code == "57P03" && tries < TRIES => tries += 1,
                Err(Unusable::PgError(fault))
                    if fault.kind == PgErrorKind::ConnectionLost && tries < tries_away =>
                {
                    tries += 1
                }
                Err(Unusable::PgError(fault)) => return Err(fault.at(&self.address).of(WHAT, &self.place())),
            }
            *self.talk.borrow_mut() = None;
            pause(tries);
        }
    }

    /// Connects unless a connection is open.
    fn connect(&self, address: &Address) -> Result<(), PgError> {
        let mut own = self.talk.borrow_mut();
        if own.is_some() {
            return Ok(());
        }
        let mut talk = Talk::begin(address)?;
        talk.simply(&format!("{MANNERS}; SET search_path = {}", address.schema))?;
        if let Some(id) = &*self.held.borrow()
            && !try_hold(&mut talk, &self.address.schema, id)?
        {
            // The server has not yet noticed that the previous connection is gone.
            return Err(PgError {
                kind: PgErrorKind::ConnectionLost,
                code: String::new(),
                why: format!("run {id} is still locked by the previous connection"),
                remedy: None,
            });
        }
        *own = Some(talk);
        Ok(())
    }

    pub fn say<T>(&self, say: impl FnOnce(&mut Talk) -> Result<T, PgError>) -> Result<T, Trouble> {
        let mut talk = self.talk.borrow_mut();
        let said = match &mut *talk {
            Some(talk) => say(talk),
            None => Err(PgError::broken(&std::io::ErrorKind::UnexpectedEof.into())),
        };
        said.map_err(|fault| fault.at(&self.address))
    }

    pub fn rows(&self, sql: &'static str, values: Vec<Value>) -> Result<Vec<Row>, Trouble> {
        self.say(|talk| talk.rows(sql, values))
    }

    pub fn all(&self, statements: Vec<Statement>) -> Result<Vec<Done>, Trouble> {
        self.say(|talk| talk.all(statements))
    }

    /// Runs statements in one transaction. Retries after a conflict or a lost connection. The statements may
    /// run twice if the connection is lost during the commit.
    pub fn surely(&self, statements: impl Fn() -> Vec<Statement>) -> Result<Vec<Done>, Trouble> {
        self.again_and_again(|| {
            self.back()?;
            let own = statements();
            let count = own.len();
            let all = [vec![("BEGIN", Vec::new())], own, vec![("COMMIT", Vec::new())]].concat();
            let done = self.all(all).map_err(|trouble| self.undo(trouble))?;
            Ok(done.into_iter().skip(1).take(count).collect())
        })
    }

    /// Runs one statement as [`Database::surely`] does. Returns true if it changed anything.
    pub fn changes(&self, statement: impl Fn() -> Statement) -> Result<bool, Trouble> {
        Ok(self.surely(|| vec![statement()])?.iter().any(|done| done.count > 0))
    }

    fn transact(&self, does_write: bool, act: Act<'_>) -> Result<(), Trouble> {
        self.again_and_again(|| self.attempt(does_write, act))
    }

    fn again_and_again<T>(
        &self,
        mut act: impl FnMut() -> Result<T, (Trouble, PgErrorKind)>,
    ) -> Result<T, Trouble> {
        let mut tries = 0;
        loop {
            match act() {
                Ok(done) => return Ok(done),
                Err((trouble, PgErrorKind::Permanent)) => return Err(trouble),
                Err((trouble, PgErrorKind::ConnectionLost)) if tries >= TRIES_AWAY => return Err(trouble),
                Err((trouble, _)) if tries == TRIES => return Err(trouble),
                Err(_) => tries += 1,
            }
            pause(tries);
        }
    }

    fn attempt(&self, does_write: bool, act: Act<'_>) -> Result<(), (Trouble, PgErrorKind)> {
        self.back()?;
        let number = self.begin(does_write).and_then(|number| act(self).map(|()| number));
        let number = number.and_then(|number| self.still(number)).map_err(|trouble| self.undo(trouble))?;
        let Err(trouble) = self.say(|talk| talk.simply("COMMIT")) else { return Ok(()) };
        let (trouble, kind) = self.undo(trouble);
        match (kind, number) {
            (PgErrorKind::ConnectionLost, Some(number)) => self.was_committed(number, trouble),
            (PgErrorKind::ConnectionLost, None) => Ok(()), // reads only, so nothing is lost
            _ => Err((trouble, kind)),
        }
    }

    fn back(&self) -> Result<(), (Trouble, PgErrorKind)> {
        let address = self.address.within(AGAIN);
        self.connect(&address).map_err(|fault| {
            let kind = fault.kind;
            (fault.at(&self.address), kind)
        })
    }

    /// Begins a transaction. If it writes, returns its id, with which the server can later report whether it
    /// was committed.
    fn begin(&self, does_write: bool) -> Result<Option<i64>, Trouble> {
        *self.ahead.borrow_mut() = (0, BTreeMap::new());
        let is_inside = self.say(|talk| {
            talk.trouble = None;
            Ok(talk.is_inside)
        })?;
        if is_inside {
            self.say(|talk| talk.simply("ROLLBACK"))?; // left open by a panic
        }
        if !does_write {
            self.all(vec![("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", Vec::new())])?;
            return Ok(None);
        }
        let begin = ("BEGIN ISOLATION LEVEL REPEATABLE READ", Vec::new());
        let mut done = self.all(vec![begin, ("SELECT txid_current()", Vec::new())])?;
        done.pop().and_then(|done| done.rows.first().map(|row| row.int(0))).transpose()
    }

    /// Fails if a statement failed and the caller ignored the error. The server would then roll back instead
    /// of committing.
    fn still(&self, number: Option<i64>) -> Result<Option<i64>, Trouble> {
        let failed = self.say(|talk| Ok(talk.has_failed))?;
        if failed {
            Err(Trouble::Damaged("a statement of the transaction failed".into()))
        } else {
            Ok(number)
        }
    }

    fn undo(&self, trouble: Trouble) -> (Trouble, PgErrorKind) {
        let mut own = self.talk.borrow_mut();
        let Some(talk) = &mut *own else { return (trouble, PgErrorKind::ConnectionLost) };
        let kind = talk.trouble.take().unwrap_or(PgErrorKind::Permanent);
        if kind == PgErrorKind::ConnectionLost || (talk.is_inside && talk.simply("ROLLBACK").is_err()) {
            *own = None;
        }
        (trouble, kind)
    }

    /// Asks the server whether transaction `number` was committed, after the connection broke during
    /// `COMMIT`. Fails with `trouble` if it was not.
    fn was_committed(&self, number: i64, trouble: Trouble) -> Result<(), (Trouble, PgErrorKind)> {
        let mut trouble = Some(trouble);
        let asked = self.again_and_again(|| {
            self.back()?;
            let found = self
                .rows("SELECT txid_status($1)", vec![number.into()])
                .map_err(|trouble| self.undo(trouble))?;
            let status = found.first().and_then(|row| row.maybe_text(0).ok().flatten().map(str::to_owned));
            match status.as_deref() {
                Some("committed") => Ok(true),
                Some("in progress") => {
                    let waits = PgError::broken(&std::io::ErrorKind::TimedOut.into());
                    Err((waits.at(&self.address), PgErrorKind::ConnectionLost))
                }
                _ => Ok(false),
            }
        });
        match asked {
            Ok(true) => Ok(()),
            Ok(false) => Err((trouble.take().expect("it is there"), PgErrorKind::Retryable)),
            Err(error) => Err((error, PgErrorKind::Permanent)),
        }
    }

    /// Returns the turns of a visit. Reads ahead the turns of the following visits.
    pub fn turns_of(&self, run: RunKey, visit: u32) -> Result<Option<Vec<u8>>, Trouble> {
        let mut ahead = self.ahead.borrow_mut();
        if ahead.0 == run
            && let Some(bytes) = ahead.1.remove(&visit)
        {
            return Ok(Some(bytes));
        }
        let sql = "SELECT visit, data FROM batches WHERE run = $1 AND visit >= $2 ORDER BY visit LIMIT 32";
        let found = self.rows(sql, vec![run.into(), visit.into()])?;
        let read = found.iter().map(|row| Ok((row.number(0)?, row.bytes(1)?)));
        *ahead = (run, read.collect::<Result<_, Trouble>>()?);
        Ok(ahead.1.remove(&visit))
    }

    /// Drops the turns that were read ahead. Call this when turns change.
    pub fn forget_ahead(&self) {
        self.ahead.borrow_mut().1.clear();
    }
}

/// Takes the advisory lock that marks a run as being recorded. The server releases the lock when the
/// connection ends.
fn try_hold(talk: &mut Talk, schema: &str, id: &str) -> Result<bool, PgError> {
    let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))";
    let found = talk.rows(sql, vec![held_name(schema, id).into()])?;
    Ok(found.first().is_some_and(|row| row.bool(0).unwrap_or(false)))
}

fn held_name(schema: &str, id: &str) -> String {
    format!("derny run {schema} {id}")
}

fn pause(tries: u32) {
    let grown = Duration::from_millis(5 << tries.min(8)).min(LONGEST_PAUSE);
    // Two clients in conflict must not retry at the same time.
    let apart = Duration::from_millis(u64::from(std::process::id() % 7));
    std::thread::sleep(grown + apart);
}

impl Snapshot for Database {
    fn rows(&self) -> &dyn Rows {
        self
    }
}

impl Backend for Database {
    fn place(&self) -> String {
        self.address.to_string()
    }

    fn again(&self) -> Result<Box<dyn Backend>, StoreError> {
        Ok(Box::new(self.beside()?))
    }

    fn read(&self, act: Act<'_>) -> Result<(), Trouble> {
        self.transact(false, act)
    }

    fn write(&self, act: Act<'_>) -> Result<(), Trouble> {
        self.transact(true, act)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot>, StoreError> {
        let own = self.beside()?;
        // The first query fixes the snapshot.
        let begun = own.begin(false).and_then(|_| own.rows("SELECT count(*) FROM meta", Vec::new()));
        match begun {
            Ok(_) => Ok(Box::new(own)),
            Err(trouble) => Err(trouble.of("the store cannot be read", &self.place())),
        }
    }

    fn hold(&self, id: &str) -> Result<bool, Trouble> {
        self.release()?;
        let try_once = || {
            self.again_and_again(|| {
                self.back()?;
                self.say(|talk| try_hold(talk, &self.address.schema, id))
                    .map_err(|trouble| self.undo(trouble))
            })
        };
        // The server takes a moment to notice that the connection that held the lock is gone.
        let mut is_held = try_once()?;
        for tries in 1..HOLD_TRIES {
            if !is_held {
                pause(tries);
                is_held = try_once()?;
            }
        }
        if is_held {
            *self.held.borrow_mut() = Some(id.to_owned());
        }
        Ok(is_held)
    }

    fn release(&self) -> Result<(), Trouble> {
        let Some(id) = self.held.borrow_mut().take() else { return Ok(()) };
        let sql = "SELECT pg_advisory_unlock(hashtextextended($1, 0))";
        // If the connection is broken, it has already released the lock.
        let done = self.rows(sql, vec![held_name(&self.address.schema, &id).into()]);
        done.map(|_| ()).or_else(|trouble| match self.undo(trouble) {
            (_, PgErrorKind::ConnectionLost) => Ok(()),
            (trouble, _) => Err(trouble),
        })
    }

    fn leases(&self) -> Option<&dyn Leases> {
        Some(self)
    }

    fn shares_folder(&self) -> bool {
        false
    }

    fn bytes(&self) -> Result<u64, Trouble> {
        let mut bytes = 0;
        self.read(&mut |_| {
            let found = self.rows("SELECT coalesce(sum(bytes), 0)::bigint FROM runs", Vec::new())?;
            bytes = found.first().map_or(Ok(0), |row| row.int(0))?;
            Ok(())
        })?;
        Ok(bytes as u64)
    }

    /// Does nothing, because the server reclaims space itself.
    fn shrink(&self) -> Result<(), Trouble> {
        Ok(())
    }

    fn write_to(&self, _file: &Path) -> Result<(), Trouble> {
        let why = "a store on a server cannot be written as one file";
        Err(PgError::own(why.into(), "copy it to a folder with `derny runs copy`").at(&self.address))
    }

    /// Does nothing. The server always checks references, at little cost.
    fn check_references(&self, _yes: bool) -> Result<(), Trouble> {
        Ok(())
    }
}

impl Database {
    pub fn held(&self, id: &str) -> Result<bool, Trouble> {
        let sql = "SELECT EXISTS(SELECT 1 FROM pg_locks, hashtextextended($1, 0) AS wanted
             WHERE locktype = 'advisory' AND granted AND objsubid = 1
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND ((classid::bigint << 32) | objid::bigint) = wanted)";
        let found = self.rows(sql, vec![held_name(&self.address.schema, id).into()])?;
        found.first().map_or(Ok(false), |row| row.bool(0))
    }
}

pub fn one(database: &Database, sql: &'static str, values: Vec<Value>) -> Result<Row, Trouble> {
    let found = database.rows(sql, values)?.pop();
    found.ok_or_else(|| Trouble::Damaged("a row is missing".into()))
}
