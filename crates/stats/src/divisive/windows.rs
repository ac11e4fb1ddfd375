//! The variant of Hunter (Fleming et al., 2023) and its successor Apache Otava, kept compatible with the latter so that
//! histories can be compared with its findings.

use super::{Division, add, farthest, segments};
use crate::location::mean;
use crate::student;
use std::ops::Range;

/// Change points as Apache Otava finds them: divisions of windows (50 values are customary, overlapping by half) with a
/// p-value of at most ten times `level` are collected, then the weakest is dropped until all that are left are below
/// `level` (.001) and change the mean by more than the share `least` (0). None with a NaN among the values.
///
/// Two of its habits are kept. Student's test is given standard deviations made with `n`, not `n - 1`, so that short
/// segments are divided too easily; and when a point is dropped, the two to its right are tested anew, but the one to
/// its left is not. Of series of 100 values without a change, 4 % (normal), 12 % (heavy tails) or 37 % (autocorrelation
/// .3) show some: nothing to raise an alarm on before a fresh measurement confirms it.
pub fn by_windows(values: &[f64], window: usize, level: f64, least: f64) -> Vec<Division> {
    if values.iter().any(|x| x.is_nan()) {
        return Vec::new();
    }
    let loose = match level {
        small if small < 0.05 => 10.0 * small,
        middling if middling < 0.5 => 2.0 * middling,
        large => large,
    };
    let mut found = collect(values, window.max(2), loose);
    let mut tests = test_each(values, &found, 0..found.len());
    while !found.is_empty() {
        let mut drop = first_most(&tests, |test| test.p);
        if tests[drop].p < level {
            drop = first_most(&tests, |test| -test.magnitude);
            if tests[drop].magnitude > least {
                break;
            }
        }
        found.remove(drop);
        tests.remove(drop);
        let again = drop..(drop + 2).min(found.len());
        let anew = test_each(values, &found, again.clone());
        tests.splice(again, anew);
    }
    found.iter().zip(tests).map(|(division, test)| Division { p: test.p, ..*division }).collect()
}

/// The divisions of overlapping windows, by position.
fn collect(values: &[f64], window: usize, level: f64) -> Vec<Division> {
    let mut all: Vec<Division> = Vec::new();
    let mut start = 0;
    while start < values.len() {
        let part = &values[start..(start + window).min(values.len())];
        let found = divide(part, level);
        let next = found.last().map_or(0, |division| start + division.position);
        for division in found {
            let position = start + division.position;
            if all.iter().all(|other| other.position != position) {
                add(&mut all, Division { position, ..division });
            }
        }
        start = next.max(start + window / 2);
    }
    all
}

/// Divides where the sides of a segment lie farthest apart, until Student's test finds nothing in that.
fn divide(values: &[f64], level: f64) -> Vec<Division> {
    let mut found: Vec<Division> = Vec::new();
    while let Some((position, _)) = farthest(values, &found) {
        let own = segments(values.len(), &found).find(|segment| segment.contains(&position));
        let Some(own) = own else { break };
        let p = test(&values[own.start..position], &values[position..own.end]).p;
        if p > level {
            break;
        }
        add(&mut found, Division { position, p });
    }
    found
}

/// How two neighbouring segments differ.
struct Test {
    p: f64,
    /// The larger of the relative changes of the mean, forwards and backwards.
    magnitude: f64,
}

fn test_each(values: &[f64], found: &[Division], which: Range<usize>) -> Vec<Test> {
    let sides: Vec<Range<usize>> = segments(values.len(), found).collect();
    which.map(|i| test(&values[sides[i].clone()], &values[sides[i + 1].clone()])).collect()
}

/// Student's test with pooled variance, from standard deviations made with `n`.
fn test(left: &[f64], right: &[f64]) -> Test {
    let (n, m) = (left.len() as f64, right.len() as f64);
    let (before, after) = (mean(left), mean(right));
    let change = |from: f64, to: f64| if from == 0.0 { 0.0 } else { (to / from - 1.0).abs() };
    let spread = |side: &[f64], center: f64| {
        side.iter().map(|x| (x - center) * (x - center)).sum::<f64>() / side.len() as f64
    };
    let df = n + m - 2.0;
    let pooled = ((n - 1.0) * spread(left, before) + (m - 1.0) * spread(right, after)) / df;
    let t = (before - after).abs() / (pooled * (1.0 / n + 1.0 / m)).sqrt();
    // Too few values, or equal ones on both sides, tell nothing.
    let p = if df <= 0.0 || t.is_nan() { 1.0 } else { 2.0 * student::cdf(-t, df) };
    Test { p, magnitude: change(before, after).max(change(after, before)) }
}

/// The first index with the largest key.
fn first_most(tests: &[Test], key: impl Fn(&Test) -> f64) -> usize {
    (1..tests.len()).fold(0, |most, i| if key(&tests[i]) > key(&tests[most]) { i } else { most })
}
