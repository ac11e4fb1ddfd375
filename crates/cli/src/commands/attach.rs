//! `derny attach`: measures what a session holds that is already running, over standard input and output.
//!
//! Standard output is a stream of the protocol here: everything for people goes to standard error, and the result into the
//! conversation.

use crate::args::{AttachArgs, Global};
use crate::news::Listener;
use crate::{output, session};
use anyhow::Result;
use derny_engine::launch::attached::Streams;
use derny_model::{Document, RunStatus};
use derny_report as report;
use derny_workbench::Outcome;
use derny_workbench::pipeline::{self, Attached};
use derny_workbench::project::session::Bench;
use std::sync::atomic::Ordering;

/// Measures what the session at the other end of the standard streams holds.
pub fn attach(global: &Global, args: &AttachArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let stop = session::interruptible()?;
    let bench = Bench { session: &session, store: &store, reaper: None, stop: &stop };
    // The result tells of failures too, and the session's program of those of its own code anyway.
    let mut listener = Listener::new(global, None).without_failures();
    match pipeline::attach(bench, &args.into(), streams()?, &mut |news| listener.hear(news))? {
        Attached::Failed(failure) => {
            output::painted(report::failure::one(&failure, &output::error_style(global)).trim_end());
            Ok(Outcome::Failed)
        }
        Attached::Concluded(concluded, mut attached) => {
            let text = text(global, &concluded.document);
            let json = report::json::document(&concluded.document);
            if !attached.end(&text, json.trim_end()) && !stop.load(Ordering::Relaxed) {
                // Nobody at the other end: what was measured is for whoever reads this.
                output::painted(text.trim_end());
            }
            Ok(concluded.outcome)
        }
    }
}

/// Copies of the standard descriptors: the library's own handles buffer, and would hold lines back.
#[cfg(unix)]
fn streams() -> Result<Streams> {
    use std::os::fd::AsFd;
    let replies = std::io::stdin().as_fd().try_clone_to_owned()?;
    let commands = std::io::stdout().as_fd().try_clone_to_owned()?;
    Ok(Streams::new(replies.into(), commands.into()))
}

#[cfg(not(unix))]
fn streams() -> Result<Streams> {
    anyhow::bail!("this version attaches on Linux and macOS only")
}

/// What a user reads: the table, what went wrong, what to doubt, where it is kept. A run that was not finished cannot go
/// on: its process is gone from the engine's hands.
fn text(global: &Global, document: &Document) -> String {
    let style = output::error_style(global);
    let parts = [
        report::terminal::summary(document, &style),
        report::failure::all(document, &style),
        report::warning::of_run(document, global.verbose > 0, &style),
        match document.run.status {
            RunStatus::Partial => String::new(),
            _ => report::footer::footer(document, &style),
        },
    ];
    parts.concat()
}
