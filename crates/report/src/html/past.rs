//! The history of a page: the runs, and the points of each case.

use super::parts::digits;
use derny_model::picture::HistoryPoint;
use serde::Serialize;
use std::collections::HashMap;

#[derive(Serialize)]
pub(super) struct PastRun<'a> {
    id: &'a str,
    started_ms: i64,
    commit: &'a str,
}

/// A point: index of the run, index of the variant, value, ends of the interval, and change of the level.
#[derive(Serialize)]
pub(super) struct Point(usize, usize, f64, Option<(f64, f64)>, Option<f64>);

/// The runs of all points, oldest first.
pub(super) struct Past<'a> {
    pub(super) runs: Vec<PastRun<'a>>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Past<'a> {
    pub(super) fn of(history: &'a [Vec<HistoryPoint>]) -> Self {
        let mut runs: Vec<PastRun<'a>> = Vec::new();
        let mut known: HashMap<&str, ()> = HashMap::new();
        for point in history.iter().flatten() {
            if known.insert(&point.run, ()).is_none() {
                let (id, commit) = (point.run.as_str(), point.commit.as_str());
                runs.push(PastRun { id, started_ms: point.started_ms, commit });
            }
        }
        runs.sort_by_key(|run| run.started_ms);
        let places = runs.iter().enumerate().map(|(at, run)| (run.id, at)).collect();
        Past { runs, places }
    }

    /// Returns the points of a case, or none if all of them are from one run.
    pub(super) fn points(&self, of: &[HistoryPoint]) -> Vec<Point> {
        let has_past = of.iter().any(|point| point.run != of[0].run);
        let point = |one: &HistoryPoint| {
            let place = *self.places.get(one.run.as_str())?;
            let ends = one.estimate.interval.map(|own| (digits(own.lo, 6), digits(own.hi, 6)));
            Some(Point(place, one.series, digits(one.estimate.value, 6), ends, one.moved))
        };
        of.iter().filter(|_| has_past).filter_map(point).collect()
    }
}
