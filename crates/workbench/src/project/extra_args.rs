//! `--args` and `--build-args`: arguments for the programs and builds of suites. They are rejected if a suite
//! has no placeholder for them, because it would be measured without them.

use crate::config::options::Selection;
use crate::error::Result;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::{COMMAND, Source};
use derny_model::{Variant, problem};

/// Returns the source with these arguments after those of the configuration, if it accepts any.
pub(crate) fn added(select: &Selection, source: Source) -> Source {
    let behind = |own: &[String], more: &[String], has_place: bool| match has_place {
        true => [own, more].concat(),
        false => own.to_vec(),
    };
    let suite_args = behind(&source.suite_args, &select.args, source.takes_suite_args());
    let build_args = behind(&source.build_args, &select.build_args, source.takes_build_args());
    Source { suite_args, build_args, ..source }
}

/// Rejects the arguments if no source accepts any.
pub(crate) fn refuse_nowhere(select: &Selection, sources: &[Source]) -> Result<()> {
    let Some(first) = sources.first() else { return Ok(()) };
    match sources.iter().any(Source::takes_suite_args) {
        false if !select.args.is_empty() => untaken_args(select, first),
        _ => match sources.iter().any(Source::takes_build_args) {
            false if !select.build_args.is_empty() => untaken_build_args(select, first),
            _ => Ok(()),
        },
    }
}

/// Rejects the arguments if the source of a selected case does not accept any.
pub(crate) fn refuse_untaken(select: &Selection, catalogue: &Catalogue) -> Result<()> {
    let sources = || catalogue.source_of.iter().map(|&place| &catalogue.sources[place]);
    if !select.args.is_empty()
        && let Some(source) = sources().find(|source| !source.takes_suite_args())
    {
        return untaken_args(select, source);
    }
    if !select.build_args.is_empty()
        && let Some(source) = sources().find(|source| !source.takes_build_args())
    {
        return untaken_build_args(select, source);
    }
    Ok(())
}

/// Rejects build arguments if only revisions are built and no side is one.
pub(crate) fn refuse_unbuilt(select: &Selection, sources: &[Source], variants: &[&Variant]) -> Result<()> {
    let builds = |source: &&Source| {
        source.takes_build_args()
            && variants.iter().any(|variant| !source.at(variant).build.is_empty() || variant.again.is_some())
    };
    match sources.first() {
        Some(first) if !select.build_args.is_empty() && !sources.iter().any(|source| builds(&source)) => {
            let words = select.build_args.join(" ");
            Err(problem!("--build-args: `{words}` goes nowhere")
                .place(format_args!("suite `{}`", first.suite))
                .why("only revisions are built for it")
                .remedy("sides that are revisions, such as -x main@main")
                .into())
        }
        _ => Ok(()),
    }
}

fn untaken_args(select: &Selection, source: &Source) -> Result<()> {
    let words = select.args.join(" ");
    if source.harness == COMMAND && source.file.is_none() || source.runtime.is_empty() {
        return Err(problem!("--args: `{words}` goes nowhere")
            .why(format_args!("the command of suite `{}` has no {{suite-args}}", source.suite))
            .remedy("the arguments behind the command itself")
            .into());
    }
    Err(problem!("--args: suite `{}` takes no arguments of its own", source.suite)
        .why(format_args!("the harness `{}` passes none on to it", source.harness))
        .remedy("other suites alone, or `runtime-args` in derny.toml and -x NAME+-FLAG for the runtime")
        .into())
}

fn untaken_build_args(select: &Selection, source: &Source) -> Result<()> {
    let words = select.build_args.join(" ");
    let why = match source.build.is_empty() {
        true => "nothing is built for it",
        false => "its build command has no {build-args}",
    };
    Err(problem!("--build-args: `{words}` goes nowhere")
        .place(format_args!("suite `{}`", source.suite))
        .why(why)
        .remedy("{build-args} as a word of its `build` in derny.toml")
        .into())
}
