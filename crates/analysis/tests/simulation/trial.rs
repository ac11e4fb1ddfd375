//! Simulates a run of two variants: its pairs and its verdict.

use derny_estimate::change::{self, Subject, Terms};
use derny_estimate::judge::{self, Side};
use derny_estimate::look::Taken;
use derny_estimate::pair::Pair;
use derny_model::{Look, LookReason, Quantity, Settings, Verdict};
use derny_stats::looks::Looks;
use derny_stats::plan::rounds_by_pilot;
use derny_stats::{Rng, median, signed_rank};
use derny_testkit::scenario::{LAUNCH_S, Machine, Noise, TURN_S};

pub const MARGIN: f64 = 0.01;

const MOST_ROUNDS: u32 = 20;

/// Number of pairs of processes, and number of rounds per pair.
#[derive(Clone, Copy)]
pub struct Plan {
    pub pairs: usize,
    pub rounds: usize,
}

impl Plan {
    /// Returns the duration on the simulated machine, in seconds.
    pub fn duration_s(self) -> f64 {
        self.pairs as f64 * (2.0 * LAUNCH_S + (2 * self.rounds) as f64 * TURN_S)
    }

    /// Returns the log-ratios of pairs of equal variants. Two live processes alternate turn by turn, in
    /// random order.
    pub fn pairs(self, noise: Noise, seed: u64) -> Vec<f64> {
        let mut rng = Rng::new(seed);
        let mut machine = Machine::new(noise, self.duration_s(), rng.fork(1));
        let round = |machine: &mut Machine, rng: &mut Rng, processes: &[_; 2]| {
            let first = rng.below(2) as usize;
            let one = machine.turn(&processes[first], 0.0).typical;
            let other = machine.turn(&processes[1 - first], 0.0).typical;
            if first == 0 { other - one } else { one - other }
        };
        let pair = |_| {
            let processes = [machine.launch(), machine.launch()];
            let mut rounds: Vec<f64> =
                (0..self.rounds).map(|_| round(&mut machine, &mut rng, &processes)).collect();
            while rounds.len() < rounds_by_pilot(&rounds[..self.rounds], MARGIN, MOST_ROUNDS) as usize {
                rounds.push(round(&mut machine, &mut rng, &processes));
            }
            median(&rounds)
        };
        (0..self.pairs).map(pair).collect()
    }
}

/// Outcome of the looks at one run.
pub struct TrialOutcome {
    pub verdict: Verdict,
    pub pairs: usize,
    /// True if the intervals of all looks cover the truth.
    pub covered: bool,
    /// True if the interval of any look is above zero, so a run that never stops would find a change.
    pub found: bool,
}

/// Looks at the pairs as a run does, and stops at the first clear verdict.
pub fn judge(pairs: &[f64], looks: &Looks, rule: &Terms, truth: f64) -> TrialOutcome {
    let moved: Vec<f64> = pairs.iter().map(|log| log + truth).collect();
    let mut outcome =
        TrialOutcome { verdict: Verdict::Unclear, pairs: pairs.len(), covered: true, found: false };
    for (&n, &alpha) in looks.counts.iter().zip(&looks.alphas) {
        let interval = signed_rank::interval(&moved[..n], alpha).expect("a look that can decide");
        outcome.covered &= interval.contains(truth);
        outcome.found |= interval.lo > 0.0;
        if outcome.verdict == Verdict::Unclear {
            outcome.verdict = verdict(&moved[..n], looks, rule);
            outcome.pairs = n;
        }
    }
    outcome
}

/// Returns the terms of a real run with one comparison and at most this many pairs.
pub fn rule(most: usize) -> Terms {
    let settings =
        Settings { processes: most as u32, confidence: 0.95, margin: MARGIN, ..Settings::default() };
    Terms::new(&settings, 1)
}

fn verdict(logs: &[f64], looks: &Looks, rule: &Terms) -> Verdict {
    let base_first = |block: u32| block.is_multiple_of(2);
    let pair = |(block, log): (u32, &f64)| Pair {
        block,
        units: (0, 0),
        base_first: base_first(block),
        log: *log,
        resolution: 0.0,
        in_wave: None,
    };
    let pairs: Vec<Pair> = (0..).zip(logs).map(pair).collect();
    let taken: Vec<Look> = looks
        .counts
        .iter()
        .filter(|count| **count <= logs.len())
        .map(|count| Look { case: 0, blocks: (0..*count as u32).collect(), reason: LookReason::Planned })
        .collect();
    let taken = Taken::new(&rule.levels, &taken, &[], None);
    let single = change::paired(Subject::unknown(Quantity::Typical), &pairs, &taken, rule);
    let side = Side { side: 1, control: false, singles: vec![single], ended: None };
    judge::judge(&[vec![side]], rule).0[0][0].side.verdict
}
