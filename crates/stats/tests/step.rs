//! Tests for a step, and for a common trend of several series. The expected values follow from the
//! definitions.

use derny_stats::Rng;
use derny_stats::step::pettitt;
use derny_stats::trend::{mann_kendall, mann_kendall_strata};

/// For 1..=10 without ties, S is 45 and its variance is 10·9·25/18 = 125.
#[test]
fn strata_add_up() {
    let line: Vec<f64> = (1..=10).map(f64::from).collect();
    let back: Vec<f64> = line.iter().rev().copied().collect();
    assert_eq!(mann_kendall_strata(&[&line]), mann_kendall(&line));
    let two = mann_kendall_strata(&[&line, &line]);
    assert_eq!((two.s, two.tau), (90.0, 1.0));
    assert!((two.z - 89.0 / 250.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!(mann_kendall_strata(&[&line, &back]).z, 0.0);
    assert_eq!(mann_kendall_strata(&[[3.0; 5]]).p, 1.0);
}

/// If 8 and 8 values are completely separate, U = 8·8 = 64.
#[test]
fn a_clean_step_is_found_where_it_is() {
    let values: Vec<f64> = (0..16).map(|i| if i < 8 { 1.0 } else { 2.0 } + 1e-3 * f64::from(i % 3)).collect();
    let step = pettitt(&values).unwrap();
    assert_eq!(step.index, 8);
    let expected = 2.0 * (-6.0 * 64.0_f64.powi(2) / (16.0_f64.powi(3) + 16.0_f64.powi(2))).exp();
    assert!((step.p - expected).abs() < 1e-12);
    assert_eq!(pettitt(&[4.0; 9]).unwrap().p, 1.0);
    assert_eq!(pettitt(&[1.0]), None);
    assert_eq!(pettitt(&[1.0, f64::NAN, 2.0]), None);
}

/// For every split, the statistic by ranks equals the sum of the signs over all pairs.
#[test]
fn the_rank_form_is_the_sum_over_pairs() {
    let mut rng = Rng::new(3);
    for n in 2..40 {
        let values: Vec<f64> = (0..n).map(|_| rng.below(8) as f64).collect();
        let u = |t: usize| {
            let pairs = values[..t].iter().flat_map(|x| values[t..].iter().map(move |y| x - y));
            pairs
                .map(|d| {
                    if d > 0.0 {
                        1.0
                    } else if d < 0.0 {
                        -1.0
                    } else {
                        0.0
                    }
                })
                .sum::<f64>()
                .abs()
        };
        let greatest = (1..n).map(u).fold(0.0, f64::max);
        let step = pettitt(&values).unwrap();
        assert_eq!(u(step.index), greatest, "{values:?}");
    }
}

#[test]
fn without_change_the_tests_alarm_as_often_as_they_say() {
    let mut rng = Rng::new(11);
    let (mut trends, mut steps) = (0, 0);
    for _ in 0..2000 {
        let values: Vec<f64> = (0..24).map(|_| rng.normal()).collect();
        trends += i32::from(mann_kendall_strata(&[&values[..12], &values[12..]]).p < 0.05);
        steps += i32::from(pettitt(&values).unwrap().p < 0.05);
    }
    assert!((70..=130).contains(&trends), "{trends} of 2000");
    assert!((10..=110).contains(&steps), "{steps} of 2000: conservative, but not mute");
}
