//! Formats results over a parameter: tables of points with intervals, steps and rates, and laws of growth.

mod csv;
mod markdown;
mod words;

use crate::style::{Paint, visible};
use crate::table::{self, Line};
use crate::{Style, json, numbers};
use derny_model::{Curve, Estimate, Point, Scaling};
use words::{axis, figure, head, law, name, notes, off, power, step};

pub use csv::csv;
pub use markdown::markdown;

const BAR: usize = 16;

/// Returns a heading, an overview if there are several curves, a table per curve, and the omitted cases.
pub fn table(scaling: &Scaling, style: &Style) -> String {
    let mut out = format!("{}\n", style.paint(Paint::Dim, &style.prose(&head(scaling, style))));
    if scaling.curves.len() > 1 {
        out.push_str(&overview(scaling, style));
    }
    for curve in &scaling.curves {
        out.push('\n');
        out.push_str(&one(scaling, curve, style));
    }
    for (case, why) in &scaling.left_out {
        out.push_str(&format!("\nleft out: {}, {}", visible(case), style.prose(why)));
    }
    if !scaling.left_out.is_empty() {
        out.push('\n');
    }
    out
}

fn overview(scaling: &Scaling, style: &Style) -> String {
    let mut all: Vec<(f64, String)> = Vec::new();
    for point in scaling.curves.iter().flat_map(|curve| &curve.points) {
        if all.iter().all(|(x, _)| *x != point.x) {
            all.push((point.x, axis(scaling, point, style)));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut heads: Vec<String> = all.iter().map(|(_, text)| text.clone()).collect();
    heads.insert(0, "growth".to_owned());
    let line = |curve: &Curve| {
        let cell = |x: &f64| {
            let point = curve.points.iter().find(|point| point.x == *x);
            point.map_or(String::new(), |point| figure(scaling, &without_interval(point), style).value)
        };
        let growth = match (&curve.growth, &curve.exponent) {
            (Some(growth), _) => law(growth, style),
            (None, Some(exponent)) => power(exponent, style),
            (None, None) => String::new(),
        };
        let mut cells = vec![growth];
        cells.extend(all.iter().map(|(x, _)| cell(x)));
        Line { label: name(curve), cells, ..Line::default() }
    };
    let lines: Vec<Line> = scaling.curves.iter().map(line).collect();
    table::render(&heads, &lines, style)
}

fn without_interval(point: &Point) -> Estimate {
    Estimate { interval: None, ..point.estimate }
}

/// Returns the points of a curve, the averaged parameters, and the law of growth.
fn one(scaling: &Scaling, curve: &Curve, style: &Style) -> String {
    let bytes = curve.points.iter().any(|point| point.bytes_per_second.is_some());
    let rates = curve.points.iter().any(|point| point.per_second.is_some());
    let level = format!("{} interval", numbers::confidence(scaling.confidence, style));
    let quantity = if scaling.quantity == "time" { "time/op" } else { scaling.quantity.as_str() };
    let mut heads = vec![style.prose(quantity), level];
    heads.extend(rates.then(|| "op/s".to_owned()));
    heads.extend(bytes.then(|| "bytes/s".to_owned()));
    heads.extend(["step", "interval", "exponent", "verdict", ""].map(str::to_owned));
    let lengths = bars(scaling, curve);
    let lines = curve.points.iter().zip(&lengths).map(|(point, bar)| {
        let shown = figure(scaling, &point.estimate, style);
        let mut cells = vec![shown.value, shown.interval.unwrap_or_default()];
        cells
            .extend(rates.then(|| point.per_second.map_or(String::new(), |rate| numbers::rate(rate, style))));
        let speed = |rate: f64| format!("{}/s", numbers::bytes(rate, style));
        cells.extend(bytes.then(|| point.bytes_per_second.map_or(String::new(), speed)));
        cells.extend(step(scaling, point, style));
        let blocks = style.pick("█", "#").repeat(*bar);
        cells.push(format!("{blocks}{}", " ".repeat(BAR - bar)));
        let flag = off(point, style);
        let label = format!("{}={}", visible(&scaling.over), axis(scaling, point, style));
        let paint = flag.is_some().then_some(Paint::Warning);
        Line { label, cells, flag: flag.unwrap_or_default(), flag_paint: paint, ..Line::default() }
    });
    let heading = Line { label: name(curve), ..Line::default() };
    let mut lines: Vec<Line> = std::iter::once(heading).chain(lines).collect();
    drop_empty(&mut heads, &mut lines);
    let mut out = table::render(&heads, &lines, style);
    for text in notes(scaling, curve, style) {
        out.push_str(&format!("  {}\n", style.prose(&text)));
    }
    out
}

/// Removes columns that are empty in all lines, such as the intervals of single samples.
fn drop_empty(heads: &mut Vec<String>, lines: &mut [Line]) {
    for column in (0..heads.len()).rev() {
        if lines.iter().all(|line| line.cells.get(column).is_none_or(String::is_empty)) {
            heads.remove(column);
            lines.iter_mut().filter(|line| !line.cells.is_empty()).for_each(|line| {
                line.cells.remove(column);
            });
        }
    }
}

/// Returns the lengths of the bars in columns. Bars start at 0, or at the smallest point of a logarithmic
/// axis.
fn bars(scaling: &Scaling, curve: &Curve) -> Vec<usize> {
    let values: Vec<f64> = curve.points.iter().map(|point| point.estimate.value).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let share = |value: f64| match scaling.log {
        Some(_) if most > least => {
            (1.0 + (value / least).ln() / (most / least).ln() * (BAR - 1) as f64) / BAR as f64
        }
        _ => value / most,
    };
    values.iter().map(|value| ((share(*value) * BAR as f64).round() as usize).clamp(1, BAR)).collect()
}

/// Returns the curves as indented JSON.
pub fn json(scaling: &Scaling) -> String {
    json::printed(scaling)
}
