//! The document: what analysis concludes and every reporter renders. Plain numbers, no formatting.

use crate::{
    Accounting, Case, Commit, Contention, Direction, Failure, Kind, Metric, Packed, Reason, RunHeader,
    StopReason, Verdict, Word, Yardstick,
};
use serde::{Deserialize, Serialize};

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// A point estimate and its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The interval; absent if the sample is too small. A single variant's value has one from six processes
    /// on.
    pub interval: Option<Interval>,
}

/// The cause of a warning, which decides where it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WarningClass {
    /// The meaning of the figure: it may not be what its name says.
    #[default]
    Meaning,
    /// Some turns: without them the estimate might differ.
    Turns,
    /// The design of the measurement: too few processes, the machine, the order.
    Design,
}

/// A reason to doubt a result, with a stable code that `derny explain` describes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warning {
    /// `DY204`.
    pub code: String,
    /// Index into the document's cases; absent if it concerns the run.
    pub case: Option<u32>,
    /// One sentence with the figures.
    pub message: String,
    /// What to try.
    pub remedy: String,
    /// The cause.
    #[serde(default)]
    pub class: WarningClass,
    /// The effect of the blamed turns, as a clause: `without these turns its typical time is 3.1 % less`;
    /// empty if it blames none.
    #[serde(default)]
    pub effect: String,
    /// It can change a decision and is shown under the table. Other warnings appear only in the details.
    #[serde(default = "yes")]
    pub decides: bool,
    /// It marks the row of its case: it decides there, and most rows do not share it.
    #[serde(default = "yes")]
    pub marks: bool,
    /// Severity relative to others of its code; no unit.
    #[serde(default)]
    pub severity: f64,
}

/// Earlier versions showed every warning and marked every row.
fn yes() -> bool {
    true
}

impl Warning {
    /// Returns the message with the effect of the blamed turns.
    pub fn sentence(&self) -> String {
        let parts = [self.message.as_str(), &self.effect];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

/// Tukey's outlier counts over the turn values of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TukeyCounts {
    /// More than 3 interquartile ranges below.
    pub low_severe: u32,
    /// More than 1.5 below.
    pub low_mild: u32,
    /// More than 1.5 above.
    pub high_mild: u32,
    /// More than 3 above.
    pub high_severe: u32,
}

/// The cost of an empty body through the same loop, or between the same start and stop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Floor {
    /// Time per iteration of the empty body in ns, at least a clock cycle if a body that times itself counts
    /// calls.
    pub time_ns: f64,
    /// The case is indistinguishable from an empty body.
    pub indistinguishable: bool,
}

/// The first call in a fresh process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColdSummary {
    /// Median over processes of the first batch, ns per operation.
    pub time_ns: f64,
    /// Range from the fastest to the slowest process.
    pub range_ns: Interval,
    /// Number of processes.
    pub processes: u32,
}

/// Steady states of the processes of a case, by change points.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SteadyState {
    /// Processes without a change.
    pub flat: u32,
    /// Processes that became faster and stayed so.
    pub warm_up: u32,
    /// Processes that became slower and stayed so.
    pub slowdown: u32,
    /// Processes that never settled.
    pub unsteady: u32,
    /// One word for the case: `flat`, `warm-up`, `slowdown`, `no steady state`, `inconsistent`.
    pub class: String,
}

/// A figure: a number of a result with everything that a reporter needs to show it. Tables, details, CSV,
/// pages and JSON use the same list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figure {
    /// `time` (typical time), `mean`, `p95`, …, or the name of a metric.
    pub name: Word,
    /// The name in words: `95th percentile`. That of a metric is its name.
    pub label: Word,
    /// The figure is a metric that a harness reads, not a statistic of time.
    pub metric: bool,
    /// `ns`, `share`, `op/s`, `bytes`, ….
    pub unit: Word,
    /// How the values of the quantity combine.
    pub kind: Kind,
    /// The value is per operation.
    pub per_operation: bool,
    /// The direction of improvement.
    pub better: Direction,
    /// The value.
    pub value: f64,
    /// Its confidence interval; absent if the figure has none or there are fewer than six processes.
    pub interval: Option<Interval>,
    /// The smallest and the largest process value, for two to five processes. With three it contains the
    /// median with a probability of 75 %, with four 87 %, with five 94 %.
    #[serde(default)]
    pub range: Option<Interval>,
}

/// Time per operation, with more than reporters need. In ns per operation unless stated otherwise. The other
/// statistics of time are figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeSummary {
    /// Robust: the Hodges–Lehmann estimate over processes of the log process location, or the median with
    /// fewer than six.
    pub typical: Estimate,
    /// All time over all operations of the measured turns, collections included.
    pub mean: Estimate,
    /// Median of all batch values.
    pub median: f64,
    /// Empty body.
    pub floor: Option<Floor>,
    /// Outliers among turn values.
    pub outliers: TukeyCounts,
    /// First calls.
    pub cold: Option<ColdSummary>,
    /// For a case with a `runner`: no process was warm, so all times are those of first calls and there is no
    /// steady time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwarmed: bool,
    /// Steady state.
    pub steady: SteadyState,
    /// Every complete process, in the order of their numbers.
    #[serde(default)]
    pub processes: Packed<ProcessValue>,
    /// The distribution of the batch values.
    #[serde(default)]
    pub histogram: Option<Histogram>,
}

/// The first call in a fresh process, as configured, which the case's own program reports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstCall {
    /// Time in ns per operation.
    pub time_ns: f64,
    /// Time of the whole call in ns.
    pub call_ns: f64,
}

/// The result of one process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessValue {
    /// Number within the run.
    pub process: u32,
    /// Typical time of its measured turns in ns per operation.
    pub time_ns: f64,
    /// Measured turns.
    pub turns: u32,
    /// Standard deviation of its turns, as a share.
    pub within: f64,
    /// `flat`, `warm-up`, `slowdown`, `no steady state`; empty if it has too few turns.
    pub class: Word,
    /// Total time of its measured turns, rejected ones included, in ns.
    #[serde(default)]
    pub measured_ns: f64,
    /// Its first call, for a case with a `runner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstCall>,
}

/// Counts of batch values in bins of equal width.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Lower end of the first bin in ns per operation: the smallest value.
    pub lo: f64,
    /// Upper end of the last bin.
    pub hi: f64,
    /// Values per bin.
    pub counts: Packed<u64>,
    /// Values above `hi`.
    pub above: u64,
}

/// Any other metric, per operation if it is a total over the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricSummary {
    /// The metric.
    pub metric: Metric,
    /// The Hodges–Lehmann estimate over processes, or the median with fewer than six; for exact metrics the
    /// value itself.
    pub estimate: Estimate,
    /// The smallest and the largest process value, for two to five processes.
    #[serde(default)]
    pub range: Option<Interval>,
    /// Standard deviation of the logarithms of the process values; absent for fewer than two, or if one is
    /// not positive.
    #[serde(default)]
    pub deviation: Option<f64>,
    /// The value was the same on every turn of every process.
    pub constant: bool,
    /// Per operation (counters) or as reported (rates).
    pub per_operation: bool,
    /// Ordinary least squares of the turn's counter on its operations with `--ladder`: slope per operation
    /// and R². The fixed cost of a turn is in the intercept, not in the slope.
    #[serde(default)]
    pub ladder: Option<(f64, f64)>,
}

/// The result of one variant of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VariantResult {
    /// The variant's name.
    pub variant: String,
    /// Complete processes.
    pub processes: u32,
    /// Measured turns.
    pub turns: u32,
    /// Measured batches.
    pub batches: u64,
    /// Turns rejected, by cause.
    pub rejected: Vec<(String, u32)>,
    /// Times, if the body was timed.
    pub time: Option<TimeSummary>,
    /// All other declared or observed metrics.
    pub metrics: Packed<MetricSummary>,
    /// All figures that reporters show: statistics of time, then metrics.
    pub figures: Packed<Figure>,
    /// Texts that the benchmark reported in its last visit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<(String, String)>,
}

impl Figure {
    /// Returns the value with its interval.
    pub fn estimate(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval }
    }

    /// Returns the value with its interval, or with the range of its few processes.
    pub fn reach(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval.or(self.range) }
    }
}

impl VariantResult {
    /// Returns the statistic of time called `name`.
    pub fn figure(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| !figure.metric && figure.name == name)
    }

    /// Returns the figure of the metric called `name`.
    pub fn metric(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| figure.metric && figure.name == name)
    }
}

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
    /// What its cases have in common: parameters, and the benchmark under an empty key if they differ in a
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
    /// What distinguishes it: its benchmark, or the value of a parameter.
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
    /// What failed.
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
    pub comparison: Option<Box<crate::Comparison>>,
    /// Where the run's time went, with `--stats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Box<Accounting>>,
}

impl Document {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// Returns the same results with the comparison of their sides, if any.
    pub fn compared(self, comparison: Option<crate::Comparison>) -> Document {
        Document { comparison: comparison.map(Box::new), ..self }
    }

    /// Returns all cases in order.
    pub fn cases(&self) -> impl Iterator<Item = &CaseResult> {
        self.suites.iter().flat_map(|suite| suite.cases.iter())
    }
}
