//! The answer of `derny bisect`: the commit that changed a case. Changes are ratios minus 1, so 0.05 is 5 %
//! more.

use crate::{Direction, Estimate, RunId};
use serde::{Deserialize, Serialize};

/// How a bisection ended. Readers must accept unknown codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BisectionOutcome {
    /// A measurement of the commit against the one before it confirms the change.
    Found,
    /// The change is in a range of commits. Those inside the range could not be measured.
    Range,
    /// The two ends do not differ by more than the margin.
    NoChange,
    /// The measurements of the two ends do not show whether they differ.
    Unclear,
    /// The search ended at a commit, and a measurement against the one before it shows no change.
    NotConfirmed,
    /// The time limit ended the search. The same command continues it.
    Stopped,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

impl BisectionOutcome {
    /// Returns the word for JSON and for text.
    pub fn token(self) -> &'static str {
        match self {
            BisectionOutcome::Found => "found",
            BisectionOutcome::Range => "range",
            BisectionOutcome::NoChange => "no-change",
            BisectionOutcome::Unclear => "unclear",
            BisectionOutcome::NotConfirmed => "not-confirmed",
            BisectionOutcome::Stopped => "stopped",
            BisectionOutcome::Unknown => "unknown",
        }
    }
}

/// A commit in a bisection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BisectedCommit {
    /// Full hash.
    pub hash: String,
    /// First line of the message.
    pub subject: String,
    /// Date of the commit, such as `2026-11-29`.
    pub date: String,
    /// True if the commit has several parents.
    pub is_merge: bool,
}

/// The result of a single measurement during a bisection. Readers must accept unknown codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProbeVerdict {
    /// The two commits differ.
    Differs,
    /// The two commits do not differ by more than the margin.
    Same,
    /// The larger part of the change is after the commit.
    NearGood,
    /// The larger part of the change is at the commit or before it.
    NearBad,
    /// The interval is too wide for a verdict.
    Unclear,
    /// The commit could not be measured.
    Skipped,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

impl ProbeVerdict {
    /// Returns the words for text.
    pub fn words(self) -> &'static str {
        match self {
            ProbeVerdict::Differs => "differs",
            ProbeVerdict::Same => "the same",
            ProbeVerdict::NearGood => "near GOOD",
            ProbeVerdict::NearBad => "near BAD",
            ProbeVerdict::Unclear => "unclear",
            ProbeVerdict::Skipped => "skipped",
            ProbeVerdict::Unknown => "unknown",
        }
    }
}

/// A single measurement during a bisection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BisectionProbe {
    /// Hash of the base: the good end, or the commit before the one to confirm.
    pub base: String,
    /// The measured commit.
    pub commit: BisectedCommit,
    /// Change of the commit against the base. Absent if it was not measured.
    #[serde(default)]
    pub change: Option<Estimate>,
    /// Verdict.
    pub verdict: ProbeVerdict,
    /// The run with the measurements. Absent if nothing was measured.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Reason why the commit was skipped. Empty if it was measured.
    #[serde(default)]
    pub why: String,
}

/// A part of the range that contains a change which the search has not located.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BisectionRest {
    /// Hash of the good end of the part.
    pub good: String,
    /// Hash of the bad end of the part.
    pub bad: String,
    /// Change over the part, as a share of the value at the good end of the whole range.
    pub change: f64,
}

/// The answer about a range of commits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bisection {
    /// Version of this format.
    pub format: u32,
    /// How the bisection ended.
    pub outcome: BisectionOutcome,
    /// The result as one sentence.
    pub because: String,
    /// Full name of the case.
    pub case: String,
    /// Bisected quantity: `typical`, or the name of a metric.
    pub quantity: String,
    /// Direction of improvement.
    pub better: Direction,
    /// The good end.
    pub good: BisectedCommit,
    /// The bad end.
    pub bad: BisectedCommit,
    /// Number of commits after the good end, up to the bad end.
    pub commits: u32,
    /// Smallest change that matters, as a share.
    pub margin: f64,
    /// Confidence level of each interval, from 0 to 1. It is chosen so that the measurements mislead the
    /// search with a probability of at most 5 %.
    pub confidence: f64,
    /// Change from the good end to the bad end. Absent if it was not measured.
    #[serde(default)]
    pub total: Option<Estimate>,
    /// The last commit without the change. Absent if none was found.
    #[serde(default)]
    pub before: Option<BisectedCommit>,
    /// The commit with the change, or the end of the range that contains it. Absent if none was found.
    #[serde(default)]
    pub found: Option<BisectedCommit>,
    /// Change from `before` to `found`, from a separate measurement.
    #[serde(default)]
    pub change: Option<Estimate>,
    /// Parts of the range that contain the rest of the change.
    pub rest: Vec<BisectionRest>,
    /// All measurements, in their order.
    pub probes: Vec<BisectionProbe>,
    /// Further remarks, as sentences.
    pub notes: Vec<String>,
}

impl Bisection {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 1;
}
