//! A fleet of machines that measure the same cases in waves, and the resulting verdicts.
//!
//! The ratio of two programs differs slightly between machines, because caches, memory and clocks differ.
//! Machines also differ in speed, which affects both sides equally, and drift while they measure. One machine
//! may be bad: its pairs scatter, and its ratios are far off.

use super::outcome::Statistic;
use super::scene::{Scene, SimulatedRun};
use derny_estimate::change::{self, Subject, Terms};
use derny_estimate::fleet::{self, CaseOnMachine};
use derny_estimate::judge::{self, Side};
use derny_estimate::level::Levels;
use derny_estimate::look::Taken;
use derny_estimate::pair::Replicate;
use derny_model::{Look, LookReason, Quantity, StopReason, Verdict};
use derny_stats::Rng;
use derny_stats::location::hodges_lehmann;
use derny_stats::scale::standard_deviation;
use std::collections::BTreeMap;

/// Number of pairs that a machine measures for a case in one wave.
const PAIRS: u32 = 4;
/// Maximum number of waves.
const WAVES: u32 = 2;
/// Maximum number of pairs in the plan of looks.
const MOST: usize = 40;
const CONFIDENCE: f64 = 0.95;
const MARGIN: f64 = 0.01;

/// Properties of a fleet.
#[derive(Debug, Clone, Copy)]
pub struct Fleet {
    /// Number of machines.
    pub machines: u32,
    /// Number of machines per case in each wave.
    pub each: u32,
    /// Standard deviation of the logarithm of a machine's speed.
    pub speed: f64,
    /// Standard deviation of a machine's effect on the logarithm of a program's ratio.
    pub apart: f64,
    /// Relative slowdown of a machine while it measures.
    pub drift: f64,
    /// True if the last machine is bad.
    pub bad: bool,
}

/// Results of a fleet.
#[derive(Debug, Clone)]
pub struct Played {
    /// Verdict and statistic of each case, first with pairs as replicates, then with machines.
    pub cases: Vec<[(Verdict, Statistic); 2]>,
    /// Machines reported as odd.
    pub odd: Vec<u32>,
    /// Total number of pairs.
    pub pairs: usize,
}

struct Case {
    change: f64,
    both: Vec<(Replicate, Replicate)>,
    looks: Vec<Look>,
    open: bool,
}

/// Simulates cases with these changes, which are logarithms. Equal seeds give equal results.
#[must_use]
pub fn play(fleet: &Fleet, changes: &[f64], seed: u64) -> Played {
    let mut rng = Rng::new(seed);
    let speeds: Vec<f64> = (0..fleet.machines).map(|_| fleet.speed * rng.normal()).collect();
    let new = |change: &f64| Case { change: *change, both: Vec::new(), looks: Vec::new(), open: true };
    let mut cases: Vec<Case> = changes.iter().map(new).collect();
    let mut last = Vec::new();
    for _ in 0..WAVES {
        for case in cases.iter_mut().filter(|case| case.open) {
            let mut machines: Vec<u32> = (0..fleet.machines).collect();
            rng.shuffle(&mut machines);
            for machine in machines.into_iter().take(fleet.each as usize) {
                case.measure(fleet, machine, speeds[machine as usize], &mut rng);
            }
            let blocks = (0..case.both.len() as u32).collect();
            case.looks.push(Look { case: 0, blocks, reason: LookReason::Planned });
        }
        // The rule with machines decides which cases continue.
        last = [false, true].map(|machines| judged(&cases, machines)).to_vec();
        for (case, (verdict, _)) in cases.iter_mut().zip(&last[1]) {
            case.open = *verdict == Verdict::Unclear;
        }
    }
    let both = last[0].iter().zip(&last[1]).map(|(pooled, machines)| [*pooled, *machines]);
    Played {
        cases: both.collect(),
        odd: odd(&cases, fleet.machines),
        pairs: cases.iter().map(|case| case.both.len()).sum(),
    }
}

impl Case {
    fn measure(&mut self, fleet: &Fleet, machine: u32, speed: f64, rng: &mut Rng) {
        let is_bad = fleet.bad && machine + 1 == fleet.machines;
        let own = if is_bad { 0.05 } else { fleet.apart * rng.normal() };
        let mut scene =
            Scene { process: if is_bad { 0.03 } else { 0.005 }, drift: fleet.drift, ..Scene::default() };
        scene.sides[0].slower = speed.exp_m1();
        scene.sides[1].slower = (speed + self.change + own).exp_m1();
        let mut run = SimulatedRun::new(scene, PAIRS as usize, rng.below(1 << 40));
        for pair in run.wave(PAIRS) {
            let block = self.both.len() as u32;
            let [base, new] = pair.map(|process| process.replicate(block));
            let on = |replicate: Replicate| Replicate { unit: machine, ..replicate };
            self.both.push((on(base), on(new)));
        }
    }

    fn pairs(&self) -> Vec<derny_estimate::pair::Pair> {
        self.both.iter().filter_map(|(base, new)| base.typical(new)).collect()
    }
}

fn judged(cases: &[Case], machines: bool) -> Vec<(Verdict, Statistic)> {
    let terms = Terms {
        levels: Levels::at(MOST, CONFIDENCE),
        margin: MARGIN,
        mean_margin: 2.0 * MARGIN,
        mean: true,
        quick: false,
        comparisons: cases.len(),
        gate: false,
        cycle_ns: None,
        machines,
    };
    let side = |case: &Case| {
        let level = |replicate: &Replicate| match machines {
            true => replicate.clone(),
            false => Replicate { unit: 0, ..replicate.clone() },
        };
        let both: Vec<(Replicate, Replicate)> =
            case.both.iter().map(|(base, new)| (level(base), level(new))).collect();
        let both: Vec<(&Replicate, &Replicate)> = both.iter().map(|(base, new)| (base, new)).collect();
        let blocks: Vec<u32> = (0..both.len() as u32).collect();
        let taken = Taken::new(&terms.levels, &case.looks, &blocks, Some(StopReason::Maximum));
        let subject = Subject::unknown(Quantity::Typical);
        let singles = change::times(&super::process::case(), subject, &both, &taken, &terms);
        vec![Side { side: 1, control: false, singles, ended: Some(StopReason::Maximum) }]
    };
    let sides: Vec<Vec<Side>> = cases.iter().map(side).collect();
    let (judged, _) = judge::judge(&sides, &terms);
    let statistic = |judged: &judge::Judged| {
        let typical = judged.side.changes.iter().find(|change| change.quantity == Quantity::Typical);
        let statistic = typical.map_or(super::rule::NOTHING, super::rule::statistic);
        (typical.map_or(Verdict::Unclear, |change| change.verdict), statistic)
    };
    judged.iter().flatten().map(statistic).collect()
}

fn odd(cases: &[Case], machines: u32) -> Vec<u32> {
    let seen = |case: &Case| {
        let mut by_machine: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        case.pairs().iter().for_each(|pair| by_machine.entry(pair.units.0).or_default().push(pair.log));
        let of = |(machine, logs): (u32, Vec<f64>)| CaseOnMachine {
            machine,
            log: hodges_lehmann(&logs),
            spread: Some(standard_deviation(&logs)),
            pairs: logs.len() as u32,
        };
        by_machine.into_iter().map(of).collect::<Vec<CaseOnMachine>>()
    };
    let seen: Vec<Vec<CaseOnMachine>> = cases.iter().map(seen).collect();
    let standings = fleet::standings(&seen, machines as usize);
    (0..).zip(&standings).filter(|(_, one)| one.is_noisy || one.is_apart).map(|(at, _)| at).collect()
}
