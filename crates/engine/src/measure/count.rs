//! Finds out whether the number of iterations matters.
//!
//! A body that receives the number of iterations may fill a map, grow a list or drain a queue. Its time
//! per operation then depends on this number. The benchmark's own framework would use far more
//! iterations than a batch has. Derny therefore compares both numbers in one warm process. If the times
//! differ, it uses the framework's number.

use crate::measure::block::OpenBlock;
use crate::measure::calibration::Count;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use crate::measure::turn::{MOST_BATCHES, TurnSummary};
use derny_model::{Case, Event, LearnedFact};
use std::time::Instant;

/// First part of the key of the learned fact that the number does not matter. The second part identifies
/// the program.
const SAME_FOR_ANY: &str = "same-for-any-count";
/// Maximum number of comparisons. The first comparison is enough if it shows no difference.
const CALLS: usize = 6;
/// Relative difference up to which the times of an operation count as equal.
const TOLERANCE: f64 = 0.15;

impl OpenBlock<'_> {
    /// Finds out whether the number of iterations matters, unless an earlier run has shown it.
    pub(crate) fn prove_count(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
    ) -> Result<(), StepError> {
        let case = self.declared(cx);
        let (Some(count_ns), Some(n)) = (case.count_ns, state.calibration.iterations) else { return Ok(()) };
        if state.calibration.count != Count::Untried {
            return Ok(());
        }
        let call_ns = state.calibration.batch_ns / n as f64;
        let wanted = (count_ns as f64 / call_ns.max(0.01)) as u64;
        // A call with the framework's number also includes untimed work, so it may take far longer than
        // the framework intends.
        let most_ns = self.most_batch_ns(cx, state).max(count_ns as f64);
        let most = state.calibration.untimed.iterations_within(most_ns, call_ns);
        let full = wanted.min(most);
        if full < 2 * n || self.is_known(cx, case) {
            state.calibration.count = Count::Free;
            return Ok(());
        }
        let start = Instant::now();
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); self.processes.len()];
        let mut full_ns = count_ns as f64;
        for _ in 0..CALLS {
            let many = self.probe_all(cx, full, 1)?;
            full_ns = many[0].cost_ns;
            let batches =
                (full_ns / state.calibration.batch_ns.max(1.0)).ceil().clamp(1.0, MOST_BATCHES) as u32;
            let few = self.probe_all_within(cx, n, batches, full_ns as u64)?;
            for (ratios, (many, few)) in ratios.iter_mut().zip(many.iter().zip(&few)) {
                ratios.push(ratio(many, few));
            }
            if !ratios.iter().any(|ratios| differ(ratios)) {
                state.calibration.count = Count::Free;
                self.spend(start);
                if full == wanted {
                    self.learn(cx, case);
                }
                return Ok(());
            }
        }
        self.spend(start);
        state.calibration.count = Count::Needed;
        (state.calibration.iterations, state.calibration.batch_ns) = (Some(full), full_ns);
        Ok(())
    }

    /// Returns true if earlier runs have shown for every program that the number does not matter.
    fn is_known(&self, cx: &Context<'_>, case: &Case) -> bool {
        let (name, hash) = (case.id.name(), &cx.catalogue.source(self.open.case).hash);
        let of = |program: &str| {
            let key = key(program);
            cx.learned.iter().any(|fact| fact.file_hash == *hash && fact.case == name && fact.key == key)
        };
        self.processes.iter().all(|process| of(&process.program))
    }

    fn learn(&self, cx: &mut Context<'_>, case: &Case) {
        let mut programs: Vec<&String> = self.processes.iter().map(|process| &process.program).collect();
        programs.sort();
        programs.dedup();
        for program in programs {
            let file_hash = cx.catalogue.source(self.open.case).hash.clone();
            let (case, value) = (case.id.name(), "yes".to_string());
            cx.emit(Event::Learned(LearnedFact { file_hash, case, key: key(program), value }));
        }
    }
}

fn key(program: &str) -> String {
    format!("{SAME_FOR_ANY} {program}")
}

/// Returns the mean time of an operation with the framework's number, relative to that with Derny's.
/// Both turns take equally long, so that collections and interruptions affect both equally. A short call
/// has relatively more set-up, so CPU time, if reported, must agree with wall time.
fn ratio(many: &TurnSummary, few: &TurnSummary) -> f64 {
    let each = |ns: f64, turn: &TurnSummary| ns / turn.operations.max(1.0);
    let wall = each(many.timed_ns, many) / each(few.timed_ns, few);
    let cpu = many.cpu_ns.zip(few.cpu_ns).map(|(many_ns, few_ns)| each(many_ns, many) / each(few_ns, few));
    match cpu.filter(|cpu| cpu.is_finite()) {
        Some(cpu) if (cpu > 1.0) != (wall > 1.0) => 1.0,
        Some(cpu) if (cpu - 1.0).abs() < (wall - 1.0).abs() => cpu,
        _ => wall,
    }
}

/// Returns true if all ratios show a difference in the same direction.
fn differ(ratios: &[f64]) -> bool {
    let all = |shows: &dyn Fn(f64) -> bool| ratios.iter().all(|ratio| shows(*ratio));
    all(&|ratio| ratio > 1.0 + TOLERANCE) || all(&|ratio| ratio < 1.0 - TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(each_ns: f64, cpu_ns: Option<f64>) -> TurnSummary {
        TurnSummary { timed_ns: 10.0 * each_ns, cpu_ns, operations: 10.0, ..TurnSummary::default() }
    }

    #[test]
    fn a_difference_is_seen_in_every_call() {
        assert!(differ(&[2.0, 1.5, 2.1]) && differ(&[0.5]));
        assert!(!differ(&[2.0, 1.05, 2.1]), "one call shows none");
        assert!(!differ(&[2.0, 0.5]), "they contradict each other");
        assert!(!differ(&[f64::NAN]), "nothing was shown");
    }

    #[test]
    fn what_another_program_takes_is_no_difference() {
        assert_eq!(ratio(&turn(40.0, Some(400.0)), &turn(20.0, Some(200.0))), 2.0);
        assert_eq!(ratio(&turn(40.0, Some(210.0)), &turn(20.0, Some(200.0))), 1.05, "it has waited");
        assert_eq!(ratio(&turn(20.0, Some(200.0)), &turn(20.0, Some(800.0))), 1.0, "set-up beside it");
        assert_eq!(ratio(&turn(40.0, None), &turn(20.0, None)), 2.0);
        let few = TurnSummary { worth: Some(30.0), ..turn(40.0, None) };
        assert_eq!(ratio(&turn(40.0, None), &few), 1.0, "its median is without the collections");
    }
}
