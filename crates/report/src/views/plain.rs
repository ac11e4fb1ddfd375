//! The format of Node's benchmark runner: one line per case, `name key=value …: rate`.

use crate::foreign;
use crate::style::visible;
use derny_model::{CaseResult, Document, VariantResult};

/// Returns the name of each benchmark after a blank line, followed by its cases with operations per second.
/// If the benchmark's own runner reports the first call, this is the rate of the first call. For a case
/// without times, returns the first declared metric.
pub fn plain(document: &Document) -> String {
    let mut out = String::new();
    let mut heading = String::new();
    let several = document.run.variants.len() > 1;
    for case in document.cases() {
        let name = name(case);
        for variant in &case.variants {
            let Some(rate) = rate(case, variant) else { continue };
            if name != heading {
                out.push_str(&format!("\n{name}\n"));
                heading.clone_from(&name);
            }
            let of = if several { format!(" variant={}", value(&variant.variant)) } else { String::new() };
            out.push_str(&format!("{name}{}{of}: {}\n", configuration(&case.case.id.params), grouped(rate)));
        }
    }
    out
}

fn rate(case: &CaseResult, variant: &VariantResult) -> Option<f64> {
    let declared = || {
        let names = case.case.metrics.iter().map(|metric| &metric.name);
        let mut found = names.filter_map(|name| variant.metric(name));
        found.next().map(|figure| figure.value)
    };
    let as_run = case.case.as_run().and_then(|name| Some(1e9 / variant.metric(&name)?.value));
    as_run.or_else(|| variant.figure("ops_per_second").map(|rate| rate.value)).or_else(declared)
}

/// Returns the name of the benchmark's file, as Node writes it, or `suite/benchmark` for benchmarks of other
/// tools.
fn name(case: &CaseResult) -> String {
    visible(&foreign::node::file(&case.case)).into_owned()
}

fn configuration(params: &[(String, String)]) -> String {
    params.iter().map(|(key, text)| format!(" {}={}", visible(key), value(text))).collect()
}

/// Formats the value of a parameter. Numbers and booleans stay as they are, and other text is quoted.
fn value(text: &str) -> String {
    let bare = matches!(text, "true" | "false")
        || text.parse::<f64>().is_ok_and(f64::is_finite) && !text.starts_with('+');
    if bare { text.to_owned() } else { crate::json::line(&text) }
}

fn grouped(rate: f64) -> String {
    if !rate.is_finite() {
        return "NaN".to_owned();
    }
    let whole = if rate.abs() < 1.0 { 0 } else { rate.abs().log10().floor() as usize };
    let text = format!("{rate:.*}", 5_usize.saturating_sub(whole));
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (digits, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut out = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { out } else { format!("{out}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_thousands_and_six_digits() {
        assert_eq!(grouped(24_213_075.25), "24,213,075");
        assert_eq!(grouped(773_200.499), "773,200");
        assert_eq!(grouped(71.901_480_4), "71.9015");
        assert_eq!(grouped(0.416_666_66), "0.41667");
        assert_eq!(grouped(100.0), "100");
        assert_eq!(grouped(f64::INFINITY), "NaN");
    }

    #[test]
    fn configurations_quote_words() {
        let params = [("n", "1e6"), ("type", "a \"b\"\n"), ("strict", "true"), ("text", "")];
        let params = params.map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(configuration(&params), " n=1e6 type=\"a \\\"b\\\"\\n\" strict=true text=\"\"");
    }
}
