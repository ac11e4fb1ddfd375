//! Reports of the pipeline to its caller.

use crate::notice::Notice;
use crate::pipeline::planned::Planned;
use derny_model::{Diagnosed, Event};
use std::io;

/// A report of the pipeline to its caller. Reports arrive in chronological order.
pub enum News<'a> {
    /// A message for the user.
    Notice(Notice),
    /// Measuring is about to begin.
    Planned(&'a Planned<'a>),
    /// An event of the run, which is already stored.
    Event(&'a Event),
    /// Diagnoses that the runtimes reported.
    Diagnosed(&'a [Diagnosed]),
}

/// Receives the pipeline's reports. If it returns an error for an event, the run stops and ends with this
/// error. Errors for other reports are ignored.
pub type Tell<'a> = dyn FnMut(News<'_>) -> io::Result<()> + 'a;

/// Passes a notice to the caller, and ignores an error.
pub(crate) fn say(tell: &mut Tell<'_>, notice: Notice) {
    let _ = tell(News::Notice(notice));
}
