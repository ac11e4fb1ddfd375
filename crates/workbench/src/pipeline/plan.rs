//! Plans a run: its variants, settings, cases, order and cost. Each stage is in a separate file.

pub(crate) mod catalogue;
pub(crate) mod header;
pub(crate) mod settings;

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::catalogue::Cases;
use crate::pipeline::planned::{Compared, Planned, Ready};
use crate::project::session::{Bench, Session};
use crate::results::outcome::Outcome;
use crate::variants::baseline::{self, Wanted};
use crate::variants::build::{self, Order};
use crate::variants::resolve::Requested;
use crate::variants::same_code;
use derny_engine::measure::now_ms;
use derny_model::{Preparation, Settings, Variant, problem};

pub use header::header_of_part;

/// Plans a run: resolves settings and variants, builds programs, and lists their cases.
///
/// # Errors
/// Fails if options or settings cannot be used, if a build fails, or if the store fails.
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

/// Plans with the baseline as a side. If the baseline cannot be measured again, plans without it.
fn ready<'a>(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    tell: &mut Tell<'_>,
) -> Result<Ready<'a>> {
    let wanted = wanted(bench, options, occasion)?;
    let mut why_stored: Option<String> = None;
    loop {
        let again = wanted.as_ref().filter(|_| why_stored.is_none());
        match (staged(bench, options, occasion, again, tell), again) {
            (Err(Error::NotAgain(why)), Some(Wanted { name, .. })) if occasion.prior.is_some() => {
                return Err(problem!(
                    "the run cannot continue: its baseline {name} cannot be measured again"
                )
                .why(why)
                .remedy("start a new run")
                .into());
            }
            (Err(Error::NotAgain(why)), Some(Wanted { name, run })) => {
                say(tell, Notice::NotAgain { name: name.clone(), run: run.clone(), why: why.clone() });
                why_stored = Some(why);
            }
            (Ok(Ready::Planned(mut planned)), _) => {
                planned.compared.why_stored = why_stored;
                return Ok(Ready::Planned(planned));
            }
            (ready, _) => return ready,
        }
    }
}

/// Returns the stored run to measure again, or None if there is none. A resumed run keeps its original
/// baseline.
fn wanted(bench: Bench<'_>, options: &RunOptions, occasion: &Occasion<'_>) -> Result<Option<Wanted>> {
    if let Some(prior) = occasion.prior {
        let first = prior.header.variants.first();
        let again = |variant: &Variant| Some((variant.name.clone(), variant.again.as_ref()?.run.clone()));
        return Ok(first.and_then(again).map(|(name, run)| Wanted { name, run }));
    }
    let measured_again = !options.stored && !options.mode.once;
    let Some(word) = options.against.as_ref().filter(|_| measured_again) else { return Ok(None) };
    let run = bench.store.resolve(word)?;
    let name = options.called.as_ref().filter(|name| !run.starts_with(*name));
    Ok(Some(Wanted { name: name.unwrap_or(&run).clone(), run }))
}

/// Returns the requested variants: those that an interrupted run or a plan has recorded, or else those of the
/// options. `beside` is true if a baseline is measured with them. This is the only place that parses
/// variants.
pub(super) fn requested<'a>(
    session: &Session,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    beside: bool,
) -> Result<Requested<'a>> {
    let recorded = occasion.prior.map(|prior| &prior.header.variants[..]);
    let requested = match recorded.or(occasion.scope.part.map(|part| part.variants)) {
        Some(variants) => Requested::recorded(session, variants)?,
        None if !options.parsed.is_empty() => Requested::parsed(&options.parsed, options.mode.control),
        None => Requested::described(session, options.sides(), (beside, options.mode.control))?,
    };
    let judged = options.judged || !options.fail_on.is_empty();
    if judged && options.against.is_none() && requested.count < 2 {
        return Err(problem!("there is nothing to judge: the run has a single variant and no --against")
            .remedy("use --against main, or two sides: -x main -x head")
            .into());
    }
    Ok(requested)
}

/// Plans a run, stage by stage. `again` is a stored run to measure again, as the first variant.
///
/// Fails with [`Error::NotAgain`] if the baseline cannot be measured again.
fn staged<'a>(
    bench: Bench<'_>,
    options: &RunOptions,
    occasion: &Occasion<'a>,
    again: Option<&Wanted>,
    tell: &mut Tell<'_>,
) -> Result<Ready<'a>> {
    let begun_ms = now_ms();
    let Bench { session, store, stop, .. } = bench;
    let (launcher, select) = (bench.launcher(), &options.select);
    let Occasion { prior, scope, .. } = *occasion;
    let requested = requested(session, options, occasion, again.is_some())?;
    let settings = settings::of(session, options, prior, requested.count)?;
    let (sources, lost) = session.sources(select, &requested.files, &mut |notice| say(tell, notice))?;
    let base =
        again.map(|again| baseline::base(session, store, again, &sources, settings.builds)).transpose()?;
    let resolved = requested.resolve(session, base.as_ref(), &sources)?;
    build::refuse_unbuilt(select, &sources, &resolved)?;
    let order = Order {
        session,
        stop,
        settings: &settings,
        sources: &sources,
        others: false,
        base: base.as_ref().map_or(&[], |base| &base.sources),
        goes_on: prior.is_some(),
        prebuilt: scope.builds,
    };
    let (variants, prepared) = build::build(order, resolved, &mut |notice| say(tell, notice))?;
    let (sources, unbuilt) = prepared.built_sources(sources);
    let built = build::recorded(&sources, &variants);
    let variants = match prior {
        Some(_) => variants,
        None => {
            let said = &mut |notice| say(tell, notice);
            same_code::check(launcher, select, &sources, variants, settings.timeout_ns, said)?
        }
    };
    let programs = (sources, [lost, unbuilt.clone()].concat());
    let (catalogue, failures) =
        catalogue::list((launcher, Some(store)), options, programs, (&variants, &settings), tell)?;
    catalogue::can_go_on(stop, (&catalogue, &failures), &unbuilt)?;
    let learned = store.learned()?;
    let sides = variants.len() as u32;
    let waves = derny_engine::plan::has_waves(&catalogue, sides, &settings, &learned);
    let settings = Settings { waves: settings.waves && waves, ..settings };
    let listed = (catalogue, failures);
    let cases = catalogue::in_scope(bench, (options, occasion), listed, base, (&variants, &settings), tell)?;
    let Some(Cases { catalogue, failures, left_out, identity }) = cases else {
        return Ok(Ready::Early(Outcome::Nothing));
    };
    if catalogue.cases.is_empty() && failures.is_empty() {
        return Ok(nothing_in_common(tell));
    }
    let before = (built, preparation(begun_ms, prepared.took.all_ns));
    let header = header::of(bench, options, occasion, (settings, variants), before)?;
    let fixed = scope.fixed(&catalogue.cases);
    let plan = derny_engine::plan::plan(&catalogue, sides, &header.settings, &learned, header.seed);
    let compared = Compared { why_stored: None, left_out };
    let planned =
        Planned { catalogue, plan, header, failures, identity, fixed, learned, prior, compared, prepared };
    Ok(Ready::Planned(Box::new(planned)))
}

fn nothing_in_common<'a>(tell: &mut Tell<'_>) -> Ready<'a> {
    let none = problem!("no case exists on every side, so there is nothing to compare");
    say(tell, Notice::Nothing(none.remedy("use `derny run` to measure the working tree alone")));
    Ready::Early(Outcome::Undecided)
}

/// Returns the time spent since `begun_ms`. Counts all of it except the builds as listing.
fn preparation(begun_ms: i64, build_ns: u64) -> Preparation {
    let before_ns = now_ms().saturating_sub(begun_ms).max(0) as u64 * 1_000_000;
    Preparation { build_ns, listing_ns: before_ns.saturating_sub(build_ns) }
}
