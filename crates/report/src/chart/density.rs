//! Density charts: one panel per case.

use super::canvas::Anchor;
use super::frame::{Frame, MARGIN, TEXT};
use super::look::Look;
use super::scale::Scale;
use derny_model::picture::{Curve, Panel, Picture};

/// Each panel has an axis of its own, because cases differ by orders of magnitude.
pub(super) fn densities(picture: &Picture, panels: &[Panel<Vec<Curve>>], look: &Look) -> String {
    let mut frame = Frame::new(picture, look);
    let height = f64::from(look.height.unwrap_or(130));
    let span = (MARGIN, frame.right());
    for (index, panel) in panels.iter().enumerate() {
        let top = frame.top + 22.0;
        let ticks = 9.0 * panel.content.len() as f64;
        let (floor, bottom) = (top + height, top + height + ticks + 4.0);
        let values =
            panel.content.iter().flat_map(|curve| [curve.points.first(), curve.points.last()]).flatten();
        let ends: Vec<f64> = values.map(|point| point.0).collect();
        let (lo, hi) =
            ends.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(*v), hi.max(*v)));
        let room = 0.05 * (hi - lo);
        let scale = Scale::new([lo + room, hi - room].into_iter(), false, span.0, span.1);
        let (below, unit) = frame.values_below(&scale, span, top, bottom, index + 1 == panels.len());
        frame.panel(&panel.name, &unit, top - 10.0);
        let most =
            panel.content.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(0.0, f64::max);
        for (row, curve) in panel.content.iter().enumerate() {
            let place =
                |(value, density): &(f64, f64)| (scale.at(*value), floor - density / most * (height - 6.0));
            let points: Vec<(f64, f64)> =
                curve.points.iter().filter(|p| p.0 >= scale.lo && p.0 <= scale.hi).map(place).collect();
            let colour = look.series(curve.series);
            frame.canvas.path(&points, colour, 1.8, Some(floor));
            let y = floor + 4.0 + 9.0 * row as f64;
            for process in curve.processes.iter().filter(|v| **v >= scale.lo && **v <= scale.hi) {
                frame.canvas.line((scale.at(*process), y), (scale.at(*process), y + 7.0), colour, 1.4);
            }
        }
        let above: u32 = panel.content.iter().map(|curve| curve.above).sum();
        if above > 0 {
            let text = format!("{above} beyond");
            frame.canvas.text((span.1, top + 12.0), Anchor::End, TEXT, look.faint(), &text);
        }
        frame.canvas.line((span.0, floor), (span.1, floor), look.faint(), 1.0);
        frame.top = bottom + below + 8.0;
    }
    let bottom = frame.top;
    frame.finish(bottom)
}
