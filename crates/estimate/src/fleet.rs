//! Detects a machine that deviates from the others in a fleet.
//!
//! Each machine is checked for the scatter of its pairs and for a shift of its ratios, case by case.
//! Machines are compared by modified z-scores of medians (Iglewicz and Hoaglin, 1993).

use derny_stats::{median, scale};

/// Minimum number of machines. Two of three machines may agree by chance, and the third would wrongly look
/// like an outlier.
const LEAST: usize = 4;
/// Modified z-score above which a machine is an outlier (Iglewicz and Hoaglin, 1993).
const ODD: f64 = 3.5;
const NORMAL: f64 = 1.4826;
const NOISY: f64 = 2.0;
/// Minimum scale for differences in scatter, as a logarithm. Smaller differences are due to chance.
const ALIKE_NOISE: f64 = 0.1;
/// Minimum scale for differences in ratios, as a share.
const ALIKE_SHIFT: f64 = 0.001;

/// One case on one machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseOnMachine {
    /// Index of the machine.
    pub machine: u32,
    /// Logarithm of the ratio of the machine's pairs.
    pub log: f64,
    /// Standard deviation of the machine's pairs. `None` for a single pair.
    pub spread: Option<f64>,
    /// Number of the machine's pairs.
    pub pairs: u32,
}

/// The deviation of a machine from the others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Deviation {
    /// Number of cases that the machine measured.
    pub cases: u32,
    /// Number of pairs that it measured of these cases.
    pub pairs: u32,
    /// Ratio of the scatter of its pairs to that of the others. `None` if unknown.
    pub noise: Option<f64>,
    /// Logarithm of the shift of its ratios against the others. `None` if it shares too few cases with other
    /// machines.
    pub shift: Option<f64>,
    /// True if its scatter is an outlier.
    pub is_noisy: bool,
    /// True if its shift is an outlier.
    pub is_apart: bool,
}

/// Returns the deviation of each machine from the others.
pub fn standings(cases: &[Vec<CaseOnMachine>], machines: usize) -> Vec<Deviation> {
    let all: Vec<f64> = cases.iter().flatten().filter_map(spread).collect();
    let usual = (!all.is_empty()).then(|| median(&all));
    let mut noise: Vec<Vec<f64>> = vec![Vec::new(); machines];
    let mut shift: Vec<Vec<f64>> = vec![Vec::new(); machines];
    let mut standings = vec![Deviation::default(); machines];
    for case in cases {
        let own: Vec<f64> = case.iter().filter_map(spread).collect();
        let beside = if own.len() >= LEAST { Some(median(&own)) } else { usual };
        for seen in case.iter().filter(|seen| (seen.machine as usize) < machines) {
            let at = seen.machine as usize;
            standings[at].cases += 1;
            standings[at].pairs += seen.pairs;
            noise[at].extend(spread(seen).zip(beside).map(|(own, beside)| own - beside));
            let others = case.iter().filter(|other| other.machine != seen.machine);
            let others: Vec<f64> = others.map(|other| other.log).collect();
            if others.len() >= 2 {
                shift[at].push(seen.log - median(&others));
            }
        }
    }
    let noise: Vec<Option<f64>> = noise.iter().map(|own| (!own.is_empty()).then(|| median(own))).collect();
    let shift: Vec<Option<f64>> = shift.iter().map(|own| (!own.is_empty()).then(|| median(own))).collect();
    let (noisy, apart) = (scores(&noise, ALIKE_NOISE), scores(&shift, ALIKE_SHIFT));
    for (at, standing) in standings.iter_mut().enumerate() {
        standing.noise = noisy[at].map(|(off, _)| libm::exp(off));
        standing.shift = apart[at].map(|(off, _)| off);
        standing.is_noisy = noisy[at].is_some_and(|(off, score)| score > ODD && off > libm::log(NOISY));
        standing.is_apart = apart[at].is_some_and(|(_, score)| score.abs() > ODD);
    }
    standings
}

fn spread(seen: &CaseOnMachine) -> Option<f64> {
    seen.spread.filter(|spread| *spread > 0.0).map(libm::log)
}

fn scores(values: &[Option<f64>], alike: f64) -> Vec<Option<(f64, f64)>> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    if known.is_empty() {
        return vec![None; values.len()];
    }
    let middle = median(&known);
    let scale = (NORMAL * scale::mad(&known)).max(alike);
    let score = |off: f64| if known.len() < LEAST { 0.0 } else { off / scale };
    values.iter().map(|value| value.map(|value| (value - middle, score(value - middle)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(odd: impl Fn(&mut CaseOnMachine)) -> Vec<Vec<CaseOnMachine>> {
        let seen = |case: u32, machine: u32| {
            let wobble = f64::from((case * 7 + machine * 5) % 6);
            let (log, spread) = (0.01 + 0.0002 * wobble, 0.004 + 0.0003 * wobble);
            let mut seen = CaseOnMachine { machine, log, spread: Some(spread), pairs: 4 };
            if machine == 2 {
                odd(&mut seen);
            }
            seen
        };
        (0..3).map(|case| (0..6).map(|machine| seen(case, machine)).collect()).collect()
    }

    fn odd(cases: &[Vec<CaseOnMachine>]) -> Vec<(usize, bool, bool)> {
        let all = standings(cases, 6).into_iter().enumerate();
        all.filter(|(_, one)| one.is_noisy || one.is_apart)
            .map(|(at, one)| (at, one.is_noisy, one.is_apart))
            .collect()
    }

    #[test]
    fn the_machine_that_is_not_like_the_others_is_found() {
        assert_eq!(odd(&cases(|_| ())), []);
        assert_eq!(
            odd(&cases(|seen| seen.spread = seen.spread.map(|spread| 5.0 * spread))),
            [(2, true, false)]
        );
        assert_eq!(odd(&cases(|seen| seen.log += 0.05)), [(2, false, true)]);
        let standing = standings(&cases(|seen| seen.log += 0.05), 6)[2];
        assert_eq!((standing.cases, standing.pairs), (3, 12));
        assert!((0.045..0.055).contains(&standing.shift.unwrap()), "{standing:?}");
    }

    #[test]
    fn of_few_machines_none_is_accused() {
        let three: Vec<Vec<CaseOnMachine>> = cases(|seen| seen.log += 0.05);
        let three: Vec<Vec<CaseOnMachine>> = three.into_iter().map(|case| case[..3].to_vec()).collect();
        assert_eq!(odd(&three), []);
        assert!(standings(&[], 2).iter().all(|one| *one == Deviation::default()));
        let alone = vec![vec![CaseOnMachine { machine: 0, log: 0.1, spread: Some(0.01), pairs: 8 }]];
        assert_eq!(standings(&alone, 1)[0].shift, None);
    }
}
