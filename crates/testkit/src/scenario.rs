//! Five noise scenarios of a machine, as generators of log times.
//!
//! This module contains only the noise. Tests of plans, estimators and verdicts use it, so it must not depend
//! on these.
//!
//! The log time of a turn is the sum of these components:
//! - white noise;
//! - flicker (1/f), from seven Ornstein–Uhlenbeck processes with time constants from 4 ms to 20 s;
//! - the offset of the process;
//! - a ramp over the run;
//! - a slow mode, which is active 30 % of the time;
//! - preemptions.
//!
//! Flicker, ramp, mode and preemptions belong to the machine, so neighbouring turns share them.

use derny_stats::Rng;

/// Length of a turn, in seconds.
pub const TURN_S: f64 = 0.002;
/// Cost of starting a process, in seconds.
pub const LAUNCH_S: f64 = 0.005;
/// Share of time in the slow mode.
pub const SLOW_SHARE: f64 = 0.3;

const FLICKER_PARTS: usize = 7;

/// Noise scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenario {
    /// An idle machine.
    Quiet,
    /// An idle machine on which every process has its own speed (1 %).
    Offset,
    /// A machine that speeds up or slows down during the run.
    Drift,
    /// A machine that sometimes enters a slow mode (+5 %).
    Modes,
    /// A shared machine: all kinds of noise, and a third of all turns preempted.
    Ci,
}

/// The strength of each component. All except the last three are standard deviations of log time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Independent noise between turns.
    pub white: f64,
    /// Stationary noise on all time scales from 4 ms to 20 s.
    pub flicker: f64,
    /// Noise between processes.
    pub process: f64,
    /// Linear trend over the run, in a random direction.
    pub ramp: f64,
    /// Addition to log time in the slow mode, and the average duration of the mode in seconds.
    pub slow: (f64, f64),
    /// Number of preemptions per second.
    pub preemptions_per_s: f64,
    /// Mean length of a preemption in seconds. The distribution is exponential.
    pub preemption_s: f64,
}

impl Scenario {
    /// All scenarios.
    pub const ALL: [Self; 5] = [Self::Quiet, Self::Offset, Self::Drift, Self::Modes, Self::Ci];

    /// Returns the strength of each component of the scenario.
    #[must_use]
    pub fn noise(self) -> Noise {
        let quiet = Noise {
            white: 0.003,
            flicker: 0.0005,
            process: 0.001,
            ramp: 0.0,
            slow: (0.0, 1.0),
            preemptions_per_s: 1.0,
            preemption_s: 0.0001,
        };
        let busy =
            Noise { white: 0.004, flicker: 0.003, preemptions_per_s: 5.0, preemption_s: 0.0005, ..quiet };
        match self {
            Self::Quiet => quiet,
            Self::Offset => Noise { process: 0.01, ..quiet },
            Self::Drift => Noise { ramp: 0.02, ..busy },
            Self::Modes => Noise { slow: (0.05, 1.0), ..busy },
            Self::Ci => Noise {
                white: 0.006,
                flicker: 0.0085,
                process: 0.005,
                ramp: 0.01,
                slow: (0.04, 1.5),
                preemptions_per_s: 30.0,
                preemption_s: 0.002,
            },
        }
    }
}

/// A process with its offset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Process {
    /// Addition to every log time.
    pub offset: f64,
}

/// The values of one turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Log of the mean time of its batches, including preemptions.
    pub mean: f64,
    /// Log of the typical time of its batches, without preemptions, because these affect few batches.
    pub typical: f64,
    /// End of the turn since the machine's start, in seconds.
    pub at_s: f64,
}

/// A machine with a clock. Every turn and every launch advances the clock.
#[derive(Debug, Clone)]
pub struct Machine {
    noise: Noise,
    rng: Rng,
    run_s: f64,
    now_s: f64,
    ramp: f64,
    flicker: [f64; FLICKER_PARTS],
    is_slow: bool,
    /// Time of the next mode change, in seconds.
    change_s: f64,
}

impl Machine {
    /// Creates a machine for a run of `run_s` seconds. Equal generators give equal machines.
    #[must_use]
    pub fn new(noise: Noise, run_s: f64, mut rng: Rng) -> Self {
        let part = noise.flicker / (FLICKER_PARTS as f64).sqrt();
        let flicker = std::array::from_fn(|_| part * rng.normal());
        // A straight line from -1/2 to 1/2 has a standard deviation of 1/√12.
        let ramp = noise.ramp * 12_f64.sqrt() * if rng.below(2) == 0 { 1.0 } else { -1.0 };
        let is_slow = rng.f64() < SLOW_SHARE;
        let mut machine = Self { noise, rng, run_s, now_s: 0.0, ramp, flicker, is_slow, change_s: 0.0 };
        machine.change_s = machine.dwell();
        machine
    }

    /// Starts a process.
    pub fn launch(&mut self) -> Process {
        self.pass(LAUNCH_S);
        Process { offset: self.noise.process * self.rng.normal() }
    }

    /// Runs one turn in `process` of a body whose true log time is `truth`.
    pub fn turn(&mut self, process: &Process, truth: f64) -> Turn {
        self.pass(TURN_S);
        let machine = self.flicker.iter().sum::<f64>()
            + self.ramp * (self.now_s / self.run_s - 0.5)
            + if self.is_slow { self.noise.slow.0 } else { 0.0 };
        let typical = truth + process.offset + machine + self.noise.white * self.rng.normal();
        let stolen = self.preempted();
        Turn { mean: typical + (stolen / TURN_S).ln_1p(), typical, at_s: self.now_s }
    }

    fn pass(&mut self, seconds: f64) {
        self.now_s += seconds;
        let part = self.noise.flicker / (FLICKER_PARTS as f64).sqrt();
        for (index, state) in self.flicker.iter_mut().enumerate() {
            // Time constants evenly spaced on a log scale give a 1/f spectrum between them.
            let constant = 0.004 * (20.0_f64 / 0.004).powf(index as f64 / (FLICKER_PARTS - 1) as f64);
            let kept = (-seconds / constant).exp();
            *state = *state * kept + part * (1.0 - kept * kept).sqrt() * self.rng.normal();
        }
        while self.now_s >= self.change_s {
            self.is_slow = !self.is_slow;
            self.change_s += self.dwell();
        }
    }

    /// Draws the duration of the current mode in seconds, from an exponential distribution. The means of the
    /// two modes determine the share of the slow mode.
    fn dwell(&mut self) -> f64 {
        let slow = self.noise.slow.1;
        let mean = if self.is_slow { slow } else { slow * (1.0 - SLOW_SHARE) / SLOW_SHARE };
        self.exponential(mean)
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.rng.f64()).ln()
    }

    /// Draws the total time lost to preemptions in one turn, in seconds.
    fn preempted(&mut self) -> f64 {
        let mut stolen = 0.0;
        let mut at = self.exponential(1.0 / self.noise.preemptions_per_s);
        while at < TURN_S {
            stolen += self.exponential(self.noise.preemption_s);
            at += self.exponential(1.0 / self.noise.preemptions_per_s);
        }
        stolen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(noise: impl FnOnce(&mut Noise)) -> Noise {
        let mut none = Noise {
            white: 0.0,
            flicker: 0.0,
            process: 0.0,
            ramp: 0.0,
            slow: (0.0, 1.0),
            preemptions_per_s: 1e-9,
            preemption_s: 0.0,
        };
        noise(&mut none);
        none
    }

    fn turns(noise: Noise, count: usize, seed: u64) -> Vec<Turn> {
        let mut machine = Machine::new(noise, count as f64 * TURN_S, Rng::new(seed));
        let process = Process { offset: 0.0 };
        (0..count).map(|_| machine.turn(&process, 0.0)).collect()
    }

    fn sd(values: &[f64]) -> f64 {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
    }

    fn typical(turns: &[Turn]) -> Vec<f64> {
        turns.iter().map(|turn| turn.typical).collect()
    }

    #[test]
    fn no_noise_gives_the_truth() {
        let mut machine = Machine::new(only(|_| ()), 1.0, Rng::new(1));
        let process = machine.launch();
        let turn = machine.turn(&process, 0.25);
        assert_eq!((turn.mean, turn.typical), (0.25, 0.25));
        assert!((turn.at_s - LAUNCH_S - TURN_S).abs() < 1e-12);
    }

    #[test]
    fn every_part_has_the_strength_it_says() {
        let white = sd(&typical(&turns(only(|noise| noise.white = 0.01), 20_000, 1)));
        assert!((white - 0.01).abs() < 0.0005, "white {white}");
        let ramp = sd(&typical(&turns(only(|noise| noise.ramp = 0.02), 5_000, 2)));
        assert!((ramp - 0.02).abs() < 0.0001, "ramp {ramp}");
        // Use many machines, because the slowest component hardly changes within one run.
        let first: Vec<f64> =
            (0..4_000).map(|seed| turns(only(|noise| noise.flicker = 0.01), 1, seed)[0].typical).collect();
        assert!((sd(&first) - 0.01).abs() < 0.0007, "flicker {}", sd(&first));
        let mut machine = Machine::new(only(|noise| noise.process = 0.01), 1.0, Rng::new(3));
        let offsets: Vec<f64> = (0..4_000).map(|_| machine.launch().offset).collect();
        assert!((sd(&offsets) - 0.01).abs() < 0.0005, "process {}", sd(&offsets));
    }

    #[test]
    fn flicker_is_shared_by_neighbours_and_forgotten_later() {
        let values = typical(&turns(only(|noise| noise.flicker = 0.01), 200_000, 4));
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let correlation = |lag: usize| {
            let product: f64 = values.windows(lag + 1).map(|w| (w[0] - mean) * (w[lag] - mean)).sum();
            product / (values.len() - lag) as f64 / sd(&values).powi(2)
        };
        let (near, far) = (correlation(1), correlation(2_000));
        assert!(near > 0.8 && far < near - 0.3, "{near} and {far}");
    }

    #[test]
    fn the_slow_mode_holds_its_share_and_lasts() {
        let values = typical(&turns(only(|noise| noise.slow = (0.05, 1.0)), 1_000_000, 5));
        let slow: Vec<bool> = values.iter().map(|value| *value > 0.025).collect();
        let share = slow.iter().filter(|slow| **slow).count() as f64 / slow.len() as f64;
        assert!((share - SLOW_SHARE).abs() < 0.05, "{share}");
        let entries = slow.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
        let dwell_s = share * 2_000.0 / entries;
        assert!((dwell_s - 1.0).abs() < 0.2, "{dwell_s} s");
    }

    #[test]
    fn preemptions_slow_the_mean_and_not_the_typical_time() {
        let preempting = only(|noise| (noise.preemptions_per_s, noise.preemption_s) = (30.0, 0.002));
        let turns = turns(preempting, 100_000, 6);
        assert!(turns.iter().all(|turn| turn.typical == 0.0 && turn.mean >= 0.0));
        let hit = turns.iter().filter(|turn| turn.mean > 0.0).count() as f64 / 1e5;
        assert!((hit - (1.0 - (-0.06_f64).exp())).abs() < 0.005, "{hit}");
        let stolen = turns.iter().map(|turn| turn.mean.exp_m1() * TURN_S).sum::<f64>() / (1e5 * TURN_S);
        assert!((stolen - 0.06).abs() < 0.005, "{stolen}");
    }

    #[test]
    fn scenarios_replay_by_seed_and_differ_from_each_other() {
        for scenario in Scenario::ALL {
            assert_eq!(turns(scenario.noise(), 50, 9), turns(scenario.noise(), 50, 9));
            assert_ne!(turns(scenario.noise(), 50, 9), turns(scenario.noise(), 50, 10));
        }
        let spread = |scenario: Scenario| {
            let each = (0..20).map(|seed| sd(&typical(&turns(scenario.noise(), 5_000, seed))));
            each.sum::<f64>() / 20.0
        };
        let spreads = Scenario::ALL.map(spread);
        assert!((spreads[0] - 0.003).abs() < 0.0005, "quiet {}", spreads[0]);
        assert!(spreads[1..].iter().all(|other| *other > 0.9 * spreads[0]), "{spreads:?}");
        assert!(spreads[4] > 0.015 && spreads[4] < 0.03, "ci {}", spreads[4]);
    }
}
