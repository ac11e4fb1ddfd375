//! Results along a parameter: tables of points with intervals, steps and rates, and what they follow.

use crate::comparison::rows::verdict;
use crate::style::{Paint, visible};
use crate::table::{self, Line};
use crate::{Style, csv, json, markdown, numbers};
use derny_model::{Curve, Estimate, Growth, Point, Scaling};

/// Columns that a bar takes.
const BAR: usize = 16;
/// So many values of an averaged parameter are named.
const NAMED: usize = 8;

/// What it is about, an overview where there are several curves, a table per curve, what was left out.
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

fn head(scaling: &Scaling, style: &Style) -> String {
    let steps: usize = scaling.curves.iter().map(|curve| curve.points.len().saturating_sub(1)).sum();
    let what = if scaling.quantity == "time" { "time per operation" } else { &scaling.quantity };
    let level = numbers::confidence(scaling.confidence, style);
    let mut text = format!("run {} · {what} over {}", scaling.run, scaling.over);
    if !scaling.by.is_empty() {
        text.push_str(&format!(" by {}", scaling.by.join(", ")));
    }
    if steps > 0 {
        let steps = numbers::counted(steps, "step", "steps");
        text.push_str(&format!(" · {level} intervals, over {steps} together for steps"));
    }
    text
}

/// A row per curve, a column per value of the parameter.
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
            (None, Some(exponent)) => power(exponent),
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

/// `suite/benchmark key=value variant`.
fn name(curve: &Curve) -> String {
    let by = curve.by.iter().map(|(key, value)| format!(" {key}={value}"));
    let variant = if curve.variant.is_empty() { String::new() } else { format!(" {}", curve.variant) };
    visible(&format!("{}/{}{}{variant}", curve.suite, curve.benchmark, by.collect::<String>())).into_owned()
}

/// The parameter as written; as a power of the axis's base where it is a whole one.
fn axis(scaling: &Scaling, point: &Point, style: &Style) -> String {
    let power = scaling.log.filter(|_| point.x > 0.0).and_then(|base| {
        let exponent = point.x.ln() / f64::from(base).ln();
        let whole = exponent.round();
        ((exponent - whole).abs() < 1e-9).then(|| format!("{base}^{whole}"))
    });
    style.prose(&power.unwrap_or_else(|| point.text.clone()))
}

fn figure(scaling: &Scaling, estimate: &Estimate, style: &Style) -> numbers::Figure {
    numbers::quantity(estimate, &scaling.unit, style)
}

/// A table of points, what was averaged, what they follow.
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

/// An exponent to two places; one that rounds to nothing has no sign.
fn local(exponent: f64, style: &Style) -> String {
    let text = format!("{exponent:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text.replace('-', style.pick("−", "-")) }
}

/// Takes out columns that say nothing in any line: intervals of single samples.
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

/// Ratio, its interval, local exponent, verdict.
fn step(scaling: &Scaling, point: &Point, style: &Style) -> [String; 4] {
    let Some(step) = &point.step else { return [const { String::new() }; 4] };
    let times = |value: f64| {
        let decimals = if value >= 99.5 {
            0
        } else if value >= 9.95 {
            1
        } else {
            2
        };
        format!("{value:.decimals$}")
    };
    let interval = step.ratio.interval;
    let ends = |i: derny_model::Interval| format!("{} {} {}", times(i.lo), style.ellipsis(), times(i.hi));
    let word = verdict(step.verdict, scaling.quantity != "time", scaling.margin, style);
    [
        format!("{}{}", style.pick("×", "x"), times(step.ratio.value)),
        interval.map_or(String::new(), ends),
        step.exponent.map_or(String::new(), |exponent| local(exponent.value, style)),
        style.prose(&word),
    ]
}

/// Lengths of bars, from nothing; from the smallest point where the axis is logarithmic.
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

fn off(point: &Point, style: &Style) -> Option<String> {
    let share = point.estimate.value / point.fitted.filter(|_| point.off)? - 1.0;
    Some(format!("! {} off the fit", numbers::change(share, style)))
}

fn notes(scaling: &Scaling, curve: &Curve, style: &Style) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, values) in &curve.aggregated {
        let shown = values.iter().take(NAMED).map(|value| if value.is_empty() { "''" } else { value });
        let more = values.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.push(format!("geometric mean over {name} ({}{more})", shown.collect::<Vec<_>>().join(", ")));
    }
    let whole = curve.exponent.as_ref().map_or(String::new(), |e| format!("; over all points {}", power(e)));
    match &curve.growth {
        Some(growth) => {
            let also = match &growth.also[..] {
                [] => String::new(),
                also => format!("; not to be told from {}", also.join(", ")),
            };
            let error = numbers::percent(growth.error, style);
            notes.push(format!(
                "growth: {}, {error} off at points left out of the fit{also}{whole}",
                law(growth, style)
            ));
        }
        None if curve.points.len() < 4 => {
            notes.push(format!("growth: four values of {} are needed for a law{whole}", scaling.over));
        }
        None => notes.push(format!("growth: no law, {} is not above 0 everywhere{whole}", scaling.over)),
    }
    notes
}

/// The law, with its exponent where that is free.
fn law(growth: &Growth, style: &Style) -> String {
    match &growth.exponent {
        Some(exponent) => power(exponent),
        None => style.prose(&growth.law),
    }
}

/// `n^1.01 (1.00 … 1.02)`.
fn power(exponent: &Estimate) -> String {
    let ends = exponent.interval.map_or(String::new(), |i| format!(" ({:.2} to {:.2})", i.lo, i.hi));
    format!("n^{:.2}{ends}", exponent.value)
}

/// The whole as indented JSON.
pub fn json(scaling: &Scaling) -> String {
    json::pretty(scaling)
}

const HEAD: [&str; 24] = [
    "suite",
    "benchmark",
    "by",
    "variant",
    "parameter",
    "x",
    "value",
    "lo",
    "hi",
    "unit",
    "per_second",
    "bytes_per_second",
    "cases",
    "processes",
    "step",
    "step_lo",
    "step_hi",
    "exponent",
    "exponent_lo",
    "exponent_hi",
    "verdict",
    "fitted",
    "off",
    "growth",
];

/// A row per point.
pub fn csv(scaling: &Scaling) -> String {
    let mut out = csv::row(&HEAD);
    for curve in &scaling.curves {
        for point in &curve.points {
            let step = point.step.as_ref();
            let ends = |estimate: Option<&Estimate>| {
                let interval = estimate.and_then(|estimate| estimate.interval);
                [estimate.map(|e| e.value), interval.map(|i| i.lo), interval.map(|i| i.hi)].map(csv::number)
            };
            let mut fields = vec![
                curve.suite.clone(),
                curve.benchmark.clone(),
                csv::pairs(&curve.by),
                curve.variant.clone(),
                point.text.clone(),
                csv::number(Some(point.x)),
            ];
            fields.extend(ends(Some(&point.estimate)));
            fields.push(scaling.unit.clone());
            fields.extend([point.per_second, point.bytes_per_second].map(csv::number));
            fields.extend([point.cases, point.processes].map(|count| count.to_string()));
            fields.extend(ends(step.map(|step| &step.ratio)));
            fields.extend(ends(step.and_then(|step| step.exponent.as_ref())));
            fields.push(step.map_or(String::new(), |step| step.verdict.words().to_owned()));
            fields.push(csv::number(point.fitted));
            fields.push(point.off.to_string());
            fields.push(curve.growth.as_ref().map_or(String::new(), |growth| growth.law.clone()));
            out.push_str(&csv::row(&fields));
        }
    }
    out
}

/// A Markdown table per curve.
pub fn markdown(scaling: &Scaling, style: &Style) -> String {
    let style = Style { width: None, colour: false, ..*style };
    let mut out = format!("{}\n", markdown::escape(&head(scaling, &style)));
    for curve in &scaling.curves {
        out.push_str(&format!("\n**{}**\n\n", markdown::escape(&name(curve))));
        let heads = [
            &scaling.over,
            scaling.quantity.as_str(),
            "interval",
            "bytes/s",
            "step",
            "interval",
            "exponent",
            "",
        ];
        out.push_str(&markdown::line(&heads.map(markdown::escape)));
        out.push_str(&markdown::line(&["---:"; 8]));
        for point in &curve.points {
            let shown = figure(scaling, &point.estimate, &style);
            let [ratio, interval, exponent, word] = step(scaling, point, &style);
            let remark =
                [Some(word), off(point, &style)].into_iter().flatten().filter(|text| !text.is_empty());
            let speed =
                point.bytes_per_second.map_or(String::new(), |r| format!("{}/s", numbers::bytes(r, &style)));
            let cells = [
                axis(scaling, point, &style),
                shown.value,
                shown.interval.unwrap_or_default(),
                speed,
                ratio,
                interval,
                exponent,
                remark.collect::<Vec<_>>().join(" "),
            ];
            out.push_str(&markdown::line(&cells.map(|cell| markdown::escape(&cell))));
        }
        out.push('\n');
        for text in notes(scaling, curve, &style) {
            out.push_str(&format!("- {}\n", markdown::escape(&style.prose(&text))));
        }
    }
    out
}
