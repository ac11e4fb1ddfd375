//! Violations of the protocol by the engine or by the harness.

use crate::{MAX_LINE, ParseError, VERSION};
use std::fmt;

/// The reason why a command may not be sent, or why a received line is invalid. The message is a
/// lower-case clause. After an error of [`crate::Session::receive`], the conversation is over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The line is not a message.
    Parse(ParseError),
    /// The line is not UTF-8.
    NotUtf8,
    /// The line is longer than [`MAX_LINE`].
    TooLong {
        /// Size of the line in bytes, including LF.
        bytes: usize,
    },
    /// The harness uses a version of the protocol that this engine does not support.
    Version {
        /// Version of the harness.
        theirs: u32,
    },
    /// A reply arrived that is not allowed in the current state of the conversation.
    Unasked {
        /// Verb of the reply.
        reply: &'static str,
        /// Description of the line that was expected.
        expected: &'static str,
    },
    /// The turn has more times than requested batches.
    TooManyTimes {
        /// Number of requested batches.
        asked: u32,
        /// Number of received times.
        got: usize,
    },
    /// The `times` line of a turn is empty, or it is `times -` although the case declares no metrics.
    NoTimes,
    /// The number of values on the `ops` line differs from that on the `times` line.
    OpsNotParallel {
        /// Number of received times.
        times: usize,
        /// Number of received operation counts.
        ops: usize,
    },
    /// A self-timed body did not report its operations.
    NoOps,
    /// The number of counters differs from the declarations of hello and case.
    CounterCount {
        /// Number of declared counters.
        declared: usize,
        /// Number of received counters.
        got: usize,
    },
    /// The command may not be sent now.
    OutOfOrder {
        /// Verb of the command.
        command: &'static str,
        /// The state of the conversation.
        state: &'static str,
    },
    /// A number of the command is out of range.
    OutOfRange {
        /// Name of the key.
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
                write!(f, "the harness uses protocol {theirs}, and this engine supports up to {VERSION}")
            }
            Self::Unasked { reply, expected } => write!(f, "`{reply}` came where {expected} was expected"),
            Self::TooManyTimes { asked, got } => write!(f, "received {got} times for {asked} batches"),
            Self::NoTimes => write!(f, "the turn has no times"),
            Self::OpsNotParallel { times, ops } => {
                write!(f, "received {ops} operation counts for {times} times")
            }
            Self::NoOps => write!(f, "a self-timed case must report its operations on an `ops` line"),
            Self::CounterCount { declared, got } => {
                write!(f, "a turn ended with {got} counters, but {declared} were declared")
            }
            Self::OutOfOrder { command, state } => write!(f, "`{command}` may not be sent while {state}"),
            Self::OutOfRange { key } => write!(f, "`{key}` is out of range"),
        }
    }
}

impl std::error::Error for ProtocolError {}

impl From<ParseError> for ProtocolError {
    fn from(error: ParseError) -> Self {
        Self::Parse(error)
    }
}
