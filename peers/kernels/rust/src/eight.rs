//! Eight different kernels. The work is a number of equal steps that is read at run time: 16,000, and
//! additional ones in per mille. Every difference of the trials is a whole number of steps for all kernels.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Names of the kernels.
pub const NAMES: [&str; 8] =
    ["arithmetic", "branches", "atomics", "allocation", "system-call", "sleep", "chase", "sub-nanosecond"];

/// Number of steps of a call, without those that the environment adds.
pub const STEPS: u64 = 16_000;

/// Number of cache lines of the chase, which take 8 MiB.
const LINES: usize = 131_072;
/// Number of random values that determine the branches.
const DRAWN: usize = 65_536;
/// Number of sums that are computed at once.
const LANES: usize = 16;

/// Returns [`STEPS`] plus the number that the environment variable `KERNEL_PER_MILLE` adds.
///
/// # Panics
/// Panics if the variable is not an integer.
pub fn steps() -> u64 {
    let more = std::env::var("KERNEL_PER_MILLE").unwrap_or_else(|_| "0".to_owned());
    more_steps(more.parse().expect("KERNEL_PER_MILLE is a whole number"))
}

/// Returns [`STEPS`] changed by `per_mille`.
pub fn more_steps(per_mille: i64) -> u64 {
    STEPS.wrapping_add_signed(per_mille * STEPS as i64 / 1000)
}

/// One of the eight kernels, ready to be called.
pub struct Kernel {
    body: Box<dyn FnMut(u64)>,
}

impl Kernel {
    /// Creates the kernel with this name.
    ///
    /// # Panics
    /// Panics if there is no such kernel.
    pub fn new(name: &str) -> Kernel {
        let body: Box<dyn FnMut(u64)> = match name {
            "arithmetic" => Box::new(|steps| {
                black_box(crate::mix(steps, black_box(crate::SEED)));
            }),
            "branches" => branches(),
            "atomics" => Box::new(|steps| {
                static COUNT: AtomicU64 = AtomicU64::new(0);
                for _ in 0..steps {
                    COUNT.fetch_add(1, Ordering::SeqCst);
                }
            }),
            "allocation" => Box::new(|steps| {
                for _ in 0..steps / 8 {
                    black_box(Vec::<u8>::with_capacity(black_box(200)));
                }
            }),
            "system-call" => Box::new(|steps| {
                for _ in 0..steps / 8 {
                    black_box(std::os::unix::process::parent_id());
                }
            }),
            "sleep" => Box::new(|steps| std::thread::sleep(Duration::from_nanos(steps * 1_000_000 / STEPS))),
            "chase" => chase(),
            "sub-nanosecond" => sub_nanosecond(),
            _ => panic!("there is no kernel {name}"),
        };
        Kernel { body }
    }

    /// Calls the kernel for `steps` steps.
    pub fn call(&mut self, steps: u64) {
        (self.body)(black_box(steps));
    }
}

/// Branches on a random value in each step, so that half of the branches are mispredicted.
fn branches() -> Box<dyn FnMut(u64)> {
    let mut x = crate::SEED;
    let drawn: Vec<bool> = std::iter::repeat_with(|| {
        x = crate::mix(1, x);
        x >> 40 & 1 == 0
    })
    .take(DRAWN)
    .collect();
    let mut at = 0;
    Box::new(move |steps| {
        let (mut odd, mut even) = (0_u64, 0_u64);
        for _ in 0..steps {
            if drawn[at] {
                odd = black_box(odd + 1)
            } else {
                even = black_box(even + 1)
            }
            at = (at + 1) % DRAWN;
        }
        black_box((odd, even));
    })
}

/// Follows pointers along one random cycle through 8 MiB.
fn chase() -> Box<dyn FnMut(u64)> {
    let mut order: Vec<u32> = (0..LINES as u32).collect();
    let mut seed = crate::SEED;
    for i in (1..LINES).rev() {
        seed = crate::mix(1, seed);
        order.swap(i, (seed % i as u64) as usize);
    }
    let mut lines = vec![[0_u32; 16]; LINES];
    for (line, next) in lines.iter_mut().zip(order) {
        line[0] = next;
    }
    let mut at = 0;
    Box::new(move |steps| {
        for _ in 0..steps {
            at = lines[at as usize % LINES][0];
        }
        black_box(at);
    })
}

/// Adds several numbers at once, so that an addition takes less than a nanosecond.
fn sub_nanosecond() -> Box<dyn FnMut(u64)> {
    let mut sums = [1_u32; LANES];
    Box::new(move |steps| {
        for step in 0..steps / LANES as u64 {
            for (lane, sum) in (0..).zip(&mut sums) {
                *sum = sum.rotate_left(7).wrapping_add(lane ^ step as u32);
            }
        }
        black_box(&sums);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_of_the_trials_is_whole() {
        for per_mille in [0, 7, -7, 15, -25, 40] {
            let steps = more_steps(per_mille);
            assert_eq!(steps as i64 * 1000, STEPS as i64 * (1000 + per_mille));
            assert_eq!((steps % 8, steps % LANES as u64), (0, 0));
        }
    }

    #[test]
    fn all_of_them_can_be_called() {
        for name in NAMES {
            Kernel::new(name).call(STEPS);
        }
    }
}
