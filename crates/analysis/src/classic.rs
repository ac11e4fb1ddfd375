//! Statistics of other tools, computed from one value per process. Welch's test compares rates, as Node's
//! compare.R does. Student's test uses a pooled variance, as ministat and eministat do. Batches of one
//! process are correlated and would make both tests overconfident.

use derny_model::{
    ClassicCase, ClassicSample, ClassicTest, Comparison, Document, Student, TimeSummary, Welch,
};
use derny_stats::location::mean;
use derny_stats::quantile::{quantile, sorted};
use derny_stats::scale::variance;
use derny_stats::{OutlierEffect, Tail, outlier_variance, t_test, tukey};

const LEVELS: [f64; 5] = [0.8, 0.9, 0.95, 0.98, 0.99];
/// Confidence levels that compare.R marks with one, two and three stars.
const STARS: [f64; 3] = [0.95, 0.99, 0.999];

/// The value that represents a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// The typical time.
    Typical,
    /// The first call if the benchmark's own program would report it, and otherwise the typical time.
    AsRun,
}

/// Returns the statistics of every timed case. Each side is compared with the first. Omits controls.
pub fn comparison(comparison: &Comparison, values: Values) -> Vec<ClassicCase> {
    let cases = comparison.cases.iter().enumerate().filter_map(|(index, case)| {
        let sides = comparison.sides.iter().zip(&case.times).filter(|(side, _)| !side.control);
        let sides: Vec<(&str, &TimeSummary)> =
            sides.filter_map(|(side, time)| Some((side.name.as_str(), time.as_ref()?))).collect();
        case.times.first()?.as_ref()?;
        let samples = samples(&sides, comparison.confidence, values);
        (samples.len() > 1).then(|| ClassicCase { case: case.case.clone(), index: index as u32, samples })
    });
    cases.collect()
}

/// Returns the statistics of every timed case of a run. Each variant is compared with the first.
pub fn document(document: &Document) -> Vec<ClassicCase> {
    let cases = document.cases().enumerate().filter_map(|(index, case)| {
        let sides: Vec<(&str, &TimeSummary)> = case
            .variants
            .iter()
            .filter_map(|variant| Some((variant.variant.as_str(), variant.time.as_ref()?)))
            .collect();
        let samples = samples(&sides, document.run.settings.confidence, Values::Typical);
        (!samples.is_empty()).then(|| ClassicCase { case: case.case.clone(), index: index as u32, samples })
    });
    cases.collect()
}

fn samples(sides: &[(&str, &TimeSummary)], confidence: f64, values: Values) -> Vec<ClassicSample> {
    let values = |time: &TimeSummary| -> Vec<f64> {
        let values = time.processes.iter().map(|process| match process.first {
            Some(first) if values == Values::AsRun => first.time_ns,
            _ => process.time_ns,
        });
        values.filter(|value| value.is_finite() && *value > 0.0).collect()
    };
    let mut samples: Vec<ClassicSample> =
        sides.iter().filter_map(|(name, time)| sample(name, values(time))).collect();
    if let Some((base, others)) = samples.split_first_mut() {
        for other in others {
            other.against = test(&base.values, &other.values, confidence);
        }
    }
    samples
}

fn sample(name: &str, values: Vec<f64>) -> Option<ClassicSample> {
    let ordered = sorted(&values);
    let (minimum, maximum) = (*ordered.first()?, *ordered.last()?);
    let outliers = tukey(&values);
    let mean = mean(&values);
    let standard_deviation = (values.len() > 1).then(|| variance(&values).sqrt());
    let share = standard_deviation
        .filter(|_| values.len() > 2)
        .map(|deviation| outlier_variance(mean, deviation, values.len()));
    Some(ClassicSample {
        name: name.to_owned(),
        minimum,
        q1: quantile(&ordered, 0.25),
        median: quantile(&ordered, 0.5),
        q3: quantile(&ordered, 0.75),
        maximum,
        mean,
        standard_deviation,
        low_outliers: (outliers.low_severe + outliers.low_mild) as u32,
        high_outliers: (outliers.high_severe + outliers.high_mild) as u32,
        outlier_variance: share.map(|share| (share, OutlierEffect::of(share).as_str().to_owned())),
        against: None,
        values,
    })
}

/// Runs both tests on values in ns per operation. Returns `None` unless both samples have at least two values
/// and one of them varies.
fn test(base: &[f64], new: &[f64], confidence: f64) -> Option<ClassicTest> {
    let vary = base.len() > 1 && new.len() > 1 && (variance(base) > 0.0 || variance(new) > 0.0);
    if !vary {
        return None;
    }
    Some(ClassicTest { welch: welch(base, new)?, student: pooled(base, new, confidence)? })
}

fn welch(base: &[f64], new: &[f64]) -> Option<Welch> {
    let rates = |times: &[f64]| -> Vec<f64> { times.iter().map(|time| 1e9 / time).collect() };
    let (base, new) = (rates(base), rates(new));
    let difference = t_test::welch(&new, &base)?;
    Some(Welch {
        improvement: difference.estimate / mean(&base),
        p: difference.p(0.0, Tail::Both),
        accuracy: STARS.map(|level| difference.half_width(1.0 - level) / mean(&base)),
    })
}

fn pooled(base: &[f64], new: &[f64], confidence: f64) -> Option<Student> {
    let difference = t_test::pooled(new, base)?;
    let proven = |level: f64| difference.estimate.abs() > difference.half_width(1.0 - level);
    Some(Student {
        confidence,
        difference: difference.estimate,
        half: difference.half_width(1.0 - confidence),
        pooled: difference.standard_error / (1.0 / base.len() as f64 + 1.0 / new.len() as f64).sqrt(),
        levels: LEVELS.map(|level| (level, proven(level))).to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-10, "{value} is not {expected}");
    }

    const FIRST: [f64; 10] = [10.7, 8.4, 9.8, 8.8, 9.9, 13.4, 13.7, 10.8, 10.0, 12.0];
    const SECOND: [f64; 10] = [11.9, 10.8, 11.1, 10.1, 9.9, 14.4, 15.5, 11.6, 14.6, 13.4];

    #[test]
    fn student_pools_variances() {
        let test = pooled(&FIRST, &SECOND, 0.95).unwrap();
        close(test.difference, 1.58);
        close(test.pooled, 1.898_625_233_6);
        close(test.half, 1.783_874_032_3);
        let proven: Vec<bool> = test.levels.iter().map(|(_, proven)| *proven).collect();
        assert_eq!(proven, [true, true, false, false, false]);
    }

    #[test]
    fn welch_works_on_rates() {
        let times = |rates: &[f64]| -> Vec<f64> { rates.iter().map(|rate| 1e9 / rate).collect() };
        let test = welch(&times(&FIRST), &times(&SECOND)).unwrap();
        close(test.improvement, 1.58 / 10.75);
        assert!((test.p - 0.079_394_140_19).abs() < 1e-11, "{}", test.p);
        for (half, expected) in test.accuracy.iter().zip([1.785_483_230_7, 2.447_632_919_9, 3.337_669_857_2])
        {
            close(*half, expected / 10.75);
        }
    }

    #[test]
    fn a_single_or_constant_value_proves_nothing() {
        assert_eq!(test(&[1.0], &FIRST, 0.95), None);
        assert_eq!(test(&[2.0, 2.0], &[3.0, 3.0], 0.95), None);
        let single = sample("a", vec![4.0]).unwrap();
        assert_eq!((single.standard_deviation, single.outlier_variance), (None, None));
        assert_eq!(sample("a", Vec::new()), None);
    }
}
