//! Formats the figures of one case as labelled lines.

use super::Fact;
use crate::{Style, numbers};
use derny_model::{CaseResult, Document, Estimate, Figure, TimeSummary, VariantResult, words};

fn fact(label: &str, text: impl Into<String>) -> Fact {
    (label.to_owned(), text.into())
}

const COMPOSED: [&str; 25] = [
    "time",
    "mean",
    "ops_per_second",
    "bytes_per_second",
    "items_per_second",
    "batch_mean",
    "standard_deviation",
    "median",
    "mad",
    "minimum",
    "maximum",
    "q1",
    "q3",
    "p95",
    "p99",
    "within",
    "between",
    "detectable",
    "outlier_variance",
    "cold",
    "floor",
    "collect",
    "slope",
    "r_squared",
    "robust_slope",
];

pub(super) fn estimates(
    document: &Document,
    case: &CaseResult,
    variant: &VariantResult,
    style: &Style,
) -> Vec<Fact> {
    let unit = case.case.unit.as_deref().unwrap_or("op");
    let level = numbers::confidence(document.run.settings.confidence, style);
    let mut facts = Vec::new();
    if let Some(time) = variant.figure("time") {
        let text = match (time.interval, time.range) {
            (None, None) => with_interval(&time, "", style) + "   no interval",
            (None, Some(_)) => of_few(&time, variant, style),
            (Some(_), _) => with_interval(&time, &format!("{level} interval "), style),
        };
        let at_floor = variant.time.as_ref().is_some_and(numbers::is_at_floor);
        let text = if at_floor { numbers::at_most(&text, style) } else { text };
        facts.push((format!("time/{}", style.prose(unit)), text));
    }
    if let Some(mean) = variant.figure("mean") {
        facts.push(fact("mean", with_interval(&mean, "", style) + &gap(variant, style)));
    }
    if let Some(rate) = variant.figure("ops_per_second") {
        facts.push((format!("{}/s", style.prose(unit)), numbers::rate(rate.value, style)));
    }
    if let Some(bytes) = variant.figure("bytes_per_second") {
        facts.push(fact("bytes/s", format!("{}/s", numbers::bytes(bytes.value, style))));
    }
    if let Some(items) = variant.figure("items_per_second") {
        facts.push(fact("items/s", numbers::rate(items.value, style)));
    }
    facts
}

/// Formats the range of a figure from few processes, and the probability that the range contains the median.
fn of_few(figure: &Figure, variant: &VariantResult, style: &Style) -> String {
    let shown = numbers::quantity(&figure.reach(), &figure.unit, style);
    let (value, range) = (shown.value, shown.interval.unwrap_or_default());
    let processes = numbers::counted(variant.processes as usize, "process", "processes");
    match words::range_holds(variant.processes) {
        Some(share) => {
            format!(
                "{value}   range of {processes} {range} (contains the median with a probability of \
                {})",
                style.prose(share)
            )
        }
        None => format!("{value}   {range} in {processes}, no interval"),
    }
}

fn with_interval(figure: &Figure, before: &str, style: &Style) -> String {
    let shown = numbers::quantity(&figure.reach(), &figure.unit, style);
    let before = if figure.range.is_some() { "range " } else { before };
    match shown.interval {
        Some(interval) => format!("{}   {before}{interval}", shown.value),
        None => shown.value,
    }
}

/// Formats the gap between mean and typical time, which rare expensive events cause.
fn gap(variant: &VariantResult, style: &Style) -> String {
    let ratio =
        variant.figure("mean").zip(variant.figure("time")).map(|(mean, time)| mean.value / time.value);
    match ratio.map(|ratio| ratio - 1.0) {
        Some(gap) if gap.is_finite() && gap.abs() >= 0.005 => {
            format!("   {} of typical", numbers::change(gap, style))
        }
        _ => String::new(),
    }
}

pub(super) fn batches(variant: &VariantResult, style: &Style) -> Vec<Fact> {
    let count = style.prose(&format!(
        "{} in {} of {}",
        numbers::counted(variant.batches as usize, "batch", "batches"),
        numbers::counted(variant.turns as usize, "turn", "turns"),
        numbers::counted(variant.processes as usize, "process", "processes")
    ));
    let mut facts = vec![fact("measured", count)];
    if !variant.rejected.is_empty() {
        let causes: Vec<String> = variant
            .rejected
            .iter()
            .map(|(cause, count)| format!("{count} by {}", style.prose(cause)))
            .collect();
        facts.push(fact("rejected turns", causes.join(", ")));
    }
    let Some(time) = &variant.time else { return facts };
    let show = |name: &str| value(variant, name, style);
    let pair = |first: &str, second: &str| Some((show(first)?, show(second)?));
    let plus_minus = style.pick("±", "+-");
    let lines = [
        (
            "mean of batches",
            pair("batch_mean", "standard_deviation")
                .map(|(mean, deviation)| format!("{mean} {plus_minus} {deviation} standard deviation")),
        ),
        (
            "median",
            pair("median", "mad").map(|(median, deviation)| {
                format!("{median} {plus_minus} {deviation} median absolute deviation")
            }),
        ),
        ("range", pair("minimum", "maximum").map(|(low, high)| format!("{low} {} {high}", style.ellipsis()))),
        ("quartiles", pair("q1", "q3").map(|(low, high)| format!("{low} {} {high}", style.ellipsis()))),
        ("95th, 99th", pair("p95", "p99").map(|(low, high)| format!("{low}, {high}"))),
        (
            "variation",
            pair("within", "between").map(|(within, between)| {
                let text = format!("{within} from turn to turn, {between} from process to process");
                let detectable = show("detectable");
                text + &detectable.map_or(String::new(), |d| format!("; smallest detectable change {d}"))
            }),
        ),
        ("outliers", Some(outliers(time, variant, style))),
    ];
    facts.extend(lines.into_iter().filter_map(|(label, text)| Some(fact(label, text?))));
    facts
}

fn value(variant: &VariantResult, name: &str, style: &Style) -> Option<String> {
    let figure = variant.figure(name)?;
    let point = Estimate { value: figure.value, interval: None };
    Some(numbers::quantity(&point, &figure.unit, style).value)
}

fn outliers(time: &TimeSummary, variant: &VariantResult, style: &Style) -> String {
    let counts = time.outliers;
    let (low, high) = (counts.low_mild + counts.low_severe, counts.high_mild + counts.high_severe);
    let severe = counts.low_severe + counts.high_severe;
    if low + high == 0 {
        return "none".to_owned();
    }
    let share = value(variant, "outlier_variance", style).map(|share| format!("; {share} of the variance"));
    format!(
        "{} of {} turns ({low} low, {high} high, {severe} severe){}",
        low + high,
        variant.turns,
        share.unwrap_or_default()
    )
}

/// Returns facts about the measurement: first calls, steady state, floor, collections, ladder, and figures
/// that no other line contains.
pub(super) fn circumstances(variant: &VariantResult, style: &Style) -> Vec<Fact> {
    let Some(time) = &variant.time else { return Vec::new() };
    let show = |name: &str| value(variant, name, style);
    let mut facts = Vec::new();
    if let Some((cold, text)) = time.cold.as_ref().zip(show("cold")) {
        let range = [cold.range_ns.lo, cold.range_ns.hi].map(|ns| numbers::duration(ns, style));
        let mut text = format!(
            "{text} (median of {}; {})",
            numbers::counted(cold.processes as usize, "process", "processes"),
            range.join(&format!(" {} ", style.ellipsis()))
        );
        let ratio = cold.time_ns / time.typical.value;
        if ratio.is_finite() && ratio >= 1.5 {
            text.push_str(&style.prose(&format!(", {} × typical", numbers::rate(ratio, style))));
        }
        facts.push(fact("first call", text));
    }
    facts.push(fact("steady state", steady(time)));
    if let Some((floor, text)) = time.floor.as_ref().zip(show("floor")) {
        let remark = if floor.indistinguishable { ": this body is indistinguishable from it" } else { "" };
        facts.push(fact("empty body", format!("{text} per iteration{remark}")));
    }
    if let Some(text) = show("collect") {
        facts.push(fact("a collection", format!("{text} after warm-up")));
    }
    let fit = variant.figure("r_squared").map(|fit| fit.value);
    if let (Some(slope), Some(fit), Some(robust)) = (show("slope"), fit, show("robust_slope")) {
        let text = format!("{slope}/op by least squares (R² {fit:.4}), {robust}/op by Theil–Sen");
        facts.push(fact("ladder", style.prose(&text)));
    }
    let own_line = |figure: &Figure| !figure.metric && !COMPOSED.contains(&figure.name.as_str());
    let rest = variant.figures.iter().filter(own_line);
    facts.extend(rest.map(|figure| (style.prose(&figure.label), with_interval(&figure, "", style))));
    facts
}

fn steady(time: &TimeSummary) -> String {
    let steady = &time.steady;
    if steady.class.is_empty() {
        return "unknown: too few turns".to_owned();
    }
    let parts: Vec<String> = [
        (steady.flat, "flat"),
        (steady.warm_up, "warming up"),
        (steady.slowdown, "slowing down"),
        (steady.unsteady, "never steady"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}"))
    .collect();
    format!("{} ({})", steady.class, parts.join(", "))
}

pub(super) fn metrics(variant: &VariantResult, style: &Style) -> Vec<Fact> {
    let figures = variant.figures.iter().filter(|figure| figure.metric);
    let line = |figure: Figure| {
        let name = style.prose(&figure.label);
        let label = if figure.per_operation { format!("{name}/op") } else { name };
        let mut text = with_interval(&figure, "", style);
        let summary = variant.metrics.iter().find(|summary| figure.name == summary.metric.name);
        if summary.as_ref().is_some_and(|summary| summary.constant) && variant.turns > 1 {
            text.push_str("   same in every turn");
        }
        if let Some((slope, r_squared)) = summary.and_then(|summary| summary.ladder) {
            let slope = Estimate { value: slope, interval: None };
            let shown = numbers::quantity(&slope, &figure.unit, style).value;
            text.push_str(&style.prose(&format!("   {shown} by least squares (R² {r_squared:.4})")));
        }
        (label, text)
    };
    figures.map(line).collect()
}
