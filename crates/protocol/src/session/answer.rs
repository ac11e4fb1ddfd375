//! The complete answers to commands.

use crate::case::Case;
use crate::hello::Hello;
use crate::metric::Reported;

/// A turn, as the harness reported it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// Time of every batch, in ns. `None` if the case has values but no times.
    pub times: Option<Vec<u64>>,
    /// Number of operations of every batch, in the order of `times`, if the body times itself.
    pub ops: Option<Vec<f64>>,
    /// Counters of the hello, followed by those of the open case. `None` for a counter that could not be
    /// read.
    pub counters: Vec<Option<f64>>,
    /// Hash of the last result, if it was requested.
    pub hash: Option<String>,
    /// True if the runtime has not yet fully compiled the body.
    pub pending: bool,
    /// Id of the measuring thread, if the body moved to another thread.
    pub thread: Option<u32>,
    /// Undeclared values, in order.
    pub reported: Vec<Reported>,
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Introduction of the harness.
    Hello(Hello),
    /// Answer to `list` and `expand`.
    Cases(Vec<Case>),
    /// Answer to `open`: the case is set up.
    Opened {
        /// Id of the thread that measures this case, if it differs from the hello's.
        thread: Option<u32>,
        /// True if the body is called only once, so that this call is the measurement.
        once: bool,
    },
    /// Answer to `open`, `check`, `measure` and `overhead`: the case does not apply on this machine. After
    /// `open`, the case is not open. After the other commands, it is still open.
    Skipped {
        /// Reason why the case does not apply.
        reason: String,
    },
    /// Answer to `check`.
    Checked {
        /// Hash of the result.
        hash: Option<String>,
    },
    /// Answer to `measure` and `overhead`.
    Turn(Turn),
    /// Answer to `collect`.
    Collected {
        /// Duration of the collection, in ns.
        ns: u64,
    },
    /// Answer to `settle`.
    Settled {
        /// Duration of settling, in ns.
        ns: u64,
    },
    /// Answer to `close`.
    Closed {
        /// Number of operations since the case was opened, if the turns do not include all of them.
        ops: Option<f64>,
        /// Undeclared values for the time since the case was opened.
        reported: Vec<Reported>,
        /// Names and texts that the benchmark reports about the case.
        texts: Vec<(String, String)>,
    },
    /// Answer to any command. A fatal failure may also arrive without a command. After a failed `list`,
    /// `expand`, `open` or `close`, no case is open. After any other failed command, the case is still
    /// open and must be closed.
    Failed {
        /// Description of the failure, in one sentence.
        message: String,
        /// Stack trace or other long text, at most [`crate::MAX_DETAIL`] bytes.
        detail: Option<String>,
        /// True if the process cannot continue, which ends the conversation.
        fatal: bool,
    },
    /// The harness does not support the verb of the command.
    Unsupported {
        /// Name of the unsupported verb.
        verb: String,
    },
    /// A message for the user, which answers no command.
    Log(String),
}
