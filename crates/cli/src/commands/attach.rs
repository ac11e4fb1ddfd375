//! `derny attach`: measures what a session holds that is already running, over standard input and output.
//!
//! Standard output is a stream of the protocol here: everything for people goes to standard error, and the result into the
//! conversation.

use crate::args::{AttachArgs, Global};
use crate::commands::run;
use crate::exit::Exit;
use crate::output;
use crate::session;
use anyhow::{Result, bail};
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::launch::attached::{Attachment, Streams};
use derny_engine::measure::Job;
use derny_engine::plan;
use derny_model::{Document, Failure, Isolation, Records, RunStatus, Settings, Variant};
use derny_report as report;
use derny_store::Store;
use derny_workbench::options::Selection;
use derny_workbench::session::{Session, params};
use derny_workbench::settings::{self, Layers, Mode, Origin};
use derny_workbench::stored;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Measures what the session at the other end of the standard streams holds.
pub fn attach(global: &Global, args: &AttachArgs) -> Result<Exit> {
    if !args.select.command.is_empty() {
        bail!(
            "attach starts no harness: one starts it\n  try    `derny run -- {}`",
            args.select.command.join(" ")
        );
    }
    let session = session::open(global)?;
    let store = session.store()?;
    if let Some(name) = &args.save {
        Store::check_baseline_name(name)?;
    }
    let settings = settings(session.layers(&(&args.settings).into())?, args)?;
    let stop = session::interruptible()?;
    let timeout = Duration::from_nanos(settings.timeout_ns);
    let root = &session.project.root;
    let suite = args.suite.as_deref().unwrap_or("session");
    let begun = Attachment::begin(streams()?, root, suite, timeout, global.verbose >= 2, &stop);
    let mut attached = match begun {
        Ok(attached) => attached,
        Err(failure) => return Ok(told(global, &failure)),
    };
    let mut catalogue = match attached.list(params(&args.select.param)?, timeout, &stop) {
        Ok(catalogue) => catalogue,
        Err(failure) => return Ok(told(global, &failure)),
    };
    let select: Selection = (&args.select).into();
    if let Err(error) = session.narrow(&select, &mut catalogue) {
        attached.end("no benchmark is selected\n", "null");
        return Err(error.into());
    }
    let records = measure(global, &session, &store, args, &settings, &catalogue, &mut attached, &stop)?;
    if let Some(name) = &args.save {
        store.set_baseline(name, &records.header.id)?;
    }
    let document = stored::document(&store, &records, None)?;
    let text = text(global, &document);
    if !attached.end(&text, report::json::document(&document).trim_end()) && !stop.load(Ordering::Relaxed) {
        // Nobody at the other end: what was measured is for whoever reads this.
        output::note(text.trim_end());
    }
    Ok(run::exit(&records, &stop, &[]))
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
    bail!("this version attaches on Linux and macOS only")
}

/// Settings with what one process means: nothing beside it, and a thread that is left where it is. It may start others,
/// which would keep its processor for the rest of the session.
fn settings(mut layers: Layers, args: &AttachArgs) -> Result<Settings> {
    if let Some(pin) = layers.get_mut("pin").filter(|(_, origin)| *origin == Origin::Default) {
        pin.0 = "none".to_string();
    }
    let mode = Mode { quick: args.settings.quick, ladder: args.ladder, attached: true, ..Mode::default() };
    let settings = settings::resolve(&layers, mode, Vec::new())?;
    Ok(Settings { isolation: Some(Isolation::Case), wave: 1, ..settings })
}

fn measure(
    global: &Global,
    session: &Session,
    store: &Store,
    args: &AttachArgs,
    settings: &Settings,
    catalogue: &Catalogue,
    attached: &mut Attachment,
    stop: &AtomicBool,
) -> Result<Records> {
    let variant = Variant { name: attached.language().to_string(), ..Variant::default() };
    let header = run::header(session, store, args.note.clone(), settings, vec![variant], None, &mut None)?;
    let plan = plan::plan(catalogue, 1, settings, &[], header.seed);
    let job = Job {
        catalogue,
        plan: &plan,
        header: header.clone(),
        learned: &[],
        failures: &[],
        prior: None,
        reaper: None,
        stop,
        echo: false,
        trace: global.verbose >= 2,
        attached: Some(attached),
    };
    run::measure(global, store, job, stop, None)?;
    Ok(store.load(&header.id)?)
}

/// What a user reads: the table, what went wrong, what to doubt, where it is kept. A run that was not finished cannot go
/// on: its process is gone from the engine's hands.
fn text(global: &Global, document: &Document) -> String {
    let style = output::error_style(global);
    let parts = [
        report::terminal::summary(document, &style),
        report::failure::all(document, &style),
        report::warning::all(document, &style),
        match document.run.status {
            RunStatus::Partial => String::new(),
            _ => report::footer::footer(document, &style),
        },
    ];
    parts.concat()
}

fn told(global: &Global, failure: &Failure) -> Exit {
    output::note(report::failure::one(failure, &output::error_style(global)).trim_end());
    Exit::Failed
}
