//! Formats documents as CSV (RFC 4180: CRLF, fields quoted as needed), with one row per case and variant.

use crate::style::visible;
use derny_model::{CaseResult, CaseState, Document, StopReason, VariantResult, Word};
use std::borrow::Cow;

const HEAD: [&str; 5] = ["variant", "state", "processes", "turns", "batches"];

/// Returns the document as CSV. The columns are suite, benchmark, parameters and the fixed columns, followed
/// by every figure of any result. A figure with an interval also has columns for its bounds. Column names
/// contain the unit: `mean_ns` for a statistic of time, `allocated (bytes/op)` for a metric.
pub fn document(document: &Document) -> String {
    let figures = Column::of(document);
    let (times, metrics): (Vec<&Column>, Vec<&Column>) = figures.iter().partition(|column| !column.metric);
    let parameters = Parameters::of(document.cases().map(|case| case.case.id.params.as_slice()));
    let mut head = parameters.head(&HEAD);
    head.extend(times.iter().flat_map(|column| column.head()));
    head.extend(["change".to_owned(), "warnings".to_owned()]);
    head.extend(metrics.iter().flat_map(|column| column.head()));
    let mut out = row(&head);
    for (index, case) in document.cases().enumerate() {
        let codes: Vec<&str> = document
            .warnings
            .iter()
            .filter(|warning| warning.decides && warning.case == Some(index as u32))
            .map(|warning| warning.code.as_str())
            .collect();
        let variants: Vec<Option<&VariantResult>> =
            if case.variants.is_empty() { vec![None] } else { case.variants.iter().map(Some).collect() };
        for variant in variants {
            let mut fields = fields(case, variant, &parameters);
            fields.extend(times.iter().flat_map(|column| column.fields(variant)));
            fields.push(number(case.change.as_ref().map(|change| change.change)));
            fields.push(codes.join(" "));
            fields.extend(metrics.iter().flat_map(|column| column.fields(variant)));
            out.push_str(&row(&fields));
        }
    }
    out
}

struct Column {
    name: Word,
    metric: bool,
    unit: String,
    interval: bool,
}

impl Column {
    /// Returns the columns for every figure of any result. Metrics always get columns for an interval.
    fn of(document: &Document) -> Vec<Column> {
        let mut all: Vec<Column> = Vec::new();
        let results = document.cases().flat_map(|case| &case.variants);
        for figure in results.flat_map(|result| &result.figures) {
            let interval = figure.metric || figure.interval.is_some();
            let known = all.iter_mut().find(|own| own.name == figure.name && own.metric == figure.metric);
            match known {
                Some(known) => known.interval |= interval,
                None => {
                    let per = if figure.metric && figure.per_operation { "/op" } else { "" };
                    let unit = format!("{}{per}", figure.unit);
                    all.push(Column { name: figure.name, metric: figure.metric, unit, interval });
                }
            }
        }
        all
    }

    fn head(&self) -> Vec<String> {
        let name = self.name;
        let ns = if self.unit == "ns" { "_ns" } else { "" };
        let heads = match self.metric {
            true => [format!("{name} ({})", self.unit), format!("{name} lo"), format!("{name} hi")],
            false => [format!("{name}{ns}"), format!("{name}_lo{ns}"), format!("{name}_hi{ns}")],
        };
        heads.into_iter().take(self.width()).collect()
    }

    fn fields(&self, variant: Option<&VariantResult>) -> Vec<String> {
        let figure = variant.and_then(|variant| match self.metric {
            true => variant.metric(&self.name),
            false => variant.figure(&self.name),
        });
        let interval = figure.and_then(|figure| figure.interval);
        let values = [figure.map(|figure| figure.value), interval.map(|i| i.lo), interval.map(|i| i.hi)];
        values.into_iter().take(self.width()).map(number).collect()
    }

    fn width(&self) -> usize {
        if self.interval { 3 } else { 1 }
    }
}

fn fields(case: &CaseResult, variant: Option<&VariantResult>, parameters: &Parameters) -> Vec<String> {
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
    fields
}

pub(crate) fn state(state: &CaseState) -> &'static str {
    match state {
        CaseState::Measured(StopReason::Precise) => "precise",
        CaseState::Measured(StopReason::Verdict) => "verdict",
        CaseState::Measured(StopReason::Budget) => "budget",
        CaseState::Measured(StopReason::PrecisionPredicted) => "precision-predicted",
        CaseState::Measured(StopReason::Maximum) => "maximum",
        CaseState::Measured(StopReason::Interrupted) => "interrupted",
        CaseState::Measured(_) => "measured",
        CaseState::Passed => "passed",
        CaseState::Skipped => "skipped",
        CaseState::Failed => "failed",
        CaseState::Missing => "missing",
    }
}

/// The parameters of all cases in a table. Each gets a column `p.NAME` after suite and benchmark.
pub(crate) struct Parameters<'a>(Vec<&'a str>);

impl<'a> Parameters<'a> {
    pub(crate) fn of(cases: impl Iterator<Item = &'a [(String, String)]>) -> Parameters<'a> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in cases.flatten() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        Parameters(names)
    }

    /// Returns the column names. `rest` contains the names of the columns after the parameters.
    pub(crate) fn head(&self, rest: &[&str]) -> Vec<String> {
        let own = self.0.iter().map(|name| format!("p.{name}"));
        let first = ["suite", "benchmark"].map(str::to_owned).into_iter();
        first.chain(own).chain(rest.iter().map(|name| (*name).to_owned())).collect()
    }

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

/// Formats a number with ten significant digits. No clock justifies that many, and rounding errors affect
/// none of them.
pub(crate) fn number(value: Option<f64>) -> String {
    let rounded =
        value.filter(|value| value.is_finite()).and_then(|value| format!("{value:.9e}").parse::<f64>().ok());
    rounded.map_or(String::new(), |value| value.to_string())
}

pub(crate) fn row<S: AsRef<str>>(fields: &[S]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| quote(field.as_ref())).collect();
    format!("{}\r\n", quoted.join(","))
}

/// Quotes a field. Defuses text that a spreadsheet would run as a formula, and control characters of
/// terminals. Numbers stay unchanged.
pub(crate) fn quote(field: &str) -> String {
    let field = visible(field);
    let is_formula = field.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let is_number = || field.parse::<f64>().is_ok_and(f64::is_finite);
    let field = if is_formula && !is_number() { Cow::Owned(format!("'{field}")) } else { field };
    match field.contains(['"', ',', ';']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_only_where_they_must_be() {
        assert_eq!(row(&["a", "b c", "d,e", "f\"g", "h;i"]), "a,b c,\"d,e\",\"f\"\"g\",\"h;i\"\r\n");
    }

    #[test]
    fn no_field_is_a_formula_or_steers_a_terminal() {
        for (field, written) in [
            ("=1+1", "'=1+1"),
            ("+cmd", "'+cmd"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2+3", "'-2+3"),
            (" =1", "' =1"),
            ("＝1", "'＝1"),
            ("\t=1", "\\t=1"),
            ("\r=1", "\\r=1"),
            ("=HYPERLINK(\"a\",1)", "\"'=HYPERLINK(\"\"a\"\",1)\""),
            ("-inf", "'-inf"),
            ("a\x1b[2J\u{202e}\nb", "a\\x1b[2J\\u{202e}\\nb"),
            ("::error::x", "\\x3a:error::x"),
            ("-1.5", "-1.5"),
            ("+5", "+5"),
            ("-1e-9", "-1e-9"),
            ("a=1", "a=1"),
        ] {
            assert_eq!(row(&[field]), format!("{written}\r\n"), "{field:?}");
        }
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
