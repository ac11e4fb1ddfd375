//! Lists the cases that a run with the same options would measure. Uses the first stages of planning and
//! stores no run.

use crate::error::Result;
use crate::pipeline::news::Tell;
use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::pipeline::plan::request::Request;
use crate::pipeline::plan::{catalogue, settings, variants};
use crate::project::session::Launcher;
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
    let occasion = Occasion::default();
    let request = Request { launcher, store, options, occasion: &occasion, again: None };
    let asked = variants::asked(request)?;
    let settings = settings::of_measuring(request, asked.count(request))?;
    let (sources, lost) = catalogue::sources(request, &asked, tell)?;
    let resolved = variants::resolve(request, asked, None, &sources)?;
    let apart: Vec<Source> = sources.iter().filter(|source| source.is_built_apart()).cloned().collect();
    let others = apart.len() < sources.len();
    let built = variants::build(request, resolved, (apart, None, others), &settings, tell)?;
    let (sources, unbuilt) = built.prepared.built_sources(sources);
    let programs = (sources, [lost, unbuilt].concat());
    let (catalogue, failures) =
        catalogue::list(request, programs, &built.variants, settings.timeout_ns, tell)?;
    Ok(Listed { catalogue, failures })
}
