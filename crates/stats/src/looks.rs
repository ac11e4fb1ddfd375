//! Group-sequential plans: when to look at a running measurement, and how much error each look spends (Lan
//! and DeMets, 1983). The intervals of all looks cover simultaneously with the requested confidence. Any
//! decision based on them is therefore valid, whatever the stopping rule. The plan does not cover looks at
//! other times.

use crate::special::{falling_root, normal_cdf, normal_pdf, normal_quantile};
use libm::{cos, erfc, log, log1p};
use std::f64::consts::{E, FRAC_1_SQRT_2, PI};

/// The looks as shares of the largest sample, in thousandths.
const SHARES: [usize; 6] = [200, 275, 375, 525, 725, 1000];
/// The additional first look of a plan for waves, in thousandths.
const EARLY: usize = 125;
/// Smallest number of pairs in a wave that allows a look. With fewer pairs, chance alone may separate the two
/// samples completely.
pub const LEAST_OF_A_WAVE: usize = 5;

/// Returns the part of the two-sided error `alpha` that may be spent by fraction `t` in [0, 1]:
/// `alpha ln(1 + (e - 1) t)`. The nominal levels are then about equal, which allows early decisions (Lan and
/// DeMets, 1983, after Pocock).
pub fn spent(t: f64, alpha: f64) -> f64 {
    alpha * log1p((E - 1.0) * t)
}

/// A plan of looks: the numbers of replicates (pairs or processes) and their nominal levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    /// Numbers of replicates, in ascending order. The last one is the largest planned.
    pub counts: Vec<usize>,
    /// Nominal two-sided level of the test or interval at each of `counts`.
    pub alphas: Vec<f64>,
    /// Number of replicates at which the initial plan spends all of the error.
    pub max: usize,
    /// Probability that a complete plan makes no error.
    pub confidence: f64,
    /// True if no further look follows, so the last look spends all of the remaining error.
    pub ended: bool,
}

impl Looks {
    /// Returns the default plan for at most `max` replicates. The looks are at a fifth of `max` and at
    /// increasing shares up to all of it, but none below 8 replicates (6 if `max` is under 12). The
    /// probability that any of them errs is at most `1 - confidence`. The error is spent as in [`spent`]. A
    /// `max` of 0 gives no looks.
    pub fn plan(max: usize, confidence: f64) -> Looks {
        Looks::at_shares(&SHARES, if max < 12 { 6 } else { 8 }, max, confidence)
    }

    /// Returns the plan for pairs that are compared as two samples of waves ([`crate::strata`]). The first
    /// look is at an eighth of `max`, and no look is below 5.
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

    /// Returns the planned looks before `n`, followed by a look at `n` unless `n` is 0.
    pub fn until(&self, n: usize) -> Vec<usize> {
        let before = self.counts.iter().copied().filter(|&count| count < n);
        before.chain((n > 0).then_some(n)).collect()
    }

    /// Returns the plan that results from looks at these numbers of replicates, in ascending order. With the
    /// method of Lan and DeMets, looks need not be planned: each spends its own share of the error. If there
    /// are more replicates than planned, their number becomes the maximum.
    ///
    /// If `ended`, the last look spends all of the remaining error. That is valid only if the measurement
    /// ended for a reason independent of the data, such as the time budget. Do not set it if you stop because
    /// of a result.
    pub fn taken(&self, counts: &[usize], ended: bool) -> Looks {
        let max = self.max.max(counts.last().copied().unwrap_or(0));
        let counts = counts.to_vec();
        Looks { ended: ended && !counts.is_empty(), counts, max, ..self.clone() }.with_levels()
    }

    /// Returns the nominal two-sided level at `n` replicates, or `None` if the plan has no look there.
    pub fn alpha_at(&self, n: usize) -> Option<f64> {
        self.counts.iter().position(|&count| count == n).map(|look| self.alphas[look])
    }

    /// Returns the boundaries of the same plan for an error of `alpha`, as standard normal deviates.
    pub(crate) fn boundaries(&self, alpha: f64) -> Vec<f64> {
        // The last look spends exactly `alpha`, without rounding errors.
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

/// Returns the two-sided boundaries `|Z| >= z`. `steps` contains increasing information fractions in (0, 1],
/// each with the error spent by then. Integrates recursively over the density of the paths that have not
/// stopped (Armitage, McPherson and Rowe, 1969).
fn crossings(steps: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    let mut running = Running { mass: vec![(0.0, 0.5)], fraction: 0.0, spent: 0.0 };
    let rule = gauss_legendre();
    steps.map(|(t, spend)| running.look(t, spend, &rule)).collect()
}

/// The distribution of the score process over the paths that have not crossed a boundary.
struct Running {
    /// Points and masses of the upper half. The distribution is symmetric.
    mass: Vec<(f64, f64)>,
    fraction: f64,
    spent: f64,
}

impl Running {
    /// Advances to the next fraction, and stops paths until the total error is `spend`. Returns the boundary
    /// as a standard normal deviate.
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

    fn density(&self, s: f64, sd: f64) -> f64 {
        self.mass.iter().map(|&(from, m)| m * both(normal_pdf, s - from, s + from, sd)).sum::<f64>() / sd
    }
}

fn both(of: fn(f64) -> f64, a: f64, b: f64, sd: f64) -> f64 {
    of(a / sd) + of(b / sd)
}

/// Returns the ascending nodes and the weights of Gauss–Legendre integration on [-1, 1]. They are precise
/// enough even for the narrowest increments.
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
