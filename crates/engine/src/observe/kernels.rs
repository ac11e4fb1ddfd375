//! The kernels of the yardsticks. Each uses one part of the machine, with a fixed number of steps per call.

use crate::os;
use std::cell::Cell;
use std::hint::black_box;

/// Number of steps in a call of [`integer`].
pub const INTEGER_STEPS: u32 = 20_000;
const BRANCHES: u32 = 4_000;
const LOADS_OF_CACHE: u32 = 5_000;
const LOADS_OF_MEMORY: u32 = 2_000;
/// Number of loads from a page before the loads move to another page. With 16 loads, address translation
/// takes only a small part of the time.
const LOADS_OF_A_PAGE: u32 = 16;
const SYSTEM_CALLS: u32 = 100;

/// Number of words that fit into the second-level cache but not into the first-level cache.
const CACHE_WORDS: usize = (256 << 10) / 8;
/// Number of words that do not fit into the second-level cache.
const MEMORY_WORDS: usize = (32 << 20) / 8;
const WORDS_OF_A_PAGE: usize = 4096 / 8;

/// A kernel: its name, its function, and its number of steps per call.
type Kernel = (&'static str, fn(&Kernels), f64);

/// All kernels with their names in recorded readings. For `integer`, each of the six operations of a step
/// of [`integer`] counts as a step.
pub const ALL: [Kernel; 5] = [
    ("integer", |_| integer(), 6.0 * INTEGER_STEPS as f64),
    ("branches", |own| branches(&own.bits), BRANCHES as f64),
    ("cache", |own| chase(&own.cache, &own.place, LOADS_OF_CACHE, 1), LOADS_OF_CACHE as f64),
    (
        "memory",
        |own| chase(&own.memory, &own.place, LOADS_OF_MEMORY, LOADS_OF_A_PAGE),
        LOADS_OF_MEMORY as f64,
    ),
    ("system-call", |_| (0..SYSTEM_CALLS).for_each(|_| os::system_call()), SYSTEM_CALLS as f64),
];

/// The memory of the kernels, and the state of their random numbers. A call continues where the last
/// one ended. Otherwise, the branch predictor would learn the branches, and the cache would contain the
/// data.
pub struct Kernels {
    cache: Vec<u64>,
    memory: Vec<u64>,
    bits: Cell<u64>,
    place: Cell<u64>,
}

impl Kernels {
    /// Allocates the memory and writes to every page. Pages without a write may all map to the same physical
    /// page.
    pub fn new() -> Kernels {
        let touched = |words: usize| {
            let mut all = vec![0; words];
            all.iter_mut().step_by(WORDS_OF_A_PAGE).for_each(|word| *black_box(word) = 0);
            all
        };
        let (cache, memory) = (touched(CACHE_WORDS), touched(MEMORY_WORDS));
        Kernels { cache, memory, bits: Cell::new(0x9e37_79b9_7f4a_7c15), place: Cell::new(1) }
    }
}

/// Runs a chain of dependent integer operations. A step has six operations, each as fast as an
/// addition.
pub fn integer() {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..INTEGER_STEPS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    black_box(x);
}

/// Runs unpredictable branches: each depends on a random bit, so half of them are taken.
fn branches(bits: &Cell<u64>) {
    let mut x = bits.get();
    let mut sum = 0_u64;
    for _ in 0..BRANCHES {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        // Hide the values from the compiler, so that it keeps the branch.
        if x & 0x0010_0000 == 0 { sum = black_box(sum + 1) } else { sum = black_box(sum ^ x) }
    }
    black_box(sum);
    bits.set(x);
}

/// Runs dependent loads from random addresses: `of_page` loads from one page, then as many from
/// another. All words are 0, but the compiler cannot see that. The constants are Knuth's (MMIX).
fn chase(words: &[u64], place: &Cell<u64>, loads: u32, of_page: u32) {
    let words = black_box(words);
    let mut x = place.get();
    for _ in 0..loads / of_page {
        let page = (x >> 33) as usize & (words.len() - WORDS_OF_A_PAGE);
        for _ in 0..of_page {
            let at = page + ((x >> 45) as usize & (WORDS_OF_A_PAGE - 1));
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) + words[at];
        }
    }
    place.set(x);
}
