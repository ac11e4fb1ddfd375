//! The witness: tests whether a variant cheats, using turns recorded with the setting `witness`. Honest
//! harnesses differ in their untimed work, so each test compares a variant with the base.
//!
//! 1. `clock` compares the claimed times with the engine's clock and the thread's CPU time.
//! 2. `count` compares the time per operation for different numbers of iterations.
//! 3. `calls` compares single calls with each other.
//!
//! The thresholds are wide: a test catches a program that hides about a third of its time or more.

mod calls;
mod clock;
mod count;
mod side;

use crate::scope::Scope;
use calls::Calls;
use clock::Clock;
use count::Count;
use derny_model::{Case, Timing, Untested, VariantResult, VisitRecord, WitnessTest};
use side::{Side, Tested};
use std::collections::BTreeMap;

/// Adds failed and impossible tests to the results of a case. `visits` and `results` are in the order of the
/// variants.
pub(crate) fn test<'a>(
    scope: &Scope,
    case: &'a Case,
    visits: &BTreeMap<u32, BTreeMap<u32, Vec<&'a VisitRecord>>>,
    results: &mut [VariantResult],
) {
    let sides: Vec<Side> = visits.values().map(|visits| Side::new(scope, case, visits)).collect();
    let is_base_there = visits.contains_key(&0);
    for (at, (side, result)) in sides.iter().zip(results).enumerate() {
        if side.visits.iter().all(|visit| visit.measured().next().is_none()) {
            continue;
        }
        let base = (at > 0 && is_base_there).then(|| &sides[0]);
        note(result, WitnessTest::Clock, clock(base, side));
        let Some(base) = base else { continue };
        note(result, WitnessTest::Count, count(base, side));
        note(result, WitnessTest::Calls, calls(base, side));
    }
}

fn note(result: &mut VariantResult, test: WitnessTest, tested: Tested) {
    match tested {
        Ok(suspicion) => result.suspicions.extend(suspicion),
        Err(because) => result.untested.push(Untested { test, because }),
    }
}

fn clock(base: Option<&Side>, side: &Side) -> Tested {
    let clock = Clock { base, side };
    match clock.claims_more() {
        Some(found) => Ok(Some(found)),
        None => base.map_or(Ok(None), |base| clock.claims_less(base)),
    }
}

fn count(base: &Side, side: &Side) -> Tested {
    one_loop(side)?;
    Count { base, side }.test()
}

fn calls(base: &Side, side: &Side) -> Tested {
    one_loop(side)?;
    Calls { base, side }.test()
}

/// Fails unless the harness calls the body in a loop whose length the engine chooses.
fn one_loop(side: &Side) -> Result<(), String> {
    if side.case.timing == Timing::SelfTimed {
        return Err("the body times itself".to_owned());
    }
    if side.case.fresh {
        return Err("the case is set up again for every call".to_owned());
    }
    Ok(())
}
