//! What a command was answered, once the answer is complete.

use crate::case::Case;
use crate::hello::Hello;
use crate::metric::Reported;

/// One turn as the harness told it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Time of every batch in nanoseconds; `None` where the case has values but no times.
    pub times: Option<Vec<u64>>,
    /// Operations of every batch, parallel to `times`, where the body times itself.
    pub ops: Option<Vec<f64>>,
    /// The hello's counters, then the open case's own; `None` for one that could not be read.
    pub counters: Vec<Option<f64>>,
    /// Hash of the last result, where it was asked for.
    pub hash: Option<String>,
    /// The runtime has yet to compile the body as well as it can.
    pub pending: bool,
    /// The thread that measured, where the body was moved to another one.
    pub thread: Option<u32>,
    /// Values that nobody declared.
    pub reported: Vec<Reported>,
}

/// A completed answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The harness is there.
    Hello(Hello),
    /// To `list`.
    Cases(Vec<Case>),
    /// To `open`: the case is set up.
    Opened {
        /// Measuring thread of this case.
        thread: Option<u32>,
        /// The body is called once: that is the measurement.
        once: bool,
    },
    /// To `open`: the case does not apply here; nothing is open.
    Skipped {
        /// Why.
        reason: String,
    },
    /// To `check`.
    Checked {
        /// Hash of the result.
        hash: Option<String>,
    },
    /// To `measure` and `overhead`.
    Turn(Turn),
    /// To `collect`.
    Collected {
        /// How long it took.
        ns: u64,
    },
    /// To `settle`.
    Settled {
        /// How long it took.
        ns: u64,
    },
    /// To `close`.
    Closed {
        /// Operations since it was opened, where the turns do not have them all.
        ops: Option<f64>,
        /// Values that nobody declared, of all that was done since the case was opened.
        reported: Vec<Reported>,
        /// Texts that the harness told of it: name and text.
        texts: Vec<(String, String)>,
    },
    /// To any command, or unasked when fatal. After a failed `open` or `close` nothing is open; after another failed
    /// command the case is still open and must be closed.
    Failed {
        /// One sentence.
        message: String,
        /// Stack or other long text, at most [`crate::MAX_DETAIL`] bytes.
        detail: Option<String>,
        /// The process cannot go on: the conversation is over.
        fatal: bool,
    },
    /// The harness does not know the verb that was sent.
    Unsupported {
        /// The verb.
        verb: String,
    },
    /// A line for the user; it answers no command.
    Log(String),
}
