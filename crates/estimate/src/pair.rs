//! A pair: two processes of one block whose turns alternate.

use crate::cost::Cost;
use crate::rounds::Rounds;
use crate::{floor, turn};
use derny_model::{Case, ProcessStart, VisitRecord};
use derny_stats::location::by_group;

/// A pair with its log-ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Block of both processes.
    pub block: u32,
    /// Units of replication for the base and the new variant: see [`Replicate::unit`].
    pub units: (u32, u32),
    /// True if the base was launched first.
    pub base_first: bool,
    /// Logarithm of the new value divided by the base's.
    pub log: f64,
    /// Possible effect of the clock steps, as a share. 0 if the two clocks' effects cancel.
    pub resolution: f64,
    /// Values of both processes within their wave. `None` if the pair was not measured in a wave.
    pub in_wave: Option<InWave>,
}

/// The values of both processes of a pair in a wave. Typical times are relative to the common level of each
/// round. Other quantities are absolute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InWave {
    /// Number of the wave.
    pub wave: u32,
    /// Logarithm of the base's value, with the common level of its rounds subtracted.
    pub base: f64,
    /// Logarithm of the other variant's value, with the common level of its rounds subtracted.
    pub new: f64,
}

/// The costs of the two processes of a pair.
#[derive(Debug, Clone, Copy)]
pub struct CostPair<'a> {
    /// Number of the block.
    pub block: u32,
    /// Units of replication above the pair, for the base and for the new variant: machines or builds.
    pub units: (u32, u32),
    /// Cost of the base's process.
    pub base: &'a Cost,
    /// Cost of the other variant's process.
    pub new: &'a Cost,
}

/// Returns the logarithms of the replicates: one per pair, or one per machine or build if there are several.
pub fn repeated(pairs: &[Pair]) -> Vec<f64> {
    let (logs, units): (Vec<f64>, Vec<(u32, u32)>) = pairs.iter().map(|pair| (pair.log, pair.units)).unzip();
    by_group(&logs, &units)
}

/// A process of a pair.
#[derive(Debug, Clone, Default)]
pub struct Replicate {
    /// Number of its block in the run.
    pub block: u32,
    /// Position of the process in the launch order of its block.
    pub place: u32,
    /// Unit of replication: the machine if the run has several, and otherwise the build of the variant. Pairs
    /// of the same unit share its systematic deviation.
    pub unit: u32,
    /// Number of the wave in which it alternated with other processes of its case. `None` if it alternated
    /// only within its block.
    pub wave: Option<u32>,
    /// Step of its clock, in ns.
    pub clock_step_ns: u64,
    /// Its measured turns.
    pub rounds: Rounds,
    /// Its total cost.
    pub cost: Cost,
    /// Time from its launch to the end of its last turn, in ns.
    pub age_ns: u64,
    /// Cost of the empty body in this process, in ns per operation.
    pub floor: Option<f64>,
}

impl Replicate {
    /// Returns the results of a process for a case. All visits must be in the default mode. If an imported
    /// file contains counts in addition to times, the counts are ignored.
    pub fn of<'a>(
        start: &ProcessStart,
        case: &Case,
        visits: impl IntoIterator<Item = &'a VisitRecord, IntoIter: Clone>,
    ) -> Replicate {
        let mut replicate = Replicate::started(start);
        let visits = visits.into_iter();
        let timed = visits.clone().any(|record| record.turns.facts().timed);
        for (ordinal, record) in (0..).zip(visits) {
            let metrics = &record.visit.metrics;
            for turn in &record.turns {
                let worth = match timed {
                    true => turn::value(turn, case.ops, replicate.clock_step_ns),
                    false => turn::reading(turn, case, metrics),
                };
                replicate.rounds.add(ordinal, turn, metrics, worth);
                replicate.cost.add(turn, metrics, case.ops);
                // Times in an imported file may be as large as the integer type allows.
                let ended_ns = turn.at_ns.saturating_add(turn.wall_ns);
                let age_ns = ended_ns.saturating_sub(start.at_ns).saturating_add(start.launch_ns);
                replicate.age_ns = replicate.age_ns.max(age_ns);
                replicate.floor = floor::of_turn(turn, case, replicate.clock_step_ns).or(replicate.floor);
            }
        }
        replicate
    }

    /// Returns the replicate of a launched process, without any measurements yet.
    pub fn started(start: &ProcessStart) -> Replicate {
        let (block, clock_step_ns) = (start.block, start.clock_step_ns);
        let unit = start.machine.unwrap_or(start.build);
        // Earlier versions launched processes in the order of the variants.
        let place = start.place.unwrap_or(start.variant);
        let (cost, wave) = (Cost::new(start.collector), start.wave);
        Replicate { block, place, unit, wave, clock_step_ns, cost, ..Replicate::default() }
    }

    /// Returns the pair of this process and `new` with this log-ratio. The steps of their clocks are assumed
    /// to cancel.
    pub fn pair(&self, new: &Replicate, log: f64) -> Pair {
        let base_first = self.place < new.place;
        Pair {
            block: self.block,
            units: (self.unit, new.unit),
            base_first,
            log,
            resolution: 0.0,
            in_wave: None,
        }
    }

    /// Returns the pair of this process and `new`. `base` and `after` are the logarithms of the values that
    /// the two processes measured, or the values themselves if any value of the comparison is not positive.
    /// `log` is `after` minus `base`.
    pub fn pair_of(&self, new: &Replicate, log: f64, base: f64, after: f64) -> Pair {
        let wave = self.wave.filter(|_| self.wave == new.wave);
        let in_wave = wave.map(|wave| InWave { wave, base, new: after });
        Pair { in_wave, ..self.pair(new, log) }
    }

    /// Returns the pair of typical times, or `None` if it has too few usable rounds ([`Rounds::ratio`]).
    pub fn typical(&self, new: &Replicate) -> Option<Pair> {
        let resolution =
            self.rounds.resolution(self.clock_step_ns) + new.rounds.resolution(new.clock_step_ns);
        Some(Pair { resolution, ..self.pair(new, self.rounds.ratio(&new.rounds)?) })
    }

    /// Returns the pair of costs.
    pub fn costs<'a>(&'a self, new: &'a Replicate) -> CostPair<'a> {
        let units = (self.unit, new.unit);
        CostPair { block: self.block, units, base: &self.cost, new: &new.cost }
    }
}
