//! Plan: which variants, which settings, which cases, in which order and at which cost.

use crate::error::{Error, Result, refuse};
use crate::notice::Notice;
use crate::outcome::Outcome;
use crate::pipeline::{Bench, Occasion, RunOptions, Tell, say};
use crate::prepare::{self, Prepared};
use crate::session::Listing;
use crate::settings::{self, Mode};
use crate::{gate, git, resume, variants};
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::project::split;
use derny_engine::measure::now_ms;
use derny_engine::observe::machine;
use derny_model::{Failure, LearnedFact, Plan, Records, RunHeader, RunStatus, Series, Settings, Variant};
use std::sync::atomic::Ordering;

/// A run that can begin. Nothing of it is stored yet.
#[derive(Debug)]
pub struct Planned<'a> {
    /// What is measured.
    pub catalogue: Catalogue,
    /// The order and the expected cost.
    pub plan: Plan,
    /// The context of the run: its settings, variants and seed.
    pub header: RunHeader,
    /// What could not be listed.
    pub failures: Vec<Failure>,
    /// What earlier runs have learnt.
    pub(super) learned: Vec<LearnedFact>,
    /// The run that goes on.
    pub(super) prior: Option<&'a Records>,
    /// Keeps other engines away from what was built.
    _prepared: Prepared,
}

/// What came of planning.
#[derive(Debug)]
pub enum Ready<'a> {
    /// A run that can begin.
    Planned(Box<Planned<'a>>),
    /// There is nothing to measure, or the user stopped it. Why has been told.
    Early(Outcome),
}

/// Plans a run: resolves settings and variants, builds what must be built, and asks programs for their cases.
///
/// # Errors
/// Options and settings that cannot be used, builds that fail, and those of the store.
pub fn plan<'a>(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    tell: &mut Tell<'_>,
) -> Result<Ready<'a>> {
    match ready(bench, options, occasion, tell) {
        Err(Error::Nothing(why)) => {
            say(tell, Notice::Nothing(why));
            Ok(Ready::Early(Outcome::Nothing))
        }
        Err(Error::Interrupted) => Ok(Ready::Early(Outcome::Interrupted)),
        ready => ready,
    }
}

fn ready<'a>(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    tell: &mut Tell<'_>,
) -> Result<Ready<'a>> {
    let Bench { session, store, reaper, stop } = bench;
    let mut variants = match occasion.prior {
        Some(prior) => prior.header.variants.clone(),
        None => variants::resolve(&session.project, &options.variants, options.mode.control)?,
    };
    let judged = options.judged || !options.fail_on.is_empty();
    if judged && options.against.is_none() && variants.len() < 2 {
        refuse!(
            "there is nothing to judge: one way to launch, and no --against\n  try    -x old=COMMAND -x new=COMMAND, or --against BASELINE"
        );
    }
    let settings = settings_of(bench, options, occasion.prior, variants.len() as u32)?;
    let mut sources = session.sources(&options.select)?;
    if let Some(calls) = options.cover {
        sources.iter_mut().for_each(|source| source.ask_for_coverage(calls));
    }
    let (builds, again) = (settings.builds, occasion.prior.is_some());
    let mut building = |notice| say(tell, notice);
    let prepared = prepare::prepare(session, &sources, &mut variants, builds, again, stop, &mut building)?;
    let listing = Listing {
        variant: &variants[0],
        test: options.mode.once,
        timeout_ns: settings.timeout_ns,
        refresh: options.refresh,
        reaper,
        stop,
    };
    let (mut catalogue, failures) = session.catalogue(&options.select, sources, &listing, Some(store))?;
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    catalogue.retain(|case| occasion.only.is_empty() || occasion.only.contains(&case.id));
    if catalogue.cases.is_empty() && failures.is_empty() {
        return Ok(Ready::Early(Outcome::Nothing));
    }
    if let Some(prior) = occasion.prior {
        resume::align(&mut catalogue, prior)?;
    }
    pair(&mut catalogue, &variants, tell)?;
    let header = match occasion.prior {
        Some(prior) => RunHeader {
            status: RunStatus::Running,
            engine_pid: std::process::id(),
            ended_ms: None,
            variants,
            ..prior.header.clone()
        },
        None => header(bench, options.note.clone(), settings, variants, occasion.series.clone())?,
    };
    let learned = store.learned()?;
    let sides = header.variants.len() as u32;
    let plan = derny_engine::plan::plan(&catalogue, sides, &header.settings, &learned, header.seed);
    let prior = occasion.prior;
    let planned = Planned { catalogue, plan, header, failures, learned, prior, _prepared: prepared };
    Ok(Ready::Planned(Box::new(planned)))
}

/// The settings in force. A run that goes on keeps its own; those of this call are read nevertheless.
fn settings_of(
    bench: Bench<'_>,
    options: &RunOptions,
    prior: Option<&Records>,
    variants: u32,
) -> Result<Settings> {
    let mode = Mode { variants, attached: false, ..options.mode };
    let profiler = options.profiler.as_deref().map(split).unwrap_or_default();
    let settings = settings::resolve(&bench.session.layers(&options.stated)?, mode, profiler)?;
    let gate::Terms { margin, mean_margin, .. } = options.terms(bench)?;
    let gate = gate::recorded(&settings.metrics, &options.fail_on);
    Ok(prior
        .map_or(Settings { margin, mean_margin, gate, ..settings }, |prior| prior.header.settings.clone()))
}

/// Finds what variants open in a case's place, and tells what has to be left out.
fn pair(catalogue: &mut Catalogue, variants: &[Variant], tell: &mut Tell<'_>) -> Result<()> {
    let before = catalogue.cases.len();
    let unpaired = catalogue.pair(variants);
    if catalogue.cases.is_empty() && before > 0 {
        let names: Vec<&str> = variants.iter().filter_map(|variant| variant.benchmark.as_deref()).collect();
        let why = unpaired.first().map_or("they are all selected in their own place", |first| &first.why);
        refuse!(
            "no case can be set against `{}`\n  why    {why}\n  try    a benchmark of the same suite; `derny list` names them",
            names.join("`, `")
        );
    }
    for left in unpaired {
        say(tell, Notice::LeftOut { case: left.case.to_string(), why: left.why });
    }
    Ok(())
}

/// The context of a run that begins.
pub(super) fn header(
    bench: Bench<'_>,
    note: Option<String>,
    settings: Settings,
    variants: Vec<Variant>,
    mut series: Option<Series>,
) -> Result<RunHeader> {
    let place = &bench.session.place;
    let seed = place.seed.unwrap_or_else(|| now_ms() as u64 ^ u64::from(std::process::id()) << 32);
    // The runs of a series draw numbers of their own, or they would repeat each other's order too.
    let seed = seed.wrapping_add(series.as_ref().map_or(0, |series| u64::from(series.number)));
    let id = bench.store.new_run_id(seed)?;
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
        args: place.words.clone(),
        seed,
        settings,
        variants,
        machine: machine::machine(),
        commit: git::commit(&bench.session.project.root),
        note,
        runtimes: Vec::new(),
        series,
        imported: None,
        built: Vec::new(),
    })
}
