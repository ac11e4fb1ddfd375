//! The points of a curve. Each is the value of a case, or the geometric mean of several cases.

use super::over::{Key, Over, Params};
use derny_model::{CaseResult, Estimate, Interval, MetricSummary, VariantResult};
use derny_stats::Contrast;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    log: f64,
    error: Option<f64>,
    df: f64,
    interval: Option<Interval>,
    bytes_per_op: Option<f64>,
    processes: u32,
}

/// Numeric and textual parameter value, other parameters, and result of each case.
pub(super) type Members = Vec<(f64, String, Params, Value)>;

pub(super) struct CurvePoint {
    /// Parameter as a number.
    pub x: f64,
    /// Parameter as written.
    pub text: String,
    /// Estimate of the quantity.
    pub estimate: Estimate,
    /// Squared standard error of the estimate's logarithm, and its degrees of freedom.
    pub error: Option<(f64, f64)>,
    pub per_second: Option<f64>,
    /// Bytes per second, if the case declares its bytes.
    pub bytes_per_second: Option<f64>,
    pub cases: u32,
    pub processes: u32,
}

pub(super) struct Draft {
    pub key: Key,
    /// Parameters that are averaged by a geometric mean, with their values.
    pub aggregated: Vec<(String, Vec<String>)>,
    pub places: Vec<CurvePoint>,
}

pub(super) fn metric(variant: &VariantResult, name: &str) -> Option<MetricSummary> {
    variant.metrics.iter().find(|summary| summary.metric.name == name)
}

pub(super) fn value(case: &CaseResult, variant: &VariantResult, name: Option<&str>) -> Option<Value> {
    let positive = |estimate: &Estimate| (estimate.value > 0.0 && estimate.value.is_finite()).then_some(());
    if let Some(name) = name {
        let summary = metric(variant, name)?;
        positive(&summary.estimate)?;
        let df = f64::from(variant.processes.max(2)) - 1.0;
        let error = summary.deviation.map(|deviation| deviation * deviation / f64::from(variant.processes));
        return Some(Value {
            log: libm::log(summary.estimate.value),
            error,
            df,
            interval: summary.estimate.interval,
            bytes_per_op: None,
            processes: variant.processes,
        });
    }
    let time = variant.time.as_ref()?;
    positive(&time.typical)?;
    let logs: Vec<f64> =
        time.processes.iter().map(|p| p.time_ns).filter(|t| *t > 0.0).map(libm::log).collect();
    let count = logs.len() as f64;
    Some(Value {
        log: libm::log(time.typical.value),
        error: (logs.len() > 1).then(|| derny_stats::variance(&logs) / count),
        df: count - 1.0,
        interval: time.typical.interval,
        bytes_per_op: case.case.bytes.map(|bytes| bytes / case.case.ops),
        processes: variant.processes,
    })
}

/// Returns the points of a curve. Uses only combinations of other parameters that occur at every point.
/// Otherwise, each point would average different cases. If no combination occurs at every point, uses all of
/// them.
pub(super) fn draft(key: Key, members: Members, over: &Over<'_>) -> Draft {
    let mut at: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        at.entry(order(member.0)).or_default().push(index);
    }
    let mut common: Option<BTreeSet<Params>> = None;
    for place in at.values() {
        let here: BTreeSet<Params> = place.iter().map(|index| members[*index].2.clone()).collect();
        common = Some(common.map_or(here.clone(), |known| known.intersection(&here).cloned().collect()));
    }
    let common = common.filter(|common| !common.is_empty());
    let places = at.values().map(|indices| {
        let kept = indices.iter().map(|index| &members[*index]);
        let kept: Vec<_> =
            kept.filter(|m| common.as_ref().is_none_or(|common| common.contains(&m.2))).collect();
        let values: Vec<Value> = kept.iter().map(|m| m.3).collect();
        place(&values, kept[0].0, &kept[0].1, over)
    });
    let places = places.collect();
    let mut aggregated: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in common.iter().flatten().flatten() {
        match aggregated.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) if !values.contains(value) => values.push(value.clone()),
            Some(_) => {}
            None => aggregated.push((name.clone(), vec![value.clone()])),
        }
    }
    aggregated.retain(|(_, values)| values.len() > 1);
    Draft { key, aggregated, places }
}

fn order(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn place(values: &[Value], x: f64, text: &str, over: &Over<'_>) -> CurvePoint {
    let count = values.len() as f64;
    let log = values.iter().map(|value| value.log).sum::<f64>() / count;
    let interval = match values {
        [one] => one.interval,
        several => mean_error(several).map(|error| {
            let logs = Contrast::of_independent(log, [error]).interval(1.0 - over.confidence);
            Interval { lo: libm::exp(logs.lo), hi: libm::exp(logs.hi) }
        }),
    };
    let value = libm::exp(log);
    let per_second = over.metric.is_none().then_some(1e9 / value);
    let bytes: Option<Vec<f64>> = values.iter().map(|value| value.bytes_per_op).collect();
    let rate = |bytes: Vec<f64>| {
        let logs = bytes.iter().zip(values).map(|(bytes, value)| libm::log(bytes * 1e9) - value.log);
        libm::exp(logs.sum::<f64>() / count)
    };
    CurvePoint {
        x,
        text: text.to_owned(),
        estimate: Estimate { value, interval },
        error: mean_error(values),
        per_second,
        bytes_per_second: bytes.map(rate),
        cases: values.len() as u32,
        processes: values.iter().map(|value| value.processes).sum(),
    }
}

fn mean_error(values: &[Value]) -> Option<(f64, f64)> {
    let count = (values.len() as f64).powi(2);
    let parts: Option<Vec<(f64, f64)>> =
        values.iter().map(|value| Some((value.error? / count, value.df))).collect();
    let mean = Contrast::of_independent(0.0, parts?);
    Some((mean.standard_error * mean.standard_error, mean.df))
}
