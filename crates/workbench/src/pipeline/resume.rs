//! Checks whether a run can be resumed, and restores its catalogue.

use crate::error::Result;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::measure;
use derny_model::{Case, Problem, Records, RunStatus, problem};
use std::collections::BTreeSet;

/// Rejects a run in which more time would decide nothing, or that another process is measuring.
///
/// # Errors
/// Fails unless the run was interrupted, or its time ran out before some case was decided. Also fails if the
/// run was merged from parts.
pub fn check(prior: &Records) -> Result<()> {
    let id = &prior.header.id;
    match prior.header.status {
        RunStatus::Complete if can_continue(prior) => Ok(()),
        RunStatus::Complete | RunStatus::Failed => {
            Err(problem!("run {id} is complete: there is nothing to resume")
                .why("none of its cases ran out of time")
                .remedy("`derny runs` shows which run was interrupted")
                .into())
        }
        RunStatus::Running => Err(problem!("run {id} is being measured by another Derny process")
            .remedy("`derny runs` shows which run was interrupted")
            .into()),
        RunStatus::Partial if prior.header.merged.is_some() => {
            Err(problem!("run {id} was merged from parts and cannot be resumed")
                .remedy("measure the missing shards, and merge all parts with `derny fleet merge`")
                .into())
        }
        RunStatus::Partial => Ok(()),
    }
}

/// Returns true if more time may decide a case of a complete run.
fn can_continue(prior: &Records) -> bool {
    prior.header.merged.is_none() && !measure::resume::open(prior).is_empty()
}

/// Returns the files that contain the cases of a run. None if a case has no file, or if a variant may be in
/// another file.
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
            .remedy("start a new run")),
    };
    let source_of = prior.cases.iter().map(place).collect::<Result<_, Problem>>()?;
    Ok(Catalogue { cases: prior.cases.clone(), source_of, ..catalogue })
}
