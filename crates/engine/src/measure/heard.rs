//! The outcome of waiting for a harness.

use crate::launch::link::Fault;
use derny_protocol::Answer;
use std::time::{Duration, Instant};

/// The result of waiting for an answer; `None` for a process that has ended.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) answer: Option<Result<Answer, Fault>>,
    pub(super) waited: Duration,
    /// Time of its arrival.
    pub(super) at: Instant,
}
