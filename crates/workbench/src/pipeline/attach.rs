//! `derny dev attach`: measures the benchmarks of a session that is already running, in the same stages as
//! any other run.

use crate::config::options::{Selection, Stated};
use crate::config::settings::{self, Mode, Origin};
use crate::error::Result;
use crate::pipeline::conclude::{Concluded, conclude};
use crate::pipeline::measure;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::header;
use crate::pipeline::planned::Compared;
use crate::project::session::{self, Bench};
use derny_engine::launch::attached::{Attachment, Streams};
use derny_engine::measure::Job;
use derny_model::{Failure, Isolation, Settings, Variant, problem};
use derny_store::Store;
use std::time::Duration;

/// Options for measuring the benchmarks of a session.
#[derive(Debug, Clone, Default)]
pub struct AttachOptions {
    /// The cases to measure. A launch line in it is an error, because the session is already running.
    pub select: Selection,
    /// Settings that take precedence over every file.
    pub stated: Stated,
    /// Name of the suite under which to store the cases. By default `session`.
    pub suite: Option<String>,
    /// True to measure briefly.
    pub quick: bool,
    /// Name for the run.
    pub save: Option<String>,
    /// A note to store with the run.
    pub note: Option<String>,
}

/// The result of attaching to a session.
pub enum Attached {
    /// The session failed before it was measured, for example because it broke the protocol.
    Failed(Box<Failure>),
    /// The run has results. The session waits until [`Attachment::end`] sends it the report to show.
    Concluded(Box<Concluded>, Box<Attachment>),
}

/// Measures the benchmarks of the session at the other end of `streams`. If no case is selected, the session
/// receives a message and ends.
///
/// # Errors
/// Fails if options or settings are invalid, if no case is selected
/// ([`Error::Nothing`](crate::Error::Nothing)), or if the store or `tell` fails.
pub fn attach(
    bench: Bench<'_>,
    options: &AttachOptions,
    streams: Streams,
    tell: &mut Tell<'_>,
) -> Result<Attached> {
    if !options.select.command.is_empty() {
        return Err(problem!("`derny dev attach` cannot start a harness: the harness starts it")
            .remedy(format_args!("run `derny run -- {}`", options.select.command.join(" ")))
            .into());
    }
    if let Some(name) = &options.save {
        Store::check_baseline_name(name)?;
    }
    let settings = settings_of(bench, options)?;
    let timeout = Duration::from_nanos(settings.timeout_ns);
    let (root, place) = (&bench.session.project.root, &bench.session.place);
    let suite = options.suite.as_deref().unwrap_or("session");
    let mut attached = match Attachment::begin(streams, root, suite, timeout, place.trace, bench.stop) {
        Ok(attached) => attached,
        Err(failure) => return Ok(Attached::Failed(Box::new(failure))),
    };
    let mut catalogue = match attached.list(session::params(&options.select.params)?, timeout, bench.stop) {
        Ok(catalogue) => catalogue,
        Err(failure) => return Ok(Attached::Failed(Box::new(failure))),
    };
    let selector = bench.session.selector(&options.select);
    let mut selected = |notice| say(tell, notice);
    let narrowed = bench.session.narrow(&selector, &mut catalogue, true, &mut selected);
    let given = |()| bench.session.given(&options.select, &mut catalogue, true, &mut selected);
    if let Err(error) = narrowed.and_then(given) {
        attached.end("no benchmark is selected\n", "null");
        return Err(error);
    }
    let variant = Variant { name: attached.language().to_string(), ..Variant::default() };
    let header = header::header(bench, options.note.clone(), settings, vec![variant], None)?;
    let id = header.id.clone();
    let job = Job {
        catalogue: &catalogue,
        plan: &derny_engine::plan::plan(&catalogue, 1, &header.settings, &[], header.seed),
        header,
        fixed: &[],
        learned: &[],
        failures: &[],
        prior: None,
        reaper: None,
        stop: bench.stop,
        echo: false,
        trace: place.trace,
        attached: Some(&mut attached),
    };
    measure::record(bench, job, tell)?;
    let measured = measure::stored(bench, &id, options.save.as_deref(), false)?;
    let concluded = conclude(bench, &RunOptions::default(), measured, &Compared::default())?;
    Ok(Attached::Concluded(Box::new(concluded), Box::new(attached)))
}

/// Returns the settings for a single process. The process is not pinned, because threads that it starts
/// would inherit the pinning for the rest of the session.
fn settings_of(bench: Bench<'_>, options: &AttachOptions) -> Result<Settings> {
    let mut layers = bench.session.layers(&options.stated)?;
    if let Some(pin) = layers.get_mut("pin").filter(|(_, origin)| *origin == Origin::Default) {
        pin.0 = "none".to_string();
    }
    let mode = Mode { quick: options.quick, attached: true, ..Mode::default() };
    let settings = settings::resolve(&layers, mode, Vec::new())?;
    Ok(Settings { isolation: Some(Isolation::Case), wave: 1, ..settings })
}
