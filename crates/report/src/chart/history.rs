//! History charts: one panel per case with its results over several runs.

use super::canvas::Anchor;
use super::frame::{Frame, MARGIN};
use super::look::Look;
use super::ruler::tooltip;
use super::scale::Scale;
use super::width::width;
use crate::numbers;
use crate::style::Style;
use derny_model::Estimate;
use derny_model::picture::{HistoryPoint, Panel, Picture};

/// Draws the panels one below the other, with the same runs at the same horizontal positions.
pub(super) fn histories(picture: &Picture, panels: &[Panel<Vec<HistoryPoint>>], look: &Look) -> String {
    let mut frame = Frame::new(picture, look);
    let mut runs: Vec<(i64, String, String)> = Vec::new();
    for point in panels.iter().flat_map(|panel| &panel.content) {
        if !runs.iter().any(|(_, run, _)| *run == point.run) {
            runs.push((point.started_ms, point.run.clone(), point.commit.clone()));
        }
    }
    runs.sort();
    let height = f64::from(look.height.unwrap_or(150));
    let span = (MARGIN + 56.0, frame.right() - 10.0);
    let inset = 26.0;
    let step = (span.1 - span.0 - 2.0 * inset) / (runs.len().max(2) - 1) as f64;
    let place = |run: &str| {
        let index = runs.iter().position(|(_, id, _)| id == run).unwrap_or(0);
        if runs.len() == 1 { (span.0 + span.1) / 2.0 } else { span.0 + inset + index as f64 * step }
    };
    for panel in panels {
        one(&mut frame, picture, panel, span, height, &place);
    }
    let top = frame.top - 12.0;
    let (mut free, mut last) = (f64::NEG_INFINITY, "");
    for (_, run, commit) in &runs {
        let x = place(run);
        let half = width(run, 11.0).max(if commit == last { 0.0 } else { width(commit, 11.0) }) / 2.0;
        if x - half > free + 8.0 && x + half < frame.right() + MARGIN {
            frame.canvas.text((x, top), Anchor::Middle, 11.0, look.faint(), run);
            if commit != last {
                frame.canvas.text((x, top + 15.0), Anchor::Middle, 11.0, look.faint(), commit);
            }
            (free, last) = (x + half, commit);
        }
    }
    frame.finish(top + 30.0)
}

fn one(
    frame: &mut Frame<'_>,
    picture: &Picture,
    panel: &Panel<Vec<HistoryPoint>>,
    span: (f64, f64),
    height: f64,
    place: &dyn Fn(&str) -> f64,
) {
    let look = frame.look;
    let (top, bottom) = (frame.top + 26.0, frame.top + 26.0 + height);
    let estimates: Vec<Estimate> = panel.content.iter().map(|point| point.estimate).collect();
    let scale = Scale::of(&estimates, picture.log, bottom, top);
    let unit = frame.values_left(&scale, (top, bottom), span.0, span.1, false);
    frame.panel(&panel.name, &unit, top - 16.0);
    frame.canvas.line((span.0, bottom), (span.1, bottom), look.faint(), 1.0);
    for series in 0..picture.series.len() {
        let own: Vec<&HistoryPoint> = panel.content.iter().filter(|point| point.series == series).collect();
        let colour = look.series(series);
        let line: Vec<(f64, f64)> = own.iter().map(|p| (place(&p.run), scale.at(p.estimate.value))).collect();
        if line.len() > 1 {
            frame.canvas.path(&line, colour, 1.2, None);
        }
        for (point, at) in own.iter().zip(line) {
            if let Some(interval) = point.estimate.interval {
                frame.canvas.line(
                    (at.0, scale.within(interval.lo)),
                    (at.0, scale.within(interval.hi)),
                    colour,
                    1.2,
                );
            }
            let tip = format!(
                "run {} {}: {}",
                point.run,
                point.commit,
                tooltip(point.estimate.value, &picture.unit)
            );
            frame.canvas.mark(at, series, 3.4, colour, look.ground(), &tip);
            if let Some(moved) = point.moved {
                frame.canvas.dashed((at.0 - 6.0, top), (at.0 - 6.0, bottom), colour);
                let text = numbers::change(moved, &Style::default());
                let (x, anchor) = if at.0 + 60.0 > span.1 {
                    (at.0 - 10.0, Anchor::End)
                } else {
                    (at.0 - 2.0, Anchor::Start)
                };
                // Stack the labels of series whose level changed in the same run.
                let y = top + 10.0 + 13.0 * (series % 6) as f64;
                frame.canvas.text((x, y), anchor, 11.0, look.ink(), &text);
            }
        }
    }
    frame.top = bottom + 28.0;
}
