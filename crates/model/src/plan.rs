//! The plan: the processes to launch, their order, and the expected cost. `run --dry-run` prints it.

use serde::{Deserialize, Serialize};

/// The assignment of cases to processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A process measures one case.
    Case,
    /// A process measures many cases of its suite, in a fresh random order.
    Suite,
    /// Like `suite`, but every case also comes first in some process. A case whose result differs there
    /// gets its own processes.
    Shared,
}

/// Minimum number of processes, pairs or builds for an interval. Two that disagree do not show how far a
/// third may deviate. At least this many are started, whatever `--budget` is.
pub const LEAST_REPLICATES: u32 = 3;

/// Minimum number of measured rounds for a visit to be a process value, unless the plan has fewer.
pub const LEAST_ROUNDS: u32 = 3;

/// All settings of a run that affect the measurement, resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// Wall time per case, in ns.
    pub budget_ns: u64,
    /// Time limit of the entire run, in ns.
    pub total_ns: Option<u64>,
    /// Half-width of the interval as a share of the estimate (0.01 is 1 %). The measurement stops when
    /// it is reached.
    pub precision: f64,
    /// True if the user requested the precision. Otherwise, the engine also weighs the cost of more
    /// precision.
    #[serde(default)]
    pub precision_asked: bool,
    /// Confidence level of intervals, from 0 to 1.
    pub confidence: f64,
    /// Margin of changes between variants, as a share (0.01 is 1 %). Smaller changes do not matter.
    #[serde(default = "default_margin")]
    pub margin: f64,
    /// Margin of changes of mean time. By default [`Settings::margin`] or 2 %, whichever is larger.
    #[serde(default)]
    pub mean_margin: Option<f64>,
    /// True to require a verdict on mean time in every case. Otherwise typical time decides, and mean time
    /// only if a measurement requires it. Earlier versions always decided both.
    #[serde(default = "before")]
    pub mean: bool,
    /// True if the processes of a case are alive together and compared as two samples. Earlier versions
    /// compared pairs.
    #[serde(default)]
    pub waves: bool,
    /// Gate that decides the exit status of the run. Absent without a gate.
    #[serde(default)]
    pub gate: Option<GateTerms>,
    /// Maximum number of processes (blocks, for several variants) per case.
    pub processes: u32,
    /// Number of measured rounds per process. By default, the plan chooses it.
    pub rounds: Option<u32>,
    /// Time of one turn in ns (about 2 ms).
    pub turn_ns: u64,
    /// Target time of a batch, in ns. By default, calibration derives it from the step of the clock.
    pub batch_ns: Option<u64>,
    /// Measured time per process in ns, instead of a number of rounds.
    pub duration_ns: Option<u64>,
    /// Time limit of the warm-up per visit, in ns. 0 means no warm-up. By default, the plan chooses it.
    pub warmup_ns: Option<u64>,
    /// Rule for forced collections: `auto`, `never`, `process` or `round`. With `never`, heaps are not
    /// settled either.
    pub gc: String,
    /// Events that cause a turn to be measured again: `gc`, `compile`, `classload`, `preempted`.
    pub reject: Vec<String>,
    /// Time limit for each answer of a harness, in ns.
    pub timeout_ns: u64,
    /// Time limit of each build command, in ns.
    #[serde(default = "default_build_timeout_ns")]
    pub build_timeout_ns: u64,
    /// Processors to use in turn. If empty, threads are not pinned.
    pub pin: Vec<u32>,
    /// Assignment of cases to processes. By default, the plan chooses it.
    pub isolation: Option<Isolation>,
    /// True to compare the first variant with itself in the same blocks.
    pub control: bool,
    /// True to continue until the precision is reached, even after every variant has a verdict or,
    /// without variants, after the budget is used up.
    pub precise: bool,
    /// True to run and check each case once, without statistics.
    pub once: bool,
    /// True to use a shorter plan (`--quick`).
    pub quick: bool,
    /// True to increase the number of iterations from turn to turn, for a regression.
    pub ladder: bool,
    /// Metrics to display. If empty, all metrics are displayed.
    pub metrics: Vec<String>,
    /// Command to put before the launch line, such as a profiler.
    pub profiler: Vec<String>,
    /// Memory limit of a harness, in bytes.
    pub memory_bytes: Option<u64>,
    /// Maximum number of processes alive together.
    pub wave: u32,
    /// Number of builds of every variant, each with another layout. Below 2, layout is not sampled.
    #[serde(default)]
    pub builds: u32,
    /// Names of other modes to measure in. By default, each other mode of a harness is measured
    /// briefly.
    #[serde(default)]
    pub modes: Option<Vec<String>>,
    /// True if all processes are visits of one process that was already running (`derny dev attach`).
    #[serde(default)]
    pub attached: bool,
    /// Template that extracts parameters from the names of benchmarks, such as `Hash {file} by {chunk}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_template: Option<String>,
    /// True to test if programs cheat the measurement. The number of iterations then varies more from turn
    /// to turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub witness: bool,
}

/// The terms of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateTerms {
    /// Verdicts that fail the gate: `worse`, `unclear`.
    pub fail_on: Vec<String>,
    /// Metrics that the gate judges. If empty, only time is judged.
    pub metrics: Vec<String>,
}

/// Minimum default margin of mean time, as a share. Mean times are noisier than typical times.
const MEAN_MARGIN: f64 = 0.02;

/// Returns the value of [`Settings::mean`] for records of earlier versions.
fn before() -> bool {
    true
}

fn default_margin() -> f64 {
    0.01
}

fn default_build_timeout_ns() -> u64 {
    3_600_000_000_000
}

impl Default for Settings {
    /// Returns the documented defaults. Settings that depend on the machine (processors, free memory)
    /// are not set.
    fn default() -> Settings {
        Settings {
            budget_ns: 10_000_000_000,
            total_ns: None,
            precision: 0.01,
            precision_asked: false,
            confidence: 0.95,
            margin: default_margin(),
            mean_margin: None,
            mean: false,
            waves: true,
            gate: None,
            processes: 40,
            rounds: None,
            turn_ns: 2_000_000,
            batch_ns: None,
            duration_ns: None,
            warmup_ns: None,
            gc: "auto".to_string(),
            reject: Vec::new(),
            timeout_ns: 60_000_000_000,
            build_timeout_ns: default_build_timeout_ns(),
            pin: Vec::new(),
            isolation: None,
            control: false,
            precise: false,
            once: false,
            quick: false,
            ladder: false,
            metrics: Vec::new(),
            profiler: Vec::new(),
            memory_bytes: None,
            wave: 8,
            builds: 0,
            modes: None,
            attached: false,
            name_template: None,
            witness: false,
        }
    }
}

impl Settings {
    /// Returns the share below which changes of mean time do not matter.
    pub fn mean_margin(&self) -> f64 {
        Settings::mean_margin_of(self.mean_margin, self.margin)
    }

    /// Returns the margin of mean time: `given`, or else a value derived from `margin`.
    pub fn mean_margin_of(given: Option<f64>, margin: f64) -> f64 {
        given.unwrap_or(margin.max(MEAN_MARGIN))
    }

    /// Returns true if a case with this many variants may continue beyond its budget until it is
    /// precise enough.
    pub fn is_unbounded(&self, variants: usize) -> bool {
        self.precise && variants < 2
    }

    /// Returns true if the engine chooses the number of rounds per process from the measurements.
    pub fn chooses_rounds(&self) -> bool {
        self.rounds.is_none() && self.duration_ns.is_none() && !self.quick && !self.ladder
    }
}

/// A planned process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedLaunch {
    /// Number of its block. The processes of a block are alternated turn by turn.
    pub block: u32,
    /// Index into the variants.
    pub variant: u32,
    /// Indices of the cases to open, in order.
    pub cases: Vec<u32>,
}

/// The order and the expected cost of the first stage. Later stages depend on the measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Assignment of cases to processes.
    pub isolation: Isolation,
    /// Reason for this isolation, in words.
    pub reason: String,
    /// Processes of the first stage, in launch order.
    pub launches: Vec<PlannedLaunch>,
    /// Number of processes (blocks) per case in the first stage.
    pub processes: u32,
    /// Number of measured rounds per process.
    pub rounds: u32,
    /// Expected wall time of the first stage, in ns.
    pub expected_ns: u64,
    /// Budget of the entire run, in ns: the sum of the cases' budgets, at most `--total`. `u64::MAX` if the
    /// run continues until it is precise and has no `--total`.
    pub bound_ns: u64,
    /// Numbers of processes after which a case may stop.
    pub looks: Vec<u32>,
}

impl Plan {
    /// Returns the plan of a run that launches nothing.
    pub fn of_nothing() -> Plan {
        Plan {
            isolation: Isolation::Case,
            reason: String::new(),
            launches: Vec::new(),
            processes: 0,
            rounds: 0,
            expected_ns: 0,
            bound_ns: 0,
            looks: Vec::new(),
        }
    }
}
