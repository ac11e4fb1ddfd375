use crate::launch::link::Fault;
use derny_protocol::Answer;
use std::time::{Duration, Instant};

/// The result of waiting for an answer. There is no answer if the process has already ended.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) answer: Option<Result<Answer, Fault>>,
    pub(super) waited: Duration,
    /// Time at which the answer arrived.
    pub(super) at: Instant,
}
