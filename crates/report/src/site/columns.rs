//! The values of a history as columns of small integers, which compress to few bytes.

use crate::deflated::digits;
use derny_model::Interval;
use std::fmt::Write;

/// Number of significant digits that the smallest value keeps.
const DIGITS: i32 = 5;
/// Integers below this are exact in JavaScript.
const EXACT: f64 = 9e15;

/// Appends the fields `q`, `v`, `lo` and `hi` of a JSON object.
///
/// Numbers are integers, in units of ten to the power `q`. `v` contains the first value, and then the
/// difference of each value from the one before. `lo` and `hi` contain the distances from each value to the
/// ends of its interval, or null. They are absent if there are no intervals. If the values differ too much in
/// size for a common unit, `q` is null and the columns contain the numbers themselves.
pub(super) fn values(out: &mut String, values: &[(f64, Option<Interval>)]) {
    let kept = |interval: &Option<Interval>| {
        let finite = interval.filter(|own| own.lo.is_finite() && own.hi.is_finite());
        finite.map(|own| (own.lo.min(own.hi), own.lo.max(own.hi)))
    };
    let has_intervals = values.iter().any(|(_, interval)| kept(interval).is_some());
    let ends = |of: fn((f64, f64)) -> f64| values.iter().map(move |(_, own)| kept(own).map(of));
    match unit(values) {
        Some(power) => {
            let whole = |value: f64| scaled(value, -power).round() as i64;
            let _ = write!(out, "\"q\":{power},\"v\":");
            let mut before = 0;
            list(
                out,
                values
                    .iter()
                    .map(|(value, _)| Some(whole(*value) - std::mem::replace(&mut before, whole(*value)))),
            );
            if has_intervals {
                let from = || values.iter().map(|(value, _)| whole(*value));
                out.push_str(",\"lo\":");
                list(out, ends(|own| own.0).zip(from()).map(|(end, value)| Some(value - whole(end?))));
                out.push_str(",\"hi\":");
                list(out, ends(|own| own.1).zip(from()).map(|(end, value)| Some(whole(end?) - value)));
            }
        }
        None => {
            let short = |value: f64| digits(value, DIGITS);
            out.push_str("\"q\":null,\"v\":");
            list(out, values.iter().map(|(value, _)| Some(short(*value))));
            if has_intervals {
                out.push_str(",\"lo\":");
                list(out, ends(|own| own.0).map(|end| end.map(short)));
                out.push_str(",\"hi\":");
                list(out, ends(|own| own.1).map(|end| end.map(short)));
            }
        }
    }
}

/// Returns the power of ten of the common unit, or `None` if some value or end would not fit into an exact
/// integer.
fn unit(values: &[(f64, Option<Interval>)]) -> Option<i32> {
    let sizes = values.iter().map(|(value, _)| value.abs()).filter(|size| *size > 0.0);
    let least = sizes.fold(f64::INFINITY, f64::min);
    if least.is_infinite() {
        return Some(0);
    }
    let power = least.log10().floor() as i32 - (DIGITS - 1);
    let ends = |own: &Option<Interval>| {
        own.map_or(0.0, |own| {
            let size = |end: f64| if end.is_finite() { end.abs() } else { 0.0 };
            size(own.lo).max(size(own.hi))
        })
    };
    let most = values.iter().fold(0.0_f64, |most, (value, own)| most.max(value.abs()).max(ends(own)));
    (scaled(most, -power) < EXACT && power > -300).then_some(power)
}

/// Returns `value` times ten to the power `power`. Divides for a negative power, because powers such as 10⁻¹
/// are not exact.
fn scaled(value: f64, power: i32) -> f64 {
    if power < 0 { value / 10f64.powi(-power) } else { value * 10f64.powi(power) }
}

/// Appends a list. Elements without a value become null.
pub(super) fn list<T: std::fmt::Display>(out: &mut String, elements: impl Iterator<Item = Option<T>>) {
    out.push('[');
    for (at, element) in elements.enumerate() {
        if at > 0 {
            out.push(',');
        }
        // Writing to a string cannot fail.
        let _ = match element {
            Some(element) => write!(out, "{element}"),
            None => write!(out, "null"),
        };
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    type Point = (f64, Option<Interval>);

    /// Decodes columns as the script does.
    fn decoded(text: &str) -> Vec<(f64, Option<(f64, f64)>)> {
        let json: Value = serde_json::from_str(&format!("{{{text}}}")).unwrap();
        let column = |name: &str| -> Vec<Option<f64>> {
            json[name].as_array().map_or(Vec::new(), |all| all.iter().map(Value::as_f64).collect())
        };
        let (v, lo, hi) = (column("v"), column("lo"), column("hi"));
        let power = json["q"].as_i64().map(|power| power as i32);
        let mut sum = 0.0;
        let mut out = Vec::new();
        for (at, value) in v.iter().enumerate() {
            let ends = (lo.get(at).copied().flatten(), hi.get(at).copied().flatten());
            let value = value.unwrap();
            out.push(match power {
                Some(power) => {
                    sum += value;
                    let whole = |units: f64| scaled(units, power);
                    (whole(sum), ends.0.zip(ends.1).map(|(lo, hi)| (whole(sum - lo), whole(sum + hi))))
                }
                None => (value, ends.0.zip(ends.1)),
            });
        }
        out
    }

    fn round_trip(points: &[Point]) -> String {
        let mut text = String::new();
        values(&mut text, points);
        let near = |a: f64, b: f64| (a - b).abs() <= 6e-5 * a.abs().max(b.abs());
        let found = decoded(&text);
        assert_eq!(found.len(), points.len());
        for ((value, interval), (other, ends)) in points.iter().zip(found) {
            assert!(near(*value, other), "{value:e} became {other:e} in {text}");
            let finite = interval.filter(|own| own.lo.is_finite() && own.hi.is_finite());
            assert_eq!(finite.is_some(), ends.is_some());
            if let (Some(own), Some((lo, hi))) = (finite, ends) {
                assert!(near(own.lo, lo) && near(own.hi, hi), "{own:?} became {lo:e} … {hi:e}");
            }
        }
        text
    }

    fn around(value: f64, share: f64) -> Point {
        let (a, b) = (value * (1.0 - share), value * (1.0 + share));
        (value, Some(Interval { lo: a.min(b), hi: a.max(b) }))
    }

    #[test]
    fn values_keep_four_digits_and_their_intervals() {
        let text = round_trip(&[around(1234.56, 0.01), around(1240.0, 0.02), (1229.0, None)]);
        assert_eq!(text, "\"q\":-1,\"v\":[12346,54,-110],\"lo\":[124,248,null],\"hi\":[123,248,null]");
        assert_eq!(round_trip(&[(3.0, None)]), "\"q\":-4,\"v\":[30000]");
        assert_eq!(round_trip(&[]), "\"q\":0,\"v\":[]");
    }

    #[test]
    fn extreme_values_stay_what_they_are() {
        round_trip(&[(0.0, None), (0.0, None)]);
        round_trip(&[around(-5.5, 0.1), (0.0, None), around(5.5, 0.1)]);
        round_trip(&[(1e-300, None), (1e300, None), (-1e300, None)]);
        round_trip(&[(f64::MIN_POSITIVE / 8.0, None), (1.0, None)]);
        round_trip(&[(f64::MAX, None), (f64::MAX / 2.0, None)]);
        round_trip(&[(1e-9, None), (1e3, None), (1e12, None)]);
        round_trip(&[(1.0, Some(Interval { lo: 1e-30, hi: 4.2e70 })), around(2.0, 0.5)]);
        round_trip(&[(1.0, Some(Interval { lo: f64::NEG_INFINITY, hi: 2.0 })), (2.0, None)]);
    }
}
