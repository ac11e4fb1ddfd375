//! The history of a page: the commits, and the points of each case.

use crate::deflated::digits;
use derny_model::{ChangeState, History, RunHeader};
use serde::Serialize;
use std::collections::HashMap;

/// A commit, or a date if there is no commit.
#[derive(Serialize)]
pub(super) struct PastPlace<'a> {
    at_ms: i64,
    commit: &'a str,
    releases: &'a [String],
}

/// A point: index of the place, index of the variant, run, value, ends of the interval, and change of the
/// level.
#[derive(Serialize)]
pub(super) struct Point<'a>(usize, usize, &'a str, f64, Option<(f64, f64)>, Option<f64>);

/// The places of all points, in the order of commits.
pub(super) struct Past<'a> {
    pub(super) places: Vec<PastPlace<'a>>,
    positions: HashMap<(&'a str, i64), usize>,
    run: &'a RunHeader,
}

impl<'a> Past<'a> {
    pub(super) fn of(run: &'a RunHeader, all: &'a [Vec<History>]) -> Self {
        let mut places: Vec<PastPlace<'a>> = Vec::new();
        let mut positions: HashMap<(&str, i64), usize> = HashMap::new();
        for point in all.iter().flatten().flat_map(|history| &history.points) {
            if positions.insert(History::place(point), 0).is_none() {
                places.push(PastPlace {
                    at_ms: point.at_ms,
                    commit: &point.commit,
                    releases: &point.releases,
                });
            }
        }
        places.sort_by_key(|place| place.at_ms);
        for (at, place) in places.iter().enumerate() {
            let ms = if place.commit.is_empty() { place.at_ms } else { 0 };
            positions.insert((place.commit, ms), at);
        }
        Past { places, positions, run }
    }

    /// Returns the points of a case, or none if all of them are at one place.
    pub(super) fn points(&self, of: &'a [History]) -> Vec<Point<'a>> {
        let mut points = Vec::new();
        for history in of {
            let Some(variant) = self.variant(history) else { continue };
            for point in &history.points {
                let Some(place) = self.positions.get(&History::place(point)) else { continue };
                let ends = point.interval.map(|own| (digits(own.lo, 6), digits(own.hi, 6)));
                let is_here =
                    |to: &str, ms: i64| if to.is_empty() { ms == point.at_ms } else { to == point.commit };
                let changes = history.changes.iter().filter(|own| own.state != ChangeState::NotConfirmed);
                let moved = changes.filter(|own| is_here(&own.to, own.at_ms)).map(|own| own.change).next();
                let run = point.run.as_deref().unwrap_or_default();
                points.push(Point(*place, variant, run, digits(point.value, 6), ends, moved));
            }
        }
        let has_past = points.iter().any(|point| point.0 != points[0].0);
        if has_past { points } else { Vec::new() }
    }

    /// Returns the variant of the run that a history belongs to: the side of that name, or the only one.
    fn variant(&self, history: &History) -> Option<usize> {
        match &history.apart {
            None => Some(self.run.own_variant() as usize),
            Some(apart) => {
                self.run.variants.iter().position(|variant| *apart == format!("side {}", variant.name))
            }
        }
    }
}
