//! Scatter charts: values over a parameter.

use super::canvas::Anchor;
use super::frame::{Frame, MARGIN, TEXT};
use super::look::Look;
use super::ruler::tooltip;
use super::scale::Scale;
use super::width::{fitted, width};
use derny_model::Estimate;
use derny_model::picture::{Picture, Scatter};

pub(super) fn scatter(picture: &Picture, scatter: &Scatter, look: &Look) -> String {
    let mut frame = Frame::new(picture, look);
    let height = f64::from(look.height.unwrap_or(480));
    let span = (MARGIN + 74.0, frame.right() - 12.0);
    let (top, bottom) = (frame.top + 6.0, (height - 54.0).max(frame.top + 120.0));
    let estimates: Vec<Estimate> = scatter.points.iter().map(|point| point.estimate).collect();
    let scale = Scale::of(&estimates, picture.log, bottom, top);
    frame.values_left(&scale, (top, bottom), span.0, span.1, true);
    let places = places(scatter, span);
    let axis = places_below(&mut frame, scatter, &places, (top, bottom));
    frame.canvas.text(((span.0 + span.1) / 2.0, bottom + 38.0), Anchor::Middle, TEXT, look.faint(), &axis);
    // On a category axis, draw the series of one position side by side.
    let step = if places.len() > 1 { (places[1] - places[0]).abs() } else { span.1 - span.0 };
    let series = picture.series.len().max(1);
    let apart =
        if scatter.numbers.is_none() && series > 1 { (0.5 * step / series as f64).min(14.0) } else { 0.0 };
    let shifted = |tick: usize, of: usize| places[tick] + (of as f64 - (series as f64 - 1.0) / 2.0) * apart;
    for (of, line) in scatter.lines.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            line.iter().map(|(tick, value)| (shifted(*tick, of), scale.at(*value))).collect();
        if points.len() > 1 {
            frame.canvas.path(&points, look.series(of), 1.6, None);
        }
    }
    let radius = if scatter.points.len() > 60 { 2.4 } else { 4.2 };
    for point in &scatter.points {
        let (x, colour) = (shifted(point.tick, point.series), look.series(point.series));
        if let Some(interval) = point.estimate.interval {
            let (lo, hi) = (scale.within(interval.lo), scale.within(interval.hi));
            frame.canvas.line((x, lo), (x, hi), colour, 1.2);
            for end in [interval.lo, interval.hi].into_iter().filter(|end| scale.holds(*end)) {
                let end = scale.at(end);
                frame.canvas.line((x - 3.5, end), (x + 3.5, end), colour, 1.2);
            }
        }
        let who = picture
            .series
            .get(point.series)
            .filter(|name| !name.is_empty())
            .map_or(String::new(), |name| format!(" · {name}"));
        let tip = format!("{}{who}: {}", point.name, tooltip(point.estimate.value, &picture.unit));
        frame.canvas.mark(
            (x, scale.at(point.estimate.value)),
            point.series,
            radius,
            colour,
            look.ground(),
            &tip,
        );
    }
    frame.finish(bottom + 54.0)
}

/// Returns the horizontal position of each tick. Ticks that are numbers are placed by their values, and other
/// ticks at equal distances.
fn places(scatter: &Scatter, span: (f64, f64)) -> Vec<f64> {
    match &scatter.numbers {
        Some(numbers) if numbers.len() > 1 => {
            let inset = 0.03 * (span.1 - span.0);
            let positive = numbers.iter().all(|number| *number > 0.0);
            let at = |number: f64| if scatter.log && positive { number.ln() } else { number };
            let (lo, hi) = (at(numbers[0]), at(numbers[numbers.len() - 1]));
            let share = |number: f64| if hi > lo { (at(number) - lo) / (hi - lo) } else { 0.5 };
            numbers.iter().map(|n| span.0 + inset + share(*n) * (span.1 - span.0 - 2.0 * inset)).collect()
        }
        _ => {
            let step = (span.1 - span.0) / scatter.ticks.len().max(1) as f64;
            (0..scatter.ticks.len()).map(|i| span.0 + (i as f64 + 0.5) * step).collect()
        }
    }
}

/// Labels as many values below the axis as fit. Returns the label of the axis.
fn places_below(
    frame: &mut Frame<'_>,
    scatter: &Scatter,
    places: &[f64],
    (top, bottom): (f64, f64),
) -> String {
    let look = frame.look;
    let room = match scatter.numbers {
        None if places.len() > 1 => (places[1] - places[0]) - 8.0,
        _ => 90.0,
    };
    let mut free = f64::NEG_INFINITY;
    for (tick, x) in scatter.ticks.iter().zip(places) {
        let label = fitted(tick, TEXT, room.max(24.0));
        let half = width(&label, TEXT) / 2.0;
        let named = x - half > free + 6.0;
        // Too many grid lines would fill the area.
        if named || places.len() <= 60 {
            frame.canvas.line((*x, top), (*x, bottom), look.grid(), 1.0);
        }
        if named {
            frame.canvas.text((*x, bottom + 18.0), Anchor::Middle, TEXT, look.faint(), &label);
            free = x + half;
        }
    }
    frame.canvas.line(
        (places.first().map_or(0.0, |_| MARGIN + 74.0), bottom),
        (frame.right() - 12.0, bottom),
        look.faint(),
        1.0,
    );
    let log = scatter.log && scatter.numbers.is_some();
    format!("{}{}", scatter.over, if log { " (logarithmic)" } else { "" })
}
