//! Mapping of values to pixels, and positions of ticks.

use derny_model::Estimate;

/// An axis from the values `lo` to `hi`, drawn along the pixels `from` to `to`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub lo: f64,
    pub hi: f64,
    pub log: bool,
    from: f64,
    to: f64,
}

impl Scale {
    /// Creates a padded axis that contains all values. A linear axis begins at 0 if that takes less than a
    /// third of its length. A logarithmic axis without positive values becomes linear.
    pub(super) fn new(values: impl Iterator<Item = f64>, log: bool, from: f64, to: f64) -> Scale {
        let finite = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (lo, hi) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        if lo > hi {
            return Scale { lo: 0.0, hi: 1.0, log: false, from, to };
        }
        if log {
            let room = (hi / lo).powf(0.04).max(1.02);
            return Scale { lo: lo / room, hi: hi * room, log, from, to };
        }
        let room = if hi > lo { 0.05 * (hi - lo) } else { 0.05 * hi.abs().max(1e-9) };
        let near_zero = lo >= 0.0 && lo < 0.33 * hi;
        let low = if near_zero { 0.0 } else { lo - room };
        Scale { lo: if lo >= 0.0 { low.max(0.0) } else { low }, hi: hi + room, log, from, to }
    }

    /// Creates an axis for estimates. Cuts off intervals that extend too far beyond the points. Otherwise, a
    /// single interval from two processes could squeeze all other results.
    pub(super) fn of(estimates: &[Estimate], log: bool, from: f64, to: f64) -> Scale {
        let points = estimates.iter().map(|estimate| estimate.value);
        let (lo, hi) =
            points.clone().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
        let far = estimates.iter().map(|estimate| estimate.value.abs()).fold(0.0, f64::max);
        let (least, most) = if log {
            let reach = (hi / lo).clamp(2.0, 10.0);
            (lo / reach, hi * reach)
        } else {
            let reach = (hi - lo).max(0.5 * far);
            (if lo >= 0.0 { (lo - reach).max(0.0) } else { lo - reach }, hi + reach)
        };
        let ends = estimates.iter().filter_map(|estimate| estimate.interval).flat_map(|i| [i.lo, i.hi]);
        let ends = ends.filter(|end| !end.is_nan()).map(|end| end.clamp(least.min(most), most));
        Scale::new(points.chain(ends).collect::<Vec<_>>().into_iter(), log, from, to)
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.lo).ln() / (self.hi / self.lo).ln()
        } else {
            (value - self.lo) / (self.hi - self.lo)
        };
        self.from + share * (self.to - self.from)
    }

    /// Returns the position of a value, limited to the ends of the axis.
    pub(super) fn within(&self, value: f64) -> f64 {
        let (low, high) = if self.from < self.to { (self.from, self.to) } else { (self.to, self.from) };
        self.at(value).clamp(low, high)
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        value >= self.lo && value <= self.hi
    }

    /// Returns about `most` round values within the axis.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        if self.log && self.hi / self.lo > 8.0 { self.decades(most) } else { self.steps(most) }
    }

    fn steps(&self, most: usize) -> Vec<f64> {
        let rough = (self.hi - self.lo) / most.max(1) as f64;
        if rough <= 0.0 || !rough.is_finite() {
            return vec![self.lo];
        }
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|n| n * power)
            .into_iter()
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(power);
        let first = (self.lo / step).ceil() as i64;
        let last = (self.hi / step).floor() as i64;
        (first..=last.min(first + 100)).map(|n| n as f64 * step).collect()
    }

    fn decades(&self, most: usize) -> Vec<f64> {
        let (first, last) = (self.lo.log10().floor() as i32, self.hi.log10().ceil() as i32);
        let decades = (last - first).max(1) as usize;
        let stride = decades.div_ceil(most.max(1)).max(1);
        let within = |values: &[f64]| -> Vec<f64> {
            let all =
                (first..=last).step_by(stride).flat_map(|n| values.iter().map(move |v| v * 10f64.powi(n)));
            all.filter(|value| *value >= self.lo * 0.9999 && *value <= self.hi * 1.0001).collect()
        };
        let choices: [&[f64]; 3] = [&[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        let fitting =
            choices.iter().map(|choice| within(choice)).find(|ticks| stride == 1 && ticks.len() <= most + 1);
        fitting.unwrap_or_else(|| within(&[1.0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let scale = |lo: f64, hi: f64, log| Scale::new([lo, hi].into_iter(), log, 0.0, 100.0);
        assert_eq!(scale(41.0, 58.0, false).ticks(5), [45.0, 50.0, 55.0]);
        assert_eq!(scale(10.0, 100.0, false).ticks(5), [0.0, 50.0, 100.0]);
        assert_eq!(scale(1.0, 900.0, true).ticks(8), [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]);
        assert_eq!(scale(1.0, 1e9, true).ticks(5), [1e2, 1e5, 1e8]);
        for (lo, hi, log) in [(1.0, 1.0, false), (0.0, 0.0, false), (-0.1, 0.2, false), (1e-9, 1e12, true)] {
            let scale = scale(lo, hi, log);
            let ticks = scale.ticks(6);
            assert!(!ticks.is_empty() && ticks.len() <= 13, "{lo} {hi}: {ticks:?}");
            assert!(
                ticks.iter().all(|tick| (-0.1..=100.1).contains(&scale.at(*tick))),
                "{lo} {hi}: {ticks:?}"
            );
        }
    }

    #[test]
    fn nothing_to_draw_is_an_axis_still() {
        assert_eq!(Scale::new(std::iter::empty(), true, 0.0, 10.0).at(0.5), 5.0);
    }
}
