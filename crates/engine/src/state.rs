//! What the engine remembers of a case while a run is under way: how it is calibrated, what it has cost, the process
//! values that stopping looks at. Raw batches are never kept here.

use crate::turn::Cost;
use derny_model::{Case, LEAST_REPLICATES, Settings, StopReason, Timing, Verdict};
use derny_stats::{Looks, location, signed_rank, student};

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

/// A processor counts by itself from this many turns on.
const LEAST_TURNS: usize = 3;

/// What one variant measured in a block.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Natural logarithms of the measured turns' values, parallel by round to those of the other variants.
    pub values: Vec<f64>,
    /// The processors that they ran on.
    pub processors: Vec<Option<u32>>,
    /// What they took in all.
    pub cost: Cost,
}

/// What the complete blocks of a case have shown of a variant against the first.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// Log-ratios of typical time, by block.
    pub typical: &'a [f64],
    /// Log-ratios of amortised time, by block; none where there are no times.
    pub amortised: Option<&'a [f64]>,
    /// Which build each block measured: the ratios of blocks of one build are one value.
    pub builds: &'a [u32],
    /// A collector ran in a turn, or nobody could tell.
    pub collected: bool,
}

/// Says whether that decides a comparison. Its verdict is that of the report, which the engine knows nothing of.
pub type Judge<'a> = &'a dyn Fn(&Evidence<'_>) -> Verdict;

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
    /// Log location of every complete visit, by variant, as analysis takes it.
    pub locations: Vec<Vec<f64>>,
    /// Variants after the first whose verdict ends the comparison: all but a control beside others.
    pub judged: Vec<bool>,
    /// Median of the round log-ratios of every complete block, by variant after the first.
    pub ratios: Vec<Vec<f64>>,
    /// The build that every complete block measured.
    pub builds: Vec<u32>,
    /// What every complete visit took in all, by variant.
    pub costs: Vec<Vec<Cost>>,
    /// Variance within visits: squared standard deviations of log turn values.
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
            locations: vec![Vec::new(); variants],
            judged: vec![true; variants.saturating_sub(1)],
            ratios: vec![Vec::new(); variants.saturating_sub(1)],
            builds: Vec::new(),
            costs: vec![Vec::new(); variants],
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

    /// Takes a complete block of a build: what each variant measured, in their order.
    pub fn complete_block(&mut self, mut visits: Vec<Measured>, build: u32) {
        for (variant, visit) in visits.iter().enumerate() {
            let location = location::best_group_median(&visit.values, &visit.processors, LEAST_TURNS);
            self.locations[variant].push(location);
            self.costs[variant].push(visit.cost.clone());
        }
        for (k, ratios) in self.ratios.iter_mut().enumerate() {
            let pairs = visits[0].values.iter().zip(&visits[k + 1].values);
            let logs: Vec<f64> = pairs.map(|(base, other)| other - base).collect();
            ratios.push(location::median(&logs));
        }
        self.within.push(visits.swap_remove(0).values);
        self.builds.push(build);
        self.complete += 1;
    }

    /// What an interval is made of: the locations of the only variant, or every other variant's log-ratios, one for each
    /// build where there are several.
    fn samples(&self) -> impl Iterator<Item = Vec<f64>> {
        let single = self.ratios.is_empty().then(|| self.locations[0].clone());
        single.into_iter().chain(self.ratios.iter().map(|ratios| location::by_group(ratios, &self.builds)))
    }

    /// Half width of the widest interval, on the log scale (so: as a share), with the repeated level of this look.
    pub fn half_width(&self, looks: &Looks, confidence: f64) -> Option<f64> {
        let half = |sample: Vec<f64>| {
            self.interval(&sample, looks, confidence).map(|interval| (interval.hi - interval.lo) / 2.0)
        };
        self.samples().map(half).try_fold(0.0, |widest: f64, half| Some(widest.max(half?)))
    }

    /// The repeated interval. Where the plan has no look (blocks were lost), the strictest level of all looks is safe.
    fn interval(&self, sample: &[f64], looks: &Looks, confidence: f64) -> Option<derny_stats::Interval> {
        let strictest = looks.alphas.iter().copied().fold(1.0 - confidence, f64::min);
        let alpha = looks.alpha_at(self.complete as usize).unwrap_or(strictest);
        signed_rank::interval(sample, alpha).filter(|_| sample.len() >= 6).or_else(|| {
            student::interval(sample, alpha).filter(|_| sample.len() >= LEAST_REPLICATES as usize)
        })
    }

    /// Every variant after the first has a verdict.
    fn is_decided(&self, judge: Judge<'_>) -> bool {
        let mut judged = (1..self.locations.len()).filter(|variant| self.judged[variant - 1]);
        judged.all(|variant| {
            let typical = &self.ratios[variant - 1];
            let amortised = self.amortised(variant);
            let collected = self.costs[0].iter().chain(&self.costs[variant]).any(|cost| cost.collected);
            let evidence =
                Evidence { typical, amortised: amortised.as_deref(), builds: &self.builds, collected };
            judge(&evidence) != Verdict::Unclear
        })
    }

    /// Log-ratios of the amortised times of the blocks: of processor time where all of them know it.
    fn amortised(&self, variant: usize) -> Option<Vec<f64>> {
        let (base, other) = (&self.costs[0], &self.costs[variant]);
        let cpu = base.iter().chain(other).all(|cost| cost.cpu_ns.is_some_and(|cpu| cpu > 0.0));
        let each = |cost: &Cost| {
            let spent = if cpu { cost.cpu_ns? } else { cost.wall_ns };
            Some(spent / cost.operations).filter(|value| value.is_finite() && *value > 0.0)
        };
        base.iter().zip(other).map(|(base, other)| Some(libm::log(each(other)? / each(base)?))).collect()
    }

    /// Typical time of the first variant in ns per operation.
    pub fn typical_ns(&self) -> Option<f64> {
        let first = &self.locations[0];
        (!first.is_empty()).then(|| libm::exp(location::hodges_lehmann(first)))
    }

    /// After a stage: how many more blocks to measure, or why to stop.
    pub fn decide(
        &self,
        looks: &[u32],
        plan: &Looks,
        settings: &Settings,
        judge: Judge<'_>,
    ) -> Result<u32, StopReason> {
        // Who asks for so many layouts has a verdict on no fewer.
        let least = settings.builds.max(LEAST_REPLICATES);
        if !self.ratios.is_empty() && !settings.precise {
            if self.complete >= least && self.is_decided(judge) {
                return Err(StopReason::Verdict);
            }
        } else {
            let wide = self.half_width(plan, settings.confidence);
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
        let variants = self.locations.len() as u64;
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
    use derny_model::{CaseId, Direction, Interval, Kind, Metric, Phase, Turn};

    fn state(variants: usize) -> CaseState {
        let case = Case::new(CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() });
        CaseState::new(&case, variants, 12, false)
    }

    fn measured(values: Vec<f64>) -> Measured {
        Measured { processors: vec![None; values.len()], values, cost: Cost::new(&[], "rust") }
    }

    fn least(values: &[f64]) -> f64 {
        values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_interval_of_one_variant_is_over_processes() {
        let looks = Looks::plan(40, 0.95);
        let mut state = state(1);
        for k in 0..8 {
            state.complete_block(vec![measured(vec![5.0 + 0.001 * f64::from(k); 12])], 0);
        }
        let half = state.half_width(&looks, 0.95).unwrap();
        assert!((0.002..0.004).contains(&half), "{half}");
        assert!((state.typical_ns().unwrap() / 5.0035_f64.exp() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_both_variants_share_cancels() {
        let looks = Looks::plan(40, 0.95);
        let mut state = state(2);
        for k in 0..8 {
            // Drift of 10 % a block, shared; a true difference of 2 %.
            let base: Vec<f64> = (0..12).map(|r| 5.0 + 0.1 * f64::from(k) + 0.01 * f64::from(r)).collect();
            let other = base.iter().map(|x| x + 0.02).collect();
            state.complete_block(vec![measured(base), measured(other)], 0);
        }
        assert!(state.half_width(&looks, 0.95).unwrap() < 1e-9);
        assert!((location::hodges_lehmann(&state.ratios[0]) - 0.02).abs() < 1e-9);
    }

    #[test]
    fn rounds_in_which_one_turn_was_hit_do_not_move_a_pair() {
        let mut state = state(2);
        let other: Vec<f64> = (0..12).map(|r| if r < 5 { 5.3 } else { 5.02 }).collect();
        state.complete_block(vec![measured(vec![5.0; 12]), measured(other)], 0);
        assert!((state.ratios[0][0] - 0.02).abs() < 1e-9, "{:?}", state.ratios);
    }

    /// After eight pairs whose log-ratios lie around `change`.
    fn after_eight(change: f64, settings: &Settings) -> Result<u32, StopReason> {
        let looks = Looks::plan(40, 0.95);
        let mut state = state(2);
        for k in 0..8 {
            let base = vec![5.0; 12];
            let other = base.iter().map(|x| x + change + 0.0005 * f64::from(k - 4)).collect();
            state.complete_block(vec![measured(base), measured(other)], 0);
        }
        // A judge of typical time only, by its largest and smallest pair.
        let judge = |evidence: &Evidence<'_>| {
            let (lo, hi) =
                (least(evidence.typical), -least(&evidence.typical.iter().map(|x| -x).collect::<Vec<_>>()));
            Verdict::of(Interval { lo, hi }, settings.margin)
        };
        state.decide(&[8, 11, 15, 21, 29, 40], &looks, settings, &judge)
    }

    #[test]
    fn a_comparison_ends_with_its_verdict() {
        let settings = Settings::default();
        for change in [0.0, 0.05, -0.05, 0.006] {
            assert_eq!(after_eight(change, &settings), Err(StopReason::Verdict), "{change}");
        }
        let precise = Settings { precise: true, precision: 1e-4, ..settings.clone() };
        assert_eq!(after_eight(0.05, &precise), Ok(3));
        // Neither within the margin nor beyond nothing.
        let narrow = Settings { margin: 0.001, ..settings };
        assert_eq!(after_eight(0.0, &narrow), Ok(3));
    }

    /// Pairs of one build are one value, and none is judged before every build was measured.
    #[test]
    fn builds_are_what_is_repeated() {
        let looks = Looks::plan(40, 0.95);
        let mut state = state(2);
        for k in 0..8 {
            let base = vec![5.0; 12];
            let other = base.iter().map(|x| x + if k % 4 == 0 { 0.05 } else { 0.01 }).collect();
            state.complete_block(vec![measured(base), measured(other)], k % 4);
        }
        let by_pairs = state.interval(&state.ratios[0], &looks, 0.95).unwrap();
        let half = state.half_width(&looks, 0.95).unwrap();
        assert!(
            half > (by_pairs.hi - by_pairs.lo) / 2.0,
            "four values tell less than eight: {half} {by_pairs:?}"
        );
        let judge = |evidence: &Evidence<'_>| {
            assert_eq!(evidence.builds, [0, 1, 2, 3, 0, 1, 2, 3]);
            Verdict::Slower
        };
        let decide = |builds| {
            let settings = Settings { builds, ..Settings::default() };
            state.decide(&[8, 11, 15], &looks, &settings, &judge)
        };
        assert_eq!(
            (decide(4), decide(8), decide(9)),
            (Err(StopReason::Verdict), Err(StopReason::Verdict), Ok(3))
        );
    }

    #[test]
    fn a_judge_sees_amortised_time_and_collections() {
        let looks = Looks::plan(40, 0.95);
        let mut state = state(2);
        let turn = |cpu: Option<f64>, gc: Option<f64>| {
            let metrics: Vec<Metric> = [("cpu", "ns"), ("gc", "count")].map(metric).into();
            let mut cost = Cost::new(&metrics, "javascript");
            cost.add(&told(vec![10, 30], vec![cpu, gc]), &metrics, 1.0);
            Measured { values: vec![1.0], processors: vec![None], cost }
        };
        let seen = |state: &CaseState| {
            let seen = std::cell::RefCell::new(None);
            let judge = |evidence: &Evidence<'_>| {
                *seen.borrow_mut() = Some((evidence.amortised.map(<[f64]>::to_vec), evidence.collected));
                Verdict::Same
            };
            let _ = state.decide(&[8], &looks, &Settings::default(), &judge);
            seen.into_inner().unwrap()
        };
        for _ in 0..3 {
            state.complete_block(vec![turn(Some(40.0), Some(0.0)), turn(Some(80.0), Some(1.0))], 0);
        }
        assert_eq!(seen(&state), (Some(vec![2.0_f64.ln(); 3]), true));
        // One that does not know its processor time: all are taken by the clock.
        state.complete_block(vec![turn(Some(40.0), Some(0.0)), turn(None, None)], 0);
        assert_eq!(seen(&state), (Some(vec![0.0; 4]), true));
    }

    fn metric((name, unit): (&str, &str)) -> Metric {
        let (kind, direction) = (Kind::Total, Direction::Less);
        Metric { name: name.into(), unit: unit.into(), kind, direction, exact: false }
    }

    fn told(times_ns: Vec<u64>, counters: Vec<Option<f64>>) -> Turn {
        Turn {
            visit: 0,
            phase: Phase::Measured,
            round: 0,
            iterations: 1,
            times_ns,
            ops: None,
            counters,
            cpu: None,
            at_ns: 0,
            wall_ns: 40,
            hash: None,
        }
    }
}
