//! The state of a case during a run. Decides whether the case continues.

use crate::measure::calibration::Calibration;
use crate::measure::calls::Calls;
use crate::measure::samples::Samples;
use crate::plan::launch_order::LaunchOrders;
use derny_estimate::change::{Single, Terms};
use derny_estimate::judge::Side;
use derny_estimate::level::{ENOUGH, Levels};
use derny_estimate::precision;
use derny_model::{Case, LookReason, Quantity, Settings, StopReason};

/// The state of a case that is being measured.
#[derive(Debug, Clone)]
pub struct CaseState {
    pub calibration: Calibration,
    /// Cost of the case so far.
    pub account: Account,
    pub samples: Samples,
    /// Rounds per process in the next stage.
    pub rounds: u32,
    /// Fixed number of blocks, independent of the results. `None` if the case may stop earlier.
    pub fixed: Option<u32>,
    pub sharing: Sharing,
    /// Reason why the case has ended. `None` while it continues.
    pub ended: Option<StopReason>,
    /// True if the last look showed that mean time is needed.
    pub calls_for_mean: bool,
    /// Inputs and results of the last judgement.
    shown: Option<(Basis, Vec<Side>)>,
}

/// The rule by which a case shares processes with other cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sharing {
    /// The case shares processes as planned.
    #[default]
    Planned,
    /// The case shares processes while its results equal those of processes that open it first.
    Checked,
    /// The case does not share processes. In a process that had opened other cases before, it failed or
    /// gave different results.
    Alone,
}

/// The inputs of a judgement. All cases are judged after every stage. If the inputs of a case have not
/// changed, its last judgement is reused.
#[derive(Debug, Clone, PartialEq)]
struct Basis {
    complete: u32,
    looks: Vec<(usize, LookReason)>,
    ended: Option<StopReason>,
    comparisons: usize,
    cycle_ns: Option<f64>,
}

/// The cost of a case so far, and related counts.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// Wall time spent on launches, warm-up and turns, in ns.
    pub spent_ns: u64,
    /// Part of `spent_ns` that launches took, in ns.
    pub launches_ns: u64,
    /// Time that the last launch of a block took, in ns.
    pub launch_ns: u64,
    /// Number of launched blocks.
    pub launched: u32,
    /// Number of blocks in which the case was begun.
    pub begun: u32,
    /// Time that the last opening in a block took, in ns.
    pub open_ns: u64,
    /// Number of complete visits of blocks.
    pub visits: u32,
    /// Time of these visits in ns, including settling.
    pub visits_ns: u64,
    /// Launch orders of the case's blocks.
    pub orders: LaunchOrders,
    /// Number of blocks that have measured the empty body.
    pub floors: u32,
    /// True if the body takes far longer than the empty body.
    pub is_far_from_floor: bool,
    /// Number of blocks that were also measured in other modes.
    pub other_modes: u32,
    /// True if the budget did not allow all blocks of a stage. The case then ends after that stage.
    pub cut: bool,
}

impl Account {
    /// Returns the average cost of a complete block, in ns. Returns `None` if no block has been
    /// completed since the run was started or resumed.
    pub fn each(&self) -> Option<u64> {
        self.spent_ns.checked_div(self.visits.into())
    }
}

impl CaseState {
    pub fn new(case: &Case, variants: usize, rounds: u32, calls: Calls) -> CaseState {
        CaseState {
            calibration: Calibration::new(case, calls),
            account: Account::default(),
            samples: Samples::new(variants),
            rounds,
            fixed: None,
            sharing: Sharing::default(),
            ended: None,
            calls_for_mean: false,
            shown: None,
        }
    }

    /// Returns true if the case must not share processes.
    pub fn is_alone(&self) -> bool {
        self.sharing == Sharing::Alone
    }

    /// Judges each variant except the first at the looks taken so far. Returns the results.
    pub fn judge(&mut self, case: &Case, terms: &Terms) -> &[Side] {
        let looks = self.samples.looks.iter().map(|look| (look.blocks.len(), look.reason)).collect();
        let (comparisons, cycle_ns) = (terms.comparisons, terms.cycle_ns);
        let complete = self.samples.complete;
        let basis = Basis { complete, looks, ended: self.ended, comparisons, cycle_ns };
        let known = self.shown.take().filter(|(known, _)| *known == basis);
        let (_, sides) =
            self.shown.insert(known.unwrap_or_else(|| (basis, self.samples.sides(case, terms, self.ended))));
        let called = |single: &Single| single.change.quantity == Quantity::Mean && !single.change.only_shown;
        self.calls_for_mean = sides.iter().flat_map(|side| &side.singles).any(called);
        sides
    }

    pub fn shown(&self) -> &[Side] {
        self.shown.as_ref().map_or(&[], |(_, sides)| sides)
    }

    /// Returns the number of blocks in the first stage: `processes`, or the case's fixed number if that is
    /// less.
    pub fn planned(&self, processes: u32) -> u32 {
        self.fixed.map_or(processes, |fixed| fixed.min(processes))
    }

    /// Returns, after a stage, the number of further blocks until the next look, or the reason to stop.
    /// Depends only on the cost of measurements, never on their results.
    pub fn next(&self, looks: &[u32], settings: &Settings) -> Result<u32, StopReason> {
        let fixed = self.fixed.map(|blocks| [blocks]);
        let looks = fixed.as_ref().map_or(looks, |blocks| &blocks[..]);
        let Some(&next) = looks.iter().find(|&&look| look > self.samples.complete) else {
            return Err(StopReason::Maximum);
        };
        if self.samples.complete == 0 || self.account.cut {
            return Err(StopReason::Budget);
        }
        if self.affords(next, settings) { Ok(next - self.samples.complete) } else { Err(StopReason::Budget) }
    }

    /// Returns true if a comparison has too few complete blocks for its first planned look. An earlier
    /// look could decide nothing among several comparisons, but would spend error.
    pub fn is_before_first_look(&self, looks: &[u32]) -> bool {
        let has_sides = self.samples.variants() > 1 && self.fixed.is_none();
        has_sides && looks.first().is_some_and(|first| self.samples.complete < *first)
    }

    /// Returns the further looks that the budget allows.
    pub fn affordable(&self, looks: &[u32], settings: &Settings) -> Vec<u32> {
        let to_come = looks.iter().filter(|look| **look > self.samples.complete);
        to_come.copied().filter(|look| self.affords(*look, settings)).collect()
    }

    /// Returns true if the budget allows this many complete blocks, at their cost so far.
    fn affords(&self, blocks: u32, settings: &Settings) -> bool {
        let more = u64::from(blocks - self.samples.complete);
        let cost = self.account.each().unwrap_or(0) * more;
        settings.is_unbounded(self.samples.variants()) || self.account.spent_ns + cost <= settings.budget_ns
    }

    /// Returns true if it is worth continuing a case in a run of one variant: one of the looks that the
    /// budget allows will probably reach the requested precision. Unless the user requested a precision,
    /// its cost must also be acceptable. Also returns true if there are too few processes for a
    /// prediction, or if the budget sets no limit.
    pub fn pays(&self, looks: &[u32], settings: &Settings, levels: &Levels) -> bool {
        let samples = &self.samples;
        if samples.complete < ENOUGH as u32 || settings.is_unbounded(samples.variants()) {
            return true;
        }
        let affordable = self.affordable(looks, settings);
        let (logs, precision) = (&samples.locations, settings.precision);
        precision::is_within_reach(logs, precision, &affordable, levels)
            && (settings.precision_asked || precision::is_worth_it(logs, precision, &affordable, levels))
    }

    /// Chooses the number of rounds per process that costs least for a given precision (Kalibera and
    /// Jones, 2013), from the results so far. Does nothing if the user has chosen the number, or if fewer
    /// than four blocks are complete.
    ///
    /// The number grows at most by half per stage, because the spread of few blocks is uncertain. A few
    /// very precise blocks would also delay the next look, and would hardly improve a rank-based interval.
    pub fn choose_rounds(&mut self, turn_ns: u64, settings: &Settings) {
        if !settings.chooses_rounds() || self.samples.complete < 4 {
            return;
        }
        let variants = self.samples.variants() as u64;
        let round_ns = (turn_ns * variants).max(1) as f64;
        let within = self.samples.within();
        let rounds: usize = within.iter().map(Vec::len).sum();
        let fixed = ((self.account.spent_ns as f64 - round_ns * rounds as f64)
            / f64::from(self.samples.complete))
        .max(0.0);
        let components = derny_stats::plan::variance_components(&within);
        let cheapest = derny_stats::plan::rounds_per_process(fixed, round_ns, components) as u32;
        self.rounds = cheapest.min(self.rounds + self.rounds.div_ceil(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_estimate::judge;
    use derny_estimate::pair::Replicate;
    use derny_model::{CaseId, Phase, Turn, Verdict};

    fn state(variants: usize) -> CaseState {
        CaseState::new(&case(), variants, 12, Calls::Repeated)
    }

    fn case() -> Case {
        Case::new(CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() })
    }

    fn half_width(state: &CaseState) -> f64 {
        state.samples.half_width(&Levels::new(&Settings::default())).unwrap()
    }

    /// Returns the results of a process of a block and a build. `logs` contains the logarithms of its rounds'
    /// times.
    fn replicate(block: u32, build: u32, logs: &[f64]) -> Replicate {
        let mut replicate = Replicate { block, unit: build, ..Replicate::default() };
        for (round, log) in (0..).zip(logs) {
            let turn = Turn {
                visit: 0,
                phase: Phase::Measured,
                round,
                iterations: 1,
                times_ns: vec![(1e6 * log.exp()) as u64],
                ops: None,
                counters: Vec::new(),
                cpu: None,
                at_ns: 0,
                wall_ns: 100,
                hash: None,
                thread: None,
                reported: Vec::new(),
                outside: None,
            };
            replicate.rounds.add(0, &turn, &[], Some(log.exp()));
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
        let half = half_width(&state);
        assert!((0.002..0.004).contains(&half), "{half}");
        assert!((state.samples.typical_ns().unwrap() / 5.0035_f64.exp() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_both_variants_share_cancels() {
        let mut state = state(2);
        for k in 0..8 {
            // The variants share a drift of 10 % per block, and their true difference is 2 %.
            let base: Vec<f64> = (0..12).map(|r| 5.0 + 0.1 * f64::from(k) + 0.01 * f64::from(r)).collect();
            let other: Vec<f64> = base.iter().map(|x| x + 0.02).collect();
            state.samples.complete_block(vec![replicate(k, 0, &base), replicate(k, 0, &other)]);
        }
        assert!(half_width(&state) < 1e-9);
        let pairs = state.samples.pairs(1);
        assert!(pairs.iter().all(|pair| (pair.log - 0.02).abs() < 1e-9), "{pairs:?}");
    }

    /// Returns the verdict on a variant after eight pairs with log-ratios around `change`. The flag is
    /// true if the variant is still open.
    fn after_eight(change: f64, settings: &Settings) -> (Verdict, bool) {
        let mut state = state(2);
        for k in 0..8 {
            let other = 5.0 + change + 0.0005 * f64::from(k as i32 - 4);
            state.samples.complete_block(vec![replicate(k, 0, &[5.0; 12]), replicate(k, 0, &[other; 12])]);
        }
        judged(state, settings)
    }

    fn judged(mut state: CaseState, settings: &Settings) -> (Verdict, bool) {
        state.samples.look(0, LookReason::Planned);
        let terms = Terms::new(settings, 1);
        let (judged, _) = judge::judge(&[state.samples.sides(&case(), &terms, None)], &terms);
        (judged[0][0].side.verdict, judged[0][0].is_open)
    }

    #[test]
    fn a_comparison_ends_with_its_verdict() {
        let settings = Settings { margin: 0.01, ..Settings::default() };
        let same = |change| after_eight(change, &settings);
        assert_eq!(same(0.0), (Verdict::Same, false));
        assert_eq!(same(0.05), (Verdict::Worse, false));
        assert_eq!(same(-0.05), (Verdict::Better, false));
        assert_eq!(same(0.006), (Verdict::WorseWithinMargin, false));
        // The interval neither lies within the margin nor excludes zero.
        let narrow = Settings { margin: 0.001, mean_margin: Some(0.001), ..settings };
        assert_eq!(after_eight(0.0, &narrow), (Verdict::Unclear, true));
    }

    #[test]
    fn what_a_case_costs_says_whether_it_goes_on() {
        let mut state = state(2);
        let settings = Settings { budget_ns: 100, ..Settings::default() };
        assert_eq!(state.next(&[8, 11], &settings), Err(StopReason::Budget), "nothing is complete");
        for k in 0..8 {
            state.samples.complete_block(vec![replicate(k, 0, &[5.0; 12]), replicate(k, 0, &[5.0; 12])]);
        }
        (state.account.spent_ns, state.account.visits) = (64, 8);
        assert_eq!(state.next(&[8, 11], &settings), Ok(3));
        assert_eq!(state.next(&[8, 15], &settings), Err(StopReason::Budget));
        assert_eq!(state.next(&[8], &settings), Err(StopReason::Maximum));
    }

    #[test]
    fn a_fixed_number_of_blocks_is_measured_whatever_they_show() {
        let mut state = state(2);
        let settings = Settings::default();
        state.fixed = Some(4);
        assert_eq!((state.planned(8), state.planned(3)), (4, 3));
        for k in 0..3 {
            state.samples.complete_block(vec![replicate(k, 0, &[5.0; 12]), replicate(k, 0, &[6.0; 12])]);
        }
        assert_eq!(state.next(&[8, 11], &settings), Ok(1), "a block was lost");
        state.samples.complete_block(vec![replicate(3, 0, &[5.0; 12]), replicate(3, 0, &[6.0; 12])]);
        assert_eq!(state.next(&[8, 11], &settings), Err(StopReason::Maximum));
    }

    /// Returns a case without variants. It has eight processes that differ by `step`, and has used `spent_ns`
    /// of a budget of 100 ns.
    fn spread(step: f64, spent_ns: u64) -> CaseState {
        let mut state = state(1);
        for k in 0..8 {
            state.samples.complete_block(vec![replicate(k, 0, &[5.0 + step * f64::from(k); 12])]);
        }
        (state.account.spent_ns, state.account.visits) = (spent_ns, 8);
        state
    }

    #[test]
    fn what_the_budget_cannot_make_precise_does_not_pay() {
        let (looks, levels) = ([8, 11, 15, 21, 29, 40], Levels::at(40, 0.95));
        let settings = Settings { budget_ns: 100, ..Settings::default() };
        let pays = |state: CaseState, settings: &Settings| state.pays(&looks, settings, &levels);
        assert!(pays(spread(0.006, 10), &settings), "29 processes take 36");
        assert!(!pays(spread(0.006, 70), &settings), "11 processes would be all");
        assert!(!pays(spread(0.1, 10), &settings), "40 would not do");
        let precise = Settings { precise: true, ..settings.clone() };
        assert!(pays(spread(0.1, 1000), &precise));
        assert_eq!(spread(0.1, 1000).next(&looks, &precise), Ok(3), "the budget is no bound");
        let mut few = state(1);
        few.samples.complete_block(vec![replicate(0, 0, &[5.0; 12])]);
        assert!(pays(few, &settings), "one process says nothing");
    }

    #[test]
    fn a_precision_that_nobody_asked_for_is_weighed() {
        // On a machine with two speeds that differ by 2.4 %, the interval stays at ±1.2 % until there
        // are many processes.
        let mut state = state(1);
        for k in 0..8 {
            state.samples.complete_block(vec![replicate(k, 0, &[5.0 + 0.024 * f64::from(k % 2); 12])]);
        }
        (state.account.spent_ns, state.account.visits) = (10, 8);
        let settings = Settings { budget_ns: 100, ..Settings::default() };
        let levels = Levels::of_run(&settings, 1);
        assert!(!state.pays(&[8, 11, 15, 21, 29, 40], &settings, &levels));
        let asked = Settings { precision_asked: true, ..settings };
        let levels = Levels::of_run(&asked, 1);
        assert!(state.pays(&[8, 11, 15, 21, 29, 40], &asked, &levels), "40 would do");
    }

    /// Checks that each build counts as one replicate.
    #[test]
    fn builds_are_what_is_repeated() {
        let of = |builds: u32| {
            let mut state = state(2);
            for k in 0..8 {
                let other = 5.0 + if k % 4 == 0 { 0.0501 } else { 0.05 };
                let build = k % builds;
                state
                    .samples
                    .complete_block(vec![replicate(k, build, &[5.0; 12]), replicate(k, build, &[other; 12])]);
            }
            judged(state, &Settings { builds, margin: 0.01, ..Settings::default() })
        };
        assert_eq!(of(8), (Verdict::Worse, false));
        assert_eq!(of(2), (Verdict::Unclear, true));
    }

    #[test]
    fn a_body_without_times_has_no_mean_time() {
        let mut timed = state(2);
        assert_eq!(timed.samples.is_timed(), None);
        timed.samples.complete_block(vec![replicate(0, 0, &[1.0]), replicate(0, 0, &[2.0])]);
        let terms = Terms::new(&Settings::default(), 1);
        assert_eq!(timed.samples.sides(&case(), &terms, None)[0].singles.len(), 2);
        let mut untimed = state(2);
        untimed.samples.complete_block(vec![Replicate::default(), Replicate::default()]);
        assert_eq!(untimed.samples.is_timed(), Some(false));
        assert_eq!(untimed.samples.sides(&case(), &terms, None)[0].singles.len(), 1);
        assert_eq!((untimed.samples.complete, untimed.samples.half_width(&terms.levels)), (1, None));
    }
}
