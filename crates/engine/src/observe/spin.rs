//! The speed of each processor, measured with the integer kernel, whose time depends only on that speed.
//! All allowed processors are measured once per wave, which shows unequal processors and throttling.

use super::kernels;
use crate::os;
use std::time::Instant;

const REPEATS: u32 = 9;

/// Returns the time in ns per step of six operations, from the fastest of nine bursts of about 20 µs.
/// The fastest burst was not preempted.
pub fn step_ns() -> f64 {
    let burst = || {
        let start = Instant::now();
        kernels::integer();
        start.elapsed().as_nanos() as f64
    };
    (0..REPEATS).map(|_| burst()).fold(f64::INFINITY, f64::min) / f64::from(kernels::INTEGER_STEPS)
}

/// Returns [`step_ns`] on each of `processors`. Moves the calling thread to each of them, and back
/// afterwards. Returns an empty list if threads cannot be moved.
pub fn by_processor(processors: &[u32]) -> Vec<(u32, f64)> {
    let home = os::affinity(0);
    let speeds = processors.iter().filter(|&&p| os::set_affinity(0, &[p])).map(|&p| (p, step_ns())).collect();
    os::set_affinity(0, &home);
    speeds
}
