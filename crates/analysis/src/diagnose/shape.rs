//! The distribution of a case's turns and processes: levels, modes, dependence, outliers.

use super::view::{CaseView, Detected, percent};
use derny_estimate::level::ENOUGH;
use derny_stats::quantile::{quantile, sorted};
use derny_stats::scale::shamos;
use derny_stats::special::chi_squared_upper;
use derny_stats::{durbin_watson, ljung_box, mean};
use std::collections::BTreeMap;

/// Share of processes without a stable level, or with a slower one, that triggers a warning.
const UNSETTLED: f64 = 1.0 / 3.0;
/// Minimum number of these processes. One or two may be due to other load.
const UNSETTLED_LEAST: u32 = 3;
const OFFSET: f64 = 0.01;
/// Standard deviation of normal values divided by their Shamos spread.
const SHAMOS_TO_SIGMA: f64 = 1.048_358;
const CORRELATED_TURNS: usize = 60;
/// Below this Durbin–Watson statistic, turns count as correlated.
const DURBIN_WATSON: f64 = 1.5;
/// Below this p-value of the Ljung–Box test, turns count as correlated.
const LJUNG_BOX_P: f64 = 0.001;
/// Below this effective number of independent values per turn, turns count as correlated.
const EFFECTIVE: f64 = 0.5;
const LEAST_FOR_OUTLIERS: usize = 30;
/// Minimum share of the variance that outliers must cause.
const OUTLIERS: f64 = 0.5;
/// Minimum relative change of the mean that outliers must cause.
const MOVED: f64 = 0.01;

pub(super) fn never_steady(view: &CaseView) -> Option<Detected> {
    let worst = view.result.variants.iter().filter_map(|variant| {
        let time = variant.time.as_ref()?;
        let (never, slower) = (time.steady.unsteady, time.steady.slowdown);
        let all = time.steady.flat + time.steady.warm_up + never + slower;
        let share = f64::from(never + slower) / f64::from(all);
        (never + slower >= UNSETTLED_LEAST && share >= UNSETTLED).then_some((share, never, slower, all))
    });
    let (share, never, slower, all) = worst.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let parts = [(never, "never settled"), (slower, "became slower and stayed so")];
    let parts: Vec<String> = parts
        .iter()
        .filter(|part| part.0 > 0)
        .map(|(n, what)| format!("{n} of {all} processes {what}"))
        .collect();
    Some(Detected {
        message: format!("has no steady state: {}", parts.join(", ")),
        remedy: "use a longer warm-up, such as --set warmup=10s; if that does not help, the time is an \
            average over levels"
            .to_owned(),
        severity: share,
    })
}

/// Warns if the spread between processes exceeds the noise within them and the interval is still wide.
pub(super) fn offsets(view: &CaseView) -> Option<Detected> {
    let precision = view.records.header.settings.precision;
    let worst = view.result.variants.iter().filter_map(|variant| {
        let time = variant.time.as_ref()?;
        let interval = time.typical.interval?;
        let wide = libm::log(interval.hi / interval.lo) / 2.0 > precision;
        let values: Vec<_> = time.processes.iter().filter(|one| one.time_ns > 0.0).collect();
        let logs: Vec<f64> = values.iter().map(|one| libm::log(one.time_ns)).collect();
        if !wide || logs.len() < ENOUGH {
            return None;
        }
        // The median of r turns has 1.57 times the variance of their mean.
        let within = values.iter().map(|one| 1.57 * one.within * one.within / f64::from(one.turns.max(1)));
        let within = within.sum::<f64>() / logs.len() as f64;
        let all = (SHAMOS_TO_SIGMA * shamos(&logs)).powi(2);
        let between = (all - within).max(0.0).sqrt();
        (between > OFFSET && between * between > within).then_some(between)
    });
    let between = worst.max_by(f64::total_cmp)?;
    Some(Detected {
        message: format!("differs by {} from process to process (standard deviation)", percent(between)),
        remedy: "add processes, not time per process: raise --budget and the setting `processes`".to_owned(),
        severity: between,
    })
}

pub(super) fn correlated(view: &CaseView) -> Option<Detected> {
    let series: Vec<&[f64]> =
        view.series.iter().map(|one| &*one.residuals).filter(|turns| turns.len() >= 8).collect();
    let n: usize = series.iter().map(|turns| turns.len()).sum();
    let squares = |turns: &[f64]| {
        let mean = turns.iter().sum::<f64>() / turns.len() as f64;
        turns.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
    };
    let all: f64 = series.iter().map(|turns| squares(turns)).sum();
    if n < CORRELATED_TURNS || all == 0.0 {
        return None;
    }
    let varying = || series.iter().filter(|turns| squares(turns) > 0.0);
    let durbin_watson = varying().map(|turns| durbin_watson(turns) * squares(turns)).sum::<f64>() / all;
    let lags = |turns: &[f64]| (turns.len() / 4).min(5);
    let (q, degrees) = varying()
        .fold((0.0, 0), |(q, degrees), turns| (q + ljung_box(turns, lags(turns)).0, degrees + lags(turns)));
    let p = chi_squared_upper(q, degrees as f64);
    let effective = effective_share(&series);
    if (durbin_watson >= DURBIN_WATSON && p >= LJUNG_BOX_P) || effective >= EFFECTIVE {
        return None;
    }
    Some(Detected {
        message: format!(
            "has correlated turns: {n} carry as much information as {:.0} independent ones (Durbin–Watson \
                {durbin_watson:.2})",
            effective * n as f64
        ),
        remedy: "the interval is based on processes and is not affected; more rounds per process add little"
            .to_owned(),
        severity: 1.0 - effective,
    })
}

/// Returns the effective number of independent values, as a share of all values. Pools autocorrelations over
/// the series and sums them while Geyer's pairs are positive.
fn effective_share(series: &[&[f64]]) -> f64 {
    let longest = series.iter().map(|turns| turns.len()).max().unwrap_or(0);
    let product = |lag: usize| {
        let of = |turns: &&[f64]| {
            let mean = turns.iter().sum::<f64>() / turns.len() as f64;
            let later = turns.iter().skip(lag);
            turns.iter().zip(later).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>()
        };
        series.iter().map(of).sum::<f64>()
    };
    let variance = product(0);
    let pair = |m: usize| (product(2 * m) + product(2 * m + 1)) / variance;
    let positive: f64 = (0..longest.div_ceil(2)).map(pair).take_while(|sum| *sum > 0.0).sum();
    1.0 / (2.0 * positive - 1.0).max(1.0)
}

/// Warns if outliers beyond Tukey's fences cause half of the variance and shift the mean. Each turn is
/// divided by the typical time of its process and processor, so differences between these do not count.
pub(super) fn outliers(view: &CaseView) -> Option<Detected> {
    let mut by_variant: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for one in view.series {
        let times = one.residuals.iter().map(|log| libm::exp(*log));
        by_variant.entry(one.variant).or_default().extend(times);
    }
    let found = by_variant.values().filter_map(|times| weight_of_outliers(times));
    let worst = found.max_by(|a, b| a.share.total_cmp(&b.share))?;
    Some(Detected {
        message: format!(
            "has outliers: {} of {} turns cause {} of the variance",
            worst.count,
            worst.turns,
            percent(worst.share),
        ),
        remedy: "typical time resists outliers; if the code causes them, judge by the mean".to_owned(),
        severity: worst.share,
    })
}

struct Outliers {
    count: usize,
    turns: usize,
    share: f64,
}

/// Returns the outliers, or `None` if they have little effect. Every run on a busy machine has some outliers.
fn weight_of_outliers(times: &[f64]) -> Option<Outliers> {
    let ordered = sorted(times);
    let (q1, q3) = (quantile(&ordered, 0.25), quantile(&ordered, 0.75));
    let reach = 1.5 * (q3 - q1);
    let inside: Vec<f64> =
        ordered.iter().copied().filter(|x| (q1 - reach..=q3 + reach).contains(x)).collect();
    let share = 1.0 - scatter(&inside) / scatter(times);
    let moved = mean(times) / mean(&inside) - 1.0;
    let (count, turns) = (times.len() - inside.len(), times.len());
    let matters = turns >= LEAST_FOR_OUTLIERS && share >= OUTLIERS && moved.abs() >= MOVED;
    matters.then_some(Outliers { count, turns, share })
}

fn scatter(values: &[f64]) -> f64 {
    let center = mean(values);
    values.iter().map(|value| (value - center) * (value - center)).sum()
}
