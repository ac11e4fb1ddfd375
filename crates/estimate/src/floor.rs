//! The floor of a body: the cost of an empty body in the same loop, or between the same start and stop. The
//! floor is never subtracted. The costs of loop and body overlap, so the difference would be wrong and could
//! be negative.

use crate::turn;
use derny_model::{Case, Floor, Observation, Phase, Timing, Turn};
use derny_stats::{median, scale};

/// Assumed clock cycle in ns if the machine's was not measured (2 GHz).
const CYCLE_NS: f64 = 0.5;
/// Operations in a step of the reference kernel. They form a dependent chain, and each takes as long as an
/// addition.
const SPIN_CYCLES: f64 = 6.0;
/// Multiple of the floor above which the floor's spread no longer matters.
const FAR: f64 = 20.0;

/// Clock cycle of a machine, measured as the duration of a dependent addition.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cycle {
    yardstick: Option<f64>,
    spin: Option<f64>,
}

impl Cycle {
    /// Returns the cycle from observations in chronological order.
    pub fn of(observations: &[Observation]) -> Cycle {
        let mut cycle = Cycle::default();
        observations.iter().for_each(|seen| cycle.see(seen));
        cycle
    }

    /// Adds an observation. Only the first reading of the integer yardstick counts, so that earlier decisions
    /// stay valid.
    pub fn see(&mut self, seen: &Observation) {
        let mut integer = seen.yardsticks.iter().filter(|one| one.name == "integer");
        self.yardstick = self.yardstick.or(integer.next().map(|one| one.time_ns));
        let spins = seen.spin_ns.iter().map(|spin| spin.1 / SPIN_CYCLES);
        self.spin = spins.chain(self.spin).reduce(f64::min);
    }

    /// Returns the clock cycle in ns. Without a yardstick reading, uses the fastest processor in the
    /// reference kernel. Returns `None` if neither was run.
    pub fn ns(self) -> Option<f64> {
        self.yardstick.or(self.spin)
    }
}

/// Returns the clock cycle of the machine in ns, or `None` if it was not measured.
pub fn cycle_ns(observations: &[Observation]) -> Option<f64> {
    Cycle::of(observations).ns()
}

/// Returns the cost of the empty body in ns per operation, or `None` for a turn of another phase. Use the
/// last turn, because the first turns of a visit compile the empty loop.
pub fn of_turn(turn: &Turn, case: &Case, clock_step_ns: u64) -> Option<f64> {
    if turn.phase == Phase::Overhead { turn::value(turn, case.ops, clock_step_ns) } else { None }
}

/// Returns the floor of a case, and whether its typical times exceed it clearly. `floors` contains the times
/// of the empty body in ns per operation. Returns `None` without floors, unless the case counts calls and the
/// clock cycle is known.
///
/// A body that times itself and counts calls has its own loop, so its floor is at least a cycle per call.
/// A time is at the floor if it exceeds the floor by less than a cycle, or by less than the spread of the
/// floors. The spread of the times is ignored, because a slow and noisy body is not empty.
pub fn floor(typical: &[f64], floors: &[f64], case: &Case, cycle_ns: Option<f64>) -> Option<Floor> {
    let empty = if floors.is_empty() { None } else { Some(median(floors)) };
    let call = cycle_ns.filter(|_| counts_calls(case));
    let least = empty.into_iter().chain(call).reduce(f64::max)?;
    let spread = if floors.is_empty() { 0.0 } else { 2.0 * scale::MAD_TO_SIGMA * scale::mad(floors) };
    // Allow a cycle per iteration. An iteration may contain several operations.
    let error = spread.max(cycle_ns.unwrap_or(CYCLE_NS) / case.ops);
    let indistinguishable = !typical.is_empty() && median(typical) - least < error;
    Some(Floor { time_ns: least * case.ops, indistinguishable })
}

/// Returns true if a case with these typical times is indistinguishable from an empty body.
pub fn at_floor(typical: &[f64], floors: &[f64], case: &Case, cycle_ns: Option<f64>) -> bool {
    floor(typical, floors, case, cycle_ns).is_some_and(|floor| floor.indistinguishable)
}

/// Returns true if the body is so far above the floor that the empty body needs no further measurement. Both
/// values are in ns per operation.
pub fn is_far(typical: f64, floor: f64) -> bool {
    typical > FAR * floor
}

/// Returns true if the operations of a self-timed body are calls. Operations with a name of their own, or
/// parts of a call, may take less than a cycle.
fn counts_calls(case: &Case) -> bool {
    let parts = case.ops != 1.0 || case.bytes.is_some() || case.items.is_some() || case.unit.is_some();
    case.timing == Timing::SelfTimed && !parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{CaseId, Yardstick};

    fn case(timing: Timing) -> Case {
        let id = CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() };
        Case { timing, ..Case::new(id) }
    }

    #[test]
    fn a_cycle_is_a_sixth_of_a_step_of_the_fastest_processor() {
        let seen = |spins: &[f64]| Observation {
            spin_ns: (0..).zip(spins.iter().copied()).collect(),
            ..Observation::default()
        };
        assert_eq!(cycle_ns(&[seen(&[3.0, 1.8]), seen(&[2.4])]), Some(1.8 / 6.0));
        assert_eq!(cycle_ns(&[seen(&[])]), None);
        // The first reading of the yardstick takes precedence.
        let reading = |name: &str, time_ns: f64| Observation {
            yardsticks: vec![Yardstick { name: name.into(), time_ns, error_ns: 0.0 }],
            ..Observation::default()
        };
        let all = [seen(&[1.8]), reading("memory", 80.0), reading("integer", 0.25), reading("integer", 0.2)];
        assert_eq!(cycle_ns(&all), Some(0.25));
    }

    #[test]
    fn a_loop_has_the_floor_of_its_empty_body() {
        let looped = case(Timing::Loop);
        let floors = [1.0, 1.1, 1.05];
        let of = |typical: f64| at_floor(&[typical; 8], &floors, &looped, Some(0.3));
        assert!(of(0.9) && of(1.3) && !of(1.4));
        assert_eq!(floor(&[9.0], &[], &looped, Some(0.3)), None, "a loop without an empty body has none");
        // Eight operations per iteration share the floor and the cycle.
        let eight = Case { ops: 8.0, ..looped.clone() };
        let found = floor(&[0.2], &[0.125], &eight, Some(0.3)).unwrap();
        assert_eq!(found, Floor { time_ns: 1.0, indistinguishable: false });
        assert!(at_floor(&[0.16], &[0.125], &eight, Some(0.3)));
        // A wide spread of the floors makes the limit wider. A spread of the times does not.
        assert!(at_floor(&[2.5; 8], &[1.0, 1.6, 2.2], &looped, Some(0.3)));
        assert!(!at_floor(&[10.0, 100.0, 190.0], &floors, &looped, Some(0.3)));
    }

    #[test]
    fn each_call_of_a_body_that_times_itself_takes_a_cycle() {
        let own = case(Timing::SelfTimed);
        let nothing = [60.0 / 1e6; 3];
        assert!(at_floor(&[0.35; 4], &nothing, &own, Some(0.3)));
        assert!(at_floor(&[0.35; 4], &[], &own, Some(0.3)), "without an empty body too");
        assert!(!at_floor(&[0.9; 4], &nothing, &own, Some(0.3)));
        let found = floor(&[0.35], &nothing, &own, Some(0.3)).unwrap();
        assert_eq!(found.time_ns, 0.3);
        // Starting and stopping the clock dominates a body of few operations.
        assert!(at_floor(&[60.2; 4], &[60.0; 3], &own, Some(0.3)));
        // A byte, an item or an operation with another name may take less than a cycle.
        for parts in [
            Case { bytes: Some(4096.0), ..own.clone() },
            Case { items: Some(10.0), ..own.clone() },
            Case { ops: 4.0, ..own.clone() },
            Case { unit: Some("byte".into()), ..own.clone() },
        ] {
            assert!(!at_floor(&[0.35; 4], &[], &parts, Some(0.3)));
        }
    }
}
