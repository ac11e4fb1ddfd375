//! The document: the results of a run, which analysis produces and every reporter renders. It contains
//! plain numbers, without formatting.

use crate::{
    Accounting, Case, Commit, Comparison, Contention, Estimate, Failure, Interval, Reason, RunHeader,
    StopReason, VariantResult, Verdict, Warning, Yardstick,
};
use serde::{Deserialize, Serialize};

/// The state of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CaseState {
    /// The case was measured. Contains the reason why the measurement ended.
    Measured(StopReason),
    /// The case passed its check under `--once`.
    Passed,
    /// The harness skipped the case.
    Skipped,
    /// The case failed. The document contains the failure.
    Failed,
    /// The case was not measured, because the run ended earlier.
    Missing,
}

/// The change of typical time since the last comparable run, which was measured at another time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlainChange {
    /// Id of the earlier run.
    pub run: String,
    /// New typical time divided by the old one, minus 1.
    pub change: f64,
    /// Interval of the part of the change that is not due to the machine.
    #[serde(default)]
    pub interval: Option<Interval>,
    /// Verdict on the change. Absent in documents of earlier versions.
    #[serde(default = "unclear")]
    pub verdict: Verdict,
    /// Reason why the verdict is unclear.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Part of the change that may be due to the machine, as a share.
    #[serde(default)]
    pub machine: Option<Interval>,
    /// Reason why the verdict is weaker than the interval suggests, or why there is none. A sentence,
    /// or empty.
    #[serde(default)]
    pub because: String,
}

fn unclear() -> Verdict {
    Verdict::Unclear
}

/// The results of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseResult {
    /// The case as declared.
    pub case: Case,
    /// State of the case: measured, passed, skipped, failed or missing.
    pub state: CaseState,
    /// Results by variant, in the run's order.
    pub variants: Vec<VariantResult>,
    /// Change since the last comparable run, if there is one.
    pub change: Option<PlainChange>,
}

/// The results of a suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuiteResult {
    /// Name of the suite.
    pub suite: String,
    /// Results of its cases, in catalogue order.
    pub cases: Vec<CaseResult>,
}

/// Cases of a suite that differ in one property, in ascending order of typical time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ranking {
    /// Name of the suite.
    pub suite: String,
    /// Parameters that the cases have in common. If the cases differ in a parameter, also the
    /// benchmark, under an empty key.
    pub common: Vec<(String, String)>,
    /// The ranked cases, at least two.
    pub places: Vec<RankedCase>,
}

/// A case of a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RankedCase {
    /// Index into the document's cases.
    pub case: u32,
    /// Distinguishing property of the case: its benchmark, or the value of a parameter.
    pub name: String,
    /// Typical time in ns per operation.
    pub typical: f64,
    /// Typical time relative to that of the first case. The interval is corrected for all pairs of the
    /// ranking. It is absent if either time has none.
    pub times: Estimate,
    /// True if the interval excludes that the case is as fast as the first one.
    pub slower: bool,
}

/// The results of a run, with all data for reporters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document {
    /// Version of this format.
    pub format: u32,
    /// The run and its context.
    pub run: RunHeader,
    /// Results of all suites.
    pub suites: Vec<SuiteResult>,
    /// Failures of the run.
    pub failures: Vec<Failure>,
    /// Warnings. `Warning::case` is an index into the cases of all suites, in order.
    pub warnings: Vec<Warning>,
    /// Id of the run to which changes are relative, and the commit of its sources.
    pub baseline: Option<(String, Option<Commit>)>,
    /// Yardsticks of the run: built-in kernels that distinguish a change of the machine from a change
    /// of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yardsticks: Vec<Yardstick>,
    /// Contention by other programs and machines during the run. Absent if it was not observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Rankings of the cases by time, if only one variant was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rankings: Vec<Ranking>,
    /// Comparison of the run's variants with the first one, or of the run with the requested baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Box<Comparison>>,
    /// Time of the run by activity, with `--stats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Box<Accounting>>,
}

impl Document {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// Sets the comparison of the run's sides, if there is one.
    pub fn compared(self, comparison: Option<Comparison>) -> Document {
        Document { comparison: comparison.map(Box::new), ..self }
    }

    /// Returns all cases in order.
    pub fn cases(&self) -> impl Iterator<Item = &CaseResult> {
        self.suites.iter().flat_map(|suite| suite.cases.iter())
    }
}
