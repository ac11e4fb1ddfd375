//! What the measurement of two commits needs. The caller of this crate measures.

use derny_engine::discover::catalogue::Catalogue;
use derny_model::Problem;
use derny_workbench::config::gate::FailOn;
use derny_workbench::pipeline::Concluded;
use derny_workbench::{Outcome, Result};

/// A request to measure two commits together.
pub struct Request<'a> {
    /// The base and the other commit, in the form of `-x`.
    pub sides: [String; 2],
    /// Names of the cases. By default those of the command line.
    pub patterns: Option<Vec<String>>,
    /// Confidence level of the intervals. By default that of the settings.
    pub confidence: Option<f64>,
    /// Margin of the verdict, as a share.
    pub margin: f64,
    /// Verdicts that fail. If there are any, measure until it is certain whether the second side is worse
    /// than the first by more than the margin. Otherwise, any verdict suffices.
    pub fail_on: Vec<FailOn>,
    /// Multiple of the usual time.
    pub effort: u32,
    /// A note to store with the run.
    pub note: String,
    /// Receives the cases when both sides are built. Fails if they are not those to measure.
    pub before: &'a mut dyn FnMut(&Catalogue) -> Result<()>,
}

/// The result of a request.
pub enum Measured {
    /// The sides were measured.
    Done(Box<Concluded>),
    /// Nothing was measured. The reason was not reported yet.
    Nothing(Problem),
    /// Nothing was measured, and the reason was reported.
    Early(Outcome),
}

/// Measures two commits.
pub type Measure<'a> = dyn FnMut(&mut Request<'_>) -> Result<Measured> + 'a;
