//! Suites whose processes differ from one another in five ways, with the truth known.
//!
//! A process has an offset of its own: memory layout, hash seeds, placement. Normal offsets are one extreme. The other one are two layouts,
//! each of them half of the time. In a suite, offsets may be alike in all cases, differ from case to case, or be large in one case alone.

use super::outcome::Outcome;
use super::rule::Rule;
use super::scene::{Run, Scene};
use derny_stats::Rng;

/// Pairs at most.
pub const PAIRS: usize = 40;
/// Standard deviation of the logarithm of a turn: with [`ROUNDS`], a process value has an error of .05 %.
const WHITE: f64 = 0.000_75;
const ROUNDS: u32 = 3;
/// The same of what the processes of one wave share.
const LEVEL: f64 = 0.02;

/// How the offsets of processes are spread in a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Normal, .2 % in all cases but one, and 3 % in that one.
    OutlierNormal,
    /// The same of two layouts.
    OutlierTwo,
    /// Two layouts; their distance is log-normal over the cases, around .3 %.
    SpreadTwo,
    /// Normal, 1.5 % in all cases.
    NoisyNormal,
    /// The same of two layouts.
    NoisyTwo,
}

/// Which cases of a suite have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// One, by lot.
    One,
    /// All.
    All,
}

/// A suite of cases that are compared in one run.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// How the offsets of its processes are spread.
    pub shape: Shape,
    /// Its cases. Alone, the case of an outlier is the outlier.
    pub cases: usize,
    /// The correlation of the offsets of the two processes of a pair.
    pub shared: f64,
    /// By how much the new side is slower, as a share.
    pub change: f64,
    /// Where it is.
    pub changed: Changed,
}

/// What became of one case of a suite.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    /// What was reported.
    pub outcome: Outcome,
    /// The true logarithm of its ratio.
    pub truth: f64,
    /// It is the one whose processes differ by 3 %.
    pub is_outlier: bool,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::OutlierNormal, Self::OutlierTwo, Self::SpreadTwo, Self::NoisyNormal, Self::NoisyTwo];

    /// Its name.
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

    /// One case differs from the others.
    #[must_use]
    pub fn has_outlier(self) -> bool {
        matches!(self, Self::OutlierNormal | Self::OutlierTwo)
    }

    fn scene(self, is_outlier: bool, rng: &mut Rng) -> Scene {
        let process = match self {
            Self::OutlierNormal | Self::OutlierTwo if is_outlier => 0.03,
            Self::OutlierNormal | Self::OutlierTwo => 0.002,
            // Two of three cases lie within a factor of two.
            Self::SpreadTwo => 0.003 * (std::f64::consts::LN_2 * rng.normal()).exp(),
            Self::NoisyNormal | Self::NoisyTwo => 0.015,
        };
        let layouts = !matches!(self, Self::OutlierNormal | Self::NoisyNormal);
        Scene { process, layouts, white: WHITE, level: LEVEL, warm_up: 0, rounds: ROUNDS, ..Scene::default() }
    }
}

impl Suite {
    /// Plays one run of it. Equal seeds give equal suites, whatever the rule and the change.
    #[must_use]
    pub fn play(&self, rule: &Rule, seed: u64) -> Vec<Played> {
        let mut rng = Rng::new(seed);
        let [outlier, changed] = [0, 1].map(|_| rng.below(self.cases as u64) as usize);
        let mut truths = Vec::with_capacity(self.cases);
        let mut runs: Vec<Run> = (0..self.cases)
            .map(|case| {
                let scene = self.shape.scene(case == outlier, &mut rng);
                let is_changed = self.changed == Changed::All || case == changed;
                let scene = scene.slower(if is_changed { self.change } else { 0.0 });
                truths.push(scene.typical());
                Run::new(Scene { shared: self.shared, ..scene }, PAIRS, rng.next_u64())
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
