//! What every stage of planning works with.

use crate::pipeline::occasion::Occasion;
use crate::pipeline::options::RunOptions;
use crate::project::session::Launcher;
use crate::variants::baseline::Wanted;
use derny_store::Store;

/// What is to be planned.
#[derive(Clone, Copy)]
pub(crate) struct Request<'r, 'a> {
    /// What programs are launched with.
    pub launcher: Launcher<'r>,
    /// What remembers the cases of benchmark files; none where nothing can be remembered.
    pub store: Option<&'r Store>,
    /// What is measured and how.
    pub options: &'r RunOptions,
    /// Which run of several it is.
    pub occasion: &'r Occasion<'a>,
    /// A stored run to measure again, as the first variant.
    pub again: Option<&'r Wanted>,
}
