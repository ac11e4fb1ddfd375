//! Computes the steps between points, and the law of growth of a curve.

use super::fit;
use super::over::Over;
use super::points::{CurvePoint, Draft};
use derny_model::{Curve, Estimate, Growth, Interval, Point, Step, Verdict};
use derny_stats::{Contrast, theil_sen, theil_sen_interval};

#[derive(Default)]
struct Fitted {
    growth: Option<Growth>,
    exponent: Option<Estimate>,
    /// Fitted value of each point, and true for an outlier. Empty without a law.
    points: Vec<(f64, bool)>,
}

impl Draft {
    pub(super) fn curve(self, over: &Over<'_>, alpha: f64, more_is_better: bool) -> Curve {
        let Fitted { growth, exponent, points } = fit(&self.places, over.confidence);
        let before = std::iter::once(None).chain(self.places.iter().map(Some));
        let steps: Vec<Option<Step>> = before
            .zip(&self.places)
            .map(|(before, here)| Some(step(before?, here, alpha, over.margin, more_is_better)))
            .collect();
        let points = self.places.into_iter().zip(steps).enumerate().map(|(index, (place, step))| Point {
            x: place.x,
            text: place.text,
            estimate: place.estimate,
            per_second: place.per_second,
            bytes_per_second: place.bytes_per_second,
            cases: place.cases,
            processes: place.processes,
            step,
            fitted: points.get(index).map(|(fitted, _)| *fitted),
            off: points.get(index).is_some_and(|(_, off)| *off),
        });
        let points = points.collect();
        let (suite, benchmark, by, variant) = self.key;
        Curve { suite, benchmark, by, variant, aggregated: self.aggregated, points, growth, exponent }
    }
}

fn step(before: &CurvePoint, here: &CurvePoint, alpha: f64, margin: f64, more_is_better: bool) -> Step {
    let difference = libm::log(here.estimate.value / before.estimate.value);
    let errors = before.error.zip(here.error);
    let interval = errors.map(|(a, b)| Contrast::of_independent(difference, [a, b]).interval(alpha));
    let span = libm::log(here.x / before.x);
    let exponent = (before.x > 0.0).then(|| Estimate {
        value: difference / span,
        interval: interval.map(|i| Interval { lo: i.lo / span, hi: i.hi / span }),
    });
    let ratio = interval.map(|i| Interval { lo: libm::exp(i.lo), hi: libm::exp(i.hi) });
    let verdict = ratio.map_or(Verdict::Unclear, |ratio| {
        Verdict::of(Interval { lo: ratio.lo - 1.0, hi: ratio.hi - 1.0 }, margin)
    });
    let verdict = if more_is_better { verdict.turned() } else { verdict };
    Step { ratio: Estimate { value: libm::exp(difference), interval: ratio }, exponent, verdict }
}

fn fit(places: &[CurvePoint], confidence: f64) -> Fitted {
    let x: Vec<f64> = places.iter().map(|place| place.x).collect();
    if x.len() < 3 || x[0] <= 0.0 {
        return Fitted::default();
    }
    let logs: Vec<f64> = places.iter().map(|place| libm::log(place.estimate.value)).collect();
    let known: Vec<f64> = places.iter().filter_map(|place| place.error).map(|error| error.0).collect();
    let noise = if known.is_empty() { 0.0 } else { (known.iter().sum::<f64>() / known.len() as f64).sqrt() };
    let chosen = fit::choose(&x, &logs, noise);
    let on: Vec<usize> = (0..x.len()).filter(|i| chosen.as_ref().is_none_or(|f| !f.off[*i])).collect();
    let x: Vec<f64> = on.iter().map(|i| libm::log(x[*i])).collect();
    let y: Vec<f64> = on.iter().map(|i| logs[*i]).collect();
    let slope = theil_sen(&x, &y);
    let interval = theil_sen_interval(&x, &y, 1.0 - confidence).map(|i| Interval { lo: i.lo, hi: i.hi });
    let exponent = Estimate { value: slope, interval };
    let points =
        chosen.iter().flat_map(|f| f.logs.iter().map(|log| libm::exp(*log)).zip(f.off.iter().copied()));
    Fitted {
        exponent: Some(exponent).filter(|exponent| exponent.value.is_finite()),
        points: points.collect(),
        growth: chosen.map(|chosen| chosen.growth(exponent)),
    }
}
