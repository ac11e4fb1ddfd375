//! Tests the signed-rank test and interval: reference values, exactness, coverage.

use crate::data::{self, close, log_ratios, reference};
use derny_stats::rng::Rng;
use derny_stats::{location, signed_rank};

#[test]
fn test_and_interval_of_the_log_ratios() {
    let ratios = log_ratios();
    close(signed_rank::p_value(&ratios), 0.009435653687, 1e-9);
    assert_eq!(signed_rank::margin(20, 0.05), Some(53));
    close(1.0 - 2.0 * signed_rank::cdf(52, 20), 0.9515590668, 1e-9);
    let interval = signed_rank::interval(&ratios, 0.05).unwrap();
    close(interval.lo, 0.01669865403, 1e-9);
    close(interval.hi, 0.02063957324, 1e-9);
    assert!(interval.contains(location::hodges_lehmann(&ratios)));
}

#[test]
fn ties_and_zeros_are_exact() {
    let ties = [1, 1, -1, 2, 3, -2, 4, 4, 5, 0, -5, 6].map(f64::from);
    close(signed_rank::p_value(&ties), reference("signed_rank_ties")[0][0], 1e-12);
    assert_eq!(signed_rank::p_value(&[0.0, 0.0]), 1.0);
    assert_eq!(signed_rank::p_value(&[]), 1.0);
    assert!(signed_rank::p_value(&[1.0, f64::NAN]).is_nan());
}

#[test]
fn too_few_values_give_no_interval() {
    for (n, alpha) in [(5, 0.05), (7, 0.0149), (0, 0.5), (1, 0.9)] {
        assert_eq!(signed_rank::margin(n, alpha), None);
        assert_eq!(signed_rank::interval(&vec![1.0; n], alpha), None);
    }
    assert_eq!(signed_rank::margin(6, 0.05), Some(1));
    assert_eq!(signed_rank::margin(8, 0.0078125), Some(1));
    assert_eq!(signed_rank::interval(&[f64::NAN; 20], 0.05), None);
}

#[test]
fn infinite_values_have_ranks_but_no_interval() {
    use derny_stats::{hodges_lehmann, hodges_lehmann_shift, shamos};
    let inf = f64::INFINITY;
    for bad in [inf, -inf, f64::NAN] {
        for n in [1, 2, 3, 8, 200] {
            for extremes in [vec![bad], vec![bad, bad], vec![bad, -bad], vec![bad; n]] {
                let values: Vec<f64> = (1..=n).map(|i| i as f64).chain(extremes).collect();
                assert_eq!(signed_rank::interval(&values, 0.05), None);
                assert!(hodges_lehmann(&values).is_nan() && shamos(&values).is_nan());
                assert!(hodges_lehmann_shift(&values, &[1.0]).is_nan());
                assert!(hodges_lehmann_shift(&[1.0], &values).is_nan());
                assert_eq!(signed_rank::p_value(&values).is_nan(), bad.is_nan());
            }
        }
    }
    // Infinite values have the highest rank, as 9 would.
    let of = |large: f64| signed_rank::p_value(&[1.0, -2.0, 3.0, 4.0, -large, large, 5.0]);
    assert_eq!(of(inf), of(9.0));
}

#[test]
fn the_approximation_above_the_exact_range_is_close() {
    let many: Vec<f64> =
        (0..150).map(|i| ((libm::sin(7.0 * f64::from(i)) + 0.15) * 1e6).round() / 1e6).collect();
    let expected = &reference("signed_rank_many")[0];
    close(signed_rank::p_value(&many), expected[0], 1e-10);
    close(signed_rank::p_value(&many), expected[1], 0.05);
    let (last, next) = (signed_rank::EXACT_MAX, signed_rank::EXACT_MAX + 1);
    let step =
        signed_rank::margin(last, 0.02).unwrap() as f64 / signed_rank::margin(last - 1, 0.02).unwrap() as f64;
    let jump =
        signed_rank::margin(next, 0.02).unwrap() as f64 / signed_rank::margin(last, 0.02).unwrap() as f64;
    close(jump, step, 2e-3);
}

#[test]
fn the_interval_excludes_zero_exactly_where_the_test_rejects() {
    let mut rng = Rng::new(21);
    let mut rejected = 0;
    for _ in 0..400 {
        let shift = rng.f64();
        let x: Vec<f64> = (0..6 + rng.below(20)).map(|_| rng.normal() + shift).collect();
        for alpha in [0.2, 0.05, 0.01] {
            let p = signed_rank::p_value(&x);
            let outside = signed_rank::interval(&x, alpha).is_some_and(|i| !i.contains(0.0));
            assert_eq!(outside, p <= alpha, "p {p} alpha {alpha}");
            rejected += u32::from(outside);
        }
    }
    assert!((200..1000).contains(&rejected), "{rejected}");
}

#[test]
fn coverage_is_at_least_nominal_for_symmetric_values() {
    let mut rng = Rng::new(22);
    let heavy = |rng: &mut Rng| rng.normal() / (0.1 + rng.f64());
    for n in [8, 13, 30] {
        let covered = |draw: &dyn Fn(&mut Rng) -> f64, rng: &mut Rng| {
            let hits = (0..1500).filter(|_| {
                let x: Vec<f64> = (0..n).map(|_| draw(rng)).collect();
                signed_rank::interval(&x, 0.05).unwrap().contains(0.0)
            });
            hits.count() as f64 / 1500.0
        };
        // The lower limit is three standard errors below 0.95. The upper limit allows for the discrete
        // margin.
        assert!((0.933..0.98).contains(&covered(&Rng::normal, &mut rng)), "normal, n = {n}");
        assert!((0.933..0.98).contains(&covered(&heavy, &mut rng)), "heavy tails, n = {n}");
    }
}

#[test]
fn the_interval_follows_shift_and_scale() {
    let mut rng = Rng::new(23);
    let x: Vec<f64> = (0..25).map(|_| rng.normal()).collect();
    let moved: Vec<f64> = x.iter().map(|v| 2.0 * v - 3.0).collect();
    let (a, b) = (signed_rank::interval(&x, 0.05).unwrap(), signed_rank::interval(&moved, 0.05).unwrap());
    assert!((b.lo - (2.0 * a.lo - 3.0)).abs() < 1e-12 && (b.hi - (2.0 * a.hi - 3.0)).abs() < 1e-12);
    let wider = signed_rank::interval(&x, 0.01).unwrap();
    assert!(wider.hi - wider.lo > a.hi - a.lo);
}

#[test]
fn one_sided_tests() {
    use derny_stats::Tail;
    for (name, tail) in [("signed_rank_less", Tail::Less), ("signed_rank_greater", Tail::Greater)] {
        let expected = &data::comparison(name)[0];
        close(signed_rank::p_value_against(&log_ratios(), tail), expected[0], 1e-10);
        let ties = [1, 1, -1, 2, 3, -2, 4, 4, 5, 0, -5, 6].map(f64::from);
        close(signed_rank::p_value_against(&ties, tail), expected[1], 1e-12);
    }
}

#[test]
fn the_distribution_function_is_symmetric_and_grows() {
    for n in [1, 2, 7, 40, 100] {
        let total = (n * (n + 1) / 2) as u64;
        let p: Vec<f64> = (0..=total).map(|w| signed_rank::cdf(w, n)).collect();
        assert!(p.is_sorted() && p[total as usize] == 1.0);
        assert!((0..total).all(|w| (p[w as usize] + p[(total - 1 - w) as usize] - 1.0).abs() < 1e-13));
    }
}
