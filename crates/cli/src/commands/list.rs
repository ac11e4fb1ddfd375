//! `derny list`: the cases, or the plan for them.

use crate::args::{Global, ListArgs, ListFormat, Once};
use crate::output::{self, Destination, Form};
use crate::session;
use anyhow::Result;
use derny_engine::launch::reaper::Reaper;
use derny_engine::plan;
use derny_report as report;
use derny_workbench::Outcome;
use derny_workbench::config::settings::{self, Mode};
use derny_workbench::project::session::Listing;
use derny_workbench::variants::build::{self, Order};
use derny_workbench::variants::parse;

/// Runs the verb.
pub fn list(global: &Global, args: &ListArgs) -> Result<Outcome> {
    let session = session::open(global)?;
    let select = args.passed.on(&args.select);
    // Cases can be listed even if the store cannot be opened.
    let store = session.store().ok();
    let mode = Mode { once: args.once.is_some(), quick: args.settings.quick, ..Mode::default() };
    let settings = settings::resolve(&session.layers(&(&args.settings).into())?, mode, Vec::new())?;
    let mut variants = parse::resolve(&session.project, &[], &[], &[], None, false)?;
    let stop = session::interruptible()?;
    let mut tell = |notice| output::notice(global, &notice);
    let (sources, mut lost) = session.sources(&select, &[], &mut tell)?;
    // Sources built in place are listed as they are; sources that are built in the store only are built
    // first.
    let apart: Vec<_> = sources.iter().filter(|source| source.is_built_apart()).cloned().collect();
    let order = Order {
        session: &session,
        sources: &apart,
        others: apart.len() < sources.len(),
        base: &[],
        builds: 1,
        goes_on: false,
        prebuilt: None,
        stop: &stop,
    };
    let prepared = build::prepare(order, &mut variants, &mut tell)?;
    let mut sources = sources;
    lost.extend(prepared.without_unbuilt(&mut sources));
    let reaper = Reaper::new(&std::env::current_exe()?);
    let listing = Listing {
        variant: &variants[0],
        test: args.once == Some(Once::Smallest),
        timeout_ns: settings.timeout_ns,
        refresh: args.refresh,
        reaper: Some(&reaper),
        stop: &stop,
    };
    let sources = (sources, lost);
    let (catalogue, failures) = session.catalogue(&select, sources, &listing, store.as_ref(), &mut tell)?;
    let style = output::style(global, &std::io::stdout(), false);
    let mut out = Destination::Stdout;
    if catalogue.cases.is_empty() {
        // Everything was printed on standard error already.
    } else if args.plan {
        let learned = store.as_ref().map(|store| store.learned()).transpose()?.unwrap_or_default();
        let plan = plan::plan(&catalogue, 1, &settings, &learned, global.seed.unwrap_or(0));
        out.write(&report::plan::plan(&plan, &catalogue.cases, &variants, &style))?;
    } else {
        let text = match args.format {
            ListFormat::Table => report::list::tree(&catalogue.cases, &style),
            ListFormat::Plain => report::list::plain(&catalogue.cases),
            ListFormat::Json => report::list::json(&catalogue.cases),
        };
        out.write_as(Form::of(args.format != ListFormat::Json, true), &text)?;
    }
    for failure in &failures {
        output::painted(&report::failure::one(failure, &output::error_style(global)));
    }
    Ok(match (catalogue.cases.is_empty(), failures.is_empty()) {
        (_, false) => Outcome::Failed,
        (true, true) => Outcome::Nothing,
        _ => Outcome::Done,
    })
}
