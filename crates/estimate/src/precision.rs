//! How precise the processes or pairs so far are: what a run stops by that asks for a precision.

use crate::level::{Levels, robust};
use crate::pair::Pair;
use derny_model::Interval;
use derny_stats::location::by_group;

/// The interval of logarithms of processes' times, at the level of this look; none under three.
pub fn of_processes(logs: &[f64], levels: &Levels) -> Option<Interval> {
    levels.robust(logs).interval
}

/// The interval of the logarithms of pairs' ratios, at the level of this look; none under three pairs, or builds where there are
/// several.
pub fn of_pairs(pairs: &[Pair], levels: &Levels) -> Option<Interval> {
    let (logs, builds): (Vec<f64>, Vec<(u32, u32)>) =
        pairs.iter().map(|pair| (pair.log, pair.builds)).unzip();
    robust(&by_group(&logs, &builds), levels.alpha(pairs.len())).interval
}
