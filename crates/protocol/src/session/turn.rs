//! The lines of one turn, and the counts that must agree.

use super::answer::Turn;
use super::error::ProtocolError;
use crate::MAX_BATCHES;
use crate::reply::{End, Reply};

#[derive(Debug, Clone, Copy)]
pub(super) struct PendingTurn {
    pub(super) batches: u32,
    /// True if the body times itself. The turn then also needs `ops`.
    pub(super) needs_ops: bool,
    pub(super) times_came: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) metrics: usize,
    pub(super) self_timed: bool,
}

pub(super) fn asked(iterations: u64, batches: u32, needs_ops: bool) -> Result<PendingTurn, ProtocolError> {
    if iterations == 0 {
        return Err(ProtocolError::OutOfRange { key: "iterations" });
    }
    if batches == 0 || batches > MAX_BATCHES {
        return Err(ProtocolError::OutOfRange { key: "batches" });
    }
    Ok(PendingTurn { batches, needs_ops, times_came: false })
}

pub(super) fn fill(
    asked: &mut PendingTurn,
    turn: &mut Turn,
    open: Known,
    reply: Reply,
) -> Result<(), ProtocolError> {
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

pub(super) fn close(needs_ops: bool, turn: Turn, end: End, declared: usize) -> Result<Turn, ProtocolError> {
    if needs_ops && turn.times.is_some() && turn.ops.is_none() {
        return Err(ProtocolError::NoOps);
    }
    if end.counters.len() != declared {
        return Err(ProtocolError::CounterCount { declared, got: end.counters.len() });
    }
    let End { counters, hash, pending, thread, reported } = end;
    Ok(Turn { counters, hash, pending, thread, reported, ..turn })
}
