//! The occasion of a run: its place in a series, and the part of the selection that it measures. Other code
//! decides how the work is divided among runs and machines.

use crate::variants::build::Prebuilt;
use derny_model::{Case, CaseId, Identity, Part, Records, Series, Variant};
use std::collections::HashMap;

/// The circumstances of a run: the run that it resumes, its series, and its part of the selection.
#[derive(Debug, Clone, Default)]
pub struct Occasion<'a> {
    /// An interrupted run to resume.
    pub prior: Option<&'a Records>,
    /// The series that the run belongs to, and its number in it. The first run of a series gives the series
    /// its id.
    pub series: Option<Series>,
    /// The part of the selection to measure.
    pub scope: Scope<'a>,
}

/// The part of the selection that a run measures.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope<'a> {
    /// The cases of the selection to measure. If empty, all are measured.
    pub only: &'a [CaseId],
    /// Number of pairs for each case of `only`, in the same order. 0 leaves the number of pairs open, and
    /// an empty list leaves it open for all cases.
    pub fixed_pairs: &'a [u32],
    /// Builds that already exist.
    pub builds: Option<&'a dyn Prebuilt>,
    /// The plan's data, if the run is a part of a measurement on several machines.
    pub part: Option<PartOf<'a>>,
    /// True to compute the identity of the selection, which is needed to divide it among machines.
    pub identify: bool,
}

/// A run's part of a measurement that several machines share.
#[derive(Debug, Clone, Copy)]
pub struct PartOf<'a> {
    /// The part, as recorded in the header of the run.
    pub part: &'a Part,
    /// Seed of the run. Each part has its own, because parts with the same seed would measure a case in the
    /// same order.
    pub seed: u64,
    /// Name of the machine, if it is not the host name.
    pub machine: Option<&'a str>,
    /// The variants as planned.
    pub variants: &'a [Variant],
    /// Identity of the planned measurement. Planning fails if the selection on this machine has a different
    /// one.
    pub identity: &'a Identity,
}

impl Scope<'_> {
    /// Returns the index in `only` of each case. Empty if the scope is not limited to some cases.
    fn places(&self) -> HashMap<&CaseId, usize> {
        self.only.iter().zip(0..).collect()
    }

    /// Returns a predicate that is true for the cases that a run in this scope measures.
    pub(crate) fn has(&self) -> impl Fn(&Case) -> bool {
        let places = self.places();
        move |case| places.is_empty() || places.contains_key(&case.id)
    }

    /// Returns the fixed number of pairs for each of `cases`. Empty if no number is fixed.
    pub(crate) fn fixed(&self, cases: &[Case]) -> Vec<u32> {
        let places = self.places();
        let pairs = |case: &Case| self.fixed_pairs.get(*places.get(&case.id)?).copied();
        cases.iter().filter_map(pairs).filter(|pairs| *pairs > 0).collect()
    }
}
