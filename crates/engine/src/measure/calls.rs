//! How often a body can be called in one process, and how that is learned.

use crate::measure::context::Context;
use crate::plan::ONCE_PER_PROCESS;
use derny_model::{Event, LearnedFact};

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

    /// The first call of a case was good and a later one failed, with these words: later runs shall know it. Another block
    /// may have learned it already.
    pub fn learn_once(&mut self, cx: &mut Context<'_>, case: u32, failed: &str) {
        if self.once() {
            return;
        }
        *self = Calls::OncePerProcess;
        cx.emit(Event::Learned(LearnedFact {
            file_hash: cx.catalogue.source(case).hash.clone(),
            case: cx.catalogue.cases[case as usize].id.name(),
            key: ONCE_PER_PROCESS.to_string(),
            value: failed.to_string(),
        }));
    }
}
