//! The comparison: what analysis concludes about two or more sides of the same cases and every reporter
//! renders. Plain numbers, no formatting. Changes are ratios minus 1: `new / base - 1`, so that −0.02 is 2 %
//! less.

use crate::{
    AgainFrom, Case, Commit, Contention, Direction, Estimate, Failure, Interval, RunId, TimeSummary, Warning,
    Word,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The outcome of one side of a case. Exit status, JUnit, annotations and comments agree because they all
/// read it here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CaseOutcome {
    /// No judged quantity is worse by more than the margin, and none may be.
    Passed,
    /// Certainly worse by more than the margin.
    Worse,
    /// Neither.
    #[default]
    Undecided,
    /// No judged quantity could have been called worse, whatever its value: too little was measured, or
    /// nothing is judged.
    Unjudged,
    /// Not measured because it failed.
    Failed,
    /// Not measured because the harness skipped it on every side.
    Skipped,
    /// Not measured for another reason, including a case that one side measured and another skipped.
    NotMeasured,
}

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
    /// The reason as half a sentence: `the time was over before it was measured`.
    pub because: String,
}

/// The conclusion about a change, from its interval and the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole interval is better than no change.
    Better,
    /// The whole interval is worse than no change.
    Worse,
    /// The whole interval lies within the margin.
    Same,
    /// Better, but by less than the margin.
    BetterWithinMargin,
    /// Worse, but by less than the margin.
    WorseWithinMargin,
    /// None of these: deciding needs more measurements.
    Unclear,
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
    /// The run does not say which machine measured it: it was imported from a file without that information.
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

/// The quantity compared: a metric, and its statistic if it has several. In JSON `metric` and `statistic`:
/// that of time is `typical` or `mean`, other metrics have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "Named", try_from = "Named")]
#[cfg_attr(feature = "schema", schemars(with = "Named"))]
pub enum Quantity {
    /// Robust time per operation.
    Typical,
    /// Wall time over operations, of all turns or of whole collection cycles: the total cost to a program.
    Mean,
    /// A metric by name.
    Metric(Word),
}

/// The JSON form of a quantity.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Named {
    metric: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    statistic: Option<String>,
}

impl Quantity {
    /// Returns the metric's name: `time` for both times.
    pub fn metric(&self) -> &str {
        match self {
            Quantity::Typical | Quantity::Mean => "time",
            Quantity::Metric(name) => name,
        }
    }

    /// Returns `typical` or `mean` for a time, `None` for other metrics.
    pub fn statistic(&self) -> Option<&'static str> {
        match self {
            Quantity::Typical => Some("typical"),
            Quantity::Mean => Some("mean"),
            Quantity::Metric(_) => None,
        }
    }
}

impl From<Quantity> for Named {
    fn from(quantity: Quantity) -> Named {
        Named { metric: quantity.metric().to_owned(), statistic: quantity.statistic().map(str::to_owned) }
    }
}

impl TryFrom<Named> for Quantity {
    type Error = String;

    fn try_from(named: Named) -> Result<Quantity, String> {
        match (named.metric.as_str(), named.statistic.as_deref()) {
            ("time", Some("typical")) => Ok(Quantity::Typical),
            ("time", Some("mean")) => Ok(Quantity::Mean),
            (_, None) => Ok(Quantity::Metric(named.metric.into())),
            (metric, Some(statistic)) => Err(format!("`{metric}` has no statistic `{statistic}`")),
        }
    }
}

/// The reason why a verdict is unclear. Readers accept codes that they do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The pairs differ too much among themselves, at the maximum number of pairs.
    Noise,
    /// The time was over before the decision.
    Budget,
    /// Too few pairs or processes for an interval.
    TooFewPairs,
    /// With this many comparisons, some look like this by chance.
    MultipleComparisons,
    /// Looks at different times contradict each other.
    ChangedOnTheWay,
    /// No pair has the quantity on both sides.
    NotMeasured,
    /// A harness skipped it.
    Skipped,
    /// Code was still being compiled.
    StillWarming,
    /// The time is indistinguishable from that of an empty body.
    AtFloor,
    /// The mean covers too few collection cycles.
    Collections,
    /// The machine may account for a change of this size.
    Machine,
    /// The sides were measured at different times.
    NotTogether,
    /// Neither direction of the quantity is better.
    NoDirection,
    /// The values have no ratio.
    NoRatio,
    /// The gate's decision ended the measurement.
    GateDecided,
    /// Nothing required mean time, so it was measured no further.
    NotAsked,
    /// The user interrupted the run.
    Interrupted,
    /// The A/A control showed a difference.
    ControlFailed,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

/// The change of one quantity of one side against the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The quantity.
    #[serde(flatten)]
    pub quantity: Quantity,
    /// Unit of the two values: `ns`, `bytes`, …
    pub unit: Word,
    /// The two values are per operation.
    #[serde(default)]
    pub per_operation: bool,
    /// The direction of improvement.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The side's value. In paired measurements it is the base's value changed by `change`, so that the three
    /// agree.
    pub new: f64,
    /// The side's value from its own processes only, where `new` differs in kind. It may differ from `new`,
    /// because it includes disturbances of these processes that did not affect the base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_alone: Option<f64>,
    /// `new / base - 1` with the repeated interval; absent if one side is 0 or nothing can be estimated. In
    /// paired measurements the point is the Hodges–Lehmann estimate of the pairs.
    pub change: Option<Estimate>,
    /// `new - base` with its interval, in the unit of the two values, if one of them is 0 and there is no
    /// ratio.
    #[serde(default)]
    pub difference: Option<Estimate>,
    /// Declared exact and the same on every turn of both sides: compared exactly, without an interval.
    pub exact: bool,
    /// Pairs (paired) or processes of the side with fewer (unpaired).
    pub replicates: u32,
    /// Two-sided nominal level of the interval.
    pub level: f64,
    /// Repeated p-value of no change, valid under the stopping rule; absent for exact quantities.
    pub p: Option<f64>,
    /// The p-value adjusted after Benjamini and Hochberg over the family.
    pub q: Option<f64>,
    /// The p-value adjusted after Holm over the family.
    pub holm: Option<f64>,
    /// The verdict from the interval and the margin; `better` and `worse` also need `q` below the
    /// comparison's level.
    pub verdict: Verdict,
    /// Why the verdict is unclear; absent for another verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Why a verdict is weaker than the interval alone suggests or impossible, or what it cannot exclude: a
    /// sentence, or empty.
    pub because: String,
    /// Total number of pairs (or processes) that would probably decide an unclear verdict.
    pub needed: Option<u32>,
    /// The change that the machine may account for, as shares, if the sides were measured at different times.
    /// The interval of `change` is what remains for the program, so it need not contain the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Interval>,
    /// Number of machines that measured it, if several: the interval is over them, not over their pairs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub machines: u32,
    /// Too little was measured to call it worse, whatever its value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
    /// Shown without a verdict: mean time that nothing required.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_shown: bool,
    /// The change of every pair, in the order of blocks; empty if unpaired, exact, or judged by the
    /// difference.
    #[serde(default)]
    pub pairs: Arc<[f64]>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The composition of a side's mean time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observed {
    /// Wall time of the turns included, in ns.
    pub wall_ns: f64,
    /// Collections during them.
    pub collections: f64,
    /// Pauses: turns that took more than twice as long per operation as similar ones.
    pub pauses: u32,
    /// Excess time of the pauses, in ns.
    pub paused_ns: f64,
    /// Turns excluded because the thread was preempted or code was compiled.
    pub left_out: u32,
    /// Greatest age of its processes, in ns: later parts of a program's life were not measured.
    pub age_ns: u64,
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
    /// What failed, on any side.
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

impl Change {
    /// Sets the verdict to unclear, for this reason.
    pub fn unclear(&mut self, reason: Reason) {
        (self.verdict, self.reason) = (Verdict::Unclear, Some(reason));
    }

    /// Returns true if the change is certainly worse by more than `margin`: the whole interval, or the exact
    /// value, lies beyond it, and the error over the family is at most `alpha`. A gate fails on this.
    pub fn worse_beyond(&self, margin: f64, alpha: f64) -> bool {
        let (change, margin) = match (self.change, self.difference) {
            (Some(share), _) => (share, margin),
            (None, Some(difference)) => (difference, margin * self.base.abs()),
            (None, None) => return false,
        };
        let ends = change.interval.unwrap_or(Interval { lo: change.value, hi: change.value });
        let known = self.exact || change.interval.is_some();
        known
            && self.verdict == Verdict::Worse
            && self.holm.is_none_or(|holm| holm <= alpha)
            && match self.direction {
                Direction::More => ends.hi < -margin,
                _ => ends.lo > margin,
            }
    }
}

impl Reason {
    /// Returns the word used in JSON and CSV: `too-few-pairs`.
    pub fn token(self) -> &'static str {
        match self {
            Reason::Noise => "noise",
            Reason::Budget => "budget",
            Reason::TooFewPairs => "too-few-pairs",
            Reason::MultipleComparisons => "multiple-comparisons",
            Reason::ChangedOnTheWay => "changed-on-the-way",
            Reason::NotMeasured => "not-measured",
            Reason::Skipped => "skipped",
            Reason::StillWarming => "still-warming",
            Reason::AtFloor => "at-floor",
            Reason::Collections => "collections",
            Reason::Machine => "machine",
            Reason::NotTogether => "not-together",
            Reason::NoDirection => "no-direction",
            Reason::NoRatio => "no-ratio",
            Reason::GateDecided => "gate-decided",
            Reason::NotAsked => "not-asked",
            Reason::Interrupted => "interrupted",
            Reason::ControlFailed => "control-failed",
            Reason::Unknown => "unknown",
        }
    }
}

impl Verdict {
    /// Returns the word used in JSON and CSV: `better`, `worse-within-margin`, ….
    pub fn token(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Same => "same",
            Verdict::BetterWithinMargin => "better-within-margin",
            Verdict::WorseWithinMargin => "worse-within-margin",
            Verdict::Unclear => "unclear",
        }
    }

    /// Returns the verdict on a change with this interval (shares, less is better) and margin. An interval
    /// that ends exactly at 0 or at the margin does not exclude it.
    pub fn of(interval: Interval, margin: f64) -> Verdict {
        let inside = interval.lo > -margin && interval.hi < margin;
        match (interval.hi < 0.0, interval.lo > 0.0) {
            (true, _) if inside => Verdict::BetterWithinMargin,
            (_, true) if inside => Verdict::WorseWithinMargin,
            (true, _) => Verdict::Better,
            (_, true) => Verdict::Worse,
            _ if inside => Verdict::Same,
            _ => Verdict::Unclear,
        }
    }

    /// Returns the verdict with the direction reversed, for quantities where more is better.
    pub fn turned(self) -> Verdict {
        match self {
            Verdict::Better => Verdict::Worse,
            Verdict::Worse => Verdict::Better,
            Verdict::BetterWithinMargin => Verdict::WorseWithinMargin,
            Verdict::WorseWithinMargin => Verdict::BetterWithinMargin,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Estimate;

    #[test]
    fn a_quantity_names_its_metric_and_statistic() {
        for (quantity, text) in [
            (Quantity::Typical, r#"{"metric":"time","statistic":"typical"}"#),
            (Quantity::Mean, r#"{"metric":"time","statistic":"mean"}"#),
            (Quantity::Metric("time".into()), r#"{"metric":"time"}"#),
        ] {
            assert_eq!(serde_json::to_string(&quantity).unwrap(), text);
            assert_eq!(serde_json::from_str::<Quantity>(text).unwrap(), quantity);
        }
        assert!(serde_json::from_str::<Quantity>(r#"{"metric":"heap","statistic":"mean"}"#).is_err());
    }

    #[test]
    fn codes_of_later_versions_are_accepted() {
        for reason in [Reason::NotTogether, Reason::TooFewPairs, Reason::GateDecided] {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.token());
        }
        assert_eq!(serde_json::from_str::<Reason>(r#""phase-of-the-moon""#).unwrap(), Reason::Unknown);
    }

    #[test]
    fn beyond_the_margin_is_the_whole_interval() {
        let worse = |direction, lo: f64, hi: f64| {
            let estimate = Estimate { value: (lo + hi) / 2.0, interval: Some(Interval { lo, hi }) };
            let change = Change {
                quantity: Quantity::Typical,
                unit: "ns".into(),
                per_operation: true,
                direction,
                base: 1.0,
                new: 1.0 + estimate.value,
                new_alone: None,
                change: Some(estimate),
                difference: None,
                exact: false,
                replicates: 8,
                level: 0.95,
                p: None,
                q: None,
                holm: None,
                verdict: Verdict::Worse,
                reason: None,
                because: String::new(),
                needed: None,
                only_shown: false,
                machine: None,
                machines: 0,
                unjudged: false,
                pairs: Arc::default(),
            };
            change.worse_beyond(0.01, 0.05)
        };
        assert!(worse(Direction::Less, 0.011, 0.05));
        assert!(!worse(Direction::Less, 0.005, 0.05));
        assert!(worse(Direction::More, -0.05, -0.011));
        assert!(!worse(Direction::More, 0.011, 0.05));
    }

    #[test]
    fn the_verdict_is_read_from_the_interval() {
        let of = |lo: f64, hi: f64| Verdict::of(Interval { lo, hi }, 0.01);
        assert_eq!(of(-0.05, -0.002), Verdict::Better);
        assert_eq!(of(0.002, 0.05), Verdict::Worse);
        assert_eq!(of(-0.009, 0.009), Verdict::Same);
        assert_eq!(of(-0.009, -0.001), Verdict::BetterWithinMargin);
        assert_eq!(of(0.001, 0.009), Verdict::WorseWithinMargin);
        assert_eq!(of(-0.002, 0.02), Verdict::Unclear);
        assert_eq!(of(0.0, 0.02), Verdict::Unclear);
        assert_eq!(of(-0.01, 0.005), Verdict::Unclear);
        assert_eq!(of(0.002, 0.05).turned(), Verdict::Better);
    }
}
