//! `derny runs baseline`: names of stored runs.

use crate::args::{BaselineArgs, BaselineVerb, Format, Global};
use crate::commands::runs;
use crate::output;
use crate::session;
use derny_engine::discover::pattern;
use derny_model::problem;
use derny_store::Store;
use derny_workbench::project::session::Session;
use derny_workbench::variants::kept_programs;
use derny_workbench::{Outcome, Result};

pub fn baseline(global: &Global, args: &BaselineArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    match &args.verb {
        None => list(global, &session, Format::Table)?,
        Some(BaselineVerb::List { format }) => list(global, &session, *format)?,
        Some(BaselineVerb::Set { name, run }) => {
            let store = session.existing_store()?;
            let (id, notices) = kept_programs::set_baseline(&session, &store, name, run)?;
            notices.iter().for_each(|notice| output::notice(global, notice));
            if global.quiet == 0 {
                output::note(&format!("baseline {name} is run {id}"));
            }
        }
        Some(BaselineVerb::Remove { name }) => {
            let store = session.existing_store()?;
            if !store.remove_baseline(name)? {
                return unknown(&store, name);
            }
            let notices = kept_programs::sweep(&session, &store)?;
            notices.iter().for_each(|notice| output::notice(global, notice));
        }
    }
    Ok(Outcome::Done)
}

fn unknown(store: &Store, name: &str) -> Result<Outcome> {
    let known: Vec<String> = store.baselines()?.into_iter().map(|baseline| baseline.name).collect();
    let near = pattern::closest(name, known.iter().map(String::as_str));
    let hint = near.first().map_or("`derny runs baseline` lists them".to_string(), |n| format!("use `{n}`"));
    Err(problem!("there is no baseline `{name}`").remedy(hint).into())
}

/// Prints the named runs, sorted by name. Without a store, prints an empty list.
fn list(global: &Global, session: &Session, format: Format) -> Result<()> {
    let mut rows = Vec::new();
    if let Some(store) = session.location().open_to_read()? {
        for baseline in store.baselines()? {
            let row = runs::row(store.summary(&baseline.run)?);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    if rows.is_empty() && format == Format::Table {
        let remedy = "`derny runs baseline set NAME`, or `derny run --save NAME`";
        output::note(&problem!("there are no baselines").remedy(remedy).to_string());
        return Ok(());
    }
    runs::print(global, &rows, format)
}
