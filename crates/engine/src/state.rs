//! What the engine remembers of a case while a run is under way: how it is calibrated, what it has cost, the process
//! values that stopping looks at. Raw batches are never kept here.

use derny_estimate::cost;
use derny_estimate::pair::{Pair, Replicate};
use derny_estimate::rounds::Rounds;
use derny_estimate::stopping::{Evidence, Stopping};
use derny_model::{Case, LEAST_REPLICATES, Settings, StopReason, Timing, Verdict};
use derny_stats::location;

/// Whether a self-timed body follows the parameter that `iterations` sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Not tried yet.
    Untried,
    /// It does.
    Followed,
    /// It does not, or has no such parameter.
    Fixed,
}

/// One case under way.
#[derive(Debug, Clone)]
pub struct CaseState {
    /// Iterations per batch for all variants; none before calibration.
    pub iterations: Option<u64>,
    /// Time of one batch at that number, harness's own share included, in ns.
    pub batch_ns: f64,
    /// Quickest first call in a process, in ns: what one more process costs at least.
    pub call_ns: u64,
    /// Self-timed bodies.
    pub scale: Scale,
    /// Only one call per process.
    pub once: bool,
    /// Logarithm of the time per operation of every complete process of the first variant.
    pub locations: Vec<f64>,
    /// Variants after the first whose verdict ends the comparison: all but a control beside others.
    pub judged: Vec<bool>,
    /// The pairs of typical time of the complete blocks, by variant after the first.
    pub pairs: Vec<Vec<Pair>>,
    /// The complete processes, by variant, without their rounds.
    pub replicates: Vec<Vec<Replicate>>,
    /// Logarithms of the turns' values of every complete process of the first variant.
    pub within: Vec<Vec<f64>>,
    /// Wall time spent on it: launches, warm-up and turns, in ns.
    pub spent_ns: u64,
    /// Of that, launches.
    pub launches_ns: u64,
    /// Blocks launched.
    pub launched: u32,
    /// Blocks begun.
    pub begun: u32,
    /// Blocks that have measured the empty body.
    pub floors: u32,
    /// The budget did not allow all blocks of a stage: there is no other.
    pub cut: bool,
    /// Complete blocks.
    pub complete: u32,
    /// Rounds per process for the coming stage.
    pub rounds: u32,
    /// Time to launch one block, in ns, as last seen.
    pub launch_ns: u64,
    /// Why it is finished.
    pub ended: Option<StopReason>,
}

impl CaseState {
    /// Nothing known.
    pub fn new(case: &Case, variants: usize, rounds: u32, once: bool) -> CaseState {
        CaseState {
            iterations: None,
            batch_ns: 0.0,
            call_ns: 0,
            scale: if case.timing == Timing::SelfTimed && case.scale.is_some() {
                Scale::Untried
            } else {
                Scale::Fixed
            },
            once,
            locations: Vec::new(),
            judged: vec![true; variants.saturating_sub(1)],
            pairs: vec![Vec::new(); variants.saturating_sub(1)],
            replicates: vec![Vec::new(); variants],
            within: Vec::new(),
            spent_ns: 0,
            launches_ns: 0,
            launched: 0,
            begun: 0,
            floors: 0,
            cut: false,
            complete: 0,
            rounds,
            launch_ns: 0,
            ended: None,
        }
    }

    /// More iterations per batch where a batch has become much shorter than its target, up to sixteen times as many.
    pub fn grow(&mut self, case: &Case, target_ns: f64, batch_ns: f64) {
        let Some(n) = self.iterations else { return };
        let configured = || {
            let (_, value) = case.id.params.iter().find(|(key, _)| Some(key) == case.scale.as_ref())?;
            value.parse::<f64>().ok()
        };
        let most = match (case.timing, self.scale) {
            (Timing::Loop, _) => case.max_iterations.unwrap_or(u64::MAX),
            (Timing::SelfTimed, Scale::Followed) => configured().map_or(n, |n| n as u64),
            (Timing::SelfTimed, _) => n,
        };
        let wanted = (n as f64 * target_ns / batch_ns.max(1.0)) as u64;
        if wanted > n + n / 2 {
            self.iterations = Some(wanted.min(n.saturating_mul(16)).min(most).max(n));
        }
    }

    /// Takes a complete block: what the process of each variant says, in their order.
    pub fn complete_block(&mut self, block: Vec<Replicate>) {
        self.locations.extend(block[0].rounds.location());
        self.within.push(block[0].rounds.logs().to_vec());
        for (pairs, new) in self.pairs.iter_mut().zip(&block[1..]) {
            pairs.extend(block[0].typical(new));
        }
        for (replicates, replicate) in self.replicates.iter_mut().zip(block) {
            replicates.push(Replicate { rounds: Rounds::default(), ..replicate });
        }
        self.complete += 1;
    }

    /// Half width of the widest interval, on the log scale (so: as a share), at the level of this look.
    pub fn half_width(&self, stopping: &Stopping) -> Option<f64> {
        let intervals = match self.pairs.as_slice() {
            [] => vec![stopping.of_processes(&self.locations)],
            all => all.iter().map(|pairs| stopping.of_pairs(pairs)).collect(),
        };
        let half = intervals.into_iter().map(|interval| Some((interval?.hi - interval?.lo) / 2.0));
        half.reduce(|widest, half| Some(f64::max(widest?, half?))).flatten()
    }

    /// Every variant after the first has a verdict.
    fn is_decided(&self, stopping: &Stopping) -> bool {
        let mut judged = (1..self.replicates.len()).filter(|variant| self.judged[variant - 1]);
        judged.all(|variant| stopping.verdict(&self.evidence(variant)) != Verdict::Unclear)
    }

    /// What the complete blocks show of a variant after the first.
    pub fn evidence(&self, variant: usize) -> Evidence {
        let (base, new) = (&self.replicates[0], &self.replicates[variant]);
        let costs = || base.iter().chain(new).map(|replicate| &replicate.cost);
        let by_cpu = cost::by_cpu(costs());
        let mean = base.iter().zip(new).map(|(base, new)| base.mean(new, by_cpu));
        let has_times = costs().any(|cost| cost.operations > 0.0);
        Evidence {
            typical: self.pairs[variant - 1].clone(),
            mean: has_times.then(|| mean.flatten().collect()),
            collected: costs().any(|cost| cost.collected),
        }
    }

    /// Typical time of the first variant in ns per operation.
    pub fn typical_ns(&self) -> Option<f64> {
        (!self.locations.is_empty()).then(|| libm::exp(location::hodges_lehmann(&self.locations)))
    }

    /// After a stage: how many more blocks to measure, or why to stop.
    pub fn decide(&self, looks: &[u32], stopping: &Stopping, settings: &Settings) -> Result<u32, StopReason> {
        // Who asks for so many layouts has a verdict on no fewer.
        let least = settings.builds.max(LEAST_REPLICATES);
        if !self.pairs.is_empty() && !settings.precise {
            if self.complete >= least && self.is_decided(stopping) {
                return Err(StopReason::Verdict);
            }
        } else {
            let wide = self.half_width(stopping);
            if wide.is_some_and(|half| half <= settings.precision) && self.complete >= least {
                return Err(StopReason::Precise);
            }
        }
        let Some(&next) = looks.iter().find(|&&look| look > self.complete) else {
            return Err(StopReason::Maximum);
        };
        if self.complete == 0 || self.cut {
            return Err(StopReason::Budget);
        }
        let more = next - self.complete;
        let each = self.spent_ns / u64::from(self.complete);
        if self.spent_ns + each * u64::from(more) > settings.budget_ns {
            return Err(StopReason::Budget);
        }
        Ok(more)
    }

    /// The rounds per process that cost least for a given precision (Kalibera and Jones 2013), from what was seen; at
    /// most half as many again as in the stage before. The spread of few blocks says little yet, and precise blocks among
    /// imprecise ones do little for an interval by ranks, but put off the next look.
    pub fn choose_rounds(&mut self, turn_ns: u64, settings: &Settings) {
        if !settings.chooses_rounds() || self.complete < 4 {
            return;
        }
        let variants = self.replicates.len() as u64;
        let round_ns = (turn_ns * variants).max(1) as f64;
        let rounds: usize = self.within.iter().map(Vec::len).sum();
        let fixed = ((self.spent_ns as f64 - round_ns * rounds as f64) / f64::from(self.complete)).max(0.0);
        let components = derny_stats::plan::variance_components(&self.within);
        let cheapest = derny_stats::plan::rounds_per_process(fixed, round_ns, components) as u32;
        self.rounds = cheapest.min(self.rounds + self.rounds.div_ceil(2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{CaseId, Phase, Turn};

    fn state(variants: usize) -> CaseState {
        let case = Case::new(CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() });
        CaseState::new(&case, variants, 12, false)
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
            state.complete_block(vec![replicate(k, 0, &[5.0 + 0.001 * f64::from(k); 12])]);
        }
        let half = state.half_width(&stopping(&Settings::default())).unwrap();
        assert!((0.002..0.004).contains(&half), "{half}");
        assert!((state.typical_ns().unwrap() / 5.0035_f64.exp() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_both_variants_share_cancels() {
        let mut state = state(2);
        for k in 0..8 {
            // Drift of 10 % a block, shared; a true difference of 2 %.
            let base: Vec<f64> = (0..12).map(|r| 5.0 + 0.1 * f64::from(k) + 0.01 * f64::from(r)).collect();
            let other: Vec<f64> = base.iter().map(|x| x + 0.02).collect();
            state.complete_block(vec![replicate(k, 0, &base), replicate(k, 0, &other)]);
        }
        assert!(state.half_width(&stopping(&Settings::default())).unwrap() < 1e-9);
        assert!(state.pairs[0].iter().all(|pair| (pair.log - 0.02).abs() < 1e-9), "{:?}", state.pairs);
    }

    /// After eight pairs whose log-ratios lie around `change`.
    fn after_eight(change: f64, settings: &Settings) -> Result<u32, StopReason> {
        let mut state = state(2);
        for k in 0..8 {
            let other = 5.0 + change + 0.0005 * f64::from(k as i32 - 4);
            state.complete_block(vec![replicate(k, 0, &[5.0; 12]), replicate(k, 0, &[other; 12])]);
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
            state.complete_block(vec![replicate(k, k % 4, &[5.0; 12]), replicate(k, k % 4, &[other; 12])]);
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
        timed.complete_block(vec![replicate(0, 0, &[1.0]), replicate(0, 0, &[2.0])]);
        assert_eq!(timed.evidence(1).mean.map(|pairs| pairs.len()), Some(1));
        let mut untimed = state(2);
        untimed.complete_block(vec![Replicate::default(), Replicate::default()]);
        assert!(untimed.evidence(1).mean.is_none() && untimed.evidence(1).typical.is_empty());
        assert_eq!((untimed.complete, untimed.half_width(&stopping(&Settings::default()))), (1, None));
    }
}
