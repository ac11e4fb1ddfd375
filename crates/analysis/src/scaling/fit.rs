//! Chooses the law of growth: `constant + factor × law(n)`, or a power of n.
//!
//! Fits minimise absolute deviations of logarithms, because errors of times are relative, and an outlier
//! must not bend the curve. Cross-validation compares the laws: each point is predicted from a fit to the
//! others. R² would be near 1 for every increasing law. Information criteria such as AIC assume that noise is
//! the only error, but real curves end in cache effects.
//!
//! The result is the simplest law whose errors are not clearly above the smallest, and the names of its
//! rivals. The limit is one standard error of the paired differences (after Breiman et al., 1984).

use derny_model::{Estimate, Growth};
use derny_stats::{mean, median, variance};

const POWER: &str = "n^k";

/// From the simplest law to the most flexible. Each law is tried without a constant first, because a
/// superfluous constant makes predictions at the ends worse.
const LAWS: [Law; 12] = [
    Law { name: "1", constant: false, of: |_| 0.0 },
    Law { name: "log n", constant: false, of: libm::log },
    Law { name: "log n", constant: true, of: libm::log },
    Law { name: "n", constant: false, of: |n| n },
    Law { name: "n", constant: true, of: |n| n },
    Law { name: "n log n", constant: false, of: |n| n * libm::log(n) },
    Law { name: "n log n", constant: true, of: |n| n * libm::log(n) },
    Law { name: "n²", constant: false, of: |n| n * n },
    Law { name: "n²", constant: true, of: |n| n * n },
    Law { name: "n³", constant: false, of: |n| n * n * n },
    Law { name: "n³", constant: true, of: |n| n * n * n },
    Law { name: POWER, constant: false, of: |n| n },
];

const LEAST: usize = 4;
/// Maximum mean error of a true law, in standard errors of a point. The mean absolute value of a normal error
/// is 0.8 standard errors. The rest allows for errors of the fit and for few points.
const NOISE: f64 = 1.5;
/// Prediction error, as a share, above which no law fits unless noise explains the error. Only a power is
/// then reported, and its exponent is a mere description.
const FAR: f64 = 0.25;
/// Minimum distance of an outlier from the fit, as a multiple of the others' scatter.
const OFF: f64 = 5.0;
/// Minimum distance of an outlier from the fit, as a share.
const OFF_SHARE: f64 = 0.05;

#[derive(Clone, Copy)]
struct Law {
    name: &'static str,
    constant: bool,
    of: fn(f64) -> f64,
}

#[derive(Clone, Copy)]
struct Fit {
    law: Law,
    factor: f64,
    /// Constant divided by the factor. For a power, the exponent.
    shape: f64,
}

pub(super) struct Chosen {
    fit: Fit,
    /// Mean relative error of predictions for points that the fit excluded.
    error: f64,
    also: Vec<String>,
    /// Fitted values, as logarithms.
    pub logs: Vec<f64>,
    /// For each point, true if it is an outlier.
    pub off: Vec<bool>,
}

/// Chooses the law of `logs` over `x`, which is positive and ascending. `noise` is the typical standard error
/// of a logarithm. Returns `None` for fewer than four points.
pub(super) fn choose(x: &[f64], logs: &[f64], noise: f64) -> Option<Chosen> {
    if x.len() < LEAST {
        return None;
    }
    let logarithmic = |law: &Law| law.name.contains("log");
    let usable = |law: &&Law| !logarithmic(law) || x[0] > 1.0 || (x[0] == 1.0 && law.constant);
    let tried: Vec<(Law, Vec<f64>)> =
        LAWS.iter().filter(usable).map(|law| (*law, foretold(*law, x, logs))).collect();
    let total = |errors: &[f64]| mean(errors);
    let best = tried.iter().min_by(|a, b| total(&a.1).total_cmp(&total(&b.1)))?;
    let mut good: Vec<&(Law, Vec<f64>)> =
        tried.iter().filter(|one| as_good(&one.1, &best.1, noise)).collect();
    let nearest = &good.first()?.1;
    if libm::expm1(median(nearest)) > FAR && mean(nearest) > NOISE * noise {
        good = tried.last().into_iter().collect();
    }
    let (law, errors) = good.first()?;
    let fit = Fit::of(*law, x, logs);
    let fitted: Vec<f64> = x.iter().map(|x| fit.log(*x)).collect();
    let residuals: Vec<f64> = logs.iter().zip(&fitted).map(|(log, fitted)| log - fitted).collect();
    let mut also: Vec<String> = good.iter().map(|(law, _)| law.name.to_owned()).collect();
    also.dedup();
    also.remove(0);
    Some(Chosen { fit, error: libm::expm1(median(errors)), also, off: off(&residuals, noise), logs: fitted })
}

impl Chosen {
    /// Returns the law with its terms. `exponent` was fitted to the points without outliers.
    pub(super) fn growth(self, exponent: Estimate) -> Growth {
        let (constant, factor) = self.fit.terms();
        let exponent = (self.fit.law.name == POWER).then_some(exponent);
        Growth {
            law: self.fit.law.name.to_owned(),
            constant,
            factor,
            exponent,
            error: self.error,
            also: self.also,
        }
    }
}

/// Returns true if errors are not clearly above the best, or if noise explains them.
fn as_good(errors: &[f64], best: &[f64], noise: f64) -> bool {
    if mean(errors) <= NOISE * noise {
        return true;
    }
    let differences: Vec<f64> = errors.iter().zip(best).map(|(error, best)| error - best).collect();
    let deviation = (variance(&differences) / differences.len() as f64).sqrt();
    mean(&differences) <= deviation
}

/// Predicts each point from a fit to the others. Returns the errors.
fn foretold(law: Law, x: &[f64], logs: &[f64]) -> Vec<f64> {
    let without = |values: &[f64], place: usize| [&values[..place], &values[place + 1..]].concat();
    let error = |place: usize| {
        let fit = Fit::of(law, &without(x, place), &without(logs, place));
        (logs[place] - fit.log(x[place])).abs()
    };
    (0..x.len()).map(error).collect()
}

/// Flags points that are outliers relative to the scatter of the others. A fit with two parameters passes
/// through two points, so the two smallest residuals do not count as scatter.
fn off(residuals: &[f64], noise: f64) -> Vec<bool> {
    let mut sizes: Vec<f64> = residuals.iter().map(|residual| residual.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let scatter = derny_stats::MAD_TO_SIGMA * median(&sizes[2..]);
    let bound = OFF * scatter.max(noise);
    let most = residuals.len() / 3;
    let off: Vec<bool> = residuals.iter().map(|r| r.abs() > bound && r.abs() > OFF_SHARE).collect();
    // If more than a third of the points are far off, none is an outlier.
    if off.iter().filter(|off| **off).count() > most { vec![false; residuals.len()] } else { off }
}

impl Fit {
    /// Minimises absolute deviations. For a given shape, the best factor is a median. A search finds the
    /// shape.
    fn of(law: Law, x: &[f64], logs: &[f64]) -> Fit {
        let at = |shape: f64| {
            let rest: Vec<f64> = x.iter().zip(logs).map(|(x, log)| log - shaped(law, shape, *x)).collect();
            let factor = median(&rest);
            (rest.iter().map(|rest| (rest - factor).abs()).sum::<f64>(), Fit { law, factor, shape })
        };
        if law.name != POWER && !law.constant {
            return at(0.0).1;
        }
        let shapes = shapes(law, x);
        let costs: Vec<f64> = shapes.iter().map(|shape| at(*shape).0).collect();
        let best = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
        let (low, high) = (shapes[best.saturating_sub(1)], shapes[(best + 1).min(shapes.len() - 1)]);
        golden(low, high, |shape| at(shape).0, shapes[best], costs[best], |shape| at(shape).1)
    }

    fn log(&self, x: f64) -> f64 {
        self.factor + shaped(self.law, self.shape, x)
    }

    fn terms(&self) -> (f64, f64) {
        match self.law.name {
            "1" => (libm::exp(self.factor), 0.0),
            POWER => (0.0, libm::exp(self.factor)),
            _ => (self.shape * libm::exp(self.factor), libm::exp(self.factor)),
        }
    }
}

fn shaped(law: Law, shape: f64, x: f64) -> f64 {
    match law.name {
        "1" => 0.0,
        POWER => shape * libm::log(x),
        _ => libm::log(shape + (law.of)(x)),
    }
}

/// Returns starting values for the search: constants up to ten times the law's largest value, or exponents
/// from −3 to 5.
fn shapes(law: Law, x: &[f64]) -> Vec<f64> {
    if law.name == POWER {
        return (-60..=100).map(|step| f64::from(step) / 20.0).collect();
    }
    let values = x.iter().map(|x| (law.of)(*x));
    let least = values.clone().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    let most = values.fold(0.0, f64::max);
    let steps = (libm::log2(most / least) * 2.0).ceil() as i32 + 20;
    let grid = (0..=steps).map(|step| least / 128.0 * libm::pow(2.0_f64, f64::from(step) / 2.0));
    grid.filter(|shape| *shape <= 10.0 * most).collect()
}

fn golden(
    mut low: f64,
    mut high: f64,
    cost: impl Fn(f64) -> f64,
    start: f64,
    start_cost: f64,
    fit: impl Fn(f64) -> Fit,
) -> Fit {
    const RATIO: f64 = 0.618_033_988_749_895;
    for _ in 0..24 {
        let (a, b) = (high - RATIO * (high - low), low + RATIO * (high - low));
        if cost(a) <= cost(b) {
            high = b;
        } else {
            low = a;
        }
    }
    let found = 0.5 * (low + high);
    fit(if cost(found) < start_cost { found } else { start })
}
