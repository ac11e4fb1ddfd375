//! criterion's `--regress`: a least-squares regression of one quantity on others, with bootstrap intervals.

use super::bootstrap::{ENOUGH, RESAMPLES, estimate};
use derny_model::{CriterionRegression, CriterionRow, Estimate};
use derny_stats::Rng;
use derny_stats::bootstrap::percentile_intervals;

type Read = fn(&CriterionRow) -> Option<f64>;

const QUANTITIES: [(&str, Read); 12] = [
    ("time", |row| Some(row.time_s)),
    ("cpuTime", |row| row.cpu_s),
    ("cycles", |row| row.cycles),
    ("iters", |row| Some(row.iterations)),
    ("allocated", |row| row.allocated_bytes),
    ("peakMbAllocated", |row| row.peak_mb),
    ("numGcs", |row| row.collections),
    ("bytesCopied", |row| row.copied_bytes),
    ("mutatorWallSeconds", |row| row.mutator_s),
    ("mutatorCpuSeconds", |row| row.mutator_cpu_s),
    ("gcWallSeconds", |row| row.gc_s),
    ("gcCpuSeconds", |row| row.gc_cpu_s),
];

/// A requested regression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regress {
    /// Dependent quantity.
    pub responder: String,
    /// Independent quantities, in order.
    pub predictors: Vec<String>,
}

impl Regress {
    /// Parses `RESPONDER:PREDICTOR,…`.
    ///
    /// # Errors
    ///
    /// Fails if a name is not one of criterion's quantities or is repeated, or if there is no predictor.
    pub fn parse(text: &str) -> Result<Regress, String> {
        let (responder, predictors) = text.split_once(':').unwrap_or((text, ""));
        let names = predictors.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty());
        let regress = Regress {
            responder: responder.trim().to_owned(),
            predictors: names.map(str::to_owned).collect(),
        };
        if regress.predictors.is_empty() {
            return Err(format!(
                "`{text}` has no predictor: write RESPONDER:PREDICTOR, such as allocated:iters"
            ));
        }
        let all: Vec<&String> = std::iter::once(&regress.responder).chain(&regress.predictors).collect();
        for (place, name) in all.iter().enumerate() {
            if read(name).is_none() {
                let known = QUANTITIES.map(|(name, _)| name).join(", ");
                return Err(format!("`{name}` is not a quantity of criterion; choose from {known}"));
            }
            if all[..place].contains(name) {
                return Err(format!("`{name}` appears twice"));
            }
        }
        Ok(regress)
    }

    pub(super) fn on_iterations(responder: &str) -> Regress {
        Regress { responder: responder.to_owned(), predictors: vec!["iters".to_owned()] }
    }

    /// Computes the regression over all measurements of a case. Resamples whole processes if there are
    /// several. Returns `None` if a measurement lacks a quantity, if there are too few measurements, or if
    /// the predictors are collinear.
    pub(super) fn of(
        &self,
        rows: &[Vec<CriterionRow>],
        confidence: f64,
        rng: &mut Rng,
    ) -> Option<CriterionRegression> {
        let names = self.predictors.iter().chain([&self.responder]);
        let reads: Vec<Read> = names.map(|name| read(name)).collect::<Option<_>>()?;
        let point = |row: &CriterionRow| reads.iter().map(|read| read(row)).collect::<Option<Vec<f64>>>();
        let points = |rows: &Vec<CriterionRow>| rows.iter().map(point).collect::<Option<Vec<_>>>();
        let mut clusters: Vec<Vec<Vec<f64>>> = rows.iter().map(points).collect::<Option<_>>()?;
        clusters.retain(|points| !points.is_empty());
        if clusters.len() == 1 {
            clusters = clusters.remove(0).into_iter().map(|point| vec![point]).collect();
        }
        let center = center(&clusters)?;
        let sums: Vec<Products> = clusters.iter().map(|points| Products::of(points, &center)).collect();
        let count = clusters.iter().map(Vec::len).sum::<usize>();
        if count < ENOUGH.max(center.len() + 1) {
            return None;
        }
        let figures =
            |sums: &[&Products]| Products::sum(sums, center.len()).solve(&center).unwrap_or_default();
        let found = percentile_intervals(&sums, figures, RESAMPLES, 1.0 - confidence, rng);
        let mut estimates = found.into_iter().map(estimate);
        let coefficients: Vec<(String, Estimate)> =
            self.predictors.iter().cloned().zip(estimates.by_ref()).collect();
        let (intercept, r_squared) = (estimates.next()?, estimates.next()?);
        Some(CriterionRegression { responder: self.responder.clone(), coefficients, intercept, r_squared })
    }
}

fn read(name: &str) -> Option<Read> {
    QUANTITIES.iter().find(|(known, _)| *known == name).map(|(_, read)| *read)
}

fn center(clusters: &[Vec<Vec<f64>>]) -> Option<Vec<f64>> {
    let points: Vec<&Vec<f64>> = clusters.iter().flatten().collect();
    let mean = |i: usize| points.iter().map(|point| point[i]).sum::<f64>() / points.len() as f64;
    Some((0..points.first()?.len()).map(mean).collect())
}

/// Sums and products of the predictors and the responder, as deviations from a centre. The responder is last.
/// The sums add up across samples.
#[derive(Debug, Clone)]
struct Products {
    n: f64,
    sums: Vec<f64>,
    products: Vec<Vec<f64>>,
}

impl Products {
    fn nothing(size: usize) -> Products {
        Products { n: 0.0, sums: vec![0.0; size], products: vec![vec![0.0; size]; size] }
    }

    fn of(points: &[Vec<f64>], center: &[f64]) -> Products {
        let mut sum = Products::nothing(center.len());
        for point in points {
            let from: Vec<f64> = point.iter().zip(center).map(|(value, center)| value - center).collect();
            sum.n += 1.0;
            for (i, a) in from.iter().enumerate() {
                sum.sums[i] += a;
                from.iter().enumerate().for_each(|(j, b)| sum.products[i][j] += a * b);
            }
        }
        sum
    }

    fn sum(all: &[&Products], size: usize) -> Products {
        all.iter().fold(Products::nothing(size), |mut sum, one| {
            sum.n += one.n;
            sum.sums.iter_mut().zip(&one.sums).for_each(|(a, b)| *a += b);
            for (row, other) in sum.products.iter_mut().zip(&one.products) {
                row.iter_mut().zip(other).for_each(|(a, b)| *a += b);
            }
            sum
        })
    }

    /// Returns one slope per predictor, the intercept, and R². Solves the normal equations by Gaussian
    /// elimination with a unit diagonal. Returns `None` if the predictors are collinear.
    fn solve(&self, center: &[f64]) -> Option<Vec<f64>> {
        let last = center.len() - 1;
        let moment = |i: usize, j: usize| self.products[i][j] - self.sums[i] * self.sums[j] / self.n;
        let scale: Vec<f64> = (0..=last).map(|i| moment(i, i).max(0.0).sqrt()).collect();
        if scale[..last].iter().any(|scale| scale.is_nan() || *scale <= 0.0) {
            return None;
        }
        let y_scale = if scale[last] > 0.0 { scale[last] } else { 1.0 };
        let by = |i: usize| if i == last { y_scale } else { scale[i] };
        let mut rows: Vec<Vec<f64>> =
            (0..last).map(|i| (0..=last).map(|j| moment(i, j) / by(i) / by(j)).collect()).collect();
        let right: Vec<f64> = rows.iter().map(|row| row[last]).collect();
        for column in 0..last {
            let pivot =
                (column..last).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
            rows.swap(column, pivot);
            if rows[column][column].abs() < 1e-9 {
                return None;
            }
            let base = rows[column].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
                let share = row[column] / base[column];
                row.iter_mut().zip(&base).for_each(|(value, base)| *value -= share * base);
            }
        }
        let scaled: Vec<f64> = (0..last).map(|i| rows[i][last] / rows[i][i]).collect();
        let explained: f64 = scaled.iter().zip(&right).map(|(slope, right)| slope * right).sum();
        let mut figures: Vec<f64> = (0..last).map(|i| scaled[i] * y_scale / scale[i]).collect();
        let mean = |i: usize| center[i] + self.sums[i] / self.n;
        let intercept = mean(last) - (0..last).map(|i| figures[i] * mean(i)).sum::<f64>();
        figures.push(intercept);
        figures.push(if scale[last] > 0.0 { explained } else { 1.0 });
        figures.iter().all(|figure| figure.is_finite()).then_some(figures)
    }
}
