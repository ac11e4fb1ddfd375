//! The clock that the engine and, on most systems, the harnesses read.

use std::time::Instant;

/// Resolution of the clock, and the cost of reading it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Smallest nonzero difference between two readings, in ns.
    pub step_ns: u64,
    /// Time of one reading in ns, from the fastest of several long series.
    pub cost_ns: f64,
}

/// Returns the smallest nonzero difference between two readings in ns, over a hundred trials. Harnesses
/// determine the step of their clocks in the same way.
pub fn step_ns() -> u64 {
    let step = || {
        let start = Instant::now();
        std::iter::repeat_with(|| start.elapsed().as_nanos() as u64).find(|ns| *ns > 0).unwrap_or(1)
    };
    (0..100).map(|_| step()).min().unwrap_or(1)
}

/// Returns the time of one reading in ns, from five short series. Takes less than a millisecond on most
/// machines.
pub fn cost_ns() -> f64 {
    const SHORT: u32 = 1_000;
    let series = || {
        let start = Instant::now();
        for _ in 1..SHORT {
            std::hint::black_box(Instant::now());
        }
        start.elapsed().as_nanos() as f64 / f64::from(SHORT)
    };
    (0..5).map(|_| series()).fold(f64::MAX, f64::min)
}

const SERIES: u32 = 20;
const READINGS: u32 = 5_000;

/// Measures the clock by reading it about 100,000 times, which takes a few milliseconds.
///
/// If consecutive readings are sometimes equal, the step is the smallest nonzero difference. If they
/// never are, a reading takes longer than a step. The step is then the smallest gap between two of
/// these differences.
pub fn clock() -> Clock {
    let mut cost_ns = f64::MAX;
    let mut differences = Vec::with_capacity((SERIES * READINGS) as usize);
    for _ in 0..SERIES {
        let start = Instant::now();
        let mut last = start;
        for _ in 0..READINGS {
            let now = Instant::now();
            differences.push(now.duration_since(last).as_nanos() as u64);
            last = now;
        }
        cost_ns = cost_ns.min(last.duration_since(start).as_nanos() as f64 / f64::from(READINGS));
    }
    differences.sort_unstable();
    differences.dedup();
    let steps = match differences.first() {
        Some(0) => differences.get(1).copied(),
        _ => differences.windows(2).map(|pair| pair[1] - pair[0]).min(),
    };
    Clock { step_ns: steps.or(differences.first().copied()).unwrap_or(1), cost_ns }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_clock_has_a_step_and_a_cost() {
        let clock = super::clock();
        assert!((1..100_000_000).contains(&clock.step_ns), "{clock:?}");
        assert!((0.5..1e6).contains(&super::cost_ns()));
        assert!(clock.cost_ns > 0.5 && clock.cost_ns < 1e6, "{clock:?}");
    }
}
