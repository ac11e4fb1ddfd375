//! Warns if untimed work dominates a case, such as a set-up before each call or a stopped timer.

use super::view::{CaseView, Detected};
use derny_model::{Phase, Timing, Turn};

/// Minimum median ratio of untimed to timed work. Below it, batches can still have their intended length.
const TIMES: f64 = 100.0;
/// Untimed work is harmless if a batch takes at least this long, in ns. The engine aims at 20 µs.
const LONG_NS: f64 = 15_000.0;

struct Share {
    times: f64,
    iterations: u64,
    batch_ns: f64,
}

fn share(turn: &Turn) -> Option<Share> {
    let timed_ns = turn.times_ns.iter().sum::<u64>() as f64;
    let times = (turn.wall_ns as f64 - timed_ns) / timed_ns.max(1.0);
    let batch_ns = timed_ns / turn.times_ns.len().max(1) as f64;
    (!turn.times_ns.is_empty()).then_some(Share { times, iterations: turn.iterations, batch_ns })
}

/// Warns if untimed work leaves time for only a few iterations. Uses the median turn, because waiting for a
/// processor may distort the ratio of a single turn in either direction.
pub(super) fn dominates(view: &CaseView) -> Option<Detected> {
    let case = &view.result.case;
    let turns = view.visits.iter().flat_map(|visit| &visit.turns);
    let mut shares: Vec<Share> =
        turns.filter(|turn| turn.phase == Phase::Measured).filter_map(share).collect();
    shares.sort_by(|a, b| a.times.total_cmp(&b.times));
    let median = shares.get(shares.len() / 2)?;
    let is_long = case.timing == Timing::Loop && median.batch_ns >= LONG_NS;
    if median.times < TIMES || is_long || case.fresh {
        return None;
    }
    Some(Detected {
        message: format!(
            "does untimed work that takes {} times as long as its timed work: its batches have {} and last {:.3} µs, so the true time may be lower",
            rounded(median.times),
            if median.iterations == 1 {
                "1 iteration".to_owned()
            } else {
                format!("{} iterations", median.iterations)
            },
            median.batch_ns / 1e3
        ),
        remedy: "make its set-up cheaper, share it among calls, or raise --budget".to_owned(),
        severity: median.times,
    })
}

fn rounded(times: f64) -> String {
    let unit = 10_f64.powi(libm::floor(libm::log10(times)) as i32 - 1);
    let digits = format!("{:.0}", libm::round(times / unit) * unit);
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
