//! The speed of each processor by the integer kernel, whose time moves only with that speed. Run once per wave on every
//! allowed processor, it shows processors of unequal speed and throttling.

use super::kernels;
use crate::os;
use std::time::Instant;

const REPEATS: u32 = 9;

/// Time per step in ns, six operations: the fastest of nine bursts of some 20 µs, so that preemption does not show.
pub fn step_ns() -> f64 {
    let burst = || {
        let start = Instant::now();
        kernels::integer();
        start.elapsed().as_nanos() as f64
    };
    (0..REPEATS).map(|_| burst()).fold(f64::INFINITY, f64::min) / f64::from(kernels::INTEGER_STEPS)
}

/// [`step_ns`] on each of `processors`, by moving the calling thread; it is put back afterwards. Empty where threads
/// cannot be moved.
pub fn by_processor(processors: &[u32]) -> Vec<(u32, f64)> {
    let home = os::affinity(0);
    let speeds = processors.iter().filter(|&&p| os::set_affinity(0, &[p])).map(|&p| (p, step_ns())).collect();
    os::set_affinity(0, &home);
    speeds
}
