//! `derny list`: the cases.

use crate::args::{Global, ListArgs, ListFormat};
use crate::news::Listener;
use crate::output::{self, Destination, Form};
use crate::session;
use anyhow::Result;
use derny_engine::launch::reaper::Reaper;
use derny_report as report;
use derny_workbench::Outcome;
use derny_workbench::pipeline::{self, Listed, RunOptions};
use derny_workbench::project::session::Launcher;

/// Runs the verb.
pub fn list(global: &Global, args: &ListArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    // Cases can be listed even if the store cannot be opened.
    let store = session.store().ok();
    let (stop, reaper) = (session::interruptible()?, Reaper::new(&std::env::current_exe()?));
    let launcher = Launcher { session: &session, reaper: Some(&reaper), stop: &stop };
    let mut listener = Listener::new(global, None);
    let listed =
        pipeline::list(launcher, store.as_ref(), &RunOptions::from(args), &mut |news| listener.hear(news))?;
    let Listed { catalogue, failures } = &listed;
    let style = output::style(global, &std::io::stdout(), false);
    // Without cases everything was printed on standard error already.
    if !catalogue.cases.is_empty() {
        let text = match args.format {
            ListFormat::Table => report::list::tree(&catalogue.cases, &style),
            ListFormat::Plain => report::list::plain(&catalogue.cases),
            ListFormat::Json => report::list::json(&catalogue.cases),
        };
        Destination::Stdout.write_as(Form::of(args.format != ListFormat::Json, true), &text)?;
    }
    for failure in failures {
        output::painted(&report::failure::one(failure, &output::error_style(global)));
    }
    Ok(match (catalogue.cases.is_empty(), failures.is_empty()) {
        (_, false) => Outcome::Failed,
        (true, true) => Outcome::Nothing,
        _ => Outcome::Done,
    })
}
