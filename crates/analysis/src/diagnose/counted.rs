//! Finds turns in which a counted event took time.

use derny_estimate::reject;
use derny_model::{Case, Phase, Turn, VisitRecord};

/// Waiting for a processor counts above this share of a turn's wall time.
const WAITING: f64 = 0.05;

pub(super) fn is_timed(turn: &Turn) -> bool {
    matches!(turn.phase, Phase::Measured | Phase::Rejected | Phase::Window)
}

pub(super) fn rose(record: &VisitRecord, wanted: impl Fn(&str) -> bool) -> Vec<bool> {
    let metrics = record.visit.metrics.iter().enumerate();
    let places: Vec<usize> = metrics.filter(|(_, metric)| wanted(&metric.name)).map(|(at, _)| at).collect();
    let value = |turn: &Turn, at: usize| turn.counters.get(at).copied().flatten().unwrap_or(0.0);
    let hit = |turn: &Turn| places.iter().any(|at| value(turn, *at) > 0.0);
    record.turns.iter().map(hit).collect()
}

pub(super) fn preempted(record: &VisitRecord, _: &Case) -> Vec<bool> {
    let wait = record.visit.metrics.iter().position(|metric| metric.name == "wait");
    let waited = |turn: &Turn| {
        let wait = wait.and_then(|at| turn.counters.get(at).copied().flatten()).unwrap_or(0.0);
        wait > WAITING * turn.wall_ns as f64
    };
    let preempted = rose(record, |name| name == "preempted");
    record.turns.iter().zip(preempted).map(|(turn, hit)| hit || waited(turn)).collect()
}

pub(super) fn collected(record: &VisitRecord, _: &Case) -> Vec<bool> {
    rose(record, |name| name == "gc" || name.starts_with("gc_"))
}

pub(super) fn compiled(record: &VisitRecord, _: &Case) -> Vec<bool> {
    let hit = |turn: &Turn| reject::hit(&["compile", "classload"], &record.visit.metrics, &turn.counters);
    record.turns.iter().map(hit).collect()
}

pub(super) fn counted(record: &VisitRecord, case: &Case) -> Vec<bool> {
    let [a, b, c] = [collected, compiled, preempted].map(|of| of(record, case));
    (0..a.len()).map(|at| a[at] || b[at] || c[at]).collect()
}
