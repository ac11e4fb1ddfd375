//! `derny list`: the cases, or the plan for them.

use crate::args::{Global, ListArgs, ListFormat};
use crate::exit::Exit;
use crate::output::{self, Destination};
use crate::session::{self, Listing, Session};
use crate::settings::{self, Mode};
use crate::{build, prepare, variants};
use anyhow::Result;
use derny_engine::launch::reaper::Reaper;
use derny_engine::plan;
use derny_report as report;

/// Lists.
pub fn list(global: &Global, args: &ListArgs) -> Result<Exit> {
    let session = Session::open(global)?;
    let store = session.store()?;
    let mode = Mode { once: args.once, quick: args.settings.quick, ..Mode::default() };
    let settings = settings::resolve(&session.layers(&args.settings)?, mode, Vec::new())?;
    let mut variants = variants::resolve(&session.project, &[], false)?;
    let stop = session::interruptible()?;
    let sources = session.sources(&args.select)?;
    // What is built in place is listed as it stands; what has no place but the store's is built first.
    let apart: Vec<_> = sources.iter().filter(|source| source.is_built_apart()).cloned().collect();
    let _prepared = match prepare::prepare(&session, &apart, &mut variants, 1, false, &stop) {
        Err(error) if error.is::<build::Interrupted>() => return Ok(Exit::Interrupted),
        prepared => prepared?,
    };
    let reaper = Reaper::new(&std::env::current_exe()?);
    let listing = Listing {
        variant: &variants[0],
        test: args.once,
        timeout_ns: settings.timeout_ns,
        refresh: args.refresh,
        reaper: Some(&reaper),
        stop: &stop,
    };
    let (catalogue, failures) = session::catalogue(&session, &args.select, sources, &listing, Some(&store))?;
    let style = output::style(global, &std::io::stdout(), false);
    let mut out = Destination::Stdout;
    if catalogue.cases.is_empty() {
        // What there is to say was said on standard error.
    } else if args.plan {
        let plan = plan::plan(&catalogue, 1, &settings, &store.learned()?, global.seed.unwrap_or(0));
        out.write(&report::plan::plan(&plan, &catalogue.cases, &variants, &style))?;
    } else {
        out.write(&match args.format {
            ListFormat::Table => report::list::tree(&catalogue.cases, &style),
            ListFormat::Plain => report::list::plain(&catalogue.cases),
            ListFormat::Json => report::list::json(&catalogue.cases),
        })?;
    }
    for failure in &failures {
        output::note(&report::failure::one(failure, &session.error_style()));
    }
    Ok(match (catalogue.cases.is_empty(), failures.is_empty()) {
        (_, false) => Exit::Failed,
        (true, true) => Exit::Nothing,
        _ => Exit::Done,
    })
}
