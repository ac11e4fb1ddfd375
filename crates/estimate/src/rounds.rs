//! The measured turns of one process, by round: what its time per operation is, and how it compares with a process that was
//! alternated with it.

use crate::turn;
use derny_model::{Phase, Turn};
use derny_stats::location::best_group_median;
use derny_stats::median;
use std::collections::BTreeMap;

/// A processor counts by itself from this many turns on.
pub const LEAST_TURNS: usize = 3;

/// Which turn: the ordinal of its visit among those of the process to the case, and its round.
pub type At = (u32, u32);

/// The measured turns of one process.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    /// Logarithms of the values of turns that took measurable time, in ns per operation, in time order.
    logs: Vec<f64>,
    /// Which turn each of them is, and on which processor it ran.
    places: Vec<(At, Option<u32>)>,
    turns: u32,
    timed_ns: u64,
    batches: usize,
}

impl Rounds {
    /// Takes a turn whose value is `value`; one that is not measured is nothing. A turn that took no measurable time has no
    /// logarithm, and is counted only.
    pub fn add(&mut self, visit: u32, turn: &Turn, value: Option<f64>) {
        if turn.phase != Phase::Measured {
            return;
        }
        self.turns += 1;
        self.timed_ns += turn.times_ns.iter().sum::<u64>();
        self.batches += turn.times_ns.len();
        if let Some(value) = value.filter(|value| *value > 0.0) {
            self.logs.push(libm::log(value));
            self.places.push(((visit, turn.round), turn.cpu));
        }
    }

    /// Turns taken.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Logarithms of the turns' values, in time order.
    pub fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// Logarithm of the process's time per operation; none where no turn took measurable time. See [`location`].
    pub fn location(&self) -> Option<f64> {
        let processors: Vec<Option<u32>> = self.places.iter().map(|(_, processor)| *processor).collect();
        location(&self.logs, &processors)
    }

    fn by_round(&self) -> BTreeMap<At, f64> {
        self.places.iter().zip(&self.logs).map(|((at, _), log)| (*at, *log)).collect()
    }

    /// Logarithms of the ratios (`new` over this one) of the rounds that both have, in their order: both turns of a round ran
    /// next to each other on the same processor.
    pub fn ratios(&self, new: &Rounds) -> Vec<f64> {
        let new = new.by_round();
        let ratio = |(at, log): (At, f64)| new.get(&at).map(|other| other - log);
        self.by_round().into_iter().filter_map(ratio).collect()
    }

    /// The logarithm of a pair's ratio: the median of [`Rounds::ratios`]; none without a common round.
    ///
    /// Not Hodges–Lehmann: most rounds agree closely, and those in which one turn was hit lie far off. Of 21 runs without a difference,
    /// resampled, the median spread little more than half as much (docs/methodology.md).
    pub fn ratio(&self, new: &Rounds) -> Option<f64> {
        let ratios = self.ratios(new);
        (!ratios.is_empty()).then(|| median(&ratios))
    }

    /// By how much half a step of the clock may have moved the median batch, in shares ([`turn::rounding`]).
    pub fn resolution(&self, clock_step_ns: u64) -> f64 {
        turn::rounding(self.timed_ns, self.batches, clock_step_ns)
    }
}

/// Logarithm of a process's time per operation, from the logarithms of its turns' values and their processors: the median over its
/// turns on the processor where that is least. None without values.
///
/// One processor: on one virtual machine the same loop differed by up to a factor of two between processors, for
/// seconds at a time and for no cause that could be seen from inside; a median over both would jump between them.
///
/// The median, although Hodges–Lehmann needs a third fewer turns where noise is normal: beside busy
/// programs a third to a half of a process's turns are slowed, some twofold, and none is quickened. With six
/// busy loops on two processors the median stayed within 0.4 % of the quiet time and its spread over
/// processes at 1.4 %; Hodges–Lehmann, which bears 29 % of outliers, was 4.5 % off and spread 8 %.
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
            rounds.add(0, &turn, Some(*value));
        }
        rounds
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
        // Too few turns there.
        assert_eq!(rounds(&values[..4]).location(), Some(libm::log(2.0) / 2.0));
    }
}
