//! Checks whether a run can be resumed, and restores its catalogue.

use crate::error::Result;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Case, Problem, Records, RunStatus, problem};
use std::collections::BTreeSet;

/// Checks that a run was interrupted. A complete run, a merged one, and one that another process is measuring
/// cannot be resumed.
///
/// # Errors
/// Fails unless the run was interrupted.
pub fn check(prior: &Records) -> Result<()> {
    let id = &prior.header.id;
    match prior.header.status {
        RunStatus::Complete | RunStatus::Failed => {
            Err(problem!("run {id} is complete: there is nothing to resume")
                .remedy("`derny runs` shows which run was interrupted")
                .into())
        }
        RunStatus::Running => {
            Err(problem!("run {id} is being measured by another derny").remedy("`derny runs`").into())
        }
        RunStatus::Partial if prior.header.merged.is_some() => {
            Err(problem!("run {id} was merged from parts and cannot be resumed")
                .remedy("measure the missing shards, and merge all parts with `derny merge`")
                .into())
        }
        RunStatus::Partial => Ok(()),
    }
}

/// Returns the files that contain the cases of a run. None if they are not all known: a case without a file,
/// or a variant with another benchmark.
pub fn files(prior: &Records) -> Option<Vec<String>> {
    let files: BTreeSet<Option<&String>> = prior.cases.iter().map(|case| case.file.as_ref()).collect();
    // A variant with another benchmark may be in a file that belongs to none of the cases.
    if prior.header.variants.iter().any(|variant| variant.benchmark.is_some()) {
        return None;
    }
    files.into_iter().map(|file| file.cloned()).collect()
}

/// Returns the catalogue reduced to the cases of the resumed run, in their order.
///
/// Fails if a case no longer exists.
pub(crate) fn align(catalogue: Catalogue, prior: &Records) -> Result<Catalogue> {
    let place = |case: &Case| match catalogue.cases.iter().position(|found| found.id == case.id) {
        Some(place) => Ok(catalogue.source_of[place]),
        None => Err(problem!("the case `{}` of run {} no longer exists", case.id, prior.header.id)
            .remedy("a new run")),
    };
    let source_of = prior.cases.iter().map(place).collect::<Result<_, Problem>>()?;
    Ok(Catalogue { cases: prior.cases.clone(), source_of, ..catalogue })
}
