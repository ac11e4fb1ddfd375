//! Checks the indices in a document, because another program may have written its file.

use crate::{ComparedSide, Comparison, Document};

impl Document {
    /// Checks that every index refers to an existing entry.
    ///
    /// # Errors
    /// Returns a clause that describes the first wrong index.
    pub fn check(&self) -> Result<(), String> {
        let cases = self.cases().count();
        let named = self.warnings.iter().map(|own| own.case).chain(self.failures.iter().map(|own| own.case));
        if let Some(case) = named.flatten().find(|case| *case as usize >= cases) {
            return Err(format!("it refers to case {case}, but has only {cases} cases"));
        }
        self.comparison.as_ref().map_or(Ok(()), |comparison| comparison.check())
    }
}

impl Comparison {
    /// Checks that every index refers to an existing entry.
    ///
    /// # Errors
    /// Returns a clause that describes the first wrong index.
    pub fn check(&self) -> Result<(), String> {
        let is_side = |side: &u32| (*side as usize) < self.sides.len();
        let compared = self.cases.iter().flat_map(|case| &case.sides);
        let sides = compared.clone().map(|side| side.side);
        let named = self.same.iter().map(|own| own.side).chain(self.context.iter().map(|own| own.side));
        let named =
            named.chain(self.machine.iter().map(|own| own.side)).chain(self.alone.iter().map(|own| own.0));
        let named = named.chain(self.geometric_means.iter().map(|own| own.side));
        let mut all =
            sides.chain(named).chain(self.unmeasured.iter().flat_map(|own| own.sides.iter().copied()));
        if self.sides.len() < 2 {
            return Err(format!("it compares {} sides, but needs at least 2", self.sides.len()));
        }
        if let Some(side) = all.find(|side| !is_side(side)) {
            return Err(format!("it refers to side {side}, but has only {} sides", self.sides.len()));
        }
        let decided =
            |side: &&ComparedSide| side.decided_by.is_some_and(|at| at as usize >= side.changes.len());
        if compared.clone().any(|side| decided(&side)) {
            return Err("the deciding change of a side does not exist".to_owned());
        }
        let case =
            self.warnings.iter().find_map(|own| own.case.filter(|at| *at as usize >= self.cases.len()));
        let cases = self.cases.len();
        case.map_or(Ok(()), |case| {
            Err(format!("a warning refers to case {case}, but the comparison has only {cases} cases"))
        })
    }
}
