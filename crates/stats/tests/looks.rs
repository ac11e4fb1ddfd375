//! Tests group-sequential plans: published boundaries, edge cases, and the error rate.

use crate::data::close;
use derny_stats::looks::Looks;
use derny_stats::rng::Rng;
use derny_stats::{signed_rank, special};

#[track_caller]
/// Returns the plan whose last look so far is at `n`. If `ended` is true, no look follows.
fn at(looks: &Looks, n: usize, ended: bool) -> Looks {
    looks.taken(&looks.until(n), ended)
}

fn same_digits(actual: &[f64], expected: &[f64], half_digit: f64) {
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() <= half_digit * 1.02, "{actual:?} should print as {expected:?}");
    }
}

/// Returns the boundaries of these looks as standard normal deviates. The last number is the maximum.
fn boundaries(counts: &[usize], alpha: f64) -> Vec<f64> {
    let all = *counts.last().unwrap();
    let looks = at(&Looks { counts: counts.to_vec(), ..Looks::plan(all, 1.0 - alpha) }, all, false);
    looks.alphas.iter().map(|alpha| special::normal_quantile(1.0 - alpha / 2.0)).collect()
}

#[test]
fn boundaries_equal_the_published_ones() {
    same_digits(&boundaries(&[1, 2, 3, 4, 5], 0.05), &[2.4380, 2.4268, 2.4102, 2.3966, 2.3860], 5e-5);
    let pairs = [8, 11, 15, 21, 29, 40];
    same_digits(&boundaries(&pairs, 0.05), &[2.4380, 2.5917, 2.5535, 2.4762, 2.4129, 2.3505], 5e-5);
    let more = [5, 7, 10, 14, 20, 28, 40];
    same_digits(&boundaries(&more, 0.05), &[2.5853, 2.7217, 2.6528, 2.5803, 2.4890, 2.4197, 2.3400], 5e-5);
    close(boundaries(&[1], 0.05)[0], special::normal_quantile(0.975), 1e-12);
}

#[test]
fn the_default_plan() {
    let looks = Looks::plan(40, 0.95);
    assert_eq!(looks.counts, [8, 11, 15, 21, 29, 40]);
    same_digits(&looks.alphas, &[0.01477, 0.00955, 0.01067, 0.01328, 0.01582, 0.01875], 5e-6);
    let rejects: Vec<u64> = looks
        .counts
        .iter()
        .zip(&looks.alphas)
        .map(|(&n, &alpha)| signed_rank::margin(n, alpha).unwrap() - 1)
        .collect();
    assert_eq!(rejects, [0, 4, 16, 45, 107, 236]);
    assert_eq!(looks.alpha_at(15), Some(looks.alphas[2]));
    assert_eq!((looks.alpha_at(16), looks.alpha_at(41)), (None, None));
}

#[test]
fn other_maxima_and_confidences() {
    assert_eq!(Looks::plan(0, 0.95).counts, [0; 0]);
    assert_eq!(Looks::plan(4, 0.95).counts, [4]);
    assert_eq!(Looks::plan(10, 0.95).counts, [6, 8, 10]);
    assert_eq!(Looks::plan(12, 0.95).counts, [8, 9, 12]);
    assert_eq!(Looks::plan(100, 0.95).counts, [20, 28, 38, 53, 73, 100]);
    for max in (1..30).chain([64, 100, 1000]) {
        for confidence in [0.8, 0.999, 0.999_999] {
            let looks = Looks::plan(max, confidence);
            assert!(looks.counts.is_sorted_by(|a, b| a < b));
            assert_eq!(looks.counts.last(), Some(&max));
            let alpha = 1.0 - confidence;
            assert!(looks.alphas.iter().all(|&a| a > 0.0 && a <= alpha * (1.0 + 1e-9)), "{max} {looks:?}");
            assert!(looks.alphas.iter().sum::<f64>() >= alpha * (1.0 - 1e-9), "{max} {looks:?}");
        }
    }
}

/// An unplanned end does not change the earlier looks. The last look spends all of the remaining error.
#[test]
fn an_end_that_time_brings_spends_what_is_left() {
    let plan = Looks::plan(40, 0.95);
    same_digits(&at(&plan, 3, true).alphas, &[0.05], 1e-12);
    let ten = at(&plan, 10, true);
    assert_eq!((ten.counts.as_slice(), ten.alphas[0]), ([8, 10].as_slice(), plan.alphas[0]));
    let left = 0.05 - plan.alphas[0];
    assert!(ten.alphas[1] > left && ten.alphas[1] < 0.05 && ten.alphas[1] > at(&plan, 10, false).alphas[1]);
    assert_eq!(at(&plan, 40, true).alphas, plan.alphas);
    assert!(at(&plan, 0, true).counts.is_empty());
}

/// A look at which no sample could reach the level would be wasted. At 95 %, every look from 6 replicates on
/// can decide.
#[test]
fn every_look_can_decide() {
    for max in 6..=64 {
        let looks = Looks::plan(max, 0.95);
        for (&n, &alpha) in looks.counts.iter().zip(&looks.alphas) {
            assert!(signed_rank::margin(n, alpha).is_some(), "look {n} of {max} at {alpha}");
        }
    }
}

/// Planned looks keep the overall error rate. The same number of looks at the full level does not.
#[test]
fn repeated_looks_err_no_more_than_promised() {
    let looks = Looks::plan(40, 0.95);
    let mut rng = Rng::new(31);
    let (mut honest, mut naive) = (0, 0);
    for _ in 0..2000 {
        let spiky = rng.below(2) == 0;
        let draw = |rng: &mut Rng| rng.normal() * if spiky && rng.below(10) == 0 { 8.0 } else { 1.0 };
        let x: Vec<f64> = (0..40).map(|_| draw(&mut rng)).collect();
        let p: Vec<f64> = looks.counts.iter().map(|&n| signed_rank::p_value(&x[..n])).collect();
        honest += u32::from(p.iter().zip(&looks.alphas).any(|(p, alpha)| p <= alpha));
        naive += u32::from(p.iter().any(|&p| p <= 0.05));
    }
    assert!((60..=110).contains(&honest), "{honest} of 2000 erred, at most .055 may");
    assert!(naive > 200, "{naive} of 2000: naive peeking should err far more often");
}
