//! The results of planning and of measuring.

use crate::notice::Notice;
use crate::results::outcome::Outcome;
use crate::variants::build::Prepared;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Failure, Identity, LearnedFact, Plan, Records, RunHeader};

/// A planned run, of which nothing is stored yet.
#[derive(Debug)]
pub struct Planned<'a> {
    /// The cases to measure.
    pub catalogue: Catalogue,
    /// The order of the blocks and the expected cost.
    pub plan: Plan,
    /// The header of the run, with its settings, variants and seed.
    pub header: RunHeader,
    /// Failures to list cases.
    pub failures: Vec<Failure>,
    /// Identity of the selection, if [`Scope::identify`](crate::pipeline::Scope::identify) requests it.
    pub identity: Option<Identity>,
    /// Number of pairs of each case. Empty if the number is open.
    pub(crate) fixed: Vec<u32>,
    /// Facts that earlier runs learnt about the benchmark files.
    pub(crate) learned: Vec<LearnedFact>,
    /// The run to resume.
    pub(crate) prior: Option<&'a Records>,
    /// The run to compare with, and the planner's data about it.
    pub(crate) compared: Compared,
    /// The builds, with the locks that exclude other engines.
    pub prepared: Prepared,
}

impl Planned<'_> {
    /// Keeps only the data that is needed after the run is stored. Frees the rest, which grows with the
    /// number of cases.
    pub(crate) fn into_compared(self) -> Compared {
        self.compared
    }
}

/// A run that was measured and stored.
#[derive(Debug)]
pub struct Measured {
    /// All records, as read from the store.
    pub records: Records,
    /// True if the user stopped the run.
    pub interrupted: bool,
    /// True if a benchmark or a harness failed.
    pub failed: bool,
    /// Notices about the baseline that the run was saved as.
    pub notices: Vec<Notice>,
}

/// The planner's data about the baseline of a run.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// The reason why a requested baseline is not measured again, as one sentence.
    pub(crate) why_stored: Option<String>,
    /// Names of cases that are not measured, each with the index of the only side that has it. 0 is the
    /// baseline.
    pub(crate) left_out: Vec<(u32, String)>,
}

/// The result of planning a run.
#[derive(Debug)]
pub enum Ready<'a> {
    /// The run can begin.
    Planned(Box<Planned<'a>>),
    /// The run does not begin: there is nothing to measure, or the user stopped it. The reason was already
    /// reported.
    Early(Outcome),
}
