//! Intervals and their levels.

use derny_model::{Estimate, Interval, Settings, StopReason};
use derny_stats::repeated::RepeatedP;
use derny_stats::{Looks, anytime, location, looks, signed_rank, student};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of processes below which the signed-rank interval does not exist at 95 % and Student's is used.
pub const ENOUGH: usize = 6;

/// Returns the minimum number of processes of a variant, or of pairs, with which results of `variants`
/// variants have an exact interval.
pub fn enough(settings: &Settings, variants: usize) -> usize {
    if settings.waves && variants > 1 { looks::LEAST_OF_A_WAVE } else { ENOUGH }
}

/// Number below which there is no interval.
pub const LEAST: usize = derny_model::LEAST_REPLICATES as usize;

/// Part of the error for each look that depends only on the width of the interval. The width says little
/// about the position of the truth in it, so such looks need not share the error. The remaining two fifths
/// cover the dependence for skewed or few values.
const BY_WIDTH: f64 = 0.6;

/// Prior of the t-mixture for standardised means: N(0, 1), for differences as large as a pair's own noise.
const MIXTURE: f64 = 1.0;

/// The levels of a run's cases, depending on how each of them ended.
pub struct LookPlan {
    planned: Levels,
    ended: Levels,
}

impl LookPlan {
    /// Returns the plan from the levels of cases that end as planned.
    pub fn new(planned: Levels) -> LookPlan {
        LookPlan { ended: planned.ended(), planned }
    }

    /// Returns the levels for a case that ended for this reason. The end of its time is independent of its
    /// values, so the last look may spend all of the remaining error. A user who interrupts may have seen the
    /// values.
    pub fn after(&self, reason: Option<StopReason>) -> &Levels {
        if reason == Some(StopReason::Budget) { &self.ended } else { &self.planned }
    }

    /// Returns the levels of cases that ended as planned.
    pub fn planned(&self) -> &Levels {
        &self.planned
    }
}

/// The result of one quantity at one look, as a logarithm or in its own unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nominal {
    /// Estimate, with its interval at the level of the look.
    pub estimate: Estimate,
    /// Two-sided p-value of no change.
    pub p: Option<f64>,
    /// Two-sided p-value of the largest allowed change for the worse; 1 if the estimate is better than that.
    pub p_at_margin: Option<f64>,
}

/// The levels of one plan of looks.
pub struct Levels {
    looks: Looks,
    /// The error allowed over all looks together.
    alpha: f64,
    /// Looks may happen at any time, without end.
    anytime: bool,
    /// The time limit, not the values, made each requested look the last.
    ended: bool,
    /// The width of the interval ends the measuring.
    by_width: bool,
    /// Pairs are measured in waves.
    pub(crate) in_waves: bool,
    /// Sequences computed so far, by the numbers of replicates at the looks and whether time ended the last.
    known: Mutex<HashMap<Counts, Arc<Sequence>>>,
}

/// Numbers of replicates at the looks, and whether time ended the last.
type Counts = (Vec<usize>, bool);

/// Looks at some numbers of replicates, planned or not, each with its level.
pub struct Sequence {
    plan: Looks,
    /// Computed on first use, which takes milliseconds.
    repeated: OnceLock<RepeatedP>,
}

impl Sequence {
    /// Returns the nominal two-sided level of the look at `n` replicates, or `None` if there is no such look.
    pub fn alpha(&self, n: usize) -> Option<f64> {
        self.plan.alpha_at(n)
    }

    /// Returns the repeated p-value of a nominal one at `n` replicates: the overall error at which this
    /// look's interval would only just exclude no change (Jennison and Turnbull, 1984). Valid whenever the
    /// measuring stopped.
    pub fn repeated(&self, n: usize, nominal: f64) -> f64 {
        self.repeated.get_or_init(|| RepeatedP::new(&self.plan)).at(n, nominal).unwrap_or(1.0)
    }
}

impl Levels {
    /// Returns the levels that a run's settings imply, at the requested confidence.
    pub fn new(settings: &Settings) -> Levels {
        Levels::of_pairs(settings.processes as usize, settings.confidence, settings.waves)
    }

    /// Returns the levels of a run with this many variants. Without a comparison, cases end by the width of
    /// their intervals. Not with a requested precision: such a run may continue through all looks, and if
    /// values are of two kinds of unequal frequency, the width eventually says too much about the position.
    pub fn of_run(settings: &Settings, variants: usize) -> Levels {
        let in_waves = settings.waves && variants > 1;
        let levels = Levels::of_pairs(settings.processes as usize, settings.confidence, in_waves);
        let asked = settings.precision_asked || settings.precise;
        if variants < 2 && !asked { levels.by_width() } else { levels }
    }

    /// Returns the levels for at most `most` replicates.
    pub fn at(most: usize, confidence: f64) -> Levels {
        Levels::of(Looks::plan(most, confidence), false)
    }

    /// Returns the levels for at most `most` pairs, measured in waves or not.
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

    /// Returns the same levels for measuring that ends only by the width of the interval.
    #[must_use]
    pub fn by_width(self) -> Levels {
        Levels { by_width: true, ..self }
    }

    /// Returns levels without a plan, for intervals that may be read at any time and any number of times.
    pub fn anytime(confidence: f64) -> Levels {
        Levels { anytime: true, ..Levels::at(0, confidence) }
    }

    /// Returns true if there is no plan.
    pub fn is_anytime(&self) -> bool {
        self.anytime
    }

    /// Returns the error allowed over all looks together.
    pub fn error(&self) -> f64 {
        self.alpha
    }

    /// Returns the maximum number of planned replicates.
    pub fn most(&self) -> usize {
        self.looks.max
    }

    /// Returns the same levels for a case that ended because its time was over: the last look spends all of
    /// the remaining error.
    fn ended(&self) -> Levels {
        Levels { looks: self.looks.clone(), ended: true, known: Mutex::default(), ..*self }
    }

    /// Returns the confidence sequence of the mean by the t-mixture, and its p-value: valid at any time.
    pub fn any_time(&self, values: &[f64]) -> (Estimate, Option<f64>) {
        let interval = anytime::t_mixture_interval(values, MIXTURE, self.alpha).and_then(finite);
        let evidence = anytime::t_mixture_log_e(values, MIXTURE);
        let p = (values.len() > 1).then(|| libm::exp(-evidence).min(1.0));
        (Estimate { value: location::mean(values), interval }, p)
    }

    /// Returns the nominal two-sided level for `n` replicates: that of the look at which the case may have
    /// been stopped, so that the interval covers despite earlier looks. Without a planned look there (a block
    /// was lost), the earlier looks count and `n` spends its own share. Looks at the width alone have at
    /// least [`BY_WIDTH`].
    pub fn alpha(&self, n: usize) -> f64 {
        if self.anytime || n == 0 {
            return self.alpha;
        }
        let spent = self.until(n, self.ended).alpha(n).unwrap_or(self.alpha);
        if self.by_width { spent.max(BY_WIDTH * self.alpha) } else { spent }
    }

    /// Returns the planned looks before `n` and one at `n`; `ended` if time made that the last.
    pub fn until(&self, n: usize, ended: bool) -> Arc<Sequence> {
        self.sequence(&self.looks.until(n), ended)
    }

    /// Returns looks at these numbers of replicates, in increasing order; `ended` if time made the last one
    /// the end.
    pub fn sequence(&self, counts: &[usize], ended: bool) -> Arc<Sequence> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Sequence { plan: self.looks.taken(counts, ended), repeated: OnceLock::new() });
        Arc::clone(known.entry((counts.to_vec(), ended)).or_insert_with(new))
    }

    /// Returns the Hodges–Lehmann estimate with its exact signed-rank interval, or Student's below [`ENOUGH`]
    /// values or if ranks cannot reach the level; no interval below [`LEAST`] values.
    pub fn robust(&self, values: &[f64]) -> Estimate {
        robust(values, self.alpha(values.len()))
    }

    /// Returns the same for the logarithms of positive values, converted back to values. The interval extends
    /// at least `resolution` to both sides, as a share: values rounded to the same step agree, which says
    /// nothing about what was rounded off.
    pub fn robust_log(&self, logs: &[f64], resolution: f64) -> Estimate {
        let estimate = reaching(self.robust(logs), resolution);
        let interval = estimate.interval.map(|i| Interval { lo: libm::exp(i.lo), hi: libm::exp(i.hi) });
        Estimate { value: libm::exp(estimate.value), interval }
    }

    /// Returns a ratio of totals, one pair of totals per process, with Student's interval of its
    /// linearisation (Cochran, 1977, chapter 6): the cost of an operation including rare expensive events.
    pub fn ratio(&self, totals: &[(f64, f64)]) -> Option<Estimate> {
        let n = totals.len() as f64;
        let (above, below) = totals.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let value = above / below;
        if !value.is_finite() {
            return None;
        }
        let linear: Vec<f64> = totals.iter().map(|(a, b)| value + (a - value * b) / (below / n)).collect();
        let interval = by_student(&linear, self.alpha(totals.len()));
        // Costs cannot be negative, but the interval of three erratic processes may be.
        let interval = interval.and_then(finite).map(|i| Interval { lo: i.lo.max(0.0), hi: i.hi });
        Some(Estimate { value, interval })
    }
}

/// Returns the Hodges–Lehmann estimate with its exact signed-rank interval at the nominal level `alpha`, or
/// Student's below [`ENOUGH`] values or if ranks cannot reach the level; no interval below [`LEAST`] values.
pub fn robust(values: &[f64], alpha: f64) -> Estimate {
    let exact = if values.len() >= ENOUGH { signed_rank::interval(values, alpha) } else { None };
    let interval = exact.or_else(|| by_student(values, alpha));
    Estimate { value: location::hodges_lehmann(values), interval: interval.and_then(finite) }
}

/// Returns the estimate with an interval that extends at least `resolution` to both sides.
pub fn reaching(estimate: Estimate, resolution: f64) -> Estimate {
    let Estimate { value, interval } = estimate;
    let reach = |i: Interval| Interval { lo: i.lo.min(value - resolution), hi: i.hi.max(value + resolution) };
    Estimate { value, interval: interval.map(reach) }
}

fn by_student(values: &[f64], alpha: f64) -> Option<derny_stats::Interval> {
    if values.len() < LEAST { None } else { student::interval(values, alpha) }
}

/// Returns the nominal two-sided p-value of `values` lying about 0: by ranks, or by Student's distribution
/// below [`ENOUGH`] values; `None` below [`LEAST`]. If all values agree in sign, ranks give `2^(1 - n)`,
/// however far from 0 the values are: a few closely agreeing pairs may share an error, such as that of their
/// launch order.
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

/// Converts the interval to the model's, or returns `None` if an end is not finite.
pub fn finite(interval: derny_stats::Interval) -> Option<Interval> {
    (interval.lo.is_finite() && interval.hi.is_finite())
        .then_some(Interval { lo: interval.lo, hi: interval.hi })
}
