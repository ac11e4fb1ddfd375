//! Runs without variants: when a wanted precision ends them, and how often their intervals hold the truth, with the rule that gives up what
//! is out of reach and without it. Nothing is decided here.

use derny_estimate::level::{Levels, LookPlan};
use derny_estimate::precision;
use derny_model::StopReason;
use derny_stats::Rng;

/// How the process values of a case lie about a centre of 0, as logarithms. All of them are symmetric, so that there is one truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Normal.
    Normal,
    /// Student's with three degrees of freedom: a wild process now and then.
    Heavy,
    /// The machine has two speeds, each of them half of the time.
    TwoSpeeds,
}

/// A plan of looks for a precision.
pub struct Plan {
    looks: Vec<u32>,
    levels: LookPlan,
    precision: f64,
}

/// What became of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Why it ended.
    pub reason: StopReason,
    /// Processes measured.
    pub processes: u32,
    /// Half the width of its interval.
    pub half: f64,
    /// The interval holds the truth.
    pub covers: bool,
}

impl Spread {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Heavy, Self::TwoSpeeds];

    /// The value of a process, where their standard deviation is `deviation`.
    pub fn draw(self, deviation: f64, rng: &mut Rng) -> f64 {
        let freedom = 3.0;
        deviation
            * match self {
                Self::Normal => rng.normal(),
                Self::Heavy => {
                    let squares: f64 = (0..3).map(|_| rng.normal().powi(2)).sum();
                    rng.normal() / squares.sqrt() * (freedom - 2.0_f64).sqrt()
                }
                Self::TwoSpeeds => 0.1 * rng.normal() + if rng.below(2) == 0 { 0.995 } else { -0.995 },
            }
    }
}

impl Plan {
    /// For at most 40 processes at 95 %.
    #[must_use]
    pub fn new(precision: f64) -> Self {
        let levels = LookPlan::new(Levels::at(40, 0.95));
        Self { looks: vec![8, 11, 15, 21, 29, 40], levels, precision }
    }

    /// A run whose budget affords so many processes, and which gives up what is out of reach, or never does.
    pub fn play(&self, affordable: u32, gives_up: bool, mut next: impl FnMut() -> f64) -> Run {
        let mut logs: Vec<f64> = Vec::new();
        let mut reason = StopReason::Maximum;
        for (at, &look) in self.looks.iter().enumerate() {
            logs.extend((logs.len() as u32..look).map(|_| next()));
            let to_come: Vec<u32> =
                self.looks[at + 1..].iter().copied().filter(|look| *look <= affordable).collect();
            let levels = self.levels.planned();
            let interval = precision::of_processes(&logs, levels);
            let half = interval.map_or(f64::INFINITY, |interval| (interval.hi - interval.lo) / 2.0);
            let ended = match () {
                () if half <= self.precision => Some(StopReason::Precise),
                () if at + 1 == self.looks.len() => Some(StopReason::Maximum),
                () if to_come.is_empty() => Some(StopReason::Budget),
                () if gives_up && !precision::is_within_reach(&logs, self.precision, &to_come, levels) => {
                    Some(StopReason::PrecisionPredicted)
                }
                () => None,
            };
            if let Some(ended) = ended {
                reason = ended;
                break;
            }
        }
        let shown = precision::of_processes(&logs, self.levels.after(Some(reason)));
        let (lo, hi) = shown.map_or((f64::NEG_INFINITY, f64::INFINITY), |shown| (shown.lo, shown.hi));
        Run { reason, processes: logs.len() as u32, half: (hi - lo) / 2.0, covers: lo <= 0.0 && hi >= 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of runs whose interval covers, and their processes on average.
    fn figures(spread: Spread, deviation: f64, affordable: u32, gives_up: bool) -> (f64, f64) {
        const RUNS: u64 = 400;
        let plan = Plan::new(0.01);
        let runs: Vec<Run> = (0..RUNS)
            .map(|seed| {
                let mut rng = Rng::new(seed);
                plan.play(affordable, gives_up, || spread.draw(deviation, &mut rng))
            })
            .collect();
        let covering = runs.iter().filter(|run| run.covers).count() as f64;
        let processes: u32 = runs.iter().map(|run| run.processes).sum();
        (covering / RUNS as f64, f64::from(processes) / RUNS as f64)
    }

    #[test]
    fn giving_up_costs_no_coverage_and_saves_processes() {
        for spread in Spread::ALL {
            for (deviation, affordable) in [(0.01, 40), (0.02, 21), (0.05, 29)] {
                let (before, all) = figures(spread, deviation, affordable, false);
                let (after, fewer) = figures(spread, deviation, affordable, true);
                assert!(after > 0.93, "{spread:?} {deviation}: {before} {after}");
                assert!(fewer <= all, "{spread:?} {deviation}: {all} {fewer}");
            }
        }
        let (_, all) = figures(Spread::Normal, 0.05, 29, false);
        let (_, fewer) = figures(Spread::Normal, 0.05, 29, true);
        assert!(fewer < 0.5 * all, "{all} {fewer}");
    }
}
