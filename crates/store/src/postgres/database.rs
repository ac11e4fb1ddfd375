//! A connection to the database, how it is made anew, and transactions.
//!
//! Many write at once. A transaction sees one state, and where another one changed what it changes, it is done anew. So no writer waits for
//! others but for the rows that both write, and for as long as their transactions last.

use super::address::Address;
use super::fault::{Fault, FaultKind};
use super::schema::{self, Unusable};
use super::talk::{Done, Statement, Talk};
use super::value::{Row, Value};
use crate::backend::{Act, Backend, Leases, Rows, RunKey, Snapshot};
use crate::error::{ErrorKind, StoreError, Trouble};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Tries until a transaction has its way among others. Their pauses grow to half a second.
const TRIES: u32 = 24;
/// Tries until a server is back; tests of one that stays away do not wait ten seconds.
const TRIES_AWAY: u32 = if cfg!(test) { 7 } else { 24 };
/// Tries to hold a run that another connection holds.
const HOLD_TRIES: u32 = 6;
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// The longest wait for one of the connections in place of one that broke.
const AGAIN: Duration = Duration::from_secs(2);
/// How the server is to treat us: locks are not waited for without end, and it notices soon when this machine is gone.
const MANNERS: &str = "SET lock_timeout = '10s'; SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; \
                       SET tcp_keepalives_count = 4";
const WHAT: &str = "the store cannot be opened";

/// Opens the store at an address, and brings its schema up to date.
pub fn open(text: &str) -> Result<Box<dyn Backend>, StoreError> {
    let database = Database::of(text)?;
    let updated = database.prepare(|talk, schema| schema::update(talk, schema, schema::STEPS));
    updated.map(|()| Box::new(database) as Box<dyn Backend>)
}

/// Whether a store is at an address; nothing is made.
pub fn exists(text: &str) -> Result<bool, StoreError> {
    let mut found = false;
    Database::of(text)?.prepare(|talk, schema| {
        found = schema::version(talk, schema)?.is_some();
        Ok(())
    })?;
    Ok(found)
}

/// A connection to the store in a schema of a database.
pub struct Database {
    address: Address,
    talk: RefCell<Option<Talk>>,
    /// The run that is held by this connection, and by each that comes in its place.
    held: RefCell<Option<String>>,
    /// Turns that were read with those asked for, of a run.
    ahead: RefCell<(RunKey, BTreeMap<u32, Vec<u8>>)>,
}

impl Database {
    /// At an address; nothing is asked yet.
    pub fn of(text: &str) -> Result<Database, StoreError> {
        let address = Address::parse(text, &|name| std::env::var(name).ok()).map_err(|fault| {
            let place = derny_model::secrets::word_without_secrets(text).into_owned();
            StoreError {
                kind: ErrorKind::Open,
                what: "the address of the store cannot be used".into(),
                place,
                why: fault.why,
                remedy: fault.remedy.unwrap_or_default(),
            }
        })?;
        Ok(Database::at(address))
    }

    fn at(address: Address) -> Database {
        let ahead = RefCell::new((0, BTreeMap::new()));
        Database { address, talk: RefCell::new(None), held: RefCell::new(None), ahead }
    }

    /// Connects, and does what must be done before all else. A server that is starting is waited for.
    pub fn prepare(
        &self,
        act: impl FnMut(&mut Talk, &str) -> Result<(), Unusable>,
    ) -> Result<(), StoreError> {
        self.prepare_within(0, act)
    }

    /// Another connection to the same server. It was there: where it is away now, it is waited for.
    fn beside(&self) -> Result<Database, StoreError> {
        let other = Database::at(self.address.clone());
        other.prepare_within(TRIES_AWAY, |_, _| Ok(()))?;
        Ok(other)
    }

    /// Tries so often where no server answers.
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
                Err(Unusable::TooNew(error)) => return Err(StoreError { place: self.place(), ..error }),
                Err(Unusable::Fault(fault)) if fault.code == "57P03" && tries < TRIES => tries += 1,
                Err(Unusable::Fault(fault)) if fault.kind == FaultKind::Away && tries < tries_away => {
                    tries += 1
                }
                Err(Unusable::Fault(fault)) => return Err(fault.at(&self.address).of(WHAT, &self.place())),
            }
            *self.talk.borrow_mut() = None;
            pause(tries);
        }
    }

    /// Sees to it that there is a connection.
    fn connect(&self, address: &Address) -> Result<(), Fault> {
        let mut own = self.talk.borrow_mut();
        if own.is_some() {
            return Ok(());
        }
        let mut talk = Talk::begin(address)?;
        talk.simply(&format!("{MANNERS}; SET search_path = {}", address.schema))?;
        if let Some(id) = &*self.held.borrow()
            && !try_hold(&mut talk, &self.address.schema, id)?
        {
            // The server has not noticed yet that the connection before is gone.
            return Err(Fault {
                kind: FaultKind::Away,
                code: String::new(),
                why: format!("run {id} is still held"),
                remedy: None,
            });
        }
        *own = Some(talk);
        Ok(())
    }

    /// Says something.
    pub fn say<T>(&self, say: impl FnOnce(&mut Talk) -> Result<T, Fault>) -> Result<T, Trouble> {
        let mut talk = self.talk.borrow_mut();
        let said = match &mut *talk {
            Some(talk) => say(talk),
            None => Err(Fault::broken(&std::io::ErrorKind::UnexpectedEof.into())),
        };
        said.map_err(|fault| fault.at(&self.address))
    }

    /// The rows that a statement finds.
    pub fn rows(&self, sql: &'static str, values: Vec<Value>) -> Result<Vec<Row>, Trouble> {
        self.say(|talk| talk.rows(sql, values))
    }

    /// Runs statements one after the other.
    pub fn all(&self, statements: Vec<Statement>) -> Result<Vec<Done>, Trouble> {
        self.say(|talk| talk.all(statements))
    }

    /// Runs statements that may be repeated, all or none of them, until that is done.
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

    /// The same with one: whether it changed anything.
    pub fn changes(&self, statement: impl Fn() -> Statement) -> Result<bool, Trouble> {
        Ok(self.surely(|| vec![statement()])?.iter().any(|done| done.count > 0))
    }

    /// Does `act` in a transaction until it is done, or does not get done.
    fn transact(&self, does_write: bool, act: Act<'_>) -> Result<(), Trouble> {
        self.again_and_again(|| self.attempt(does_write, act))
    }

    fn again_and_again<T>(
        &self,
        mut act: impl FnMut() -> Result<T, (Trouble, FaultKind)>,
    ) -> Result<T, Trouble> {
        let mut tries = 0;
        loop {
            match act() {
                Ok(done) => return Ok(done),
                Err((trouble, FaultKind::Final)) => return Err(trouble),
                Err((trouble, FaultKind::Away)) if tries >= TRIES_AWAY => return Err(trouble),
                Err((trouble, _)) if tries == TRIES => return Err(trouble),
                Err(_) => tries += 1,
            }
            pause(tries);
        }
    }

    fn attempt(&self, does_write: bool, act: Act<'_>) -> Result<(), (Trouble, FaultKind)> {
        self.back()?;
        let number = self.begin(does_write).and_then(|number| act(self).map(|()| number));
        let number = number.and_then(|number| self.still(number)).map_err(|trouble| self.undo(trouble))?;
        let Err(trouble) = self.say(|talk| talk.simply("COMMIT")) else { return Ok(()) };
        let (trouble, kind) = self.undo(trouble);
        match (kind, number) {
            (FaultKind::Away, Some(number)) => self.was_committed(number, trouble),
            (FaultKind::Away, None) => Ok(()), // all was read
            _ => Err((trouble, kind)),
        }
    }

    /// Makes the connection anew if it broke.
    fn back(&self) -> Result<(), (Trouble, FaultKind)> {
        let address = self.address.within(AGAIN);
        self.connect(&address).map_err(|fault| {
            let kind = fault.kind;
            (fault.at(&self.address), kind)
        })
    }

    /// The number of the transaction, if it writes: by it the server can be asked later what became of it.
    fn begin(&self, does_write: bool) -> Result<Option<i64>, Trouble> {
        *self.ahead.borrow_mut() = (0, BTreeMap::new());
        let is_inside = self.say(|talk| {
            talk.trouble = None;
            Ok(talk.is_inside)
        })?;
        if is_inside {
            self.say(|talk| talk.simply("ROLLBACK"))?; // of one that was left by a panic
        }
        if !does_write {
            self.all(vec![("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", Vec::new())])?;
            return Ok(None);
        }
        let begin = ("BEGIN ISOLATION LEVEL REPEATABLE READ", Vec::new());
        let mut done = self.all(vec![begin, ("SELECT txid_current()", Vec::new())])?;
        done.pop().and_then(|done| done.rows.first().map(|row| row.int(0))).transpose()
    }

    /// Fails if a statement did, and whoever made it looked away: nothing would be kept.
    fn still(&self, number: Option<i64>) -> Result<Option<i64>, Trouble> {
        let failed = self.say(|talk| Ok(talk.has_failed))?;
        if failed {
            Err(Trouble::Damaged("a statement of the transaction failed".into()))
        } else {
            Ok(number)
        }
    }

    /// Ends a transaction that failed; what follows of it.
    fn undo(&self, trouble: Trouble) -> (Trouble, FaultKind) {
        let mut own = self.talk.borrow_mut();
        let Some(talk) = &mut *own else { return (trouble, FaultKind::Away) };
        let kind = talk.trouble.take().unwrap_or(FaultKind::Final);
        if kind == FaultKind::Away || (talk.is_inside && talk.simply("ROLLBACK").is_err()) {
            *own = None;
        }
        (trouble, kind)
    }

    /// The connection broke while it was being said whether all is kept.
    fn was_committed(&self, number: i64, trouble: Trouble) -> Result<(), (Trouble, FaultKind)> {
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
                    let waits = Fault::broken(&std::io::ErrorKind::TimedOut.into());
                    Err((waits.at(&self.address), FaultKind::Away))
                }
                _ => Ok(false),
            }
        });
        match asked {
            Ok(true) => Ok(()),
            Ok(false) => Err((trouble.take().expect("it is there"), FaultKind::Again)),
            Err(error) => Err((error, FaultKind::Final)),
        }
    }

    /// The turns of a visit, and with them those of the visits behind it: whoever reads one reads the next.
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

    /// Turns are written: what was read of them is not what is there.
    pub fn forget_ahead(&self) {
        self.ahead.borrow_mut().1.clear();
    }
}

/// Takes the lock by which others see that a run is being recorded. It goes with the connection.
fn try_hold(talk: &mut Talk, schema: &str, id: &str) -> Result<bool, Fault> {
    let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))";
    let found = talk.rows(sql, vec![held_name(schema, id).into()])?;
    Ok(found.first().is_some_and(|row| row.bool(0).unwrap_or(false)))
}

fn held_name(schema: &str, id: &str) -> String {
    format!("derny run {schema} {id}")
}

fn pause(tries: u32) {
    let grown = Duration::from_millis(5 << tries.min(8)).min(LONGEST_PAUSE);
    // Two that were in each other's way are not to meet again.
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
        // A state is that of the first look.
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
        // The server takes a moment to notice that the connection which held it is gone.
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
        // A connection that broke has released it.
        let done = self.rows(sql, vec![held_name(&self.address.schema, &id).into()]);
        done.map(|_| ()).or_else(|trouble| match self.undo(trouble) {
            (_, FaultKind::Away) => Ok(()),
            (trouble, _) => Err(trouble),
        })
    }

    fn leases(&self) -> Option<&dyn Leases> {
        Some(self)
    }

    fn shares_folder(&self) -> bool {
        false
    }

    /// What runs brought; indexes, and rows that were deleted, are the server's business.
    fn bytes(&self) -> Result<u64, Trouble> {
        let mut bytes = 0;
        self.read(&mut |_| {
            let found = self.rows("SELECT coalesce(sum(bytes), 0)::bigint FROM runs", Vec::new())?;
            bytes = found.first().map_or(Ok(0), |row| row.int(0))?;
            Ok(())
        })?;
        Ok(bytes as u64)
    }

    /// The server does that by itself, when it has time.
    fn shrink(&self) -> Result<(), Trouble> {
        Ok(())
    }

    fn write_to(&self, _file: &Path) -> Result<(), Trouble> {
        let why = "what is on a server does not become one file";
        Err(Fault::own(why.into(), "copy it to a folder: `derny store copy`").at(&self.address))
    }

    /// The server always does; it costs little there.
    fn check_references(&self, _yes: bool) -> Result<(), Trouble> {
        Ok(())
    }
}

impl Database {
    /// Whether somebody records the run.
    pub fn held(&self, id: &str) -> Result<bool, Trouble> {
        let sql = "SELECT EXISTS(SELECT 1 FROM pg_locks, hashtextextended($1, 0) AS wanted
             WHERE locktype = 'advisory' AND granted AND objsubid = 1
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND ((classid::bigint << 32) | objid::bigint) = wanted)";
        let found = self.rows(sql, vec![held_name(&self.address.schema, id).into()])?;
        found.first().map_or(Ok(false), |row| row.bool(0))
    }
}
