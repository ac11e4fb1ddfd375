//! A document taken apart: what a page shows of all cases at once, and what it shows of one.

use crate::numbers;
use derny_model::{
    CaseId, CaseResult, CaseState, Change, ComparedCase, Comparison, Document, Estimate, Figure, Interval,
    Verdict,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The document with what belongs to no case: suites hold the number of their cases, the comparison has none.
pub(super) fn without_cases(document: &Document) -> Value {
    let comparison = document.comparison.as_deref().map(|own| {
        Box::new(Comparison {
            format: own.format,
            sides: own.sides.clone(),
            pairing: own.pairing,
            against: own.against.clone(),
            margin: own.margin,
            mean_margin: own.mean_margin,
            confidence: own.confidence,
            apart_ms: own.apart_ms,
            context: own.context.clone(),
            machine: own.machine.clone(),
            cases: Vec::new(),
            unmeasured: own.unmeasured.clone(),
            alone: own.alone.clone(),
            geometric_means: own.geometric_means.clone(),
            family: own.family,
            control: own.control.clone(),
            failures: own.failures.clone(),
            warnings: own.warnings.clone(),
            unknown: own.unknown.clone(),
        })
    });
    let mut whole = json!(Document {
        format: document.format,
        run: document.run.clone(),
        suites: Vec::new(),
        failures: document.failures.clone(),
        warnings: document.warnings.clone(),
        baseline: document.baseline.clone(),
        yardsticks: document.yardsticks.clone(),
        rankings: document.rankings.clone(),
        comparison,
    });
    let suites =
        document.suites.iter().map(|suite| json!({"suite": suite.suite, "cases": suite.cases.len()}));
    whole["suites"] = suites.collect();
    whole
}

/// The cases of a document by their names, with their numbers.
pub(super) fn places(document: &Document) -> HashMap<&CaseId, (usize, &CaseResult)> {
    document.cases().enumerate().map(|(index, case)| (&case.case.id, (index, case))).collect()
}

/// All of a compared case. Times that stand in `own`, a case of the document, are its number and that of the variant.
pub(super) fn referring(compared: &ComparedCase, own: Option<(usize, &CaseResult)>) -> Value {
    let mut whole = json!(compared);
    let Some((index, case)) = own else { return whole };
    for (at, time) in compared.times.iter().enumerate().filter(|(_, time)| time.is_some()) {
        if let Some(variant) = case.variants.iter().position(|variant| variant.time == *time) {
            whole["times"][at] = json!([index, variant]);
        }
    }
    whole
}

/// A case in the overview.
#[derive(Serialize)]
pub(super) struct OverviewRow<'a> {
    id: &'a CaseId,
    state: &'a CaseState,
    /// What the first calls of processes are called, where another program would report them.
    as_run: Option<String>,
    variants: Vec<Brief<'a>>,
}

#[derive(Serialize)]
struct Brief<'a> {
    variant: &'a str,
    processes: u32,
    time: Option<BriefTime<'a>>,
}

#[derive(Serialize)]
struct BriefTime<'a> {
    typical: &'a Estimate,
    mean: &'a Estimate,
    /// Of few processes.
    range: Option<Interval>,
    /// It cannot be told from an empty body.
    at_floor: bool,
    ops_per_second: Option<f64>,
    /// First calls, where another program would report them.
    as_run: Option<Estimate>,
    /// Its times are those of first calls.
    unwarmed: bool,
}

pub(super) fn row(case: &CaseResult) -> OverviewRow<'_> {
    let as_run = case.case.as_run();
    let variants = case.variants.iter().map(|result| Brief {
        variant: &result.variant,
        processes: result.processes,
        time: result.time.as_ref().map(|time| BriefTime {
            typical: &time.typical,
            mean: &time.mean,
            range: result.figure("time").and_then(|figure| figure.range),
            at_floor: numbers::is_at_floor(time),
            ops_per_second: result.figure("ops_per_second").map(|rate| rate.value),
            as_run: as_run.as_deref().and_then(|name| result.metric(name)).map(Figure::reach),
            unwarmed: time.unwarmed,
        }),
    });
    let variants = variants.collect();
    OverviewRow { id: &case.case.id, state: &case.state, as_run, variants }
}

/// A compared case in the overview and the forest plot.
#[derive(Serialize)]
pub(super) struct Compared<'a> {
    id: &'a CaseId,
    sides: Vec<BriefSide>,
}

#[derive(Serialize)]
struct BriefSide {
    side: u32,
    verdict: Verdict,
    /// The first quantity whose change could be estimated, without its pairs.
    change: Option<Change>,
}

pub(super) fn compared(case: &ComparedCase) -> Compared<'_> {
    let sides = case.sides.iter().map(|side| BriefSide {
        side: side.side,
        verdict: side.verdict,
        change: side
            .changes
            .iter()
            .find(|change| change.change.is_some())
            .or(side.changes.first())
            .map(|change| Change { pairs: Vec::new(), ..change.clone() }),
    });
    Compared { id: &case.case.id, sides: sides.collect() }
}

/// The same with eight significant digits in its figures. Whole numbers stay as they are, since some are compared exactly.
pub(super) fn rounded(mut value: Value) -> Value {
    match &mut value {
        Value::Number(number) if number.is_f64() => {
            let exact = number.as_f64().unwrap_or_default();
            if exact.fract() != 0.0 {
                return json!(digits(exact, 8));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = rounded(item.take())),
        Value::Object(fields) => fields.values_mut().for_each(|field| *field = rounded(field.take())),
        _ => {}
    }
    value
}

/// To so many significant digits; 0 for what is no number.
pub(super) fn digits(value: f64, count: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let place = 10f64.powi(count - 1 - value.abs().log10().floor() as i32);
    let short = (value * place).round() / place;
    if short.is_finite() { short } else { value }
}
