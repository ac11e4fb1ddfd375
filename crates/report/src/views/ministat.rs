//! The format of ministat, eministat and rebar3_bench: marks above an axis, a row of statistics per sample,
//! every figure next to the base's, outliers, and Student's t.

use super::dots::{MARKS, dots};
use crate::comparison::{figures_on_one_line, footnote, name, quantity, word};
use crate::style::visible;
use crate::{Style, numbers};
use derny_model::{ClassicCase, ClassicSample, Comparison, Document, Quantity, Student};

const UNITS: [(f64, &str, &str); 4] =
    [(1e9, "s", "s"), (1e6, "ms", "ms"), (1e3, "µs", "us"), (1.0, "ns", "ns")];

/// Returns the cases of a comparison, with each side compared with the first, followed by Derny's own
/// verdict.
pub fn comparison(comparison: &Comparison, cases: &[ClassicCase], style: &Style) -> String {
    let blocks = cases.iter().map(|case| {
        let mut out = block(case, style);
        let Some(compared) = comparison.cases.get(case.index as usize) else { return out };
        for side in &compared.sides {
            let shown =
                case.samples.iter().skip(1).any(|s| comparison.sides[side.side as usize].name == s.name);
            let Some(change) = side.deciding().filter(|_| shown) else { continue };
            let note = footnote(comparison, change, style).map_or(String::new(), |note| format!("; {note}"));
            let verdict = word(comparison, side, change, style);
            let (name, figures) =
                (name(comparison, side.side, style), figures_on_one_line(side, change, style));
            let of = match change.quantity {
                Quantity::Typical => String::new(),
                _ => format!("{} ", quantity(compared, change, style)),
            };
            out.push_str(&format!("derny: {name} {verdict}, {of}{figures}{note}\n"));
        }
        out
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// Returns the cases of a run, with each variant compared with the first, followed by Derny's own interval.
pub fn document(document: &Document, cases: &[ClassicCase], style: &Style) -> String {
    let results: Vec<_> = document.cases().collect();
    let level = numbers::confidence(document.run.settings.confidence, style);
    let blocks = cases.iter().map(|case| {
        let mut out = block(case, style);
        for variant in results.get(case.index as usize).map_or(&[][..], |result| &result.variants) {
            let Some(time) = &variant.time else { continue };
            let figure = numbers::time(&time.typical, style);
            let of = if case.samples.len() > 1 {
                format!("{} ", style.prose(&variant.variant))
            } else {
                String::new()
            };
            let interval =
                figure.interval.map_or("no interval".to_owned(), |text| format!("{level} interval {text}"));
            out.push_str(&format!("derny: {of}{}, {interval}\n", figure.value));
        }
        out
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn block(case: &ClassicCase, style: &Style) -> String {
    let Some((base, others)) = case.samples.split_first() else { return String::new() };
    let unit = UNITS.into_iter().find(|(size, ..)| base.median >= *size).unwrap_or(UNITS[3]);
    let unit = (unit.0, style.pick(unit.1, unit.2));
    let mut out = format!("{}\n", visible(&case.case.id.to_string()));
    let marks = || case.samples.iter().zip(MARKS.iter().cycle());
    for (sample, mark) in marks() {
        out.push_str(&format!("{mark} {}\n", style.prose(&sample.name)));
    }
    out.push_str(&dots(&case.samples));
    out.push_str(&format!(
        "    N           Min           Max        Median           Avg        Stddev   ({} per operation)\n",
        unit.1
    ));
    for (sample, mark) in marks() {
        out.push_str(&row(sample, *mark, unit.0));
    }
    if others.is_empty() {
        out.push_str(&statistics(base, None, unit));
    }
    for other in others {
        if others.len() > 1 {
            out.push_str(&format!("== {}\n", style.prose(&other.name)));
        }
        out.push_str(&statistics(other, Some(base), unit));
        out.push_str(&relative(other, base, unit, style));
    }
    out
}

fn row(sample: &ClassicSample, mark: char, unit: f64) -> String {
    let figure = |value: f64| format!(" {:>13}", significant(value / unit));
    let deviation = sample.standard_deviation.map_or(format!(" {:>13}", "-"), figure);
    let figures: String =
        [sample.minimum, sample.maximum, sample.median, sample.mean].into_iter().map(figure).collect();
    format!("{mark} {:>3}{figures}{deviation}\n", sample.values.len())
}

fn significant(value: f64) -> String {
    let whole = if value.abs() < 1.0 { 0 } else { value.abs().log10().floor() as usize };
    let text = format!("{value:.*}", 7_usize.saturating_sub(whole));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns one figure per line, with its difference from the base's if there is a base.
fn statistics(sample: &ClassicSample, base: Option<&ClassicSample>, unit: (f64, &str)) -> String {
    let line = |label: &str, of: fn(&ClassicSample) -> f64| {
        let value = of(sample);
        let delta = base.map_or(String::new(), |base| delta(value, of(base), unit));
        format!("{label:<16}{:>11.2}{}{delta}\n", value / unit.0, unit.1)
    };
    let mut out = line("Min:", |s| s.minimum);
    out.push_str(&line("25 percentile:", |s| s.q1));
    out.push_str(&line("Median:", |s| s.median));
    out.push_str(&line("75 percentile:", |s| s.q3));
    out.push_str(&line("Max:", |s| s.maximum));
    let (low, high) = (sample.low_outliers, sample.high_outliers);
    out.push_str(&format!("{:<16}Lo: {low}; Hi: {high}; Sum: {}\n", "Outliers:", low + high));
    if let Some((share, effect)) = &sample.outlier_variance {
        out.push_str(&format!("{:<18}{share:.6} ({effect})\n", "Outlier variance:"));
    }
    out.push_str(&line("Mean:", |s| s.mean));
    if let Some(deviation) = sample.standard_deviation {
        out.push_str(&format!("{:<16}{:>11.2}{}\n", "Std deviation:", deviation / unit.0, unit.1));
    }
    out
}

/// Formats a difference: ` (-   21.00ns / 20.2%)`.
fn delta(value: f64, base: f64, unit: (f64, &str)) -> String {
    let difference = value - base;
    let sign = if difference < 0.0 { '-' } else { '+' };
    let share = difference.abs() / base * 100.0;
    format!(" ({sign}{:>8.2}{} / {share:4.1}%)", difference.abs() / unit.0, unit.1)
}

fn relative(sample: &ClassicSample, base: &ClassicSample, unit: (f64, &str), style: &Style) -> String {
    let mut out = "> Relative\n".to_owned();
    let Some(test) = &sample.against else {
        return out + "Not enough different values for a test\n";
    };
    let Student { confidence, difference, half, pooled, levels } = &test.student;
    let level = format!("{:.1}%", confidence * 100.0);
    if difference.abs() <= *half {
        out.push_str(&format!("No difference proven at {level} confidence\n"));
    } else {
        let around = style.pick("±", "+-");
        let share = |value: f64| value / base.mean * 100.0;
        out.push_str(&format!("Difference at {level} confidence\n"));
        out.push_str(&format!(
            "{:>11.2}{2} {around} {:>8.2}{2}\n",
            difference / unit.0,
            half / unit.0,
            unit.1
        ));
        out.push_str(&format!("{:>10.2}%  {around} {:>7.2}%\n", share(*difference), share(*half)));
    }
    out.push_str(&format!(" (Student's t, pooled s = {})\n", significant(pooled / unit.0)));
    let at = |wanted: bool| {
        let of = levels.iter().filter(|(_, proven)| *proven == wanted);
        of.map(|(level, _)| format!("{:.0}", level * 100.0)).collect::<Vec<_>>().join(", ")
    };
    let (proven, open) = (at(true), at(false));
    out.push_str(&match (proven.is_empty(), open.is_empty()) {
        (true, _) => format!(" (not at {open}% either)\n"),
        (_, true) => format!(" (proven at {proven}%)\n"),
        _ => format!(" (proven at {proven}%, not at {open}%)\n"),
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_eight_digits_at_most() {
        assert_eq!(significant(41.3), "41.3");
        assert_eq!(significant(1_234.567_891), "1234.5679");
        assert_eq!(significant(0.0), "0");
        assert_eq!(significant(100.0), "100");
        assert_eq!(significant(123_456_789.4), "123456789");
    }

    #[test]
    fn differences_carry_their_sign_before_the_figure() {
        assert_eq!(delta(81.0, 102.0, (1.0, "ns")), " (-   21.00ns / 20.6%)");
        assert_eq!(delta(102.0, 100.0, (1.0, "ns")), " (+    2.00ns /  2.0%)");
    }
}
