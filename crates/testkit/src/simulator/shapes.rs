//! Suites with five distributions of process offsets and known truth.
//!
//! A process has its own offset, due to memory layout, hash seeds and placement. Normally distributed
//! offsets are one extreme, and two equally likely layouts are the other. Within a suite, offsets may
//! be similar in all cases, differ between cases, or be large in one case only.

use super::outcome::CaseDecision;
use super::rule::Rule;
use super::scene::{Scene, SimulatedRun};
use derny_stats::Rng;

/// Maximum number of pairs.
pub const PAIRS: usize = 40;
/// Standard deviation of the logarithm of a turn's time. With [`ROUNDS`], a process value has an error
/// of 0.05 %.
const WHITE: f64 = 0.000_75;
const ROUNDS: u32 = 3;
/// Standard deviation of the level that the processes of one wave share.
const LEVEL: f64 = 0.02;

/// Distribution of process offsets in a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Normal: 0.2 % in all cases except one with 3 %.
    OutlierNormal,
    /// Like [`Shape::OutlierNormal`], but with two layouts.
    OutlierTwo,
    /// Two layouts. Their distance is log-normal over the cases, around 0.3 %.
    SpreadTwo,
    /// Normal: 1.5 % in all cases.
    NoisyNormal,
    /// Like [`Shape::NoisyNormal`], but with two layouts.
    NoisyTwo,
}

/// Cases of a suite that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// One random case.
    One,
    /// All cases.
    All,
}

/// Suite of cases that are compared in one run.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// Distribution of the process offsets.
    pub shape: Shape,
    /// Number of cases. In a suite with an outlier, exactly one case is the outlier.
    pub cases: usize,
    /// Correlation of the offsets of the two processes of a pair.
    pub shared: f64,
    /// Relative slowdown of the new side.
    pub change: f64,
    /// Cases that changed.
    pub changed: Changed,
}

/// Result of one case of a suite.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    /// Decision on the case.
    pub outcome: CaseDecision,
    /// True logarithm of the case's ratio.
    pub truth: f64,
    /// True for the case whose processes differ by 3 %.
    pub is_outlier: bool,
}

impl Shape {
    /// All distributions.
    pub const ALL: [Self; 5] =
        [Self::OutlierNormal, Self::OutlierTwo, Self::SpreadTwo, Self::NoisyNormal, Self::NoisyTwo];

    /// Returns the name for tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OutlierNormal => "outlier, normal",
            Self::OutlierTwo => "outlier, two layouts",
            Self::SpreadTwo => "spread, two layouts",
            Self::NoisyNormal => "noisy, normal",
            Self::NoisyTwo => "noisy, two layouts",
        }
    }

    /// Returns true if one case differs from the others.
    #[must_use]
    pub fn has_outlier(self) -> bool {
        matches!(self, Self::OutlierNormal | Self::OutlierTwo)
    }

    fn scene(self, is_outlier: bool, rng: &mut Rng) -> Scene {
        let process = match self {
            Self::OutlierNormal | Self::OutlierTwo if is_outlier => 0.03,
            Self::OutlierNormal | Self::OutlierTwo => 0.002,
            // Two thirds of the cases are within a factor of two.
            Self::SpreadTwo => 0.003 * (std::f64::consts::LN_2 * rng.normal()).exp(),
            Self::NoisyNormal | Self::NoisyTwo => 0.015,
        };
        let layouts = !matches!(self, Self::OutlierNormal | Self::NoisyNormal);
        Scene { process, layouts, white: WHITE, level: LEVEL, warm_up: 0, rounds: ROUNDS, ..Scene::default() }
    }
}

impl Suite {
    /// Simulates one run of the suite. Equal seeds give equal suites, whatever the rule and the change.
    #[must_use]
    pub fn play(&self, rule: &Rule, seed: u64) -> Vec<Played> {
        let mut rng = Rng::new(seed);
        let [outlier, changed] = [0, 1].map(|_| rng.below(self.cases as u64) as usize);
        let mut truths = Vec::with_capacity(self.cases);
        let mut runs: Vec<SimulatedRun> = (0..self.cases)
            .map(|case| {
                let scene = self.shape.scene(case == outlier, &mut rng);
                let is_changed = self.changed == Changed::All || case == changed;
                let scene = scene.slower(if is_changed { self.change } else { 0.0 });
                truths.push(scene.typical());
                SimulatedRun::new(Scene { shared: self.shared, ..scene }, PAIRS, rng.next_u64())
            })
            .collect();
        let mut cases: Vec<_> = runs.iter_mut().map(|run| |pairs| run.wave(pairs)).collect();
        let outcomes = rule.play(&mut cases, PAIRS).cases;
        let of = |(case, (outcome, truth))| Played {
            outcome,
            truth,
            is_outlier: self.shape.has_outlier() && case == outlier,
        };
        outcomes.into_iter().zip(truths).enumerate().map(of).collect()
    }
}
