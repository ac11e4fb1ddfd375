//! Indexes the cases of one side of a comparison.

use super::input::{Input, variant_name};
use super::measured::{Index, Measured};
use crate::diagnose::Blame;
use crate::digest::Digests;
use derny_model::{Case, CaseId, CaseResult, Look, StopReason, VariantResult};
use std::collections::HashMap;

pub(crate) struct View<'a> {
    pub input: &'a Input<'a>,
    pub(super) order: Vec<&'a CaseId>,
    pub(super) results: HashMap<&'a CaseId, (&'a CaseResult, &'a VariantResult)>,
    index: Option<Index<'a>>,
    places: HashMap<&'a CaseId, usize>,
    ended: HashMap<u32, StopReason>,
    looks: HashMap<u32, Vec<&'a Look>>,
    digests: Option<&'a dyn Digests>,
}

impl<'a> View<'a> {
    pub(super) fn new(input: &'a Input<'a>, digests: Option<&'a dyn Digests>) -> View<'a> {
        let name = variant_name(input);
        let mut order = Vec::new();
        let mut results = HashMap::new();
        for case in input.document.cases() {
            if let Some(result) = case.variants.iter().find(|result| result.variant == name) {
                order.push(&case.case.id);
                results.insert(&case.case.id, (case, result));
            }
        }
        let cases = input.records.map(|records| records.cases.iter().enumerate());
        let places = cases.into_iter().flatten().map(|(place, case)| (&case.id, place)).collect();
        let ended = input.records.iter().flat_map(|records| records.ended.iter().copied()).collect();
        let mut looks: HashMap<u32, Vec<&Look>> = HashMap::new();
        for look in input.records.iter().flat_map(|records| &records.looks) {
            looks.entry(look.case).or_default().push(look);
        }
        View { input, order, results, index: input.records.map(Index::new), places, ended, looks, digests }
    }

    pub(crate) fn result(&self, id: &CaseId) -> Option<(&'a CaseResult, &'a VariantResult)> {
        self.results.get(id).copied()
    }

    pub(crate) fn place(&self, id: &CaseId) -> Option<u32> {
        self.places.get(id).map(|place| *place as u32)
    }

    /// Returns why a case ended, or `Some(None)` if it did not end. Returns `None` if there are no records,
    /// or if they lack the case.
    pub(crate) fn ended(&self, id: &CaseId) -> Option<Option<StopReason>> {
        self.input.records?;
        Some(self.ended.get(&self.place(id)?).copied())
    }

    pub(crate) fn looks(&self, id: &CaseId) -> Vec<Look> {
        let own = self.places.get(id).and_then(|place| self.looks.get(&(*place as u32)));
        own.into_iter().flatten().map(|look| (*look).clone()).collect()
    }

    pub(crate) fn measured(&self, id: &CaseId, case: &Case, blame: Option<&Blame>) -> Option<Measured> {
        let (index, place, variant) = (self.index.as_ref()?, *self.places.get(id)?, self.input.variant);
        let known = self.digests.filter(|_| blame.is_none()).and_then(|digests| {
            let (bytes, moved) = digests.measured(place as u32)?;
            index.unpack(&bytes, variant, moved)
        });
        Some(known.unwrap_or_else(|| index.measured(place, case, variant, blame)))
    }
}
