//! Kernels whose work per iteration is read at run time. Two variants are the same binary, byte for byte, and
//! their true difference is known.
//!
//! [`STEPS`] and every extra of the trials are multiples of 16. However the loop is unrolled, neither variant has a
//! remainder that the other has not.

#![forbid(unsafe_code)]

pub mod eight;

/// Number of dependent steps of an iteration, without the extra.
pub const STEPS: u64 = 3_200;

/// Start value of [`mix`], any number except 0.
pub const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Number of cache lines of the chase, which take 256 KiB.
const LINES: usize = 4_096;

/// Returns [`STEPS`] plus the number that the environment variable `KERNEL_EXTRA` adds.
///
/// # Panics
/// Panics if the variable is not an integer.
pub fn steps() -> u64 {
    let extra = std::env::var("KERNEL_EXTRA").unwrap_or_else(|_| "0".to_owned());
    STEPS + extra.parse::<u64>().expect("KERNEL_EXTRA is a whole number")
}

/// CPU-bound: `steps` xorshift steps, each of which depends on the previous one.
#[inline(never)]
pub fn mix(steps: u64, mut x: u64) -> u64 {
    for _ in 0..steps {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}

/// Bound by the second-level cache: follows one random cycle through all lines of 256 KiB.
pub struct Chase {
    /// The first word of each line is the index of the next line.
    lines: Box<[[u32; 16]; LINES]>,
    at: u32,
}

impl Chase {
    /// Creates one random cycle from `seed` (not 0) with Sattolo's method.
    pub fn new(mut seed: u64) -> Chase {
        let mut order: Vec<u32> = (0..LINES as u32).collect();
        for i in (1..LINES).rev() {
            seed = mix(1, seed);
            order.swap(i, (seed % i as u64) as usize);
        }
        let mut lines = Box::new([[0; 16]; LINES]);
        for (line, next) in lines.iter_mut().zip(order) {
            line[0] = next;
        }
        Chase { lines, at: 0 }
    }

    /// Loads `steps` lines, each of which contains the index of the next. Continues where the last call
    /// ended, so that all lines are visited.
    #[inline(never)]
    pub fn walk(&mut self, steps: u64) -> u32 {
        for _ in 0..steps {
            self.at = self.lines[self.at as usize % LINES][0];
        }
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chase_visits_every_line_once() {
        let mut chase = Chase::new(SEED);
        let mut seen = vec![false; LINES];
        for _ in 0..LINES {
            let line = chase.walk(1) as usize;
            assert!(!seen[line]);
            seen[line] = true;
        }
        assert_eq!(chase.walk(0), 0);
    }

    #[test]
    fn steps_add_up() {
        assert_eq!(mix(5, mix(7, SEED)), mix(12, SEED));
    }
}
