//! Earlier runs of the same code. They show how much repeated runs differ.

use derny_estimate::machine::{self, Earlier, Least};
use derny_model::{CaseId, CaseResult, Document, Quantity, VariantResult};
use std::collections::HashMap;

pub(crate) struct History<'a> {
    groups: Vec<Vec<StoredRun<'a>>>,
}

struct StoredRun<'a> {
    document: &'a Document,
    cases: HashMap<&'a CaseId, &'a CaseResult>,
}

impl<'a> History<'a> {
    pub(crate) fn new(groups: &[Vec<&'a Document>]) -> History<'a> {
        let run = |document: &&'a Document| StoredRun {
            document,
            cases: document.cases().map(|case| (&case.case.id, case)).collect(),
        };
        History { groups: groups.iter().map(|group| group.iter().map(run).collect()).collect() }
    }

    /// Returns the minimum change of a case's quantity that is attributed to the machine: see
    /// [`machine::least`].
    pub(crate) fn least(
        &self,
        id: &CaseId,
        quantity: &Quantity,
        unit: &str,
        apart_ms: u64,
        alpha: f64,
    ) -> Least {
        self.by(unit, apart_ms, alpha, |run| log(value(run.get(id)?, quantity)?))
    }

    /// Returns the minimum change of the geometric mean of several cases that is attributed to the machine.
    /// The cases of one run share the state of the machine, so their mean does not average it out.
    pub(crate) fn least_of_mean(&self, ids: &[&CaseId], apart_ms: u64, alpha: f64) -> Least {
        self.by("ns", apart_ms, alpha, |run| {
            let logs: Option<Vec<f64>> =
                ids.iter().map(|id| log(value(run.get(id)?, &Quantity::Typical)?)).collect();
            logs.map(|logs| logs.iter().sum::<f64>() / logs.len() as f64)
        })
    }

    fn by(
        &self,
        unit: &str,
        apart_ms: u64,
        alpha: f64,
        log: impl Fn(&HashMap<&'a CaseId, &'a CaseResult>) -> Option<f64>,
    ) -> Least {
        let earlier = |run: &StoredRun<'a>| {
            let Document { run: header, yardsticks, .. } = run.document;
            Some(Earlier { started_ms: header.started_ms, log: log(&run.cases)?, yardsticks, unit })
        };
        let groups = self.groups.iter().map(|group| group.iter().filter_map(earlier).collect());
        machine::least(&groups.collect::<Vec<Vec<Earlier>>>(), apart_ms, alpha)
    }
}

fn log(value: f64) -> Option<f64> {
    (value > 0.0).then(|| libm::log(value))
}

fn value(case: &CaseResult, quantity: &Quantity) -> Option<f64> {
    let result: &VariantResult = case.variants.first()?;
    Some(match quantity {
        Quantity::Typical => result.time.as_ref()?.typical.value,
        Quantity::Mean => result.time.as_ref()?.mean.value,
        Quantity::Metric(name) => {
            result.metrics.iter().find(|summary| *name == summary.metric.name)?.estimate.value
        }
    })
}
