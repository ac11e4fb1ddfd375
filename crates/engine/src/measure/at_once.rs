//! Runs turns of several processes at the same time, each on its own processor. Used for calibration
//! and warm-up, before anything is measured.

use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, RequestedTurn, StepError};
use crate::measure::heard::Heard;
use crate::measure::turn::{TurnRequest, TurnSummary};
use std::thread;
use std::time::Instant;

/// Returns the number of processes that may run turns at the same time: one per measuring processor.
/// Returns 1 if threads cannot be pinned or a session is attached.
pub(super) fn most(cx: &Context<'_>) -> usize {
    if cx.launcher.attached.is_some() { 1 } else { cx.settings.pin.len().max(1) }
}

/// Assigns processors to processes: every processor once in random order, before any is used again.
pub(super) struct Processors {
    order: Vec<u32>,
    next: usize,
}

impl Processors {
    /// Returns the processors to measure on, or a single one if processes have to take turns.
    pub(super) fn of(cx: &mut Context<'_>) -> Processors {
        let order = match most(cx) {
            1 => cx.processor().into_iter().collect(),
            _ => {
                let mut order = cx.settings.pin.clone();
                cx.rng.shuffle(&mut order);
                order
            }
        };
        Processors { order, next: 0 }
    }

    /// Returns a processor for each of the next `processes` processes, or `None` for each if threads cannot
    /// be pinned.
    pub(super) fn take(&mut self, processes: usize) -> Vec<Option<u32>> {
        let first = self.next;
        self.next += processes;
        (first..self.next).map(|at| self.order.get(at % self.order.len().max(1)).copied()).collect()
    }
}

/// A turn to request from a process.
pub(super) struct Ask<'p> {
    pub(super) process: &'p mut HarnessProcess,
    pub(super) request: TurnRequest,
}

/// The result of a requested turn.
pub(super) struct Done {
    pub(super) summary: Result<TurnSummary, StepError>,
    /// Time in ns until this turn and all turns that ran at the same time had ended.
    pub(super) wall_ns: u64,
    /// Part of `wall_ns` that is charged to this turn.
    pub(super) share_ns: u64,
}

/// Runs all turns. Turns on different processors run in parallel. Returns the results in the same order.
/// A turn of a multi-threaded body runs alone.
pub(super) fn turns(cx: &mut Context<'_>, asks: Vec<Ask<'_>>) -> Vec<Done> {
    let most = most(cx);
    let mut done: Vec<Option<Done>> = asks.iter().map(|_| None).collect();
    let mut waiting: Vec<(usize, Ask<'_>)> = asks.into_iter().enumerate().collect();
    while !waiting.is_empty() {
        let mut busy: Vec<Option<u32>> = Vec::new();
        let (mut now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, ask)| {
            let own = ask.request.processor.filter(|_| ask.process.is_pinned());
            let fits = own.is_some() && busy.len() < most && busy.iter().all(|at| at.is_some() && *at != own);
            let is_taken = busy.is_empty() || fits;
            if is_taken {
                busy.push(own);
            }
            is_taken
        });
        let start = Instant::now();
        let summaries = turns_of(cx, &mut now);
        let wall_ns = start.elapsed().as_nanos() as u64;
        let share_ns = wall_ns / now.len().max(1) as u64;
        for ((at, _), summary) in now.into_iter().zip(summaries) {
            done[at] = Some(Done { summary, wall_ns, share_ns });
        }
        waiting = later;
    }
    done.into_iter().flatten().collect()
}

/// Sends all requests, and waits for each answer in a separate thread, because the wall time of each turn
/// counts.
fn turns_of(cx: &mut Context<'_>, asks: &mut [(usize, Ask<'_>)]) -> Vec<Result<TurnSummary, StepError>> {
    if let [(_, ask)] = asks {
        return vec![ask.process.turn(cx, ask.request)];
    }
    cx.processors.engine.back();
    let asked: Vec<Result<RequestedTurn, StepError>> =
        asks.iter_mut().map(|(_, ask)| ask.process.begin_turn(cx, ask.request)).collect();
    let stop = cx.stop;
    let heard: Vec<Option<Heard>> = thread::scope(|scope| {
        let mut waits = asks
            .iter_mut()
            .zip(&asked)
            .map(|((_, ask), asked)| Some((&mut *ask.process, asked.as_ref().ok()?.timeout)));
        // This thread waits for the first answer, and emits progress events if the answer takes long.
        let first = waits.next().flatten();
        let others: Vec<_> = waits
            .map(|wait| {
                wait.map(|(process, timeout)| scope.spawn(move || process.listen(timeout, stop, &mut |_| {})))
            })
            .collect();
        let first = first.map(|(process, timeout)| process.hear(cx, timeout));
        let others = others.into_iter().map(|thread| thread.and_then(|thread| thread.join().ok()));
        std::iter::once(first).chain(others).collect()
    });
    let processes = asks.iter_mut().map(|(_, ask)| &mut *ask.process);
    processes
        .zip(asked.into_iter().zip(heard))
        .map(|(process, (asked, heard))| process.end_turn(cx, asked?, heard.ok_or(StepError::Gone)?))
        .collect()
}
