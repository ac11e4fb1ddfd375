//! How often a body can be called in one process, and how that is learned.

use crate::plan::ONCE_PER_PROCESS;
use derny_model::{Case, LearnedFact};

/// How often a body can be called in one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// As often as wanted, as far as is known.
    Repeated,
    /// Once: its one call in each process is the measurement. There is no calibration and no warm-up.
    OncePerProcess,
}

impl Calls {
    /// What the catalogue or an earlier run knows.
    pub fn new(once: bool) -> Calls {
        if once { Calls::OncePerProcess } else { Calls::Repeated }
    }

    /// Whether there is one call in a process.
    pub fn once(self) -> bool {
        self == Calls::OncePerProcess
    }

    /// The first call of a case was good and a later one failed. True where that is news: another block may have learned
    /// it already.
    pub fn learn_once(&mut self) -> bool {
        !std::mem::replace(self, Calls::OncePerProcess).once()
    }
}

/// What later runs shall know of such a case: how a later call has failed.
pub fn fact(case: &Case, file_hash: &str, failed: &str) -> LearnedFact {
    LearnedFact {
        file_hash: file_hash.to_string(),
        case: case.id.name(),
        key: ONCE_PER_PROCESS.to_string(),
        value: failed.to_string(),
    }
}
