//! E-divisive and the windows of Apache Otava against the latter's results; effect sizes and bounds of spread and ratio.

mod data;

use data::{A, B, close, divisions};
use derny_stats::divisive::{best_division, by_permutation, by_windows};
use derny_stats::rng::Rng;
use derny_stats::{effect, quantile, scale};

const SERIES: [&str; 6] = ["steps", "wander", "heavy", "ticks", "short", "equal"];

fn series(name: &str) -> Vec<f64> {
    divisions(&format!("series_{name}")).remove(0)
}

#[test]
fn best_divisions_equal_otavas() {
    for name in SERIES {
        let x = series(name);
        for line in divisions(&format!("best_{name}")) {
            let (position, distance) = best_division(&x[..line[0] as usize]).unwrap();
            assert_eq!(position as f64, line[1], "{name}");
            assert!((distance - line[2]).abs() <= 1e-10 * line[2].abs().max(1.0), "{name}: {distance}");
            let turned: Vec<f64> = x[..line[0] as usize].iter().map(|v| 7.0 - 2.0 * v).collect();
            close(best_division(&turned).unwrap().1, 2.0 * distance, 1e-9);
        }
    }
    assert_eq!(best_division(&[]), None);
    assert_eq!(best_division(&[1.0]), None);
    assert_eq!(best_division(&[1.0, 4.0]), Some((1, 3.0)));
}

#[test]
fn windows_equal_otavas() {
    let mut compared = 0;
    for name in SERIES {
        for line in divisions(&format!("windows_{name}")) {
            let found = by_windows(&series(name), line[0] as usize, line[1], line[2]);
            let positions: Vec<f64> = found.iter().map(|division| division.position as f64).collect();
            let expected: Vec<f64> = line[3..].chunks(2).map(|pair| pair[0]).collect();
            assert_eq!(positions, expected, "{name} {:?}", &line[..3]);
            for (division, pair) in found.iter().zip(line[3..].chunks(2)) {
                assert!(
                    (division.p - pair[1]).abs() <= 1e-7 * pair[1] + 1e-300,
                    "{name}: {division:?} {pair:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
    assert_eq!(by_windows(&[], 50, 0.001, 0.0), []);
    assert_eq!(by_windows(&[f64::NAN; 20], 50, 0.001, 0.0), []);
}

#[test]
fn permutations_divide_where_the_level_changes() {
    let mut rng = Rng::new(71);
    let found = by_permutation(&series("steps"), 0.01, 199, &mut rng);
    let positions: Vec<usize> = found.iter().map(|division| division.position).collect();
    assert_eq!(positions, [40, 100, 120]);
    assert!(found.iter().all(|division| division.p == 1.0 / 200.0));
    assert_eq!(by_permutation(&[f64::NAN; 9], 0.01, 99, &mut rng), []);
    assert_eq!(by_permutation(&[2.0; 30], 0.05, 99, &mut rng), []);
}

/// The level is kept where nothing changes, whatever the distribution, and a p-value is never 0.
#[test]
fn permutations_keep_their_level() {
    let mut rng = Rng::new(72);
    let alarms = (0..150).filter(|_| {
        let x: Vec<f64> = (0..30).map(|_| rng.normal() / (0.1 + rng.f64())).collect();
        !by_permutation(&x, 0.1, 39, &mut rng).is_empty()
    });
    let alarms = alarms.count();
    assert!((4..=26).contains(&alarms), "{alarms} of 150 at .1");
}

#[test]
fn effect_sizes() {
    close(
        effect::ratio(&B, &A),
        libm::exp(derny_stats::hodges_lehmann_shift(&B.map(libm::log), &A.map(libm::log))),
        1e-14,
    );
    close(effect::ratio(&A, &B), 1.0 / effect::ratio(&B, &A), 1e-13);
    close(effect::disparity(&B, &A), 2.0 / (0.5 * (scale::shamos(&A) + scale::shamos(&B))), 1e-12);
    let pooled = scale::MAD_TO_SIGMA * ((0.65_f64.powi(2) + 0.7_f64.powi(2)) / 2.0).sqrt();
    for p in [0.1, 0.5, 0.9] {
        let moved = quantile::hd_quantile(&B, p) - quantile::hd_quantile(&A, p);
        close(effect::gamma_effect(&A, &B, p), moved / pooled, 1e-10);
        close(
            effect::gamma_effect(&A, &A.map(|x| 3.0 * x), p),
            {
                let spread = (0.65_f64.powi(2) + 1.95_f64.powi(2)) / 2.0;
                2.0 * quantile::hd_quantile(&A, p) / (scale::MAD_TO_SIGMA * spread.sqrt())
            },
            1e-10,
        );
    }
    assert!(effect::ratio(&[1.0, -1.0], &A).is_nan() && effect::ratio(&[], &A).is_nan());
    assert!(effect::disparity(&[1.0; 4], &[2.0; 4]).is_nan() && effect::disparity(&[1.0], &A).is_nan());
    assert!(effect::gamma_effect(&[1.0; 4], &[2.0; 4], 0.5).is_nan());
}

#[test]
fn ratio_intervals_are_those_of_shifted_logarithms() {
    let ratio = effect::ratio_interval(&B, &A, 0.05).unwrap();
    assert!(ratio.contains(effect::ratio(&B, &A)));
    let turned = effect::ratio_interval(&A, &B, 0.05).unwrap();
    close(turned.lo, 1.0 / ratio.hi, 1e-13);
    close(turned.hi, 1.0 / ratio.lo, 1e-13);
    assert_eq!(effect::ratio_interval(&[1.0, 2.0], &[3.0, 4.0], 0.05), None);
    assert_eq!(effect::ratio_interval(&[0.0; 9], &[1.0; 9], 0.05), None);
}

#[test]
fn intervals_of_ratio_and_spread_cover() {
    let mut rng = Rng::new(73);
    let (mut ratios, mut spreads) = (0, 0);
    for _ in 0..600 {
        let x: Vec<f64> = (0..12).map(|_| libm::exp(rng.normal())).collect();
        let y: Vec<f64> = (0..9).map(|_| 2.0 * libm::exp(rng.normal())).collect();
        ratios += u32::from(effect::ratio_interval(&x, &y, 0.05).unwrap().contains(0.5));
        let z: Vec<f64> = (0..41).map(|_| rng.normal()).collect();
        // The median distance of two standard normal values is √2 times their third quartile.
        let truth = std::f64::consts::SQRT_2 * derny_stats::normal_quantile(0.75);
        spreads += u32::from(scale::shamos_interval(&z, 0.05, &mut rng).unwrap().contains(truth));
    }
    assert!(ratios >= 555 && spreads >= 555, "{ratios} and {spreads} of 600");
    assert_eq!(scale::shamos_interval(&A[..10], 0.05, &mut rng), None);
    assert!(scale::shamos_interval(&A[..12], 0.05, &mut rng).is_some());
    assert_eq!(scale::shamos_interval(&[f64::NAN; 40], 0.05, &mut rng), None);
}
