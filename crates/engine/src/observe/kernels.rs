//! The kernels that yardsticks are made of. Each works on one part of the machine and does the same number of steps whenever
//! it is called.

use crate::os;
use std::hint::black_box;

/// Steps of a call of [`Kernels::integer`].
pub const INTEGER_STEPS: u32 = 20_000;
const BRANCHES: u32 = 4_000;
const LOADS_OF_CACHE: u32 = 5_000;
const LOADS_OF_MEMORY: u32 = 500;
const SYSTEM_CALLS: u32 = 100;

/// More than the first level of cache holds, and less than the second.
const CACHE_WORDS: usize = (256 << 10) / 8;
/// More than the second level of cache holds.
const MEMORY_WORDS: usize = (32 << 20) / 8;
const WORDS_OF_A_PAGE: usize = 4096 / 8;

/// A kernel: its name, what it does, and how many steps that is.
type Kernel = (&'static str, fn(&Kernels), f64);

/// All kernels, by the names that are recorded. A step of `integer` is one addition that waits for the one before it.
pub const ALL: [Kernel; 5] = [
    ("integer", |_| integer(), 6.0 * INTEGER_STEPS as f64),
    ("branches", |_| branches(), BRANCHES as f64),
    ("cache", |own| chase(&own.cache, LOADS_OF_CACHE), LOADS_OF_CACHE as f64),
    ("memory", |own| chase(&own.memory, LOADS_OF_MEMORY), LOADS_OF_MEMORY as f64),
    ("system-call", |_| (0..SYSTEM_CALLS).for_each(|_| os::system_call()), SYSTEM_CALLS as f64),
];

/// The memory that kernels work on.
pub struct Kernels {
    cache: Vec<u64>,
    memory: Vec<u64>,
}

impl Kernels {
    /// Takes the memory, and writes to each of its pages: a page that was never written to may be the same as any other.
    pub fn new() -> Kernels {
        let touched = |words: usize| {
            let mut all = vec![0; words];
            all.iter_mut().step_by(WORDS_OF_A_PAGE).for_each(|word| *black_box(word) = 0);
            all
        };
        Kernels { cache: touched(CACHE_WORDS), memory: touched(MEMORY_WORDS) }
    }
}

/// A chain of integer operations, six a step, each of which waits for the one before it and takes as long as an addition.
pub fn integer() {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..INTEGER_STEPS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    black_box(x);
}

/// Branches that no predictor can know: each hangs on a random bit, and half of them are taken.
fn branches() {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
    let mut sum = 0_u64;
    for _ in 0..BRANCHES {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        // What the compiler cannot see through stays a branch.
        if x & 0x0010_0000 == 0 { sum = black_box(sum + 1) } else { sum = black_box(sum ^ x) }
    }
    black_box(sum);
}

/// Loads from random places, each of which waits for the one before it. All words are 0, which the compiler does not know.
/// The constants are Knuth's (MMIX).
fn chase(words: &[u64], loads: u32) {
    let words = black_box(words);
    let mut x = 1_u64;
    for _ in 0..loads {
        let at = (x >> 33) as usize & (words.len() - 1);
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) + words[at];
    }
    black_box(x);
}
