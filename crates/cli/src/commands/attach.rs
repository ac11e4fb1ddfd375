//! `derny dev attach`: measures the benchmarks of a session that is already running, over standard input and
//! output.
//!
//! Standard output carries the protocol. Text for users therefore goes to standard error, and the result is a
//! message of the protocol.

use crate::args::{AttachArgs, Global};
use crate::news::Listener;
use crate::{output, session};
use derny_engine::launch::attached::Streams;
use derny_model::{Document, RunStatus};
use derny_report as report;
use derny_workbench::pipeline::{self, Attached};
use derny_workbench::project::session::Bench;
use derny_workbench::{Outcome, Result};
use std::sync::atomic::Ordering;

/// Measures the benchmarks of the session at the other end of the standard streams.
pub fn attach(global: &Global, args: &AttachArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let store = session.store()?;
    let stop = session::interruptible()?;
    let bench = Bench { session: &session, store: &store, reaper: None, stop: &stop };
    // Do not print failures: the result contains them, and the session itself reports those of its own code.
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
                // The session has ended, so the result is printed here.
                output::painted(text.trim_end());
            }
            Ok(concluded.outcome)
        }
    }
}

/// Returns copies of the descriptors of standard input and output. The handles of the standard library are
/// buffered, which would delay lines.
#[cfg(unix)]
fn streams() -> Result<Streams> {
    use std::os::fd::AsFd;
    let replies = std::io::stdin().as_fd().try_clone_to_owned()?;
    let commands = std::io::stdout().as_fd().try_clone_to_owned()?;
    Ok(Streams::new(replies.into(), commands.into()))
}

#[cfg(not(unix))]
fn streams() -> Result<Streams> {
    Err(derny_model::problem!("`derny dev attach` works only on Linux and macOS").into())
}

/// Returns the text for people: the table, failures, warnings and, for a complete run, the footer. The footer
/// of an incomplete run would suggest `--resume`, which an attached run cannot do.
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
