//! The plan: what will be launched, in which order, at what expected cost. Printed by `list --plan`.

use serde::{Deserialize, Serialize};

/// How many cases a process measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A process measures one case.
    Case,
    /// A process takes many cases of its suite, in a fresh random order.
    Suite,
    /// As `suite`, and every case comes first in a process too. A case that is measured differently there gets processes of its own.
    Shared,
}

/// Processes, pairs or builds under which there is no interval: two that disagree say nothing of how far a third would. So
/// many are begun whatever `--budget` says.
pub const LEAST_REPLICATES: u32 = 3;

/// Measured rounds under which a visit is no process value, unless the plan has fewer.
pub const LEAST_ROUNDS: u32 = 3;

/// Every setting of a run that shapes the measurement, resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// Wall time per case in ns.
    pub budget_ns: u64,
    /// Bound for the whole run in ns.
    pub total_ns: Option<u64>,
    /// Stop when the interval's half width is this share of the estimate (0.01 is 1 %).
    pub precision: f64,
    /// Somebody asked for that precision. Of the default one a case is given what its cost is worth.
    #[serde(default)]
    pub precision_asked: bool,
    /// Confidence of intervals, 0 to 1.
    pub confidence: f64,
    /// Changes between variants that are smaller than this share are of no consequence (0.01 is 1 %).
    #[serde(default = "default_margin")]
    pub margin: f64,
    /// Changes of mean time that are smaller than this share are of no consequence; none is [`Settings::margin`] or 2 %,
    /// whichever is larger.
    #[serde(default)]
    pub mean_margin: Option<f64>,
    /// Mean time is decided in every case. Without it, typical time decides, and mean time only where something that was measured calls
    /// for it. Earlier versions always decided both.
    #[serde(default = "before")]
    pub mean: bool,
    /// The processes of a case are alive together, and compared as two samples. Earlier versions compared pairs.
    #[serde(default)]
    pub waves: bool,
    /// What the run's exit status is decided by; none where nothing is asked of it.
    #[serde(default)]
    pub gate: Option<GateTerms>,
    /// The most processes (blocks, for several variants) per case.
    pub processes: u32,
    /// Measured rounds per process; none lets the plan choose.
    pub rounds: Option<u32>,
    /// Time of one turn in ns (about 2 ms).
    pub turn_ns: u64,
    /// Aimed time of a batch in ns; none lets calibration choose from the clock's step.
    pub batch_ns: Option<u64>,
    /// Measured time per process in ns, in place of rounds.
    pub duration_ns: Option<u64>,
    /// Bound of the warm-up per visit in ns; none lets the plan choose, 0 means no warm-up.
    pub warmup_ns: Option<u64>,
    /// `auto`, `never`, `process` or `round`: when `collect` is asked for. `never` leaves heaps unsettled, too.
    pub gc: String,
    /// Causes whose turns are measured again: `gc`, `compile`, `classload`, `preempted`.
    pub reject: Vec<String>,
    /// Time-out of one answer in ns.
    pub timeout_ns: u64,
    /// Processors to visit; empty means that nothing is pinned.
    pub pin: Vec<u32>,
    /// One case per process, or many; none lets the plan choose.
    pub isolation: Option<Isolation>,
    /// Run A against A in the same blocks.
    pub control: bool,
    /// Go on to the precision even when every variant has a verdict; without variants even when the budget is spent.
    pub precise: bool,
    /// Run each case once and check it; no statistics.
    pub once: bool,
    /// The reduced plan.
    pub quick: bool,
    /// A growing series of iterations for regression.
    pub ladder: bool,
    /// Metrics to show; empty means all.
    pub metrics: Vec<String>,
    /// Command put in front of the launch line (a profiler).
    pub profiler: Vec<String>,
    /// Limit of a harness's memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes alive together.
    pub wave: u32,
    /// Builds of every variant, each with a layout of its own; below 2, layout is not sampled.
    #[serde(default)]
    pub builds: u32,
    /// Other ways of measuring to take too, by name; none means all that a harness has, in a short pass.
    #[serde(default)]
    pub modes: Option<Vec<String>>,
    /// All processes are visits in one that was there before (`derny attach`).
    #[serde(default)]
    pub attached: bool,
    /// `Hash {file} by {chunk}`: parameters that stand in benchmarks' names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name_template: Option<String>,
}

/// What a gate asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateTerms {
    /// Verdicts that fail it: `worse`, `unclear`.
    pub fail_on: Vec<String>,
    /// Metrics that it judges; empty means time alone.
    pub metrics: Vec<String>,
}

/// The least margin of mean time that holds by itself: totals are noisier than typical times.
const MEAN_MARGIN: f64 = 0.02;

/// What earlier versions did without saying so.
fn before() -> bool {
    true
}

fn default_margin() -> f64 {
    0.01
}

impl Default for Settings {
    /// The documented defaults, without what only the machine tells (processors, free memory).
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
    /// Changes of mean time that are smaller than this share are of no consequence.
    pub fn mean_margin(&self) -> f64 {
        Settings::mean_margin_of(self.mean_margin, self.margin)
    }

    /// The margin of mean time where it is given or not, beside this margin.
    pub fn mean_margin_of(given: Option<f64>, margin: f64) -> f64 {
        given.unwrap_or(margin.max(MEAN_MARGIN))
    }

    /// Whether a case of so many variants may go on when its budget is spent, until it is as precise as asked.
    pub fn is_unbounded(&self, variants: usize) -> bool {
        self.precise && variants < 2
    }

    /// Whether the number of rounds per process is the engine's to choose, by what it sees.
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
    /// Cases in the order in which they are opened.
    pub cases: Vec<u32>,
}

/// The order and the expected cost of the first stage; later stages depend on what is seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// The isolation chosen, and why, in words.
    pub isolation: Isolation,
    /// Reason for the isolation.
    pub reason: String,
    /// Launches of the first stage in order.
    pub launches: Vec<PlannedLaunch>,
    /// Processes (blocks) per case in the first stage.
    pub processes: u32,
    /// Measured rounds per process.
    pub rounds: u32,
    /// Expected wall time of the first stage in ns.
    pub expected_ns: u64,
    /// Bound on the whole run in ns; the largest number where there is none.
    pub bound_ns: u64,
    /// Numbers of processes at which a case may stop.
    pub looks: Vec<u32>,
}

impl Plan {
    /// That of a run that launches nothing.
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
