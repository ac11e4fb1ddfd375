//! The engine's side of one conversation with one harness process, sans I/O.
//!
//! Knows which command may be sent now, which line may come now, and which counts must agree. Must not know how lines
//! travel, how long anything may take, or what the answers are for.

use crate::case::{Case, Timing};
use crate::command::Command;
use crate::escape::cut;
use crate::hello::Hello;
use crate::reply::{End, Reply};
use crate::{MAX_BATCHES, MAX_DETAIL, MAX_LINE, ParseError, VERSION};
use std::collections::HashMap;
use std::fmt;

/// One turn as the harness told it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Time of every batch in nanoseconds; `None` where the case has values but no times.
    pub times: Option<Vec<u64>>,
    /// Operations of every batch, parallel to `times`, where the body times itself.
    pub ops: Option<Vec<f64>>,
    /// The hello's counters, then the open case's own; `None` for one that could not be read.
    pub counters: Vec<Option<f64>>,
    /// Hash of the last result, where it was asked for.
    pub hash: Option<String>,
}

/// A completed answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The harness is there.
    Hello(Hello),
    /// To `list`.
    Cases(Vec<Case>),
    /// To `open`: the case is set up.
    Opened {
        /// Measuring thread of this case.
        thread: Option<u32>,
    },
    /// To `open`: the case does not apply here; nothing is open.
    Skipped {
        /// Why.
        reason: String,
    },
    /// To `check`.
    Checked {
        /// Hash of the result.
        hash: Option<String>,
    },
    /// To `measure` and `overhead`.
    Turn(Turn),
    /// To `collect`.
    Collected {
        /// How long it took.
        ns: u64,
    },
    /// To `close`.
    Closed,
    /// To any command, or unasked when fatal. After a failed `open` or `close` nothing is open; after another failed
    /// command the case is still open and must be closed.
    Failed {
        /// One sentence.
        message: String,
        /// Stack or other long text, at most [`MAX_DETAIL`] bytes.
        detail: Option<String>,
        /// The process cannot go on: the conversation is over.
        fatal: bool,
    },
    /// The harness does not know the verb that was sent.
    Unsupported {
        /// The verb.
        verb: String,
    },
    /// A line for the person; it answers no command.
    Log(String),
}

/// Why a command may not be sent, or what is wrong with a received line. The text is a lower-case fragment. After an
/// error of [`Session::receive`] the conversation is over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The line is not a message.
    Parse(ParseError),
    /// The line is not UTF-8.
    NotUtf8,
    /// The line is longer than [`MAX_LINE`].
    TooLong {
        /// Its length, LF included.
        bytes: usize,
    },
    /// The harness speaks a version newer than this engine.
    Version {
        /// The harness's version.
        theirs: u32,
    },
    /// A reply came that no command asked for.
    Unasked {
        /// Verb of the reply.
        reply: &'static str,
        /// What the harness should have said now.
        expected: &'static str,
    },
    /// More times than batches were asked for.
    TooManyTimes {
        /// Batches asked for.
        asked: u32,
        /// Times told.
        got: usize,
    },
    /// A turn without a single time, from a case that has no values of its own either.
    NoTimes,
    /// The `ops` line is not parallel to the `times` line.
    OpsNotParallel {
        /// Times told.
        times: usize,
        /// Operations told.
        ops: usize,
    },
    /// A self-timed body that does not say how many operations it did.
    NoOps,
    /// The turn has not as many counters as hello and case declared.
    CounterCount {
        /// Declared.
        declared: usize,
        /// Told.
        got: usize,
    },
    /// This command may not be sent now.
    OutOfOrder {
        /// Verb of the command.
        command: &'static str,
        /// Where the conversation stands.
        state: &'static str,
    },
    /// A number of the command is out of its range.
    OutOfRange {
        /// The key.
        key: &'static str,
    },
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(error) => error.fmt(f),
            Self::NotUtf8 => write!(f, "the line is not UTF-8"),
            Self::TooLong { bytes } => write!(f, "the line has {bytes} bytes, more than {MAX_LINE}"),
            Self::Version { theirs } => {
                write!(f, "the harness speaks protocol {theirs}, this engine up to {VERSION}")
            }
            Self::Unasked { reply, expected } => write!(f, "`{reply}` came where {expected} was expected"),
            Self::TooManyTimes { asked, got } => write!(f, "{got} times came for {asked} batches"),
            Self::NoTimes => write!(f, "the turn has no times"),
            Self::OpsNotParallel { times, ops } => write!(f, "{ops} operation counts came for {times} times"),
            Self::NoOps => write!(f, "a self-timed case must say its operations on an `ops` line"),
            Self::CounterCount { declared, got } => {
                write!(f, "{got} counters closed a turn, {declared} were declared")
            }
            Self::OutOfOrder { command, state } => write!(f, "`{command}` may not be sent while {state}"),
            Self::OutOfRange { key } => write!(f, "`{key}` is out of its range"),
        }
    }
}

impl std::error::Error for ProtocolError {}

impl From<ParseError> for ProtocolError {
    fn from(error: ParseError) -> Self {
        Self::Parse(error)
    }
}

#[derive(Debug, Clone)]
enum State {
    /// Waiting for the hello.
    Greeting,
    /// No case is open. `list` is allowed until the first `open`.
    Idle,
    /// A case is open.
    Open,
    Listing(Vec<Case>),
    Opening,
    Checking,
    Turning(Asked, Turn),
    Collecting,
    Closing,
    /// After `quit`, a fatal error or a violation.
    Over,
}

#[derive(Debug, Clone, Copy)]
struct Asked {
    batches: u32,
    /// An empty body has no operations to tell.
    needs_ops: bool,
    times_came: bool,
}

/// What the session must know of a case to judge its turns.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    metrics: usize,
    self_timed: bool,
}

type Key = (String, Vec<(String, String)>);

/// The state machine. One command is under way at a time.
#[derive(Debug, Clone)]
pub struct Session {
    state: State,
    metrics: usize,
    cases: HashMap<Key, Known>,
    open: Known,
    opened_once: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session that waits for the hello.
    #[must_use]
    pub fn new() -> Self {
        let (cases, open) = (HashMap::new(), Known::default());
        Self { state: State::Greeting, metrics: 0, cases, open, opened_once: false }
    }

    /// Tells the session of a case that another process listed. A process that is asked to `open` a case without having
    /// listed it does not say again how many values close its turns; a case that the session was not told of has none.
    pub fn learn(&mut self, case: &Case) {
        let known = Known { metrics: case.metrics.len(), self_timed: case.timing == Timing::SelfTimed };
        self.cases.insert((case.benchmark.clone(), case.params.clone()), known);
    }

    /// Whether a command is under way, or the hello awaited.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !matches!(self.state, State::Idle | State::Open | State::Over)
    }

    /// Whether a case is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match self.state {
            State::Open | State::Checking | State::Turning(..) | State::Collecting | State::Closing => true,
            State::Greeting | State::Idle | State::Listing(_) | State::Opening | State::Over => false,
        }
    }

    /// Whether the conversation is over: after `quit`, a fatal error or a violation.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// The line to write for `command`, LF included.
    ///
    /// # Errors
    /// [`ProtocolError::OutOfOrder`], [`ProtocolError::OutOfRange`] or [`ProtocolError::TooLong`]; the session is then as
    /// it was.
    pub fn send(&mut self, command: &Command) -> Result<String, ProtocolError> {
        let out_of_order = || ProtocolError::OutOfOrder { command: command.verb(), state: self.standing() };
        let next = match (&self.state, command) {
            (State::Idle, Command::List { .. }) if !self.opened_once => State::Listing(Vec::new()),
            (State::Idle, Command::Open { .. }) => State::Opening,
            (State::Open, Command::Check) => State::Checking,
            (State::Open, Command::Measure { iterations, batches, .. }) => {
                State::Turning(asked(*iterations, *batches, self.open.self_timed)?, Turn::default())
            }
            (State::Open, Command::Overhead { iterations, batches }) => {
                State::Turning(asked(*iterations, *batches, false)?, Turn::default())
            }
            (State::Open, Command::Collect) => State::Collecting,
            (State::Open, Command::Close) => State::Closing,
            (State::Idle | State::Open, Command::Quit) => State::Over,
            _ => return Err(out_of_order()),
        };
        let line = format!("{command}\n");
        if line.len() > MAX_LINE {
            return Err(ProtocolError::TooLong { bytes: line.len() });
        }
        if let Command::Open { benchmark, params } = command {
            self.opened_once = true;
            self.open = self.cases.get(&(benchmark.clone(), params.clone())).copied().unwrap_or_default();
        }
        self.state = next;
        Ok(line)
    }

    /// Takes one received line, with or without its LF. Returns the answer that it completes, if it does.
    ///
    /// # Errors
    /// Any violation of the protocol; the conversation is then over.
    pub fn receive(&mut self, line: &[u8]) -> Result<Option<Answer>, ProtocolError> {
        let answer = self.take(line);
        if answer.is_err() {
            self.state = State::Over;
        }
        answer
    }

    fn take(&mut self, line: &[u8]) -> Result<Option<Answer>, ProtocolError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.len() >= MAX_LINE {
            return Err(ProtocolError::TooLong { bytes: line.len() + 1 });
        }
        let line = std::str::from_utf8(line).map_err(|_| ProtocolError::NotUtf8)?;
        let reply = Reply::parse(line)?;
        match reply {
            Reply::Log { message } => Ok(Some(Answer::Log(message))),
            Reply::Error { message, detail, fatal } => self.failed(message, detail, fatal).map(Some),
            Reply::Unsupported { verb } => self.unsupported(verb).map(Some),
            reply => self.expected(reply),
        }
    }

    fn failed(
        &mut self,
        message: String,
        detail: Option<String>,
        fatal: bool,
    ) -> Result<Answer, ProtocolError> {
        let next = match self.state {
            _ if fatal => State::Over,
            State::Listing(_) | State::Opening | State::Closing => State::Idle,
            State::Checking | State::Turning(..) | State::Collecting => State::Open,
            State::Greeting | State::Idle | State::Open | State::Over => return Err(self.unasked("error")),
        };
        self.state = next;
        let detail = detail.map(|detail| cut(&detail, MAX_DETAIL).to_owned());
        Ok(Answer::Failed { message, detail, fatal })
    }

    fn unsupported(&mut self, verb: String) -> Result<Answer, ProtocolError> {
        self.state = match self.state {
            State::Listing(_) | State::Opening => State::Idle,
            State::Checking | State::Turning(..) | State::Collecting | State::Closing => State::Open,
            State::Greeting | State::Idle | State::Open | State::Over => {
                return Err(self.unasked("unsupported"));
            }
        };
        Ok(Answer::Unsupported { verb })
    }

    fn expected(&mut self, reply: Reply) -> Result<Option<Answer>, ProtocolError> {
        let (next, answer) = match (&mut self.state, reply) {
            (State::Greeting, Reply::Hello(hello)) => {
                if hello.version == 0 || hello.version > VERSION {
                    return Err(ProtocolError::Version { theirs: hello.version });
                }
                self.metrics = hello.metrics.len();
                (State::Idle, Answer::Hello(hello))
            }
            (State::Listing(cases), Reply::Case(case)) => {
                cases.push(case);
                return Ok(None);
            }
            (State::Listing(cases), Reply::End(end)) => {
                if !end.counters.is_empty() {
                    return Err(ProtocolError::CounterCount { declared: 0, got: end.counters.len() });
                }
                let cases = std::mem::take(cases);
                cases.iter().for_each(|case| self.learn(case));
                (State::Idle, Answer::Cases(cases))
            }
            (State::Opening, Reply::Opened { thread }) => (State::Open, Answer::Opened { thread }),
            (State::Opening, Reply::Skip { reason }) => (State::Idle, Answer::Skipped { reason }),
            (State::Checking, Reply::Checked { hash }) => (State::Open, Answer::Checked { hash }),
            (State::Collecting, Reply::Collected { ns }) => (State::Open, Answer::Collected { ns }),
            (State::Closing, Reply::Closed) => (State::Idle, Answer::Closed),
            (State::Turning(asked, turn), reply @ (Reply::Times(_) | Reply::NoTimes | Reply::Ops(_))) => {
                return fill(asked, turn, self.open, reply).map(|()| None);
            }
            (State::Turning(asked, turn), Reply::End(end)) if asked.times_came => {
                let turn =
                    close(asked.needs_ops, std::mem::take(turn), end, self.metrics + self.open.metrics)?;
                (State::Open, Answer::Turn(turn))
            }
            (_, reply) => return Err(self.unasked(reply.verb())),
        };
        self.state = next;
        Ok(Some(answer))
    }

    fn unasked(&self, reply: &'static str) -> ProtocolError {
        let expected = match &self.state {
            State::Greeting => "`derny`",
            State::Idle | State::Open => "nothing (no command was under way)",
            State::Listing(_) => "`case` or `end`",
            State::Opening => "`opened` or `skip`",
            State::Checking => "`checked`",
            State::Turning(asked, _) if asked.times_came => "`ops` or `end`",
            State::Turning(..) => "`times`",
            State::Collecting => "`collected`",
            State::Closing => "`closed`",
            State::Over => "nothing (the conversation is over)",
        };
        ProtocolError::Unasked { reply, expected }
    }

    fn standing(&self) -> &'static str {
        match self.state {
            State::Greeting => "the hello is awaited",
            State::Idle => "no case is open",
            State::Open => "a case is open",
            State::Over => "the conversation is over",
            _ => "another command is under way",
        }
    }
}

fn asked(iterations: u64, batches: u32, needs_ops: bool) -> Result<Asked, ProtocolError> {
    if iterations == 0 {
        return Err(ProtocolError::OutOfRange { key: "iterations" });
    }
    if batches == 0 || batches > MAX_BATCHES {
        return Err(ProtocolError::OutOfRange { key: "batches" });
    }
    Ok(Asked { batches, needs_ops, times_came: false })
}

/// Takes `times`, `times -` or `ops` into the turn.
fn fill(asked: &mut Asked, turn: &mut Turn, open: Known, reply: Reply) -> Result<(), ProtocolError> {
    match reply {
        Reply::Times(times) if !asked.times_came => {
            if times.is_empty() {
                return Err(ProtocolError::NoTimes);
            }
            if times.len() > asked.batches as usize {
                return Err(ProtocolError::TooManyTimes { asked: asked.batches, got: times.len() });
            }
            turn.times = Some(times);
        }
        Reply::NoTimes if !asked.times_came => {
            if open.metrics == 0 {
                return Err(ProtocolError::NoTimes);
            }
        }
        Reply::Ops(ops) if asked.times_came && turn.ops.is_none() => {
            let times = turn.times.as_ref().map_or(0, Vec::len);
            if ops.len() != times {
                return Err(ProtocolError::OpsNotParallel { times, ops: ops.len() });
            }
            turn.ops = Some(ops);
        }
        other => {
            let expected = if asked.times_came { "`end`" } else { "`times`" };
            return Err(ProtocolError::Unasked { reply: other.verb(), expected });
        }
    }
    asked.times_came = true;
    Ok(())
}

fn close(needs_ops: bool, turn: Turn, end: End, declared: usize) -> Result<Turn, ProtocolError> {
    if needs_ops && turn.times.is_some() && turn.ops.is_none() {
        return Err(ProtocolError::NoOps);
    }
    if end.counters.len() != declared {
        return Err(ProtocolError::CounterCount { declared, got: end.counters.len() });
    }
    Ok(Turn { counters: end.counters, hash: end.hash, ..turn })
}
