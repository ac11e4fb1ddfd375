//! Formats numbers for people: with SI prefixes, one unit per figure, and only as many digits as the interval
//! justifies.

use crate::Style;
pub use derny_model::words::{counted, wall};
use derny_model::{Estimate, Interval, TimeSummary, words};

const TIME: &[(f64, &str, &str)] =
    &[(1.0, "ns", "ns"), (1e3, "µs", "us"), (1e6, "ms", "ms"), (1e9, "s", "s")];
const RATE: &[(f64, &str, &str)] =
    &[(1.0, "", ""), (1e3, "k", "k"), (1e6, "M", "M"), (1e9, "G", "G"), (1e12, "T", "T")];
const BYTES: &[(f64, &str, &str)] =
    &[(1.0, "B", "B"), (1e3, "kB", "kB"), (1e6, "MB", "MB"), (1e9, "GB", "GB"), (1e12, "TB", "TB")];

/// A formatted figure. The interval has the unit and the precision of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Value, such as `41.3 ns`.
    pub value: String,
    /// Interval, such as `41.1 … 41.6`, if there is one.
    pub interval: Option<String>,
}

/// Formats a time in ns with the digits that the interval's half-width justifies.
pub fn time(estimate: &Estimate, style: &Style) -> Figure {
    figure(estimate, TIME, style)
}

/// Returns true if a time is indistinguishable from that of an empty body.
pub fn is_at_floor(time: &TimeSummary) -> bool {
    time.floor.is_some_and(|floor| floor.indistinguishable)
}

/// Returns the time of an empty body per operation, if a time is shorter than it and indistinguishable from
/// it. The shorter time would suggest a precision that it does not have. `ops` is the number of operations
/// per iteration.
pub(crate) fn floor_above(time: &TimeSummary, value: f64, ops: f64) -> Option<f64> {
    let floor = time.floor.filter(|floor| floor.indistinguishable)?.time_ns / ops;
    (floor > value).then_some(floor)
}

/// Formats an upper bound: `≤ 0.4 ns`.
pub fn at_most(text: &str, style: &Style) -> String {
    format!("{} {text}", style.pick("≤", "<="))
}

/// Formats a lower bound: `≥ 2.5 G`.
pub fn at_least(text: &str, style: &Style) -> String {
    format!("{} {text}", style.pick("≥", ">="))
}

/// Formats a time in ns without an interval, with three digits.
pub fn duration(ns: f64, style: &Style) -> String {
    scaled(ns, TIME, 3, style)
}

/// Formats a mean time with its standard deviation, in the unit and with the decimals of the mean: `11.5 ms ±
/// 0.8 ms`.
pub(crate) fn deviating(mean: f64, deviation: f64, style: &Style) -> String {
    let (size, unicode, ascii) = unit(mean, 3, TIME);
    let decimals = decimals_for(mean / size, 3);
    let show = |value: f64| join(&plain(value / size, decimals), style.pick(unicode, ascii));
    format!("{} {} {}", show(mean), style.pick("±", "+-"), show(deviation))
}

/// Formats a rate or a count: `24.2 M`.
pub fn rate(per_second: f64, style: &Style) -> String {
    scaled(per_second, RATE, 3, style)
}

/// Formats a number of bytes: `48 B`, `4.1 kB`. Less than 0.05 bytes per operation becomes `0 B`, because the
/// turn causes it and not the body.
pub fn bytes(bytes: f64, style: &Style) -> String {
    let shown = match bytes.abs() {
        size if size < 0.05 => 0.0,
        size if size >= 9.95 => bytes.round(),
        _ => bytes,
    };
    scaled(shown, BYTES, 2, style)
}

/// Text shown instead of a missing interval.
pub const NO_INTERVAL: &str = "none";

/// Formats a quantity in the unit that a harness declared. Times and bytes have prefixed units. Other units
/// follow a prefixed number (`1.20 k requests/s`). A plain count has no unit.
pub fn quantity(estimate: &Estimate, unit: &str, style: &Style) -> Figure {
    match unit {
        "ns" => figure(estimate, TIME, style),
        "bytes" | "B" if estimate.interval.is_none_or(|i| i.lo == i.hi) => {
            Figure { value: bytes(estimate.value, style), interval: None }
        }
        "bytes" | "B" => figure(estimate, BYTES, style),
        "share" if estimate.interval.is_none() => {
            Figure { value: percent(estimate.value, style), interval: None }
        }
        _ => {
            let mut figure = figure(estimate, RATE, style);
            if !matches!(unit, "" | "count") {
                figure.value = format!("{} {}", figure.value, style.prose(unit));
            }
            figure
        }
    }
}

/// Formats a share as a percentage with two digits, such as `6.1 %`. A share below 0.0001 is `0 %`.
pub fn percent(share: f64, style: &Style) -> String {
    let text = words::percent(share);
    if style.ascii { text.replace('−', "-").replace(' ', "") } else { text }
}

/// Formats a small share as a percentage with more digits: `1.30 %`, `0.050 %`.
pub fn fine_percent(share: f64, style: &Style) -> String {
    let decimals = if share.abs() < 0.001 { 3 } else { 2 };
    format!("{}{}", minus(&format!("{:.decimals$}", share * 100.0), style), style.pick(" %", "%"))
}

/// Formats a change as a signed percentage with one decimal: `−15.3 %`, `+4.9 %`.
pub fn change(share: f64, style: &Style) -> String {
    format!("{}{}", signed(share * 100.0, 1, style), style.pick(" %", "%"))
}

/// Formats a change and its interval, such as `−15.3 %` and `−16.0 … −14.5`. They have one decimal. There are
/// two if the half-width is below 0.1 %, because an interval must not look like a point. There are none if it
/// is 10 % or more.
pub fn relative(estimate: &Estimate, style: &Style) -> Figure {
    let Some(Interval { lo, hi }) = estimate.interval.filter(|i| !i.lo.is_nan() && !i.hi.is_nan()) else {
        return Figure { value: change(estimate.value, style), interval: None };
    };
    let decimals = match (hi - lo) / 2.0 {
        half if half < 0.000_95 => 2,
        half if half < 0.0995 => 1,
        _ => 0,
    };
    let show = |share: f64| signed(share * 100.0, decimals, style);
    Figure {
        value: format!("{}{}", show(estimate.value), style.pick(" %", "%")),
        interval: Some(format!("{} {} {}", show(lo), style.ellipsis(), show(hi))),
    }
}

fn signed(value: f64, decimals: usize, style: &Style) -> String {
    if value.is_infinite() {
        return format!("{}{}", if value < 0.0 { style.pick("−", "-") } else { "+" }, style.pick("∞", "inf"));
    }
    let text = plain(value.abs(), decimals);
    let zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    format!("{}{text}", if value < 0.0 && !zero { style.pick("−", "-") } else { "+" })
}

/// Formats a confidence level for a heading, such as `95 %`.
pub fn confidence(level: f64, style: &Style) -> String {
    let text = format!("{:.4}", level * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{}", style.pick(" %", "%"))
}

fn minus(text: &str, style: &Style) -> String {
    text.replace('-', style.pick("−", "-"))
}

/// Returns the prefixed units for values of `unit`, and the rest of the unit.
pub(crate) fn prefixes(unit: &str) -> (Units, &str) {
    match unit {
        "ns" => (TIME, ""),
        "bytes" | "B" => (BYTES, ""),
        "bytes/s" | "B/s" => (BYTES, "/s"),
        "count" => (RATE, ""),
        other => (RATE, other),
    }
}

pub(crate) type Units = &'static [(f64, &'static str, &'static str)];

/// Returns the largest unit in which the rounded value is at least 1.
fn unit(value: f64, digits: i32, units: Units) -> (f64, &'static str, &'static str) {
    let rounded = round_to(value.abs(), digits);
    units.iter().rev().copied().find(|(size, ..)| rounded >= *size).unwrap_or(units[0])
}

fn round_to(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let place = 10f64.powi(digits - 1 - value.log10().floor() as i32);
    (value * place).round() / place
}

fn scaled(value: f64, units: Units, digits: i32, style: &Style) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let (size, unicode, ascii) = unit(value, digits, units);
    let scaled = value / size;
    // A whole count has no decimals. Times are never counts.
    let whole = size == 1.0 && scaled.fract() == 0.0 && !std::ptr::eq(units, TIME);
    let decimals = if whole { 0 } else { decimals_for(scaled, digits) };
    join(&minus(&plain(scaled, decimals), style), style.pick(unicode, ascii))
}

/// Formats a number with fixed decimals, or with an exponent if it has many digits. The interval of three
/// very different processes can be huge.
fn plain(value: f64, decimals: usize) -> String {
    if value.abs() < 1e7 { format!("{value:.decimals$}") } else { format!("{value:.1e}") }
}

fn decimals_for(value: f64, digits: i32) -> usize {
    let rounded = round_to(value.abs(), digits);
    if rounded == 0.0 {
        return 0;
    }
    (digits - 1 - rounded.log10().floor() as i32).clamp(0, 9) as usize
}

/// Formats an estimate with two to four significant digits, ending at the first digit of the half-width. More
/// digits would be noise, and fewer would hide the result.
fn figure(estimate: &Estimate, units: Units, style: &Style) -> Figure {
    let Some(Interval { lo, hi }) = estimate.interval.filter(|i| i.lo.is_finite() && i.hi.is_finite()) else {
        return Figure { value: scaled(estimate.value, units, 3, style), interval: None };
    };
    let half = (hi - lo) / 2.0;
    let (size, unicode, ascii) = unit(estimate.value, 4, units);
    let value = estimate.value / size;
    let place = if half > 0.0 { -(half / size).log10().floor() as i32 } else { 9 };
    let decimals = place.clamp(decimals_for(value, 2) as i32, decimals_for(value, 4) as i32) as usize;
    let show = |x: f64| minus(&plain(x, decimals), style);
    Figure {
        value: join(&show(value), style.pick(unicode, ascii)),
        interval: Some(format!("{} {} {}", show(lo / size), style.ellipsis(), show(hi / size))),
    }
}

fn join(number: &str, unit: &str) -> String {
    if unit.is_empty() { number.to_owned() } else { format!("{number} {unit}") }
}

pub(crate) fn times(ratio: f64, style: &Style) -> String {
    format!("{ratio:.*}{}", digits_of_times(ratio), style.pick("×", "x"))
}

pub(crate) fn digits_of_times(ratio: f64) -> usize {
    if ratio < 1.1 { 3 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const U: Style = Style { width: None, ascii: false, colour: false };
    const A: Style = Style { width: None, ascii: true, colour: false };

    fn of(value: f64, lo: f64, hi: f64) -> Estimate {
        Estimate { value, interval: Some(Interval { lo, hi }) }
    }

    #[test]
    fn the_half_width_decides_the_last_digit() {
        let cases = [
            (of(41.312, 41.08, 41.57), "41.3 ns", "41.1 … 41.6"),
            (of(58.9, 58.44, 59.31), "58.9 ns", "58.4 … 59.3"),
            (of(3212.0, 3197.0, 3236.0), "3.21 µs", "3.20 … 3.24"),
            (of(204.2, 196.3, 213.1), "204 ns", "196 … 213"),
            (of(0.4312, 0.4301, 0.4323), "0.431 ns", "0.430 … 0.432"),
            (of(41.312_345, 41.312_3, 41.312_4), "41.31 ns", "41.31 … 41.31"),
            (of(1.24, 0.2, 9.0), "1.2 ns", "0.2 … 9.0"),
            (of(2.5e9, 2.4e9, 2.6e9), "2.5 s", "2.4 … 2.6"),
            (of(41.3, 3e-12, 4.21e50), "41 ns", "0 … 4.2e50"),
        ];
        for (estimate, value, interval) in cases {
            let figure = time(&estimate, &U);
            assert_eq!((figure.value.as_str(), figure.interval.as_deref()), (value, Some(interval)));
        }
    }

    #[test]
    fn a_deviation_has_the_unit_and_the_decimals_of_its_mean() {
        assert_eq!(deviating(11.54e6, 0.82e6, &U), "11.5 ms ± 0.8 ms");
        assert_eq!(deviating(63.5e6, 1.78e6, &U), "63.5 ms ± 1.8 ms");
        assert_eq!(deviating(1.234e9, 0.0021e9, &A), "1.23 s +- 0.00 s");
    }

    #[test]
    fn rounding_never_shows_a_thousand_of_a_smaller_unit() {
        assert_eq!(duration(999.6, &U), "1.00 µs");
        assert_eq!(duration(999.4, &U), "999 ns");
        assert_eq!(time(&of(999.97, 999.9, 1000.05), &U).value, "1.000 µs");
    }

    #[test]
    fn ascii_has_no_other_signs() {
        assert_eq!(time(&of(3212.0, 3197.0, 3236.0), &A).value, "3.21 us");
        assert_eq!(time(&of(3212.0, 3197.0, 3236.0), &A).interval.unwrap(), "3.20 .. 3.24");
        assert_eq!(change(-0.153, &A), "-15.3%");
    }

    #[test]
    fn rates_bytes_and_shares() {
        assert_eq!(rate(24_213_000.0, &U), "24.2 M");
        assert_eq!(rate(311_000.0, &U), "311 k");
        assert_eq!(rate(12.0, &U), "12");
        assert_eq!(bytes(0.0, &U), "0 B");
        assert_eq!(bytes(48.0, &U), "48 B");
        assert_eq!(bytes(4096.0, &U), "4.1 kB");
        assert_eq!(bytes(192_000.0, &U), "192 kB");
        assert_eq!(bytes(28.97, &U), "29 B");
        assert_eq!(bytes(4.54, &U), "4.5 B");
        assert_eq!(bytes(0.004, &U), "0 B");
        assert_eq!(percent(0.0, &U), "0 %");
        assert_eq!(percent(0.061, &U), "6.1 %");
        assert_eq!(percent(0.34, &U), "34 %");
        assert_eq!(percent(0.0004, &U), "0.04 %");
        assert_eq!(fine_percent(0.0005, &U), "0.050 %");
        assert_eq!(fine_percent(0.013, &A), "1.30%");
        assert_eq!(confidence(0.95, &U), "95 %");
        assert_eq!(confidence(0.999, &U), "99.9 %");
    }

    #[test]
    fn changes_carry_a_sign_and_a_real_minus() {
        assert_eq!(change(-0.153, &U), "\u{2212}15.3 %");
        assert_eq!(change(0.049, &U), "+4.9 %");
        assert_eq!(change(-0.000_01, &U), "+0.0 %");
    }

    #[test]
    fn the_interval_of_a_change_is_never_a_point() {
        let shown = |value, lo, hi, style| {
            let figure = relative(&of(value, lo, hi), style);
            (figure.value, figure.interval.unwrap())
        };
        assert_eq!(shown(-0.153, -0.16, -0.145, &U), ("−15.3 %".to_owned(), "−16.0 … −14.5".to_owned()));
        assert_eq!(shown(0.0012, 0.0009, 0.0014, &U), ("+0.12 %".to_owned(), "+0.09 … +0.14".to_owned()));
        assert_eq!(shown(0.5, -0.2, f64::INFINITY, &A), ("+50%".to_owned(), "-20 .. +inf".to_owned()));
        assert_eq!(shown(0.5, -1.0, 4.2e63, &A), ("+50%".to_owned(), "-100 .. +4.2e65".to_owned()));
    }

    #[test]
    fn declared_units_follow_a_prefixed_number() {
        let rate = of(12_345.0, 12_200.0, 12_500.0);
        assert_eq!(quantity(&rate, "requests/s", &U).value, "12.3 k requests/s");
        assert_eq!(quantity(&Estimate { value: 3.0, interval: None }, "count", &U).value, "3");
        assert_eq!(quantity(&Estimate { value: 4096.0, interval: None }, "bytes", &U).value, "4.1 kB");
    }
}
