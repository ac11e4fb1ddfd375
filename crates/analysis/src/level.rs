//! At which level an interval is made, and which interval it is.

use derny_model::{Estimate, Interval, Settings};
use derny_stats::looks::boundaries;
use derny_stats::{Looks, anytime, location, normal_cdf, signed_rank, student};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Under this many processes the signed-rank interval does not exist at 95 % and Student's is used.
pub(crate) const ENOUGH: usize = 6;

/// How the t-mixture weighs standardised means: N(0, 1), for differences of the size of a pair's own noise.
const MIXTURE: f64 = 1.0;

/// Points of a function by their logarithms.
type Curve = Vec<(f64, f64)>;

/// The levels of one plan of looks.
pub(crate) struct Levels {
    looks: Looks,
    /// The most replicates planned.
    most: usize,
    /// The error allowed over all looks together.
    alpha: f64,
    /// Looked at whenever somebody likes, without an end.
    anytime: bool,
    /// Nominal levels of numbers of replicates at which the plan does not look, as they are asked for.
    between: Mutex<HashMap<usize, f64>>,
    /// What overall errors come to at a number of replicates: `(ln overall, ln nominal)`, increasing.
    curves: Mutex<HashMap<usize, Arc<Curve>>>,
}

impl Levels {
    /// The plan of looks that the run's settings imply, at the confidence they ask for.
    pub(crate) fn new(settings: &Settings) -> Levels {
        Levels::at(settings.processes as usize, settings.confidence)
    }

    /// The plan for at most `most` replicates.
    pub(crate) fn at(most: usize, confidence: f64) -> Levels {
        let (between, curves) = (Mutex::default(), Mutex::default());
        let looks = Looks::plan(most, confidence);
        Levels { looks, most, alpha: 1.0 - confidence, anytime: false, between, curves }
    }

    /// No plan: intervals that may be read at any time, as often as one likes.
    pub(crate) fn anytime(confidence: f64) -> Levels {
        Levels { anytime: true, ..Levels::at(0, confidence) }
    }

    /// The estimate from values whose number of replicates is `n` (more than there are values where several make one).
    /// By ranks, at the level of this look; without a plan the t-mixture's confidence sequence about the mean.
    pub(crate) fn estimate(&self, values: &[f64], n: usize) -> Estimate {
        if !self.anytime {
            return robust(values, self.alpha(n));
        }
        let interval = anytime::t_mixture_interval(values, MIXTURE, self.alpha).and_then(finite);
        Estimate { value: location::mean(values), interval }
    }

    /// The p-value of those values lying about 0 that goes with that interval, honest at any look.
    pub(crate) fn p(&self, values: &[f64], n: usize) -> Option<f64> {
        if !self.anytime {
            return Some(self.repeated(n, nominal_p(values, self.alpha(n))?));
        }
        let evidence = anytime::t_mixture_log_e(values, MIXTURE);
        (values.len() > 1).then(|| (-evidence).exp().min(1.0))
    }

    /// The nominal two-sided level for `n` replicates: that of the look at which the case may have been stopped,
    /// so that the interval still covers although it was looked at before. Where the plan does not look (the
    /// budget ended between two looks, a block was lost), the looks before count and `n` spends its own share
    /// (Lan and DeMets 1983, whose looks need not be known beforehand).
    pub(crate) fn alpha(&self, n: usize) -> f64 {
        if self.anytime {
            return self.alpha;
        }
        if let Some(planned) = self.looks.alpha_at(n) {
            return planned;
        }
        let mut known = self.between.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(n).or_insert_with(|| self.nominal(n, self.alpha))
    }

    /// The nominal level at `n` of looks that err with `alpha` together.
    fn nominal(&self, n: usize, alpha: f64) -> f64 {
        let most = self.most.max(n).max(1) as f64;
        let before = self.looks.counts.iter().filter(|count| **count < n);
        let fractions: Vec<f64> = before.chain([&n]).map(|count| *count as f64 / most).collect();
        let last = boundaries(&fractions, alpha).pop();
        last.map_or(alpha, |z| 2.0 * normal_cdf(-z))
    }

    /// The repeated p-value of a nominal one at `n` replicates: the overall error at which this look's interval
    /// would just have left no change out (Jennison and Turnbull 1984). Honest whenever the measuring stopped.
    fn repeated(&self, n: usize, nominal: f64) -> f64 {
        if nominal <= 0.0 {
            return 0.0;
        }
        let curve = {
            let mut curves = self.curves.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(curves.entry(n).or_insert_with(|| Arc::new(self.curve(n))))
        };
        let x = nominal.ln();
        let Some(after) = curve.iter().position(|point| point.1 >= x) else { return 1.0 };
        let Some(before) = after.checked_sub(1) else {
            // Far out both fall alike.
            return (curve[0].0 + x - curve[0].1).exp();
        };
        let ((y0, x0), (y1, x1)) = (curve[before], curve[after]);
        (y0 + (y1 - y0) * (x - x0) / (x1 - x0)).exp()
    }

    /// Points of the curve of [`Self::repeated`], among them the overall error itself, so that p-value and
    /// interval agree there.
    fn curve(&self, n: usize) -> Curve {
        const RATIO: [f64; 14] =
            [1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0];
        let below = RATIO.iter().map(|ratio| ratio * self.alpha);
        let above = (1..=10).map(|k| self.alpha + (0.99 - self.alpha) * f64::from(k) / 10.0);
        let overall = below.chain(above.filter(|alpha| *alpha > self.alpha));
        overall.map(|alpha| (alpha.ln(), self.nominal(n, alpha).ln())).collect()
    }

    /// Hodges–Lehmann and its exact signed-rank interval; Student's below [`ENOUGH`] values or where the level
    /// is out of the ranks' reach; no interval for a single value.
    pub(crate) fn robust(&self, values: &[f64]) -> Estimate {
        robust(values, self.alpha(values.len()))
    }

    /// The same for the logarithms of positive values, given back as values.
    pub(crate) fn robust_log(&self, logs: &[f64]) -> Estimate {
        let estimate = self.robust(logs);
        let interval = estimate.interval.map(|i| Interval { lo: i.lo.exp(), hi: i.hi.exp() });
        Estimate { value: estimate.value.exp(), interval }
    }

    /// A ratio of totals, one pair of totals per process, with Student's interval of its linearisation (Cochran
    /// 1977, chapter 6): what a total cost per operation is, rare expensive events included.
    pub(crate) fn ratio(&self, totals: &[(f64, f64)]) -> Option<Estimate> {
        let n = totals.len() as f64;
        let (above, below) = totals.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        let value = above / below;
        if !value.is_finite() {
            return None;
        }
        let linear: Vec<f64> = totals.iter().map(|(a, b)| value + (a - value * b) / (below / n)).collect();
        let interval = student::interval(&linear, self.alpha(totals.len()));
        // Costs are not negative; the interval of three wild processes may be.
        let interval = interval.and_then(finite).map(|i| Interval { lo: i.lo.max(0.0), hi: i.hi });
        Some(Estimate { value, interval })
    }
}

/// Hodges–Lehmann and its exact signed-rank interval at the nominal level `alpha`; Student's below [`ENOUGH`] values
/// or where the level is out of the ranks' reach; no interval for a single value.
fn robust(values: &[f64], alpha: f64) -> Estimate {
    let exact = if values.len() >= ENOUGH { signed_rank::interval(values, alpha) } else { None };
    let interval = exact.or_else(|| student::interval(values, alpha));
    Estimate { value: location::hodges_lehmann(values), interval: interval.and_then(finite) }
}

/// The nominal two-sided p-value of `values` lying about 0, by the method of [`robust`] at `alpha`; none for a single
/// value. Where all values agree in sign the ranks have said all that they can, `2^(1 - n)`, however far from 0 the
/// values are; Student's goes on from there, so that a clear change stands out of a large family.
fn nominal_p(values: &[f64], alpha: f64) -> Option<f64> {
    let n = values.len();
    if n < 2 {
        return None;
    }
    let student = Some(student::p_value(values)).filter(|p| !p.is_nan());
    // Values without any spread: all at 0, or all off it.
    let student = student.unwrap_or(if values[0] == 0.0 { 1.0 } else { 0.0 });
    if n < ENOUGH || signed_rank::margin(n, alpha).is_none() {
        return Some(student);
    }
    let agree = values.iter().all(|value| *value > 0.0) || values.iter().all(|value| *value < 0.0);
    let ranks = signed_rank::p_value(values);
    Some(if agree { ranks.min(student) } else { ranks })
}

fn finite(interval: derny_stats::Interval) -> Option<Interval> {
    (interval.lo.is_finite() && interval.hi.is_finite())
        .then_some(Interval { lo: interval.lo, hi: interval.hi })
}
