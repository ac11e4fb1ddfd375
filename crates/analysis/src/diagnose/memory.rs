//! Warns about first touches of memory, which take time within turns.

use super::view::{CaseView, Detected, percent};
use derny_estimate::turn;
use derny_model::{Phase, VisitRecord};

const TIME: f64 = 0.02;

#[derive(Default)]
struct Sums {
    touched: f64,
    operations: f64,
    timed_ns: f64,
}

pub(super) fn first_touch(view: &CaseView) -> Option<Detected> {
    let (worst, share) = worst(view)?;
    (share > TIME).then(|| Detected {
        message: format!(
            "touches {} of new memory per operation, which takes {} of the time",
            pages(worst.touched / worst.operations),
            percent(share)
        ),
        remedy: "use a longer warm-up, such as --set warmup=10s: a long-running program pays this cost only \
            once"
            .to_owned(),
        severity: share,
    })
}

pub(super) fn share(view: &CaseView) -> Option<f64> {
    worst(view).map(|(_, share)| share)
}

fn worst(view: &CaseView) -> Option<(Sums, f64)> {
    let cost_ns = view.machine().first_touch_ns()?;
    let ops = view.result.case.ops;
    let variants = (0..view.records.header.variants.len()).map(|variant| sums(view, variant as u32, ops));
    let share = |sums: Sums| {
        let share = (sums.touched * cost_ns / sums.timed_ns).min(1.0);
        (sums, share)
    };
    variants.filter(|sums| sums.timed_ns > 0.0).map(share).max_by(|a, b| a.1.total_cmp(&b.1))
}

fn sums(view: &CaseView, variant: u32, ops: f64) -> Sums {
    let of = |record: &&&VisitRecord| {
        record.visit.mode.is_none()
            && view.processes.get(&record.visit.process).is_some_and(|process| process.variant == variant)
    };
    let mut sums = Sums::default();
    for record in view.visits.iter().filter(of) {
        let Some(at) = record.visit.metrics.iter().position(|metric| metric.name == "touched") else {
            continue;
        };
        for turn in record.turns.iter().filter(|turn| turn.phase == Phase::Measured) {
            let Some(touched) = turn.counters.get(at).copied().flatten() else { continue };
            sums.touched += touched;
            let (timed_ns, operations) = turn::totals(turn, ops);
            sums.operations += operations;
            sums.timed_ns += timed_ns;
        }
    }
    sums
}

fn pages(count: f64) -> String {
    let decimals = match count {
        0.95.. => 1,
        0.0095.. => 2,
        _ => 4,
    };
    format!("{count:.decimals$} pages")
}
