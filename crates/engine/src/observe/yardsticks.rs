//! Yardsticks: built-in kernels that are timed with every run. If two runs differ, the yardsticks show
//! whether the machine or the program changed.

use super::kernels::{ALL, Kernels};
use super::script;
use crate::os;
use derny_estimate::machine;
use derny_model::Yardstick;
use std::time::{Duration, Instant};

/// Duration of each reading in a run that is shorter than [`LONG`], and of the readings between the
/// waves of a longer run.
pub const SHORT_READING: Duration = Duration::from_millis(20);
/// Duration of the first and of the last reading of a longer run.
pub const LONG_READING: Duration = Duration::from_millis(50);
/// Duration from which a run counts as long.
pub const LONG: Duration = Duration::from_secs(5);
/// Time since the last reading after which the yardsticks are read again, once the current wave has
/// ended.
pub const BETWEEN: Duration = Duration::from_secs(30);

/// Duration of each kernel in a pass over all kernels.
const PASS: Duration = Duration::from_micros(500);
/// Minimum number of calls of a kernel in a pass.
const CALLS: usize = 3;
/// Minimum number of passes in a reading.
const PASSES: u128 = 4;

/// The yardsticks of a run.
pub struct Yardsticks {
    source: ReadingSource,
    processors: Vec<u32>,
}

enum ReadingSource {
    Kernels(Kernels),
    /// Readings that a test has set.
    Script,
}

impl Yardsticks {
    /// Returns the yardsticks for a run that measures on these processors. If `processors` is empty,
    /// the system chooses.
    pub fn new(processors: &[u32]) -> Yardsticks {
        let source = match script::file() {
            Some(_) => ReadingSource::Script,
            None => ReadingSource::Kernels(Kernels::new()),
        };
        Yardsticks { source, processors: processors.to_vec() }
    }

    /// Times all kernels in about `total`. The kernels take turns, and the passes rotate through the
    /// processors. Moves the calling thread back afterwards.
    pub fn read(&self, total: Duration) -> Vec<Yardstick> {
        let kernels = match &self.source {
            ReadingSource::Kernels(kernels) => kernels,
            ReadingSource::Script => return script::read().unwrap_or_default().yardsticks,
        };
        let passes = (total.as_nanos() / (PASS.as_nanos() * ALL.len() as u128)).max(PASSES) as usize;
        let home = os::affinity(0);
        let mut times = vec![Vec::with_capacity(passes); ALL.len()];
        for pass in 0..passes {
            if !self.processors.is_empty() {
                os::set_affinity(0, &[self.processors[pass % self.processors.len()]]);
            }
            for (own, (_, kernel, steps)) in times.iter_mut().zip(ALL) {
                own.push(one_pass(kernel, kernels) / steps);
            }
        }
        if !self.processors.is_empty() {
            os::set_affinity(0, &home);
        }
        ALL.iter().zip(times).map(|((name, ..), times)| machine::reading(name, &times)).collect()
    }
}

/// Returns the lower quartile of the times of a pass's calls, in ns. It is nearly unaffected by
/// interruptions, because these only lengthen a call.
fn one_pass(kernel: fn(&Kernels), kernels: &Kernels) -> f64 {
    let mut calls = Vec::with_capacity(64);
    let start = Instant::now();
    while calls.len() < CALLS || start.elapsed() < PASS {
        let from = Instant::now();
        kernel(kernels);
        calls.push(from.elapsed().as_nanos() as f64);
    }
    calls.sort_unstable_by(f64::total_cmp);
    calls[calls.len() / 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_takes_time_and_a_reading_ends() {
        let yardsticks = Yardsticks::new(&[]);
        for _ in 0..3 {
            let read = yardsticks.read(Duration::from_millis(10));
            let names: Vec<&str> = read.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names, ["integer", "branches", "cache", "memory", "system-call"]);
            for one in &read {
                assert!(one.time_ns > 0.01 && one.time_ns < 1e6 && one.error_ns >= 0.0, "{one:?}");
            }
        }
    }

    #[test]
    fn each_kernel_works_on_its_own_part_of_the_machine() {
        let yardsticks = Yardsticks::new(&[]);
        let told = |read: &[Yardstick]| {
            let [integer, branches, cache, memory, call] = [0, 1, 2, 3, 4].map(|at| read[at].time_ns);
            // An addition takes less time than a load or a system call.
            integer < cache.min(call)
                // A random bit takes six additions, and its branch is unpredictable.
                && branches > 6.0 * integer
                // Uncached loads take longer than cached ones.
                && memory > 1.2 * cache
        };
        // A busy machine can lengthen any reading, so retry. A kernel without its data would fail every
        // time.
        let read = || yardsticks.read(Duration::from_millis(10));
        assert!((0..100).any(|_| told(&read())), "{:?}", read());
    }
}
