//! The comparison: what analysis concludes about two or more sides of the same cases and every reporter renders. Plain
//! numbers, no formatting. Changes are ratios less one: `new / base - 1`, so that −0.02 is 2 % less.

use crate::{
    AgainFrom, Case, Commit, Contention, Direction, Estimate, Failure, Interval, RunId, TimeSummary, Warning,
    Word,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What becomes of one side of a case. Exit status, JUnit, annotations and comments say it alike, because they read it here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CaseOutcome {
    /// Nothing that is judged is worse by more than the margin, or may be.
    Passed,
    /// Worse by more than the margin, for certain.
    Worse,
    /// Neither.
    #[default]
    Undecided,
    /// Nothing of it that is judged could have been called worse, whatever it is: too little was measured, or nothing is judged.
    Unjudged,
    /// Not measured: it failed before.
    Failed,
    /// Not measured: the harness skipped it on every side.
    Skipped,
    /// Not measured for any other reason. A case that one side measured and another skipped is of this kind.
    NotMeasured,
}

/// A case that at least two sides were asked for, and that some of them did not measure: no process of it is complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unmeasured {
    /// What was declared.
    pub case: Case,
    /// Indices of the sides that did not measure it.
    pub sides: Vec<u32>,
    /// `failed`, `skipped` or `not-measured`.
    pub outcome: CaseOutcome,
    /// Why: `budget`, `interrupted`, `skipped`, or `not-measured` where nothing else is known.
    pub reason: Reason,
    /// The same as half a sentence: `the time was over before it was measured`.
    pub because: String,
}

/// What can be said of a change, read from its interval and the margin.
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
    /// None of these: more would have to be measured.
    Unclear,
}

/// How the sides were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// In the same blocks of one run, alternated turn by turn: drift and load cancel.
    Paired,
    /// In two runs: whatever changed between them is in the difference.
    Unpaired,
}

/// The baseline of a comparison, and whether it was measured again for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Against {
    /// The stored run.
    pub run: RunId,
    /// Start of the stored run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Its sources.
    pub commit: Option<Commit>,
    /// What was measured again, in pairs with the other sides; none where the stored times are compared.
    pub again: Option<AgainFrom>,
    /// Why it was not measured again, where that was wanted: one sentence.
    #[serde(default)]
    pub why_stored: Option<String>,
}

/// A side that is the same code as the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SameCode {
    /// Index of the side.
    pub side: u32,
    /// How, as a clause that follows both names.
    pub how: String,
}

/// One of the things compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// As shown: the variant's, the baseline's or the run's name, unique in the comparison.
    pub name: String,
    /// The run.
    pub run: RunId,
    /// The variant in that run.
    pub variant: String,
    /// Start of the run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Sources.
    pub commit: Option<Commit>,
    /// Runtimes, as in the run's header.
    pub runtimes: Vec<String>,
    /// The base measured against itself (`--control`): its verdicts count as false alarms, not as findings.
    pub control: bool,
    /// The run does not say which machine it was measured on: it was imported from a file without that.
    #[serde(default)]
    pub unnamed_machine: bool,
    /// The benchmark that it measures, where that may be another than the one that cases are named after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmark: Option<String>,
}

/// How a yardstick, a kernel of the engine's own, differs between the base's run and a side's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YardstickChange {
    /// Its name: `integer`, `branches`, `cache`, `memory` or `system-call`.
    pub name: String,
    /// New over base time per step, less 1.
    pub change: f64,
    /// Standard error of that.
    pub error: f64,
    /// It exceeds three of its errors, and 1 %: the machine is not what it was.
    pub moved: bool,
}

/// What the yardsticks of two runs show of their machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineChange {
    /// Index of the side whose run is held against the base's.
    pub side: u32,
    /// The yardsticks that both runs have.
    pub yardsticks: Vec<YardstickChange>,
    /// What others took from the base's run and from the side's; none where that was not observed.
    #[serde(default)]
    pub contention: [Option<Contention>; 2],
    /// The change of typical time that all cases share, as a share of the base; none where they share none.
    pub common_shift: Option<f64>,
}

/// Something that differs between the contexts of two sides and may by itself move times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContextDifference {
    /// Index of the side that differs from the base.
    pub side: u32,
    /// What: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment NODE_OPTIONS`, …; `machine` or `cpu` mean
    /// another machine.
    pub what: String,
    /// The base's value; empty where it has none.
    pub base: String,
    /// The side's value.
    pub new: String,
}

/// What was compared: a metric, and a statistic of it where it has several. In JSON `metric` and `statistic`: that of time is `typical` or
/// `mean`, other metrics have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "Named", try_from = "Named")]
#[cfg_attr(feature = "schema", schemars(with = "Named"))]
pub enum Quantity {
    /// Robust time per operation.
    Typical,
    /// Wall time over operations, of all turns or of whole cycles of the collector: what a program pays in total.
    Mean,
    /// A metric by name.
    Metric(Word),
}

/// A quantity as JSON has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Named {
    metric: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    statistic: Option<String>,
}

impl Quantity {
    /// The metric's name: `time` for both times.
    pub fn metric(&self) -> &str {
        match self {
            Quantity::Typical | Quantity::Mean => "time",
            Quantity::Metric(name) => name,
        }
    }

    /// `typical` or `mean`, of time.
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

/// Why a verdict is unclear. Readers accept codes that they do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// As many pairs as were allowed differ too much among themselves.
    Noise,
    /// The time was over before it was decided.
    Budget,
    /// So few pairs or processes have no interval.
    TooFewPairs,
    /// Of so many comparisons some look like this by chance.
    MultipleComparisons,
    /// Looks at different times contradict each other.
    ChangedOnTheWay,
    /// No pair has it on both sides.
    NotMeasured,
    /// A harness skipped it.
    Skipped,
    /// Code was still being compiled.
    StillWarming,
    /// It cannot be told from an empty body.
    AtFloor,
    /// The mean holds too few cycles of the collector.
    Collections,
    /// The machine itself may have changed by as much.
    Machine,
    /// The sides were measured at different times.
    NotTogether,
    /// More of it is neither better nor worse.
    NoDirection,
    /// There is no ratio of these values.
    NoRatio,
    /// The gate had decided, and measuring ended.
    GateDecided,
    /// Nothing called for mean time, so that no more was measured for it.
    NotAsked,
    /// Somebody interrupted the run.
    Interrupted,
    /// The A/A control was called different.
    ControlFailed,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

/// One quantity of one side against the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// What.
    #[serde(flatten)]
    pub quantity: Quantity,
    /// Unit of the two values: `ns`, `bytes`, …
    pub unit: Word,
    /// The two values are per operation.
    #[serde(default)]
    pub per_operation: bool,
    /// Which way is better.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The side's value. Of paired measurements it is the base's value changed by `change`, so that the three agree.
    pub new: f64,
    /// The side's value by its own processes, where `new` is not that value. It may differ from `new`, because it also holds what
    /// disturbed these processes and not the base's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_alone: Option<f64>,
    /// `new / base - 1` with the repeated interval; none where one side is 0 or nothing can be estimated. The point of
    /// paired measurements is the Hodges–Lehmann estimate of the pairs.
    pub change: Option<Estimate>,
    /// `new - base` with its interval, in the unit of the two values, where one of them is 0 and so there is no ratio.
    #[serde(default)]
    pub difference: Option<Estimate>,
    /// The same on every turn of both sides and declared so: compared exactly, without an interval.
    pub exact: bool,
    /// Pairs (paired) or processes of the side with fewer (unpaired).
    pub replicates: u32,
    /// Two-sided nominal level at which the interval was made.
    pub level: f64,
    /// Repeated p-value of no change: honest under the stopping rule; none for exact quantities.
    pub p: Option<f64>,
    /// After Benjamini and Hochberg over the family.
    pub q: Option<f64>,
    /// After Holm over the family.
    pub holm: Option<f64>,
    /// From the interval and the margin; `better` and `worse` need `q` below the comparison's level too.
    pub verdict: Verdict,
    /// Why it is unclear; none for another verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Why a verdict is less than the interval alone would say, or cannot be given, or what it cannot exclude: a sentence; else
    /// empty.
    pub because: String,
    /// Pairs (or processes) in all that would probably decide it, where it is unclear.
    pub needed: Option<u32>,
    /// What the machine itself may account for, as shares, where the sides were measured at different times. The interval of
    /// `change` is what is left for the program, so that it need not hold the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Interval>,
    /// Machines that measured it, where several did: the interval is over them, not over their pairs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub machines: u32,
    /// So little was measured that it could not have been called worse, however much worse it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unjudged: bool,
    /// It is shown with what there is, and no verdict rests on it: mean time that nothing called for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_shown: bool,
    /// The change of every pair, in the order of blocks; empty for unpaired and exact ones, and where the difference is
    /// judged.
    #[serde(default)]
    pub pairs: Arc<[f64]>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What the mean time of a side is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observed {
    /// Wall time of the turns that count, in ns.
    pub wall_ns: f64,
    /// Collections counted in them.
    pub collections: f64,
    /// Pauses: turns that took more than twice as long an operation as those like them.
    pub pauses: u32,
    /// What the pauses took beyond that, in ns.
    pub paused_ns: f64,
    /// Turns that were left out because the thread was preempted or code was compiled.
    pub left_out: u32,
    /// How old the oldest of its processes became, in ns: what comes later in a program's life was not looked at.
    pub age_ns: u64,
}

/// One side of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedSide {
    /// Index into the comparison's sides; never 0.
    pub side: u32,
    /// The verdict on the case: that on typical time, or the worse of the two where mean time says otherwise.
    pub verdict: Verdict,
    /// Why it is unclear; none for another verdict.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// Typical and mean time say different things.
    pub split: bool,
    /// Typical time first where the case was timed, mean second, then every other metric both sides have.
    pub changes: Vec<Change>,
    /// What mean time is made of, for the base and for this side; none where nothing was timed or sides are not paired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<[Observed; 2]>,
    /// Whether the base, and this side, cannot be told from an empty body.
    #[serde(default)]
    pub at_floor: [bool; 2],
    /// Metrics that were asked for by name and that only one of the two sides has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Word>,
    /// What a gate makes of it: `passed`, `worse`, `undecided`, `unjudged`, or `not-measured` where it lacks a metric. That of a
    /// control is `passed`.
    #[serde(default)]
    pub outcome: CaseOutcome,
    /// Index of the change that makes it `worse`, `undecided` or `unjudged`; none where it passed.
    #[serde(default)]
    pub decided_by: Option<u32>,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedCase {
    /// What was declared.
    pub case: Case,
    /// Times of every side, in the order of sides; none where it has none.
    pub times: Vec<Option<TimeSummary>>,
    /// The sides after the base that have the case.
    pub sides: Vec<ComparedSide>,
}

/// The geometric mean of the ratios of a side over all cases that both have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeometricMean {
    /// Index into the sides.
    pub side: u32,
    /// Cases.
    pub cases: u32,
    /// Change with its interval.
    pub change: Estimate,
}

/// How often the control was called different, and how far off it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Control {
    /// Comparisons of the base with itself.
    pub comparisons: u32,
    /// Those called faster or slower, by whatever amount: false alarms.
    pub alarms: u32,
    /// Those called faster or slower by more than the margin allows.
    pub material: u32,
    /// Largest absolute change seen, as a share.
    pub floor: f64,
    /// Half of the width of the widest interval, as a share.
    pub half_width: f64,
}

/// All that a reporter of comparisons needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// Version of this format.
    pub format: u32,
    /// What is compared; the first is the base.
    pub sides: Vec<Side>,
    /// How.
    pub pairing: Pairing,
    /// The stored run that the others are compared with; none where all sides are variants of one run.
    #[serde(default)]
    pub against: Option<Against>,
    /// The margin δ as a share: changes within it are of no consequence.
    pub margin: f64,
    /// The margin of mean time.
    #[serde(default)]
    pub mean_margin: f64,
    /// Confidence of intervals, 0 to 1.
    pub confidence: f64,
    /// Wall-clock time between the starts of the oldest and the newest run, in ms.
    pub apart_ms: u64,
    /// Sides that are the same code as the base, and how: `are the same shop 1.0, byte for byte`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<SameCode>,
    /// What differs beside what is compared.
    pub context: Vec<ContextDifference>,
    /// What yardsticks show of the machine, for every side that was measured at another time than the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<MachineChange>,
    /// The cases that at least two sides have, in the base's order.
    pub cases: Vec<ComparedCase>,
    /// Cases that at least two sides were asked for and that some did not measure, in the order of the sides. One that two other
    /// sides did measure is in `cases` too.
    #[serde(default)]
    pub unmeasured: Vec<Unmeasured>,
    /// Names of cases that only one side has, with that side's index.
    pub alone: Vec<(u32, String)>,
    /// A row per side after the base where there are several cases.
    pub geometric_means: Vec<GeometricMean>,
    /// Comparisons that `q` and Holm's values were taken over.
    pub family: u32,
    /// The control's record, with `--control`.
    pub control: Option<Control>,
    /// What failed, on any side.
    pub failures: Vec<Failure>,
    /// Doubts. `Warning::case` indexes `cases`.
    pub warnings: Vec<Warning>,
    /// What cannot be known from what was measured, in whole sentences.
    pub unknown: Vec<String>,
    /// The machines that measured, where there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<FleetMachine>,
}

/// One of several machines that measured cases, and what it has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FleetMachine {
    /// Its host's name, or what it was called.
    pub name: String,
    /// Its processor.
    pub cpu: String,
    /// Cases that it measured, by side.
    pub cases: u32,
    /// Pairs of them.
    pub pairs: u32,
    /// By how much its pairs scatter more than those of the others, as a factor.
    pub noise: Option<f64>,
    /// By how much its changes are off those of the others, as a share; none where it shares too few cases with others.
    pub shift: Option<f64>,
    /// In what it is not like the others, as half a sentence; empty where it is.
    pub odd: String,
}

impl Comparison {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// What becomes of every side of every case: those that were compared, then those that were not measured. Controls decide
    /// nothing and are left out.
    pub fn outcomes(&self) -> impl Iterator<Item = CaseOutcome> {
        let is_control = |side: &ComparedSide| self.sides[side.side as usize].control;
        let compared = self.cases.iter().flat_map(|case| &case.sides);
        let compared = compared.filter(move |side| !is_control(side)).map(|side| side.outcome);
        compared.chain(self.unmeasured.iter().map(|case| case.outcome))
    }

    /// Whether nothing at all could be compared of what was asked for. What harnesses skipped was not asked for.
    pub fn is_nothing(&self) -> bool {
        let skipped = |case: &Unmeasured| case.outcome == CaseOutcome::Skipped;
        if self.cases.is_empty() && self.alone.is_empty() && !self.unmeasured.is_empty() {
            return !self.unmeasured.iter().all(skipped);
        }
        self.cases.iter().flat_map(|case| &case.sides).all(|side| side.changes.is_empty())
    }
}

impl ComparedSide {
    /// The change that decides what becomes of the case, else the one that its verdict rests on; none where nothing could be
    /// compared.
    pub fn decisive(&self) -> Option<&Change> {
        self.decided_by.and_then(|at| self.changes.get(at as usize)).or_else(|| self.deciding())
    }

    /// The change that the verdict on the case rests on; none where nothing could be compared.
    pub fn deciding(&self) -> Option<&Change> {
        self.changes.iter().find(|change| change.verdict == self.verdict).or(self.changes.first())
    }
}

impl Change {
    /// Makes it unclear for this reason.
    pub fn unclear(&mut self, reason: Reason) {
        (self.verdict, self.reason) = (Verdict::Unclear, Some(reason));
    }

    /// Worse for certain, and by more than `margin`: the whole interval, or the exact value, lies beyond it, and over the family
    /// the error of saying so is at most `alpha`. What a gate fails by.
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
    /// As in JSON and CSV: `too-few-pairs`.
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
    /// As one word, as in JSON and CSV: `better`, `worse-within-margin`, ….
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

    /// The verdict on a change whose interval is `interval` (shares, less is better), with margin `margin`. An interval
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

    /// The same where more is better.
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
