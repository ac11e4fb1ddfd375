//! Which of a result's values is drawn.

use derny_model::{CaseResult, Document, Estimate, Interval, VariantResult};

/// A value that every result may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantified {
    name: String,
    relative: bool,
}

impl Quantified {
    /// `time`, `rate` (operations a second), `mean`, `cpu`, `bytes` and `items` (a second), or a metric's name. With
    /// `relative`, as the change against the case's first variant.
    pub fn new(name: &str, relative: bool) -> Quantified {
        Quantified { name: name.to_owned(), relative }
    }

    /// As it was asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is typical time itself, which processes and turns have too.
    pub fn is_time(&self) -> bool {
        self.name == "time"
    }

    /// What it is, in words for an axis.
    pub fn words(&self) -> String {
        let words = match self.name.as_str() {
            "time" => "time per operation",
            "rate" => "operations per second",
            "mean" => "mean time per operation",
            "cpu" => "processor time per operation",
            "bytes" => "bytes per second",
            "items" => "items per second",
            other => other,
        };
        if self.relative { format!("{words}, change against the first variant") } else { words.to_owned() }
    }

    /// Its unit; empty where nothing in the document has it.
    pub fn unit(&self, document: &Document) -> String {
        if self.relative {
            return "share".to_owned();
        }
        match self.name.as_str() {
            "time" | "mean" | "cpu" => "ns".to_owned(),
            "rate" => "op/s".to_owned(),
            "bytes" => "bytes/s".to_owned(),
            "items" => "items/s".to_owned(),
            name => {
                let metrics = document.cases().flat_map(|case| &case.variants).flat_map(|v| &v.metrics);
                let found = metrics.map(|summary| &summary.metric).find(|metric| metric.name == name);
                found.map_or_else(String::new, |metric| metric.unit.clone())
            }
        }
    }

    /// The value of one result.
    pub fn of(&self, case: &CaseResult, result: &VariantResult) -> Option<Estimate> {
        let own = self.absolute(result)?;
        if !self.relative {
            return Some(own);
        }
        let base = self.absolute(case.variants.first()?)?.value;
        Some(map(own, |value| value / base - 1.0)).filter(|estimate| estimate.value.is_finite())
    }

    /// A value in the result's own unit, on the axis that is drawn.
    pub(super) fn on_axis(&self, case: &CaseResult, value: f64) -> Option<f64> {
        if !self.relative {
            return Some(value);
        }
        let base = self.absolute(case.variants.first()?)?.value;
        Some(value / base - 1.0).filter(|value| value.is_finite())
    }

    fn absolute(&self, result: &VariantResult) -> Option<Estimate> {
        if let Some(summary) = result.metrics.iter().find(|summary| summary.metric.name == self.name) {
            return Some(summary.estimate);
        }
        let time = result.time.as_ref()?;
        let scaled = |rate: Option<f64>| {
            let rate = rate?;
            (time.typical.value > 0.0).then(|| inverse(time.typical, rate * time.typical.value))
        };
        match self.name.as_str() {
            "time" => Some(time.typical),
            "mean" => Some(time.mean),
            "cpu" => time.cpu,
            "rate" => scaled(Some(time.ops_per_second)),
            "bytes" => scaled(time.bytes_per_second),
            "items" => scaled(time.items_per_second),
            _ => None,
        }
    }
}

fn map(estimate: Estimate, to: impl Fn(f64) -> f64) -> Estimate {
    let interval = estimate.interval.map(|i| Interval { lo: to(i.lo), hi: to(i.hi) });
    Estimate { value: to(estimate.value), interval }
}

/// `work / time`: the slow end of the time is the low end of the rate.
fn inverse(time: Estimate, work: f64) -> Estimate {
    let interval =
        time.interval.map(|i| Interval { lo: work / i.hi, hi: work / i.lo.max(f64::MIN_POSITIVE) });
    Estimate { value: work / time.value, interval }
}
