//! A command to a harness and its answer, with a failure for a fault. Several harnesses may be at work at the same time: what was sent to
//! one is heard in any thread, and taken where the events go.

use crate::launch::fault;
use crate::launch::link::Fault;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use derny_model::Event;
use derny_protocol::{Answer, Command};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// An answer that takes longer is waited for aloud.
const LONG_ANSWER: Duration = Duration::from_secs(1);

/// What came of waiting for an answer; nothing from a process that is gone.
#[derive(Debug)]
pub(super) struct Heard {
    answer: Option<Result<Answer, Fault>>,
    waited: Duration,
    /// When it was heard.
    pub(super) at: Instant,
}

impl HarnessProcess {
    /// Sends a command whose answer [`HarnessProcess::await_answer`] waits for.
    pub(super) fn send(
        &mut self,
        cx: &mut Context<'_>,
        case: u32,
        command: &Command,
    ) -> Result<(), StepError> {
        let Some(link) = &mut self.link else { return Err(StepError::Gone) };
        link.begin(command).map_err(|fault| self.step_error(cx, case, command, &fault))
    }

    /// Waits for the answer to what was sent, and makes a failure of a fault.
    pub(super) fn await_answer(
        &mut self,
        cx: &mut Context<'_>,
        case: u32,
        command: &Command,
        timeout: Duration,
    ) -> Result<Answer, StepError> {
        let is_cut = is_cut(cx, timeout);
        let heard = self.hear(cx, timeout);
        self.take_answer(cx, case, command, is_cut, heard)
    }

    /// Waits for an answer, and says so where that takes long.
    pub(super) fn hear(&mut self, cx: &mut Context<'_>, timeout: Duration) -> Heard {
        // Where an answer takes so long, telling it once a second disturbs nothing.
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

    /// Waits for an answer, in whatever thread; `watch` hears for how long already.
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

    /// What was heard, with a failure for a fault.
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
            // It was not given the time in which a hanging one shows.
            Err(Fault::TimedOut(_)) if is_cut => Err(Self::late(cx, case, command)),
            // A body may learn only while it runs that it does not apply.
            Ok(Answer::Skipped { reason }) if !matches!(command, Command::Open { .. }) => {
                Err(StepError::Skipped(reason))
            }
            answer => answer.map_err(|fault| self.step_error(cx, case, command, &fault)),
        }
    }

    /// The run's time did not allow to wait for an answer any longer.
    fn late(cx: &mut Context<'_>, case: u32, command: &Command) -> StepError {
        let is_over = cx.is_past_total();
        let whose = if is_over { "the run's time" } else { "its part of the run's time" };
        let message = format!("{} was not over when {whose} was", command.verb());
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

/// Whether an answer has less time than a hanging one needs to show itself: the run's time is nearly over.
pub(super) fn is_cut(cx: &Context<'_>, timeout: Duration) -> bool {
    cx.part_of_total().is_some_and(|part| timeout >= part)
}
