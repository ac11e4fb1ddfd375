//! Turns as a page holds them: few digits, and not more of them than a browser draws with ease.

use super::parts::digits;
use derny_model::Phase;
use derny_model::picture::{ProcessTrace, TurnPoint};
use serde::Serialize;

/// Turns that a page holds at most; beyond, warm-up is left out, then every other turn, and so on.
const TURNS: usize = 150_000;

/// Which turns are kept: all, or every so manieth that is no warm-up.
pub(super) struct Thinning(Option<usize>);

/// A process: its number, block and variant, and its turns as start in ms, value and slowest batch in ns, phase (0 warm-up, 1 measured,
/// 2 rejected) with causes in the bits above.
#[derive(Serialize)]
pub(super) struct Trace(u32, u32, u32, Vec<(f64, f64, f64, u8)>);

impl Thinning {
    /// For so many turns, of which so many are no warm-up.
    pub(super) fn of((all, without): (usize, usize)) -> Self {
        Thinning((all > TURNS).then(|| without.div_ceil(TURNS).max(1)))
    }

    /// Of so many turns one is there; 0 where warm-up was left out only.
    pub(super) fn told(&self) -> Option<usize> {
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
