//! Confidence intervals and their levels.

use derny_model::{Estimate, Interval, Settings, StopReason};
use derny_stats::repeated::RepeatedP;
use derny_stats::{Looks, anytime, location, looks, signed_rank, student};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// With at least this many processes, the signed-rank interval exists at 95 %. With fewer, Student's interval
/// is used.
pub const ENOUGH: usize = 6;

/// Returns the minimum number of processes, or of pairs, for an exact interval with `variants` variants.
pub fn enough(settings: &Settings, variants: usize) -> usize {
    if settings.waves && variants > 1 { looks::LEAST_OF_A_WAVE } else { ENOUGH }
}

/// Minimum number of values for an interval.
pub const LEAST: usize = derny_model::LEAST_REPLICATES as usize;

/// Minimum share of the error for a look that depends only on the width of the interval. The width reveals
/// little about the location of the true value, so these looks need not split the error. The other two fifths
/// are reserve for skewed or few values.
const BY_WIDTH: f64 = 0.6;

/// Scale of the prior of the t-mixture, N(0, 1) for standardised means. It suits differences as large as the
/// noise of a pair.
const MIXTURE: f64 = 1.0;

/// The levels for the cases of a run. They depend on why each case ended.
pub struct LookPlan {
    planned: Levels,
    ended: Levels,
}

impl LookPlan {
    /// Creates the plan from the levels for cases that end as planned.
    pub fn new(planned: Levels) -> LookPlan {
        LookPlan { ended: planned.ended(), planned }
    }

    /// Returns the levels for a case that ended for this reason. A time limit does not depend on the values,
    /// so the last look may spend all of the remaining error. A user who interrupts may have seen the values.
    pub fn after(&self, reason: Option<StopReason>) -> &Levels {
        if reason == Some(StopReason::Budget) { &self.ended } else { &self.planned }
    }

    /// Returns the levels for cases that ended as planned.
    pub fn planned(&self) -> &Levels {
        &self.planned
    }
}

/// The result of a quantity at one look, as a logarithm or in the unit of the quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nominal {
    /// Estimate with an interval at the level of the look.
    pub estimate: Estimate,
    /// Two-sided p-value of the hypothesis that nothing changed.
    pub p: Option<f64>,
    /// Two-sided p-value of the largest allowed regression. 1 if the estimate is better than that.
    pub p_at_margin: Option<f64>,
}

/// The levels of the looks of one plan.
pub struct Levels {
    looks: Looks,
    /// Error allowed over all looks together.
    alpha: f64,
    /// True if looks may happen at any time and in any number.
    anytime: bool,
    /// True if the time limit, and not the values, ended the run at each requested look.
    ended: bool,
    /// True if the width of the interval ends the run.
    by_width: bool,
    /// True if pairs are measured in waves.
    pub(crate) in_waves: bool,
    known: Mutex<HashMap<Counts, Arc<Sequence>>>,
}

type Counts = (Vec<usize>, bool);

/// A sequence of looks with the level of each.
pub struct Sequence {
    plan: Looks,
    /// Computed on first use, because that takes milliseconds.
    repeated: OnceLock<RepeatedP>,
}

impl Sequence {
    /// Returns the nominal two-sided level of the look at `n` replicates, or `None` if there is no such look.
    pub fn alpha(&self, n: usize) -> Option<f64> {
        self.plan.alpha_at(n)
    }

    /// Returns the repeated p-value for a nominal one at `n` replicates. It is the overall error at which the
    /// interval of this look just excludes 0 (Jennison and Turnbull, 1984). It is valid whenever the run
    /// stopped.
    pub fn repeated(&self, n: usize, nominal: f64) -> f64 {
        self.repeated.get_or_init(|| RepeatedP::new(&self.plan)).at(n, nominal).unwrap_or(1.0)
    }
}

impl Levels {
    /// Returns the levels for a run with these settings, at the requested confidence.
    pub fn new(settings: &Settings) -> Levels {
        Levels::of_pairs(settings.processes as usize, settings.confidence, settings.waves)
    }

    /// Returns the levels for a run with this many variants. With one variant, there is no comparison, and
    /// the width of the interval ends a case ([`Levels::by_width`]).
    ///
    /// This is not valid if a precision was requested, because the run may then continue through all looks.
    /// If the values form two groups of unequal size, the width of the interval eventually depends on its
    /// location.
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

    /// Returns the levels for at most `most` pairs. `in_waves` is true if they are measured in waves.
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

    /// Returns these levels for a run that ends only by the width of the interval.
    #[must_use]
    pub fn by_width(self) -> Levels {
        Levels { by_width: true, ..self }
    }

    /// Returns levels without a plan, for intervals that may be read at any time and any number of times.
    pub fn anytime(confidence: f64) -> Levels {
        Levels { anytime: true, ..Levels::at(0, confidence) }
    }

    /// Returns true if no looks are planned, so that the results are valid after any number of processes.
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

    /// Returns the levels for a case whose time ran out. The last look spends all of the remaining error.
    fn ended(&self) -> Levels {
        Levels { looks: self.looks.clone(), ended: true, known: Mutex::default(), ..*self }
    }

    /// Returns the mean with its confidence sequence by the t-mixture, and the p-value. Both are valid at any
    /// time.
    pub fn any_time(&self, values: &[f64]) -> (Estimate, Option<f64>) {
        let interval = anytime::t_mixture_interval(values, MIXTURE, self.alpha).and_then(finite);
        let evidence = anytime::t_mixture_log_e(values, MIXTURE);
        let p = (values.len() > 1).then(|| libm::exp(-evidence).min(1.0));
        (Estimate { value: location::mean(values), interval }, p)
    }

    /// Returns the nominal two-sided level for `n` replicates. It is the level of the look at which the case
    /// may have stopped, so the interval is valid despite earlier looks. If a lost block leaves no planned
    /// look at `n`, the level is that of an additional look. Looks that depend only on the width get at least
    /// the share [`BY_WIDTH`] of the error.
    pub fn alpha(&self, n: usize) -> f64 {
        if self.anytime || n == 0 {
            return self.alpha;
        }
        let spent = self.until(n, self.ended).alpha(n).unwrap_or(self.alpha);
        if self.by_width { spent.max(BY_WIDTH * self.alpha) } else { spent }
    }

    /// Returns the planned looks before `n`, and one at `n`. `ended` is true if a time limit made it the last
    /// look.
    pub fn until(&self, n: usize, ended: bool) -> Arc<Sequence> {
        self.sequence(&self.looks.until(n), ended)
    }

    /// Returns looks at these numbers of replicates, in ascending order. `ended` is true if a time limit
    /// caused the last look.
    pub fn sequence(&self, counts: &[usize], ended: bool) -> Arc<Sequence> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Sequence { plan: self.looks.taken(counts, ended), repeated: OnceLock::new() });
        Arc::clone(known.entry((counts.to_vec(), ended)).or_insert_with(new))
    }

    /// Returns the Hodges–Lehmann estimate with its exact signed-rank interval. With fewer than [`ENOUGH`]
    /// values, or if ranks cannot reach the level, the interval is Student's. With fewer than [`LEAST`]
    /// values, there is no interval.
    pub fn robust(&self, values: &[f64]) -> Estimate {
        robust(values, self.alpha(values.len()))
    }

    /// Returns the estimate for the logarithms of positive values, converted back to values. The interval
    /// extends by at least the share `resolution` in both directions. Values rounded to the same step agree
    /// exactly, but share an unknown rounding error.
    pub fn robust_log(&self, logs: &[f64], resolution: f64) -> Estimate {
        let estimate = reaching(self.robust(logs), resolution);
        let interval = estimate.interval.map(|i| Interval { lo: libm::exp(i.lo), hi: libm::exp(i.hi) });
        Estimate { value: libm::exp(estimate.value), interval }
    }

    /// Returns the ratio of totals, with Student's interval of its linearisation (Cochran, 1977, chapter 6).
    /// `totals` contains a pair per process. The ratio includes the cost of rare expensive events.
    pub fn ratio(&self, totals: &[(f64, f64)]) -> Option<Estimate> {
        let n = totals.len() as f64;
        let (above, below) = totals.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let value = above / below;
        if !value.is_finite() {
            return None;
        }
        let linear: Vec<f64> = totals.iter().map(|(a, b)| value + (a - value * b) / (below / n)).collect();
        let interval = by_student(&linear, self.alpha(totals.len()));
        // Costs cannot be negative, but the lower end of Student's interval can be.
        let interval = interval.and_then(finite).map(|i| Interval { lo: i.lo.max(0.0), hi: i.hi });
        Some(Estimate { value, interval })
    }
}

/// Returns the Hodges–Lehmann estimate with its exact signed-rank interval at the nominal level `alpha`. With
/// fewer than [`ENOUGH`] values, or if ranks cannot reach the level, the interval is Student's. With fewer
/// than [`LEAST`] values, there is no interval.
pub fn robust(values: &[f64], alpha: f64) -> Estimate {
    let exact = if values.len() >= ENOUGH { signed_rank::interval(values, alpha) } else { None };
    let interval = exact.or_else(|| by_student(values, alpha));
    Estimate { value: location::hodges_lehmann(values), interval: interval.and_then(finite) }
}

/// Widens the interval to at least `resolution` on both sides of the estimate.
pub fn reaching(estimate: Estimate, resolution: f64) -> Estimate {
    let Estimate { value, interval } = estimate;
    let reach = |i: Interval| Interval { lo: i.lo.min(value - resolution), hi: i.hi.max(value + resolution) };
    Estimate { value, interval: interval.map(reach) }
}

fn by_student(values: &[f64], alpha: f64) -> Option<derny_stats::Interval> {
    if values.len() < LEAST { None } else { student::interval(values, alpha) }
}

/// Returns the nominal two-sided p-value for the hypothesis that `values` are centred at 0. Uses ranks, or
/// Student's distribution for fewer than [`ENOUGH`] values. Returns `None` for fewer than [`LEAST`].
///
/// If all values have the same sign, ranks give `2^(1 - n)`, however far from 0 the values are. That is
/// deliberate: a few pairs that agree closely may share an error, such as that of their launch order.
pub fn nominal_p(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < LEAST {
        return None;
    }
    if n >= ENOUGH {
        return Some(signed_rank::p_value(values));
    }
    let student = Some(student::p_value(values)).filter(|p| !p.is_nan());
    // Without spread, the p-value is 1 if all values are 0, and 0 otherwise.
    Some(student.unwrap_or(if values[0] == 0.0 { 1.0 } else { 0.0 }))
}

/// Converts an interval to the model's type. Returns `None` if an end is not finite.
pub fn finite(interval: derny_stats::Interval) -> Option<Interval> {
    (interval.lo.is_finite() && interval.hi.is_finite())
        .then_some(Interval { lo: interval.lo, hi: interval.hi })
}
