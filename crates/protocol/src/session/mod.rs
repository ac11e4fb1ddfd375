//! The engine's side of a conversation with one harness process, without I/O.
//!
//! Checks that a command may be sent now, that a line may arrive now, and that the counts in an answer agree.
//! Does not transfer lines, enforce time limits or evaluate answers.

mod answer;
mod error;
mod turn;

pub use answer::{Answer, Turn};
pub use error::ProtocolError;

use crate::case::{Case, Timing};
use crate::command::Command;
use crate::escape::cut;
use crate::reply::Reply;
use crate::{MAX_DETAIL, MAX_LINE, VERSION};
use std::collections::HashMap;
use turn::{Known, PendingTurn};

#[derive(Debug, Clone)]
enum State {
    /// Waiting for the hello.
    Greeting,
    /// No case is open and no command is pending. `list` and `expand` are allowed until the first `open`.
    Idle,
    Open,
    Listing(Vec<Case>),
    Opening,
    Checking,
    Turning(PendingTurn, Turn),
    Collecting,
    Settling,
    Closing,
    /// The conversation is over, after `quit`, a fatal error or a violation.
    Over,
}

type Key = (String, Vec<(String, String)>);

/// The state machine of a conversation. Only one command is pending at a time.
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
    /// Creates a session that waits for the hello.
    #[must_use]
    pub fn new() -> Self {
        let (cases, open) = (HashMap::new(), Known::default());
        Self { state: State::Greeting, metrics: 0, cases, open, opened_once: false }
    }

    /// Registers a case that another process listed. The session needs its declaration to check how many
    /// counters end a turn, and whether the body times itself. A case that is not registered counts as
    /// one without metrics and with a timed loop.
    pub fn learn(&mut self, case: &Case) {
        let known = Known { metrics: case.metrics.len(), self_timed: case.timing == Timing::SelfTimed };
        self.cases.insert((case.benchmark.clone(), case.params.clone()), known);
    }

    /// Returns true while a command is pending or the hello has not arrived.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !matches!(self.state, State::Idle | State::Open | State::Over)
    }

    /// Returns true if a case is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match self.state {
            State::Open
            | State::Checking
            | State::Turning(..)
            | State::Collecting
            | State::Settling
            | State::Closing => true,
            State::Greeting | State::Idle | State::Listing(_) | State::Opening | State::Over => false,
        }
    }

    /// Returns true if the conversation is over: after `quit`, a fatal error or a violation.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Returns the line to write for `command`, including LF.
    ///
    /// # Errors
    /// Fails with [`ProtocolError::OutOfOrder`], [`ProtocolError::OutOfRange`] or
    /// [`ProtocolError::TooLong`]. The session is then unchanged.
    pub fn send(&mut self, command: &Command) -> Result<String, ProtocolError> {
        let out_of_order = || ProtocolError::OutOfOrder { command: command.verb(), state: self.standing() };
        let next = match (&self.state, command) {
            (State::Idle, Command::List { .. } | Command::Expand { .. }) if !self.opened_once => {
                State::Listing(Vec::new())
            }
            (State::Idle, Command::Open { .. }) => State::Opening,
            (State::Open, Command::Check) => State::Checking,
            (
                State::Open,
                Command::Measure { iterations, batches, .. } | Command::Overhead { iterations, batches },
            ) => State::Turning(turn::asked(*iterations, *batches, self.open.self_timed)?, Turn::default()),
            (State::Open, Command::Collect) => State::Collecting,
            (State::Open, Command::Settle { .. }) => State::Settling,
            (State::Open, Command::Close) => State::Closing,
            // These two commands have no reply.
            (State::Idle, Command::Report { .. } | Command::Result { .. }) => State::Idle,
            (State::Idle | State::Open, Command::Quit) => State::Over,
            _ => return Err(out_of_order()),
        };
        let line = format!("{command}\n");
        if line.len() > MAX_LINE {
            return Err(ProtocolError::TooLong { bytes: line.len() });
        }
        if let Command::Open { benchmark, params, .. } = command {
            self.opened_once = true;
            self.open = self.cases.get(&(benchmark.clone(), params.clone())).copied().unwrap_or_default();
        }
        self.state = next;
        Ok(line)
    }

    /// Processes a received line, with or without its LF. Returns the answer if the line completes one.
    ///
    /// # Errors
    /// Fails if the line violates the protocol. The conversation is then over.
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
            State::Checking | State::Turning(..) | State::Collecting | State::Settling => State::Open,
            State::Greeting | State::Idle | State::Open | State::Over => return Err(self.unasked("error")),
        };
        self.state = next;
        let detail = detail.map(|detail| cut(&detail, MAX_DETAIL).to_owned());
        Ok(Answer::Failed { message, detail, fatal })
    }

    fn unsupported(&mut self, verb: String) -> Result<Answer, ProtocolError> {
        self.state = match self.state {
            State::Listing(_) | State::Opening => State::Idle,
            State::Checking | State::Turning(..) | State::Collecting | State::Settling | State::Closing => {
                State::Open
            }
            State::Greeting | State::Idle | State::Open | State::Over => {
                return Err(self.unasked("unsupported"));
            }
        };
        Ok(Answer::Unsupported { verb })
    }

    fn expected(&mut self, reply: Reply) -> Result<Option<Answer>, ProtocolError> {
        let declared = self.metrics + self.open.metrics;
        let (next, answer) = match (&mut self.state, reply) {
            (State::Greeting, Reply::Hello(hello)) => {
                if hello.version == 0 || hello.version > VERSION {
                    return Err(ProtocolError::Version { theirs: hello.version });
                }
                self.metrics = hello.metrics.len();
                (State::Idle, Answer::Hello(hello))
            }
            (State::Listing(cases), Reply::Case(case)) => {
                cases.push(*case);
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
            (State::Opening, Reply::Opened { thread, once }) => {
                (State::Open, Answer::Opened { thread, once })
            }
            (State::Opening, Reply::Skip { reason }) => (State::Idle, Answer::Skipped { reason }),
            (State::Checking | State::Turning(..), Reply::Skip { reason }) => {
                (State::Open, Answer::Skipped { reason })
            }
            (State::Checking, Reply::Checked { hash }) => (State::Open, Answer::Checked { hash }),
            (State::Collecting, Reply::Collected { ns }) => (State::Open, Answer::Collected { ns }),
            (State::Settling, Reply::Settled { ns }) => (State::Open, Answer::Settled { ns }),
            (State::Closing, Reply::Closed { ops, reported, texts }) => {
                (State::Idle, Answer::Closed { ops, reported, texts })
            }
            (State::Turning(asked, taken), reply @ (Reply::Times(_) | Reply::NoTimes | Reply::Ops(_))) => {
                return turn::fill(asked, taken, self.open, reply).map(|()| None);
            }
            (State::Turning(asked, taken), Reply::End(end)) if asked.times_came => {
                let turn = turn::close(asked.needs_ops, std::mem::take(taken), end, declared)?;
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
            State::Idle | State::Open => "nothing (no command was running)",
            State::Listing(_) => "`case` or `end`",
            State::Opening => "`opened` or `skip`",
            State::Checking => "`checked`",
            State::Turning(asked, _) if asked.times_came => "`ops` or `end`",
            State::Turning(..) => "`times`",
            State::Collecting => "`collected`",
            State::Settling => "`settled`",
            State::Closing => "`closed`",
            State::Over => "nothing (the conversation is over)",
        };
        ProtocolError::Unasked { reply, expected }
    }

    fn standing(&self) -> &'static str {
        match self.state {
            State::Greeting => "waiting for the hello",
            State::Idle => "no case is open",
            State::Open => "a case is open",
            State::Over => "the conversation is over",
            _ => "another command is running",
        }
    }
}
