//! Warns if the time of an operation depends on the number of operations in a call.
//!
//! Before measuring, the engine alternates calls with the framework's number of iterations and calls with
//! its own (`engine/measure/count`). If the run then uses the framework's number, these turns show the
//! difference.

use super::view::{CaseView, Detected};
use derny_model::{Case, Phase, Turn, VisitRecord};
use derny_stats::location::median;

const CALLS: usize = 3;

/// Both numbers of iterations, compared in one visit.
struct Tried {
    full: u64,
    few: u64,
    /// Time per operation with the larger number, divided by that with the smaller one.
    ratio: f64,
}

fn tried(visit: &VisitRecord, case: &Case) -> Option<Tried> {
    let measured = visit.turns.iter().find(|turn| turn.phase == Phase::Measured)?.iterations;
    let of = |turn: &Turn| turn.times_ns.iter().sum::<u64>() as f64 / turn.all_operations(case.ops);
    let turns: Vec<&Turn> = visit
        .turns
        .iter()
        .filter(|turn| turn.phase == Phase::Calibration && !turn.times_ns.is_empty())
        .collect();
    // Measured turns vary slightly in their iterations.
    let range = measured / 2..=measured.saturating_mul(2);
    let is_full = |turn: &Turn| turn.times_ns.len() == 1 && range.contains(&turn.iterations);
    let is_pair = |pair: &&[&Turn]| is_full(pair[0]) && pair[1].iterations <= pair[0].iterations / 2;
    let pairs: Vec<&[&Turn]> = turns.windows(2).filter(is_pair).collect();
    let ratios: Vec<f64> =
        pairs.iter().map(|pair| of(pair[0]) / of(pair[1])).filter(|r| r.is_finite()).collect();
    (ratios.len() >= CALLS).then(|| Tried {
        full: pairs[0][0].iterations,
        few: pairs[0][1].iterations,
        ratio: median(&ratios),
    })
}

pub(super) fn matters(view: &CaseView) -> Option<Detected> {
    let case = &view.result.case;
    case.count_ns?;
    let differs = |tried: &Tried| libm::log(tried.ratio.max(1e-9)).abs();
    let tried = view.visits.iter().filter_map(|visit| tried(visit, case));
    let worst = tried.max_by(|a, b| differs(a).total_cmp(&differs(b)))?;
    Some(Detected {
        message: format!(
            "takes {:.2} times as long per operation with {full} iterations per call as with {}; measured \
                with {full}, as its framework does",
            worst.ratio,
            worst.few,
            full = worst.full
        ),
        remedy: "make the work per operation independent of the number of iterations, or compare only results with the same number"
            .to_owned(),
        severity: differs(&worst),
    })
}
