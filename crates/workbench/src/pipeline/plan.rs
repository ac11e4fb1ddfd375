//! Plans a run: its variants, settings, cases, order and cost. Each stage is in a file of its own.

pub(crate) mod catalogue;
pub(crate) mod header;
pub(crate) mod request;
pub(crate) mod settings;
pub(crate) mod variants;

use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::catalogue::Common;
use crate::pipeline::plan::request::Request;
use crate::pipeline::plan::variants::Built;
use crate::pipeline::planned::{Compared, Planned, Ready};
use crate::project::session::Bench;
use crate::results::outcome::Outcome;
use crate::variants::baseline::Wanted;
use crate::variants::build;
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
    let (launcher, store) = (bench.launcher(), Some(bench.store));
    let request = Request { launcher, store, options, occasion, again: wanted.as_ref() };
    let (wanted, why) = match (staged(bench, request, tell), &wanted) {
        (Err(Error::NotAgain(why)), Some(wanted)) => (wanted, why),
        (ready, _) => return ready,
    };
    if occasion.prior.is_some() {
        let name = &wanted.name;
        return Err(problem!("the run cannot continue: its baseline {name} cannot be measured again")
            .why(why)
            .remedy("a new run")
            .into());
    }
    let Wanted { name, run } = wanted.clone();
    say(tell, Notice::NotAgain { name, run, why: why.clone() });
    let mut ready = staged(bench, Request { again: None, ..request }, tell)?;
    if let Ready::Planned(planned) = &mut ready {
        planned.compared.why_stored = Some(why);
    }
    Ok(ready)
}

/// Returns the stored run to measure again. A resumed run keeps its original baseline.
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

/// Plans a run, stage by stage.
///
/// Fails with [`Error::NotAgain`] if the baseline cannot be measured again.
fn staged<'a>(bench: Bench<'_>, request: Request<'_, 'a>, tell: &mut Tell<'_>) -> Result<Ready<'a>> {
    let begun_ms = now_ms();
    let asked = variants::asked(request)?;
    let settings = settings::of(request, asked.count(request))?;
    let (sources, lost) = catalogue::sources(request, &asked, tell)?;
    let base = variants::base(request, bench.store, &sources, settings.builds)?;
    let resolved = variants::resolve(request, asked, base.as_ref(), &sources)?;
    variants::say_alike(&resolved, tell);
    let programs = (sources, base.as_ref(), false);
    let Built { variants, sources, unbuilt, prepared } =
        variants::build(request, resolved, programs, &settings, tell)?;
    let built = build::recorded(&sources, &variants);
    let programs = (sources, [lost, unbuilt.clone()].concat());
    let (catalogue, mut failures) = catalogue::list(request, programs, &variants, settings.timeout_ns, tell)?;
    catalogue::can_go_on(request, (&catalogue, &failures), &unbuilt)?;
    let learned = bench.store.learned()?;
    let sides = variants.len() as u32;
    let waves = derny_engine::plan::has_waves(&catalogue, sides, &settings, &learned);
    let settings = Settings { waves: settings.waves && waves, ..settings };
    let (catalogue, identity) = catalogue::in_scope(request, catalogue, &variants, &settings)?;
    if catalogue.cases.is_empty() && failures.is_empty() {
        return Ok(Ready::Early(Outcome::Nothing));
    }
    let catalogue = catalogue::checked(request, bench.store, catalogue, (&variants, &settings))?;
    let common = catalogue::common(request, catalogue, base, (&variants, &settings), tell)?;
    let Common { catalogue, failures: of_base, left_out } = common;
    failures.extend(of_base);
    if catalogue.cases.is_empty() && failures.is_empty() {
        let none = problem!("no case is on every side, so there is nothing to compare");
        say(tell, Notice::Nothing(none.remedy("use `derny run` to measure the working tree alone")));
        return Ok(Ready::Early(Outcome::Undecided));
    }
    let before_ns = now_ms().saturating_sub(begun_ms).max(0) as u64 * 1_000_000;
    let build_ns = prepared.took.all_ns;
    let preparation = Preparation { build_ns, listing_ns: before_ns.saturating_sub(build_ns) };
    let header = header::of(request, bench, (settings, variants), (built, preparation))?;
    let Occasion { prior, scope, .. } = *request.occasion;
    let fixed = scope.fixed(&catalogue.cases);
    let plan = derny_engine::plan::plan(&catalogue, sides, &header.settings, &learned, header.seed);
    let compared = Compared { why_stored: None, left_out };
    let planned =
        Planned { catalogue, plan, header, failures, identity, fixed, learned, prior, compared, prepared };
    Ok(Ready::Planned(Box::new(planned)))
}
