//! `derny list`: the cases that a run would measure.

use crate::args::{Format, Global, ListArgs};
use crate::news::Listener;
use crate::output::{self, Destination};
use crate::session;
use derny_engine::launch::reaper::Reaper;
use derny_report as report;
use derny_workbench::pipeline::{self, Listed, RunOptions};
use derny_workbench::project::session::Launcher;
use derny_workbench::{Outcome, Result};

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
    // If there are no cases, the reason is already on standard error.
    if !catalogue.cases.is_empty() {
        let text = match args.format {
            Format::Plain => report::list::plain(&catalogue.cases),
            Format::Json => report::list::json(&catalogue.cases),
            _ => report::list::tree(&catalogue.cases, &style),
        };
        Destination::stdout().write_as(args.format.into(), &text)?;
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
