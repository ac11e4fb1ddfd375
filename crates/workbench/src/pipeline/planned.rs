//! What came of planning.

use crate::results::outcome::Outcome;
use crate::variants::build::Prepared;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Failure, Identity, LearnedFact, Plan, Records, RunHeader};

/// A run that can begin. Nothing of it is stored yet.
#[derive(Debug)]
pub struct Planned<'a> {
    /// What is measured.
    pub catalogue: Catalogue,
    /// The order and the expected cost.
    pub plan: Plan,
    /// The context of the run: its settings, variants and seed.
    pub header: RunHeader,
    /// What could not be listed.
    pub failures: Vec<Failure>,
    /// Identity of what is selected, where [`Scope::identify`](crate::pipeline::Scope::identify) asks for it.
    pub identity: Option<Identity>,
    /// Pairs of each case; empty where no number is fixed.
    pub(crate) fixed: Vec<u32>,
    /// What earlier runs have learnt.
    pub(crate) learned: Vec<LearnedFact>,
    /// The run that goes on.
    pub(crate) prior: Option<&'a Records>,
    /// What the run is to be compared with.
    pub(crate) compared: Compared,
    /// What was built. It keeps other engines away.
    pub prepared: Prepared,
}

impl Planned<'_> {
    /// What is left of a plan once its run is stored: all else, which grows with the number of
    /// cases, makes room for conclusions.
    pub(crate) fn into_compared(self) -> Compared {
        self.compared
    }
}

/// What planning has found out about the baseline of a run.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// Why the baseline is not measured again, where that was wanted: one sentence.
    pub(crate) why_stored: Option<String>,
    /// Cases that are not measured, with the side that has them alone: 0 is the baseline.
    pub(crate) left_out: Vec<(u32, String)>,
}

/// What came of planning.
#[derive(Debug)]
pub enum Ready<'a> {
    /// A run that can begin.
    Planned(Box<Planned<'a>>),
    /// There is nothing to measure, or the user stopped it. Why has been told.
    Early(Outcome),
}
