//! `--once`: every case is opened and checked once, in a process of its own, as many at a time as there are processors.
//! Nothing is timed; what fails is told like any other failure.

use crate::context::Context;
use crate::seat::Trouble;
use crate::sitting::Sitting;
use crate::state::CaseState;
use crate::wave::fail;
use derny_model::{Event, Failure, Phase, StopReason};

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
                match Sitting::start(cx, case, variant, case) {
                    Ok(sitting) => waiting.push_back((case, sitting)),
                    Err(failure) if cx.stopped() => drop(failure),
                    Err(failure) => fail(cx, states, case, failure),
                }
            }
        }
        let Some((case, sitting)) = waiting.pop_front() else { return };
        if states[case as usize].ended == Some(StopReason::Failed) {
            continue;
        }
        let reason = match check(cx, case, sitting, &mut told) {
            Outcome::Passed => StopReason::Once,
            Outcome::Skipped(reason) => {
                cx.tell(Event::Log { case: Some(case), message: format!("skipped: {reason}") });
                StopReason::Skipped
            }
            Outcome::Failed(failure) => {
                fail(cx, states, case, *failure);
                continue;
            }
            Outcome::Interrupted => return,
        };
        states[case as usize].complete += 1;
        let last = !waiting.iter().any(|(other, _)| *other == case);
        if last {
            states[case as usize].ended = Some(reason);
            cx.tell(Event::CaseEnded { case, reason });
        }
    }
}

/// `told`: that a harness has no coverage has been told.
fn check(cx: &mut Context<'_>, case: u32, sitting: Sitting, told: &mut bool) -> Outcome {
    let mut seat = match sitting.seat(cx) {
        Ok(seat) => seat,
        Err(failure) => return Outcome::Failed(Box::new(failure)),
    };
    let asked = cx.catalogue.opened(case, 0).1.is_asked_for_coverage();
    if asked && !seat.can("cover") && !std::mem::replace(told, true) {
        let message = "this harness cannot tell what a case covers: nothing is written".to_string();
        cx.tell(Event::Log { case: Some(case), message });
    }
    let outcome = match seat.open(cx, case) {
        Ok(Some(reason)) => Outcome::Skipped(reason),
        Ok(None) => {
            let called =
                if seat.can("check") { seat.check(cx).map(|_| ()) } else { call_once(cx, &mut seat) };
            match called {
                // A body that ends its process after a good call has passed: tearing down is not the test.
                Ok(()) => _ = seat.close(cx),
                Err(trouble) => {
                    let outcome = failed(trouble);
                    seat.leave(cx, false);
                    return outcome;
                }
            }
            Outcome::Passed
        }
        Err(trouble) => failed(trouble),
    };
    seat.leave(cx, true);
    outcome
}

fn call_once(cx: &mut Context<'_>, seat: &mut crate::seat::Seat) -> Result<(), Trouble> {
    let ask = crate::turn::Ask::plain(Phase::Cold, 1, 1, cx.settings.turn_ns, cx.timeout());
    seat.turn(cx, ask).map(|_| ())
}

fn failed(trouble: Trouble) -> Outcome {
    match trouble {
        Trouble::Failed { failure, .. } => Outcome::Failed(failure),
        Trouble::Interrupted => Outcome::Interrupted,
        Trouble::Rejected | Trouble::Gone => Outcome::Passed,
    }
}
