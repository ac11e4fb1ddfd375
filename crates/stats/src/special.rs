//! Special functions for the distributions. All transcendental functions come from `libm`, so that results
//! are bit-identical on every platform.

use libm::{erfc, exp, lgamma, log, log1p};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Returns the distribution function of the standard normal at `z`.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

/// Returns the density of the standard normal at `z`.
pub fn normal_pdf(z: f64) -> f64 {
    exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// Returns the quantile of the standard normal at `p`: infinite at 0 and 1, NaN outside.
///
/// Starts from formula 26.2.23 of Abramowitz and Stegun, and then takes Halley steps on the smaller tail.
/// This keeps the relative precision of very small `p`.
pub fn normal_quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let tail = p.min(1.0 - p);
    if tail == 0.0 {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let t = (-2.0 * log(tail)).sqrt();
    let mut z = t
        - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for _ in 0..3 {
        let newton = (normal_cdf(-z) - tail) / normal_pdf(z);
        z += newton / (1.0 - 0.5 * z * newton);
    }
    if p < 0.5 { -z } else { z }
}

/// Returns the distribution function of Beta(a, b) at `x`: the regularised incomplete beta function, by
/// Lentz's evaluation of its continued fraction. `a` and `b` must be positive.
pub fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    Beta::new(a, b).cdf(x)
}

/// A beta distribution, prepared for evaluation at many points.
pub(crate) struct Beta {
    a: f64,
    b: f64,
    /// Logarithm of the density's normalising constant, for the lower and the upper tail. The two differ only
    /// in rounding, because they subtract their terms in different order.
    scale: [f64; 2],
}

impl Beta {
    pub(crate) fn new(a: f64, b: f64) -> Beta {
        let (whole, of_a, of_b) = (lgamma(a + b), lgamma(a), lgamma(b));
        Beta { a, b, scale: [whole - of_a - of_b, whole - of_b - of_a] }
    }

    pub(crate) fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() || x <= 0.0 {
            return if x.is_nan() { x } else { 0.0 };
        }
        if x >= 1.0 {
            return 1.0;
        }
        let Beta { a, b, scale: [lower, upper] } = *self;
        // The continued fraction converges fast only below the mean. Above it, use the other tail.
        if x > (a + 1.0) / (a + b + 2.0) {
            return 1.0 - beta_tail(1.0 - x, b, a, upper);
        }
        beta_tail(x, a, b, lower)
    }
}

fn beta_tail(x: f64, a: f64, b: f64, scale: f64) -> f64 {
    let front = exp(scale + a * log(x) + b * log1p(-x)) / a;
    let even = |m: f64| m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    let odd = |m: f64| -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    let terms = (0..).map(f64::from).flat_map(|m| [even(m + 1.0), odd(m + 1.0)]);
    front / lentz(1.0, std::iter::once(odd(0.0)).chain(terms).map(|numerator| (numerator, 1.0)))
}

/// Returns the upper tail at `x` of the gamma distribution with shape `a` and scale 1: the regularised
/// incomplete gamma function Q(a, x).
pub fn gamma_upper(a: f64, x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return if x.is_nan() { x } else { 1.0 };
    }
    let front = exp(a * log(x) - x - lgamma(a));
    if x < a + 1.0 { 1.0 - front * gamma_series(a, x) } else { front / gamma_fraction(a, x) }
}

pub(crate) fn gamma_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut shape) = (1.0 / a, 1.0 / a, a);
    while term > sum * f64::EPSILON * 0.1 {
        shape += 1.0;
        term *= x / shape;
        sum += term;
    }
    sum
}

pub(crate) fn gamma_fraction(a: f64, x: f64) -> f64 {
    let terms = (1..).map(f64::from).map(|m| (-m * (m - a), x + 2.0 * m + 1.0 - a));
    lentz(x + 1.0 - a, terms)
}

/// Returns the upper tail of the chi-squared distribution with `df` degrees of freedom.
pub fn chi_squared_upper(x: f64, df: f64) -> f64 {
    gamma_upper(0.5 * df, 0.5 * x)
}

/// Returns the root of a decreasing function in `[low, high]`. `at` returns the function's value and slope.
/// Uses Newton's method, and bisects if a step would leave the bracket.
pub(crate) fn falling_root(mut low: f64, mut high: f64, at: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = low;
    for _ in 0..200 {
        let (value, slope) = at(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        if (newton - x).abs() <= 4e-15 * x.abs() {
            return newton; // without this, rounding sends the last steps out of the bracket
        }
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= 1e-15 * next.abs() || next == low || next == high {
            return next;
        }
        x = next;
    }
    x
}

fn lentz(first: f64, terms: impl Iterator<Item = (f64, f64)>) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |x: f64| if x.abs() < TINY { TINY } else { x };
    let mut value = away(first);
    let (mut c, mut d) = (value, 0.0);
    for (a, b) in terms.take(100_000) {
        d = 1.0 / away(b + a * d);
        c = away(b + a / c);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}
