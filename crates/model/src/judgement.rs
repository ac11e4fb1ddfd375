//! The answer of `derny judge` about a candidate. Speed-ups are ratios, so 1.05 is 5 % faster.

use crate::{Commit, RunId};
use serde::{Deserialize, Serialize};

/// The decision about a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The candidate is better than the best candidate so far by more than the margin, and no case is worse.
    Keep,
    /// The candidate does not differ from the best candidate so far by more than the margin.
    Neutral,
    /// The candidate is worse, or it does not work.
    Discard,
    /// The measurements do not decide.
    Retry,
    /// The measurements are not valid.
    Void,
}

impl Decision {
    /// Returns the word for JSON and for text.
    pub fn token(self) -> &'static str {
        match self {
            Decision::Keep => "keep",
            Decision::Neutral => "neutral",
            Decision::Discard => "discard",
            Decision::Retry => "retry",
            Decision::Void => "void",
        }
    }
}

/// The reason for a decision. Readers must accept unknown codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The composite is better by more than the margin.
    Better,
    /// The composite is within the margin.
    WithinMargin,
    /// The candidate consists of the same files or programs as the best candidate so far.
    SameCode,
    /// The composite is worse.
    Worse,
    /// The composite is not worse, but a case is.
    CaseWorse,
    /// The interval is too wide for a decision.
    Unclear,
    /// The candidate could not be built.
    Build,
    /// The command of `--check` failed.
    Check,
    /// A benchmark of the candidate failed.
    Failed,
    /// Some of the cases were not measured.
    Incomplete,
    /// The candidate changes the benchmark.
    BenchmarkChanged,
    /// A case takes less time than is possible.
    TooGood,
    /// The times that the candidate claims contradict the engine's own observations.
    Witness,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

impl Ground {
    /// Returns the word for JSON and for text.
    pub fn token(self) -> &'static str {
        match self {
            Ground::Better => "better",
            Ground::WithinMargin => "within-margin",
            Ground::SameCode => "same-code",
            Ground::Worse => "worse",
            Ground::CaseWorse => "case-worse",
            Ground::Unclear => "unclear",
            Ground::Build => "build",
            Ground::Check => "check",
            Ground::Failed => "failed",
            Ground::Incomplete => "incomplete",
            Ground::BenchmarkChanged => "benchmark-changed",
            Ground::TooGood => "too-good",
            Ground::Witness => "witness",
            Ground::Unknown => "unknown",
        }
    }
}

/// A speed-up with its interval: the old time divided by the new time, or the new rate divided by the old
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Speedup {
    /// Estimated ratio.
    pub speedup: f64,
    /// Lower bound. Absent if there are too few pairs for an interval.
    #[serde(default)]
    pub low: Option<f64>,
    /// Upper bound. Absent if there are too few pairs for an interval.
    #[serde(default)]
    pub high: Option<f64>,
    /// Confidence level of the interval, from 0 to 1.
    pub confidence: f64,
}

/// A case of the candidate, compared with the best candidate so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedCase {
    /// Full name of the case.
    pub case: String,
    /// Judged quantity: `typical`, `mean` or the name of a metric.
    pub quantity: String,
    /// Unit of the two values.
    pub unit: String,
    /// Value of the best candidate so far.
    pub best: f64,
    /// Value of the candidate.
    pub candidate: f64,
    /// Speed-up against the best candidate so far. Absent if the values have no ratio.
    #[serde(default)]
    pub speedup: Option<Speedup>,
    /// Verdict on the case, such as `better` or `worse`.
    pub verdict: String,
}

/// A comparison of the candidate with an expert's solution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parity {
    /// Speed-up of the candidate against the expert's solution.
    pub against: Speedup,
    /// Share of the expert's speed that counts as parity.
    pub share: f64,
    /// True if the candidate reaches parity, false if it does not. Absent if that is unclear.
    #[serde(default)]
    pub reached: Option<bool>,
}

/// The state of a session after a judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionState {
    /// Name of the session.
    pub name: String,
    /// The base, as the user named it, or its commit.
    pub base: String,
    /// The best candidate so far. It is the base until a candidate is promoted.
    pub best: String,
    /// Number of candidates that were tested.
    pub candidates: u32,
    /// Number of decisions to keep.
    pub kept: u32,
    /// Upper bound of the expected number of wrong decisions to keep.
    pub expected_false: f64,
    /// Level of the last test: the largest probability with which it keeps a candidate without an effect.
    pub level: f64,
}

/// The sources of a side, as they were measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReceiptSide {
    /// Name of the side: `base`, `best`, `candidate` or `expert`.
    pub name: String,
    /// The side in the form of `-x`.
    pub side: String,
    /// Commit of the sources. For a candidate with uncommitted changes, the commit of the snapshot. Absent
    /// outside git.
    #[serde(default)]
    pub commit: Option<Commit>,
    /// Hash of the tree of all sources, as git computes it. Absent outside git.
    #[serde(default)]
    pub tree: Option<String>,
    /// Hashes of the native programs that were measured.
    pub programs: Vec<String>,
}

/// All data that is needed to check a judgement later. `derny judge verify` recomputes the decision from the
/// stored measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Receipt {
    /// Version of this format.
    pub format: u32,
    /// The run with the measurements.
    pub run: RunId,
    /// Version of the engine.
    pub derny: String,
    /// Name of the machine.
    pub machine: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Versions of the harnesses and runtimes.
    pub runtimes: Vec<String>,
    /// The sides, in the order of the run.
    pub sides: Vec<ReceiptSide>,
    /// Path and hash of every frozen file: benchmark files, derny.toml, and the files that it names.
    pub frozen: Vec<(String, String)>,
    /// Smallest change that matters, as a share.
    pub margin: f64,
    /// Level of the test.
    pub level: f64,
    /// Weights of the cases in the composite, by pattern. Empty if all cases count the same.
    #[serde(default)]
    pub weights: Vec<(String, f64)>,
    /// Share of the expert's speed that counts as parity. Absent without an expert.
    #[serde(default)]
    pub parity: Option<f64>,
    /// The decision.
    pub verdict: Decision,
    /// The reason for the decision.
    pub ground: Ground,
    /// The score.
    pub score: f64,
}

/// The answer about a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// Version of this format.
    pub format: u32,
    /// The decision.
    pub verdict: Decision,
    /// The reason for the decision.
    pub ground: Ground,
    /// The reason for the decision, as one sentence.
    pub because: String,
    /// Lower bound of the speed-up against the base, or 1 if it is unclear whether there is any.
    pub score: f64,
    /// Composite speed-up against the best candidate so far, on which the decision is based. Absent if
    /// nothing was measured.
    #[serde(default)]
    pub best: Option<Speedup>,
    /// Composite speed-up against the base, which is comparable between calls. Absent if nothing was
    /// measured.
    #[serde(default)]
    pub base: Option<Speedup>,
    /// Comparison with an expert's solution. Absent without one.
    #[serde(default)]
    pub parity: Option<Parity>,
    /// The cases, compared with the best candidate.
    pub cases: Vec<JudgedCase>,
    /// State of the session. Absent without a session.
    #[serde(default)]
    pub session: Option<SessionState>,
    /// Time limit in ns with which another measurement would probably decide. Absent if it is unknown, or if
    /// the measurements already decide.
    #[serde(default)]
    pub retry_ns: Option<u64>,
    /// The run with the measurements. Absent if nothing was measured.
    #[serde(default)]
    pub run: Option<RunId>,
    /// Receipt. Absent if nothing was measured.
    #[serde(default)]
    pub receipt: Option<Receipt>,
    /// Further remarks, as sentences.
    pub notes: Vec<String>,
}
