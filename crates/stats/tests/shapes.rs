//! Tests quantiles, densities, modes and trends with reference values and required properties.

use crate::data::{A, B, close, shapes};
use derny_stats::density::{quantile_density, smooth};
use derny_stats::modes::lowland;
use derny_stats::quantile::{hd_quantiles, sorted};
use derny_stats::rng::Rng;
use derny_stats::trend::mann_kendall;

fn normal(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.normal()).collect()
}

#[test]
fn a_smoothed_density_has_the_bandwidth_of_silverman_and_the_area_one() {
    // For these five values, s = 1.5811 and the interquartile range is 2. The bandwidth is 0.9 · 1.4925 ·
    // 5^(-1/5) = 0.9736.
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

#[test]
fn quantile_densities_equal_the_reference() {
    let edges = &shapes("density")[0];
    let bins = quantile_density(&sorted(&A), 10);
    assert_eq!(bins.len(), 10);
    for (bin, edge) in bins.iter().zip(edges.windows(2)) {
        close(bin.lo, edge[0], 1e-10);
        close(bin.hi, edge[1], 1e-10);
        close(bin.height, 0.1 / (edge[1] - edge[0]), 1e-8);
    }
    assert_eq!(quantile_density(&[2.0; 5], 10), []);
    assert_eq!(quantile_density(&[], 10), []);
}

#[test]
fn quantile_estimates_are_equivariant_and_increasing() {
    let mut rng = Rng::new(61);
    for n in [2, 3, 10, 57, 200] {
        let x = sorted(&normal(&mut rng, n));
        let mirrored = sorted(&x.iter().map(|v| 2.0 - 3.0 * v).collect::<Vec<f64>>());
        for p in [0.003, 0.1, 0.42, 0.5, 0.9] {
            let [here, there] = hd_quantiles(&x, p);
            close(hd_quantiles(&mirrored, p)[0], 2.0 - 3.0 * there, 1e-9);
            close(hd_quantiles(&mirrored, 1.0 - p)[0], 2.0 - 3.0 * here, 1e-9);
        }
        let steps: Vec<f64> = (1..50).map(|i| hd_quantiles(&x, f64::from(i) / 50.0)[0]).collect();
        assert!(steps.is_sorted(), "{steps:?}");
    }
    assert_eq!(hd_quantiles(&sorted(&A), 0.0), [99.5, 118.3]);
    assert!(hd_quantiles(&[], 0.5)[0].is_nan());
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
    }
}

#[test]
fn one_mode_is_one_mode() {
    let mut rng = Rng::new(63);
    let mut split = 0;
    for round in 0..60 {
        let n = [20, 40, 80][round % 3];
        let skew = |z: f64| if round % 2 == 0 { z } else { libm::exp(z) };
        let x: Vec<f64> = (0..n).map(|_| skew(rng.normal())).collect();
        split += usize::from(lowland(&x, 0.0).iter().filter(|mode| mode.share >= 0.1).count() > 1);
    }
    assert_eq!(split, 0);
    assert_eq!(lowland(&[3.0; 7], 0.0).len(), 1);
    assert_eq!(lowland(&[3.0], 0.0)[0].share, 1.0);
    assert!(lowland(&[], 0.0).is_empty() && lowland(&[1.0, f64::NAN], 0.0).is_empty());
}

/// Ticks of a coarse clock look like modes unless the resolution is given.
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
