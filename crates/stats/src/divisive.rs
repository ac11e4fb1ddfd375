//! Change points by repeated division (E-divisive): where to divide is decided by the energy distance between the two
//! sides; whether to, by permutations, or by Student's test on windows as continuous benchmarking tools do.

mod windows;

pub use windows::by_windows;

use crate::rng::Rng;
use std::ops::Range;

/// A place where a series divides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Division {
    /// The index of the first value behind it.
    pub position: usize,
    /// The p-value of its test.
    pub p: f64,
}

/// Where a series divides best, and how far apart the sides are, in the unit of the values: of all starts `τ` and all
/// ends `κ` of the second side, those with the largest
/// `nm/(n+m) · (2/(nm) ΣΣ|x−y| − C(n,2)⁻¹ Σ|x−x'| − C(m,2)⁻¹ Σ|y−y'|)`, a side of one value having no distances within
/// (Matteson and James, 2014). The first of equals; `None` under two values. O(n²) time and memory.
pub fn best_division(values: &[f64]) -> Option<(usize, f64)> {
    let n = values.len();
    // At `k`, `t`: the distances of the k-th value to the first t, summed; only `t <= k` is ever asked for.
    let mut sums: Vec<Vec<f64>> = Vec::with_capacity(n);
    for (k, x) in values.iter().enumerate() {
        let distances = values[..k].iter().map(|other| (other - x).abs());
        let running = distances.scan(0.0, |sum, distance| {
            *sum += distance;
            Some(*sum)
        });
        sums.push(std::iter::once(0.0).chain(running).collect());
    }
    let per = |sum: f64, count: f64| if count > 1.0 { sum / (count - 1.0) } else { 0.0 };
    let mut best: Option<(usize, f64)> = None;
    let mut within_first = 0.0;
    for t in 1..n {
        within_first += sums[t - 1][t - 1];
        let (mut across, mut within_second) = (0.0, 0.0);
        for (k, sums) in sums.iter().enumerate().skip(t) {
            across += sums[t];
            within_second += sums[k] - sums[t];
            let (a, b) = (t as f64, (k + 1 - t) as f64);
            let within = b * per(within_first, a) + a * per(within_second, b);
            let distance = 2.0 / (a + b) * (across - within);
            if best.is_none_or(|(_, most)| distance > most) {
                best = Some((t, distance));
            }
        }
    }
    best
}

/// E-divisive: divides where the sides of a segment lie farthest apart, as long as that is farther than in all but a
/// share `level` of `permutations` of the values within the segments found so far; p-values are `(reached + 1) /
/// (permutations + 1)`, never 0. Positions increase. O(permutations · n²) per division. None with a NaN among the
/// values.
pub fn by_permutation(values: &[f64], level: f64, permutations: u32, rng: &mut Rng) -> Vec<Division> {
    let mut found: Vec<Division> = Vec::new();
    if values.iter().any(|x| x.is_nan()) {
        return found;
    }
    while let Some((position, distance)) = farthest(values, &found) {
        let mut mixed = values.to_vec();
        let mut reaches = |_: &u32| {
            segments(values.len(), &found).for_each(|segment| rng.shuffle(&mut mixed[segment]));
            farthest(&mixed, &found).is_some_and(|(_, other)| other >= distance)
        };
        let reached = (0..permutations).filter(|i| reaches(i)).count();
        let p = (reached + 1) as f64 / f64::from(permutations + 1);
        if p > level {
            break;
        }
        add(&mut found, Division { position, p });
    }
    found
}

/// The best division of any segment, and its distance.
fn farthest(values: &[f64], found: &[Division]) -> Option<(usize, f64)> {
    let best = |segment: Range<usize>| {
        let (position, distance) = best_division(&values[segment.clone()])?;
        Some((segment.start + position, distance))
    };
    segments(values.len(), found)
        .filter_map(best)
        .reduce(|most, next| if next.1 > most.1 { next } else { most })
}

fn segments(length: usize, found: &[Division]) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(found.iter().map(|division| division.position));
    let ends = found.iter().map(|division| division.position).chain([length]);
    starts.zip(ends).map(|(start, end)| start..end)
}

/// Keeps positions increasing.
fn add(found: &mut Vec<Division>, division: Division) {
    let place = found.partition_point(|other| other.position < division.position);
    found.insert(place, division);
}
