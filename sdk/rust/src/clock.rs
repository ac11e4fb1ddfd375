//! The clock: `std::time::Instant`, the monotonic clock of the standard library. On Linux it is
//! `clock_gettime` with `CLOCK_MONOTONIC`, which needs no system call.

use std::time::Instant;

/// Name of the clock in the harness's first line.
pub const NAME: &str = "instant";

pub fn now() -> Instant {
    Instant::now()
}

/// Returns the nanoseconds from `start` to `stop`, or 0 if `stop` is earlier.
pub fn ns_between(start: Instant, stop: Instant) -> u64 {
    // The cast does not truncate, because 2^64 ns are 584 years.
    stop.saturating_duration_since(start).as_nanos() as u64
}

/// Returns the smallest difference other than zero between two readings, in ns.
pub fn step_ns() -> u64 {
    let step = || {
        let start = now();
        loop {
            let ns = ns_between(start, now());
            if ns > 0 {
                return ns;
            }
        }
    };
    (0..100).map(|_| step()).min().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_step_is_something_but_little() {
        let step = super::step_ns();
        assert!((1..10_000_000).contains(&step), "{step}");
    }
}
