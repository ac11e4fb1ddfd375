//! Charts of results over several runs.

use super::facts::{name, short};
use super::quantity::Quantified;
use derny_model::picture::{HistoryPoint, Panel, Picture, Shape};
use derny_model::{CaseId, CaseResult, Document};
use derny_stats::changepoint::mean_variance;
use std::collections::HashMap;

const LEAST: usize = 3;

/// Smaller variances of logarithms are ignored: 0.3 % squared.
const FLOOR: f64 = 1e-5;

/// Returns a chart of the cases of the newest run over all of `runs`, oldest first. Marks level changes,
/// which PELT finds on logarithms with the penalty `4 ln n`.
pub fn histories(runs: &[Document], quantity: &Quantified) -> Picture {
    let series = series(runs);
    let newest = runs.last();
    let all: Vec<&Document> = runs.iter().collect();
    let several = newest.is_some_and(|document| document.suites.len() > 1);
    let cases = newest.iter().flat_map(|document| document.cases());
    let panels = cases.zip(courses(&all, &series, quantity)).filter_map(|(case, content)| {
        (!content.is_empty()).then(|| Panel { name: name(case, several), content })
    });
    let panels: Vec<Panel<Vec<HistoryPoint>>> = panels.collect();
    Picture {
        title: "History".to_owned(),
        facts: vec![
            format!("{} runs of one machine, oldest first", runs.len()),
            match runs.len() < 2 * LEAST {
                true => format!("level changes are marked from {} runs on", 2 * LEAST),
                false => "dashed lines mark level changes".to_owned(),
            },
        ],
        quantity: quantity.words(),
        unit: newest.map_or_else(String::new, |document| quantity.unit(document)),
        series,
        log: false,
        shape: Shape::Histories(panels),
    }
}

/// Returns the points of every case of the newest run over all of `runs`. Includes only variants of the
/// newest run. The series of a point is the index of its variant.
pub fn course(runs: &[&Document], quantity: &Quantified) -> Vec<Vec<HistoryPoint>> {
    let newest = runs.last();
    let series: Vec<String> =
        newest.into_iter().flat_map(|run| &run.run.variants).map(|variant| variant.name.clone()).collect();
    courses(runs, &series, quantity)
}

type Cases<'a> = HashMap<&'a CaseId, &'a CaseResult>;

fn courses(runs: &[&Document], series: &[String], quantity: &Quantified) -> Vec<Vec<HistoryPoint>> {
    let known: Vec<(&Document, Cases<'_>)> =
        runs.iter().map(|run| (*run, run.cases().map(|case| (&case.case.id, case)).collect())).collect();
    let cases = runs.last().into_iter().flat_map(|document| document.cases());
    cases.map(|case| points(&known, &case.case.id, series, quantity)).collect()
}

fn series(runs: &[Document]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for variant in runs.iter().rev().flat_map(|run| &run.run.variants) {
        if !names.contains(&variant.name) {
            names.push(variant.name.clone());
        }
    }
    names
}

fn points(
    runs: &[(&Document, Cases<'_>)],
    id: &CaseId,
    series: &[String],
    quantity: &Quantified,
) -> Vec<HistoryPoint> {
    let mut points = Vec::new();
    for (place, variant) in series.iter().enumerate() {
        let of = |(run, cases): &(&Document, Cases<'_>)| {
            cases.get(id).and_then(|case| point(run, case, place, variant, quantity))
        };
        let mut own: Vec<HistoryPoint> = runs.iter().filter_map(of).collect();
        mark(&mut own);
        points.extend(own);
    }
    points
}

fn point(
    run: &Document,
    case: &CaseResult,
    series: usize,
    variant: &str,
    quantity: &Quantified,
) -> Option<HistoryPoint> {
    let result = case.variants.iter().find(|result| result.variant == variant)?;
    let commit = run.run.commit.as_ref();
    Some(HistoryPoint {
        series,
        run: run.run.id.clone(),
        started_ms: run.run.started_ms,
        commit: commit.map_or_else(String::new, |commit| short(&commit.hash, commit.dirty)),
        estimate: quantity.of(case, result)?,
        moved: None,
    })
}

fn mark(points: &mut [HistoryPoint]) {
    if points.len() < 2 * LEAST || points.iter().any(|point| point.estimate.value <= 0.0) {
        return;
    }
    let logs: Vec<f64> = points.iter().map(|point| libm::log(point.estimate.value)).collect();
    let changes = mean_variance(&logs, 4.0 * libm::log(logs.len() as f64), LEAST, FLOOR);
    let mut edges = vec![0];
    edges.extend(changes.into_iter().map(|change| steepest(&logs, change)));
    edges.push(logs.len());
    edges.dedup();
    let mean = |from: usize, to: usize| logs[from..to].iter().sum::<f64>() / (to - from) as f64;
    for window in edges.windows(3) {
        let moved = mean(window[1], window[2]) - mean(window[0], window[1]);
        // PELT also splits segments that differ only in spread. Mark only those that differ in level.
        if moved.abs() > 2.0 * FLOOR.sqrt() {
            points[window[1]].moved = Some(libm::expm1(moved));
        }
    }
}

/// Returns the position of the largest step near a change. PELT's segments have at least three runs, so it
/// may misplace a level that lasted one or two runs.
fn steepest(logs: &[f64], change: usize) -> usize {
    let step = |at: usize| (logs[at] - logs[at - 1]).abs();
    let near = (change + 1).saturating_sub(LEAST).max(1)..=(change + LEAST - 1).min(logs.len() - 1);
    near.max_by(|a, b| step(*a).total_cmp(&step(*b))).unwrap_or(change)
}
