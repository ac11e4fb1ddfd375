//! The quantity that a chart draws.

use derny_model::{CaseResult, Document, Estimate, Figure, Interval, VariantResult};

/// A quantity to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantified {
    name: String,
    relative: bool,
}

impl Quantified {
    /// Selects `time`, `rate` (operations per second), `mean`, `cpu`, `bytes` and `items` (per second), or a
    /// metric by name. With `relative`, values are changes from the first variant of the case.
    pub fn new(name: &str, relative: bool) -> Quantified {
        Quantified { name: name.to_owned(), relative }
    }

    /// Returns the name as requested.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the quantity is typical time.
    pub fn is_time(&self) -> bool {
        self.name == "time"
    }

    /// Returns true if any result of `document` has the quantity.
    pub fn is_in(&self, document: &Document) -> bool {
        document.cases().flat_map(|case| &case.variants).any(|result| self.figure(result).is_some())
    }

    /// Returns the axis label.
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
        if self.relative { format!("{words}, change from the first variant") } else { words.to_owned() }
    }

    /// Returns the unit. Empty if no result has the quantity.
    pub fn unit(&self, document: &Document) -> String {
        if self.relative {
            return "share".to_owned();
        }
        let mut results = document.cases().flat_map(|case| &case.variants);
        results
            .find_map(|result| self.figure(result))
            .map_or_else(String::new, |figure| figure.unit.to_string())
    }

    /// Returns the value of the quantity in a result.
    pub fn of(&self, case: &CaseResult, result: &VariantResult) -> Option<Estimate> {
        let own = self.absolute(result)?;
        if !self.relative {
            return Some(own);
        }
        let base = self.absolute(case.variants.first()?)?.value;
        Some(map(own, |value| value / base - 1.0)).filter(|estimate| estimate.value.is_finite())
    }

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
