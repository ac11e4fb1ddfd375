//! The plan: what will be launched, in which order, at what expected cost. Printed by `run --dry-run`.

use serde::{Deserialize, Serialize};

/// How many cases a process measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A process measures one case.
    Case,
    /// A process measures many cases of its suite, in a fresh random order.
    Suite,
    /// As `suite`, but every case also comes first in some process. A case whose result differs there gets
    /// processes of its own.
    Shared,
}

/// Fewest processes, pairs or builds with an interval: two that disagree do not show how far a third would.
/// This many are started whatever `--budget` says.
pub const LEAST_REPLICATES: u32 = 3;

/// Fewest measured rounds for a visit to be a process value, unless the plan has fewer.
pub const LEAST_ROUNDS: u32 = 3;

/// Every setting of a run that shapes the measurement, resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// Wall time per case in ns.
    pub budget_ns: u64,
    /// Time limit of the whole run in ns.
    pub total_ns: Option<u64>,
    /// Stop when the interval's half-width is this share of the estimate (0.01 is 1 %).
    pub precision: f64,
    /// The user requested that precision. By default a case gets the precision that its cost is worth.
    #[serde(default)]
    pub precision_asked: bool,
    /// Confidence of intervals, 0 to 1.
    pub confidence: f64,
    /// Changes between variants smaller than this share do not matter (0.01 is 1 %).
    #[serde(default = "default_margin")]
    pub margin: f64,
    /// Changes of mean time smaller than this share do not matter. By default [`Settings::margin`] or 2 %,
    /// whichever is larger.
    #[serde(default)]
    pub mean_margin: Option<f64>,
    /// Mean time is decided in every case. Without it, typical time decides, and mean time only if a
    /// measurement requires it. Earlier versions always decided both.
    #[serde(default = "before")]
    pub mean: bool,
    /// The processes of a case are alive together and compared as two samples. Earlier versions compared
    /// pairs.
    #[serde(default)]
    pub waves: bool,
    /// The gate that decides the run's exit status; absent if there is none.
    #[serde(default)]
    pub gate: Option<GateTerms>,
    /// Maximum number of processes (blocks, for several variants) per case.
    pub processes: u32,
    /// Measured rounds per process; the plan chooses by default.
    pub rounds: Option<u32>,
    /// Time of one turn in ns (about 2 ms).
    pub turn_ns: u64,
    /// Target time of a batch in ns; calibration chooses by the clock's step by default.
    pub batch_ns: Option<u64>,
    /// Measured time per process in ns, instead of rounds.
    pub duration_ns: Option<u64>,
    /// Limit of the warm-up per visit in ns; the plan chooses by default, 0 means no warm-up.
    pub warmup_ns: Option<u64>,
    /// `auto`, `never`, `process` or `round`: when to force a collection. `never` also leaves heaps
    /// unsettled.
    pub gc: String,
    /// Causes whose turns are measured again: `gc`, `compile`, `classload`, `preempted`.
    pub reject: Vec<String>,
    /// Time limit of one answer in ns.
    pub timeout_ns: u64,
    /// Processors to use in turn; empty means no pinning.
    pub pin: Vec<u32>,
    /// One case per process, or many; the plan chooses by default.
    pub isolation: Option<Isolation>,
    /// Run A against A in the same blocks.
    pub control: bool,
    /// Continue to the precision even after every variant has a verdict; without variants even after the
    /// budget is spent.
    pub precise: bool,
    /// Run each case once and check it; no statistics.
    pub once: bool,
    /// The reduced plan.
    pub quick: bool,
    /// Use a growing series of iterations, for regression.
    pub ladder: bool,
    /// Metrics to show; empty means all.
    pub metrics: Vec<String>,
    /// Command to prefix to the launch line (a profiler).
    pub profiler: Vec<String>,
    /// Limit of a harness's memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Maximum number of processes alive together.
    pub wave: u32,
    /// Number of builds of every variant, each with its own layout; below 2, layout is not sampled.
    #[serde(default)]
    pub builds: u32,
    /// Additional modes of measuring, by name; by default all that a harness has, in a short pass.
    #[serde(default)]
    pub modes: Option<Vec<String>>,
    /// All processes are visits in one process that existed before (`derny attach`).
    #[serde(default)]
    pub attached: bool,
    /// `Hash {file} by {chunk}`: parameters contained in benchmarks' names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_template: Option<String>,
}

/// The terms of a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateTerms {
    /// Verdicts that fail it: `worse`, `unclear`.
    pub fail_on: Vec<String>,
    /// Metrics that it judges; empty means only time.
    pub metrics: Vec<String>,
}

/// The default minimum margin of mean time: totals are noisier than typical times.
const MEAN_MARGIN: f64 = 0.02;

/// The implicit behaviour of earlier versions.
fn before() -> bool {
    true
}

fn default_margin() -> f64 {
    0.01
}

impl Default for Settings {
    /// Returns the documented defaults, without those that depend on the machine (processors, free memory).
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
        }
    }
}

impl Settings {
    /// Returns the share below which changes of mean time do not matter.
    pub fn mean_margin(&self) -> f64 {
        Settings::mean_margin_of(self.mean_margin, self.margin)
    }

    /// Returns the margin of mean time, given or derived from this margin.
    pub fn mean_margin_of(given: Option<f64>, margin: f64) -> f64 {
        given.unwrap_or(margin.max(MEAN_MARGIN))
    }

    /// Returns true if a case with this many variants may continue after its budget is spent, until it is
    /// precise enough.
    pub fn is_unbounded(&self, variants: usize) -> bool {
        self.precise && variants < 2
    }

    /// Returns true if the engine chooses the number of rounds per process from its measurements.
    pub fn chooses_rounds(&self) -> bool {
        self.rounds.is_none() && self.duration_ns.is_none() && !self.quick && !self.ladder
    }
}

/// One planned process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedLaunch {
    /// Its block: launches of one block are alternated turn by turn.
    pub block: u32,
    /// Index into the variants.
    pub variant: u32,
    /// Cases in the order of opening.
    pub cases: Vec<u32>,
}

/// The order and the expected cost of the first stage; later stages depend on the measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The chosen isolation.
    pub isolation: Isolation,
    /// The reason for the isolation, in words.
    pub reason: String,
    /// Launches of the first stage in order.
    pub launches: Vec<PlannedLaunch>,
    /// Processes (blocks) per case in the first stage.
    pub processes: u32,
    /// Measured rounds per process.
    pub rounds: u32,
    /// Expected wall time of the first stage in ns.
    pub expected_ns: u64,
    /// Limit of the whole run in ns; the largest number if there is none.
    pub bound_ns: u64,
    /// Numbers of processes at which a case may stop.
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
