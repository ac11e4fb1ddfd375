//! The inputs of every planning stage.

use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::project::session::Launcher;
use crate::variants::baseline::Wanted;
use derny_store::Store;

/// The request to plan.
#[derive(Clone, Copy)]
pub(crate) struct Request<'r, 'a> {
    /// Launches programs.
    pub launcher: Launcher<'r>,
    /// Caches the cases of benchmark files; None if nothing can be cached.
    pub store: Option<&'r Store>,
    /// The options of the run.
    pub options: &'r RunOptions,
    /// The place of the run in a series.
    pub occasion: &'r Occasion<'a>,
    /// A stored run to measure again, as the first variant.
    pub again: Option<&'r Wanted>,
}
