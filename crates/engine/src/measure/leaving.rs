//! Ends a process: closes its case, sends `quit`, and kills the processes that it left behind.

use crate::launch;
use crate::launch::link::Link;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError, tell_ignored};
use crate::measure::visit::OpenVisit;
use derny_model::{Event, ProcessEnd, VisitReport};
use derny_protocol::{Answer, Command};
use std::time::{Duration, Instant};

impl HarnessProcess {
    /// Sends `close` for the open case. [`HarnessProcess::close`] waits for the answer.
    pub fn begin_closing(&mut self, cx: &mut Context<'_>) {
        self.emit_turn(cx);
        if let Some(case) = self.visit.as_ref().map(|visit| visit.case) {
            self.ending = Some(Instant::now());
            self.closing = Some(self.send(cx, case, &Command::Close));
        }
    }

    /// Closes the open case and returns its visit. The caller decides whether the visit counts.
    pub fn close(&mut self, cx: &mut Context<'_>) -> Result<Option<OpenVisit>, StepError> {
        if self.closing.is_none() {
            self.begin_closing(cx);
        }
        let sent = self.closing.take();
        let Some(mut visit) = self.visit.take() else { return Ok(None) };
        sent.unwrap_or(Ok(()))?;
        let timeout = cx.timeout();
        let answer = self.await_answer(cx, visit.case, &Command::Close, timeout)?;
        if let Answer::Closed { ops, reported, texts } = answer {
            let (values, ignored) = visit.undeclared(reported);
            tell_ignored(cx, visit.case, &ignored);
            if !values.is_empty() || !texts.is_empty() {
                let report = VisitReport { operations: ops.unwrap_or(visit.operations), values, texts };
                cx.emit(Event::Reported { visit: visit.number, report });
            }
        }
        let left = self.link.as_ref().map(|link| link.end_orphans(&self.orphans));
        Self::tell_orphans(cx, Some(visit.case), &left.unwrap_or_default());
        Ok(Some(visit))
    }

    /// Logs processes that were left behind by a case, or by a program without an open case. This is
    /// logged once per case, because every process of a program may leave the same processes behind.
    fn tell_orphans(cx: &mut Context<'_>, case: Option<u32>, orphans: &[String]) {
        if !orphans.is_empty() && cx.watch.is_new(&format!("{case:?} left something behind")) {
            let whose = if case.is_some() { "" } else { "a program " };
            let message = format!("{whose}{}", launch::left_behind(orphans));
            cx.emit(Event::Log { case, message });
        }
    }

    /// Asks the process to end. [`HarnessProcess::leave`] waits for its end.
    pub fn dismiss(&mut self, cx: &mut Context<'_>) {
        self.emit_turn(cx);
        self.ending.get_or_insert_with(Instant::now);
        if let Some(link) = self.link.as_mut().filter(|link| !link.is_attached()) {
            link.dismiss();
        }
    }

    /// Ends the process and emits its end. If `politely`, the process gets time to quit. A process that
    /// does not quit is only logged, because its measurements are valid.
    pub fn leave(mut self, cx: &mut Context<'_>, politely: bool) {
        self.emit_turn(cx);
        let ending = *self.ending.get_or_insert_with(Instant::now);
        let Some(link) = self.link.take() else { return };
        if link.is_attached() {
            return self.stay_behind(cx, link, politely);
        }
        let left = if politely { link.quit(Duration::from_secs(2)) } else { link.kill() };
        if left.is_forced {
            let message = format!("process {} did not quit within 2 s and was ended (DY309)", self.number);
            cx.emit(Event::Log { case: None, message });
        }
        let case = self.visit.as_ref().map(|visit| visit.case);
        Self::tell_orphans(cx, case, &left.orphans);
        let end = left.ended;
        let at_ns = cx.now_ns();
        cx.emit(Event::ProcessEnded(ProcessEnd {
            process: self.number,
            exit: end.text(),
            cpu_ns: Some(end.cpu_ns),
            peak_bytes: end.peak_bytes,
            resident_bytes: self.footprint.resident(),
            printed_bytes: self.footprint.printed(),
            ending_ns: Some(ending.elapsed().as_nanos() as u64),
            at_ns,
        }));
    }

    /// Leaves an attached session running. If the conversation cannot continue, closes its streams.
    fn stay_behind(&self, cx: &mut Context<'_>, link: Link, usable: bool) {
        if usable && let Some(attached) = &mut cx.launcher.attached {
            attached.give_back(link);
        }
        let at_ns = cx.now_ns();
        cx.emit(Event::ProcessEnded(ProcessEnd {
            process: self.number,
            exit: "goes on".to_string(),
            cpu_ns: None,
            peak_bytes: None,
            resident_bytes: self.footprint.resident(),
            printed_bytes: None,
            ending_ns: None,
            at_ns,
        }));
    }
}
