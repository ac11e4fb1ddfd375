//! Wording for results over a parameter: headings, names, steps and laws.

use crate::comparison::rows::verdict;
use crate::style::visible;
use crate::{Style, numbers};
use derny_model::{Curve, Estimate, Growth, Point, Scaling};

const NAMED: usize = 8;

pub(super) fn head(scaling: &Scaling, style: &Style) -> String {
    let steps: usize = scaling.curves.iter().map(|curve| curve.points.len().saturating_sub(1)).sum();
    let what = if scaling.quantity == "time" { "time per operation" } else { &scaling.quantity };
    let level = numbers::confidence(scaling.confidence, style);
    let mut text = format!("run {} · {what} over {}", scaling.run, scaling.over);
    if !scaling.by.is_empty() {
        text.push_str(&format!(" by {}", scaling.by.join(", ")));
    }
    if steps > 0 {
        let steps = numbers::counted(steps, "step", "steps");
        text.push_str(&format!(" · {level} intervals, simultaneous for {steps}"));
    }
    text
}

pub(super) fn name(curve: &Curve) -> String {
    let by = curve.by.iter().map(|(key, value)| format!(" {key}={value}"));
    let variant = if curve.variant.is_empty() { String::new() } else { format!(" {}", curve.variant) };
    visible(&format!("{}/{}{}{variant}", curve.suite, curve.benchmark, by.collect::<String>())).into_owned()
}

/// Formats the value of the parameter as written, or as a power of the axis's base if the exponent is an
/// integer.
pub(super) fn axis(scaling: &Scaling, point: &Point, style: &Style) -> String {
    let power = scaling.log.filter(|_| point.x > 0.0).and_then(|base| {
        let exponent = point.x.ln() / f64::from(base).ln();
        let whole = exponent.round();
        ((exponent - whole).abs() < 1e-9).then(|| format!("{base}^{whole}"))
    });
    style.prose(&power.unwrap_or_else(|| point.text.clone()))
}

pub(super) fn figure(scaling: &Scaling, estimate: &Estimate, style: &Style) -> numbers::Figure {
    numbers::quantity(estimate, &scaling.unit, style)
}

fn local(exponent: f64, style: &Style) -> String {
    let text = format!("{exponent:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text.replace('-', style.pick("−", "-")) }
}

/// Formats a step between neighbouring points: its ratio, interval, local exponent and verdict.
pub(super) fn step(scaling: &Scaling, point: &Point, style: &Style) -> [String; 4] {
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

pub(super) fn off(point: &Point, style: &Style) -> Option<String> {
    let share = point.estimate.value / point.fitted.filter(|_| point.off)? - 1.0;
    Some(format!("! {} off the fit", numbers::change(share, style)))
}

pub(super) fn notes(scaling: &Scaling, curve: &Curve, style: &Style) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, values) in &curve.aggregated {
        let shown = values.iter().take(NAMED).map(|value| if value.is_empty() { "''" } else { value });
        let more = values.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        notes.push(format!("geometric mean over {name} ({}{more})", shown.collect::<Vec<_>>().join(", ")));
    }
    let whole =
        curve.exponent.as_ref().map_or(String::new(), |e| format!("; over all points {}", power(e, style)));
    match &curve.growth {
        Some(growth) => {
            let also = match &growth.also[..] {
                [] => String::new(),
                also => format!("; indistinguishable from {}", also.join(", ")),
            };
            let error = numbers::percent(growth.error, style);
            notes.push(format!(
                "growth: {}, {error} error at points excluded from the fit{also}{whole}",
                law(growth, style)
            ));
        }
        None if curve.points.len() < 4 => {
            notes.push(format!("growth: a law needs four values of {}{whole}", scaling.over));
        }
        None => notes.push(format!("growth: no law, because {} is not always above 0{whole}", scaling.over)),
    }
    notes
}

/// Formats a law of growth, with its exponent if that was fitted.
pub(super) fn law(growth: &Growth, style: &Style) -> String {
    match &growth.exponent {
        Some(exponent) => power(exponent, style),
        None => style.prose(&growth.law),
    }
}

pub(super) fn power(exponent: &Estimate, style: &Style) -> String {
    let place = |value| local(value, style);
    let ends = exponent.interval.map_or(String::new(), |i| format!(" ({} to {})", place(i.lo), place(i.hi)));
    format!("n^{}{ends}", place(exponent.value))
}
