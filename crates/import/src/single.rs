//! Figures of a file that states one value for each. They need no analysis, and keep all digits of the file.

use crate::Foreign;
use crate::foreign::{Stated, Visit, metric};
use crate::samples::Cursor;
use derny_model::{Direction, Interval, Kind, Reported};
use std::collections::HashSet;

const LOW: &str = "stated low";
const HIGH: &str = "stated high";

/// The only value of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Single<'a> {
    /// Index of the case.
    pub case: usize,
    /// Name of the figure: `time`, or the name of a metric.
    pub figure: &'a str,
    /// Unit.
    pub unit: &'a str,
    /// Direction of improvement.
    pub better: Direction,
    /// The value. Finite.
    pub value: f64,
    /// Confidence interval, if the file contains one.
    pub interval: Option<Interval>,
}

/// Returns the limits of a confidence interval as stated values of a visit. Returns an empty list if a limit
/// is not finite.
pub(crate) fn interval(lo: f64, hi: f64) -> Vec<Reported> {
    if !lo.is_finite() || !hi.is_finite() {
        return Vec::new();
    }
    let limit =
        |name: &str, value| Reported { metric: metric(name, "", Kind::Level, Direction::None), value };
    vec![limit(LOW, lo), limit(HIGH, hi)]
}

impl Foreign {
    /// Returns the figures, or `None` if a case has several samples or variants, so that its figures need
    /// analysis.
    pub fn singles(&self) -> Option<Vec<Single<'_>>> {
        let mut cases = HashSet::with_capacity(self.visits.len());
        let is_single = |visit: &Visit| visit.samples == 1 && cases.insert(visit.case);
        if self.variants.len() > 1 || !self.visits.iter().all(is_single) {
            return None;
        }
        let mut place = Cursor::default();
        let mut all = Vec::with_capacity(self.visits.len());
        for visit in &self.visits {
            let limit = |name: &str| visit.stated.iter().find(|one| one.metric.name == name).map(value);
            let interval = limit(LOW).zip(limit(HIGH)).map(|(lo, hi)| Interval { lo, hi });
            let case = visit.case as usize;
            for sample in visit.samples(&self.samples, &mut place) {
                if !sample.untimed {
                    let value = sample.per_operation();
                    let (figure, unit, better) = ("time", "ns", Direction::Less);
                    all.push(Single { case, figure, unit, better, value, interval });
                }
                let operations = sample.operations.unwrap_or(sample.iterations as f64);
                for (metric, counter) in visit.metrics.iter().zip(&sample.counters) {
                    let each = if metric.kind == Kind::Total { operations } else { 1.0 };
                    let Some(value) = counter.map(|value| value / each) else { continue };
                    let (figure, unit, better) = (&*metric.name, &*metric.unit, metric.direction);
                    let interval = interval.filter(|_| sample.untimed);
                    all.push(Single { case, figure, unit, better, value, interval });
                }
            }
        }
        all.retain(|single| single.value.is_finite());
        Some(all)
    }

    /// Returns the version of a benchmark's source, if the file contains it.
    pub fn version(&self, case: usize) -> Option<&str> {
        self.versions.get(&case).map(|version| &**version)
    }
}

fn value(stated: &Stated) -> f64 {
    stated.value
}
