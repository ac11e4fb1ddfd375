//! One simulated run of two variants: what its pairs show, and what is read from them.

use derny_stats::looks::Looks;
use derny_stats::{Interval, Rng, hodges_lehmann, signed_rank};
use derny_testkit::scenario::{LAUNCH_S, Machine, Noise, TURN_S};

/// Within which a difference does not matter, as a log-ratio.
pub const MARGIN: f64 = 0.01;

/// How many pairs of processes, and how many rounds in each.
#[derive(Clone, Copy)]
pub struct Plan {
    pub pairs: usize,
    pub rounds: usize,
}

impl Plan {
    /// How long all of it takes on the simulated machine, in seconds.
    pub fn duration_s(self) -> f64 {
        self.pairs as f64 * (2.0 * LAUNCH_S + (2 * self.rounds) as f64 * TURN_S)
    }

    /// The log-ratio of each pair where the variants do not differ: two live processes alternated turn by turn in random
    /// order. A difference of the variants adds itself to every one of them.
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
            let rounds: Vec<f64> =
                (0..self.rounds).map(|_| round(&mut machine, &mut rng, &processes)).collect();
            hodges_lehmann(&rounds)
        };
        (0..self.pairs).map(pair).collect()
    }
}

/// What a run concludes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Faster,
    Slower,
    FasterWithinMargin,
    SlowerWithinMargin,
    Same,
    Unclear,
}

impl Verdict {
    fn of(interval: Interval) -> Verdict {
        let within = interval.lo > -MARGIN && interval.hi < MARGIN;
        match (interval.hi < 0.0, interval.lo > 0.0, within) {
            (true, _, false) => Verdict::Faster,
            (true, _, true) => Verdict::FasterWithinMargin,
            (_, true, false) => Verdict::Slower,
            (_, true, true) => Verdict::SlowerWithinMargin,
            (_, _, true) => Verdict::Same,
            _ => Verdict::Unclear,
        }
    }

    /// Whether it says that the variants differ, by however little.
    pub fn claims_difference(self) -> bool {
        !matches!(self, Verdict::Same | Verdict::Unclear)
    }
}

/// What a plan's looks make of the pairs of one run.
pub struct Outcome {
    /// The first verdict other than unclear.
    pub verdict: Verdict,
    /// How many pairs that took; all if none came.
    pub pairs: usize,
    /// Whether the intervals of all looks hold the truth.
    pub covered: bool,
    /// Whether the interval of any look lies above zero, had nothing else stopped the run.
    pub found: bool,
}

/// Looks at the pairs as a run does.
pub fn judge(pairs: &[f64], looks: &Looks, truth: f64) -> Outcome {
    let mut outcome = Outcome { verdict: Verdict::Unclear, pairs: pairs.len(), covered: true, found: false };
    for (&n, &alpha) in looks.counts.iter().zip(&looks.alphas) {
        let interval = signed_rank::interval(&pairs[..n], alpha).expect("a look that can decide");
        let interval = interval.map(|end| end + truth);
        outcome.covered &= interval.contains(truth);
        outcome.found |= interval.lo > 0.0;
        if outcome.verdict == Verdict::Unclear {
            outcome.verdict = Verdict::of(interval);
            outcome.pairs = n;
        }
    }
    outcome
}
