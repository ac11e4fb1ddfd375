//! How a quantity goes with one parameter: points, steps between neighbours, and the law that they follow.
//!
//! Everything is done with logarithms: errors of times are shares. Points come from process values; a point that gathers
//! several cases is their geometric mean, with errors added as those of independent measurements. Neighbours are different cases
//! and never measured as a pair, so steps rest on Welch's interval, at a level that holds for all steps together (Bonferroni).

mod fit;
mod number;

use derny_model::{
    CaseResult, Curve, Direction, Document, Estimate, Interval, Point, Scaling, Step, VariantResult, Verdict,
};
use derny_stats::{student, theil_sen, theil_sen_interval};
use std::collections::{BTreeMap, BTreeSet};

pub use number::number;

/// A curve with the errors of its points' logarithms: squared, and their degrees of freedom.
struct Draft {
    curve: Curve,
    errors: Vec<Option<(f64, f64)>>,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Over<'a> {
    /// The parameter.
    pub over: &'a str,
    /// Parameters that curves are told apart by.
    pub by: &'a [String],
    /// A metric, in place of time.
    pub metric: Option<&'a str>,
    /// Base of the parameter's axis.
    pub log: Option<u32>,
    /// Changes within this share are of no consequence.
    pub margin: f64,
    /// Of intervals.
    pub confidence: f64,
}

/// A value of one case with its error, as logarithms.
#[derive(Debug, Clone, Copy)]
struct Value {
    log: f64,
    /// Squared standard error, where there is one.
    error: Option<f64>,
    df: f64,
    interval: Option<Interval>,
    bytes_per_op: Option<f64>,
    processes: u32,
}

/// Parameters by name.
type Params = Vec<(String, String)>;

/// Cases that may lie on one curve: the parameter's number and text, the other parameters, the value.
type Members = Vec<(f64, String, Params, Value)>;

/// What tells curves apart: suite, benchmark, `by`, variant.
type Key = (String, String, Params, String);

/// The curves of a run.
pub fn scaling(document: &Document, over: &Over<'_>) -> Scaling {
    let mut left_out = Vec::new();
    let mut groups: Vec<(Key, Members)> = Vec::new();
    let several = document.run.variants.len() > 1;
    let (mut unit, mut more_is_better) = ("ns".to_owned(), false);
    for case in document.cases() {
        let mut leave = |why: String| left_out.push((case.case.id.to_string(), why));
        let params = &case.case.id.params;
        let Some((_, text)) = params.iter().find(|(key, _)| key == over.over) else {
            leave(format!("it has no parameter `{}`", over.over));
            continue;
        };
        let Some(x) = number(text) else {
            leave(format!("`{text}` is no number"));
            continue;
        };
        if case.variants.is_empty() {
            leave("it was not measured".to_owned());
        }
        for variant in &case.variants {
            let Some(value) = value(case, variant, over.metric) else {
                leave(format!("it has no {}", over.metric.unwrap_or("times")));
                continue;
            };
            if let Some(found) = over.metric.and_then(|name| metric(variant, name)) {
                unit.clone_from(&found.metric.unit);
                more_is_better = found.metric.direction == Direction::More;
            }
            let is_by = |key: &String| over.by.contains(key);
            let by: Params = params.iter().filter(|(key, _)| is_by(key)).cloned().collect();
            let rest: Params =
                params.iter().filter(|(key, _)| key != over.over && !is_by(key)).cloned().collect();
            let variant = if several { variant.variant.clone() } else { String::new() };
            let key = (case.case.id.suite.clone(), case.case.id.benchmark.clone(), by, variant);
            let member = (x, text.clone(), rest, value);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, members)) => members.push(member),
                None => groups.push((key, vec![member])),
            }
        }
    }
    let mut drafts: Vec<Draft> = groups.into_iter().map(|(key, members)| curve(key, members, over)).collect();
    let steps: usize = drafts.iter().map(|draft| draft.errors.len().saturating_sub(1)).sum();
    let alpha = (1.0 - over.confidence) / steps.max(1) as f64;
    for draft in &mut drafts {
        draft.take_steps(alpha, over.margin, more_is_better);
        draft.fit(over.confidence);
    }
    let curves = drafts.into_iter().map(|draft| draft.curve).collect();
    Scaling {
        format: Scaling::FORMAT,
        run: document.run.id.clone(),
        over: over.over.to_owned(),
        by: over.by.to_vec(),
        quantity: over.metric.unwrap_or("time").to_owned(),
        unit,
        more_is_better,
        log: over.log,
        confidence: over.confidence,
        margin: over.margin,
        curves,
        left_out,
    }
}

fn metric<'a>(variant: &'a VariantResult, name: &str) -> Option<&'a derny_model::MetricSummary> {
    variant.metrics.iter().find(|summary| summary.metric.name == name)
}

/// The value of a case: times from its processes, metrics from their interval. None where it is not above 0.
fn value(case: &CaseResult, variant: &VariantResult, name: Option<&str>) -> Option<Value> {
    let positive = |estimate: &Estimate| (estimate.value > 0.0 && estimate.value.is_finite()).then_some(());
    if let Some(name) = name {
        let summary = metric(variant, name)?;
        positive(&summary.estimate)?;
        let half = |i: Interval| (i.hi / i.lo.max(f64::MIN_POSITIVE)).ln() / (2.0 * 1.96);
        let error = match summary.estimate.interval {
            Some(interval) => Some(half(interval).powi(2)),
            None => summary.constant.then_some(0.0),
        };
        return Some(Value {
            log: summary.estimate.value.ln(),
            error,
            df: 1e6,
            interval: summary.estimate.interval,
            bytes_per_op: None,
            processes: variant.processes,
        });
    }
    let time = variant.time.as_ref()?;
    positive(&time.typical)?;
    let logs: Vec<f64> = time.processes.iter().map(|p| p.time_ns).filter(|t| *t > 0.0).map(f64::ln).collect();
    let count = logs.len() as f64;
    Some(Value {
        log: time.typical.value.ln(),
        error: (logs.len() > 1).then(|| derny_stats::variance(&logs) / count),
        df: count - 1.0,
        interval: time.typical.interval,
        bytes_per_op: case.case.bytes.map(|bytes| bytes / case.case.ops),
        processes: variant.processes,
    })
}

/// The points of a curve, without steps and growth. Only combinations of other parameters that are there at every point
/// count: otherwise points would differ in what they are means of.
fn curve(key: Key, members: Members, over: &Over<'_>) -> Draft {
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
    let (mut points, mut errors) = (Vec::with_capacity(at.len()), Vec::with_capacity(at.len()));
    for place in at.values() {
        let kept = place.iter().map(|index| &members[*index]);
        let kept: Vec<_> =
            kept.filter(|m| common.as_ref().is_none_or(|common| common.contains(&m.2))).collect();
        let values: Vec<Value> = kept.iter().map(|m| m.3).collect();
        points.push(point(&values, kept[0].0, &kept[0].1, over));
        errors.push(mean_error(&values));
    }
    let mut aggregated: Vec<(String, Vec<String>)> = Vec::new();
    for (name, value) in common.iter().flatten().flatten() {
        match aggregated.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) if !values.contains(value) => values.push(value.clone()),
            Some(_) => {}
            None => aggregated.push((name.clone(), vec![value.clone()])),
        }
    }
    aggregated.retain(|(_, values)| values.len() > 1);
    let (suite, benchmark, by, variant) = key;
    let curve = Curve { suite, benchmark, by, variant, aggregated, points, growth: None, exponent: None };
    Draft { curve, errors }
}

/// Numbers in their order as bits.
fn order(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn point(values: &[Value], x: f64, text: &str, over: &Over<'_>) -> Point {
    let count = values.len() as f64;
    let log = values.iter().map(|value| value.log).sum::<f64>() / count;
    let interval = match values {
        [one] => one.interval,
        several => mean_error(several).map(|(error, df)| {
            let half = student::critical(over.confidence, df) * error.sqrt();
            Interval { lo: (log - half).exp(), hi: (log + half).exp() }
        }),
    };
    let value = log.exp();
    let per_second = over.metric.is_none().then_some(1e9 / value);
    let bytes: Option<Vec<f64>> = values.iter().map(|value| value.bytes_per_op).collect();
    let rate = |bytes: Vec<f64>| {
        let logs = bytes.iter().zip(values).map(|(bytes, value)| (bytes * 1e9).ln() - value.log);
        (logs.sum::<f64>() / count).exp()
    };
    Point {
        x,
        text: text.to_owned(),
        estimate: Estimate { value, interval },
        per_second,
        bytes_per_second: bytes.map(rate),
        cases: values.len() as u32,
        processes: values.iter().map(|value| value.processes).sum(),
        step: None,
        fitted: None,
        off: false,
    }
}

/// Squared standard error of a mean of independent values, with Satterthwaite's degrees of freedom.
fn mean_error(values: &[Value]) -> Option<(f64, f64)> {
    let count = (values.len() as f64).powi(2);
    let (mut square, mut spread) = (0.0, 0.0);
    for value in values {
        let error = value.error? / count;
        square += error;
        spread += error * error / value.df;
    }
    Some((square, if spread > 0.0 { square * square / spread } else { 1e6 }))
}

impl Draft {
    /// Every point against the one before, at the level `alpha` for each.
    fn take_steps(&mut self, alpha: f64, margin: f64, more_is_better: bool) {
        for index in 1..self.errors.len() {
            let (before, here) = (&self.curve.points[index - 1], &self.curve.points[index]);
            let difference = (here.estimate.value / before.estimate.value).ln();
            let interval = self.errors[index - 1].zip(self.errors[index]).map(|(a, b)| {
                let square = a.0 + b.0;
                let spread = a.0 * a.0 / a.1 + b.0 * b.0 / b.1;
                let df = if spread > 0.0 { square * square / spread } else { 1e6 };
                let half = student::critical(1.0 - alpha, df) * square.sqrt();
                Interval { lo: difference - half, hi: difference + half }
            });
            let span = (here.x / before.x).ln();
            let exponent = (before.x > 0.0).then(|| Estimate {
                value: difference / span,
                interval: interval.map(|i| Interval { lo: i.lo / span, hi: i.hi / span }),
            });
            let ratio = interval.map(|i| Interval { lo: i.lo.exp(), hi: i.hi.exp() });
            let verdict = ratio.map_or(Verdict::Unclear, |ratio| {
                Verdict::of(Interval { lo: ratio.lo - 1.0, hi: ratio.hi - 1.0 }, margin)
            });
            let verdict = if more_is_better { verdict.turned() } else { verdict };
            let ratio = Estimate { value: difference.exp(), interval: ratio };
            self.curve.points[index].step = Some(Step { ratio, exponent, verdict });
        }
    }

    /// The law of the points, what it says at each, and which lie off it.
    fn fit(&mut self, confidence: f64) {
        let points = &mut self.curve.points;
        let x: Vec<f64> = points.iter().map(|point| point.x).collect();
        if x.len() < 3 || x[0] <= 0.0 {
            return;
        }
        let logs: Vec<f64> = points.iter().map(|point| point.estimate.value.ln()).collect();
        let known: Vec<f64> = self.errors.iter().flatten().map(|error| error.0).collect();
        let noise =
            if known.is_empty() { 0.0 } else { (known.iter().sum::<f64>() / known.len() as f64).sqrt() };
        let fitted = fit::choose(&x, &logs, noise);
        let on: Vec<usize> = (0..x.len()).filter(|i| fitted.as_ref().is_none_or(|f| !f.off[*i])).collect();
        let x: Vec<f64> = on.iter().map(|i| x[*i].ln()).collect();
        let y: Vec<f64> = on.iter().map(|i| logs[*i]).collect();
        let slope = theil_sen(&x, &y);
        let interval = theil_sen_interval(&x, &y, 1.0 - confidence).map(|i| Interval { lo: i.lo, hi: i.hi });
        let exponent = Estimate { value: slope, interval };
        self.curve.exponent = Some(exponent).filter(|exponent| exponent.value.is_finite());
        let Some(mut fitted) = fitted else { return };
        for ((point, log), off) in points.iter_mut().zip(&fitted.logs).zip(&fitted.off) {
            point.fitted = Some(log.exp());
            point.off = *off;
        }
        if fitted.growth.law == fit::POWER {
            fitted.growth.exponent = Some(exponent);
        }
        self.curve.growth = Some(fitted.growth);
    }
}
