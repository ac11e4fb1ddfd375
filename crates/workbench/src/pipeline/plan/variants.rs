//! Determines the variants of a run in three steps: requested, resolved, built.

use crate::error::Result;
use crate::notice::Notice;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::plan::request::Request;
use crate::project::extra_args;
use crate::variants::baseline::{self, Base};
use crate::variants::build::{self, Order, Prepared};
use crate::variants::parse::{self, VariantSpec};
use crate::variants::resolve::{self, ResolvedVariant};
use crate::variants::same_code;
use derny_engine::discover::Source;
use derny_model::{Failure, Settings, Variant, problem};
use derny_store::Store;

/// The requested variants.
pub(crate) enum Asked<'a> {
    /// Variants that the user described, parsed.
    Described(Vec<VariantSpec>),
    /// Variants that an interrupted run or a plan has recorded.
    Recorded(&'a [Variant]),
}

/// Parses the requested variants. This is the only place that does.
///
/// # Errors
/// Fails if a description is invalid, or if a verdict is requested for a single variant.
pub(crate) fn asked<'a>(request: Request<'_, 'a>) -> Result<Asked<'a>> {
    let Request { options, occasion, launcher, .. } = request;
    let recorded = occasion.prior.map(|prior| &prior.header.variants[..]);
    let asked = match recorded.or(occasion.scope.part.map(|part| part.variants)) {
        Some(recorded) => Asked::Recorded(recorded),
        None => {
            let texts = (&options.benchmarks[..], &options.variants[..]);
            let globs = launcher.session.side_globs();
            let specs = parse::parse(&launcher.session.project, texts, &globs)?;
            resolve::check_names(launcher.session, &specs)?;
            Asked::Described(specs)
        }
    };
    let judged = options.judged || !options.fail_on.is_empty();
    if judged && options.against.is_none() && asked.count(request) < 2 {
        return Err(problem!("there is nothing to judge: the run has a single variant, and no --against")
            .remedy("use --against main, or two sides: -x main -x head")
            .into());
    }
    Ok(asked)
}

impl Asked<'_> {
    /// Returns the number of variants, including a baseline and a control.
    pub(crate) fn count(&self, request: Request<'_, '_>) -> u32 {
        match self {
            Asked::Described(specs) => {
                resolve::count(specs.len(), request.again.is_some(), request.options.mode.control)
            }
            Asked::Recorded(variants) => variants.len() as u32,
        }
    }

    /// Returns the files that variants name instead of a benchmark file.
    ///
    /// # Errors
    /// Fails if a file does not exist.
    pub(crate) fn files(&self, request: Request<'_, '_>) -> Result<Vec<String>> {
        let session = request.launcher.session;
        let globs = session.side_globs();
        match self {
            Asked::Described(specs) => {
                resolve::side_files(session, &globs, specs.iter().filter_map(|spec| spec.command.as_ref()))
            }
            Asked::Recorded(variants) => {
                let own = variants.iter().filter(|variant| variant.again.is_none());
                resolve::side_files(session, &globs, own.filter_map(|variant| variant.command.as_ref()))
            }
        }
    }
}

/// Returns the stored run to measure again as a variant, or None if the request has none.
///
/// # Errors
/// Fails if the store fails, or with [`Error::NotAgain`](crate::Error::NotAgain).
pub(crate) fn base(
    request: Request<'_, '_>,
    store: &Store,
    sources: &[Source],
    builds: u32,
) -> Result<Option<Base>> {
    let of = |wanted| baseline::base(request.launcher.session, store, wanted, sources, builds);
    request.again.map(of).transpose()
}

/// Finds the programs and commits of the requested variants.
///
/// # Errors
/// Fails if a program or commit does not exist, or if no variant uses the build arguments.
pub(crate) fn resolve(
    request: Request<'_, '_>,
    asked: Asked<'_>,
    base: Option<&Base>,
    sources: &[Source],
) -> Result<Vec<ResolvedVariant>> {
    let variants = match asked {
        Asked::Described(specs) => {
            let again = base.map(|base| base.variant.clone());
            resolve::named(specs, again, request.options.mode.control)?
        }
        Asked::Recorded(variants) => variants.to_vec(),
    };
    let resolved = resolve::resolve(request.launcher.session, sources, variants)?;
    let plain: Vec<&Variant> = resolved.iter().map(|variant| &**variant).collect();
    extra_args::refuse_unbuilt(&request.options.select, sources, &plain)?;
    Ok(resolved)
}

/// Reports variants that are launched in the same way. Controls are not reported, because that is their
/// purpose.
pub(crate) fn say_alike(variants: &[ResolvedVariant], tell: &mut Tell<'_>) {
    let way = |variant: &Variant| {
        let Variant { command, args, build_args, env, revision, benchmark, again, .. } = variant.clone();
        (command, args, build_args, env, revision, benchmark, again)
    };
    let own: Vec<&Variant> = variants.iter().map(|variant| &**variant).filter(|one| !one.control).collect();
    for (at, other) in own.iter().enumerate() {
        if let Some(first) = own[..at].iter().find(|first| way(first) == way(other)) {
            let sides = (first.name.clone(), other.name.clone());
            let how = "are launched in the same way: any difference between them is noise".to_owned();
            say(tell, Notice::Same { sides, how });
        }
    }
}

/// The variants after their builds.
pub(crate) struct Built {
    /// The variants, ready to launch.
    pub variants: Vec<Variant>,
    /// The programs that were built on every side.
    pub sources: Vec<Source>,
    /// A failure for each program that was not built on every side.
    pub unbuilt: Vec<Failure>,
    /// Holds the locks on the builds. Must live as long as the variants are used.
    pub prepared: Prepared,
}

/// Builds the variants, and rejects those that would measure the same files by accident. `others` is true if
/// there are further programs, which remain if none of these can be built.
///
/// # Errors
/// Fails if builds fail and nothing is left to measure.
pub(crate) fn build(
    request: Request<'_, '_>,
    resolved: Vec<ResolvedVariant>,
    (sources, base, others): (Vec<Source>, Option<&Base>, bool),
    settings: &Settings,
    tell: &mut Tell<'_>,
) -> Result<Built> {
    let Request { launcher, options, occasion, .. } = request;
    let order = Order {
        session: launcher.session,
        sources: &sources,
        others,
        base: base.map_or(&[], |base| &base.sources),
        builds: settings.builds,
        goes_on: occasion.prior.is_some(),
        prebuilt: occasion.scope.builds,
        stop: launcher.stop,
    };
    let mut said = |notice| say(tell, notice);
    let (variants, prepared) = build::build(order, resolved, &mut said)?;
    let (sources, unbuilt) = prepared.built_sources(sources);
    let variants = match occasion.prior {
        Some(_) => variants,
        None => {
            let timeout_ns = settings.timeout_ns;
            same_code::check(launcher, &options.select, &sources, variants, timeout_ns, &mut said)?
        }
    };
    Ok(Built { variants, sources, unbuilt, prepared })
}
