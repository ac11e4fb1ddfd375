//! The comparison: what analysis concludes about two or more sides of the same cases and every reporter
//! renders. Plain numbers, no formatting. Changes are ratios minus 1: `new / base - 1`, so that −0.02 is 2 %
//! less.

mod change;
mod quantity;
mod verdict;

pub use crate::comparison::change::{Change, Observed};
pub use crate::comparison::quantity::Quantity;
pub use crate::comparison::verdict::{CaseOutcome, Reason, Verdict};
use crate::{AgainFrom, Case, Commit, Contention, Estimate, Failure, RunId, TimeSummary, Warning, Word};
use serde::{Deserialize, Serialize};

/// A case requested of at least two sides that some of them did not measure: they have no complete process of
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unmeasured {
    /// The case as declared.
    pub case: Case,
    /// Indices of the sides that did not measure it.
    pub sides: Vec<u32>,
    /// `failed`, `skipped` or `not-measured`.
    pub outcome: CaseOutcome,
    /// The reason: `budget`, `interrupted`, `skipped`, or `not-measured` if nothing else is known.
    pub reason: Reason,
    /// The reason as half a sentence: `the time ran out before it was measured`.
    pub because: String,
}

/// How the sides were measured relative to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// In the same blocks of one run, alternated turn by turn: drift and load cancel out.
    Paired,
    /// In two runs: the difference includes whatever changed between them.
    Unpaired,
}

/// The baseline of a comparison, and whether it was measured again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Against {
    /// The stored run.
    pub run: RunId,
    /// Start of the stored run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// The commit of its sources.
    pub commit: Option<Commit>,
    /// The code that was measured again, in pairs with the other sides; absent if the stored times are
    /// compared.
    pub again: Option<AgainFrom>,
    /// The reason why a requested second measurement did not take place, as one sentence.
    #[serde(default)]
    pub why_stored: Option<String>,
}

/// A side with the same code as the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SameCode {
    /// Index of the side.
    pub side: u32,
    /// The kind of sameness, as a clause that follows both names.
    pub how: String,
}

/// One side of a comparison: a variant of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// The displayed name, unique in the comparison: that of the variant, the baseline or the run.
    pub name: String,
    /// The run.
    pub run: RunId,
    /// The variant in that run.
    pub variant: String,
    /// Start of the run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// The commit of its sources.
    pub commit: Option<Commit>,
    /// Runtimes, as in the run's header.
    pub runtimes: Vec<String>,
    /// The base measured against itself (`--control`). A verdict of difference counts as a false alarm.
    pub control: bool,
    /// The run does not name the machine that measured it: it was imported from a file without that
    /// information.
    #[serde(default)]
    pub unnamed_machine: bool,
    /// The benchmark that this side measures, if it may differ from the one that names the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<String>,
}

/// The change of a yardstick, one of the engine's own kernels, between the base's run and a side's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YardstickChange {
    /// Its name: `integer`, `branches`, `cache`, `memory` or `system-call`.
    pub name: String,
    /// New over base time per step, minus 1.
    pub change: f64,
    /// Standard error of the change.
    pub error: f64,
    /// The change exceeds 1 % and three standard errors: the machine has changed.
    pub moved: bool,
}

/// The change of the machine between two runs, by their yardsticks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineChange {
    /// Index of the side whose run is compared with the base's.
    pub side: u32,
    /// The yardsticks that both runs have.
    pub yardsticks: Vec<YardstickChange>,
    /// Contention during the base's run and during the side's; absent where it was not observed.
    #[serde(default)]
    pub contention: [Option<Contention>; 2],
    /// The change of typical time common to all cases, as a share of the base; absent if there is none.
    pub common_shift: Option<f64>,
}

/// A difference between the contexts of two sides that may itself change times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextDifference {
    /// Index of the side that differs from the base.
    pub side: u32,
    /// The property: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment NODE_OPTIONS`, …;
    /// `machine` or `cpu` mean another machine.
    pub what: String,
    /// The base's value; empty if it has none.
    pub base: String,
    /// The side's value.
    pub new: String,
}

/// One side of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedSide {
    /// Index into the comparison's sides; never 0.
    pub side: u32,
    /// The verdict on the case: that of typical time, or the worse of the two if mean time differs.
    pub verdict: Verdict,
    /// Why the verdict is unclear; absent for another verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Typical and mean time have different verdicts.
    pub split: bool,
    /// The changes: typical time, mean time (if the case was timed), then every other metric that both sides
    /// have.
    pub changes: Vec<Change>,
    /// The composition of mean time, for the base and for this side; absent if nothing was timed or the sides
    /// are unpaired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<[Observed; 2]>,
    /// Whether the base, and this side, is indistinguishable from an empty body.
    #[serde(default)]
    pub at_floor: [bool; 2],
    /// Metrics requested by name that only one of the two sides has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Word>,
    /// The outcome for a gate: `passed`, `worse`, `undecided`, `unjudged`, or `not-measured` if a metric is
    /// missing. A control has `passed`.
    #[serde(default)]
    pub outcome: CaseOutcome,
    /// Index of the change that makes it `worse`, `undecided` or `unjudged`; absent if it passed.
    #[serde(default)]
    pub decided_by: Option<u32>,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedCase {
    /// The case as declared.
    pub case: Case,
    /// Times of every side, in the order of sides; absent for a side without times.
    pub times: Vec<Option<TimeSummary>>,
    /// The sides after the base that have the case.
    pub sides: Vec<ComparedSide>,
}

/// The geometric mean of a side's ratios over all cases that it shares with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeometricMean {
    /// Index into the sides.
    pub side: u32,
    /// Number of cases.
    pub cases: u32,
    /// Change with its interval.
    pub change: Estimate,
}

/// The record of the control: how often it showed a difference, and how large.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Control {
    /// Comparisons of the base with itself.
    pub comparisons: u32,
    /// Those called faster or slower by any amount: false alarms.
    pub alarms: u32,
    /// Those called faster or slower by more than the margin allows.
    pub material: u32,
    /// Largest absolute change, as a share.
    pub floor: f64,
    /// Half-width of the widest interval, as a share.
    pub half_width: f64,
}

/// Everything that a reporter of comparisons needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Version of this format.
    pub format: u32,
    /// The sides; the first is the base.
    pub sides: Vec<Side>,
    /// How they were measured.
    pub pairing: Pairing,
    /// The stored run that the others are compared with; absent if all sides are variants of one run.
    #[serde(default)]
    pub against: Option<Against>,
    /// The margin δ as a share: changes within it do not matter.
    pub margin: f64,
    /// The margin of mean time.
    #[serde(default)]
    pub mean_margin: f64,
    /// Confidence of intervals, 0 to 1.
    pub confidence: f64,
    /// Wall-clock time between the starts of the oldest and the newest run, in ms.
    pub apart_ms: u64,
    /// Sides with the same code as the base, and the kind of sameness: `are the same shop 1.0, byte for
    /// byte`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<SameCode>,
    /// Differences besides the intended one.
    pub context: Vec<ContextDifference>,
    /// The change of the machine by the yardsticks, for every side measured at another time than the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<MachineChange>,
    /// The cases that at least two sides have, in the base's order.
    pub cases: Vec<ComparedCase>,
    /// Cases requested of at least two sides that some did not measure, in the order of the sides. One that
    /// two other sides did measure is also in `cases`.
    #[serde(default)]
    pub unmeasured: Vec<Unmeasured>,
    /// Names of cases that only one side has, with that side's index.
    pub alone: Vec<(u32, String)>,
    /// A row per side after the base, if there are several cases.
    pub geometric_means: Vec<GeometricMean>,
    /// Number of comparisons that `q` and Holm's values are adjusted for.
    pub family: u32,
    /// The control's record, with `--control`.
    pub control: Option<Control>,
    /// Failures on any side.
    pub failures: Vec<Failure>,
    /// Warnings. `Warning::case` indexes `cases`.
    pub warnings: Vec<Warning>,
    /// What these measurements cannot show, in whole sentences.
    pub unknown: Vec<String>,
    /// The machines that measured, if there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<FleetMachine>,
}

/// One of several machines that measured cases, and its record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FleetMachine {
    /// The host's name, or the name given to it.
    pub name: String,
    /// Its processor.
    pub cpu: String,
    /// Cases that it measured, counted by side.
    pub cases: u32,
    /// Pairs of these cases.
    pub pairs: u32,
    /// Scatter of its pairs relative to the others', as a factor.
    pub noise: Option<f64>,
    /// Deviation of its changes from the others', as a share; absent if it shares too few cases with others.
    pub shift: Option<f64>,
    /// How it differs from the others, as half a sentence; empty if it does not.
    pub odd: String,
}

impl Comparison {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// Returns the outcome of every side of every case: compared sides first, then those not measured. Omits
    /// controls, which decide nothing.
    pub fn outcomes(&self) -> impl Iterator<Item = CaseOutcome> {
        let is_control = |side: &ComparedSide| self.sides[side.side as usize].control;
        let compared = self.cases.iter().flat_map(|case| &case.sides);
        let compared = compared.filter(move |side| !is_control(side)).map(|side| side.outcome);
        compared.chain(self.unmeasured.iter().map(|case| case.outcome))
    }

    /// Returns true if nothing that was requested could be compared. Skipped cases do not count as requested.
    pub fn is_nothing(&self) -> bool {
        let skipped = |case: &Unmeasured| case.outcome == CaseOutcome::Skipped;
        if self.cases.is_empty() && self.alone.is_empty() && !self.unmeasured.is_empty() {
            return !self.unmeasured.iter().all(skipped);
        }
        self.cases.iter().flat_map(|case| &case.sides).all(|side| side.changes.is_empty())
    }
}

impl ComparedSide {
    /// Returns the change that decides the outcome of the case, or else the one that its verdict rests on.
    /// Returns `None` if nothing could be compared.
    pub fn decisive(&self) -> Option<&Change> {
        self.decided_by.and_then(|at| self.changes.get(at as usize)).or_else(|| self.deciding())
    }

    /// Returns the change that the verdict on the case rests on, or `None` if nothing could be compared.
    pub fn deciding(&self) -> Option<&Change> {
        self.changes.iter().find(|change| change.verdict == self.verdict).or(self.changes.first())
    }
}
