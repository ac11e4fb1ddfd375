//! `derny runs copy`: copies all runs into another store.

use crate::args::{CopyArgs, Global};
use crate::{output, session};
use derny_model::problem;
use derny_report::numbers::counted;
use derny_store::{Copied, Location};
use derny_workbench::{Outcome, Result};
use std::path::Path;

pub fn copy(global: &Global, args: &CopyArgs) -> Result<Outcome> {
    let CopyArgs { from, to } = args;
    let session = session::open(global)?;
    let location = |name: &Path| Location::named(name, &session.project.root.join(".derny"));
    let (from, to) = (location(from), location(to));
    let Some(source) = from.open_to_read()? else {
        return Err(problem!("there is no store to copy")
            .place(from)
            .remedy("name the folder `.derny` of a project, or an address")
            .into());
    };
    let tell = |text: String| {
        if global.quiet == 0 {
            output::note(&text);
        }
    };
    let copied = source.copy(&to.open()?, &mut |id| tell(format!("run {id}")))?;
    tell(summary(&copied));
    let refused = &copied.others;
    if !refused.is_empty() {
        return Err(problem!(
            "{} not copied: {}",
            counted(refused.len(), "run was", "runs were"),
            refused.join(", ")
        )
        .place(to)
        .why("that store has other runs with the same ids")
        .remedy("copy into a separate store")
        .into());
    }
    Ok(Outcome::Done)
}

fn summary(copied: &Copied) -> String {
    let runs = |count: usize| counted(count, "run", "runs");
    let mut lines = vec![format!("copied {}; {} already there", runs(copied.new.len()), were(copied.there))];
    let mut add = |what: &str, names: &[String]| {
        if !names.is_empty() {
            lines.push(format!("{what}: {}", names.join(", ")));
        }
    };
    add("completed", &copied.completed);
    add("skipped, because they are still being recorded", &copied.under_way);
    add("baselines", &copied.baselines);
    add("not copied, because the names exist there: baselines", &copied.other_baselines);
    if copied.history > 0 {
        lines.push(counted(copied.history, "entry of the history", "entries of the history"));
    }
    if copied.facts > 0 {
        lines.push(counted(copied.facts, "fact about benchmark files", "facts about benchmark files"));
    }
    lines.join("\n")
}

fn were(count: usize) -> String {
    counted(count, "was", "were")
}
