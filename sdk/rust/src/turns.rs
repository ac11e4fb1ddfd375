//! Commands for an open case, and their replies. Does not find or open cases.

use crate::alloc::{self, Counted};
use crate::clock;
use crate::loops::Turn;
use crate::panics::{catch, Failure};
use crate::wire::{Line, Message};
use std::path::{Path, PathBuf};
use std::process;

/// Maximum number of batches in a turn.
const BATCHES: usize = 4_096;
/// The only supported mode.
const MODE: &str = "time";

pub type Answer = Result<String, Failure>;

pub trait Opened {
    /// Calls the body once and returns the hash of its result, if the benchmark supports hashes.
    fn check(&mut self) -> Option<u64>;
    /// Runs a turn. Returns the hash of its last result if the engine requested it and the benchmark supports
    /// hashes.
    fn turn(&mut self, turn: Turn, times: &mut Vec<u64>, counted: &mut Counted) -> Option<u64>;
    fn overhead(&mut self, turn: Turn, times: &mut Vec<u64>);
    fn values(&mut self) -> Vec<f64> {
        Vec::new()
    }
    fn metrics(&self) -> usize {
        0
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Order {
    turn: Turn,
    lead: Turn,
}

impl Order {
    /// Parses a `measure` command.
    ///
    /// # Errors
    ///
    /// Fails if a field is missing or invalid.
    pub fn measure(message: &Message) -> Result<Order, String> {
        let turn = turn(message, message.integer("within"))?;
        if let Some(mode) = message.get("mode").filter(|mode| mode != MODE) {
            return Err(format!("measure: there is no mode {mode}"));
        }
        let lead = match message.get("lead") {
            Some(_) => {
                Turn { batches: BATCHES, within_ns: message.integer("lead")?, wants_hash: false, ..turn }
            }
            None => Turn { within_ns: 0, ..turn },
        };
        Ok(Order { turn, lead })
    }

    /// Parses an `overhead` command.
    ///
    /// # Errors
    ///
    /// Fails if a field is missing or invalid.
    pub fn overhead(message: &Message) -> Result<Order, String> {
        turn(message, Ok(u64::MAX)).map(|turn| Order { turn, lead: turn })
    }
}

/// State that the turns of a process share.
pub struct Turns {
    /// True if allocations are counted.
    counts: bool,
    /// Times of a turn's batches. Allocated once, so that no turn allocates.
    times: Vec<u64>,
}

impl Turns {
    pub fn new() -> Turns {
        Turns { counts: alloc::is_installed(), times: Vec::with_capacity(BATCHES) }
    }

    #[cfg(test)]
    pub fn counts(&self) -> bool {
        self.counts
    }

    pub fn hello(&self) -> Result<String, String> {
        let line = Line::new("derny")
            .word(1)
            .field("language", "rust")
            .field("runtime", concat!("rust/", env!("DERNY_RUSTC")))
            .field("harness", HARNESS)
            .field("pid", process::id());
        // Everything runs on the main thread. On Linux, its id is the process id.
        let line = match cfg!(target_os = "linux") {
            true => line.field("thread", process::id()),
            false => line,
        };
        let line = line
            .field("clock", clock::NAME)
            .field("step_ns", clock::step_ns())
            .field("collector", "none")
            .list("can", &["overhead", "check", "hash"])
            .list("modes", &[MODE]);
        match self.counts {
            true => {
                line.list("metrics", &["allocated:B:total:less:exact", "allocations:count:total:less:exact"])
            }
            false => line,
        }
        .finish()
    }

    pub fn check<O: Opened + ?Sized>(&mut self, opened: &mut O) -> Answer {
        let hash = catch(|| opened.check())?;
        Ok(with_hash(Line::new("checked"), hash).finish()?)
    }

    pub fn measure<O: Opened + ?Sized>(&mut self, order: Order, opened: &mut O) -> Answer {
        let Order { turn, lead } = order;
        let times = &mut self.times;
        let (counted, hash, values) = catch(|| {
            if lead.within_ns > 0 {
                opened.turn(lead, times, &mut Counted::default());
                opened.values();
            }
            let mut counted = Counted::default();
            let hash = opened.turn(turn, times, &mut counted);
            (counted, hash, opened.values())
        })?;
        self.reply(counted, values.iter().map(|value| Some(*value)), hash)
    }

    pub fn overhead<O: Opened + ?Sized>(&mut self, order: Order, opened: &mut O) -> Answer {
        let times = &mut self.times;
        let metrics = catch(|| {
            opened.overhead(order.turn, times);
            opened.metrics()
        })?;
        self.reply(Counted::default(), (0..metrics).map(|_| None), None)
    }

    fn reply(
        &self,
        counted: Counted,
        values: impl Iterator<Item = Option<f64>>,
        hash: Option<u64>,
    ) -> Answer {
        let times = self.times.iter().fold(Line::new("times"), Line::word).finish()?;
        let mut end = Line::new("end");
        if self.counts {
            end = end.word(counted.bytes).word(counted.calls);
        }
        for value in values {
            end = match value.filter(|value| value.is_finite()) {
                Some(value) => end.word(value),
                None => end.word("-"),
            };
        }
        Ok(format!("{times}\n{}", with_hash(end, hash).finish()?))
    }
}

/// Version of this harness. If the source replaces another crate, `CARGO_PKG_VERSION` is the version of that
/// crate.
const HARNESS: &str = match option_env!("DERNY_HARNESS") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

fn with_hash(line: Line, hash: Option<u64>) -> Line {
    match hash {
        Some(hash) => line.field("hash", format_args!("{hash:016x}")),
        None => line,
    }
}

fn turn(message: &Message, within: Result<u64, String>) -> Result<Turn, String> {
    let (iterations, batches) = (message.integer("iterations")?, message.integer("batches")?);
    if iterations == 0 {
        return Err("iterations must be at least 1".to_owned());
    }
    let batches = usize::try_from(batches).unwrap_or(usize::MAX);
    if !(1..=BATCHES).contains(&batches) {
        return Err(format!("batches must be 1 to {BATCHES}"));
    }
    let wants_hash = message.get("hash").as_deref() == Some("1");
    Ok(Turn { iterations, batches, within_ns: within?, wants_hash })
}

/// Resolves the path of a source file. The compiler reports it relative to its working directory, which is
/// the package's folder or one of its parents.
pub fn found(file: &str, package: Option<&Path>) -> PathBuf {
    let folders = package.into_iter().flat_map(Path::ancestors);
    let candidates = folders.map(|folder| folder.join(file));
    candidates.into_iter().find(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(file))
}
