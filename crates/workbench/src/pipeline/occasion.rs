//! The place of a run in a series, and the part of the selection that it measures. Plain data, independent of
//! how work is divided.

use crate::variants::build::Prebuilt;
use derny_model::{Case, CaseId, Identity, Part, Records, Series, Variant};
use std::collections::HashMap;

/// The place of this run in a series.
#[derive(Debug, Clone, Default)]
pub struct Occasion<'a> {
    /// An interrupted run to resume.
    pub prior: Option<&'a Records>,
    /// Its place in a series. The first run of a series gives the series its id.
    pub series: Option<Series>,
    /// The part of the selection that it measures.
    pub scope: Scope<'a>,
}

/// The part of the selection that a run measures.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'a> {
    /// Measure only these of the selected cases; all of them if empty.
    pub only: &'a [CaseId],
    /// Pairs of each of `only`, in their order. 0 leaves the number open, as does an empty list.
    pub fixed_pairs: &'a [u32],
    /// Builds that already exist.
    pub builds: Option<&'a dyn Prebuilt>,
    /// The part of a multi-machine measurement that the run is.
    pub part: Option<PartOf<'a>>,
    /// Identify the selection, so that it can be divided.
    pub identify: bool,
}

/// A part of a measurement that several machines share.
#[derive(Debug, Clone, Copy)]
pub struct PartOf<'a> {
    /// Its name in the header of the run.
    pub part: &'a Part,
    /// The run's seed. Each part has another: two parts with the same case would repeat each other's order.
    pub seed: u64,
    /// The machine's name, if it is not the host's.
    pub machine: Option<&'a str>,
    /// The variants as planned.
    pub variants: &'a [Variant],
    /// The planned measurement. Planning fails if the selection here differs.
    pub identity: &'a Identity,
}

impl Scope<'_> {
    /// Returns the places in `only` of the cases that this scope names.
    fn places(&self) -> HashMap<&CaseId, usize> {
        self.only.iter().zip(0..).collect()
    }

    /// Returns which of these cases a run in this scope measures.
    pub(crate) fn has(&self) -> impl Fn(&Case) -> bool {
        let places = self.places();
        move |case| places.is_empty() || places.contains_key(&case.id)
    }

    /// Returns the pairs of each of these cases, of those whose number is fixed.
    pub(crate) fn fixed(&self, cases: &[Case]) -> Vec<u32> {
        let places = self.places();
        let pairs = |case: &Case| self.fixed_pairs.get(*places.get(&case.id)?).copied();
        cases.iter().filter_map(pairs).filter(|pairs| *pairs > 0).collect()
    }
}
