//! The user's check: a command that must succeed in every side before it is measured.

use crate::rule::Ruling;
use derny_model::{Decision, Ground, Variant, problem};
use derny_workbench::Result;
use derny_workbench::project::check;
use derny_workbench::project::session::Bench;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A check with its time limit.
#[derive(Debug, Clone)]
pub struct Check {
    /// The command, for a shell.
    pub command: String,
    /// Time limit in each side.
    pub limit: Duration,
}

/// Runs the check in the folder of each variant. `candidate` is the index of the candidate, which is checked
/// last. Checks of the other sides that succeeded before are not repeated: `key` returns a text that
/// identifies the sources of a variant, if they cannot change.
///
/// Returns a decision if the check fails in the candidate.
///
/// # Errors
/// Fails if the check fails in another side, because it then says nothing about the candidate.
pub(crate) fn run(
    bench: Bench<'_>,
    own: &Check,
    variants: &[Variant],
    candidate: usize,
    key: impl Fn(usize) -> Option<String>,
) -> Result<Option<Ruling>> {
    let others = (0..variants.len()).filter(|place| *place != candidate);
    for place in others.chain([candidate]) {
        let variant = &variants[place];
        let passed = key(place).map(|key| format!("judge-check:{key}:{}", own.command));
        if let Some(passed) = &passed
            && bench.store.text(passed)?.is_some()
        {
            continue;
        }
        let folder = folder(&bench.session.project.root, variant);
        let Some(why) = check::run(&own.command, &folder, &variant.env, (own.limit, bench.stop))? else {
            if let Some(passed) = passed {
                bench.store.change_text(&passed, |_| "passed".to_owned())?;
            }
            continue;
        };
        if place == candidate {
            let first = why.lines().next().unwrap_or_default();
            let because = format!("`{}` fails in the candidate: {first}", own.command);
            return Ok(Some(Ruling::new(Decision::Discard, Ground::Check, because).with(why)));
        }
        return Err(problem!(
            "the check fails in {} too, so it says nothing about the candidate",
            variant.name
        )
        .place(folder.display())
        .why(format_args!("`{}`: {why}", own.command))
        .remedy("fix the check, or name a base that passes it")
        .into());
    }
    Ok(None)
}

fn folder(root: &Path, variant: &Variant) -> PathBuf {
    variant.directory.as_ref().map_or_else(|| root.to_owned(), PathBuf::from)
}
