//! Sends commands to harnesses, receives their answers, and converts faults to failures. Several
//! harnesses may work at once. Any thread can wait for an answer, but only the thread that emits events
//! processes it.

use crate::launch::fault;
use crate::launch::link::Fault;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::heard::Heard;
use derny_model::Event;
use derny_protocol::{Answer, Command};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Duration of an answer above which progress events are emitted.
const LONG_ANSWER: Duration = Duration::from_secs(1);

impl HarnessProcess {
    /// Sends a command. [`HarnessProcess::await_answer`] waits for the answer.
    pub(super) fn send(
        &mut self,
        cx: &mut Context<'_>,
        case: u32,
        command: &Command,
    ) -> Result<(), StepError> {
        let Some(link) = &mut self.link else { return Err(StepError::Gone) };
        link.begin(command).map_err(|fault| self.step_error(cx, case, command, &fault))
    }

    /// Waits for the answer to the last command, and converts a fault to a failure.
    pub(super) fn await_answer(
        &mut self,
        cx: &mut Context<'_>,
        case: u32,
        command: &Command,
        timeout: Duration,
    ) -> Result<Answer, StepError> {
        let is_cut = cx.is_cut(timeout);
        let heard = self.hear(cx, timeout);
        self.take_answer(cx, case, command, is_cut, heard)
    }

    /// Waits for an answer. Emits progress events if the answer takes long.
    pub(super) fn hear(&mut self, cx: &mut Context<'_>, timeout: Duration) -> Heard {
        // One event per second does not disturb an answer that takes this long.
        let mut told = Duration::ZERO;
        let Context { sink, watch, stop, .. } = cx;
        self.listen(timeout, stop, &mut |waited| {
            if waited > told + LONG_ANSWER
                && let Some(last) = &watch.last
            {
                told = waited;
                (*sink)(&Event::Progress(last.clone()));
            }
        })
    }

    /// Waits for an answer, on any thread. `watch` receives the time waited so far.
    pub(super) fn listen(
        &mut self,
        timeout: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Duration),
    ) -> Heard {
        let start = Instant::now();
        let answer = self.link.as_mut().map(|link| link.finish_watched(timeout, stop, watch));
        let at = Instant::now();
        Heard { answer, waited: at - start, at }
    }

    /// Processes an answer that [`HarnessProcess::listen`] returned, and converts a fault to a failure.
    /// `is_cut` is true if the time limit was shortened because the run is about to end.
    pub(super) fn take_answer(
        &mut self,
        cx: &mut Context<'_>,
        case: u32,
        command: &Command,
        is_cut: bool,
        heard: Heard,
    ) -> Result<Answer, StepError> {
        let (Some(link), Some(answer)) = (&mut self.link, heard.answer) else { return Err(StepError::Gone) };
        cx.time.has_waited(heard.waited);
        for message in std::mem::take(&mut link.logs) {
            if cx.watch.is_new(&message) {
                (cx.sink)(&Event::Log { case: Some(case), message });
            }
        }
        match answer {
            // The time limit was shortened, so exceeding it does not show a hang.
            Err(Fault::TimedOut(_)) if is_cut => Err(Self::late(cx, case, command)),
            // Some bodies find out only at run time that their case does not apply.
            Ok(Answer::Skipped { reason }) if !matches!(command, Command::Open { .. }) => {
                Err(StepError::Skipped(reason))
            }
            answer => answer.map_err(|fault| self.step_error(cx, case, command, &fault)),
        }
    }

    /// Logs that the remaining time of the run was too short for an answer. Returns the error.
    fn late(cx: &mut Context<'_>, case: u32, command: &Command) -> StepError {
        let is_over = cx.is_past_total();
        let whose = if is_over { "the run's time" } else { "its share of the run's time" };
        let message = format!("`{}` was still running when {whose} ran out", command.verb());
        cx.emit(Event::Log { case: Some(case), message });
        if is_over { StepError::Interrupted } else { StepError::Late }
    }

    pub(super) fn step_error(
        &self,
        cx: &mut Context<'_>,
        case: u32,
        command: &Command,
        fault: &Fault,
    ) -> StepError {
        let usable = matches!(fault, Fault::Failed { fatal: false, .. } | Fault::Unsupported(_));
        if matches!(fault, Fault::Interrupted) {
            return StepError::Interrupted;
        }
        let Some(link) = &self.link else { return StepError::Gone };
        let failure = fault::of_link(&self.place(cx, case), command.verb(), fault, link);
        StepError::Failed { failure: Box::new(failure), usable }
    }
}
