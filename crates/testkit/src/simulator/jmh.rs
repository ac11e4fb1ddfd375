//! Published measurements of 586 JMH benchmarks, with ten forks of 3,000 iterations each. The source is
//! Traini, Cortellessa, Di Pompeo and Tucci ("Towards effective assessment of steady state performance
//! in Java software: Are we there yet?", Empirical Software Engineering 28, 2023). Their repository on
//! GitHub is SEALABQualityGroup/steady-state. The series are in `data/timeseries/all`.
//!
//! They are resampled into pairs. Each process is a random fork, and a random sequence of consecutive
//! iterations among its last 500, so the two sides do not differ. Multiplication simulates a change.

use super::process::{Process, Shown};
use derny_model::{Collector, Phase};
use derny_stats::Rng;
use std::path::Path;

/// Number of iterations to use from the end of a fork.
const STEADY: usize = 500;
/// Length of an iteration, in ns.
const ITERATION_NS: f64 = 1e8;

/// One benchmark.
pub struct Benchmark {
    /// Name of its file.
    pub name: String,
    /// Seconds per operation of the last iterations of each fork.
    forks: Vec<Vec<f64>>,
}

impl Benchmark {
    /// Reads all benchmarks of a folder, in the order of their names.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read.
    pub fn read_all(folder: &Path) -> Result<Vec<Self>, String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
        let entries = std::fs::read_dir(folder).map_err(wrong)?;
        let mut paths =
            entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Result<Self, String> {
        let wrong = |what: &str| format!("{}: {what}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
        let forks: Vec<Vec<f64>> = text
            .split(']')
            .filter_map(|part| {
                let numbers = part.trim_start_matches([',', '[', ' ', '\n']);
                (!numbers.is_empty()).then(|| steady(numbers))
            })
            .collect::<Option<_>>()
            .ok_or_else(|| wrong("it is not a list of lists of numbers"))?;
        if forks.len() < 2 || forks.iter().any(Vec::is_empty) {
            return Err(wrong("it has fewer than two forks"));
        }
        Ok(Self { name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), forks })
    }

    /// Draws a pair of processes of `rounds` turns. The second process is slower by the share `change`.
    pub fn pair(&self, rounds: usize, change: f64, rng: &mut Rng) -> [Process; 2] {
        let first = rng.below(2) as u32;
        [(0.0, first), (change, 1 - first)].map(|(change, place)| {
            let fork = &self.forks[rng.below(self.forks.len() as u64) as usize];
            let at = rng.below((fork.len().saturating_sub(rounds) + 1) as u64) as usize;
            let mut process = Process::new(place, Collector::Untold);
            for (round, seconds) in (0..).zip(fork.iter().skip(at).take(rounds)) {
                let ns = seconds * 1e9 * (1.0 + change);
                let operations = (ITERATION_NS / ns).round().max(1.0);
                let times_ns = vec![ns * operations];
                let shown = Shown { times_ns, operations: operations as u64, ..Shown::default() };
                process.add(Phase::Measured, round, &shown);
            }
            process
        })
    }
}

fn steady(numbers: &str) -> Option<Vec<f64>> {
    let from_the_end = numbers.rsplit(',').take(STEADY);
    let mut values = from_the_end.map(|number| number.trim().parse().ok()).collect::<Option<Vec<f64>>>()?;
    values.reverse();
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_drawn_from() {
        let folder = std::env::temp_dir().join(format!("derny-jmh-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.json"), "[[1e-6, 2e-6, 2e-6],\n [3e-6,3e-6,3e-6]]").unwrap();
        let all = Benchmark::read_all(&folder);
        std::fs::write(folder.join("b.json"), "[[1e-6, oops]]").unwrap();
        let wrong = Benchmark::read_all(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        let all = all.unwrap();
        assert_eq!((all.len(), all[0].name.as_str()), (1, "a"));
        assert_eq!(all[0].forks, [[1e-6, 2e-6, 2e-6], [3e-6, 3e-6, 3e-6]]);
        assert!(wrong.is_err());
        let [base, new] = all[0].pair(2, 0.5, &mut Rng::new(1));
        assert_eq!((base.turns.len(), base.place + new.place), (2, 1));
        let each = |process: &Process| process.measured().0 / process.measured().1;
        assert!((1000.0..=3000.0).contains(&each(&base)) && (1500.0..=4500.0).contains(&each(&new)));
    }
}
