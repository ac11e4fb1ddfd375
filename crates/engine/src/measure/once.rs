//! `--once`: every case is opened and checked once, in a process of its own, as many at a time as there are processors.
//! Nothing is timed; what fails is told like any other failure.

use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::{HarnessProcess, StepError};
use crate::measure::launching::Launching;
use crate::measure::turn::TurnRequest;
use derny_model::{Event, Failure, FailureCode, Phase, StopReason};

enum Outcome {
    Passed,
    Skipped(String),
    Failed(Box<Failure>),
    Interrupted,
}

/// Checks every case of every variant that is not finished yet.
pub fn check_all(cx: &mut Context<'_>, states: &mut [CaseState]) {
    let at_once = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut waiting = std::collections::VecDeque::new();
    let mut todo = (0..states.len() as u32)
        .filter(|&c| states[c as usize].ended.is_none())
        .collect::<Vec<_>>()
        .into_iter();
    let mut told = false;
    loop {
        // Processes start beside each other; each is then spoken to in turn.
        while waiting.len() < at_once
            && !cx.stopped()
            && let Some(case) = todo.next()
        {
            for variant in 0..cx.variants.len() as u32 {
                match Launching::start(cx, case, variant, case, variant) {
                    Ok(launching) => waiting.push_back((case, launching)),
                    Err(failure) if cx.stopped() => drop(failure),
                    Err(failure) => cx.fail(&mut states[case as usize], case, failure),
                }
            }
        }
        let Some((case, launching)) = waiting.pop_front() else { return };
        if states[case as usize].ended == Some(StopReason::Failed) {
            continue;
        }
        let reason = match check(cx, case, launching, &mut told) {
            Outcome::Passed => StopReason::Once,
            Outcome::Skipped(reason) => {
                cx.emit(Event::Log { case: Some(case), message: format!("skipped: {reason}") });
                StopReason::Skipped
            }
            Outcome::Failed(failure) => {
                cx.fail(&mut states[case as usize], case, *failure);
                continue;
            }
            Outcome::Interrupted => return,
        };
        states[case as usize].samples.complete += 1;
        let last = !waiting.iter().any(|(other, _)| *other == case);
        if last {
            states[case as usize].ended = Some(reason);
            cx.emit(Event::CaseEnded { case, reason });
        }
    }
}

/// `told`: that a harness has no coverage has been told.
fn check(cx: &mut Context<'_>, case: u32, launching: Launching, told: &mut bool) -> Outcome {
    let mut process = match launching.wait(cx) {
        Ok(process) => process,
        Err(failure) => return Outcome::Failed(Box::new(failure)),
    };
    let asked = cx.catalogue.opened(case, 0).1.is_asked_for_coverage();
    if asked && !process.can("cover") && !std::mem::replace(told, true) {
        let message = "this harness cannot tell what a case covers: nothing is written".to_string();
        cx.emit(Event::Log { case: Some(case), message });
    }
    let outcome = match process.open(cx, case) {
        Ok(Some(reason)) => Outcome::Skipped(reason),
        Ok(None) => {
            let called = if process.can("check") {
                process.check(cx).map(|_| ())
            } else {
                call_once(cx, &mut process)
            };
            match called {
                // A body that ends its process after a good call has passed. One whose tear-down throws has not.
                Ok(()) => match process.close(cx) {
                    Err(StepError::Failed { failure, .. }) if failure.code == FailureCode::DY307 => {
                        process.leave(cx, false);
                        return Outcome::Failed(failure);
                    }
                    _ => {}
                },
                Err(error) => {
                    let outcome = failed(error);
                    process.leave(cx, false);
                    return outcome;
                }
            }
            Outcome::Passed
        }
        Err(error) => failed(error),
    };
    process.leave(cx, true);
    outcome
}

fn call_once(cx: &mut Context<'_>, process: &mut HarnessProcess) -> Result<(), StepError> {
    let request = TurnRequest::plain(Phase::Cold, 1, 1, cx.settings.turn_ns, cx.timeout());
    process.turn(cx, request).map(|_| ())
}

fn failed(error: StepError) -> Outcome {
    match error {
        StepError::Failed { failure, .. } => Outcome::Failed(failure),
        StepError::Interrupted => Outcome::Interrupted,
        StepError::Rejected | StepError::Gone => Outcome::Passed,
    }
}
