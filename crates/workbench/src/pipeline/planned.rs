//! The result of planning.

use crate::results::outcome::Outcome;
use crate::variants::build::Prepared;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Failure, Identity, LearnedFact, Plan, Records, RunHeader};

/// A run that is ready to begin. Nothing of it is stored yet.
#[derive(Debug)]
pub struct Planned<'a> {
    /// The cases to measure.
    pub catalogue: Catalogue,
    /// The order and the expected cost.
    pub plan: Plan,
    /// The context of the run: its settings, variants and seed.
    pub header: RunHeader,
    /// Failures to list cases.
    pub failures: Vec<Failure>,
    /// Identity of the selection, if [`Scope::identify`](crate::pipeline::Scope::identify) requests it.
    pub identity: Option<Identity>,
    /// Pairs of each case; empty if the number is not fixed.
    pub(crate) fixed: Vec<u32>,
    /// Facts learnt from earlier runs.
    pub(crate) learned: Vec<LearnedFact>,
    /// The run to resume.
    pub(crate) prior: Option<&'a Records>,
    /// The run to compare with.
    pub(crate) compared: Compared,
    /// The builds. It holds the locks that exclude other engines.
    pub prepared: Prepared,
}

impl Planned<'_> {
    /// Keeps only the part of a plan that is needed once its run is stored. The rest grows with the number of
    /// cases and is freed.
    pub(crate) fn into_compared(self) -> Compared {
        self.compared
    }
}

/// The planner's data about the baseline of a run.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// One sentence that explains why a requested baseline is not measured again.
    pub(crate) why_stored: Option<String>,
    /// Cases that are not measured, with the only side that has them: 0 is the baseline.
    pub(crate) left_out: Vec<(u32, String)>,
}

/// The result of planning.
#[derive(Debug)]
pub enum Ready<'a> {
    /// A run that can begin.
    Planned(Box<Planned<'a>>),
    /// There is nothing to measure, or the user stopped it. The reason was reported.
    Early(Outcome),
}
