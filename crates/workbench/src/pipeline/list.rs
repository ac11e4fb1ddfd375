//! Lists the cases that a run with the same options would measure. Uses the first stages of planning and
//! stores no run.

use crate::error::Result;
use crate::pipeline::news::{Tell, say};
use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::{self, catalogue, settings};
use crate::project::session::Launcher;
use crate::variants::build::{self, Order};
use derny_engine::discover::Source;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::Failure;
use derny_store::Store;

/// The cases that a run would measure.
pub struct Listed {
    /// The selected cases with their programs.
    pub catalogue: Catalogue,
    /// Failures to list files or programs.
    pub failures: Vec<Failure>,
}

/// Lists the selected cases. A program that is built in place is listed as it is now, without a build. A
/// program that exists only in the store's folder is built first. Without a `store`, nothing is cached.
///
/// # Errors
/// Fails if options or settings are invalid, if a build fails, or with
/// [`Error::Nothing`](crate::Error::Nothing) if no case matches.
pub fn list(
    launcher: Launcher<'_>,
    store: Option<&Store>,
    options: &RunOptions,
    tell: &mut Tell<'_>,
) -> Result<Listed> {
    let Launcher { session, stop, .. } = launcher;
    let requested = plan::requested(session, options, &Occasion::default(), false)?;
    let settings = settings::of_measuring(session, options, requested.count)?;
    let (sources, lost) =
        session.sources(&options.select, &requested.files, &mut |notice| say(tell, notice))?;
    let resolved = requested.resolve(session, None, &sources)?;
    build::refuse_unbuilt(&options.select, &sources, &resolved)?;
    let apart: Vec<Source> = sources.iter().filter(|source| source.is_built_apart()).cloned().collect();
    let order = Order {
        session,
        stop,
        settings: &settings,
        sources: &apart,
        others: apart.len() < sources.len(),
        base: &[],
        goes_on: false,
        prebuilt: None,
    };
    let (variants, prepared) = build::build(order, resolved, &mut |notice| say(tell, notice))?;
    let (sources, unbuilt) = prepared.built_sources(sources);
    let programs = (sources, [lost, unbuilt].concat());
    let (catalogue, failures) =
        catalogue::list((launcher, store), options, programs, (&variants, &settings), tell)?;
    Ok(Listed { catalogue, failures })
}
