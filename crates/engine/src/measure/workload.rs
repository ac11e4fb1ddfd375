//! Ensures that the measured workload is the configured one.
//!
//! The time of a self-timed body may follow a parameter (`scale`), and a lower value makes shorter
//! batches. However, the size of its data may depend on the parameter too. A lower value is therefore
//! used only after a test in one warm process: an operation must take as long at both values. Later
//! runs reuse that result.

use crate::measure::block::OpenBlock;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use derny_model::{Case, Event, LearnedFact, Phase};
use derny_stats::location;
use std::time::Instant;

/// First part of the key of a learned fact whose value is the lower value of the parameter. The second
/// part identifies the program.
const SAME_PER_OPERATION: &str = "same-per-operation";
/// Number of calls at the configured value. A turn at the lower value follows each of them.
const CALLS: usize = 3;
/// Relative difference up to which the times of an operation at both values count as equal.
const TOLERANCE: f64 = 0.05;

impl OpenBlock<'_> {
    /// Returns the lowest value that every process of the block is known to allow. An operation takes
    /// as long at that value as at the configured value.
    pub(crate) fn known_workload(&self, cx: &Context<'_>, case: &Case) -> Option<u64> {
        let (name, hash) = (case.id.name(), &cx.catalogue.source(self.open.case).hash);
        let of = |program: &str| {
            let key = key(program);
            let mut facts = cx
                .learned
                .iter()
                .filter(|fact| fact.file_hash == *hash && fact.case == name && fact.key == key);
            facts.find_map(|fact| fact.value.parse::<u64>().ok())
        };
        let known: Option<Vec<u64>> = self.processes.iter().map(|process| of(&process.program)).collect();
        known?.into_iter().max()
    }

    /// Finds out, in warm processes, whether an operation takes as long at the lower value as at the
    /// configured value. If it does in all processes, emits a learned fact. Otherwise, every batch is
    /// one call with the configured value from now on.
    pub(crate) fn prove_workload(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
    ) -> Result<(), StepError> {
        let start = Instant::now();
        let n = state.calibration.iterations.unwrap_or(1);
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); self.processes.len()];
        let batches = self.request(cx, state, Phase::Calibration).batches;
        let mut call_ns = f64::INFINITY;
        for _ in 0..CALLS {
            let whole = self.probe_all(cx, 1, 1)?;
            let lowered = self.probe_all(cx, n, batches)?;
            call_ns = call_ns.min(whole[0].cost_ns);
            for (ratios, (whole, lowered)) in ratios.iter_mut().zip(whole.iter().zip(&lowered)) {
                ratios.push(whole.worth.unwrap_or(f64::NAN) / lowered.worth.unwrap_or(f64::NAN));
            }
        }
        self.spend(start);
        if !ratios.iter().all(|ratios| is_same(ratios)) {
            state.calibration.keep_configured(call_ns);
            return Ok(());
        }
        state.calibration.same_from = Some(n);
        let case = self.declared(cx);
        let mut programs: Vec<String> =
            self.processes.iter().map(|process| process.program.clone()).collect();
        programs.sort();
        programs.dedup();
        for program in programs {
            let file_hash = cx.catalogue.source(self.open.case).hash.clone();
            let fact =
                LearnedFact { file_hash, case: case.id.name(), key: key(&program), value: n.to_string() };
            cx.emit(Event::Learned(fact));
        }
        Ok(())
    }
}

fn key(program: &str) -> String {
    format!("{SAME_PER_OPERATION} {program}")
}

/// Returns true if all ratios are finite, and their median is within [`TOLERANCE`] of 1.
fn is_same(ratios: &[f64]) -> bool {
    let logs: Vec<f64> = ratios.iter().map(|ratio| libm::log(*ratio)).collect();
    logs.iter().all(|log| log.is_finite()) && location::median(&logs).abs() < TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_the_same_within_a_twentieth() {
        assert!(is_same(&[1.0, 1.04, 0.97]));
        assert!(is_same(&[1.0, 1.4, 0.97]), "one call in three was disturbed");
        assert!(!is_same(&[2.4, 2.5, 2.6]));
        assert!(!is_same(&[0.9, 0.91, 1.0]));
        assert!(!is_same(&[1.0, f64::NAN, 1.0]));
    }
}
