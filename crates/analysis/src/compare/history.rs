//! What runs of the same code differ by on one machine: the error of every comparison between runs.

use derny_estimate::between::Between;
use derny_model::{CaseId, CaseResult, Document, Quantity, VariantResult};
use derny_stats::plan::variance_components;
use std::collections::HashMap;

/// Stored runs in groups of the same code on one machine.
pub(crate) struct History<'a> {
    /// For every group, its runs' results by case.
    groups: Vec<Vec<HashMap<&'a CaseId, &'a CaseResult>>>,
}

impl<'a> History<'a> {
    pub(crate) fn new(groups: &[Vec<&'a Document>]) -> History<'a> {
        let by_case = |document: &&'a Document| document.cases().map(|case| (&case.case.id, case)).collect();
        let groups = groups.iter().filter(|group| group.len() > 1);
        History { groups: groups.map(|group| group.iter().map(by_case).collect()).collect() }
    }

    /// The pooled variance within groups of the logarithm of a case's value.
    pub(crate) fn between(&self, id: &CaseId, quantity: &Quantity) -> Option<Between> {
        self.pooled(|run| log(value(run.get(id)?, quantity)?))
    }

    /// The same of the value itself: of a quantity that may be 0.
    pub(crate) fn between_values(&self, id: &CaseId, quantity: &Quantity) -> Option<Between> {
        self.pooled(|run| value(run.get(id)?, quantity))
    }

    /// The same for the mean of the logarithms of typical time over several cases: cases of one run share its day.
    pub(crate) fn between_means(&self, ids: &[&CaseId]) -> Option<Between> {
        self.pooled(|run| {
            let logs: Option<Vec<f64>> =
                ids.iter().map(|id| log(value(run.get(id)?, &Quantity::Typical)?)).collect();
            logs.map(|logs| logs.iter().sum::<f64>() / logs.len() as f64)
        })
    }

    fn pooled(&self, value: impl Fn(&HashMap<&'a CaseId, &'a CaseResult>) -> Option<f64>) -> Option<Between> {
        let groups = self.groups.iter().map(|group| group.iter().filter_map(&value).collect());
        let groups: Vec<Vec<f64>> = groups.filter(|values: &Vec<f64>| values.len() > 1).collect();
        let runs: usize = groups.iter().map(Vec::len).sum();
        (runs > 0).then(|| Between {
            variance: variance_components(&groups).within,
            df: (runs - groups.len()) as f64,
            runs: runs as u32,
        })
    }
}

fn log(value: f64) -> Option<f64> {
    (value > 0.0).then(|| libm::log(value))
}

/// What the first variant of a case came to.
fn value(case: &CaseResult, quantity: &Quantity) -> Option<f64> {
    let result: &VariantResult = case.variants.first()?;
    Some(match quantity {
        Quantity::Typical => result.time.as_ref()?.typical.value,
        Quantity::Mean => result.time.as_ref()?.mean.value,
        Quantity::Metric(name) => {
            result.metrics.iter().find(|summary| summary.metric.name == *name)?.estimate.value
        }
    })
}
