//! Forced collections and settling of a process's heap, which happen between turns.

use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, Heap, StepError};
use crate::os;
use derny_model::{Event, Phase, Turn};
use derny_protocol::{Answer, Command};
use std::time::Instant;

impl HarnessProcess {
    /// Forces a collection and emits its time. Does nothing if the harness does not support it.
    pub fn collect(&mut self, cx: &mut Context<'_>) -> Result<(), StepError> {
        let Some(visit) = &self.visit else { return Err(StepError::Gone) };
        if !self.can("collect") {
            return Ok(());
        }
        let case = visit.case;
        self.emit_turn(cx);
        let (timeout, at_ns, start) = (cx.timeout(), cx.now_ns(), Instant::now());
        self.send(cx, case, &Command::Collect)?;
        let answer = self.await_answer(cx, case, &Command::Collect, timeout)?;
        // Restart the maximum of resident pages. If the collection returned memory to the system, the next
        // use of that memory costs a first touch again.
        self.counters = self.watch.as_ref().and_then(|(_, watch)| watch.read(None, false));
        if self.gives_back() {
            self.heap = Heap::Young;
        }
        if let Answer::Collected { ns } = answer {
            self.emit_beside(cx, Phase::Collection, ns, at_ns, start);
        }
        Ok(())
    }

    /// Sends `settle`, unless the heap is already settled. Before that, moves a pinned process to
    /// `processor`. Each of `visits` visits will allocate `bytes`, or an unknown number if `None`.
    pub fn begin_settling(
        &mut self,
        cx: &mut Context<'_>,
        processor: Option<u32>,
        bytes: Option<u64>,
        visits: u64,
    ) -> Result<(), StepError> {
        let Some(visit) = &self.visit else { return Err(StepError::Gone) };
        if self.is_settled(bytes) {
            return Ok(());
        }
        let (case, pinned) = (visit.case, visit.pinned);
        self.emit_turn(cx);
        if pinned && let Some(processor) = processor {
            os::set_affinity(self.observed_thread(), &[processor]);
            self.processor = Some(processor);
        }
        self.heap = Heap::Settling(cx.now_ns(), Instant::now(), bytes.unwrap_or(u64::MAX));
        self.send(cx, case, &Command::Settle { bytes: bytes.map(|bytes| bytes.saturating_mul(visits)) })
    }

    /// Marks the heap as not settled.
    pub fn unsettle(&mut self) {
        self.heap = Heap::Young;
    }

    /// Waits until the heap is settled, emits the time that it took, and returns it in ns. Returns `None` if
    /// [`HarnessProcess::begin_settling`] did not send `settle`.
    pub fn end_settling(&mut self, cx: &mut Context<'_>) -> Result<Option<u64>, StepError> {
        let Some(visit) = &self.visit else { return Err(StepError::Gone) };
        let Heap::Settling(at_ns, start, bytes) = self.heap else { return Ok(None) };
        let case = visit.case;
        let timeout = cx.timeout();
        self.heap = Heap::Young;
        let answer = self.await_answer(cx, case, &Command::Settle { bytes: None }, timeout)?;
        self.heap = Heap::Settled(bytes);
        self.counters = self.read_thread();
        let Answer::Settled { ns } = answer else { return Ok(None) };
        self.emit_beside(cx, Phase::Settling, ns, at_ns, start);
        Ok(Some(ns))
    }

    /// Emits an activity between turns as a turn with one iteration, one time and no counters.
    fn emit_beside(&mut self, cx: &mut Context<'_>, phase: Phase, ns: u64, at_ns: u64, start: Instant) {
        let Some(visit) = &mut self.visit else { return };
        let turn = Turn {
            visit: visit.number,
            phase,
            round: visit.round,
            iterations: 1,
            times_ns: vec![ns],
            ops: None,
            counters: Vec::new(),
            cpu: self.processor,
            at_ns,
            wall_ns: start.elapsed().as_nanos() as u64,
            hash: None,
            thread: None,
            reported: Vec::new(),
            outside: None,
        };
        visit.replicate.cost.add(&turn, &visit.metrics, visit.ops_per_iteration);
        cx.emit(Event::Turn(turn));
    }
}
