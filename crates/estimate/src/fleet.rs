//! Several machines that measure the same cases: which of them is not like the others.
//!
//! Two things are asked of each. How far do its pairs scatter, beside those of the others? And are its ratios shifted, case by case, from
//! what the others say? Machines are held against each other by modified z-scores of medians (Iglewicz and Hoaglin 1993).

use derny_stats::{median, scale};

/// Machines under which none is called odd: of three, two that agree by chance would accuse the third.
const LEAST: usize = 4;
/// A modified z-score beyond this is odd (Iglewicz and Hoaglin 1993).
const ODD: f64 = 3.5;
/// The median absolute deviation of normal values, times this, is their standard deviation.
const NORMAL: f64 = 1.4826;
/// Scatter is not odd below this many times that of the others.
const NOISY: f64 = 2.0;
/// Machines whose scatter agrees as well as this, as a logarithm, agree by luck.
const ALIKE_NOISE: f64 = 0.1;
/// The same of ratios, as a share.
const ALIKE_SHIFT: f64 = 0.001;

/// One case on one machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Which machine.
    pub machine: u32,
    /// Logarithm of the ratio that its pairs show.
    pub log: f64,
    /// Standard deviation of its pairs; none of a single one.
    pub spread: Option<f64>,
    /// Its pairs.
    pub pairs: u32,
}

/// How a machine stands among the others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Standing {
    /// Cases that it measured.
    pub cases: u32,
    /// Pairs of them.
    pub pairs: u32,
    /// By how much its pairs scatter more than those of the others, as a factor; none where nothing is known of it.
    pub noise: Option<f64>,
    /// By how much its ratios are shifted from those of the others, as a logarithm; none where it shares too few cases with others.
    pub shift: Option<f64>,
    /// That scatter is odd.
    pub is_noisy: bool,
    /// That shift is odd.
    pub is_apart: bool,
}

/// How each of so many machines stands, by what was seen of every case.
pub fn standings(cases: &[Vec<Seen>], machines: usize) -> Vec<Standing> {
    let all: Vec<f64> = cases.iter().flatten().filter_map(spread).collect();
    let usual = (!all.is_empty()).then(|| median(&all));
    let mut noise: Vec<Vec<f64>> = vec![Vec::new(); machines];
    let mut shift: Vec<Vec<f64>> = vec![Vec::new(); machines];
    let mut standings = vec![Standing::default(); machines];
    for case in cases {
        let own: Vec<f64> = case.iter().filter_map(spread).collect();
        // Few machines say little of the case itself.
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

/// The logarithm of how far pairs scatter.
fn spread(seen: &Seen) -> Option<f64> {
    seen.spread.filter(|spread| *spread > 0.0).map(libm::log)
}

/// How far each value is from the middle, and its modified z-score; `alike` is the least scale. A score of 0 where too few are known.
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

    /// Six machines with three cases; `odd` changes what the third shows.
    fn cases(odd: impl Fn(&mut Seen)) -> Vec<Vec<Seen>> {
        let seen = |case: u32, machine: u32| {
            let wobble = f64::from((case * 7 + machine * 5) % 6);
            let (log, spread) = (0.01 + 0.0002 * wobble, 0.004 + 0.0003 * wobble);
            let mut seen = Seen { machine, log, spread: Some(spread), pairs: 4 };
            if machine == 2 {
                odd(&mut seen);
            }
            seen
        };
        (0..3).map(|case| (0..6).map(|machine| seen(case, machine)).collect()).collect()
    }

    fn odd(cases: &[Vec<Seen>]) -> Vec<(usize, bool, bool)> {
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
        let three: Vec<Vec<Seen>> = cases(|seen| seen.log += 0.05);
        let three: Vec<Vec<Seen>> = three.into_iter().map(|case| case[..3].to_vec()).collect();
        assert_eq!(odd(&three), []);
        assert!(standings(&[], 2).iter().all(|one| *one == Standing::default()));
        // What only one machine measured says nothing of a shift.
        let alone = vec![vec![Seen { machine: 0, log: 0.1, spread: Some(0.01), pairs: 8 }]];
        assert_eq!(standings(&alone, 1)[0].shift, None);
    }
}
