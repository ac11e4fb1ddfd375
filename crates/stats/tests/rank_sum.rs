//! Tests the rank-sum test and interval, and Fisher's test: reference values, exactness, agreement of test
//! and interval, and coverage.

use crate::data::{A, B, close, comparison};
use derny_stats::rng::Rng;
use derny_stats::{fisher, hodges_lehmann_shift, rank_sum};

const X: [f64; 8] = [5.1, 4.9, 5.3, 5.0, 5.2, 4.8, 5.6, 5.3];
const Y: [f64; 5] = [5.5, 5.0, 5.9, 6.1, 5.3];

fn rounded(n: u32, digits: i32, of: impl Fn(f64) -> f64) -> Vec<f64> {
    let scale = 10_f64.powi(digits);
    (0..n).map(|i| (of(f64::from(i)) * scale).round() / scale).collect()
}

#[test]
fn p_values_are_those_of_scipy() {
    let shifted: Vec<f64> = Y.iter().map(|y| y + 0.05).collect();
    close(rank_sum::p_value(&X[..7], &shifted), comparison("rank_sum_plain")[0][0], 1e-12);
    close(rank_sum::p_value(&X, &Y), comparison("rank_sum_ties")[0][0], 1e-12);
    close(rank_sum::p_value(&Y, &X), comparison("rank_sum_ties")[0][0], 1e-12);
    let a: Vec<f64> = A.iter().map(|a| a + 0.003).collect();
    close(rank_sum::p_value(&B, &a), comparison("rank_sum_ba")[0][0], 1e-11);
    let s = rounded(64, 6, |i| libm::sin(7.0 * i));
    let t: Vec<f64> = rounded(64, 6, |i| libm::sin(5.0 * i + 1.0) + 0.3).iter().map(|t| t + 3e-7).collect();
    close(rank_sum::p_value(&s, &t), comparison("rank_sum_64")[0][0], 1e-11);
    close(rank_sum::p_value(&s[..9], &t), comparison("rank_sum_64")[0][1], 1e-11);
    let many = rounded(90, 1, |i| libm::sin(3.0 * i) + 0.2);
    close(rank_sum::p_value(&s, &many), comparison("rank_sum_many")[0][0], 1e-12);
}

#[test]
fn ends_and_nonsense() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (x, y, p) in [
        (&[][..], &[1.0][..], 1.0),
        (&[1.0], &[], 1.0),
        (&[2.0; 9], &[2.0; 4], 1.0),
        (&[0.0; 3], &[-0.0; 3], 1.0),
        (&[1.0, 2.0, 3.0], &[inf; 3], 0.1),
        (&[-inf; 3], &[inf; 3], 0.1),
        (&[2.0; 90], &[2.0; 70], 1.0),
        (&[], &[2.0; 70], 1.0),
    ] {
        close(rank_sum::p_value(x, y), p, 1e-14);
    }
    assert!(rank_sum::p_value(&[1.0, nan], &[1.0]).is_nan());
    for bad in [inf, -inf, nan] {
        assert_eq!(rank_sum::interval(&[1.0, 2.0, 3.0, bad], &Y, 0.5), None);
        assert_eq!(rank_sum::interval(&Y, &[1.0, 2.0, 3.0, bad], 0.5), None);
    }
}

#[test]
fn a_level_out_of_reach_gives_no_interval() {
    // The error of the outermost difference is 2 / C(n + m, n).
    for (n, m, least) in [(3, 3, 0.1), (4, 4, 2.0 / 70.0), (2, 7, 2.0 / 36.0), (7, 2, 2.0 / 36.0)] {
        assert_eq!(rank_sum::margin(n, m, least * 0.999), None);
        assert_eq!(rank_sum::margin(n, m, least * 1.001), Some(1));
        assert_eq!(rank_sum::interval(&vec![1.0; n], &vec![2.0; m], least * 0.999), None);
    }
    assert_eq!((rank_sum::margin(0, 5, 0.5), rank_sum::margin(5, 5, f64::NAN)), (None, None));
    // Mann and Whitney's tables for a two-sided 5 % reject up to k - 1.
    assert_eq!(
        [(5, 5), (8, 10), (20, 20)].map(|(n, m)| rank_sum::margin(n, m, 0.05)),
        [Some(3), Some(18), Some(128)]
    );
}

#[test]
fn the_approximation_above_the_exact_range_is_close() {
    let exact = rank_sum::margin(20, rank_sum::EXACT_MAX, 0.01).unwrap() as f64;
    let next = rank_sum::margin(20, rank_sum::EXACT_MAX + 1, 0.01).unwrap() as f64;
    assert!((next - exact) / exact < 0.03 && next > exact, "{exact} {next}");
}

#[test]
fn the_interval_excludes_zero_exactly_where_the_test_rejects() {
    let mut rng = Rng::new(31);
    let mut rejected = 0;
    for _ in 0..300 {
        let shift = 2.0 * rng.f64();
        let x: Vec<f64> = (0..4 + rng.below(12)).map(|_| rng.normal() + shift).collect();
        let y: Vec<f64> = (0..4 + rng.below(12)).map(|_| rng.normal()).collect();
        let estimate = hodges_lehmann_shift(&x, &y);
        for alpha in [0.2, 0.05, 0.01] {
            let p = rank_sum::p_value(&x, &y);
            let interval = rank_sum::interval(&x, &y, alpha);
            let outside = interval.is_some_and(|i| !i.contains(0.0));
            assert_eq!(outside, p <= alpha, "p {p} alpha {alpha}");
            assert!(interval.is_none_or(|i| i.contains(estimate)));
            rejected += u32::from(outside);
        }
    }
    assert!((200..800).contains(&rejected), "{rejected}");
}

#[test]
fn coverage_is_at_least_nominal_under_heavy_tails() {
    let mut rng = Rng::new(32);
    for (n, m) in [(4, 5), (10, 10), (30, 12)] {
        let hits = (0..1500).filter(|_| {
            let mut draw =
                |n: usize| -> Vec<f64> { (0..n).map(|_| rng.normal() / (0.1 + rng.f64())).collect() };
            let (x, y) = (draw(n), draw(m));
            rank_sum::interval(&x, &y, 0.05).unwrap().contains(0.0)
        });
        let covered = hits.count() as f64 / 1500.0;
        assert!((0.933..0.985).contains(&covered), "{n} and {m}: {covered}");
    }
}

#[test]
fn fishers_test_is_that_of_scipy() {
    for line in comparison("fisher") {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| line[i] as u64);
        for table in [[[a, b], [c, d]], [[c, d], [a, b]], [[a, c], [b, d]], [[b, a], [d, c]]] {
            close(fisher::p_value(table), line[4], 1e-9);
        }
    }
    assert_eq!(fisher::p_value([[0, 0], [0, 0]]), 1.0);
    assert_eq!(fisher::p_value([[0, 0], [5, 9]]), 1.0);
    let far = fisher::p_value([[0, 1_000_000], [1_000_000, 0]]);
    assert!((0.0..1e-300).contains(&far));
}
