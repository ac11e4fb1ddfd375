//! Runs without variants that end at a target precision, and the coverage of their intervals. The rules
//! themselves are in the crate `estimate`.

use derny_estimate::level::{Levels, LookPlan};
use derny_estimate::precision;
use derny_model::StopReason;
use derny_stats::Rng;

/// Distribution of a case's process values around a centre of 0, as logarithms. The centre is the
/// median of the mean of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Normal distribution.
    Normal,
    /// Student's t-distribution with three degrees of freedom, which has occasional extreme values.
    Heavy,
    /// Two equally likely speeds.
    TwoSpeeds,
    /// Exponential distribution: a minimum time, and some much slower processes.
    Skewed,
}

/// Rule that ends a run before its budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Stops when a further process is not worth its cost. Used for the default precision.
    Worth,
    /// Stops when the precision is out of reach. Used for a precision that the user has set. Earlier
    /// versions used it for every precision. Looks share the error as in a comparison.
    Reach,
    /// Never stops early.
    Never,
}

/// Plan of looks for a precision.
pub struct Plan {
    looks: Vec<u32>,
    shared: LookPlan,
    by_width: LookPlan,
    precision: f64,
}

/// Result of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoppedRun {
    /// Reason why the run stopped.
    pub reason: StopReason,
    /// Number of processes measured.
    pub processes: u32,
    /// Half-width of the interval.
    pub half: f64,
    /// True if the interval covers the truth.
    pub covers: bool,
}

impl Spread {
    /// All distributions.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Heavy, Self::TwoSpeeds, Self::Skewed];

    /// Draws the value of a process with standard deviation `deviation`.
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
                // The sum of two values has a median of 1.678347.
                Self::Skewed => -(1.0 - rng.f64()).ln() - 1.678_347 / 2.0,
            }
    }
}

impl Plan {
    /// Creates a plan for at most 40 processes at 95 %.
    #[must_use]
    pub fn new(precision: f64) -> Self {
        let levels = || Levels::at(40, 0.95);
        let (shared, by_width) = (LookPlan::new(levels()), LookPlan::new(levels().by_width()));
        Self { looks: vec![8, 11, 15, 21, 29, 40], shared, by_width, precision }
    }

    fn levels(&self, rule: Rule) -> &LookPlan {
        match rule {
            Rule::Worth => &self.by_width,
            Rule::Reach | Rule::Never => &self.shared,
        }
    }

    /// Returns true if a run with the process values `logs` continues under this rule. `counts` contains the
    /// numbers of processes that the run can still reach.
    fn goes_on(&self, rule: Rule, logs: &[f64], counts: &[u32]) -> bool {
        let levels = self.levels(rule).planned();
        let is_within_reach = || precision::is_within_reach(logs, self.precision, counts, levels);
        let is_worth_it = || precision::is_worth_it(logs, self.precision, counts, levels);
        rule == Rule::Never || (is_within_reach() && (rule != Rule::Worth || is_worth_it()))
    }

    /// Simulates a run under this rule, with a budget for `affordable` processes.
    pub fn play(&self, affordable: u32, rule: Rule, mut next: impl FnMut() -> f64) -> StoppedRun {
        let mut logs: Vec<f64> = Vec::new();
        let mut reason = StopReason::Maximum;
        for (at, &look) in self.looks.iter().enumerate() {
            logs.extend((logs.len() as u32..look).map(|_| next()));
            let to_come: Vec<u32> =
                self.looks[at + 1..].iter().copied().filter(|look| *look <= affordable).collect();
            let interval = precision::of_processes(&logs, self.levels(rule).planned());
            let half = interval.map_or(f64::INFINITY, |interval| (interval.hi - interval.lo) / 2.0);
            let ended = match () {
                () if half <= self.precision => Some(StopReason::Precise),
                () if at + 1 == self.looks.len() => Some(StopReason::Maximum),
                () if to_come.is_empty() => Some(StopReason::Budget),
                () if self.goes_on(rule, &logs, &to_come) => None,
                () => Some(StopReason::PrecisionPredicted),
            };
            if let Some(ended) = ended {
                reason = ended;
                break;
            }
        }
        let shown = precision::of_processes(&logs, self.levels(rule).after(Some(reason)));
        let (lo, hi) = shown.map_or((f64::NEG_INFINITY, f64::INFINITY), |shown| (shown.lo, shown.hi));
        StoppedRun {
            reason,
            processes: logs.len() as u32,
            half: (hi - lo) / 2.0,
            covers: lo <= 0.0 && hi >= 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of runs whose interval covers the truth, and their average number of
    /// processes.
    fn figures(spread: Spread, deviation: f64, affordable: u32, rule: Rule) -> (f64, f64) {
        const RUNS: u64 = 400;
        let plan = Plan::new(0.01);
        let runs: Vec<StoppedRun> = (0..RUNS)
            .map(|seed| {
                let mut rng = Rng::new(seed);
                plan.play(affordable, rule, || spread.draw(deviation, &mut rng))
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
                let of = |rule: Rule| figures(spread, deviation, affordable, rule);
                let all = [Rule::Worth, Rule::Reach, Rule::Never].map(of);
                for (covered, _) in all {
                    assert!(covered > 0.92, "{spread:?} {deviation}: {all:?}");
                }
                let [(_, worth), (_, reach), (_, never)] = all;
                assert!(worth <= never && reach <= never, "{spread:?} {deviation}: {all:?}");
            }
        }
        let (_, all) = figures(Spread::Normal, 0.05, 29, Rule::Never);
        let (_, fewer) = figures(Spread::Normal, 0.05, 29, Rule::Reach);
        assert!(fewer < 0.5 * all, "{all} {fewer}");
        let (_, asked) = figures(Spread::TwoSpeeds, 0.01, 40, Rule::Reach);
        let (_, worth) = figures(Spread::TwoSpeeds, 0.01, 40, Rule::Worth);
        assert!(worth < 0.8 * asked, "{asked} {worth}");
    }
}
