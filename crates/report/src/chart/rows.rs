//! Charts with one row per case: box plots, and estimates with intervals.

use super::canvas::{Anchor, Canvas};
use super::frame::{Frame, MARGIN, TEXT};
use super::look::Look;
use super::ruler::tooltip;
use super::scale::Scale;
use super::width::{fitted, width};
use derny_model::Estimate;
use derny_model::picture::{Picture, PictureRow, Spread};

/// Height of each series within a row, in pixels.
const LANE: f64 = 20.0;
const GAP: f64 = 12.0;

/// Creates an axis for marks along a range of pixels.
type Span<'d, T> = dyn Fn(&[&T], (f64, f64)) -> Scale + 'd;

/// Draws one mark, given the canvas, the axis, the middle of the lane, the series, the mark and its tooltip.
type Draw<'d, T> = dyn Fn(&mut Canvas, &Scale, f64, usize, &T, &str) + 'd;

pub(super) fn boxes(picture: &Picture, rows: &[PictureRow<Spread>], look: &Look) -> String {
    let scale = |spreads: &[&Spread], span: (f64, f64)| {
        let ends = spreads.iter().flat_map(|spread| [spread.low, spread.high]);
        let values = spreads.iter().flat_map(|spread| spread.values.iter().copied());
        Scale::new(ends.chain(values), picture.log, span.0, span.1)
    };
    let tell = |spread: &Spread| {
        format!("median {} of {} processes", tooltip(spread.median, &picture.unit), spread.values.len())
    };
    draw(picture, rows, look, &scale, &tell, &|canvas, scale, y, series, spread, tip| {
        let colour = look.series(series);
        let (low, q1, median) = (scale.at(spread.low), scale.at(spread.q1), scale.at(spread.median));
        let (q3, high) = (scale.at(spread.q3), scale.at(spread.high));
        canvas.line((low, y), (q1, y), colour, 1.2);
        canvas.line((q3, y), (high, y), colour, 1.2);
        for end in [low, high] {
            canvas.line((end, y - 3.5), (end, y + 3.5), colour, 1.2);
        }
        canvas.rect((q1, y - 7.0), (q3, y + 7.0), colour, 0.22, Some(colour));
        for (place, value) in spread.values.iter().enumerate() {
            // Equal values would overlap, so spread points across the lane in a fixed pattern.
            let dy = ((place * 5) % 7) as f64 - 3.0;
            canvas.mark((scale.at(*value), y + dy * 1.5), 0, 1.8, colour, "none", "");
        }
        canvas.line((median, y - 7.0), (median, y + 7.0), look.ink(), 2.0);
        canvas.mark((median, y), series, 2.6, look.ink(), "none", tip);
    })
}

pub(super) fn intervals(picture: &Picture, rows: &[PictureRow<Estimate>], look: &Look) -> String {
    let scale = |estimates: &[&Estimate], span: (f64, f64)| {
        let estimates: Vec<Estimate> = estimates.iter().map(|estimate| **estimate).collect();
        Scale::of(&estimates, picture.log, span.0, span.1)
    };
    let tell = |estimate: &Estimate| {
        let interval = estimate
            .interval
            .map(|i| format!(" ({} … {})", tooltip(i.lo, &picture.unit), tooltip(i.hi, &picture.unit)));
        tooltip(estimate.value, &picture.unit) + &interval.unwrap_or_default()
    };
    draw(picture, rows, look, &scale, &tell, &|canvas, scale, y, series, estimate, tip| {
        let colour = look.series(series);
        if let Some(interval) = estimate.interval {
            let (lo, hi) = (scale.within(interval.lo), scale.within(interval.hi));
            canvas.line((lo, y), (hi, y), colour, 2.0);
            // A bound beyond the axis has no cap.
            for end in [interval.lo, interval.hi].into_iter().filter(|end| scale.holds(*end)) {
                let end = scale.at(end);
                canvas.line((end, y - 4.0), (end, y + 4.0), colour, 1.4);
            }
        }
        canvas.mark((scale.at(estimate.value), y), series, 4.2, colour, look.ground(), tip);
    })
}

fn draw<T>(
    picture: &Picture,
    rows: &[PictureRow<T>],
    look: &Look,
    scale: &Span<'_, T>,
    tell: &dyn Fn(&T) -> String,
    mark: &Draw<'_, T>,
) -> String {
    let mut frame = Frame::new(picture, look);
    let longest = rows.iter().map(|row| width(&row.name, TEXT)).fold(40.0, f64::max);
    let names = longest.min(0.42 * (frame.right() - MARGIN));
    let span = (MARGIN + names + 14.0, frame.right() - 8.0);
    let marks: Vec<&T> = rows.iter().flat_map(|row| row.marks.iter().flatten()).collect();
    let scale = scale(&marks, span);
    let height = |row: &PictureRow<T>| row.marks.len().max(1) as f64 * LANE + GAP;
    let top = frame.top;
    let bottom = top + rows.iter().map(height).sum::<f64>();
    let mut y = top;
    for (index, row) in rows.iter().enumerate() {
        if index % 2 == 1 {
            let band = frame.look.band();
            frame.canvas.rect((MARGIN - 6.0, y), (frame.right() + 6.0, y + height(row)), band, 1.0, None);
        }
        y += height(row);
    }
    let (below, _) = frame.values_below(&scale, span, top, bottom, true);
    if picture.unit == "share" && scale.lo < 0.0 && scale.hi > 0.0 {
        frame.canvas.line((scale.at(0.0), top), (scale.at(0.0), bottom), frame.look.faint(), 1.2);
    }
    let mut y = top;
    for row in rows {
        let name = fitted(&row.name, TEXT, names);
        let middle = y + height(row) / 2.0;
        frame.canvas.text((MARGIN, middle + 4.0), Anchor::Start, TEXT, look.ink(), &name);
        for (series, one) in row.marks.iter().enumerate() {
            let Some(one) = one else { continue };
            let lane = y + GAP / 2.0 + (series as f64 + 0.5) * LANE;
            let who = picture.series.get(series).filter(|_| picture.series.len() > 1);
            let tip = format!(
                "{}{}: {}",
                row.name,
                who.map_or(String::new(), |who| format!(" · {who}")),
                tell(one)
            );
            mark(&mut frame.canvas, &scale, lane, series, one, &tip);
        }
        y += height(row);
    }
    frame.finish(bottom + below + 8.0)
}
