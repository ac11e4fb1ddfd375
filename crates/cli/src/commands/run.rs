//! `derny run`: discover, plan, measure, record, analyse, report.

use crate::args::{CompareFormat, Format, Global, RunArgs, View};
use crate::commands::watch;
use crate::exit::Exit;
use crate::judge;
use crate::output::{self, Destination};
use crate::progress::Progress;
use crate::{diagnose, options, resume, session};
use anyhow::{Result, bail};
use derny_engine::diagnose::Pass;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::project::split;
use derny_engine::launch::reaper::Reaper;
use derny_engine::measure::{self, Job, now_ms};
use derny_engine::observe::machine;
use derny_engine::plan;
use derny_model::{
    CaseId, Comparison, Document, Event, Failure, Plan, Records, RunHeader, RunStatus, Series, Settings,
    Variant,
};
use derny_report as report;
use derny_store::{RunSummary, Store};
use derny_workbench::options::Selection;
use derny_workbench::session::{Listing, Session};
use derny_workbench::settings::{self, Mode};
use derny_workbench::sides::Sides;
use derny_workbench::source::Source;
use derny_workbench::{gate, git, prepare, stored, variants};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs, once or several times.
pub fn run(global: &Global, args: &RunArgs) -> Result<Exit> {
    let session = session::open(global)?;
    let store = session.store()?;
    let mut out = Destination::open(args.output.as_deref())?;
    if let Some(name) = &args.resume {
        let prior = store.load(name)?;
        let (global, mut args) = resume::arguments(global, args, &prior)?;
        let session = session::open(&global)?;
        for file in &mut args.select.patterns {
            *file = session.project.root.join(&*file).display().to_string();
        }
        return one(&global, &session, &store, &args, Some(&prior), &mut None, &mut out);
    }
    // Names that cannot be used are told before the time is spent.
    if let Some(name) = &args.save {
        Store::check_baseline_name(name)?;
    }
    let mut args = args.clone();
    if let Some(name) = &mut args.against {
        let id = store.resolve(name)?;
        // By the time this run is stored these mean the run itself.
        if name.starts_with("last") || args.save.as_ref() == Some(name) {
            *name = id;
        }
    }
    let args = &args;
    if args.judge.view == Some(View::Node)
        && args.variants.len() < 2
        && args.against.is_none()
        && !args.control
    {
        bail!(
            "--view node sets two sides against each other\n  try    two of them: -x old=COMMAND -x new=COMMAND"
        );
    }
    gate::terms(&session, args.judge.margin.as_deref(), None)?;
    if args.watch {
        return watch::watch(global, &session, &store, args, &mut out);
    }
    let mut exit = Exit::Done;
    let mut series = (args.repeat > 1).then(|| Series { id: String::new(), number: 0, of: args.repeat });
    for _ in 0..args.repeat.max(1) {
        let ended = one(global, &session, &store, args, None, &mut series, &mut out)?;
        // What went wrong once is not made good by the next run.
        exit = if exit == Exit::Done || ended == Exit::Interrupted { ended } else { exit };
        if matches!(ended, Exit::Interrupted | Exit::Nothing) {
            break;
        }
        series.iter_mut().for_each(|series| series.number += 1);
    }
    if let Some(series) = series.filter(|series| series.number > 1 && args.format == Format::Table) {
        out.write(&stability(global, &store, &series, out.is_file())?)?;
    }
    Ok(exit)
}

/// How far the runs of a series differ, below the last of them.
fn stability(global: &Global, store: &Store, series: &Series, is_file: bool) -> Result<String> {
    let of_series = |run: &RunSummary| run.header.series.as_ref().is_some_and(|own| own.id == series.id);
    let runs = store.runs(2 * series.of as usize)?;
    let ids = runs.iter().rev().filter(|run| of_series(run)).map(|run| &run.header.id);
    let documents: Result<Vec<Document>> =
        ids.map(|id| Ok(Source::load(store, id, None)?.document())).collect();
    let rows = derny_analysis::stability::stability(&documents?);
    let style = output::style(global, &std::io::stdout(), is_file);
    Ok(format!("\n{}", report::stability::stability(&rows, &style)))
}

/// Finds what variants open in a case's place, and tells what has to be left out.
fn pair(catalogue: &mut Catalogue, variants: &[Variant]) -> Result<()> {
    let before = catalogue.cases.len();
    let unpaired = catalogue.pair(variants);
    if catalogue.cases.is_empty() && before > 0 {
        let names: Vec<&str> = variants.iter().filter_map(|variant| variant.benchmark.as_deref()).collect();
        let why = unpaired.first().map_or("they are all selected in their own place", |first| &first.why);
        bail!(
            "no case can be set against `{}`\n  why    {why}\n  try    a benchmark of the same suite; `derny list` names them",
            names.join("`, `")
        );
    }
    for left in unpaired {
        output::note(&format!("note: `{}` is left out: {}", left.case, left.why));
    }
    Ok(())
}

fn one(
    global: &Global,
    session: &Session,
    store: &Store,
    args: &RunArgs,
    prior: Option<&Records>,
    series: &mut Option<Series>,
    out: &mut Destination,
) -> Result<Exit> {
    match stage(global, session, store, args, prior, series, &[], out)? {
        Staged::Ended(exit) => Ok(exit),
        Staged::Measured(records, exit) => {
            Ok(match (show(global, session, store, args, &records, out)?, exit) {
                (judged, Exit::Done) => judged,
                (_, failed) => failed,
            })
        }
    }
}

/// What came of a run before anything of it is shown.
pub enum Staged {
    /// Nothing was measured.
    Ended(Exit),
    /// It is stored; the exit code says how the measuring went.
    Measured(Box<Records>, Exit),
}

/// Measures and stores one run; of the cases selected only those named in `only`, if any are.
pub fn stage(
    global: &Global,
    session: &Session,
    store: &Store,
    args: &RunArgs,
    prior: Option<&Records>,
    series: &mut Option<Series>,
    only: &[CaseId],
    out: &mut Destination,
) -> Result<Staged> {
    let stop = session::interruptible()?;
    let reaper = Reaper::new(&std::env::current_exe()?);
    let mut variants = match prior {
        Some(prior) => prior.header.variants.clone(),
        None => variants::resolve(&session.project, &args.variants, args.control)?,
    };
    let judged = matches!(args.format, Format::Junit | Format::Github) || !args.judge.fail_on.is_empty();
    if judged && args.against.is_none() && variants.len() < 2 {
        bail!(
            "there is nothing to judge: one way to launch, and no --against\n  try    -x old=COMMAND -x new=COMMAND, or --against BASELINE"
        );
    }
    let mode = Mode {
        once: args.once,
        quick: args.settings.quick,
        control: args.control,
        precise: args.precise,
        ladder: args.ladder,
        comparison: variants.len() > 1,
        builds: args.builds.unwrap_or(0),
        attached: false,
    };
    let profiler = args.profiler.as_deref().map(split).unwrap_or_default();
    let mut settings = settings::resolve(&session.layers(&(&args.settings).into())?, mode, profiler)?;
    settings.margin = gate::terms(session, args.judge.margin.as_deref(), None)?.margin;
    if let Some(prior) = prior {
        settings = prior.header.settings.clone();
    }
    let select: Selection = (&args.select).into();
    let mut sources = session.sources(&select)?;
    if let Some(calls) = args.cover {
        sources.iter_mut().for_each(|source| source.ask_for_coverage(calls));
    }
    let builds = settings.builds;
    let mut tell = |notice| output::notice(global, &notice);
    let again = prior.is_some();
    let _prepared = prepare::prepare(session, &sources, &mut variants, builds, again, &stop, &mut tell)?;
    let listing = Listing {
        variant: &variants[0],
        test: args.once,
        timeout_ns: settings.timeout_ns,
        refresh: args.refresh,
        reaper: Some(&reaper),
        stop: &stop,
    };
    let (mut catalogue, failures) = session.catalogue(&select, sources, &listing, Some(store))?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Staged::Ended(Exit::Interrupted));
    }
    catalogue.retain(|case| only.is_empty() || only.contains(&case.id));
    if catalogue.cases.is_empty() && failures.is_empty() {
        return Ok(Staged::Ended(Exit::Nothing));
    }
    if let Some(prior) = prior {
        resume::align(&mut catalogue, prior)?;
    }
    pair(&mut catalogue, &variants)?;
    let header = header(session, store, args.note.clone(), &settings, variants, prior, series)?;
    let learned = store.learned()?;
    let plan = plan::plan(&catalogue, header.variants.len() as u32, &settings, &learned, header.seed);
    let style = output::style(global, &std::io::stdout(), out.is_file());
    if args.dry_run {
        out.write(&report::plan::plan(&plan, &catalogue.cases, &header.variants, &style))?;
        return Ok(Staged::Ended(Exit::Done));
    }
    announce(global, &catalogue, &header.variants, &plan);
    let job = Job {
        catalogue: &catalogue,
        plan: &plan,
        header: header.clone(),
        learned: &learned,
        failures: &failures,
        prior,
        reaper: Some(&reaper),
        stop: &stop,
        echo: global.verbose >= 1,
        trace: global.verbose >= 2,
        attached: None,
    };
    let events = (args.format == Format::Ndjson).then_some(out);
    measure(global, store, job, &stop, events)?;
    if let Some(name) = &args.save {
        store.set_baseline(name, &header.id)?;
    }
    let records = store.load(&header.id)?;
    let exit = exit(&records, &stop, &failures);
    if !args.diagnose.is_empty() && !stop.load(Ordering::Relaxed) {
        let names: Vec<String> = args.diagnose.iter().filter(|name| *name != "all").cloned().collect();
        let pass = Pass {
            catalogue: &catalogue,
            variants: &records.header.variants,
            names: &names,
            folder: &session.store_folder().join("diagnoses").join(&header.id),
            timeout: Duration::from_nanos(settings.timeout_ns),
            reaper: Some(&reaper),
            stop: &stop,
        };
        let found = diagnose::diagnose(global, &pass, &records);
        output::note(report::diagnosis::all(&found, &output::error_style(global)).trim_end());
    }
    Ok(Staged::Measured(Box::new(records), exit))
}

/// The context of a run that begins, or goes on.
pub fn header(
    session: &Session,
    store: &Store,
    note: Option<String>,
    settings: &Settings,
    variants: Vec<Variant>,
    prior: Option<&Records>,
    series: &mut Option<Series>,
) -> Result<RunHeader> {
    if let Some(prior) = prior {
        let (status, engine_pid) = (RunStatus::Running, std::process::id());
        return Ok(RunHeader { status, engine_pid, ended_ms: None, variants, ..prior.header.clone() });
    }
    let seed = session.place.seed.unwrap_or_else(|| now_ms() as u64 ^ u64::from(std::process::id()) << 32);
    // The runs of a series draw numbers of their own, or they would repeat each other's order too.
    let seed = seed.wrapping_add(series.as_ref().map_or(0, |series| u64::from(series.number)));
    let id = store.new_run_id(seed)?;
    if let Some(series) = series.as_mut().filter(|series| series.number == 0) {
        series.id.clone_from(&id);
    }
    Ok(RunHeader {
        id,
        started_ms: now_ms(),
        ended_ms: None,
        status: RunStatus::Running,
        engine_pid: std::process::id(),
        derny: env!("CARGO_PKG_VERSION").to_string(),
        args: std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(),
        seed,
        settings: settings.clone(),
        variants,
        machine: machine::machine(),
        commit: git::commit(&session.project.root),
        note,
        runtimes: Vec::new(),
        series: series.clone(),
        imported: None,
    })
}

/// What is going to happen, and how long it takes at most.
fn announce(global: &Global, catalogue: &Catalogue, variants: &[Variant], plan: &Plan) {
    if global.quiet > 0 || plan.expected_ns == 0 {
        return;
    }
    output::note(&report::plan::announcement(plan, catalogue.cases.len(), &output::error_style(global)));
    if global.verbose > 0 {
        output::note(&report::plan::plan(plan, &catalogue.cases, variants, &output::error_style(global)));
    }
}

/// Measures, with the store, the progress and, where it is asked for, the event stream as consumers.
pub fn measure(
    global: &Global,
    store: &Store,
    job: Job<'_>,
    stop: &AtomicBool,
    mut events: Option<&mut Destination>,
) -> Result<()> {
    let mut recorder = store.recorder()?;
    let mut progress = Progress::new(global, output::error_style(global));
    let mut trouble = None;
    let error_style = output::error_style(global);
    // A session that is attached is told of failures with the report, and its program of those of its own code anyway.
    let told_later = job.attached.is_some();
    measure::run(job, &mut |event: &Event| {
        if trouble.is_none()
            && let Err(error) = recorder.on_event(event)
        {
            // Nothing more can be kept: stop, with what is stored.
            trouble = Some(anyhow::Error::from(error));
            stop.store(true, Ordering::Relaxed);
        }
        if let Some(out) = &mut events
            && !matches!(event, Event::Progress { .. })
        {
            let line = serde_json::to_string(event).map(|line| line + "\n");
            let written = line.map_err(anyhow::Error::from).and_then(|line| Ok(out.write(&line)?));
            if let Err(error) = written {
                trouble.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
        progress.on_event(event);
        if let Event::Failed(failure) = event
            && !told_later
        {
            output::note(&report::failure::one(failure, &error_style));
        }
    });
    trouble.map_or(Ok(()), Err)
}

/// Analyses and prints. Results go to the destination, warnings and hints to standard error.
fn show(
    global: &Global,
    session: &Session,
    store: &Store,
    args: &RunArgs,
    records: &Records,
    out: &mut Destination,
) -> Result<Exit> {
    let mut named = Source::Records(Box::new(records.clone()));
    named.name(None)?;
    let records = named.records().unwrap_or(records);
    let mut document = stored::document(store, records, args.against.as_deref())?;
    document.comparison = comparison(session, store, args, records)?.map(Box::new);
    let style = output::style(global, &std::io::stdout(), out.is_file());
    let several = records.header.variants.len() > 1;
    if args.format == Format::Json {
        out.write(&report::json::document(&document))?;
    } else if let (Some(comparison), Some(format)) = (&document.comparison, form(args.format)) {
        // Beside a baseline the run's own figures count too; variants stand side by side in the comparison.
        if !several && args.format == Format::Table {
            out.write(&format!("{}\n", report::terminal::summary(&document, &style)))?;
        }
        judge::print(global, comparison, format, &args.judge, out)?;
    } else {
        match args.format {
            Format::Csv => out.write(&report::csv::document(&document))?,
            Format::Markdown => out.write(&report::markdown::document(&document, &style))?,
            Format::Table => out.write(&match args.judge.view {
                Some(view) => judge::view(&document, Some(records), view, &[], &style)?,
                None => report::terminal::summary(&document, &style),
            })?,
            Format::Json | Format::Ndjson | Format::Junit | Format::Github => {}
        }
    }
    doubts(global, args, records, &document);
    Ok(match &document.comparison {
        Some(comparison) => {
            let fail_on = options::fail_on(&args.judge.fail_on);
            judge::outcome(global, comparison, &records.header.settings.metrics, &fail_on).into()
        }
        None => Exit::Done,
    })
}

/// The form of a comparison that a form of a run stands for; a run's CSV keeps its rows by variant.
pub fn form(format: Format) -> Option<CompareFormat> {
    match format {
        Format::Table => Some(CompareFormat::Table),
        Format::Markdown => Some(CompareFormat::Markdown),
        Format::Junit => Some(CompareFormat::Junit),
        Format::Github => Some(CompareFormat::Github),
        Format::Json | Format::Ndjson | Format::Csv => None,
    }
}

/// The variants against the first, or the run against what `--against` names.
fn comparison(
    session: &Session,
    store: &Store,
    args: &RunArgs,
    records: &Records,
) -> Result<Option<Comparison>> {
    let settings = &records.header.settings;
    let source = || Source::Records(Box::new(records.clone()));
    let sides = match &args.against {
        _ if settings.once => return Ok(None),
        Some(name) => Sides::against(store, name, source())?,
        None if records.header.variants.len() > 1 => Sides::variants(source())?,
        None => return Ok(None),
    };
    let terms = gate::terms(session, args.judge.margin.as_deref(), None)?;
    Ok(Some(sides.compare(terms.margin, settings.confidence, &settings.metrics, false)))
}

/// Warnings and hints, to standard error.
fn doubts(global: &Global, args: &RunArgs, records: &Records, document: &Document) {
    if global.quiet >= 2 {
        return;
    }
    let error_style = output::error_style(global);
    for name in stored::unknown_metrics(records) {
        output::note(&format!(
            "note: no case has a metric `{name}`; `derny export --raw` shows the counters that there are"
        ));
    }
    for name in stored::unknown_modes(records) {
        output::note(&format!(
            "note: no harness measured in a mode `{name}`; `derny conform --list -- COMMAND` shows which a harness has"
        ));
    }
    // A comparison's table has told its warnings, and those of its runs with them.
    if document.comparison.is_none() || args.format != Format::Table {
        let warnings = report::warning::all(document, &error_style);
        if !warnings.is_empty() {
            output::note(warnings.trim_end());
        }
    }
    if global.quiet == 0 {
        output::note(report::footer::footer(document, &error_style).trim_end());
    }
}

/// How the measuring went.
pub fn exit(records: &Records, stop: &AtomicBool, failures: &[Failure]) -> Exit {
    if stop.load(Ordering::Relaxed) {
        Exit::Interrupted
    } else if !records.failures.is_empty() || !failures.is_empty() {
        Exit::Failed
    } else {
        Exit::Done
    }
}
