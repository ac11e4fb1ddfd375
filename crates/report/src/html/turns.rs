//! The turns in a page: rounded, and only as many as a browser can draw easily.

use crate::deflated::digits;
use derny_model::Phase;
use derny_model::picture::{ProcessTrace, TurnPoint};
use serde::Serialize;

/// Maximum number of turns in a page. If there are more, warm-up turns are omitted first, then every other
/// turn, and so on.
const TURNS: usize = 150_000;

/// The selection of turns in a page: all, or every n-th without warm-up.
pub(super) struct Thinning(Option<usize>);

/// A process: number, block, variant and turns. A turn has its start in ms, its value and slowest batch in
/// ns, and its phase. The phase is 0 for warm-up, 1 for measured and 2 for rejected. Higher bits are causes.
#[derive(Serialize)]
pub(super) struct Trace(u32, u32, u32, Vec<(f64, f64, f64, u8)>);

impl Thinning {
    /// Selects the turns of a page. `all` and `without` are the numbers of turns with and without warm-up.
    pub(super) fn of((all, without): (usize, usize)) -> Self {
        Thinning((all > TURNS).then(|| without.div_ceil(TURNS).max(1)))
    }

    /// Returns n if every n-th turn is included, or 0 if only warm-up is omitted.
    pub(super) fn step(&self) -> Option<usize> {
        self.0.map(|stride| if stride > 1 { stride } else { 0 })
    }

    pub(super) fn trace(&self, process: &ProcessTrace) -> Trace {
        let kept = process.turns.iter().filter(|turn| self.0.is_none() || turn.phase != Phase::WarmUp);
        Trace(
            process.process,
            process.block,
            process.variant,
            kept.step_by(self.0.unwrap_or(1)).map(turn).collect(),
        )
    }
}

fn turn(turn: &TurnPoint) -> (f64, f64, f64, u8) {
    let phase = match turn.phase {
        Phase::WarmUp => 0,
        Phase::Rejected => 2,
        _ => 1,
    };
    let at_ms = (turn.at_ns as f64 / 1e5).round() / 10.0;
    (at_ms, digits(turn.value, 5), digits(turn.range.1, 5), phase | turn.causes << 2)
}
