//! Columns of the result table. Each has a heading and a function that formats its cell. A column appears
//! only if it adds information, which keeps the table of a plain run short.

use crate::comparison::rows;
use crate::{Style, numbers};
use derny_model::{CaseResult, Document, Estimate, Figure, PlainChange, VariantResult, Verdict};

type Cell<'a> = Box<dyn Fn(&CaseResult, &VariantResult) -> Option<String> + 'a>;

pub(crate) struct Column<'a> {
    /// Heading of the column.
    pub head: String,
    /// Returns the text for one result, or `None` for an empty cell.
    pub cell: Cell<'a>,
}

/// Gap between mean and typical time from which the mean gets a column, as a share.
const GAP: f64 = 0.05;
/// Minimum share of time in collections for which that share has a column.
const COLLECTING: f64 = 0.005;

/// Returns the columns for `document`, the most important first.
pub(crate) fn columns<'a>(document: &'a Document, style: &'a Style) -> Vec<Column<'a>> {
    let wanted = Wanted(&document.run.settings.metrics);
    let mut columns = Vec::new();
    if wanted.shows("time") {
        runners(document).iter().for_each(|name| as_run(document, style, name, &mut columns));
    }
    if wanted.shows("time") && has(document, "time") {
        time(document, style, &mut columns);
    }
    for name in other_times(document).chain(declared(document)).filter(|name| wanted.shows(name)) {
        metric(document, style, &name, &mut columns);
    }
    // A comparison below the table shows more about the same changes.
    if document.comparison.is_none() && document.cases().any(|case| case.change.is_some()) {
        // The base is a single variant, so only one row per case has a change.
        push(&mut columns, "change", move |case, variant| {
            let change = case.change.as_ref().filter(|_| case.variants[0].variant == variant.variant);
            change.map(|change| plain_change(document, change, style))
        });
    }
    if wanted.shows("time") && has(document, "time") && !all_have_runners(document) {
        rates(document, style, &mut columns);
    }
    secondary(document, style, &wanted, &mut columns);
    columns
}

/// Formats a change such as `−26.0 % faster`. Omits the word if the verdict is unclear.
pub(crate) fn plain_change(document: &Document, change: &PlainChange, style: &Style) -> String {
    let estimate = Estimate { value: change.change, interval: change.interval };
    let text = numbers::relative(&estimate, style).value;
    match change.verdict {
        Verdict::Unclear => text,
        verdict => format!("{text} {}", rows::verdict(verdict, false, document.run.settings.margin, style)),
    }
}

fn as_run<'a>(document: &Document, style: &'a Style, name: &str, columns: &mut Vec<Column<'a>>) {
    let owned = name.to_owned();
    push(columns, &format!("{name}/{}", unit(document)), move |_, variant| {
        Some(numbers::time(&variant.metric(&owned)?.reach(), style).value)
    });
    let (owned, few) = (name.to_owned(), few(metrics(document, name)));
    push(columns, &reach_head(document, few, style), move |_, variant| {
        let reach = reach(&variant.metric(&owned)?, variant, few, style);
        Some(reach.unwrap_or_else(|| numbers::NO_INTERVAL.to_owned()))
    });
    let owned = name.to_owned();
    push(columns, &format!("{}/s", unit(document)), move |_, variant| {
        Some(numbers::rate(1e9 / variant.metric(&owned)?.value, style))
    });
}

fn time<'a>(document: &'a Document, style: &'a Style, columns: &mut Vec<Column<'a>>) {
    let word = if all_have_runners(document) { "steady" } else { "time" };
    push(columns, &format!("{word}/{}", unit(document)), move |case, variant| {
        if variant.time.as_ref().is_some_and(|time| time.unwarmed) {
            return Some("one call".to_owned());
        }
        let figure = variant.figure("time")?;
        let text = match variant
            .time
            .as_ref()
            .and_then(|time| numbers::floor_above(time, figure.value, case.case.ops))
        {
            Some(floor) => numbers::duration(floor, style),
            None => numbers::time(&figure.reach(), style).value,
        };
        Some(if is_at_floor(variant) { numbers::at_most(&text, style) } else { text })
    });
    let few = few(results(document).filter_map(|result| result.figure("time")));
    push(columns, &reach_head(document, few, style), move |_, variant| {
        if variant.time.as_ref().is_some_and(|time| time.unwarmed) {
            return None;
        }
        if is_at_floor(variant) {
            return Some("at the floor".to_owned());
        }
        let reach = reach(&variant.figure("time")?, variant, few, style);
        Some(reach.unwrap_or_else(|| numbers::NO_INTERVAL.to_owned()))
    });
    if has(document, "measured_at") {
        push(columns, "measured at", move |case, variant| {
            let value = variant.figure("measured_at")?.value;
            Some(style.prose(&format!("{}={value}", case.case.scale.as_deref().unwrap_or("n"))))
        });
    }
}

/// Returns the names of the times that other tools would report, in order of appearance.
fn runners(document: &Document) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in document.cases().filter_map(|case| case.case.as_run()) {
        if !names.contains(&name) && metrics(document, &name).next().is_some() {
            names.push(name);
        }
    }
    names
}

fn all_have_runners(document: &Document) -> bool {
    document.cases().all(|case| case.case.runner.is_some())
}

fn is_at_floor(variant: &VariantResult) -> bool {
    variant.time.as_ref().is_some_and(numbers::is_at_floor)
}

fn rates<'a>(document: &Document, style: &'a Style, columns: &mut Vec<Column<'a>>) {
    push(columns, &format!("{}/s", unit(document)), move |case, variant| {
        let (rate, time) = (variant.figure("ops_per_second")?.value, variant.figure("time")?.value);
        let floor = variant.time.as_ref().and_then(|own| numbers::floor_above(own, time, case.case.ops));
        let text = numbers::rate(floor.map_or(rate, |floor| rate * time / floor), style);
        Some(if is_at_floor(variant) { numbers::at_least(&text, style) } else { text })
    });
    if has(document, "bytes_per_second") {
        push(columns, "bytes/s", move |_, variant| {
            let rate = variant.figure("bytes_per_second")?.value;
            Some(format!("{}/s", numbers::bytes(rate, style)))
        });
    }
    if has(document, "items_per_second") {
        push(columns, "items/s", move |_, variant| {
            Some(numbers::rate(variant.figure("items_per_second")?.value, style))
        });
    }
}

fn secondary<'a>(document: &Document, style: &'a Style, wanted: &Wanted, columns: &mut Vec<Column<'a>>) {
    let apart = |name: &str| {
        let ratio = |result: &VariantResult| Some(result.figure(name)?.value / result.figure("time")?.value);
        results(document).filter_map(ratio).any(|ratio| (ratio - 1.0).abs() > GAP)
    };
    let positive = |name: &str| metrics(document, name).any(|metric| metric.value > 0.0);
    if wanted.column(&["alloc", "allocated"], positive("allocated")) {
        push(columns, "alloc/op", move |_, variant| {
            Some(numbers::bytes(variant.metric("allocated")?.value, style))
        });
    }
    let collects = results(document).filter_map(collecting);
    if wanted.column(&["gc"], collects.fold(0.0, f64::max) > COLLECTING) {
        push(columns, "gc", move |_, variant| Some(numbers::percent(collecting(variant)?, style)));
    }
    if wanted.column(&["mean"], apart("mean")) {
        push(columns, "mean/op", move |_, variant| {
            Some(numbers::time(&variant.figure("mean")?.reach(), style).value)
        });
    }
    for name in wanted.others(document) {
        metric(document, style, &name, columns);
    }
}

fn metric<'a>(document: &Document, style: &'a Style, name: &str, columns: &mut Vec<Column<'a>>) {
    let timed = has(document, "time");
    let per_operation = metrics(document, name).any(|metric| metric.per_operation);
    let head = format!("{}{}", style.prose(name), if per_operation { "/op" } else { "" });
    let owned = name.to_owned();
    push(columns, &head, move |_, variant| Some(show(&variant.metric(&owned)?, style).value));
    if !timed && metrics(document, name).any(|metric| metric.interval.or(metric.range).is_some()) {
        let (owned, few) = (name.to_owned(), few(metrics(document, name)));
        push(columns, &reach_head(document, few, style), move |_, variant| {
            reach(&variant.metric(&owned)?, variant, few, style)
        });
    }
}

fn show(figure: &Figure, style: &Style) -> numbers::Figure {
    numbers::quantity(&figure.reach(), &figure.unit, style)
}

/// Returns true if the processes are too few for intervals: no figure has one, and at least one has a range.
fn few(figures: impl Iterator<Item = Figure>) -> bool {
    let all: Vec<Figure> = figures.collect();
    all.iter().any(|figure| figure.range.is_some()) && all.iter().all(|figure| figure.interval.is_none())
}

/// Returns the interval of a figure, such as `41.1 … 41.6`. Without an interval, returns the range of the
/// processes with their number: `41.1 … 41.6 of 4` if the whole column contains ranges, and otherwise `41.1 …
/// 41.6, range of 4`.
fn reach(figure: &Figure, variant: &VariantResult, few: bool, style: &Style) -> Option<String> {
    let text = show(figure, style).interval?;
    let processes = variant.processes;
    Some(match (figure.interval, few) {
        (Some(_), _) => text,
        (None, true) => format!("{text} of {processes}"),
        (None, false) => format!("{text}, range of {processes}"),
    })
}

fn push<'a>(
    columns: &mut Vec<Column<'a>>,
    head: &str,
    cell: impl Fn(&CaseResult, &VariantResult) -> Option<String> + 'a,
) {
    columns.push(Column { head: head.to_owned(), cell: Box::new(cell) });
}

fn reach_head(document: &Document, few: bool, style: &Style) -> String {
    if few {
        return "range".to_owned();
    }
    format!("{} interval", numbers::confidence(document.run.settings.confidence, style))
}

/// Returns the name of an operation if all cases agree on it, and otherwise `op`.
pub(crate) fn unit(document: &Document) -> String {
    let mut units = document.cases().map(|case| case.case.unit.as_deref().unwrap_or("op"));
    let first = units.next().unwrap_or("op");
    if units.all(|unit| unit == first) { crate::style::visible(first).into_owned() } else { "op".to_owned() }
}

fn results(document: &Document) -> impl Iterator<Item = &VariantResult> {
    document.cases().flat_map(|case| &case.variants)
}

fn has(document: &Document, name: &str) -> bool {
    results(document).any(|result| result.figure(name).is_some())
}

fn metrics(document: &Document, name: &str) -> impl Iterator<Item = Figure> {
    results(document).filter_map(move |result| result.metric(name))
}

/// Returns the share of time spent in collections, or `None` if it is unknown. A ratio above 1 means that
/// collections also ran in untimed work, such as the set-up of batches. The share is then unknown.
pub(crate) fn collecting(variant: &VariantResult) -> Option<f64> {
    let share = variant.metric("gc_time")?.value / variant.figure("mean")?.value;
    (share <= 1.0).then_some(share)
}

fn other_times(document: &Document) -> impl Iterator<Item = String> {
    let authors: Vec<String> = declared(document).collect();
    let mut names: Vec<String> = Vec::new();
    for figure in results(document).flat_map(|result| &result.figures).filter(|figure| figure.metric) {
        let is_time = figure.per_operation && figure.unit == "ns" && figure.name.starts_with("time");
        let is_new = |names: &[String]| !names.iter().any(|name| figure.name == *name);
        if is_time && is_new(&names) && is_new(&authors) {
            names.push(figure.name.to_string());
        }
    }
    names.into_iter()
}

/// Returns the metrics that the cases declare, in order of appearance.
fn declared(document: &Document) -> impl Iterator<Item = String> {
    let mut names: Vec<String> = Vec::new();
    for metric in document.cases().flat_map(|case| &case.case.metrics) {
        if !names.contains(&metric.name) {
            names.push(metric.name.clone());
        }
    }
    names.into_iter()
}

/// Metrics requested by name. If empty, the figures decide which ones are shown.
struct Wanted<'a>(&'a [String]);

impl Wanted<'_> {
    const KNOWN: &'static [&'static str] = &["time", "alloc", "allocated", "gc", "mean"];

    fn shows(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|wanted| wanted == name)
    }

    fn column(&self, names: &[&str], telling: bool) -> bool {
        if self.0.is_empty() { telling } else { self.0.iter().any(|wanted| names.contains(&wanted.as_str())) }
    }

    /// Returns the requested names that are neither built-in columns nor declared metrics.
    fn others(&self, document: &Document) -> Vec<String> {
        let declared: Vec<String> = other_times(document).chain(declared(document)).collect();
        self.0
            .iter()
            .filter(|n| !Self::KNOWN.contains(&n.as_str()) && !declared.contains(n))
            .cloned()
            .collect()
    }
}
