//! `--args` and `--build-args`: arguments for the programs and builds of suites. A suite without a
//! placeholder for them is an error. Otherwise, it would silently be measured without them.

use crate::config::options::Selection;
use crate::error::Result;
use derny_engine::discover::catalogue::Catalogue;
use derny_engine::discover::{COMMAND, Source};
use derny_model::problem;

/// Returns the source with the arguments of `select` appended to those of the configuration, where the source
/// accepts them.
pub(crate) fn added(select: &Selection, source: Source) -> Source {
    let behind = |own: &[String], more: &[String], has_place: bool| match has_place {
        true => [own, more].concat(),
        false => own.to_vec(),
    };
    let suite_args = behind(&source.suite_args, &select.args, source.takes_suite_args());
    let build_args = behind(&source.build_args, &select.build_args, source.takes_build_args());
    covered(select, Source { suite_args, build_args, ..source })
}

/// Returns the source with coverage, if the selection requests it.
pub(crate) fn covered(select: &Selection, source: Source) -> Source {
    match select.cover {
        Some(calls) => source.with_coverage(calls),
        None => source,
    }
}

/// Fails if `--args` or `--build-args` were given, but no source accepts them.
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

/// Fails if `--args` or `--build-args` were given, but the source of a selected case does not accept them.
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

fn untaken_args(select: &Selection, source: &Source) -> Result<()> {
    let words = select.args.join(" ");
    if source.harness == COMMAND && source.file.is_none() || source.runtime.is_empty() {
        return Err(problem!("--args: `{words}` has no effect")
            .why(format_args!("the command of suite `{}` has no {{suite-args}}", source.suite))
            .remedy("append the arguments to the command itself")
            .into());
    }
    Err(problem!("--args: suite `{}` accepts no arguments", source.suite)
        .why(format_args!("the harness `{}` does not pass arguments on to it", source.harness))
        .remedy("select other suites, or use `runtime-args` in derny.toml or -x NAME+-FLAG for the runtime")
        .into())
}

fn untaken_build_args(select: &Selection, source: &Source) -> Result<()> {
    let words = select.build_args.join(" ");
    let why = match source.build.is_empty() {
        true => "nothing is built for it",
        false => "its build command has no {build-args}",
    };
    Err(problem!("--build-args: `{words}` has no effect")
        .place(format_args!("suite `{}`", source.suite))
        .why(why)
        .remedy("add {build-args} as a word to its `build` in derny.toml")
        .into())
}
