//! The comparison of two or more sides of the same cases, which analysis produces and every reporter
//! renders. It contains plain numbers, without formatting. Changes are ratios minus 1 (`new / base -
//! 1`), so −0.02 is 2 % less.

mod change;
mod quantity;
mod verdict;

pub use crate::comparison::change::{Change, Observed};
pub use crate::comparison::quantity::Quantity;
pub use crate::comparison::verdict::{CaseOutcome, Reason, Verdict};
use crate::{AgainFrom, Case, Commit, Contention, Estimate, Failure, RunId, TimeSummary, Warning, Word};
use serde::{Deserialize, Serialize};

/// A case that was requested of at least two sides, at least one of which has no complete process for
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unmeasured {
    /// The case as declared.
    pub case: Case,
    /// Indices of the sides that did not measure it.
    pub sides: Vec<u32>,
    /// Outcome: `failed`, `skipped` or `not-measured`.
    pub outcome: CaseOutcome,
    /// Reason: `budget`, `interrupted`, `skipped`, or `not-measured` if no other is known.
    pub reason: Reason,
    /// The reason as a clause: `the time ran out before it was measured`.
    pub because: String,
}

/// Specifies whether the sides of a comparison were measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// The sides were measured in the same blocks of one run, alternated turn by turn. Drift and load
    /// cancel out.
    Paired,
    /// The sides were measured in two runs. The difference includes every change between these runs.
    Unpaired,
}

/// The stored run that is the base of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Against {
    /// Id of the stored run.
    pub run: RunId,
    /// Start of the stored run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Commit of the stored run's sources.
    pub commit: Option<Commit>,
    /// Origin of the code that was measured again, in pairs with the other sides. Absent if the stored
    /// times are compared.
    pub again: Option<AgainFrom>,
    /// Reason why the run was not measured again despite the request, as one sentence.
    #[serde(default)]
    pub why_stored: Option<String>,
}

/// A side with the same code as the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SameCode {
    /// Index of the side.
    pub side: u32,
    /// Reason why the code counts as the same, as a clause that follows the names of both sides.
    pub how: String,
}

/// A side of a comparison, which is a variant of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// Name to display, unique in the comparison: that of the variant, the baseline or the run.
    pub name: String,
    /// Id of the run.
    pub run: RunId,
    /// Name of the variant in that run.
    pub variant: String,
    /// Start of the run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Commit of the sources.
    pub commit: Option<Commit>,
    /// Runtimes, as in the run's header.
    pub runtimes: Vec<String>,
    /// True for a control, which is the base measured against itself (`--control`). A difference
    /// reported for it is a false alarm.
    pub control: bool,
    /// True if the machine is unknown, because the run was imported from a file without that information.
    #[serde(default)]
    pub unnamed_machine: bool,
    /// Name of the benchmark that this side measures, if it may differ from the case's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<String>,
}

/// The change of a yardstick (a built-in kernel) between the run of the base and that of a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YardstickChange {
    /// Name of the yardstick: `integer`, `branches`, `cache`, `memory` or `system-call`.
    pub name: String,
    /// Time per step in the side's run divided by that in the base's, minus 1.
    pub change: f64,
    /// Standard error of the change.
    pub error: f64,
    /// True if the change exceeds both 1 % and three standard errors, so that the machine has changed.
    pub moved: bool,
}

/// The change of the machine between two runs, according to the yardsticks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineChange {
    /// Index of the side whose run is compared with the base's.
    pub side: u32,
    /// Changes of the yardsticks that both runs have.
    pub yardsticks: Vec<YardstickChange>,
    /// Contention during the base's run, and during the side's run. Absent if it was not observed.
    #[serde(default)]
    pub contention: [Option<Contention>; 2],
    /// Change of typical time that all cases have in common, as a share of the base. Absent if there is
    /// none.
    pub common_shift: Option<f64>,
}

/// A difference between the contexts of two sides that may itself change times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextDifference {
    /// Index of the side that differs from the base.
    pub side: u32,
    /// Differing property: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment
    /// NODE_OPTIONS`, and so on. `machine` and `cpu` mean that the machines are different.
    pub what: String,
    /// The base's value. Empty if it has none.
    pub base: String,
    /// The side's value.
    pub new: String,
}

/// The results of one side of a case, compared with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedSide {
    /// Index into the comparison's sides. Never 0.
    pub side: u32,
    /// Verdict on the case: the verdict of typical time, or the worse of the two if mean time has a
    /// different one.
    pub verdict: Verdict,
    /// Reason why the verdict is unclear. Absent for any other verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// True if typical and mean time have different verdicts.
    pub split: bool,
    /// Changes of typical time, of mean time if the case was timed, and of every other metric that both
    /// sides have.
    pub changes: Vec<Change>,
    /// Composition of mean time, for the base and for this side. Absent if nothing was timed or the
    /// sides are unpaired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<[Observed; 2]>,
    /// For the base and for this side, true if its time is indistinguishable from that of an empty body.
    #[serde(default)]
    pub at_floor: [bool; 2],
    /// Names of requested metrics that only one of the two sides has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Word>,
    /// Outcome for a gate: `passed`, `worse`, `undecided` or `unjudged`. `not-measured` if a metric is
    /// missing. `passed` for a control.
    #[serde(default)]
    pub outcome: CaseOutcome,
    /// Index of the change that makes the outcome `worse`, `undecided` or `unjudged`. Absent if the
    /// outcome is `passed`.
    #[serde(default)]
    pub decided_by: Option<u32>,
}

/// A case with the results of all sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedCase {
    /// The case as declared.
    pub case: Case,
    /// Times of every side, in the order of the sides. Absent for a side without times.
    pub times: Vec<Option<TimeSummary>>,
    /// The sides after the base that have the case.
    pub sides: Vec<ComparedSide>,
}

/// Geometric mean of a side's ratios, over all cases that it shares with the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeometricMean {
    /// Index into the sides.
    pub side: u32,
    /// Number of cases.
    pub cases: u32,
    /// Mean change with its interval.
    pub change: Estimate,
}

/// The result of the A/A control: how often it appeared to differ from the base, and by how much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Control {
    /// Number of comparisons of the base with itself.
    pub comparisons: u32,
    /// Number of comparisons whose interval excludes 0. These are false alarms.
    pub alarms: u32,
    /// Number of comparisons with the verdict `better` or `worse`.
    pub material: u32,
    /// Largest absolute change, as a share.
    pub floor: f64,
    /// Half-width of the widest interval, as a share.
    pub half_width: f64,
}

/// A comparison, with all data for reporters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Version of this format.
    pub format: u32,
    /// The sides. The first is the base.
    pub sides: Vec<Side>,
    /// Specifies whether the sides were measured together.
    pub pairing: Pairing,
    /// The stored run that the other sides are compared with. Absent if all sides are variants of one run.
    #[serde(default)]
    pub against: Option<Against>,
    /// Margin δ as a share. Changes within the margin do not matter.
    pub margin: f64,
    /// Margin of mean time, as a share.
    #[serde(default)]
    pub mean_margin: f64,
    /// Confidence level of the intervals, from 0 to 1.
    pub confidence: f64,
    /// Time between the starts of the oldest and the newest run, in ms.
    pub apart_ms: u64,
    /// Sides with the same code as the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<SameCode>,
    /// Unintended differences between the contexts of the sides.
    pub context: Vec<ContextDifference>,
    /// Change of the machine, according to the yardsticks, for every side that was measured at another
    /// time than the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<MachineChange>,
    /// Names of the requested metrics. Empty if every metric is compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Word>,
    /// The cases that at least two sides have, in the base's order.
    pub cases: Vec<ComparedCase>,
    /// Cases requested of at least two sides that at least one of them did not measure, in the order of
    /// the sides. A case that two other sides measured is also in `cases`.
    #[serde(default)]
    pub unmeasured: Vec<Unmeasured>,
    /// Names of cases that only one side has, each with the index of that side.
    pub alone: Vec<(u32, String)>,
    /// Geometric means of the changes, one per side after the base. Empty if there is only one case.
    pub geometric_means: Vec<GeometricMean>,
    /// Number of comparisons over which `q` and `holm` are adjusted.
    pub family: u32,
    /// Results of the control, with `--control`.
    pub control: Option<Control>,
    /// Failures on any side.
    pub failures: Vec<Failure>,
    /// Warnings. `Warning::case` indexes `cases`.
    pub warnings: Vec<Warning>,
    /// Limits of these measurements, in sentences.
    pub unknown: Vec<String>,
    /// Time limit that would probably decide unclear cases if the run were resumed with it. Absent if
    /// more time would decide none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<Settle>,
    /// The machines that measured, if there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<FleetMachine>,
}

/// A longer time limit for a run, and the number of unclear cases that it would probably decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settle {
    /// Id of the run to resume.
    pub run: RunId,
    /// Time limit for the resumed run, in ns.
    pub total_ns: u64,
    /// Number of unclear cases that this time would probably decide.
    pub cases: u32,
}

/// One of several machines that measured cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FleetMachine {
    /// Name of the host, or the name that the user gave the machine.
    pub name: String,
    /// Name of the processor.
    pub cpu: String,
    /// Number of cases that it measured, counted once per side.
    pub cases: u32,
    /// Number of pairs that it measured of these cases.
    pub pairs: u32,
    /// Scatter of its pairs relative to that of the other machines, as a factor.
    pub noise: Option<f64>,
    /// Deviation of its changes from those of the other machines, as a share. Absent if it has too few
    /// cases in common with others.
    pub shift: Option<f64>,
    /// Difference from the other machines, as a clause. Empty if there is none.
    pub odd: String,
}

impl Comparison {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// Returns the outcome of every side of every case: first the compared sides, then those that were
    /// not measured. Omits controls, which decide nothing.
    pub fn outcomes(&self) -> impl Iterator<Item = CaseOutcome> {
        let is_control = |side: &ComparedSide| self.sides[side.side as usize].control;
        let compared = self.cases.iter().flat_map(|case| &case.sides);
        let compared = compared.filter(move |side| !is_control(side)).map(|side| side.outcome);
        compared.chain(self.unmeasured.iter().map(|case| case.outcome))
    }

    /// Returns true if no requested case could be compared. Skipped cases do not count as requested.
    pub fn is_nothing(&self) -> bool {
        let skipped = |case: &Unmeasured| case.outcome == CaseOutcome::Skipped;
        if self.cases.is_empty() && self.alone.is_empty() && !self.unmeasured.is_empty() {
            return !self.unmeasured.iter().all(skipped);
        }
        self.cases.iter().flat_map(|case| &case.sides).all(|side| side.changes.is_empty())
    }
}

impl ComparedSide {
    /// Returns the change that decides the outcome of the case, or else the change that determines its
    /// verdict. Returns `None` if nothing could be compared.
    pub fn decisive(&self) -> Option<&Change> {
        self.decided_by.and_then(|at| self.changes.get(at as usize)).or_else(|| self.deciding())
    }

    /// Returns the change that determines the verdict on the case, or `None` if nothing could be compared.
    pub fn deciding(&self) -> Option<&Change> {
        self.changes.iter().find(|change| change.verdict == self.verdict).or(self.changes.first())
    }
}
