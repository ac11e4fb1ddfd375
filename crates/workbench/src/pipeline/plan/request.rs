//! The common input of all planning stages.

use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::project::session::Launcher;
use crate::variants::baseline::Wanted;
use derny_store::Store;

/// A request to plan a run.
#[derive(Clone, Copy)]
pub(crate) struct Request<'r, 'a> {
    /// Project and processes for launching the programs.
    pub launcher: Launcher<'r>,
    /// Store in which the cases of benchmark files are cached. None disables the cache.
    pub store: Option<&'r Store>,
    /// The options of the run.
    pub options: &'r RunOptions,
    /// The run to resume, the series, and the part of the selection.
    pub occasion: &'r Occasion<'a>,
    /// Stored run to measure again, as the first variant.
    pub again: Option<&'r Wanted>,
}
