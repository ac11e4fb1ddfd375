//! A reference kernel: a dependent chain of integer operations whose time moves only with the processor's speed. Run
//! once per wave on every allowed processor, it shows processors of unequal speed and throttling.

use crate::os;
use std::hint::black_box;
use std::time::Instant;

const STEPS: u32 = 20_000;
const REPEATS: u32 = 9;

/// Time per step in ns: the fastest of nine bursts of some 20 µs, so that preemption does not show.
pub fn step_ns() -> f64 {
    let mut best = u64::MAX;
    for _ in 0..REPEATS {
        let start = Instant::now();
        let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
        for _ in 0..STEPS {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
        black_box(x);
        best = best.min(start.elapsed().as_nanos() as u64);
    }
    best as f64 / f64::from(STEPS)
}

/// [`step_ns`] on each of `processors`, by moving the calling thread; it is put back afterwards. Empty where threads
/// cannot be moved.
pub fn by_processor(processors: &[u32]) -> Vec<(u32, f64)> {
    let home = os::affinity(0);
    let speeds = processors.iter().filter(|&&p| os::set_affinity(0, &[p])).map(|&p| (p, step_ns())).collect();
    os::set_affinity(0, &home);
    speeds
}
