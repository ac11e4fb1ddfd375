//! When a measurement may be looked at while it runs, and what each look costs: group-sequential plans with
//! the error spending of Lan and DeMets (1983). An interval made at each look with that look's
//! nominal level covers at *all* looks together with the confidence asked for, so that any decision read from
//! it is honest whatever the stopping rule. Looking anywhere else is not paid for.

use crate::special::{falling_root, normal_cdf, normal_pdf, normal_quantile};
use libm::{cos, erfc, log, log1p};
use std::f64::consts::{E, FRAC_1_SQRT_2, PI};

/// The looks as shares of the largest sample, in thousandths.
const SHARES: [usize; 6] = [200, 275, 375, 525, 725, 1000];
/// One look of waves comes before those.
const EARLY: usize = 125;
/// Pairs of a wave under which two samples that do not overlap may be chance.
pub const LEAST_OF_A_WAVE: usize = 5;

/// The part of the two-sided error `alpha` that may be spent by fraction `t` in [0, 1]: `alpha ln(1 + (e - 1) t)`, which gives
/// about equal nominal levels, for early decisions (Lan and DeMets, 1983, after Pocock).
pub fn spent(t: f64, alpha: f64) -> f64 {
    alpha * log1p((E - 1.0) * t)
}

/// A plan: at which numbers of replicates (pairs or processes) to look, and at which nominal level.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    /// The numbers of replicates, increasing; the last is the largest planned.
    pub counts: Vec<usize>,
    /// The nominal two-sided level of the test or interval at each of them.
    pub alphas: Vec<f64>,
    /// The number of replicates at which all of the error would be spent, as planned at the start.
    pub max: usize,
    /// The share of plans without any error.
    pub confidence: f64,
    /// The last of these looks is known to be the last: it spends all that is left.
    pub ended: bool,
}

impl Looks {
    /// The default plan for at most `max` replicates: looks at a fifth and at growing shares up to all, none
    /// under 8 (under 6 where `max` is under 12), together erring with at most `1 - confidence`, spent after
    /// Pocock. A `max` of 0 gives no looks.
    pub fn plan(max: usize, confidence: f64) -> Looks {
        Looks::at_shares(&SHARES, if max < 12 { 6 } else { 8 }, max, confidence)
    }

    /// The same for pairs that are compared as two samples of waves ([`crate::strata`]): the first look is at an eighth, and none under 5.
    pub fn of_waves(max: usize, confidence: f64) -> Looks {
        let shares: Vec<usize> = std::iter::once(EARLY).chain(SHARES).collect();
        Looks::at_shares(&shares, LEAST_OF_A_WAVE, max, confidence)
    }

    fn at_shares(shares: &[usize], least: usize, max: usize, confidence: f64) -> Looks {
        let mut counts: Vec<usize> =
            shares.iter().map(|share| (max * share).div_ceil(1000).max(least).min(max)).collect();
        counts.dedup();
        counts.retain(|&n| n > 0);
        Looks { counts, alphas: Vec::new(), max, confidence, ended: false }.with_levels()
    }

    /// The planned looks before `n`, and one at `n`.
    pub fn until(&self, n: usize) -> Vec<usize> {
        let before = self.counts.iter().copied().filter(|&count| count < n);
        before.chain((n > 0).then_some(n)).collect()
    }

    /// The plan as it turned out with looks at these numbers of replicates, in increasing order: planned or not, each spends
    /// the share of its own, whatever comes after it (the looks of Lan and DeMets need not be known beforehand). More replicates than
    /// planned are taken for the plan. If `ended`, there is no look after the last for a reason that knows nothing of what was measured, as
    /// when the time is over, and it spends all that those before it have left. Not for whoever stops because of what is seen.
    pub fn taken(&self, counts: &[usize], ended: bool) -> Looks {
        let max = self.max.max(counts.last().copied().unwrap_or(0));
        let counts = counts.to_vec();
        Looks { ended: ended && !counts.is_empty(), counts, max, ..self.clone() }.with_levels()
    }

    /// The nominal two-sided level at `n` replicates; `None` where the plan does not look.
    pub fn alpha_at(&self, n: usize) -> Option<f64> {
        self.counts.iter().position(|&count| count == n).map(|look| self.alphas[look])
    }

    /// The boundaries of the plan had it been made for an error of `alpha`, on the scale of a standard normal.
    pub(crate) fn boundaries(&self, alpha: f64) -> Vec<f64> {
        // At the end all is spent, to the last bit.
        let end = if self.ended { self.counts.last().copied() } else { None }.unwrap_or(self.max);
        let steps = self.counts.iter().map(|&n| {
            let t = n as f64 / self.max as f64;
            (t, if n == end { alpha } else { spent(t, alpha) })
        });
        crossings(steps)
    }

    fn with_levels(mut self) -> Looks {
        let boundaries = self.boundaries(1.0 - self.confidence);
        self.alphas = boundaries.iter().map(|z| erfc(z * FRAC_1_SQRT_2)).collect();
        self
    }
}

/// The two-sided boundaries `|Z| >= z` for pairs of an information fraction (increasing, in (0, 1]) and the error spent by
/// then. By recursive integration of the density of what has not yet stopped (Armitage, McPherson and Rowe, 1969).
fn crossings(steps: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    let mut running = Running { mass: vec![(0.0, 0.5)], fraction: 0.0, spent: 0.0 };
    let rule = gauss_legendre();
    steps.map(|(t, spend)| running.look(t, spend, &rule)).collect()
}

/// The distribution of the score process among the paths that have not crossed a boundary yet.
struct Running {
    /// Points and masses of the upper half of the symmetric distribution.
    mass: Vec<(f64, f64)>,
    fraction: f64,
    spent: f64,
}

impl Running {
    /// Goes on to the next fraction, stops the paths that bring the error to `spend` in all, and returns the
    /// boundary on the scale of a standard normal.
    fn look(&mut self, fraction: f64, spend: f64, rule: &[(f64, f64)]) -> f64 {
        let sd = (fraction - self.fraction).sqrt();
        let share = (spend - self.spent).max(f64::MIN_POSITIVE);
        let widest = self.mass[self.mass.len() - 1].0 + sd * (10.0 - normal_quantile(share.min(0.5)));
        let edge = falling_root(0.0, widest, |edge| {
            let beyond: f64 =
                self.mass.iter().map(|&(s, m)| m * both(normal_cdf, s - edge, -s - edge, sd)).sum();
            (log(2.0 * beyond / share), -self.density(edge, sd) / beyond)
        });
        let points = rule.iter().map(|&(x, w)| (0.5 * edge * (1.0 + x), 0.5 * edge * w));
        self.mass = points.map(|(s, w)| (s, w * self.density(s, sd))).collect();
        (self.fraction, self.spent) = (fraction, spend);
        edge / fraction.sqrt()
    }

    /// The density at `s` after an increment of standard deviation `sd`.
    fn density(&self, s: f64, sd: f64) -> f64 {
        self.mass.iter().map(|&(from, m)| m * both(normal_pdf, s - from, s + from, sd)).sum::<f64>() / sd
    }
}

/// The contributions of a point and of its mirror image.
fn both(of: fn(f64) -> f64, a: f64, b: f64, sd: f64) -> f64 {
    of(a / sd) + of(b / sd)
}

/// Nodes and weights of Gauss–Legendre integration on [-1, 1], increasing; exact far beyond the printed digits
/// for Gaussians as narrow as the increments get.
fn gauss_legendre() -> Vec<(f64, f64)> {
    const NODES: usize = 48;
    let n = NODES as f64;
    let node = |i: usize| {
        let mut x = -cos(PI * (i as f64 + 0.75) / (n + 0.5));
        let mut slope = 0.0;
        for _ in 0..6 {
            let (mut before, mut value) = (1.0, x);
            for k in 2..=NODES {
                let k = k as f64;
                (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
            }
            slope = n * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..NODES).map(node).collect()
}
