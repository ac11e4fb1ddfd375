//! A document taken apart: what a page shows of all cases at once, and what it shows of one.

use crate::numbers;
use derny_model::{
    CaseId, CaseResult, CaseState, Change, ComparedCase, Document, Estimate, Figure, Interval, Verdict,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A document without its cases, and they by themselves.
pub(super) struct Parts {
    /// Suites hold the number of their cases, the comparison has none.
    pub document: Value,
    /// By case.
    pub cases: Vec<Value>,
    /// By compared case. Times that stand in a case already are the indices of that case and of its variant.
    pub compared: Vec<Value>,
}

impl Parts {
    pub(super) fn of(document: &Document) -> Self {
        let mut whole = json!(document);
        let mut cases = Vec::new();
        for suite in whole["suites"].as_array_mut().into_iter().flatten() {
            let own = suite["cases"].take();
            suite["cases"] = json!(own.as_array().map_or(0, Vec::len));
            cases.extend(array(own));
        }
        let mut compared = match whole.get_mut("comparison") {
            Some(comparison) => array(std::mem::replace(&mut comparison["cases"], json!([]))),
            None => Vec::new(),
        };
        let place: HashMap<&CaseId, usize> =
            document.cases().enumerate().map(|(index, case)| (&case.case.id, index)).collect();
        let ids =
            document.comparison.iter().flat_map(|comparison| &comparison.cases).map(|case| &case.case.id);
        for (one, id) in compared.iter_mut().zip(ids) {
            if let Some(&index) = place.get(id) {
                refer(one, index, &cases[index]);
            }
        }
        Parts { document: whole, cases, compared }
    }
}

/// Replaces times of a compared case that stand in `case` too.
fn refer(compared: &mut Value, index: usize, case: &Value) {
    for time in compared["times"].as_array_mut().into_iter().flatten().filter(|time| !time.is_null()) {
        let variants = case["variants"].as_array().into_iter().flatten();
        if let Some(variant) = variants.map(|own| &own["time"]).position(|own| own == time) {
            *time = json!([index, variant]);
        }
    }
}

fn array(value: Value) -> Vec<Value> {
    if let Value::Array(items) = value { items } else { Vec::new() }
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
    sides: Vec<BriefSide<'a>>,
}

#[derive(Serialize)]
struct BriefSide<'a> {
    side: u32,
    verdict: Verdict,
    /// The first quantity whose change could be estimated.
    change: Option<&'a Change>,
}

pub(super) fn compared(case: &ComparedCase) -> Compared<'_> {
    let sides = case.sides.iter().map(|side| BriefSide {
        side: side.side,
        verdict: side.verdict,
        change: side.changes.iter().find(|change| change.change.is_some()).or(side.changes.first()),
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
