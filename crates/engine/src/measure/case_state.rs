//! What the engine remembers of a case while a run is under way, and whether it goes on.

use crate::measure::calibration::Calibration;
use crate::measure::calls::Calls;
use crate::measure::samples::Samples;
use crate::plan::launch_order::LaunchOrders;
use derny_estimate::stopping::Stopping;
use derny_model::{Case, LEAST_REPLICATES, Settings, StopReason};

/// One case under way.
#[derive(Debug, Clone)]
pub struct CaseState {
    /// How long its batches are.
    pub calibration: Calibration,
    /// What it has cost.
    pub account: Account,
    /// What its complete blocks have shown.
    pub samples: Samples,
    /// Rounds per process for the coming stage.
    pub rounds: u32,
    /// Why it is finished.
    pub ended: Option<StopReason>,
}

/// What a case has cost, and how often.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// Wall time spent on it: launches, warm-up and turns, in ns.
    pub spent_ns: u64,
    /// Of that, launches.
    pub launches_ns: u64,
    /// Time to launch one block, in ns, as last seen.
    pub launch_ns: u64,
    /// Blocks launched.
    pub launched: u32,
    /// Blocks begun.
    pub begun: u32,
    /// In which orders its blocks were launched.
    pub orders: LaunchOrders,
    /// Blocks that have measured the empty body.
    pub floors: u32,
    /// The budget did not allow all blocks of a stage: there is no other.
    pub cut: bool,
}

impl CaseState {
    /// Nothing is known yet.
    pub fn new(case: &Case, variants: usize, rounds: u32, calls: Calls) -> CaseState {
        CaseState {
            calibration: Calibration::new(case, calls),
            account: Account::default(),
            samples: Samples::new(variants),
            rounds,
            ended: None,
        }
    }

    /// After a stage: how many more blocks to measure, or why to stop.
    pub fn decide(&self, looks: &[u32], stopping: &Stopping, settings: &Settings) -> Result<u32, StopReason> {
        // Who asks for so many layouts has a verdict on no fewer.
        let least = settings.builds.max(LEAST_REPLICATES);
        if !self.samples.pairs.is_empty() && !settings.precise {
            if self.samples.complete >= least && self.samples.is_decided(stopping) {
                return Err(StopReason::Verdict);
            }
        } else {
            let wide = self.samples.half_width(stopping);
            if wide.is_some_and(|half| half <= settings.precision) && self.samples.complete >= least {
                return Err(StopReason::Precise);
            }
        }
        let Some(&next) = looks.iter().find(|&&look| look > self.samples.complete) else {
            return Err(StopReason::Maximum);
        };
        if self.samples.complete == 0 || self.account.cut {
            return Err(StopReason::Budget);
        }
        let more = next - self.samples.complete;
        let each = self.account.spent_ns / u64::from(self.samples.complete);
        if self.account.spent_ns + each * u64::from(more) > settings.budget_ns {
            return Err(StopReason::Budget);
        }
        Ok(more)
    }

    /// The rounds per process that cost least for a given precision (Kalibera and Jones 2013), from what was seen; at
    /// most half as many again as in the stage before. The spread of few blocks says little yet, and precise blocks among
    /// imprecise ones do little for an interval by ranks, but put off the next look.
    pub fn choose_rounds(&mut self, turn_ns: u64, settings: &Settings) {
        if !settings.chooses_rounds() || self.samples.complete < 4 {
            return;
        }
        let variants = self.samples.replicates.len() as u64;
        let round_ns = (turn_ns * variants).max(1) as f64;
        let rounds: usize = self.samples.within.iter().map(Vec::len).sum();
        let fixed = ((self.account.spent_ns as f64 - round_ns * rounds as f64)
            / f64::from(self.samples.complete))
        .max(0.0);
        let components = derny_stats::plan::variance_components(&self.samples.within);
        let cheapest = derny_stats::plan::rounds_per_process(fixed, round_ns, components) as u32;
        self.rounds = cheapest.min(self.rounds + self.rounds.div_ceil(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_estimate::pair::Replicate;
    use derny_model::{CaseId, Phase, Turn};

    fn state(variants: usize) -> CaseState {
        let case = Case::new(CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() });
        CaseState::new(&case, variants, 12, Calls::Repeated)
    }

    fn stopping(settings: &Settings) -> Stopping {
        Stopping::new(settings)
    }

    /// A process of a block and a build whose rounds have these logarithms.
    fn replicate(block: u32, build: u32, logs: &[f64]) -> Replicate {
        let mut replicate = Replicate { block, build, ..Replicate::default() };
        for (round, log) in (0..).zip(logs) {
            let turn = Turn {
                visit: 0,
                phase: Phase::Measured,
                round,
                iterations: 1,
                times_ns: vec![100],
                ops: None,
                counters: Vec::new(),
                cpu: None,
                at_ns: 0,
                wall_ns: 100,
                hash: None,
                thread: None,
                reported: Vec::new(),
            };
            replicate.rounds.add(0, &turn, Some(log.exp()));
            replicate.cost.add(&turn, &[], 1.0);
        }
        replicate
    }

    #[test]
    fn the_interval_of_one_variant_is_over_processes() {
        let mut state = state(1);
        for k in 0..8 {
            state.samples.complete_block(vec![replicate(k, 0, &[5.0 + 0.001 * f64::from(k); 12])]);
        }
        let half = state.samples.half_width(&stopping(&Settings::default())).unwrap();
        assert!((0.002..0.004).contains(&half), "{half}");
        assert!((state.samples.typical_ns().unwrap() / 5.0035_f64.exp() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_both_variants_share_cancels() {
        let mut state = state(2);
        for k in 0..8 {
            // Drift of 10 % a block, shared; a true difference of 2 %.
            let base: Vec<f64> = (0..12).map(|r| 5.0 + 0.1 * f64::from(k) + 0.01 * f64::from(r)).collect();
            let other: Vec<f64> = base.iter().map(|x| x + 0.02).collect();
            state.samples.complete_block(vec![replicate(k, 0, &base), replicate(k, 0, &other)]);
        }
        assert!(state.samples.half_width(&stopping(&Settings::default())).unwrap() < 1e-9);
        assert!(
            state.samples.pairs[0].iter().all(|pair| (pair.log - 0.02).abs() < 1e-9),
            "{:?}",
            state.samples.pairs
        );
    }

    /// After eight pairs whose log-ratios lie around `change`.
    fn after_eight(change: f64, settings: &Settings) -> Result<u32, StopReason> {
        let mut state = state(2);
        for k in 0..8 {
            let other = 5.0 + change + 0.0005 * f64::from(k as i32 - 4);
            state.samples.complete_block(vec![replicate(k, 0, &[5.0; 12]), replicate(k, 0, &[other; 12])]);
        }
        state.decide(&[8, 11, 15, 21, 29, 40], &stopping(settings), settings)
    }

    #[test]
    fn a_comparison_ends_with_its_verdict() {
        let settings = Settings { margin: 0.01, ..Settings::default() };
        for change in [0.0, 0.05, -0.05, 0.006] {
            assert_eq!(after_eight(change, &settings), Err(StopReason::Verdict), "{change}");
        }
        let precise = Settings { precise: true, precision: 1e-4, ..settings.clone() };
        assert_eq!(after_eight(0.05, &precise), Ok(3));
        // Neither within the margin nor beyond nothing.
        let narrow = Settings { margin: 0.001, ..settings };
        assert_eq!(after_eight(0.0, &narrow), Ok(3));
    }

    /// None is judged before every build was measured.
    #[test]
    fn builds_are_what_is_repeated() {
        let mut state = state(2);
        for k in 0..8 {
            let other = 5.0 + if k % 4 == 0 { 0.0501 } else { 0.05 };
            state
                .samples
                .complete_block(vec![replicate(k, k % 4, &[5.0; 12]), replicate(k, k % 4, &[other; 12])]);
        }
        let decide = |builds| {
            let settings = Settings { builds, margin: 0.01, ..Settings::default() };
            state.decide(&[8, 11, 15], &stopping(&settings), &settings)
        };
        assert_eq!(
            (decide(4), decide(8), decide(9)),
            (Err(StopReason::Verdict), Err(StopReason::Verdict), Ok(3))
        );
    }

    #[test]
    fn a_body_without_times_has_no_mean_time() {
        let mut timed = state(2);
        timed.samples.complete_block(vec![replicate(0, 0, &[1.0]), replicate(0, 0, &[2.0])]);
        assert_eq!(timed.samples.evidence(1).mean.map(|pairs| pairs.len()), Some(1));
        let mut untimed = state(2);
        untimed.samples.complete_block(vec![Replicate::default(), Replicate::default()]);
        assert!(untimed.samples.evidence(1).mean.is_none() && untimed.samples.evidence(1).typical.is_empty());
        assert_eq!(
            (untimed.samples.complete, untimed.samples.half_width(&stopping(&Settings::default()))),
            (1, None)
        );
    }
}
