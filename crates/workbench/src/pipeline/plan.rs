//! Plan: which variants, which settings, which cases, in which order and at which cost.

use crate::config::gate;
use crate::config::settings::{self, Mode};
use crate::error::{Error, Result, refuse};
use crate::notice::Notice;
use crate::pipeline::check_metrics;
use crate::pipeline::resume;
use crate::pipeline::{Occasion, PartOf, RunOptions, Tell, identity, say};
use crate::project::session::Bench;
use crate::project::session::Listing;
use crate::project::{extra_args, git};
use crate::results::outcome::Outcome;
use crate::variants::baseline;
use crate::variants::build::{self, Prepared};
use crate::variants::{parse, same_code};
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::project::split;
use derny_engine::measure::now_ms;
use derny_engine::observe::machine;
use derny_model::{
    Failure, Identity, LearnedFact, Plan, Preparation, Records, RunHeader, RunStatus, Series, Settings,
    Variant,
};
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
    /// Identity of what is selected, where [`Scope::identify`](crate::pipeline::Scope::identify) asks for it.
    pub identity: Option<Identity>,
    /// Pairs of each case; empty where no number is fixed.
    pub(super) fixed: Vec<u32>,
    /// What earlier runs have learnt.
    pub(super) learned: Vec<LearnedFact>,
    /// The run that goes on.
    pub(super) prior: Option<&'a Records>,
    /// What the run is to be compared with.
    pub(super) compared: Compared,
    /// What was built. It keeps other engines away.
    pub prepared: Prepared,
}

impl Planned<'_> {
    /// What is left of a plan once its run is stored: all else, which grows with the number of cases, makes room for conclusions.
    pub(super) fn into_compared(self) -> Compared {
        self.compared
    }
}

/// What planning has found out about the baseline of a run.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// Why the baseline is not measured again, where that was wanted: one sentence.
    pub(super) why_stored: Option<String>,
    /// Cases that are not measured, with the side that has them alone: 0 is the baseline.
    pub(super) left_out: Vec<(u32, String)>,
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

/// Plans with the baseline as a side of its own, or, where that cannot be, without.
fn ready<'a>(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    tell: &mut Tell<'_>,
) -> Result<Ready<'a>> {
    let wanted = wanted(bench, options, occasion)?;
    let (wanted, why) = match (sides(bench, options, occasion, wanted.as_ref(), tell), wanted) {
        (Err(Error::NotAgain(why)), Some(wanted)) => (wanted, why),
        (ready, _) => return ready,
    };
    if occasion.prior.is_some() {
        let name = wanted.name;
        refuse!(
            "the run cannot go on: its baseline {name} cannot be measured again\n  why    {why}\n  try    a new run"
        );
    }
    say(tell, Notice::NotAgain { name: wanted.name, run: wanted.run, why: why.clone() });
    let mut ready = sides(bench, options, occasion, None, tell)?;
    if let Ready::Planned(planned) = &mut ready {
        planned.compared.why_stored = Some(why);
    }
    Ok(ready)
}

/// The stored run to measure again: of a run that goes on the one that it has begun with.
fn wanted(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'_>,
) -> Result<Option<baseline::Wanted>> {
    if let Some(prior) = occasion.prior {
        let first = prior.header.variants.first();
        let again = |variant: &Variant| Some((variant.name.clone(), variant.again.as_ref()?.run.clone()));
        return Ok(first.and_then(again).map(|(name, run)| baseline::Wanted { name, run }));
    }
    let measured_again = !options.stored && !options.mode.once;
    let Some(word) = options.against.as_ref().filter(|_| measured_again) else { return Ok(None) };
    let run = bench.store.resolve(word)?;
    let name = options.called.as_ref().filter(|name| !run.starts_with(*name));
    Ok(Some(baseline::Wanted { name: name.unwrap_or(&run).clone(), run }))
}

/// Plans a run, with a stored one as its first side if `wanted`. [`Error::NotAgain`] says why that side cannot be.
fn sides<'a>(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    wanted: Option<&baseline::Wanted>,
    tell: &mut Tell<'_>,
) -> Result<Ready<'a>> {
    let Bench { session, store, stop, .. } = bench;
    let scope = occasion.scope;
    let begun_ms = now_ms();
    let globs = session.side_globs();
    let files = same_code::files(session, parse::files(&session.project, &options.variants, &globs))?;
    let (mut sources, mut lost) =
        session.sources(&options.select, &files, &mut |notice| say(tell, notice))?;
    if let Some(calls) = options.cover {
        sources.iter_mut().for_each(|source| source.ask_for_coverage(calls));
    }
    let again = |wanted| baseline::base(session, store, wanted, &sources, options.mode.builds);
    let base = wanted.map(again).transpose()?;
    let mut variants = match (occasion.prior, scope.part) {
        (Some(prior), _) => prior.header.variants.clone(),
        (None, Some(part)) => part.variants.to_vec(),
        (None, None) => {
            let again = base.as_ref().map(|base| base.variant.clone());
            parse::resolve(
                &session.project,
                &options.benchmarks,
                &options.variants,
                &globs,
                again,
                options.mode.control,
            )?
        }
    };
    same_code::programs(session, &sources, &mut variants)?;
    extra_args::refuse_unbuilt(&options.select, &sources, &variants)?;
    let judged = options.judged || !options.fail_on.is_empty();
    if judged && options.against.is_none() && variants.len() < 2 {
        refuse!(
            "there is nothing to judge: one way to launch, and no --against\n  try    -x old=COMMAND -x new=COMMAND, or --against BASELINE"
        );
    }
    let mut settings = settings_of(bench, options, occasion.prior, variants.len() as u32)?;
    let mut building = |notice| say(tell, notice);
    let order = build::Order {
        session,
        sources: &sources,
        others: false,
        base: base.as_ref().map_or(&[], |base| &base.sources),
        builds: settings.builds,
        goes_on: occasion.prior.is_some(),
        prebuilt: scope.builds,
        stop,
    };
    let prepared = build::prepare(order, &mut variants, &mut building)?;
    let unbuilt = prepared.without_unbuilt(&mut sources);
    if occasion.prior.is_none() {
        let mut said = |notice| say(tell, notice);
        same_code::tell(bench, &options.select, &sources, &mut variants, settings.timeout_ns, &mut said)?;
    }
    let built = build::recorded(&sources, &variants);
    let own = variants.iter().position(|variant| variant.again.is_none() && !variant.control).unwrap_or(0);
    let (test, refresh) = (options.mode.smallest, options.refresh);
    let listing = |variant| Listing {
        variant,
        test,
        timeout_ns: settings.timeout_ns,
        refresh,
        reaper: bench.reaper,
        stop,
    };
    let mut selected = |notice| say(tell, notice);
    lost.extend(unbuilt.iter().cloned());
    let sources = (sources, lost);
    let (mut catalogue, mut failures) =
        session.catalogue(&options.select, sources, &listing(&variants[own]), Some(store), &mut selected)?;
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    // All that is meant may be in what could not be built.
    if catalogue.cases.is_empty()
        && failures.len() == unbuilt.len()
        && let Some(error) = build::as_error(&unbuilt)
    {
        return Err(error);
    }
    let learned = store.learned()?;
    settings.waves &= derny_engine::plan::has_waves(&catalogue, variants.len() as u32, &settings, &learned);
    let is_identified = scope.identify || scope.part.is_some();
    let identity = is_identified.then(|| identity::of(session, &catalogue, &variants, &settings));
    if let (Some(part), Some(here)) = (scope.part, &identity) {
        identity::expect(part.identity, here)?;
    }
    catalogue.retain(|case| scope.has(&case.id));
    if catalogue.cases.is_empty() && failures.is_empty() {
        return Ok(Ready::Early(Outcome::Nothing));
    }
    match occasion.prior {
        Some(prior) => resume::align(&mut catalogue, prior)?,
        None => {
            let layers = session.layers(&options.stated)?;
            check_metrics::check(
                bench,
                &options.select,
                &layers,
                &settings,
                &catalogue,
                &listing(&variants[own]),
            )?;
        }
    }
    let mut left_out = Vec::new();
    let mut other = None;
    if let Some(base) = base {
        let (listed, of_base) =
            session.listed(&options.select, base.sources, &listing(&variants[0]), Some(store))?;
        let before = catalogue.cases.len();
        let gone = baseline::gone(&catalogue, &listed, &session.selector(&options.select));
        let left = baseline::common(&mut catalogue, &listed, &variants[0].name);
        if catalogue.cases.is_empty() && before > 0 {
            let why = of_base.first().map(|failure| format!("{}: {}", failure.what, failure.why));
            let why = why.map(|why| Error::Refused(why).in_a_line());
            return Err(Error::NotAgain(why.unwrap_or_else(|| "it has none of these cases".into())));
        }
        // What the baseline could not list is not known to be in the new code alone.
        failures.extend(of_base);
        left_out.extend(left.iter().map(|(case, _)| (1, case.clone())));
        left_out.extend(gone.iter().map(|case| (0, case.clone())));
        let gone = gone.into_iter().map(|case| (case, "the new code does not have it".to_owned()));
        left.into_iter().chain(gone).for_each(|(case, why)| say(tell, Notice::LeftOut { case, why }));
        other = Some(listed);
    }
    pair(&mut catalogue, &variants, tell)?;
    if let Some(listed) = other {
        let again = (0..).zip(&variants).filter(|(_, variant)| variant.again.is_some());
        baseline::join(&mut catalogue, listed, &again.map(|(number, _)| number).collect::<Vec<u32>>());
    }
    let header = match occasion.prior {
        Some(prior) => RunHeader {
            status: RunStatus::Running,
            engine_pid: std::process::id(),
            ended_ms: None,
            variants,
            ..prior.header.clone()
        },
        None => {
            let series = occasion.series.clone();
            let before_ns = now_ms().saturating_sub(begun_ms).max(0) as u64 * 1_000_000;
            let build_ns = prepared.took.all_ns;
            let preparation = Some(Preparation { build_ns, listing_ns: before_ns.saturating_sub(build_ns) });
            let header = header(bench, options.note.clone(), settings, variants, series)?;
            RunHeader { built, preparation, ..header }
        }
    };
    let header = match scope.part {
        Some(part) => of_part(header, part),
        None => header,
    };
    let fixed: Vec<u32> = catalogue.cases.iter().filter_map(|case| scope.pairs(&case.id)).collect();
    let sides = header.variants.len() as u32;
    let plan = derny_engine::plan::plan(&catalogue, sides, &header.settings, &learned, header.seed);
    let prior = occasion.prior;
    let compared = Compared { why_stored: None, left_out };
    let planned =
        Planned { catalogue, plan, header, failures, identity, fixed, learned, prior, compared, prepared };
    Ok(Ready::Planned(Box::new(planned)))
}

/// The header of a run that is a part of a measurement.
fn of_part(header: RunHeader, of: PartOf<'_>) -> RunHeader {
    let PartOf { part, seed, machine, .. } = of;
    let mut own = header.machine.clone();
    own.host = machine.map_or(own.host, str::to_owned);
    RunHeader { machine: own, part: Some(part.clone()), seed, ..header }
}

/// Returns the header of a part without anything to measure.
///
/// # Errors
/// Those of the store.
pub fn header_of_part(bench: Bench<'_>, of: PartOf<'_>, settings: Settings) -> Result<RunHeader> {
    Ok(of_part(header(bench, None, settings, of.variants.to_vec(), None)?, of))
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
        part: None,
        machines: Vec::new(),
        merged: None,
        preparation: None,
        built: Vec::new(),
    })
}
