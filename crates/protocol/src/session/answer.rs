//! Complete answers to commands.

use crate::case::Case;
use crate::hello::Hello;
use crate::metric::Reported;

/// One turn, as the harness reported it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Time of every batch in nanoseconds; `None` if the case has values but no times.
    pub times: Option<Vec<u64>>,
    /// Operations of every batch, parallel to `times`, if the body times itself.
    pub ops: Option<Vec<f64>>,
    /// The hello's counters, then the open case's own; `None` for an unreadable one.
    pub counters: Vec<Option<f64>>,
    /// Hash of the last result, if requested.
    pub hash: Option<String>,
    /// The runtime has not yet compiled the body fully.
    pub pending: bool,
    /// The measuring thread, if the body moved to another one.
    pub thread: Option<u32>,
    /// Undeclared values.
    pub reported: Vec<Reported>,
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The harness has introduced itself.
    Hello(Hello),
    /// Answers `list`.
    Cases(Vec<Case>),
    /// Answers `open`: the case is set up.
    Opened {
        /// Measuring thread of this case.
        thread: Option<u32>,
        /// The body is called only once, and that call is the measurement.
        once: bool,
    },
    /// Answers `open`: the case does not apply here; no case is open.
    Skipped {
        /// The reason.
        reason: String,
    },
    /// Answers `check`.
    Checked {
        /// Hash of the result.
        hash: Option<String>,
    },
    /// Answers `measure` and `overhead`.
    Turn(Turn),
    /// Answers `collect`.
    Collected {
        /// Duration of the collection.
        ns: u64,
    },
    /// Answers `settle`.
    Settled {
        /// Duration of settling.
        ns: u64,
    },
    /// Answers `close`.
    Closed {
        /// Operations since the case was opened, if the turns do not cover them all.
        ops: Option<f64>,
        /// Undeclared values over everything since the case was opened.
        reported: Vec<Reported>,
        /// Texts about the case: name and text.
        texts: Vec<(String, String)>,
    },
    /// Answers any command, or arrives unrequested if fatal. After a failed `open` or `close` no case is
    /// open. After another failed command the case is still open and must be closed.
    Failed {
        /// One sentence.
        message: String,
        /// Stack trace or other long text, at most [`crate::MAX_DETAIL`] bytes.
        detail: Option<String>,
        /// The process cannot continue: the conversation is over.
        fatal: bool,
    },
    /// The harness does not support the verb of the command.
    Unsupported {
        /// The verb.
        verb: String,
    },
    /// A line for the user; it answers no command.
    Log(String),
}
