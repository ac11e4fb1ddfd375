//! Tests the changes of level of a series.

use crate::data::reference;
use derny_stats::Rng;
use derny_stats::level::{LevelChange, LevelRules, level_changes};

fn found(values: &[f64]) -> Vec<LevelChange> {
    level_changes(values, &LevelRules::default()).unwrap()
}

fn places(values: &[f64]) -> Vec<usize> {
    found(values).iter().map(|change| change.index).collect()
}

/// Returns `n` values with a standard deviation of 0.01, like logarithms of times with a noise of 1 %.
fn noise(seed: u64, n: usize) -> Vec<f64> {
    let mut rng = Rng::new(seed);
    (0..n).map(|_| 0.01 * rng.normal()).collect()
}

fn with(seed: u64, n: usize, of: impl Fn(usize) -> f64) -> Vec<f64> {
    noise(seed, n).iter().enumerate().map(|(i, x)| x + of(i)).collect()
}

/// Returns how many of 100 series have a change.
fn alarms(of: impl Fn(u64) -> Vec<f64>) -> usize {
    (0..100).filter(|&seed| !found(&of(seed)).is_empty()).count()
}

#[test]
fn changes_equal_those_of_ruptures() {
    let (series, changes) = (reference("means"), reference("means_changes"));
    assert_eq!((series.len(), changes.len()), (3, 3));
    for (series, changes) in series.iter().zip(&changes) {
        let expected: Vec<usize> = changes.iter().map(|&x| x as usize).collect();
        assert_eq!(places(series), expected);
    }
}

#[test]
fn a_clean_step_is_found_where_it_is() {
    let values = with(1, 100, |i| if i < 60 { 0.0 } else { 0.1 });
    let [change] = found(&values)[..] else { panic!("{:?}", found(&values)) };
    assert_eq!(change.index, 60);
    assert!((change.difference - 0.1).abs() < 0.005, "{change:?}");
    assert!(change.confidence > 0.999_999 && change.score > 1000.0, "{change:?}");
    // The same series with other signs, in another unit, and from the back.
    let turned: Vec<f64> = values.iter().map(|x| -x).collect();
    assert_eq!(found(&turned)[0].difference, -change.difference);
    let back: Vec<f64> = values.iter().rev().copied().collect();
    assert_eq!(places(&back), [40]);
    let rules = LevelRules { min_change: 5e6, min_noise: 1e6, ..LevelRules::default() };
    let large: Vec<f64> = values.iter().map(|x| 1e9 * (x + 3.0)).collect();
    assert_eq!(level_changes(&large, &rules).unwrap()[0].index, 60);
}

#[test]
fn the_last_values_count_as_soon_as_they_are_three() {
    let grown = with(2, 50, |i| if i < 40 { 0.0 } else { 0.1 });
    assert_eq!(places(&grown[..42]), [0; 0], "two values may be outliers");
    let confidence = |n: usize| found(&grown[..n]).last().map(|change| (change.index, change.confidence));
    let (index, early) = confidence(43).unwrap();
    assert_eq!(index, 40);
    assert!(early > 0.99 && confidence(50).unwrap().1 >= early);
    assert_eq!(places(&with(3, 50, |i| if i < 3 { 0.1 } else { 0.0 })), [3]);
}

#[test]
fn outliers_are_no_changes() {
    assert!(alarms(|seed| with(seed, 80, |i| if i == 30 { 0.9 } else { 0.0 })) < 4);
    assert!(alarms(|seed| with(seed, 80, |i| if i == 30 || i == 31 { -0.9 } else { 0.0 })) < 4);
    assert!(alarms(|seed| with(seed, 80, |i| if i == 0 || i == 79 { 0.9 } else { 0.0 })) < 4);
    // Outliers do not hide a change either.
    let both = |i: usize| {
        if i == 30 || i == 55 {
            0.9
        } else if i < 50 {
            0.0
        } else {
            0.05
        }
    };
    let hits = (0..100).filter(|&seed| places(&with(seed, 80, both)) == [50]).count();
    assert!(hits > 80, "{hits} of 100");
}

#[test]
fn slow_drift_is_no_change() {
    assert!(alarms(|seed| with(seed, 500, |i| 2e-4 * i as f64)) < 10, "ten times the noise in 500 values");
    assert!(alarms(|seed| with(seed, 2000, |i| 0.03 * libm::sin(i as f64 / 250.0))) < 5);
    // A step within a drift is a change.
    let stepped = |i: usize| 5e-5 * i as f64 + if i < 250 { 0.0 } else { 0.06 };
    let hits = (0..100).filter(|&seed| places(&with(seed, 500, stepped)).contains(&250)).count();
    assert!(hits > 70, "{hits} of 100");
}

#[test]
fn noise_of_any_kind_rarely_alarms() {
    assert!(alarms(|seed| noise(seed, 300)) < 5);
    let modes = |seed| {
        let mut rng = Rng::new(seed + 1000);
        with(seed, 300, |_| 0.0).iter().map(|x| x / 3.0 + 0.05 * rng.below(2) as f64).collect()
    };
    assert!(alarms(modes) < 15, "two modes");
    let tailed = |seed| {
        let mut rng = Rng::new(seed);
        (0..300).map(|_| 0.01 * rng.normal() / (0.3 + rng.f64())).collect()
    };
    assert!(alarms(tailed) < 10, "heavy tails");
    let correlated = |seed| {
        let mut last = 0.0;
        noise(seed, 300)
            .iter()
            .map(|x| {
                last = 0.5 * last + x;
                last
            })
            .collect()
    };
    assert!(alarms(correlated) < 15, "correlation of 0.5");
    let louder =
        |seed| noise(seed, 300).iter().enumerate().map(|(i, x)| if i < 150 { *x } else { 5.0 * x }).collect();
    assert!(alarms(louder) < 15, "five times more noise from the middle on");
}

#[test]
fn the_rules_hold() {
    let values = with(4, 120, |i| if (40..52).contains(&i) { 0.05 } else { 0.0 });
    assert_eq!(places(&values), [40, 52]);
    let of = |rules: LevelRules| level_changes(&values, &rules).unwrap().len();
    let rules = LevelRules::default();
    assert_eq!(of(LevelRules { min_length: 20, ..rules }), 0);
    assert_eq!(of(LevelRules { min_change: 0.2, ..rules }), 0);
    assert_eq!(of(LevelRules { min_noise: 0.5, ..rules }), 0);
    assert_eq!(of(LevelRules { penalty: 1000.0, ..rules }), 0);
    assert_eq!(of(LevelRules { significance: 0.0, ..rules }), 0);
    assert_eq!(of(LevelRules { min_length: 0, ..rules }), 2);
}

#[test]
fn short_and_constant_series() {
    for n in 0..6 {
        let steps: Vec<f64> = (0..n).map(|i| if i < n / 2 { 0.0 } else { 1.0 }).collect();
        assert_eq!(places(&steps), [0; 0], "{n} values");
    }
    assert_eq!(places(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), [3]);
    assert_eq!(places(&[5.0; 700]), [0; 0]);
    let coarse: Vec<f64> = (0..60).map(|i| if i < 20 { 5.0 } else { 5.01 }).collect();
    assert_eq!(places(&coarse), [20]);
    for broken in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(level_changes(&[1.0, 1.0, 1.0, broken, 1.0, 1.0, 1.0], &LevelRules::default()), None);
    }
    assert_eq!(level_changes(&[f64::NAN], &LevelRules::default()), None);
}

/// Indices ascend, levels have at least the minimum length, and every number is finite.
#[test]
fn results_are_in_order() {
    let mut rng = Rng::new(9);
    let mut all = 0;
    for round in 0..200 {
        let mut values = Vec::new();
        while values.len() < 20 + round {
            let (level, sd) = (rng.normal(), 0.3 * rng.f64());
            (0..1 + rng.below(30)).for_each(|_| values.push(level + sd * rng.normal()));
        }
        let changes = found(&values);
        let edges: Vec<usize> =
            [0].into_iter().chain(changes.iter().map(|c| c.index)).chain([values.len()]).collect();
        assert!(edges.windows(2).all(|pair| pair[1] >= pair[0] + 3), "{edges:?}");
        for c in &changes {
            assert!(c.difference.is_finite() && c.difference.abs() >= 0.005 && c.score.is_finite());
            assert!((0.95..=1.0).contains(&c.confidence));
        }
        all += changes.len();
    }
    assert!(all > 400, "{all} changes are too few to have tested anything");
}
