//! Splits a document into the part that a page shows for all cases at once, and a part for each case.

use crate::{comparison, numbers};
use derny_model::{
    Case, CaseId, CaseResult, CaseState, Change, Commit, ComparedCase, ComparedSide, Comparison, Contention,
    Document, Estimate, Failure, Figure, Interval, Ranking, RunHeader, TimeSummary, Verdict, Warning,
    Yardstick,
};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// A document without the data of cases: suites contain the number of their cases, and the comparison
/// contains none.
#[derive(Serialize)]
pub(super) struct Bare<'a> {
    format: u32,
    run: &'a RunHeader,
    suites: Vec<BareSuite<'a>>,
    failures: &'a [Failure],
    warnings: &'a [Warning],
    baseline: &'a Option<(String, Option<Commit>)>,
    yardsticks: &'a [Yardstick],
    #[serde(skip_serializing_if = "Option::is_none")]
    contention: Option<Contention>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    rankings: &'a [Ranking],
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison>,
}

#[derive(Serialize)]
struct BareSuite<'a> {
    suite: &'a str,
    cases: usize,
}

pub(super) fn without_cases(document: &Document) -> Bare<'_> {
    let comparison = document.comparison.as_deref().map(|own| Comparison {
        format: own.format,
        sides: own.sides.clone(),
        pairing: own.pairing,
        against: own.against.clone(),
        margin: own.margin,
        mean_margin: own.mean_margin,
        confidence: own.confidence,
        metrics: own.metrics.clone(),
        apart_ms: own.apart_ms,
        same: own.same.clone(),
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
        machines: own.machines.clone(),
        settle: own.settle.clone(),
    });
    let suites =
        document.suites.iter().map(|suite| BareSuite { suite: &suite.suite, cases: suite.cases.len() });
    Bare {
        format: document.format,
        run: &document.run,
        suites: suites.collect(),
        failures: &document.failures,
        warnings: &document.warnings,
        baseline: &document.baseline,
        yardsticks: &document.yardsticks,
        contention: document.contention,
        rankings: &document.rankings,
        comparison,
    }
}

pub(super) fn places(document: &Document) -> HashMap<&CaseId, (usize, &CaseResult)> {
    document.cases().enumerate().map(|(index, case)| (&case.case.id, (index, case))).collect()
}

/// The full data of a compared case. Times that the document contains become references to their case and
/// variant.
#[derive(Serialize)]
pub(super) struct Referring<'a> {
    case: &'a Case,
    times: Vec<Time<'a>>,
    sides: &'a [ComparedSide],
}

#[derive(Serialize)]
#[serde(untagged)]
enum Time<'a> {
    There([usize; 2]),
    Own(&'a Option<TimeSummary>),
}

/// Returns the full data of a compared case. `own` is the index and result of the case in the document.
pub(super) fn referring<'a>(compared: &'a ComparedCase, own: Option<(usize, &CaseResult)>) -> Referring<'a> {
    let there = |time: &Option<TimeSummary>| {
        let (index, case) = own.filter(|_| time.is_some())?;
        Some([index, case.variants.iter().position(|variant| variant.time == *time)?])
    };
    let times = compared.times.iter().map(|time| there(time).map_or(Time::Own(time), Time::There));
    Referring { case: &compared.case, times: times.collect(), sides: &compared.sides }
}

#[derive(Serialize)]
pub(super) struct OverviewRow<'a> {
    id: &'a CaseId,
    state: &'a CaseState,
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
    range: Option<Interval>,
    at_floor: bool,
    ops_per_second: Option<f64>,
    as_run: Option<Estimate>,
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

#[derive(Serialize)]
pub(super) struct Compared<'a> {
    id: &'a CaseId,
    /// Rank of the case, worst first.
    order: usize,
    sides: Vec<BriefSide>,
}

#[derive(Serialize)]
struct BriefSide {
    side: u32,
    verdict: Verdict,
    /// The deciding change, or else the first with an estimate. Without its pairs.
    change: Option<Change>,
}

/// Returns the rank of every case, worst first, as in the engine's tables.
pub(super) fn worst_first(comparison: &Comparison) -> Vec<usize> {
    let sides = comparison::sides(comparison);
    let ranks: Vec<f64> = comparison.cases.iter().map(|case| comparison::rank(case, &sides)).collect();
    let mut sorted: Vec<usize> = (0..ranks.len()).collect();
    sorted.sort_by(|one, other| ranks[*one].total_cmp(&ranks[*other]));
    let mut places = vec![0; ranks.len()];
    sorted.into_iter().enumerate().for_each(|(place, case)| places[case] = place);
    places
}

pub(super) fn compared(case: &ComparedCase, order: usize) -> Compared<'_> {
    let sides = case.sides.iter().map(|side| BriefSide {
        side: side.side,
        verdict: side.verdict,
        change: comparison::decisive(side).map(|change| Change { pairs: Arc::default(), ..change.clone() }),
    });
    Compared { id: &case.case.id, order, sides: sides.collect() }
}
