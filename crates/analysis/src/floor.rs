//! The floor: what an empty body costs in the same loop.

use crate::process::Process;
use derny_model::Floor;
use derny_stats::{location::median, scale};

/// A body that adds less than this to the empty loop, in ns, cannot be told from it: it is about one cycle.
const CYCLE_NS: f64 = 0.5;

/// The floor, and whether a case of `time_ns` per iteration stands out from it. The floor is never subtracted:
/// the loop's cost overlaps with the body's, so a difference would be wrong and may be negative.
pub(crate) fn floor(processes: &[Process], time_ns: f64) -> Option<Floor> {
    let turns: Vec<f64> = processes.iter().flat_map(|process| &process.floor).copied().collect();
    if turns.is_empty() {
        return None;
    }
    let floor = median(&turns);
    let spread = 2.0 * scale::MAD_TO_SIGMA * scale::mad(&turns);
    let above = time_ns - floor;
    Some(Floor { time_ns: floor, indistinguishable: above < CYCLE_NS || above <= spread })
}
