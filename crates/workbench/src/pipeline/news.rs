//! Reports to the caller while the pipeline works.

use crate::notice::Notice;
use crate::pipeline::planned::Planned;
use derny_model::{Diagnosed, Event};
use std::io;

/// A report to the caller while the pipeline works, in order.
pub enum News<'a> {
    /// A message.
    Notice(Notice),
    /// Measuring is about to begin.
    Planned(&'a Planned<'a>),
    /// An event of the run. It is already stored.
    Event(&'a Event),
    /// Diagnoses that runtimes reported.
    Diagnosed(&'a [Diagnosed]),
}

/// Receives the reports. An error for an event stops the run, which then ends with this error; other errors
/// are ignored.
pub type Tell<'a> = dyn FnMut(News<'_>) -> io::Result<()> + 'a;

/// Reports a notice. If the caller does not listen, work continues.
pub(crate) fn say(tell: &mut Tell<'_>, notice: Notice) {
    let _ = tell(News::Notice(notice));
}
