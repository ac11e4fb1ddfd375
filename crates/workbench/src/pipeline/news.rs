//! What the caller hears while the pipeline is at work.

use crate::notice::Notice;
use crate::pipeline::planned::Planned;
use derny_model::{Diagnosed, Event};
use std::io;

/// What the caller hears while the pipeline is at work, in the order in which it happens.
pub enum News<'a> {
    /// Something to say.
    Notice(Notice),
    /// Measuring is about to begin.
    Planned(&'a Planned<'a>),
    /// An event of the run. It is recorded already.
    Event(&'a Event),
    /// What runtimes told of themselves.
    Diagnosed(&'a [Diagnosed]),
}

/// Hears the news. An error for an event stops the run, which then ends with this error; other
/// errors are ignored.
pub type Tell<'a> = dyn FnMut(News<'_>) -> io::Result<()> + 'a;

/// Says a notice. Nobody who listens is no reason to stop.
pub(crate) fn say(tell: &mut Tell<'_>, notice: Notice) {
    let _ = tell(News::Notice(notice));
}
