//! Quantiles, densities, modes, fences, trends and levels against reference values, and the properties they must have.

mod data;

use data::{A, B, close, shapes};
use derny_stats::changepoint::any_distribution;
use derny_stats::density::{quantile_density, smooth};
use derny_stats::levels::{CANDIDATES, FINDINGS, levels, wander};
use derny_stats::modes::{lowland, m_value};
use derny_stats::outliers::double_mad_fences;
use derny_stats::quantile::{hd_quantile, trimmed_hd_quantile};
use derny_stats::rng::Rng;
use derny_stats::trend::{drift, mann_kendall};
use derny_stats::{median, quantile};

fn normal(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.normal()).collect()
}

#[test]
fn a_smoothed_density_has_the_bandwidth_of_silverman_and_the_area_one() {
    // Five values with s = 1.5811 and an interquartile range of 2: the bandwidth is 0.9 · 1.4925 · 5^(-1/5) = 0.9736.
    let values = [1.0, 2.0, 3.0, 4.0, 5.0];
    let width: f64 = 0.9 * (2.0 / 1.34) * 5f64.powf(-0.2);
    let kernel =
        |x: f64| (-0.5 * (x / width) * (x / width)).exp() / (width * (2.0 * std::f64::consts::PI).sqrt());
    let expected = values.iter().map(|v| kernel(3.0 - v)).sum::<f64>() / 5.0;
    let points = smooth(&values, -5.0, 11.0, 161);
    close(points[80].0, 3.0, 1e-12);
    close(points[80].1, expected, 1e-12);
    let area: f64 = points.windows(2).map(|p| (p[1].0 - p[0].0) * (p[0].1 + p[1].1) / 2.0).sum();
    close(area, 1.0, 1e-4);
    for nothing in [&[2.0; 4][..], &[1.0], &[], &[1.0, f64::NAN]] {
        assert_eq!(smooth(nothing, 0.0, 1.0, 10), []);
    }
    assert_eq!(smooth(&values, 1.0, 1.0, 10), []);
}

/// A series in which each value keeps the share `rho` of the one before.
fn chained(rng: &mut Rng, n: usize, rho: f64) -> Vec<f64> {
    let mut x = rng.normal();
    let next = |_| {
        x = rho * x + (1.0 - rho * rho).sqrt() * rng.normal();
        x
    };
    (0..n).map(next).collect()
}

#[test]
fn trimmed_quantiles_and_densities_equal_the_reference() {
    for line in shapes("trimmed_hd") {
        close(trimmed_hd_quantile(&A, line[0]), line[1], 1e-10);
        close(trimmed_hd_quantile(&B, line[0]), line[2], 1e-10);
    }
    let edges = &shapes("density")[0];
    let bins = quantile_density(&A, 10);
    assert_eq!(bins.len(), 10);
    for (bin, edge) in bins.iter().zip(edges.windows(2)) {
        close(bin.lo, edge[0], 1e-10);
        close(bin.hi, edge[1], 1e-10);
        close(bin.height, 0.1 / (edge[1] - edge[0]), 1e-8);
    }
    assert_eq!((trimmed_hd_quantile(&A, 0.0), trimmed_hd_quantile(&A, 1.0)), (99.5, 118.3));
    assert!(trimmed_hd_quantile(&[], 0.5).is_nan() && trimmed_hd_quantile(&[f64::NAN], 0.5).is_nan());
    assert_eq!(trimmed_hd_quantile(&[4.0], 0.3), 4.0);
    assert_eq!(quantile_density(&[2.0; 5], 10), []);
    assert_eq!(quantile_density(&[], 10), []);
}

#[test]
fn quantile_estimates_are_equivariant_and_increasing() {
    let mut rng = Rng::new(61);
    for n in [2, 3, 10, 57, 200] {
        let x = normal(&mut rng, n);
        let mirrored: Vec<f64> = x.iter().map(|v| 2.0 - 3.0 * v).collect();
        for of in [hd_quantile, trimmed_hd_quantile] {
            for p in [0.003, 0.1, 0.42, 0.5, 0.9] {
                close(of(&mirrored, p), 2.0 - 3.0 * of(&x, 1.0 - p), 1e-9);
            }
            let steps: Vec<f64> = (1..50).map(|i| of(&x, f64::from(i) / 50.0)).collect();
            assert!(steps.is_sorted(), "{steps:?}");
        }
    }
    // One wild value moves the trimmed estimate not at all, the untrimmed far.
    let x = quantile::sorted(&normal(&mut rng, 30));
    let mut wild = x.clone();
    wild[29] = 1e6;
    assert_eq!(trimmed_hd_quantile(&wild, 0.8), trimmed_hd_quantile(&x, 0.8));
    assert!(hd_quantile(&wild, 0.8) > hd_quantile(&x, 0.8) + 10.0);
}

#[test]
fn modes_of_mixtures() {
    let mut rng = Rng::new(62);
    for n in [90, 1200] {
        let x: Vec<f64> = (0..n).map(|i| rng.normal() + [0.0, 30.0, 12.0][i % 3]).collect();
        let modes = lowland(&x, 0.0);
        assert_eq!(modes.len(), 3, "{n}: {modes:?}");
        for (mode, center) in modes.iter().zip([0.0, 12.0, 30.0]) {
            assert!(
                (mode.location - center).abs() < 2.0 && (mode.share - 1.0 / 3.0).abs() < 0.04,
                "{modes:?}"
            );
            assert!(mode.lo <= mode.location && mode.location <= mode.hi);
        }
        assert!(modes.windows(2).all(|pair| pair[0].hi == pair[1].lo));
        close(modes.iter().map(|mode| mode.share).sum(), 1.0, 1e-12);
        assert!(m_value(&x) > 2.8, "{}", m_value(&x));
    }
}

#[test]
fn one_mode_is_one_mode() {
    let mut rng = Rng::new(63);
    let (mut split, mut suspicious) = (0, 0);
    for round in 0..60 {
        let n = [20, 40, 80][round % 3];
        let skew = |z: f64| if round % 2 == 0 { z } else { libm::exp(z) };
        let x: Vec<f64> = (0..n).map(|_| skew(rng.normal())).collect();
        split += usize::from(lowland(&x, 0.0).iter().filter(|mode| mode.share >= 0.1).count() > 1);
        suspicious += usize::from(m_value(&x) >= 2.8);
    }
    assert!(split == 0 && suspicious < 7, "{split} split, {suspicious} suspicious");
    assert_eq!(lowland(&[3.0; 7], 0.0).len(), 1);
    assert_eq!(lowland(&[3.0], 0.0)[0].share, 1.0);
    assert!(lowland(&[], 0.0).is_empty() && lowland(&[1.0, f64::NAN], 0.0).is_empty());
    assert_eq!(m_value(&[3.0; 7]), 2.0);
    assert!(m_value(&[]).is_nan());
}

/// Ticks are modes only to one who is not told of the clock.
#[test]
fn a_coarse_clock_makes_no_modes() {
    let mut rng = Rng::new(64);
    let ticks: Vec<f64> = (0..200).map(|_| (1.2 * rng.normal()).round()).collect();
    assert!(lowland(&ticks, 0.0).len() > 2);
    assert_eq!(lowland(&ticks, 1.0).len(), 1);
}

#[test]
fn modes_depend_on_neither_order_nor_unit() {
    let mut rng = Rng::new(65);
    let x: Vec<f64> = (0..90).map(|i| rng.normal() + f64::from(i % 2) * 9.0).collect();
    let mut mixed: Vec<f64> = x.iter().map(|v| 1e-9 * (v + 500.0)).collect();
    rng.shuffle(&mut mixed);
    let (here, there) = (lowland(&x, 0.0), lowland(&mixed, 0.0));
    assert_eq!((here.len(), there.len()), (2, 2));
    for (a, b) in here.iter().zip(&there) {
        close(b.location, 1e-9 * (a.location + 500.0), 1e-9);
        assert_eq!(a.share, b.share);
    }
    close(m_value(&mixed), m_value(&x), 1e-9);
}

#[test]
fn double_mad_fences_follow_each_side() {
    // Median 100.5; deviations of the ten below have the median .55, of the ten above .95.
    let fences = double_mad_fences(&A, 3.0).unwrap();
    close(fences.lo, 100.5 - 3.0 * 1.482602218505602 * 0.55, 1e-12);
    close(fences.hi, 100.5 + 3.0 * 1.482602218505602 * 0.95, 1e-12);
    assert_eq!(A.iter().filter(|x| !fences.contains(**x)).count(), 2);
    let mirrored = double_mad_fences(&A.map(|x| -x), 3.0).unwrap();
    assert_eq!((mirrored.lo, mirrored.hi), (-fences.hi, -fences.lo));
    assert_eq!(double_mad_fences(&[], 3.0), None);
}

#[test]
fn mann_kendall_equals_the_reference() {
    let rising: Vec<f64> = (0..30)
        .map(|i| libm::round(1e3 * (0.4 * f64::from(i) + 3.0 * libm::sin(f64::from(7 * i)))) / 1e3)
        .collect();
    let ties = [1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 1.0, 4.0, 4.0, 5.0, 3.0, 5.0];
    for (name, x) in [("A", &A[..]), ("B", &B), ("rising", &rising), ("ties", &ties)] {
        let expected = &shapes(&format!("mann_kendall_{name}"))[0];
        let test = mann_kendall(x);
        assert_eq!(test.s, expected[0]);
        close(test.tau, expected[1], 1e-12);
        close(test.z, expected[2], 1e-10);
        close(test.p, expected[3], 1e-9);
        let falling: Vec<f64> = x.iter().map(|v| -2.0 * v).collect();
        assert_eq!((mann_kendall(&falling).s, mann_kendall(&falling).p), (-test.s, test.p));
    }
    assert_eq!((mann_kendall(&[]).p, mann_kendall(&[1.0]).p, mann_kendall(&[2.0; 9]).p), (1.0, 1.0, 1.0));
    assert!(mann_kendall(&[1.0, f64::NAN]).p.is_nan());
}

#[test]
fn drift_finds_the_slope_and_not_the_wander() {
    let mut rng = Rng::new(66);
    let (mut covered, mut alarms, mut wandering) = (0, 0, 0);
    for round in 0..120 {
        let n = [40, 80, 230][round % 3];
        let places: Vec<f64> = (0..n).map(|i| 50.0 + 0.1 * i as f64).collect();
        let noise = normal(&mut rng, n);
        let moved: Vec<f64> = noise.iter().zip(&places).map(|(e, x)| e + 0.2 * x).collect();
        let span = places[n - 1] - places[0];
        covered += u32::from(drift(&places, &moved, 0.05).unwrap().interval.contains(0.2 * span));
        alarms += u32::from(drift(&places, &noise, 0.05).unwrap().p < 0.05);
        let wander = drift(&places, &chained(&mut rng, n, 0.5), 0.05).unwrap();
        wandering += u32::from(!wander.interval.contains(0.0));
    }
    assert!((107..=119).contains(&covered), "{covered} of 120 covered");
    assert!(alarms <= 12 && wandering <= 18, "{alarms} and {wandering} of 120");
    let line: Vec<f64> = (0..9).map(|i| 2.0 * f64::from(i)).collect();
    let exact = drift(&line, &line, 0.05).unwrap();
    assert_eq!((exact.change, exact.interval.lo, exact.interval.hi), (16.0, 16.0, 16.0));
    assert!(drift(&[1.0; 8], &line[..8], 0.05).is_none() && drift(&line[..3], &line[..3], 0.05).is_none());
}

#[test]
fn any_distribution_equals_the_best_segmentation() {
    for name in ["levels", "heavy", "ticks"] {
        let series = &shapes(&format!("series_{name}"))[0];
        let monotone: Vec<f64> = series.iter().map(|x| libm::exp(0.5 * x)).collect();
        for line in shapes(&format!("changes_{name}")) {
            let penalty = line[0] * libm::log(series.len() as f64);
            let expected: Vec<usize> = line[1..].iter().map(|&x| x as usize).collect();
            assert_eq!(any_distribution(series, penalty, 5), expected, "{name} {penalty}");
            assert_eq!(any_distribution(&monotone, penalty, 5), expected, "ranks alone count");
        }
    }
    assert_eq!(any_distribution(&[], 1.0, 5), [0; 0]);
    assert_eq!(any_distribution(&[1.0], 1.0, 1), [0; 0]);
    assert_eq!(any_distribution(&[5.0; 40], 1.0, 5), [0; 0]);
}

#[test]
fn levels_are_found_where_they_are_and_hardly_elsewhere() {
    let mut rng = Rng::new(67);
    let (mut alarms, mut candidates, mut found) = (0, 0, 0);
    for round in 0..80 {
        let rho = [0.0, 0.3][round % 2];
        let mut x = chained(&mut rng, 90, rho);
        alarms += usize::from(levels(&x, FINDINGS).len() > 1);
        candidates += usize::from(levels(&x, CANDIDATES).len() > 1);
        x[40..].iter_mut().for_each(|v| *v += 5.0);
        let two = levels(&x, FINDINGS);
        found += usize::from(two.len() == 2 && two[1].start.abs_diff(40) <= 2 && two[1].end == 90);
        assert!(two.iter().all(|level| level.center == median(&x[level.start..level.end])));
    }
    assert!(alarms <= 3 && candidates <= 30 && found >= 66, "{alarms}, {candidates}, {found} of 80");
    assert_eq!(levels(&[7.0; 50], FINDINGS).len(), 1);
    assert!(levels(&[], FINDINGS).is_empty() && levels(&[f64::NAN; 9], FINDINGS).is_empty());
}

#[test]
fn wander_is_that_of_the_series() {
    let mut rng = Rng::new(68);
    for rho in [0.0, 0.4, 0.8] {
        let mut x = chained(&mut rng, 20_000, rho);
        x[9000..].iter_mut().for_each(|v| *v += 10.0);
        assert!((wander(&x) - rho).abs() < 0.05, "{} for {rho}", wander(&x));
    }
    assert_eq!(wander(&[1.0; 9]), 0.0);
}
