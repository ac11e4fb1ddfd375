//! History charts: one panel per case, with a line for each machine over commits.

use super::canvas::Anchor;
use super::frame::{Frame, MARGIN};
use super::look::Look;
use super::ruler::tooltip;
use super::scale::Scale;
use super::width::{fitted, width};
use crate::numbers;
use crate::style::Style;
use derny_model::picture::{Panel, Picture};
use derny_model::words::date;
use derny_model::{ChangeState, Estimate, History, HistoryPlace};
use std::collections::{HashMap, HashSet};

/// Size of the labels of the time axis.
const SMALL: f64 = 11.0;

/// Draws the panels one below the other, with the same commits at the same horizontal positions.
pub(super) fn histories(picture: &Picture, panels: &[Panel<Vec<History>>], look: &Look) -> String {
    let mut frame = Frame::new(picture, look);
    let axis = Axis::of(panels, (MARGIN + 56.0, frame.right() - 10.0));
    let height = f64::from(look.height.unwrap_or(150));
    for panel in panels {
        one(&mut frame, picture, panel, &axis, height);
    }
    let bottom = axis.draw(&mut frame);
    frame.finish(bottom)
}

/// The time axis. Commits have equal distances, because many may have the same date.
struct Axis {
    /// Date, commit and releases of each position.
    places: Vec<(i64, String, Vec<String>)>,
    positions: HashMap<(i64, String), usize>,
    span: (f64, f64),
}

impl Axis {
    fn of(panels: &[Panel<Vec<History>>], span: (f64, f64)) -> Axis {
        let mut places: Vec<(i64, String, Vec<String>)> = Vec::new();
        let mut known: HashSet<(i64, String)> = HashSet::new();
        let histories = panels.iter().flat_map(|panel| &panel.content);
        for point in histories.flat_map(|history| &history.points) {
            if known.insert(key(&point.commit, point.at_ms)) {
                places.push((point.at_ms, point.commit.clone(), point.releases.clone()));
            }
        }
        // The points of each history are in the order of commits, and their dates never decrease. Sorting by
        // date is stable, so it keeps this order.
        places.sort_by_key(|(ms, _, _)| *ms);
        let positions = (0..).zip(&places).map(|(at, (ms, commit, _))| (key(commit, *ms), at)).collect();
        Axis { places, positions, span }
    }

    fn at(&self, commit: &str, at_ms: i64) -> Option<f64> {
        self.positions.get(&key(commit, at_ms)).map(|place| self.position(*place))
    }

    fn position(&self, place: usize) -> f64 {
        let inset = 26.0;
        if self.places.len() == 1 {
            return (self.span.0 + self.span.1) / 2.0;
        }
        let step = (self.span.1 - self.span.0 - 2.0 * inset) / (self.places.len().max(2) - 1) as f64;
        self.span.0 + inset + place as f64 * step
    }

    /// Labels as many positions as there is room for, with their dates and commits. Returns the height of the
    /// chart.
    fn draw(&self, frame: &mut Frame<'_>) -> f64 {
        let (top, faint) = (frame.top - 12.0, frame.look.faint());
        let (mut free, mut last) = (f64::NEG_INFINITY, String::new());
        for (place, (ms, commit, _)) in self.places.iter().enumerate() {
            let (x, day, commit) = (self.position(place), date(*ms), short(commit));
            let half = width(&day, SMALL).max(width(&commit, SMALL)) / 2.0;
            if x - half > free + 8.0 && x + half < frame.right() + MARGIN {
                if day != last {
                    frame.canvas.text((x, top), Anchor::Middle, SMALL, faint, &day);
                }
                frame.canvas.text((x, top + 15.0), Anchor::Middle, SMALL, faint, &commit);
                (free, last) = (x + half, day);
            }
        }
        top + 30.0
    }

    /// Marks releases within a panel.
    fn releases(&self, frame: &mut Frame<'_>, (top, bottom): (f64, f64)) {
        let mut free = f64::NEG_INFINITY;
        for (place, (_, _, releases)) in self.places.iter().enumerate() {
            let Some(name) = releases.last() else { continue };
            let (x, faint) = (self.position(place), frame.look.faint());
            frame.canvas.line((x, top), (x, bottom), frame.look.grid(), 1.0);
            let name = fitted(name, SMALL, 80.0);
            let half = width(&name, SMALL) / 2.0;
            if x - half > free + 6.0 {
                frame.canvas.text((x, top - 3.0), Anchor::Middle, SMALL, faint, &name);
                free = x + half;
            }
        }
    }
}

/// Returns the key of a position: the commit, or the date if there is none.
fn key(commit: &str, at_ms: i64) -> (i64, String) {
    (if commit.is_empty() { at_ms } else { 0 }, commit.to_owned())
}

fn short(commit: &str) -> String {
    commit.chars().take(7).collect()
}

fn one(frame: &mut Frame<'_>, picture: &Picture, panel: &Panel<Vec<History>>, axis: &Axis, height: f64) {
    let look = frame.look;
    let (top, bottom) = (frame.top + 38.0, frame.top + 38.0 + height);
    let points = panel.content.iter().flat_map(|history| &history.points);
    let estimates: Vec<Estimate> =
        points.map(|point| Estimate { value: point.value, interval: point.interval }).collect();
    let scale = Scale::of(&estimates, picture.log, bottom, top);
    let unit = frame.values_left(&scale, (top, bottom), axis.span.0, axis.span.1, false);
    frame.panel(&panel.name, &unit, top - 28.0);
    frame.canvas.line((axis.span.0, bottom), (axis.span.1, bottom), look.faint(), 1.0);
    axis.releases(frame, (top, bottom));
    for history in &panel.content {
        let series = picture.series.iter().position(|name| *name == history.host).unwrap_or(0);
        line(frame, picture, history, series, (axis, &scale));
        changes(frame, history, series, axis, (top, bottom));
    }
    frame.top = bottom + 28.0;
}

/// Draws the points of a machine. The line is broken where conditions change.
fn line(frame: &mut Frame<'_>, picture: &Picture, history: &History, series: usize, to: (&Axis, &Scale)) {
    let (axis, scale) = to;
    let (look, colour) = (frame.look, frame.look.series(series));
    for own in history.points.chunk_by(|one, next| one.conditions == next.conditions) {
        let place = |point: &HistoryPlace| {
            (axis.at(&point.commit, point.at_ms).unwrap_or(axis.span.0), scale.at(point.value))
        };
        let at: Vec<(f64, f64)> = own.iter().map(place).collect();
        if at.len() > 1 {
            frame.canvas.path(&at, colour, 1.2, None);
        }
        for (point, at) in own.iter().zip(at) {
            if let Some(interval) = point.interval {
                let (lo, hi) = (scale.within(interval.lo), scale.within(interval.hi));
                frame.canvas.line((at.0, lo), (at.0, hi), colour, 1.2);
            }
            let tip = [
                tooltip(point.value, &picture.unit),
                date(point.at_ms),
                short(&point.commit),
                point.releases.join(" "),
                history.conditions[point.conditions as usize].runtime.clone(),
                point.run.as_ref().map_or_else(String::new, |run| format!("run {run}")),
            ];
            let tip: Vec<&str> = tip.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
            // Large marks would hide a line of many points.
            let radius = if axis.places.len() > 100 { 1.8 } else { 3.4 };
            frame.canvas.mark(at, series, radius, colour, look.ground(), &tip.join(", "));
        }
    }
}

/// Marks changes of the level with their sizes. Changes that a measurement did not confirm are left out.
fn changes(frame: &mut Frame<'_>, history: &History, series: usize, axis: &Axis, span: (f64, f64)) {
    let look = frame.look;
    for change in history.changes.iter().filter(|change| change.state != ChangeState::NotConfirmed) {
        let Some(x) = axis.at(&change.to, change.at_ms).map(|x| x - 6.0) else { continue };
        if change.state == ChangeState::New {
            frame.canvas.dashed((x, span.0), (x, span.1), look.series(series));
        } else {
            frame.canvas.line((x, span.0), (x, span.1), look.series(series), 1.2);
        }
        let text = numbers::change(change.change, &Style::default());
        let is_right = x + 66.0 > axis.span.1;
        let (x, anchor) = if is_right { (x - 4.0, Anchor::End) } else { (x + 4.0, Anchor::Start) };
        // Stack the labels of machines whose level changed at the same commit.
        let y = span.0 + 10.0 + 13.0 * (series % 6) as f64;
        frame.canvas.text((x, y), anchor, SMALL, look.ink(), &text);
    }
}
