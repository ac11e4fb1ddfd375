//! Two runs on different days: the change of the machine between them, and the verdicts on programs.
//!
//! A machine does five kinds of work, each measured by one yardstick. Each kind becomes faster or slower
//! between days. A program is a mixture of the kinds, so its time changes by their weighted mean. It may also
//! do work that no yardstick covers. Other programs may use a share of the machine, but not while the
//! yardsticks are read.

use derny_estimate::change::{self, Subject};
use derny_estimate::contention;
use derny_estimate::machine::{self, Between, Drift, Earlier};
use derny_model::{Contention, Direction, Quantity, Verdict, Yardstick};
use derny_stats::t_test::welch;
use derny_stats::{Rng, mean, standard_deviation, student};

const KINDS: usize = 5;
const PROCESSES: usize = 8;
/// Standard deviation of the logarithm of typical time between processes.
const PROCESS: f64 = 0.005;
/// Standard deviation of the logarithm of a yardstick reading.
const READING: f64 = 0.002;
const ALPHA: f64 = 0.05;
const MARGIN: f64 = 0.01;
const DAY_MS: i64 = 86_400_000;
/// Number of days between the compared runs.
const APART: i64 = 3;
/// Number of runs, made within minutes of each other, that the earlier rule used.
const REPEATED: usize = 5;

/// Day-to-day change of a machine, as standard deviations of logarithms.
#[derive(Debug, Clone, Copy, Default)]
pub struct Machine {
    /// Change shared by all kinds of work.
    pub common: f64,
    /// Change of each kind alone.
    pub apart: f64,
    /// Change of every program that no yardstick shows.
    pub unseen: f64,
    /// Maximum share of the machine that other programs use in a run, 0 to 1. The share is uniformly
    /// distributed.
    pub load: f64,
}

/// Rule that judges two runs from different days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Spread of five runs made within minutes of each other. Ignores the yardsticks.
    Minutes,
    /// Mean change of the yardsticks, ± twice Student's prediction interval.
    Mean,
    /// Doubled range of the yardsticks alone.
    Range,
    /// Current rule: the doubled range, at least [`machine::LEAST`], and the contention of both runs.
    Today,
    /// Current rule, if the same code was measured on ten days.
    TenDays,
}

/// All rules with their names.
pub const RULES: [(Rule, &str); 5] = [
    (Rule::Minutes, "spread of five runs within minutes"),
    (Rule::Mean, "mean change ± 2ts"),
    (Rule::Range, "doubled range"),
    (Rule::Today, "today: at least ±5 %"),
    (Rule::TenDays, "today, ten days known"),
];

/// A machine on one day: the log duration of each kind of work, the change that no yardstick shows, and the
/// share of the machine that other programs use.
struct Day {
    kinds: [f64; KINDS],
    unseen: f64,
    others: f64,
}

impl Day {
    /// Draws how a day deviates from the machine's usual state. The variances of two days add up to the
    /// variance of the change between them.
    fn new(machine: &Machine, rng: &mut Rng) -> Day {
        let mut draw = |sd: f64| sd * rng.normal() / 2.0_f64.sqrt();
        let common = draw(machine.common);
        let kinds = std::array::from_fn(|_| common + draw(machine.apart));
        let unseen = draw(machine.unseen);
        let others = if machine.load > 0.0 { machine.load * rng.f64() } else { 0.0 };
        Day { kinds, unseen, others }
    }

    fn contention(&self) -> Contention {
        Contention { steal: 0.0, others: self.others, load: None }
    }

    fn yardsticks(&self, rng: &mut Rng) -> Vec<Yardstick> {
        let one = |(at, log): (usize, &f64)| {
            let time_ns = (log + READING * rng.normal()).exp();
            Yardstick { name: at.to_string(), time_ns, error_ns: READING * time_ns }
        };
        self.kinds.iter().enumerate().map(one).collect()
    }

    fn processes(&self, weights: &[f64; KINDS], rng: &mut Rng) -> Vec<f64> {
        // Under load, a program slows down by at most the inverse of the free share of the machine.
        let disturbed = contention::slowdown(&self.contention());
        let disturbed = if disturbed > 0.0 { disturbed * rng.f64() } else { 0.0 };
        let machine =
            disturbed + self.unseen + self.kinds.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
        (0..PROCESSES).map(|_| machine + PROCESS * rng.normal()).collect()
    }
}

fn mixture(rng: &mut Rng) -> [f64; KINDS] {
    let parts: [f64; KINDS] = std::array::from_fn(|_| -rng.f64().max(1e-300).ln());
    let all: f64 = parts.iter().sum();
    parts.map(|part| part / all)
}

/// Simulates two runs on different days, with a case for each of `changes`, and applies every rule of
/// [`RULES`]. Returns verdicts by rule, then by case. All cases share the machine. Each change is the true
/// logarithm of a program's ratio.
#[must_use]
pub fn play(machine: &Machine, changes: &[f64], seed: u64) -> [Vec<Verdict>; RULES.len()] {
    let mut rng = Rng::new(seed);
    let [base, new] = [0, 1].map(|_| Day::new(machine, &mut rng));
    let read = [base.yardsticks(&mut rng), new.yardsticks(&mut rng)];
    let earlier: Vec<(Day, Vec<Yardstick>)> = (0..machine::DAYS)
        .map(|_| {
            let day = Day::new(machine, &mut rng);
            let yardsticks = day.yardsticks(&mut rng);
            (day, yardsticks)
        })
        .collect();
    let mut all = RULES.map(|_| Vec::with_capacity(changes.len()));
    for change in changes {
        let weights = mixture(&mut rng);
        let old = base.processes(&weights, &mut rng);
        let now: Vec<f64> = new.processes(&weights, &mut rng).iter().map(|log| log + change).collect();
        let minutes: Vec<f64> = (0..REPEATED).map(|_| mean(&base.processes(&weights, &mut rng))).collect();
        let days: Vec<Earlier> = (0..)
            .zip(&earlier)
            .map(|(at, (day, yardsticks))| Earlier {
                started_ms: at * DAY_MS,
                log: mean(&day.processes(&weights, &mut rng)),
                yardsticks,
                unit: "ns",
            })
            .collect();
        for ((rule, _), verdicts) in RULES.iter().zip(&mut all) {
            let mut drift = drift(*rule, &read, &minutes, &days);
            if matches!(rule, Rule::Today | Rule::TenDays) {
                drift = drift.beside([&base.contention(), &new.contention()]);
            }
            verdicts.push(judge(drift, &old, &now));
        }
    }
    all
}

fn drift(rule: Rule, read: &[Vec<Yardstick>; 2], minutes: &[f64], days: &[Earlier]) -> Drift {
    let range = Drift::between(&read[0], &read[1]).unwrap_or(Drift::NONE);
    let apart = (APART * DAY_MS) as u64;
    match rule {
        Rule::Minutes => {
            let t = student::quantile(1.0 - ALPHA / 2.0, (minutes.len() - 1) as f64);
            Drift { half: t * 2.0_f64.sqrt() * standard_deviation(minutes), ..Drift::NONE }
        }
        Rule::Mean => {
            let logs: Vec<f64> =
                machine::changes(&read[0], &read[1]).iter().map(|one| one.change.ln_1p()).collect();
            let t = student::quantile(1.0 - ALPHA / 2.0, (logs.len() - 1) as f64);
            let half = 2.0 * t * standard_deviation(&logs);
            Drift {
                middle: mean(&logs),
                half,
                error: READING * (2.0 / logs.len() as f64).sqrt(),
                ..Drift::NONE
            }
        }
        Rule::Range => range,
        Rule::Today => range.at_least(machine::least(&[], apart, ALPHA).log),
        Rule::TenDays => range.at_least(machine::least(&[days.to_vec()], apart, ALPHA).log),
    }
}

fn judge(drift: Drift, old: &[f64], new: &[f64]) -> Verdict {
    let subject = Subject {
        quantity: Quantity::Typical,
        unit: "ns".into(),
        per_operation: true,
        direction: Direction::Less,
        base: mean(old).exp(),
        new: mean(new).exp(),
    };
    let own = welch(old, new).map(|contrast| contrast.half_width(ALPHA));
    let apart = machine::Apart::new(Between::Known(drift), own, old.len() as u32, ALPHA, MARGIN);
    change::unpaired(subject, &apart).change.verdict
}
