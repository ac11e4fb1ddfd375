//! The number of times that a body can be called in one process, and how the engine learns it.

use crate::plan::ONCE_PER_PROCESS;
use derny_model::{Case, LearnedFact};

/// The number of times that a body can be called in one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// As often as necessary. This is the default.
    Repeated,
    /// Once. The only call in each process is the measurement, without calibration and warm-up.
    OncePerProcess,
}

impl Calls {
    /// Returns [`Calls::OncePerProcess`] if `once` is true. The flag comes from the catalogue or from an
    /// earlier run.
    pub fn new(once: bool) -> Calls {
        if once { Calls::OncePerProcess } else { Calls::Repeated }
    }

    /// Returns true if the body can be called only once in a process.
    pub fn once(self) -> bool {
        self == Calls::OncePerProcess
    }

    /// Records that the first call of a case succeeded and a later one failed. Returns false if another
    /// block has already recorded it.
    pub fn learn_once(&mut self) -> bool {
        !std::mem::replace(self, Calls::OncePerProcess).once()
    }
}

/// Returns the fact to learn about a case whose later call failed. `failed` describes the failure.
pub fn fact(case: &Case, file_hash: &str, failed: &str) -> LearnedFact {
    LearnedFact {
        file_hash: file_hash.to_string(),
        case: case.id.name(),
        key: ONCE_PER_PROCESS.to_string(),
        value: failed.to_string(),
    }
}
