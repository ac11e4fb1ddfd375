//! At which level an interval is made, and which interval it is.

use crate::{family, paired};
use derny_model::{Estimate, Interval, Settings, StopReason};
use derny_stats::repeated::RepeatedP;
use derny_stats::{Looks, anytime, location, looks, signed_rank, student};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Under this many processes the signed-rank interval does not exist at 95 % and Student's is used.
pub const ENOUGH: usize = 6;

/// Returns the number of processes of a side, or of pairs, from which on results of `variants` sides have an exact interval.
pub fn enough(settings: &Settings, variants: usize) -> usize {
    if settings.waves && variants > 1 { looks::LEAST_OF_A_WAVE } else { ENOUGH }
}

/// Under this many there is no interval.
pub const LEAST: usize = derny_model::LEAST_REPLICATES as usize;

/// The part of the error that each look has which asks how wide the interval is and nothing else. The width of an interval says little
/// of where the truth lies in it, so that looks of this kind need not share the error; a fifth is for what it says of values that are
/// skewed or few.
const BY_WIDTH: f64 = 0.6;

/// How the t-mixture weighs standardised means: N(0, 1), for differences of the size of a pair's own noise.
const MIXTURE: f64 = 1.0;

/// The levels of a run's cases, by how each of them ended.
pub struct LookPlan {
    planned: Levels,
    ended: Levels,
}

impl LookPlan {
    /// From the levels of what ended as planned.
    pub fn new(planned: Levels) -> LookPlan {
        LookPlan { ended: planned.ended(), planned }
    }

    /// For a case that ended so. That its time is over says nothing of its values: the last look may spend all that is
    /// left. Whoever interrupts may have seen them.
    pub fn after(&self, reason: Option<StopReason>) -> &Levels {
        if reason == Some(StopReason::Budget) { &self.ended } else { &self.planned }
    }

    /// The levels of what ended as planned.
    pub fn planned(&self) -> &Levels {
        &self.planned
    }
}

/// The levels of one plan of looks.
pub struct Levels {
    looks: Looks,
    /// The error allowed over all looks together.
    alpha: f64,
    /// Looked at whenever somebody likes, without an end.
    anytime: bool,
    /// Whatever number of replicates is asked for, time alone made it the last.
    ended: bool,
    /// What ends the measuring is the width of the interval.
    by_width: bool,
    /// Pairs are measured in waves.
    in_waves: bool,
    /// By numbers of replicates at the looks, and whether time ended the last, as they are asked for.
    known: Mutex<HashMap<Counts, Arc<Sequence>>>,
}

/// Numbers of replicates at the looks, and whether time ended the last.
type Counts = (Vec<usize>, bool);

/// Looks at some numbers of replicates, planned or not, each with its level.
pub struct Sequence {
    plan: Looks,
    /// Made when it is asked for, which takes milliseconds.
    repeated: OnceLock<RepeatedP>,
}

impl Sequence {
    /// The nominal two-sided level of the look at `n` replicates; none where there is no such look.
    pub fn alpha(&self, n: usize) -> Option<f64> {
        self.plan.alpha_at(n)
    }

    /// The repeated p-value of a nominal one at `n` replicates: the overall error at which this look's interval
    /// would just have left no change out (Jennison and Turnbull 1984). Honest whenever the measuring stopped.
    pub fn repeated(&self, n: usize, nominal: f64) -> f64 {
        self.repeated.get_or_init(|| RepeatedP::new(&self.plan)).at(n, nominal).unwrap_or(1.0)
    }
}

impl Levels {
    /// The plan of looks that the run's settings imply, at the confidence they ask for.
    pub fn new(settings: &Settings) -> Levels {
        Levels::of_pairs(settings.processes as usize, settings.confidence, settings.waves)
    }

    /// The same for a run with so many variants: where there is nothing to compare, cases end by the width of their intervals. Not where
    /// somebody asked for a precision: such a run may go on through all looks, and where values are of two kinds that are not equally
    /// frequent, the width tells too much of the place in the end.
    pub fn of_run(settings: &Settings, variants: usize) -> Levels {
        let in_waves = settings.waves && variants > 1;
        let levels = Levels::of_pairs(settings.processes as usize, settings.confidence, in_waves);
        let asked = settings.precision_asked || settings.precise;
        if variants < 2 && !asked { levels.by_width() } else { levels }
    }

    /// The plan for at most `most` replicates.
    pub fn at(most: usize, confidence: f64) -> Levels {
        Levels::of(Looks::plan(most, confidence), false)
    }

    /// The same for pairs that are measured in waves, or not.
    pub fn of_pairs(most: usize, confidence: f64, in_waves: bool) -> Levels {
        match in_waves {
            true => Levels::of(Looks::of_waves(most, confidence), true),
            false => Levels::at(most, confidence),
        }
    }

    fn of(looks: Looks, in_waves: bool) -> Levels {
        let (alpha, known) = (1.0 - looks.confidence, Mutex::default());
        Levels { looks, alpha, anytime: false, ended: false, by_width: false, in_waves, known }
    }

    /// The same plan where only the width of the interval ends the measuring.
    #[must_use]
    pub fn by_width(self) -> Levels {
        Levels { by_width: true, ..self }
    }

    /// No plan: intervals that may be read at any time, as often as one likes.
    pub fn anytime(confidence: f64) -> Levels {
        Levels { anytime: true, ..Levels::at(0, confidence) }
    }

    /// Whether there is no plan.
    pub fn is_anytime(&self) -> bool {
        self.anytime
    }

    /// The error allowed over all looks together.
    pub fn error(&self) -> f64 {
        self.alpha
    }

    /// The most replicates planned.
    pub fn most(&self) -> usize {
        self.looks.max
    }

    /// The same plan for what only time has ended: its last look spends all that those before it have left.
    fn ended(&self) -> Levels {
        Levels { looks: self.looks.clone(), ended: true, known: Mutex::default(), ..*self }
    }

    /// The confidence sequence about the mean by the t-mixture, and its p-value: what may be read at any time.
    pub fn any_time(&self, values: &[f64]) -> (Estimate, Option<f64>) {
        let interval = anytime::t_mixture_interval(values, MIXTURE, self.alpha).and_then(finite);
        let evidence = anytime::t_mixture_log_e(values, MIXTURE);
        let p = (values.len() > 1).then(|| libm::exp(-evidence).min(1.0));
        (Estimate { value: location::mean(values), interval }, p)
    }

    /// The nominal two-sided level for `n` replicates: that of the look at which the case may have been stopped,
    /// so that the interval still covers although it was looked at before. Where the plan does not look (a block was
    /// lost), the looks before count and `n` spends its own share. Looks at the width alone have [`BY_WIDTH`] at least.
    pub fn alpha(&self, n: usize) -> f64 {
        if self.anytime || n == 0 {
            return self.alpha;
        }
        let spent = self.until(n, self.ended).alpha(n).unwrap_or(self.alpha);
        if self.by_width { spent.max(BY_WIDTH * self.alpha) } else { spent }
    }

    /// The planned looks before `n` and one at `n`, after which time may have `ended` it.
    pub fn until(&self, n: usize, ended: bool) -> Arc<Sequence> {
        self.sequence(&self.looks.until(n), ended)
    }

    /// Looks at these numbers of replicates, in increasing order; after the last one time may have `ended` it.
    pub fn sequence(&self, counts: &[usize], ended: bool) -> Arc<Sequence> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Sequence { plan: self.looks.taken(counts, ended), repeated: OnceLock::new() });
        Arc::clone(known.entry((counts.to_vec(), ended)).or_insert_with(new))
    }

    /// The first of these looks at which typical time can tell one change among so many comparisons ([`crate::change::Terms::comparisons`])
    /// from chance: of the 2^n signs that n pairs may have, two are as extreme as can be, and of the ways to share out the processes of waves,
    /// of which each look adds one. The last look where none can. `mean` says that mean time is asked of each comparison, and `sequence`
    /// which looks were taken where that one is the last.
    pub fn telling_look(
        &self,
        looks: &[u32],
        comparisons: usize,
        mean: bool,
        sequence: impl Fn(usize) -> Arc<Sequence>,
    ) -> u32 {
        let most = self.alpha * family::share(comparisons, mean);
        let least_p = |look: u32| {
            let before = [0].iter().chain(looks).filter(|before| **before < look);
            let waves = before.zip(looks).map(|(before, look)| (look - before) as usize);
            if self.in_waves {
                paired::least_p_of_waves(&waves.collect::<Vec<usize>>())
            } else {
                0.5_f64.powi(look as i32 - 1)
            }
        };
        let tells =
            |look: &&u32| sequence(**look as usize).repeated(**look as usize, least_p(**look)) <= most;
        looks.iter().find(tells).or(looks.last()).copied().unwrap_or(1)
    }

    /// Hodges–Lehmann and its exact signed-rank interval; Student's below [`ENOUGH`] values or where the level
    /// is out of the ranks' reach; no interval under [`LEAST`] values.
    pub fn robust(&self, values: &[f64]) -> Estimate {
        robust(values, self.alpha(values.len()))
    }

    /// The same for the logarithms of positive values, given back as values. The interval reaches at least `resolution` to
    /// both sides, as a share: values that were rounded to the same step agree, which says nothing of what was rounded off.
    pub fn robust_log(&self, logs: &[f64], resolution: f64) -> Estimate {
        let estimate = reaching(self.robust(logs), resolution);
        let interval = estimate.interval.map(|i| Interval { lo: libm::exp(i.lo), hi: libm::exp(i.hi) });
        Estimate { value: libm::exp(estimate.value), interval }
    }

    /// A ratio of totals, one pair of totals per process, with Student's interval of its linearisation (Cochran
    /// 1977, chapter 6): what a total cost per operation is, rare expensive events included.
    pub fn ratio(&self, totals: &[(f64, f64)]) -> Option<Estimate> {
        let n = totals.len() as f64;
        let (above, below) = totals.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let value = above / below;
        if !value.is_finite() {
            return None;
        }
        let linear: Vec<f64> = totals.iter().map(|(a, b)| value + (a - value * b) / (below / n)).collect();
        let interval = by_student(&linear, self.alpha(totals.len()));
        // Costs are not negative; the interval of three wild processes may be.
        let interval = interval.and_then(finite).map(|i| Interval { lo: i.lo.max(0.0), hi: i.hi });
        Some(Estimate { value, interval })
    }
}

/// Hodges–Lehmann and its exact signed-rank interval at the nominal level `alpha`; Student's below [`ENOUGH`] values
/// or where the level is out of the ranks' reach; no interval under [`LEAST`] values.
pub fn robust(values: &[f64], alpha: f64) -> Estimate {
    let exact = if values.len() >= ENOUGH { signed_rank::interval(values, alpha) } else { None };
    let interval = exact.or_else(|| by_student(values, alpha));
    Estimate { value: location::hodges_lehmann(values), interval: interval.and_then(finite) }
}

/// An estimate whose interval reaches at least `resolution` to both sides.
pub fn reaching(estimate: Estimate, resolution: f64) -> Estimate {
    let Estimate { value, interval } = estimate;
    let reach = |i: Interval| Interval { lo: i.lo.min(value - resolution), hi: i.hi.max(value + resolution) };
    Estimate { value, interval: interval.map(reach) }
}

fn by_student(values: &[f64], alpha: f64) -> Option<derny_stats::Interval> {
    if values.len() < LEAST { None } else { student::interval(values, alpha) }
}

/// The nominal two-sided p-value of `values` lying about 0: by ranks, by Student's distribution below [`ENOUGH`] values; none
/// under [`LEAST`]. Where all values agree in sign the ranks say `2^(1 - n)`, however far from 0 the values are: a few pairs that
/// agree closely may share an error, as that of the order in which they were launched.
pub fn nominal_p(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < LEAST {
        return None;
    }
    if n >= ENOUGH {
        return Some(signed_rank::p_value(values));
    }
    let student = Some(student::p_value(values)).filter(|p| !p.is_nan());
    // Values without any spread: all at 0, or all off it.
    Some(student.unwrap_or(if values[0] == 0.0 { 1.0 } else { 0.0 }))
}

/// The interval in the words of the model; none where an end is not finite.
pub fn finite(interval: derny_stats::Interval) -> Option<Interval> {
    (interval.lo.is_finite() && interval.hi.is_finite())
        .then_some(Interval { lo: interval.lo, hi: interval.hi })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_comparisons_need_more_pairs_before_one_can_be_told_from_chance() {
        let (levels, looks) = (Levels::at(40, 0.95), [8, 11, 15, 21, 29, 40]);
        let told = |many, sequence: &dyn Fn(usize) -> Arc<Sequence>| {
            levels.telling_look(&looks, many, true, sequence)
        };
        // Time ends the last look, which spends what is left: .05 / 1.5 is more than 2 / 2^8, .05 / 210 less than 2 / 2^13.
        let ended = |n: usize| levels.until(n, true);
        assert_eq!([1, 13, 140, 10_000].map(|many| told(many, &ended)), [8, 11, 15, 21]);
        // One look of 40 planned pairs spends its share: 2 / 2^8 is worth 0.026, which is less than .05 / 1.5, and more than .05 / 3.
        let alone = |n: usize| levels.sequence(&[n], false);
        assert_eq!([1, 2, 64, 10_000].map(|many| told(many, &alone)), [8, 11, 15, 21]);
        assert_eq!(levels.telling_look(&looks[..1], 140, true, ended), 8);
        let few = Levels::at(8, 0.95);
        assert_eq!(few.telling_look(&[6, 8], 1, true, |n| few.sequence(&[n], false)), 8);
    }
}
