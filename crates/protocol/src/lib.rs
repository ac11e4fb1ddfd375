//! The harness protocol, version 1, without I/O: messages, parsing, printing and the state machine of a
//! session.
//!
//! 1. `session` decides which command may be sent now.
//! 2. `command` prints the command as a `line`, with text encoded by `escape`.
//! 3. `reply` parses a line of the harness, and reads its `fields` by key.
//! 4. `hello`, `case` and `metric` parse the declarations that a line may contain.
//! 5. `session` checks that the reply may arrive now and that its counts agree. It returns an answer.
//! 6. `vector` matches a conversation with a transcript, for tests of harnesses.
//!
//! The crate defines the lines and their order. It must not use pipes, processes, clocks or the types of
//! `derny-model`. The owner of the streams passes received lines in and sends the returned lines.
//! `protocol/PROTOCOL.md` is the normative text, and this crate tests its transcripts.

mod case;
mod command;
mod error;
mod escape;
mod fields;
mod hello;
mod limits;
mod line;
mod metric;
mod number;
mod reply;
pub mod session;
pub mod vector;

pub use case::{Case, Timing};
pub use command::Command;
pub use error::ParseError;
pub use escape::{cut, escape, unescape};
pub use hello::{Collector, Hello};
pub use limits::{MAX_BATCHES, MAX_DETAIL, MAX_LINE, VERSION};
pub use metric::{Direction, Kind, Metric, Reported};
pub use reply::{End, Reply};
pub use session::{Answer, ProtocolError, Session, Turn};
