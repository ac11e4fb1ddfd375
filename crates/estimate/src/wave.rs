//! A wave: processes of both variants that are alive together and are all visited in every round. Turns of
//! one round share the state of the machine. Subtracting this common part makes values comparable across the
//! wave.

use crate::pair::{InWave, Pair, Replicate};
use crate::rounds::{At, LEAST_CLEAN, Rounds};
use derny_stats::median;
use std::collections::BTreeMap;

/// Returns the pairs of typical time of these processes. Pairs in a wave include the value of each process
/// within the wave. Omits pairs with too few usable rounds ([`Rounds::ratio`]).
pub fn pairs(both: &[(&Replicate, &Replicate)]) -> Vec<Pair> {
    let mut levels: BTreeMap<u32, BTreeMap<At, f64>> = BTreeMap::new();
    for wave in both.iter().filter_map(|(base, _)| base.wave) {
        levels.entry(wave).or_insert_with(|| common(both.iter().filter(|(base, _)| base.wave == Some(wave))));
    }
    let one = |(base, new): &(&Replicate, &Replicate)| {
        let pair = base.typical(new)?;
        let Some(wave) = base.wave.filter(|_| base.wave == new.wave) else { return Some(pair) };
        let of = |replicate: &Replicate| value(&replicate.rounds, &levels[&wave]);
        let (base, new) = (of(base)?, of(new)?);
        Some(Pair { in_wave: Some(InWave { wave, base, new }), ..pair })
    };
    both.iter().filter_map(one).collect()
}

/// Returns the common level of each round: the midpoint between the medians of both variants. Ignores turns
/// with compilation.
fn common<'a>(both: impl Iterator<Item = &'a (&'a Replicate, &'a Replicate)>) -> BTreeMap<At, f64> {
    let mut rounds: BTreeMap<At, [Vec<f64>; 2]> = BTreeMap::new();
    for (base, new) in both {
        for (side, replicate) in [base, new].into_iter().enumerate() {
            for (at, log) in clean(&replicate.rounds) {
                rounds.entry(at).or_default()[side].push(log);
            }
        }
    }
    let level = |(at, [base, new]): (At, [Vec<f64>; 2])| {
        let has_both = !base.is_empty() && !new.is_empty();
        has_both.then(|| (at, (median(&base) + median(&new)) / 2.0))
    };
    rounds.into_iter().filter_map(level).collect()
}

/// Returns the median of a process's turns, relative to the level of each round. `None` if too few turns are
/// without compilation.
fn value(rounds: &Rounds, levels: &BTreeMap<At, f64>) -> Option<f64> {
    let all = rounds.turns_by_round().filter(|(at, ..)| levels.contains_key(at)).count();
    let own: Vec<f64> = clean(rounds).filter_map(|(at, log)| Some(log - levels.get(&at)?)).collect();
    let counts = !own.is_empty() && (own.len() == all || own.len() >= LEAST_CLEAN);
    counts.then(|| median(&own))
}

fn clean(rounds: &Rounds) -> impl Iterator<Item = (At, f64)> + use<> {
    rounds.turns_by_round().filter(|(.., compiled)| !compiled).map(|(at, log, _)| (at, log))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn;
    use derny_model::Turn;

    fn process(block: u32, place: u32, times: &[f64]) -> Replicate {
        let mut replicate = Replicate { block, place, wave: Some(3), ..Replicate::default() };
        for (round, value) in (0..).zip(times) {
            let turn = Turn { round, times_ns: vec![1000; 2], ..turn::tests::turn() };
            replicate.rounds.add(0, &turn, &[], Some(*value));
        }
        replicate
    }

    fn values(both: &[(Replicate, Replicate)]) -> Vec<InWave> {
        let both: Vec<(&Replicate, &Replicate)> = both.iter().map(|(base, new)| (base, new)).collect();
        pairs(&both).into_iter().filter_map(|pair| pair.in_wave).collect()
    }

    #[test]
    fn what_a_round_has_in_common_cancels() {
        let moment = [1.0, 1.7, 0.6, 2.5, 1.1];
        let of = |block, place, own: f64| process(block, place, &moment.map(|level| level * own));
        let both = [(of(0, 0, 1.0), of(0, 1, 1.05)), (of(1, 0, 1.02), of(1, 1, 1.06))];
        let found = values(&both);
        let gap = |a: f64, b: f64, ratio: f64| assert!((a - b - ratio.ln()).abs() < 1e-12, "{a} {b} {ratio}");
        gap(found[0].new, found[0].base, 1.05);
        gap(found[1].new, found[0].base, 1.06);
        gap(found[1].base, found[0].base, 1.02);
    }

    #[test]
    fn a_wave_of_one_pair_says_what_the_pair_says() {
        let both = [(process(0, 0, &[1.0, 2.0, 3.0]), process(0, 1, &[1.1, 2.1, 3.9]))];
        let found = values(&both)[0];
        let ratio = both[0].0.rounds.ratio(&both[0].1.rounds).unwrap();
        assert!((found.new - found.base - ratio).abs() < 1e-12);
    }

    #[test]
    fn a_round_that_one_side_lacks_has_no_level() {
        let both = [(process(0, 0, &[1.0; 4]), process(0, 1, &[1.1; 3]))];
        assert_eq!(values(&both).len(), 1);
        let alone = Replicate { wave: None, ..both[0].0.clone() };
        let other = Replicate { wave: None, ..both[0].1.clone() };
        assert_eq!(values(&[(alone, other)]), [], "pairs that are no wave have no values in one");
    }
}
