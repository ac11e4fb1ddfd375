//! The figures of one case as labelled lines.

use super::Fact;
use crate::{Style, numbers};
use derny_model::{CaseResult, Document, Estimate, TimeSummary, VariantResult};

fn fact(label: &str, text: impl Into<String>) -> Fact {
    (label.to_owned(), text.into())
}

/// What the case came to, with intervals.
pub(super) fn estimates(
    document: &Document,
    case: &CaseResult,
    variant: &VariantResult,
    style: &Style,
) -> Vec<Fact> {
    let Some(time) = &variant.time else { return Vec::new() };
    let unit = case.case.unit.as_deref().unwrap_or("op");
    let level = numbers::confidence(document.run.settings.confidence, style);
    let mut facts = vec![
        (
            format!("time/{}", style.prose(unit)),
            estimate(&time.typical, &format!("{level} interval "), style)
                + if time.typical.interval.is_none() { "   no interval" } else { "" },
        ),
        fact("mean", format!("{}{}", estimate(&time.mean, "", style), gap(time, style))),
    ];
    if let Some(cpu) = &time.cpu {
        facts.push(fact("processor", estimate(cpu, "", style)));
    }
    facts.push((format!("{}/s", style.prose(unit)), numbers::rate(time.ops_per_second, style)));
    if let Some(bytes) = time.bytes_per_second {
        facts.push(fact("bytes/s", format!("{}/s", numbers::bytes(bytes, style))));
    }
    if let Some(items) = time.items_per_second {
        facts.push(fact("items/s", numbers::rate(items, style)));
    }
    facts
}

fn estimate(estimate: &Estimate, before: &str, style: &Style) -> String {
    let figure = numbers::time(estimate, style);
    match figure.interval {
        Some(interval) => format!("{}   {before}{interval}", figure.value),
        None => figure.value,
    }
}

/// What rare expensive events add.
fn gap(time: &TimeSummary, style: &Style) -> String {
    let gap = time.mean.value / time.typical.value - 1.0;
    if gap.is_finite() && gap.abs() >= 0.005 {
        format!("   {} of typical", numbers::change(gap, style))
    } else {
        String::new()
    }
}

/// How the batches spread.
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
    let show = |ns: f64| numbers::duration(ns, style);
    let plus_minus = style.pick("±", "+-");
    facts.extend([
        fact(
            "mean of batches",
            format!(
                "{} {plus_minus} {} standard deviation",
                show(time.batch_mean),
                show(time.standard_deviation)
            ),
        ),
        fact(
            "median",
            format!("{} {plus_minus} {} median absolute deviation", show(time.median), show(time.mad)),
        ),
        fact("range", [time.minimum, time.maximum].map(show).join(&format!(" {} ", style.ellipsis()))),
        fact("quartiles", [time.q1, time.q3].map(show).join(&format!(" {} ", style.ellipsis()))),
        fact("95th, 99th", [time.p95, time.p99].map(show).join(", ")),
        fact("variation", variation(time, style)),
        fact("outliers", outliers(time, variant.turns, style)),
    ]);
    facts
}

fn variation(time: &TimeSummary, style: &Style) -> String {
    let [within, between] = [time.within, time.between].map(|share| numbers::percent(share, style));
    let mut text = format!("{within} from turn to turn, {between} from process to process");
    if let Some(share) = time.detectable {
        text.push_str(&format!("; as many pairs would find a change of {}", numbers::percent(share, style)));
    }
    text
}

fn outliers(time: &TimeSummary, turns: u32, style: &Style) -> String {
    let counts = time.outliers;
    let (low, high) = (counts.low_mild + counts.low_severe, counts.high_mild + counts.high_severe);
    let severe = counts.low_severe + counts.high_severe;
    if low + high == 0 {
        return "none".to_owned();
    }
    format!(
        "{} of {turns} turns ({low} low, {high} high, {severe} severe); {} of the variance",
        low + high,
        numbers::percent(time.outlier_variance, style)
    )
}

/// What surrounds the measurement: first calls, steady state, floor, collections, ladder.
pub(super) fn circumstances(variant: &VariantResult, style: &Style) -> Vec<Fact> {
    let Some(time) = &variant.time else { return Vec::new() };
    let mut facts = Vec::new();
    if let Some(cold) = &time.cold {
        let range = [cold.range_ns.lo, cold.range_ns.hi].map(|ns| numbers::duration(ns, style));
        let mut text = format!(
            "{} (median of {}; {})",
            numbers::duration(cold.time_ns, style),
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
    if let Some(floor) = &time.floor {
        let told = if floor.indistinguishable { ": this body cannot be told from it" } else { "" };
        facts.push(fact(
            "empty body",
            format!("{} per iteration{told}", numbers::duration(floor.time_ns, style)),
        ));
    }
    if let Some(ns) = time.collect_ns {
        facts.push(fact("a collection", format!("{} after warm-up", numbers::duration(ns, style))));
    }
    if let Some((slope, r_squared, robust)) = time.ladder {
        let text = format!(
            "{}/op by least squares (R² {r_squared:.4}), {}/op by Theil–Sen",
            numbers::duration(slope, style),
            numbers::duration(robust, style)
        );
        facts.push(fact("ladder", style.prose(&text)));
    }
    facts
}

fn steady(time: &TimeSummary) -> String {
    let steady = &time.steady;
    if steady.class.is_empty() {
        return "too few turns to tell".to_owned();
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

/// Everything else that was counted.
pub(super) fn metrics(variant: &VariantResult, style: &Style) -> Vec<Fact> {
    variant
        .metrics
        .iter()
        .map(|summary| {
            let name = style.prose(&summary.metric.name);
            let label = if summary.per_operation { format!("{name}/op") } else { name };
            let figure = numbers::quantity(&summary.estimate, &summary.metric.unit, style);
            let mut text = figure.value;
            if let Some(interval) = figure.interval {
                text.push_str(&format!("   {interval}"));
            }
            if summary.constant && variant.turns > 1 {
                text.push_str("   on every turn");
            }
            if let Some((slope, r_squared)) = summary.ladder {
                let slope = Estimate { value: slope, interval: None };
                let figure = numbers::quantity(&slope, &summary.metric.unit, style).value;
                text.push_str(&style.prose(&format!("   {figure} by least squares (R² {r_squared:.4})")));
            }
            (label, text)
        })
        .collect()
}
