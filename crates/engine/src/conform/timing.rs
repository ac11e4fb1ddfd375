//! Checks the harness's clock: work of known length is reported correctly, and only the body is timed.

use super::job::Checked;
use super::lab::{Behaviour, Lab};
use super::peer::unexpected;
use derny_protocol::{Answer, Command};
use std::time::Instant;

/// Largest accepted relative error of the shortest batch time.
const TOLERANCE: f64 = 0.05;
/// Additional time in ns that a busy wait may take per call. A busy wait notices its end only after
/// reading the clock, which takes an interpreter a microsecond or two.
const LATE_NS: f64 = 3_000.0;
/// Number of turns to try before a wrong time counts as an error. Other programs may occupy the processor
/// during one turn.
const TRIES: usize = 8;
/// Number of iterations of an overhead turn, and the largest share of the body's time that it may take.
const EMPTY: (u64, f64) = (500, 0.1);
/// Batch time in ns from which on the set-up must have been timed too. The set-up takes 2,000 µs, and the
/// body 20 µs.
const WITHOUT_SETUP_NS: u64 = 1_000_000;

pub const CASES: &[Behaviour] = &[
    Behaviour {
        name: "busy-is-told-truly",
        title: "A busy wait is timed to within 5 % and 3 µs per call, for one call and for ten",
        needs: &[],
        tries: 2,
        act: busy,
    },
    Behaviour {
        name: "setup-is-not-timed",
        title: "The set-up before a batch is outside the timed region",
        needs: &[],
        tries: 3,
        act: setup,
    },
    Behaviour {
        name: "overhead-is-empty",
        title: "An overhead turn does not run the body, in a loop or self-timed",
        needs: &["overhead"],
        tries: 3,
        act: overhead,
    },
    Behaviour {
        name: "clock-never-runs-back",
        title: "The times of a turn add up to no more than its duration",
        needs: &[],
        tries: 1,
        act: forward,
    },
];

fn busy(lab: &Lab<'_>) -> Checked {
    for us in [20, 200] {
        let (mut peer, _) = lab.open("conform/busy", &[("us", &us.to_string())])?;
        for iterations in [1, 10] {
            let truth = (us * 1000 * iterations) as f64;
            let may_be = (1.0 - TOLERANCE) * truth..=(1.0 + TOLERANCE) * truth + LATE_NS * iterations as f64;
            let mut told = Vec::new();
            while !told.last().is_some_and(|ns| may_be.contains(ns)) {
                if told.len() == TRIES {
                    let nearest =
                        told.into_iter().min_by_key(|ns| (ns - truth).abs() as u64).unwrap_or_default();
                    return Err(format!(
                        "{iterations} × {us} µs were reported as {:.1} µs at best",
                        nearest / 1000.0
                    ));
                }
                told.push(shortest(peer.measure(iterations, 15)?.times)? as f64);
            }
        }
        peer.close()?;
        peer.quit()?;
    }
    Ok(())
}

fn setup(lab: &Lab<'_>) -> Checked {
    let (mut peer, _) = lab.open("conform/setup", &[])?;
    let start = Instant::now();
    let typical = shortest(peer.measure(1, 15)?.times)?;
    let turn_ns = start.elapsed().as_nanos() as u64;
    peer.close()?;
    peer.quit()?;
    if typical >= WITHOUT_SETUP_NS {
        return Err(format!(
            "a batch of one call of 20 µs was reported as {} µs: it includes the set-up",
            typical / 1000
        ));
    }
    if turn_ns < 15 * 2 * WITHOUT_SETUP_NS {
        return Err(format!("15 set-ups of 2,000 µs took only {} µs: some did not run", turn_ns / 1000));
    }
    Ok(())
}

fn overhead(lab: &Lab<'_>) -> Checked {
    let us = 20;
    let own = lab.has_case("conform/self").then_some("conform/self");
    for benchmark in ["conform/busy"].into_iter().chain(own) {
        let (mut peer, _) = lab.open(benchmark, &[("us", &us.to_string())])?;
        let empty = Command::Overhead { iterations: EMPTY.0, batches: 5 };
        let turn = match peer.ask(&empty)? {
            Answer::Turn(turn) => turn,
            other => return Err(unexpected("overhead", &other)),
        };
        peer.close()?;
        peer.quit()?;
        if turn.ops.is_some_and(|ops| ops.iter().any(|ops| *ops != EMPTY.0 as f64)) {
            return Err(format!(
                "an empty body of {} operations reported a different number of operations",
                EMPTY.0
            ));
        }
        let (ns, full_ns) = (shortest(turn.times)?, us * 1000 * EMPTY.0);
        if ns as f64 > EMPTY.1 * full_ns as f64 {
            let (ns, full_ns) = (ns / 1000, full_ns / 1000);
            return Err(format!(
                "the overhead of {benchmark} took {ns} µs, too close to the time of its body ({full_ns} µs)"
            ));
        }
    }
    Ok(())
}

fn forward(lab: &Lab<'_>) -> Checked {
    let (mut peer, _) = lab.open("conform/empty", &[])?;
    for _ in 0..10 {
        let start = Instant::now();
        let turn = peer.measure(1, 1000)?;
        let wall_ns = start.elapsed().as_nanos() as u64;
        let times = turn.times.unwrap_or_default();
        let sum = times.iter().fold(0_u64, |sum, time| sum.saturating_add(*time));
        if times.len() != 1000 || sum > wall_ns {
            return Err(format!("{} times of a turn of {wall_ns} ns add up to {sum} ns", times.len()));
        }
    }
    peer.close()?;
    peer.quit()
}

/// Returns the shortest time, which is the least disturbed one.
fn shortest(times: Option<Vec<u64>>) -> Checked<u64> {
    times.unwrap_or_default().into_iter().min().ok_or_else(|| "the turn has no times".to_owned())
}
