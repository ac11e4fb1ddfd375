//! The document: what analysis concludes and every reporter renders. Plain numbers, no formatting.

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
    /// Measured, with the reason for stopping.
    Measured(StopReason),
    /// Passed under `--once`.
    Passed,
    /// Skipped by its harness.
    Skipped,
    /// Failed; the failure is in the document.
    Failed,
    /// Not measured: the run ended before.
    Missing,
}

/// The change of typical time against the last comparable run, which was measured at another time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlainChange {
    /// The earlier run.
    pub run: String,
    /// New over old typical time, minus 1.
    pub change: f64,
    /// The part of the change that remains for the program, with its uncertainty.
    #[serde(default)]
    pub interval: Option<Interval>,
    /// The resulting verdict; absent in documents of earlier versions.
    #[serde(default = "unclear")]
    pub verdict: Verdict,
    /// Why the verdict is unclear.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// The change that the machine may account for, as shares.
    #[serde(default)]
    pub machine: Option<Interval>,
    /// The same in words.
    #[serde(default)]
    pub because: String,
}

fn unclear() -> Verdict {
    Verdict::Unclear
}

/// One case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseResult {
    /// The case as declared.
    pub case: Case,
    /// Its state.
    pub state: CaseState,
    /// Results by variant, in the run's order.
    pub variants: Vec<VariantResult>,
    /// Change against the last comparable run, if there is one.
    pub change: Option<PlainChange>,
}

/// Cases of one suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuiteResult {
    /// Its name.
    pub suite: String,
    /// Its cases, in catalogue order.
    pub cases: Vec<CaseResult>,
}

/// Cases of a suite that differ in one property, ordered by typical time, fastest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ranking {
    /// The suite.
    pub suite: String,
    /// The common part of its cases: parameters, and the benchmark under an empty key if they differ in a
    /// parameter.
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
    /// Its distinguishing part: the benchmark, or the value of a parameter.
    pub name: String,
    /// Typical time in ns per operation.
    pub typical: f64,
    /// Its time relative to the first. The interval is corrected for all pairs of the ranking; absent if
    /// either time has none.
    pub times: Estimate,
    /// The interval excludes equality with the first.
    pub slower: bool,
}

/// Everything that a reporter needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document {
    /// Version of this format.
    pub format: u32,
    /// The run and its context.
    pub run: RunHeader,
    /// Results.
    pub suites: Vec<SuiteResult>,
    /// Failures of the run.
    pub failures: Vec<Failure>,
    /// Warnings. `Warning::case` counts cases across suites in order.
    pub warnings: Vec<Warning>,
    /// The run that changes are relative to.
    pub baseline: Option<(String, Option<Commit>)>,
    /// The run's yardsticks: the engine's own kernels, which distinguish a change of the machine from one of
    /// a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yardsticks: Vec<Yardstick>,
    /// Contention by others while the run measured; absent if it was not observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// The fastest cases, if only one variant was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rankings: Vec<Ranking>,
    /// The run's variants against the first one, or the run against the requested baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Box<Comparison>>,
    /// How the run spent its time, with `--stats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Box<Accounting>>,
}

impl Document {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// Returns the same results with the comparison of their sides, if any.
    pub fn compared(self, comparison: Option<Comparison>) -> Document {
        Document { comparison: comparison.map(Box::new), ..self }
    }

    /// Returns all cases in order.
    pub fn cases(&self) -> impl Iterator<Item = &CaseResult> {
        self.suites.iter().flat_map(|suite| suite.cases.iter())
    }
}
