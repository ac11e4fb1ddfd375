//! One row per case and variant, as CSV (RFC 4180: CRLF, quotes where a field needs them).

use derny_model::{CaseResult, CaseState, Document, Estimate, StopReason, TimeSummary, VariantResult};

const HEAD: [&str; 31] = [
    "variant",
    "state",
    "processes",
    "turns",
    "batches",
    "time_ns",
    "time_lo_ns",
    "time_hi_ns",
    "mean_ns",
    "mean_lo_ns",
    "mean_hi_ns",
    "cpu_ns",
    "batch_mean_ns",
    "standard_deviation_ns",
    "median_ns",
    "mad_ns",
    "minimum_ns",
    "q1_ns",
    "q3_ns",
    "p95_ns",
    "p99_ns",
    "maximum_ns",
    "within",
    "between",
    "ops_per_second",
    "bytes_per_second",
    "items_per_second",
    "floor_ns",
    "cold_ns",
    "change",
    "warnings",
];

/// The whole document. Suite and benchmark are followed by a column for each parameter. After the fixed columns there are three per
/// metric: its value, and the ends of its interval; a metric's column says its unit, `allocated (bytes/op)`.
pub fn document(document: &Document) -> String {
    let metrics = metrics(document);
    let parameters = Parameters::of(document.cases().map(|case| case.case.id.params.as_slice()));
    let mut head = parameters.head(&HEAD);
    for (name, unit) in &metrics {
        head.extend([format!("{name} ({unit})"), format!("{name} lo"), format!("{name} hi")]);
    }
    let mut out = row(&head);
    for (index, case) in document.cases().enumerate() {
        let codes: Vec<&str> = document
            .warnings
            .iter()
            .filter(|warning| warning.case == Some(index as u32))
            .map(|warning| warning.code.as_str())
            .collect();
        let codes = codes.join(" ");
        if case.variants.is_empty() {
            out.push_str(&row(&fields(case, None, &codes, &parameters, &metrics)));
        }
        for variant in &case.variants {
            out.push_str(&row(&fields(case, Some(variant), &codes, &parameters, &metrics)));
        }
    }
    out
}

/// Metrics in order of appearance with their units as shown.
fn metrics(document: &Document) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for summary in document.cases().flat_map(|case| &case.variants).flat_map(|variant| &variant.metrics) {
        if all.iter().all(|(name, _)| *name != summary.metric.name) {
            let per = if summary.per_operation { "/op" } else { "" };
            all.push((summary.metric.name.clone(), format!("{}{per}", summary.metric.unit)));
        }
    }
    all
}

fn fields(
    case: &CaseResult,
    variant: Option<&VariantResult>,
    codes: &str,
    parameters: &Parameters,
    metrics: &[(String, String)],
) -> Vec<String> {
    let count =
        |of: fn(&VariantResult) -> u64| variant.map_or(String::new(), |variant| of(variant).to_string());
    let id = &case.case.id;
    let mut fields = parameters.row(&id.suite, &id.benchmark, &id.params);
    fields.extend([
        variant.map_or(String::new(), |variant| variant.variant.clone()),
        state(&case.state).to_owned(),
        count(|v| u64::from(v.processes)),
        count(|v| u64::from(v.turns)),
        count(|v| v.batches),
    ]);
    fields.extend(times(variant.and_then(|variant| variant.time.as_ref())).map(number));
    fields.push(number(case.change.as_ref().map(|change| change.change)));
    fields.push(codes.to_owned());
    for (name, _) in metrics {
        let summary = variant.and_then(|v| v.metrics.iter().find(|summary| summary.metric.name == *name));
        fields.extend(estimate(summary.map(|summary| &summary.estimate)).map(number));
    }
    fields
}

/// The time columns in the order of the head.
fn times(time: Option<&TimeSummary>) -> [Option<f64>; 24] {
    let Some(time) = time else { return [None; 24] };
    let [typical, lo, hi] = estimate(Some(&time.typical));
    let [mean, mean_lo, mean_hi] = estimate(Some(&time.mean));
    [
        typical,
        lo,
        hi,
        mean,
        mean_lo,
        mean_hi,
        time.cpu.map(|cpu| cpu.value),
        Some(time.batch_mean),
        Some(time.standard_deviation),
        Some(time.median),
        Some(time.mad),
        Some(time.minimum),
        Some(time.q1),
        Some(time.q3),
        Some(time.p95),
        Some(time.p99),
        Some(time.maximum),
        Some(time.within),
        Some(time.between),
        Some(time.ops_per_second),
        time.bytes_per_second,
        time.items_per_second,
        time.floor.map(|floor| floor.time_ns),
        time.cold.map(|cold| cold.time_ns),
    ]
}

fn estimate(estimate: Option<&Estimate>) -> [Option<f64>; 3] {
    let interval = estimate.and_then(|estimate| estimate.interval);
    [estimate.map(|e| e.value), interval.map(|i| i.lo), interval.map(|i| i.hi)]
}

/// One word for a case's state.
pub(crate) fn state(state: &CaseState) -> &'static str {
    match state {
        CaseState::Measured(StopReason::Precise) => "precise",
        CaseState::Measured(StopReason::Verdict) => "verdict",
        CaseState::Measured(StopReason::Budget) => "budget",
        CaseState::Measured(StopReason::Maximum) => "maximum",
        CaseState::Measured(StopReason::Interrupted) => "interrupted",
        CaseState::Measured(_) => "measured",
        CaseState::Passed => "passed",
        CaseState::Skipped => "skipped",
        CaseState::Failed => "failed",
        CaseState::Missing => "missing",
    }
}

/// The parameters of all cases that a table shows: each has a column of its own, `p.NAME`, after suite and benchmark.
pub(crate) struct Parameters<'a>(Vec<&'a str>);

impl<'a> Parameters<'a> {
    /// In the order of their first appearance.
    pub(crate) fn of(cases: impl Iterator<Item = &'a [(String, String)]>) -> Parameters<'a> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in cases.flatten() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        Parameters(names)
    }

    /// The names of all columns; `rest` are those after the parameters.
    pub(crate) fn head(&self, rest: &[&str]) -> Vec<String> {
        let own = self.0.iter().map(|name| format!("p.{name}"));
        let first = ["suite", "benchmark"].map(str::to_owned).into_iter();
        first.chain(own).chain(rest.iter().map(|name| (*name).to_owned())).collect()
    }

    /// The first columns of a row.
    pub(crate) fn row(&self, suite: &str, benchmark: &str, params: &[(String, String)]) -> Vec<String> {
        let value = |name: &&str| params.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
        let own = self.0.iter().map(|name| value(name).unwrap_or_default());
        [suite.to_owned(), benchmark.to_owned()].into_iter().chain(own).collect()
    }
}

pub(crate) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | ' ' | '=') || c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// To ten significant digits: more than any clock can justify, fewer than rounding errors reach.
pub(crate) fn number(value: Option<f64>) -> String {
    let rounded =
        value.filter(|value| value.is_finite()).and_then(|value| format!("{value:.9e}").parse::<f64>().ok());
    rounded.map_or(String::new(), |value| value.to_string())
}

/// Fields as one line.
pub(crate) fn row<S: AsRef<str>>(fields: &[S]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| quote(field.as_ref())).collect();
    format!("{}\r\n", quoted.join(","))
}

fn quote(field: &str) -> String {
    if field.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_only_where_they_must_be() {
        assert_eq!(row(&["a", "b c", "d,e", "f\"g", "h\ni"]), "a,b c,\"d,e\",\"f\"\"g\",\"h\ni\"\r\n");
    }

    #[test]
    fn each_parameter_has_a_column() {
        let of = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
        };
        let cases = [of(&[("n", "1"), ("suite", "x")]), of(&[]), of(&[("type", "a,b"), ("n", "2")])];
        let parameters = Parameters::of(cases.iter().map(Vec::as_slice));
        assert_eq!(
            parameters.head(&["time_ns"]),
            ["suite", "benchmark", "p.n", "p.suite", "p.type", "time_ns"]
        );
        assert_eq!(parameters.row("s", "b", &cases[0]), ["s", "b", "1", "x", ""]);
        assert_eq!(parameters.row("s", "b", &cases[2]), ["s", "b", "2", "", "a,b"]);
    }
}
