//! The format of Haskell's criterion: for each case a time from a regression, its fit, the mean and the
//! deviation, with intervals.

use crate::Style;
use crate::style::visible;
use derny_model::{CriterionCase, CriterionRegression, Estimate};

/// Returns the figures of each case and variant in criterion's format, followed by those that could not be
/// computed.
pub fn criterion(cases: &[CriterionCase], style: &Style) -> String {
    let mut out: String = cases.iter().map(|case| block(case, style)).collect();
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for case in cases.iter().filter(|case| case.regressions.is_empty()) {
        match reasons.iter_mut().find(|(known, _)| *known == case.unfit) {
            Some((_, count)) => *count += 1,
            None => reasons.push((&case.unfit, 1)),
        }
    }
    for (why, count) in &reasons {
        let of = if *count == cases.len() { String::new() } else { format!(" for {count} of them") };
        let why = if why.is_empty() { "no line fits its measurements" } else { why };
        out.push_str(&format!("There is no `time`{of}: {}.\n", visible(why)));
    }
    if !reasons.is_empty() {
        out.push_str("`mean` uses the same measurements.\n");
    }
    out
}

fn block(case: &CriterionCase, style: &Style) -> String {
    let mut out = format!("benchmarking {}\n", visible(&case.name));
    let time = |value: f64| secs(value, style);
    let fit = |value: f64| format!("{value:.3} {}", style.pick("R²", "R2"));
    let is_time = |r: &&CriterionRegression| {
        r.responder == "time" && r.coefficients.len() == 1 && r.coefficients[0].0 == "iters"
    };
    let (times, others): (Vec<_>, Vec<_>) = case.regressions.iter().partition(is_time);
    for regression in times {
        out.push_str(&row("time", &regression.coefficients[0].1, &time, case.confidence));
        out.push_str(&row("", &regression.r_squared, &fit, case.confidence));
    }
    out.push_str(&row("mean", &case.mean, &time, case.confidence));
    out.push_str(&row("std dev", &case.deviation, &time, case.confidence));
    for regression in others {
        out.push_str(&row(
            &format!("{}:", regression.responder),
            &regression.r_squared,
            &fit,
            case.confidence,
        ));
        for (name, slope) in &regression.coefficients {
            out.push_str(&row(&format!("  {name}"), slope, &general, case.confidence));
        }
        out.push_str(&row("  y", &regression.intercept, &general, case.confidence));
    }
    let share = case.outlier_variance;
    if share >= 0.1 {
        let word = if share < 0.5 { "moderately inflated" } else { "severely inflated" };
        out.push_str(&format!("variance introduced by outliers: {:.0}% ({word})\n", share * 100.0));
    }
    out + "\n"
}

fn row(label: &str, estimate: &Estimate, show: &dyn Fn(f64) -> String, confidence: f64) -> String {
    let value = show(estimate.value);
    let level = if confidence == 0.95 { String::new() } else { format!(", ci {confidence:.3}") };
    match estimate.interval {
        Some(i) => format!("{label:<20} {value:<10} ({} .. {}{level})\n", show(i.lo), show(i.hi)),
        None => format!("{label:<20} {value}\n"),
    }
}

fn secs(seconds: f64, style: &Style) -> String {
    if seconds < 0.0 {
        return format!("-{}", secs(-seconds, style));
    }
    let units = [
        (1.0, "s"),
        (1e-3, "ms"),
        (1e-6, style.pick("μs", "us")),
        (1e-9, "ns"),
        (1e-12, "ps"),
        (1e-15, "fs"),
    ];
    let (size, unit) = units.into_iter().find(|(size, _)| seconds >= *size).unwrap_or((1e-18, "as"));
    let value = seconds / size;
    let decimals = match value {
        v if v >= 1e3 => 0,
        v if v >= 1e2 => 1,
        v if v >= 1e1 => 2,
        _ => 3,
    };
    format!("{value:.decimals$} {unit}")
}

fn general(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (0.1..1e7).contains(&size) { format!("{value:.3}") } else { format!("{value:.3e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_four_digits_and_a_prefix() {
        let style = Style::default();
        for (seconds, text) in [
            (23.914e-9, "23.91 ns"),
            (1.5, "1.500 s"),
            (123.456e-6, "123.5 μs"),
            (0.999_9e-3, "999.9 μs"),
            (4.2e-10, "420.0 ps"),
            (-2e-9, "-2.000 ns"),
            (1234.5, "1234 s"),
            (0.0, "0.000 as"),
        ] {
            assert_eq!(secs(seconds, &style), text);
        }
    }

    #[test]
    fn other_figures_have_three_decimals() {
        assert_eq!(general(48.0), "48.000");
        assert_eq!(general(0.012_345_6), "1.235e-2");
        assert_eq!(general(1.2e9), "1.200e9");
        assert_eq!(general(0.0), "0.000");
    }
}
