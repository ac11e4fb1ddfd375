//! OpenMetrics, the text format of Prometheus: typical time, mean and every metric as gauges, with the bounds
//! of their intervals.

use derny_model::{CaseResult, Document, Figure, VariantResult};
use std::fmt::Write;

/// Returns additional labels and a value for each sample of a variant.
type Samples<'a> = Box<dyn Fn(&VariantResult) -> Vec<(String, f64)> + 'a>;

struct Family<'a> {
    name: &'static str,
    unit: Option<&'static str>,
    help: &'static str,
    of: Samples<'a>,
}

/// Returns the run in the text format of OpenMetrics. Times are in seconds, because the format requires base
/// units.
pub fn text(document: &Document) -> String {
    let mut out = String::new();
    let run = &document.run;
    out.push_str("# TYPE derny_run info\n# HELP derny_run The run that measured all values.\n");
    let commit = run.commit.as_ref().map_or("", |commit| commit.hash.as_str());
    let _ = writeln!(
        out,
        "derny_run_info{{run=\"{}\",commit=\"{}\"}} 1",
        escaped(&run.id.to_string()),
        escaped(commit)
    );
    out.push_str("# TYPE derny_run_started_seconds gauge\n# UNIT derny_run_started_seconds seconds\n");
    let _ = writeln!(out, "derny_run_started_seconds {:?}", run.started_ms as f64 / 1e3);
    for family in families() {
        write(&mut out, document, &family);
    }
    out.push_str("# EOF\n");
    out
}

fn families() -> Vec<Family<'static>> {
    let time = |name: &'static str, help, figure: &'static str, end: fn(&Figure) -> Option<f64>| Family {
        name,
        unit: Some("seconds"),
        help,
        of: Box::new(move |variant| {
            let value = variant.figure(figure).and_then(|figure| end(&figure));
            value.map(|ns| (String::new(), ns / 1e9)).into_iter().collect()
        }),
    };
    let metric = |name: &'static str, help, end: fn(&Figure) -> Option<f64>| Family {
        name,
        unit: None,
        help,
        of: Box::new(move |variant| {
            let metrics = variant.figures.iter().filter(|figure| figure.metric);
            let labels = |figure: &Figure| {
                format!(",metric=\"{}\",unit=\"{}\"", escaped(&figure.name), escaped(&figure.unit))
            };
            metrics.filter_map(|figure| Some((labels(&figure), end(&figure)?))).collect()
        }),
    };
    vec![
        time("derny_time_seconds", "Typical time per operation.", "time", value),
        time("derny_time_lower_seconds", "Lower end of the interval of typical time.", "time", lower),
        time("derny_time_upper_seconds", "Upper end of the interval of typical time.", "time", upper),
        time("derny_mean_seconds", "Mean time per operation.", "mean", value),
        time("derny_mean_lower_seconds", "Lower end of the interval of mean time.", "mean", lower),
        time("derny_mean_upper_seconds", "Upper end of the interval of mean time.", "mean", upper),
        metric("derny_metric", "A metric, in its own unit.", value),
        metric("derny_metric_lower", "Lower end of the interval of the metric.", lower),
        metric("derny_metric_upper", "Upper end of the interval of the metric.", upper),
    ]
}

fn value(figure: &Figure) -> Option<f64> {
    Some(figure.value)
}

fn lower(figure: &Figure) -> Option<f64> {
    figure.interval.map(|interval| interval.lo)
}

fn upper(figure: &Figure) -> Option<f64> {
    figure.interval.map(|interval| interval.hi)
}

fn write(out: &mut String, document: &Document, family: &Family<'_>) {
    let _ = writeln!(out, "# TYPE {} gauge", family.name);
    if let Some(unit) = family.unit {
        let _ = writeln!(out, "# UNIT {} {unit}", family.name);
    }
    let _ = writeln!(out, "# HELP {} {}", family.name, family.help);
    for case in document.cases() {
        for variant in &case.variants {
            for (more, value) in (family.of)(variant) {
                let _ = writeln!(out, "{}{{{}{more}}} {}", family.name, labels(case, variant), number(value));
            }
        }
    }
}

/// Returns the labels of a result. All parameters share one label, because their names may contain characters
/// that label names may not.
fn labels(case: &CaseResult, variant: &VariantResult) -> String {
    let id = &case.case.id;
    let params: Vec<String> = id.params.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!(
        "suite=\"{}\",benchmark=\"{}\",params=\"{}\",variant=\"{}\"",
        escaped(&id.suite),
        escaped(&id.benchmark),
        escaped(&params.join(" ")),
        escaped(&variant.variant)
    )
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn number(value: f64) -> String {
    match value {
        value if value.is_nan() => "NaN".to_owned(),
        value if value.is_infinite() => if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned(),
        value => format!("{value:?}"),
    }
}
