//! A pair: two processes of one block, alternated turn by turn.

use crate::cost::Cost;
use crate::rounds::Rounds;
use crate::turn;
use derny_model::{Case, ProcessStart, VisitRecord};

/// One pair: its build on both sides, and the logarithm of its ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The block of both processes.
    pub block: u32,
    /// The builds that were measured, of the base and of the new side.
    pub builds: (u32, u32),
    /// Logarithm of new over base.
    pub log: f64,
    /// By how much the clocks' steps may have moved it, in shares; 0 where they cancel.
    pub resolution: f64,
}

/// One process of a pair.
#[derive(Debug, Clone, Default)]
pub struct Replicate {
    /// Which block of the run it belongs to.
    pub block: u32,
    /// Which of the variant's builds ran in it.
    pub build: u32,
    /// Its place among the launches of its block, from 0. Blocks of old records were launched in the order of the variants.
    pub place: u32,
    /// Step of its clock in ns.
    pub clock_step_ns: u64,
    /// Its measured turns.
    pub rounds: Rounds,
    /// What it spent in all.
    pub cost: Cost,
}

impl Replicate {
    /// What a process recorded of a case in these visits, none of them in another mode than the first.
    pub fn of<'a>(
        start: &ProcessStart,
        case: &Case,
        visits: impl IntoIterator<Item = &'a VisitRecord>,
    ) -> Replicate {
        let (block, build, clock_step_ns) = (start.block, start.build, start.clock_step_ns);
        let place = start.place.unwrap_or(start.variant);
        let cost = Cost::new(start.collector);
        let mut replicate = Replicate { block, build, place, clock_step_ns, cost, ..Replicate::default() };
        for (ordinal, record) in (0..).zip(visits) {
            let metrics = &record.visit.metrics;
            for turn in &record.turns {
                replicate.rounds.add(ordinal, turn, turn::worth(turn, case, metrics, clock_step_ns));
                replicate.cost.add(turn, metrics, case.ops);
            }
        }
        replicate
    }

    /// The pair with a process of the new side, with this logarithm of its ratio, on clocks whose steps cancel.
    pub fn pair(&self, new: &Replicate, log: f64) -> Pair {
        Pair { block: self.block, builds: (self.build, new.build), log, resolution: 0.0 }
    }

    /// The pair of typical times; none without a common round.
    pub fn typical(&self, new: &Replicate) -> Option<Pair> {
        let resolution =
            self.rounds.resolution(self.clock_step_ns) + new.rounds.resolution(new.clock_step_ns);
        Some(Pair { resolution, ..self.pair(new, self.rounds.ratio(&new.rounds)?) })
    }

    /// The pair of mean times, of the processor or of the clock; none where one of them is not positive.
    pub fn mean(&self, new: &Replicate, by_cpu: bool) -> Option<Pair> {
        let ratio = new.cost.per_operation(by_cpu)? / self.cost.per_operation(by_cpu)?;
        Some(self.pair(new, libm::log(ratio)))
    }
}
