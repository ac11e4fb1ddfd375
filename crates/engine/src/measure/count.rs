//! Counts that mean something. A body that is told how many iterations to make may take as long for an operation whatever that
//! number is, or it may not: a map is filled, a list grows, a queue is emptied. Its framework would make far more of them than a
//! batch of ours has. So both are compared, warm, in one process; where they differ, the framework's number is used.

use crate::measure::block::Block;
use crate::measure::calibration::Count;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use crate::measure::harness_process::StepError;
use derny_model::{Case, Event, LearnedFact, Phase};
use derny_stats::location;
use std::time::Instant;

/// Key of the learned fact that the number does not matter, followed by the program that has shown it.
const SAME_FOR_ANY: &str = "same-for-any-count";
/// Calls with the framework's number, each with a turn of ours after it. The first is enough where it shows no difference.
const CALLS: usize = 3;
/// An operation takes as long with both numbers if its times differ by less than this share.
const TOLERANCE: f64 = 0.1;

impl Block {
    /// Finds out whether the number of iterations matters, if nobody knows.
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
        let full = (count_ns as f64 / call_ns.max(0.01)) as u64;
        if full < 2 * n || self.is_known(cx, case) {
            state.calibration.count = Count::Free;
            return Ok(());
        }
        let start = Instant::now();
        let batches = self.request(cx, state, Phase::Calibration).batches;
        let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); self.processes.len()];
        let mut full_ns = count_ns as f64;
        for _ in 0..CALLS {
            let many = self.probe_all(cx, full, 1)?;
            let few = self.probe_all(cx, n, batches)?;
            full_ns = many[0].cost_ns;
            for (ratios, (many, few)) in ratios.iter_mut().zip(many.iter().zip(&few)) {
                ratios.push(many.worth.unwrap_or(f64::NAN) / few.worth.unwrap_or(f64::NAN));
            }
            if ratios.iter().all(|ratios| differ_by(ratios).abs() < TOLERANCE) {
                state.calibration.count = Count::Free;
                self.spend(start);
                self.learn(cx, case);
                return Ok(());
            }
        }
        self.spend(start);
        state.calibration.count = Count::Needed;
        (state.calibration.iterations, state.calibration.batch_ns) = (Some(full), full_ns);
        let ratio = ratios.first().map_or(f64::NAN, |ratios| libm::exp(differ_by(ratios)));
        let text = format!(
            "{}: an operation takes {ratio:.2} times as long in a call of {full} iterations as in one of {n}; it is measured with {full}, as its framework would",
            case.id
        );
        cx.emit(Event::Log { case: self.case, message: text });
        Ok(())
    }

    /// Whether earlier runs have seen of every program that the number does not matter.
    fn is_known(&self, cx: &Context<'_>, case: &Case) -> bool {
        let (name, hash) = (case.id.name(), &cx.catalogue.source(self.case.unwrap_or(0)).hash);
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
            let file_hash = cx.catalogue.source(self.case.unwrap_or(0)).hash.clone();
            let (case, value) = (case.id.name(), "yes".to_string());
            cx.emit(Event::Learned(LearnedFact { file_hash, case, key: key(program), value }));
        }
    }
}

fn key(program: &str) -> String {
    format!("{SAME_FOR_ANY} {program}")
}

/// The logarithm of the median ratio.
fn differ_by(ratios: &[f64]) -> f64 {
    let logs: Vec<f64> = ratios.iter().map(|ratio| libm::log(*ratio)).filter(|log| log.is_finite()).collect();
    if logs.is_empty() { 0.0 } else { location::median(&logs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_differ_by_the_logarithm_of_their_median_ratio() {
        assert!(differ_by(&[1.0, 1.05, 0.99]).abs() < TOLERANCE);
        assert!(differ_by(&[2.0, 1.0, 2.1]) > TOLERANCE);
        assert_eq!(differ_by(&[f64::NAN]), 0.0, "nothing was shown");
    }
}
