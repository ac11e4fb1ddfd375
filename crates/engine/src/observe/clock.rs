//! The clock that the engine and, on most systems, the harnesses read.

use std::time::Instant;

/// What the clock can tell apart, and what a look at it costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Smallest difference between two readings that differ, in ns.
    pub step_ns: u64,
    /// Time of one reading in ns: the least of several long series.
    pub cost_ns: f64,
}

const SERIES: u32 = 20;
const READINGS: u32 = 5_000;

/// Reads the clock some 100,000 times: a few milliseconds.
pub fn clock() -> Clock {
    let (mut step_ns, mut cost_ns) = (u64::MAX, f64::MAX);
    for _ in 0..SERIES {
        let start = Instant::now();
        let mut last = start;
        for _ in 0..READINGS {
            let now = Instant::now();
            let difference = now.duration_since(last).as_nanos() as u64;
            if difference > 0 {
                step_ns = step_ns.min(difference);
            }
            last = now;
        }
        cost_ns = cost_ns.min(last.duration_since(start).as_nanos() as f64 / f64::from(READINGS));
    }
    // A reading that takes many steps hides them: the step is then what a reading takes, or less.
    Clock { step_ns, cost_ns }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_clock_has_a_step_and_a_cost() {
        let clock = super::clock();
        assert!((1..100_000_000).contains(&clock.step_ns), "{clock:?}");
        assert!(clock.cost_ns > 0.5 && clock.cost_ns < 1e6, "{clock:?}");
    }
}
