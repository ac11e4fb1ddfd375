//! Failures in four parts: what, where, why, and a remedy.

use serde::{Deserialize, Serialize};

/// The stable code of a failure. `derny dev explain` describes each code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FailureCode {
    /// The harness could not be started.
    DY301,
    /// The harness ended before its first line.
    DY302,
    /// The harness ended in the middle of a conversation.
    DY303,
    /// A signal that Derny did not send ended the harness.
    DY304,
    /// The harness did not answer in time.
    DY305,
    /// The harness broke the protocol.
    DY306,
    /// The benchmark threw an exception.
    DY307,
    /// The harness reported impossible counts.
    DY308,
    /// The harness did not quit.
    DY309,
    /// A file's cases could not be listed.
    DY310,
    /// The memory of the benchmark exceeded its limit.
    DY311,
    /// A check of the body failed under `--once`.
    DY312,
    /// The benchmark prints endlessly.
    DY313,
    /// The benchmark left processes behind.
    DY314,
}

/// A failure of a case or a file. Other cases continued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// Code of the failure.
    pub code: FailureCode,
    /// Description of the failure, in one sentence.
    pub what: String,
    /// Index into the run's cases, if a single case failed.
    pub case: Option<u32>,
    /// Index of the variant whose process failed, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<u32>,
    /// Location from general to specific: file, case, runtime, process. Joined by ` · ` for display.
    pub place: Vec<String>,
    /// Reason for the failure, with the last lines of the program's output if they help.
    pub why: String,
    /// Suggested remedy.
    pub remedy: String,
}

impl FailureCode {
    /// Returns the code as text, such as `DY301`.
    pub fn text(self) -> String {
        format!("{self:?}")
    }
}
