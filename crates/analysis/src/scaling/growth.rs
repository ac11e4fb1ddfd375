//! From point to point, and the law of all of them.

use super::{Draft, fit};
use derny_model::{Estimate, Interval, Step, Verdict};
use derny_stats::{Contrast, theil_sen, theil_sen_interval};

impl Draft {
    /// Every point against the one before, at the level `alpha` for each.
    pub(super) fn take_steps(&mut self, alpha: f64, margin: f64, more_is_better: bool) {
        for index in 1..self.errors.len() {
            let (before, here) = (&self.curve.points[index - 1], &self.curve.points[index]);
            let difference = libm::log(here.estimate.value / before.estimate.value);
            let interval = self.errors[index - 1]
                .zip(self.errors[index])
                .map(|(a, b)| Contrast::of_independent(difference, [a, b]).interval(alpha));
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
            let ratio = Estimate { value: libm::exp(difference), interval: ratio };
            self.curve.points[index].step = Some(Step { ratio, exponent, verdict });
        }
    }

    /// The law of the points, what it says at each, and which lie off it.
    pub(super) fn fit(&mut self, confidence: f64) {
        let points = &mut self.curve.points;
        let x: Vec<f64> = points.iter().map(|point| point.x).collect();
        if x.len() < 3 || x[0] <= 0.0 {
            return;
        }
        let logs: Vec<f64> = points.iter().map(|point| libm::log(point.estimate.value)).collect();
        let known: Vec<f64> = self.errors.iter().flatten().map(|error| error.0).collect();
        let noise =
            if known.is_empty() { 0.0 } else { (known.iter().sum::<f64>() / known.len() as f64).sqrt() };
        let fitted = fit::choose(&x, &logs, noise);
        let on: Vec<usize> = (0..x.len()).filter(|i| fitted.as_ref().is_none_or(|f| !f.off[*i])).collect();
        let x: Vec<f64> = on.iter().map(|i| libm::log(x[*i])).collect();
        let y: Vec<f64> = on.iter().map(|i| logs[*i]).collect();
        let slope = theil_sen(&x, &y);
        let interval = theil_sen_interval(&x, &y, 1.0 - confidence).map(|i| Interval { lo: i.lo, hi: i.hi });
        let exponent = Estimate { value: slope, interval };
        self.curve.exponent = Some(exponent).filter(|exponent| exponent.value.is_finite());
        let Some(mut fitted) = fitted else { return };
        for ((point, log), off) in points.iter_mut().zip(&fitted.logs).zip(&fitted.off) {
            point.fitted = Some(libm::exp(*log));
            point.off = *off;
        }
        if fitted.growth.law == fit::POWER {
            fitted.growth.exponent = Some(exponent);
        }
        self.curve.growth = Some(fitted.growth);
    }
}
