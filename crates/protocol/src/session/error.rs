//! Violations of the protocol, by either side.

use crate::{MAX_LINE, ParseError, VERSION};
use std::fmt;

/// Why a command may not be sent, or what is wrong with a received line. The text is a lower-case fragment. After an
/// error of [`crate::Session::receive`] the conversation is over.
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
