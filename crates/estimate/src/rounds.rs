//! The measured turns of a process, by round. They yield the process's time per operation, and its ratio to
//! the process that it alternated with.

use crate::{reject, turn};
use derny_model::{Metric, Phase, Turn};
use derny_stats::location::best_group_median;
use derny_stats::looks::LEAST_OF_A_WAVE;
use derny_stats::median;

/// A processor needs at least this many turns for a median of its own.
pub const LEAST_TURNS: usize = 3;
/// If code was compiled, a pair needs at least this many rounds without compilation.
pub const LEAST_CLEAN: usize = 3;

/// Identifies a turn by visit and round. Visits are counted per process and case.
pub type At = (u32, u32);

/// The measured turns of a process.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    /// Logarithms of the turns' values in ns per operation, in chronological order. Turns without measurable
    /// time have none.
    pub(crate) logs: Vec<f64>,
    /// Turn and processor of each logarithm.
    pub(crate) places: Vec<(At, Option<u32>)>,
    /// For each logarithm, true if code was compiled or loaded in that turn.
    pub(crate) compiled: Vec<bool>,
    pub(crate) turns: u32,
    pub(crate) timed_ns: u64,
    pub(crate) batches: usize,
}

impl Rounds {
    /// Adds a turn with this value. `metrics` describes its counters. Ignores turns that are not measured. A
    /// turn without measurable time is counted, but has no logarithm.
    pub fn add(&mut self, visit: u32, turn: &Turn, metrics: &[Metric], value: Option<f64>) {
        if turn.phase != Phase::Measured {
            return;
        }
        self.turns += 1;
        self.timed_ns += turn.times_ns.iter().sum::<u64>();
        self.batches += turn.times_ns.len();
        if let Some(value) = value.filter(|value| *value > 0.0) {
            self.logs.push(libm::log(value));
            self.places.push(((visit, turn.round), turn.cpu));
            self.compiled.push(reject::hit(&["compile", "classload"], metrics, &turn.counters));
        }
    }

    /// Returns the number of turns.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Returns the logarithms of the turns' values, in chronological order.
    pub fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// Returns the logarithm of the process's time per operation. Ignores turns with compilation if enough
    /// others remain. Returns `None` if no turn had measurable time. See [`location`].
    pub fn location(&self) -> Option<f64> {
        let clean = self.compiled.iter().filter(|compiled| !**compiled).count();
        let counts = |at: &usize| clean < LEAST_CLEAN || !self.compiled[*at];
        let turns: Vec<usize> = (0..self.logs.len()).filter(counts).collect();
        let logs: Vec<f64> = turns.iter().map(|at| self.logs[*at]).collect();
        let processors: Vec<Option<u32>> = turns.iter().map(|at| self.places[*at].1).collect();
        location(&logs, &processors)
    }

    fn by_round(&self) -> Vec<(At, f64, bool)> {
        let turns = self.places.iter().zip(&self.logs).zip(&self.compiled);
        let mut turns: Vec<_> = turns.map(|(((at, _), log), compiled)| (*at, *log, *compiled)).collect();
        turns.reverse();
        turns.sort_by_key(|(at, ..)| *at);
        turns.dedup_by_key(|(at, ..)| *at);
        turns
    }

    /// Returns the rounds in order, each with the logarithm of its value and true if code was compiled.
    pub fn turns_by_round(&self) -> impl Iterator<Item = (At, f64, bool)> + use<> {
        self.by_round().into_iter()
    }

    /// Returns the log-ratios (`new` divided by this process) of the common rounds, in order. The flag is
    /// true if code was compiled in either process. The two turns of a round ran one after the other on the
    /// same processor.
    fn common(&self, new: &Rounds) -> impl Iterator<Item = (f64, bool)> + use<> {
        let new = new.by_round();
        let ratio = move |(at, log, compiled): (At, f64, bool)| {
            let (_, other, too) = new[new.binary_search_by_key(&at, |(at, ..)| *at).ok()?];
            Some((other - log, compiled || too))
        };
        self.by_round().into_iter().filter_map(ratio)
    }

    /// Returns the log-ratios (`new` divided by this process) of the common rounds without compilation, in
    /// order.
    pub fn ratios(&self, new: &Rounds) -> Vec<f64> {
        self.common(new).filter(|(_, compiled)| !compiled).map(|(ratio, _)| ratio).collect()
    }

    /// Returns the number of common rounds, and the number of those without compilation.
    pub fn clean(&self, new: &Rounds) -> (usize, usize) {
        let all: Vec<bool> = self.common(new).map(|(_, compiled)| compiled).collect();
        (all.len(), all.iter().filter(|compiled| !**compiled).count())
    }

    /// Returns the log-ratio of a pair: the median of [`Rounds::ratios`]. Returns `None` if there are no
    /// common rounds, or too few without compilation.
    ///
    /// The median beats Hodges–Lehmann here. Most rounds agree closely, and a disturbed round is far off.
    /// In 21 resampled runs without a difference, its spread was little more than half as large
    /// (docs/reference/method.md).
    pub fn ratio(&self, new: &Rounds) -> Option<f64> {
        let common: Vec<(f64, bool)> = self.common(new).collect();
        let clean: Vec<f64> =
            common.iter().filter(|(_, compiled)| !compiled).map(|(ratio, _)| *ratio).collect();
        let counts = !clean.is_empty() && (clean.len() == common.len() || clean.len() >= LEAST_CLEAN);
        counts.then(|| median(&clean))
    }

    /// Returns the possible effect of half a clock step on the median batch, as a share ([`turn::rounding`]).
    pub fn resolution(&self, clock_step_ns: u64) -> f64 {
        turn::rounding(self.timed_ns, self.batches, clock_step_ns)
    }
}

/// Returns true if all of these log-ratios exceed `margin`, a share, in the same direction.
pub fn are_beyond(ratios: &[f64], margin: f64) -> bool {
    [1.0, -1.0].iter().any(|sign| ratios.iter().all(|ratio| sign * ratio > margin))
}

/// Returns true if a difference is so obvious that the next look decides it without more rounds. There must
/// be enough pairs for a look, and all must exceed `margin` in the same direction.
///
/// More rounds would be a second chance to find a difference where there is none. Equal programs rarely
/// differ so obviously by chance. The first look of a case finds a difference in at most .010 of runs, and
/// its level is .0097 (`analysis/tests/simulation`).
pub fn is_plain(ratios: &[f64], margin: f64) -> bool {
    ratios.len() >= LEAST_OF_A_WAVE && are_beyond(ratios, margin)
}

/// Returns the logarithm of a process's time per operation, from the logarithms of its turns' values. It is
/// the median of the turns on the fastest processor. Returns `None` without values.
///
/// On a virtual machine, processors may differ by a factor of two for seconds at a time, without visible
/// cause. A median over several processors would jump between their speeds.
///
/// Hodges–Lehmann needs a third fewer turns if noise is normal, but the median is more robust. Other
/// programs may slow up to half of a process's turns, some twofold. With six busy loops on two processors,
/// the median stayed within 0.4 % of its value on the idle machine. Hodges–Lehmann, which tolerates 29 % of
/// outliers, was off by 4.5 %.
///
/// If a machine switches speed more slowly than processes end, no other value has less scatter
/// (docs/notes/007-value-of-a-process.md).
pub fn location(logs: &[f64], processors: &[Option<u32>]) -> Option<f64> {
    (!logs.is_empty()).then(|| best_group_median(logs, processors, LEAST_TURNS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(values: &[(f64, Option<u32>)]) -> Rounds {
        let mut rounds = Rounds::default();
        for (round, (value, cpu)) in (0..).zip(values) {
            let turn = Turn { round, cpu: *cpu, times_ns: vec![1000; 2], ..turn::tests::turn() };
            rounds.add(0, &turn, &[], Some(*value));
        }
        rounds
    }

    #[test]
    fn rounds_in_which_code_was_compiled_do_not_count() {
        let metric = Metric {
            name: "compiled".into(),
            unit: "count".into(),
            kind: derny_model::Kind::Total,
            direction: derny_model::Direction::None,
            exact: false,
        };
        let of = |values: &[(f64, f64)]| {
            let mut rounds = Rounds::default();
            for (round, (value, count)) in (0..).zip(values) {
                let counters = vec![Some(*count)];
                let turn = Turn { round, counters, times_ns: vec![1000], ..turn::tests::turn() };
                rounds.add(0, &turn, std::slice::from_ref(&metric), Some(*value));
            }
            rounds
        };
        let base = of(&[(1.0, 0.0); 5]);
        let settled = of(&[(9.0, 1.0), (9.0, 2.0), (2.0, 0.0), (2.0, 0.0), (2.0, 0.0)]);
        assert_eq!(base.clean(&settled), (5, 3));
        assert_eq!(base.ratio(&settled), Some(std::f64::consts::LN_2));
        let compiling = of(&[(9.0, 1.0), (9.0, 1.0), (9.0, 1.0), (2.0, 0.0), (2.0, 0.0)]);
        assert_eq!((base.ratio(&compiling), compiling.ratio(&base)), (None, None));
    }

    #[test]
    fn a_turn_without_measurable_time_is_no_round() {
        let (base, new) = (rounds(&[(1.0, None), (0.0, None), (1.0, None)]), rounds(&[(2.0, None); 3]));
        assert_eq!((base.turns(), base.logs().len()), (3, 2));
        assert_eq!(base.ratios(&new).len(), 2);
        assert_eq!(base.ratio(&new), Some(std::f64::consts::LN_2));
        assert_eq!(rounds(&[(0.0, None)]).ratio(&new), None);
        assert_eq!(rounds(&[(0.0, None)]).location(), None);
    }

    #[test]
    fn of_several_turns_of_a_round_the_last_counts() {
        let mut twice = rounds(&[(1.0, None), (2.0, None), (4.0, None)]);
        let again = Turn { round: 1, times_ns: vec![1000; 2], ..turn::tests::turn() };
        twice.add(0, &again, &[], Some(8.0));
        let ratios = rounds(&[(1.0, None); 3]).ratios(&twice);
        assert_eq!(ratios, [1.0, 8.0, 4.0].map(libm::log));
    }

    #[test]
    fn rounds_in_which_one_turn_was_hit_do_not_move_a_pair() {
        let other: Vec<(f64, Option<u32>)> =
            (0..12).map(|r| (if r < 5 { 1.4 } else { 1.02 }, None)).collect();
        let ratio = rounds(&[(1.0, None); 12]).ratio(&rounds(&other)).unwrap();
        assert!((ratio - libm::log(1.02)).abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn the_quicker_processor_counts() {
        let values: Vec<(f64, Option<u32>)> =
            (0..6).map(|r| if r % 2 == 0 { (2.0, Some(0)) } else { (1.0, Some(1)) }).collect();
        assert_eq!(rounds(&values).location(), Some(0.0));
        assert_eq!(rounds(&values[..4]).location(), Some(libm::log(2.0) / 2.0));
    }
}
