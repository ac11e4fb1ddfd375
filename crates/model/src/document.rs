//! The document: what analysis concludes and every reporter renders. Plain numbers, no formatting.

use crate::{
    Accounting, Case, Commit, Contention, Direction, Failure, Kind, Metric, Packed, Reason, RunHeader,
    StopReason, Verdict, Word, Yardstick,
};
use serde::{Deserialize, Serialize};

/// Closed interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// A point and its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The point.
    pub value: f64,
    /// The interval; none where the sample is too small for one. A side's own value has one from six processes on.
    pub interval: Option<Interval>,
}

/// What a warning blames. It decides where the warning shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WarningClass {
    /// What is measured: the figure may not be what its name says.
    #[default]
    Meaning,
    /// Some turns: without them the estimate may be another.
    Turns,
    /// How it was measured: too few processes, the machine, the order.
    Design,
}

/// Doubt about a result, with a stable code that `derny explain` knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Warning {
    /// `DY204`.
    pub code: String,
    /// Index into the document's cases, or none when it concerns the run.
    pub case: Option<u32>,
    /// One sentence with the figures.
    pub message: String,
    /// What to try.
    pub remedy: String,
    /// What it blames.
    #[serde(default)]
    pub class: WarningClass,
    /// What the turns that it blames do, as a clause: `without these turns its typical time is 3.1 % less`; empty where it blames none.
    #[serde(default)]
    pub effect: String,
    /// It can change a decision, and is told under the table. What cannot is in the details only.
    #[serde(default = "yes")]
    pub decides: bool,
    /// It marks the row of its case: it decides there, and most rows do not share it.
    #[serde(default = "yes")]
    pub marks: bool,
    /// How bad it is beside others of its code; no unit.
    #[serde(default)]
    pub severity: f64,
}

/// Earlier versions told every warning, and marked every row.
fn yes() -> bool {
    true
}

impl Warning {
    /// The message with what the blamed turns do.
    pub fn sentence(&self) -> String {
        let parts = [self.message.as_str(), &self.effect];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

/// Tukey's outlier counts over the turn values of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TukeyCounts {
    /// Beyond 3 interquartile ranges below.
    pub low_severe: u32,
    /// Beyond 1.5 below.
    pub low_mild: u32,
    /// Beyond 1.5 above.
    pub high_mild: u32,
    /// Beyond 3 above.
    pub high_severe: u32,
}

/// The cost of an empty body through the same loop, or between the same start and stop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Floor {
    /// Time per iteration of the empty body in ns, at least a clock cycle where a body that times itself counts calls.
    pub time_ns: f64,
    /// The case cannot be told from an empty body.
    pub indistinguishable: bool,
}

/// The first call in a fresh process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColdSummary {
    /// Median over processes of the first batch, ns per operation.
    pub time_ns: f64,
    /// Fastest and slowest process.
    pub range_ns: Interval,
    /// Processes.
    pub processes: u32,
}

/// What change points say about the processes of a case.
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

/// A number that a result came to, with all that a reporter needs to show it. Tables, details, CSV, pages and JSON take
/// figures from the same list.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figure {
    /// `time` (typical time), `mean`, `p95`, …, or the name of a metric.
    pub name: Word,
    /// In words: `95th percentile`. That of a metric is its name.
    pub label: Word,
    /// It is a metric that a harness reads, and not a statistic of time.
    pub metric: bool,
    /// `ns`, `share`, `op/s`, `bytes`, ….
    pub unit: Word,
    /// What the value is.
    pub kind: Kind,
    /// It is per operation.
    pub per_operation: bool,
    /// Which way it is better.
    pub better: Direction,
    /// The value.
    pub value: f64,
    /// Its confidence interval; none where the figure has none, or there are fewer than six processes.
    pub interval: Option<Interval>,
    /// The least and the greatest of the processes where there are two to five. Three hold the median in 75 %, four in 87 %, five in
    /// 94 %.
    #[serde(default)]
    pub range: Option<Interval>,
}

/// Time per operation: what more than a reporter needs. All in ns per operation unless named otherwise. The other
/// statistics of time are figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeSummary {
    /// Robust: Hodges–Lehmann over processes of the log process location, the median of fewer than six.
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
    /// Of a case that has a `runner`: no process was warm, and all times are those of first calls. There is no steady time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unwarmed: bool,
    /// Steady state.
    pub steady: SteadyState,
    /// Every complete process by itself, in the order of their numbers.
    #[serde(default)]
    pub processes: Packed<ProcessValue>,
    /// Where the batch values lie.
    #[serde(default)]
    pub histogram: Option<Histogram>,
}

/// The first call in a fresh process, as configured: what the program whose benchmark it is reports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstCall {
    /// Time in ns per operation.
    pub time_ns: f64,
    /// Time of the whole call in ns.
    pub call_ns: f64,
}

/// What one process came to.
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
    /// `flat`, `warm-up`, `slowdown`, `no steady state`; empty where it has too few turns to tell.
    pub class: Word,
    /// Time of its measured turns together, rejected ones included, in ns.
    #[serde(default)]
    pub measured_ns: f64,
    /// Its first call, of a case that has a `runner`.
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

/// Any other metric, per operation where it is a total over the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricSummary {
    /// What it is.
    pub metric: Metric,
    /// Hodges–Lehmann over processes, the median of fewer than six; for exact metrics the value itself.
    pub estimate: Estimate,
    /// The least and the greatest of the processes, of two to five.
    #[serde(default)]
    pub range: Option<Interval>,
    /// Standard deviation of the logarithms of the processes' values; none under two, or where one is not above 0.
    #[serde(default)]
    pub deviation: Option<f64>,
    /// The same on every turn of every process.
    pub constant: bool,
    /// Per operation (counters) or as reported (rates).
    pub per_operation: bool,
    /// Ordinary least squares of the turn's counter on its operations: slope per operation and R², with `--ladder`.
    /// What a turn costs by itself is in the intercept, not in the slope.
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
    /// Everything else that was declared or observed.
    pub metrics: Packed<MetricSummary>,
    /// All that reporters show as a number: statistics of time, then metrics.
    pub figures: Packed<Figure>,
    /// Texts that the benchmark told of itself, of its last visit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<(String, String)>,
}

impl Figure {
    /// The value with its interval.
    pub fn estimate(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval }
    }

    /// The value with its interval, or with the range of its few processes.
    pub fn reach(self) -> Estimate {
        Estimate { value: self.value, interval: self.interval.or(self.range) }
    }
}

impl VariantResult {
    /// The statistic of time called `name`.
    pub fn figure(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| !figure.metric && figure.name == name)
    }

    /// The figure of the metric called `name`.
    pub fn metric(&self, name: &str) -> Option<Figure> {
        self.figures.iter().find(|figure| figure.metric && figure.name == name)
    }
}

/// Where a case stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CaseState {
    /// Measured, and why it stopped.
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

/// Change of typical time against the last comparable run, which was not measured together with this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlainChange {
    /// The earlier run.
    pub run: String,
    /// New over old typical time, minus one.
    pub change: f64,
    /// What is left of it for the program, with its uncertainty.
    #[serde(default)]
    pub interval: Option<Interval>,
    /// The verdict that this leaves; documents of earlier versions have none.
    #[serde(default = "unclear")]
    pub verdict: Verdict,
    /// Why it is unclear.
    #[serde(default)]
    pub reason: Option<Reason>,
    /// What the machine itself may account for, as shares.
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
    /// What was declared.
    pub case: Case,
    /// Where it stands.
    pub state: CaseState,
    /// Results by variant, in the run's order.
    pub variants: Vec<VariantResult>,
    /// Change against the last comparable run, where there is one.
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

/// Cases of a suite that differ in one thing, by their typical times, the fastest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ranking {
    /// The suite.
    pub suite: String,
    /// What its cases have in common: parameters, and the benchmark under an empty key where they differ in a parameter.
    pub common: Vec<(String, String)>,
    /// Two cases or more.
    pub places: Vec<Place>,
}

/// A case of a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Index into the document's cases.
    pub case: u32,
    /// What tells it from the others: its benchmark, or the value of a parameter.
    pub name: String,
    /// Typical time in ns per operation.
    pub typical: f64,
    /// How many times as long as the first it takes. The interval is corrected for all pairs of the ranking; none where one of both times
    /// has none.
    pub times: Estimate,
    /// The interval excludes that it is as fast as the first.
    pub slower: bool,
}

/// All that a reporter needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Document {
    /// Version of this format.
    pub format: u32,
    /// Context.
    pub run: RunHeader,
    /// Results.
    pub suites: Vec<SuiteResult>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// Doubts. `Warning::case` counts cases across suites in order.
    pub warnings: Vec<Warning>,
    /// The run that changes are taken against.
    pub baseline: Option<(String, Option<Commit>)>,
    /// The yardsticks of the run: kernels of the engine's own that tell a change of the machine from one of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yardsticks: Vec<Yardstick>,
    /// What others took from the run while it measured; none where that was not observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Which cases are fastest, where only one variant was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rankings: Vec<Ranking>,
    /// The variants of the run against its first, or the run against the baseline asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Box<crate::Comparison>>,
    /// Where the run's time went, with `--stats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<Box<Accounting>>,
}

impl Document {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 2;

    /// The same results with what their sides came to against each other, if they were compared.
    pub fn compared(self, comparison: Option<crate::Comparison>) -> Document {
        Document { comparison: comparison.map(Box::new), ..self }
    }

    /// All cases in order.
    pub fn cases(&self) -> impl Iterator<Item = &CaseResult> {
        self.suites.iter().flat_map(|suite| suite.cases.iter())
    }
}
