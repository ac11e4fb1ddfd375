//! Drift: a case became slower or faster during the run.
//!
//! Detectors look for a slope and for a step, both in the turns of each process and in the visits of the
//! run. They ignore changes below 1 %. Every machine varies that much, and with enough turns any change is
//! significant.

use super::series::{self, TurnSeries};
use super::view::{CaseView, Detected, RunView, percent};
use derny_stats::location::{hodges_lehmann, hodges_lehmann_shift, median};
use derny_stats::step::pettitt;
use derny_stats::trend::{mann_kendall, mann_kendall_strata};
use derny_stats::{theil_sen, theil_sen_interval};
use std::collections::{BTreeMap, HashMap};

const CHANGE: f64 = 0.01;
const LEAST_TURNS: usize = 6;
const AGREEING: f64 = 2.0 / 3.0;
/// Upper bound of the p-value in tests of turns. It is strict, because there are many turns and they are not
/// quite independent.
const TURNS_P: f64 = 0.001;
const VISITS_P: f64 = 0.01;
const LEAST_VISITS: usize = 8;
/// Longer series are reduced to this many medians before the test for a step.
const POINTS: usize = 200;

fn word(change: f64) -> &'static str {
    if change > 0.0 { "rises" } else { "falls" }
}

pub(super) fn within(view: &CaseView) -> Option<Detected> {
    let series: Vec<&TurnSeries> =
        view.series.iter().filter(|one| one.residuals.len() >= LEAST_TURNS).collect();
    if series.is_empty() {
        return None;
    }
    if mann_kendall_strata(&series.iter().map(|one| &one.residuals).collect::<Vec<_>>()).p >= TURNS_P {
        return None;
    }
    let changes: Vec<f64> = series.iter().map(|one| change(&one.residuals)).collect();
    let typical = hodges_lehmann(&changes);
    let same = changes.iter().filter(|change| **change * typical > 0.0).count();
    if typical.abs() < CHANGE || (same as f64) < AGREEING * changes.len() as f64 {
        return None;
    }
    Some(Detected {
        message: format!(
            "{} {} from first to last batch in {same} of {} processes",
            word(typical),
            percent(libm::expm1(typical)),
            changes.len()
        ),
        remedy: "use a longer warm-up, such as --set warmup=10s, or look for data that the body accumulates"
            .to_owned(),
        severity: typical.abs(),
    })
}

fn change(values: &[f64]) -> f64 {
    let x: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
    theil_sen(&x, values) * (values.len() - 1) as f64
}

fn over_time(view: &RunView) -> Option<(Vec<f64>, Vec<f64>)> {
    let points = series::locations(view.series).into_iter().map(|(one, value)| (one.middle_s, value));
    let points = thinned(in_order(points.collect()));
    (points.len() >= LEAST_VISITS).then(|| points.into_iter().unzip())
}

fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let size = points.len().div_ceil(POINTS).max(1);
    let group = |group: &[(f64, f64)]| {
        let part = |of: fn(&(f64, f64)) -> f64| median(&group.iter().map(of).collect::<Vec<_>>());
        (part(|point| point.0), part(|point| point.1))
    };
    points.chunks(size).map(group).collect()
}

pub(super) fn run(view: &RunView) -> Option<Detected> {
    let (at_s, values) = over_time(view)?;
    let interval = theil_sen_interval(&at_s, &values, VISITS_P)?;
    let span = at_s[at_s.len() - 1] - at_s[0];
    let typical = theil_sen(&at_s, &values) * span;
    if typical.abs() < CHANGE || interval.lo <= 0.0 && interval.hi >= 0.0 {
        return None;
    }
    if mann_kendall(&values).p >= VISITS_P {
        return None;
    }
    let signed = |log: f64| format!("{:+.1}", libm::expm1(log) * 100.0).replace('-', "−");
    Some(Detected {
        message: format!(
            "drifted: times {} {} from beginning to end ({} … {} %)",
            if typical > 0.0 { "rose" } else { "fell" },
            percent(libm::expm1(typical)),
            signed(interval.lo * span),
            signed(interval.hi * span)
        ),
        remedy:
            "compare variants within one run, where drift cancels; do not compare with runs of other days"
                .to_owned(),
        severity: typical.abs(),
    })
}

pub(super) fn level(view: &RunView) -> Option<Detected> {
    let between = || over_time(view).and_then(|(at_s, values)| step(&at_s, &values, VISITS_P, 4));
    let inside = || {
        let turns = in_order(turns(view, |_| 0.0).collect());
        let (at_s, values): (Vec<f64>, Vec<f64>) = thinned(turns).into_iter().unzip();
        if values.len() < 24 { None } else { step(&at_s, &values, TURNS_P, 8) }
    };
    let (size, at_s) = between().or_else(inside)?;
    if !is_step(view, at_s) {
        return None;
    }
    Some(Detected {
        message: format!(
            "changed level: after {at_s:.1} s, times were {} {}",
            percent(libm::expm1(size)),
            if size > 0.0 { "higher" } else { "lower" }
        ),
        remedy: "another program may have started or ended during the run: stop it and run again".to_owned(),
        severity: size.abs(),
    })
}

fn step(at_s: &[f64], values: &[f64], p: f64, least: usize) -> Option<(f64, f64)> {
    let found = pettitt(values).filter(|step| step.p < p)?;
    let (before, after) = values.split_at(found.index);
    if before.len() < least || after.len() < least {
        return None;
    }
    let size = hodges_lehmann_shift(after, before);
    (size.abs() >= CHANGE).then(|| (size, (at_s[found.index - 1] + at_s[found.index]) / 2.0))
}

/// Returns the time and residual of each turn, with the `base` of its visit added to the residual. Omits
/// visits with few turns.
fn turns<'a>(
    view: &'a RunView,
    base: impl Fn(&TurnSeries) -> f64 + 'a,
) -> impl Iterator<Item = (f64, f64)> + 'a {
    let long = view.series.iter().flatten().filter(|one| one.residuals.len() >= LEAST_TURNS);
    long.flat_map(move |one| {
        let base = base(one);
        one.at_s.iter().copied().zip(one.residuals.iter().map(move |residual| residual + base))
    })
}

fn in_order(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// Returns true if a step fits the turns better than a straight line does. It must also fit better than an
/// effect of process age, which would be the same in every wave.
fn is_step(view: &RunView, at_s: f64) -> bool {
    let known: HashMap<*const TurnSeries, f64> = series::locations(view.series)
        .into_iter()
        .map(|(one, value)| (std::ptr::from_ref(one), value))
        .collect();
    let base = |one: &TurnSeries| known.get(&std::ptr::from_ref(one)).copied().unwrap_or(0.0);
    let points = thinned(in_order(turns(view, base).collect()));
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let slope = theil_sen(&x, &y);
    let line: Vec<f64> = y.iter().zip(&x).map(|(y, x)| y - slope * x).collect();
    let levels: Vec<(bool, f64)> = x.iter().zip(&y).map(|(x, y)| (*x >= at_s, *y)).collect();
    grouped(&levels) < grouped(&line.iter().map(|y| (true, *y)).collect::<Vec<_>>()) && !is_age(view, at_s)
}

/// Returns true if the age of processes explains the turns better than a step at `at_s` does. Returns false
/// if all processes were alive together, because the two are then indistinguishable.
fn is_age(view: &RunView, at_s: f64) -> bool {
    let long = || view.series.iter().flatten().filter(|one| one.residuals.len() >= LEAST_TURNS);
    let begin = long().map(|one| one.at_s[0]).fold(f64::NEG_INFINITY, f64::max);
    let end = long().map(|one| one.at_s[one.at_s.len() - 1]).fold(f64::INFINITY, f64::min);
    if begin < end {
        return false;
    }
    let aged = |one: &TurnSeries| {
        let n = one.residuals.len();
        one.residuals.iter().enumerate().map(move |(i, value)| (i * 8 / n, *value)).collect::<Vec<_>>()
    };
    let ages: Vec<(usize, f64)> = long().flat_map(aged).collect();
    let times: Vec<(bool, f64)> = turns(view, |_| 0.0).map(|(at, value)| (at >= at_s, value)).collect();
    let between = over_time(view).is_some_and(|(at, values)| step(&at, &values, VISITS_P, 4).is_some());
    !between && grouped(&ages) < grouped(&times)
}

fn grouped<K: Ord + Copy>(points: &[(K, f64)]) -> f64 {
    let mut groups: BTreeMap<K, Vec<f64>> = BTreeMap::new();
    for (key, value) in points {
        groups.entry(*key).or_default().push(*value);
    }
    let left = groups.values().map(|values| {
        let center = median(values);
        values.iter().map(|value| (value - center).abs()).sum::<f64>()
    });
    left.sum::<f64>() / points.len().max(1) as f64
}
