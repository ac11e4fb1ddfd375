//! Which of a result's values is drawn.

use derny_model::{CaseResult, Document, Estimate, Figure, Interval, VariantResult};

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
        let mut results = document.cases().flat_map(|case| &case.variants);
        results
            .find_map(|result| self.figure(result))
            .map_or_else(String::new, |figure| figure.unit.to_string())
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
        self.figure(result).map(Figure::estimate)
    }

    /// The figure that is meant: a metric of this name, else a statistic of time.
    fn figure(&self, result: &VariantResult) -> Option<Figure> {
        let name = match self.name.as_str() {
            "rate" => "ops_per_second",
            "bytes" => "bytes_per_second",
            "items" => "items_per_second",
            name => name,
        };
        result.metric(&self.name).or_else(|| result.figure(name))
    }
}

fn map(estimate: Estimate, to: impl Fn(f64) -> f64) -> Estimate {
    let interval = estimate.interval.map(|i| Interval { lo: to(i.lo), hi: to(i.hi) });
    Estimate { value: to(estimate.value), interval }
}
