//! Tests that repeated p-values invert their plan, keep the order of the p-values, and keep the error rate.

use crate::data::close;
use derny_stats::looks::{Looks, spent};
use derny_stats::repeated::RepeatedP;
use derny_stats::{Rng, signed_rank};

/// Returns the plan whose last look so far is at `n`. If `ended` is true, no look follows.
fn at(looks: &Looks, n: usize, ended: bool) -> Looks {
    looks.taken(&looks.until(n), ended)
}

/// A p-value on the boundary of a plan equals the error of that plan.
#[test]
fn the_boundary_of_a_plan_has_its_error() {
    let repeated = RepeatedP::new(&Looks::plan(40, 0.95));
    for alpha in [0.5, 0.3, 0.1, 0.05, 0.01, 1e-4, 1e-8] {
        let plan = Looks::plan(40, 1.0 - alpha);
        for (&n, &p) in plan.counts.iter().zip(&plan.alphas) {
            close(repeated.at(n, p).unwrap(), 1.0 - plan.confidence, 1e-5);
        }
    }
    assert_eq!(repeated.at(9, 0.01), None);
    assert_eq!((repeated.at(8, 1.0), repeated.at(40, 1.0)), (Some(1.0), Some(1.0)));
    assert!(repeated.at(8, f64::NAN).unwrap().is_nan());
}

#[test]
fn smaller_p_values_stay_smaller_and_cost_more_than_they_say() {
    let looks = Looks::plan(40, 0.95);
    let repeated = RepeatedP::new(&looks);
    for &n in &looks.counts {
        let most = (n * (n + 1) / 4) as u64;
        let p: Vec<f64> = (0..most).map(|w| (2.0 * signed_rank::cdf(w, n)).min(1.0)).collect();
        let overall: Vec<f64> = p.iter().map(|&p| repeated.at(n, p).unwrap()).collect();
        assert!(overall.is_sorted(), "{n} {overall:?}");
        assert!(overall.iter().zip(&p).all(|(overall, p)| overall >= p && *overall <= 1.0));
    }
}

/// Rejecting if the repeated p-value is at most the plan's error is equivalent to the plan itself.
#[test]
fn rejecting_by_the_repeated_p_value_is_the_plan() {
    let looks = Looks::plan(40, 0.95);
    let repeated = RepeatedP::new(&looks);
    for (&n, &alpha) in looks.counts.iter().zip(&looks.alphas) {
        for w in 0..(n * (n + 1) / 4) as u64 {
            let p = 2.0 * signed_rank::cdf(w, n);
            assert_eq!(repeated.at(n, p).unwrap() <= 0.05, p <= alpha, "{n} {w}");
        }
    }
}

/// The error rate holds for any stopping rule, even for one that stops at the smallest p-value so far.
#[test]
fn the_smallest_over_all_looks_is_a_p_value() {
    let looks = Looks::plan(40, 0.95);
    let repeated = RepeatedP::new(&looks);
    let mut rng = Rng::new(33);
    let mut smallest = Vec::new();
    for _ in 0..3000 {
        let x: Vec<f64> = (0..40).map(|_| rng.normal()).collect();
        let p = looks.counts.iter().map(|&n| repeated.at(n, signed_rank::p_value(&x[..n])).unwrap());
        smallest.push(p.fold(1.0, f64::min));
    }
    for alpha in [0.01_f64, 0.05, 0.2, 0.5] {
        let share = smallest.iter().filter(|&&p| p <= alpha).count() as f64 / 3000.0;
        let error = (alpha * (1.0 - alpha) / 3000.0).sqrt();
        assert!(share <= alpha + 3.0 * error, "{share} of p-values are at most {alpha}");
        assert!(share >= 0.6 * alpha, "{share} for {alpha}: far too few");
    }
}

#[test]
fn a_look_that_was_not_planned_spends_its_own_share() {
    let looks = Looks::plan(40, 0.95);
    let ended = at(&looks, 18, false);
    assert_eq!(ended.counts, [8, 11, 15, 18]);
    assert_eq!(ended.alphas[..3], looks.alphas[..3]);
    assert!(ended.alphas[3] < looks.alphas[3], "18 of 40 have less to spend than 21 of 40");
    assert_eq!(at(&looks, 40, false), looks);
    assert_eq!(at(&looks, 5, false).counts, [5]);
    close(at(&looks, 5, false).alphas[0], spent(5.0 / 40.0, 0.05), 1e-9);
    assert_eq!(at(&looks, 50, false).counts, [8, 11, 15, 21, 29, 40, 50]);
    assert_eq!(at(&looks, 0, false).counts, [0; 0]);
    let mut rng = Rng::new(34);
    let mut erred = 0;
    for _ in 0..3000 {
        let x: Vec<f64> = (0..18).map(|_| rng.normal()).collect();
        let hit = |(&n, &alpha): (&usize, &f64)| signed_rank::p_value(&x[..n]) <= alpha;
        erred += u32::from(ended.counts.iter().zip(&ended.alphas).any(hit));
    }
    let spent = spent(18.0 / 40.0, 0.05);
    assert!((40..=(3600.0 * spent) as u32).contains(&erred), "{erred} of 3000 erred, {spent} may");
}
