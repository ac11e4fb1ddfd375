//! Where the wall time of a run went, and how much was done in it.

use serde::{Deserialize, Serialize};

/// Where the wall time of a run went, and how much was done in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accounting {
    /// Wall time of the run, from its first build to its last event, and to its result where `analysis_ns` is there.
    pub wall_ns: u64,
    /// The parts of the wall time.
    pub parts: TimeParts,
    /// How much was done.
    pub counts: WorkCounts,
}

/// The parts of a run's wall time. They add up to it: time in which several processes do something counts once, and for the part
/// that comes first here. What the engine does between two steps of the same part counts for that part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeParts {
    /// Batches of measured turns: their own times.
    pub timed_ns: u64,
    /// Measured rounds without these: leads, untimed work of bodies, exchanges with harnesses, the engine's own work.
    pub exchange_ns: u64,
    /// Turns of the empty body.
    pub empty_ns: u64,
    /// First calls, calibration and warm-up.
    pub warm_up_ns: u64,
    /// Collections that were forced, and heaps that were settled.
    pub settling_ns: u64,
    /// Launches: until a process has said its first line, and until a case was opened in it.
    pub launch_ns: u64,
    /// Ends: the last case of a process is closed, and the process ends. Runs of earlier versions did not record it.
    pub end_ns: u64,
    /// Readings of the yardsticks. Runs of earlier versions did not record it.
    pub yardsticks_ns: u64,
    /// Builds. Runs of earlier versions did not record it.
    pub build_ns: u64,
    /// Finding files and asking programs for their cases. Runs of earlier versions did not record it.
    pub listing_ns: u64,
    /// Storing and analysing what was measured; none for a run that was stored before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis_ns: Option<u64>,
    /// All else: between the steps, waiting.
    pub other_ns: u64,
}

/// How much was done in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkCounts {
    /// Processes that answered.
    pub processes: u32,
    /// Waves: processes that were alive together.
    pub waves: u32,
    /// Cases opened in a process.
    pub visits: u32,
    /// Measured rounds: a turn of each side.
    pub rounds: u32,
    /// Measured turns, rejected ones and those for mean time alone included.
    pub measured_turns: u32,
    /// Turns of first calls, calibration and warm-up.
    pub warm_up_turns: u32,
    /// Questions that harnesses have answered: turns of every kind, and cases that were opened and closed.
    pub exchanges: u32,
}

impl TimeParts {
    /// The parts in the order in which they are shown, each with its name. The rest is the last.
    pub fn named(&self) -> [(&'static str, u64); 12] {
        [
            ("build", self.build_ns),
            ("listing", self.listing_ns),
            ("launches", self.launch_ns),
            ("settling", self.settling_ns),
            ("warm-up", self.warm_up_ns),
            ("timed turns", self.timed_ns),
            ("lead, exchange", self.exchange_ns),
            ("empty body", self.empty_ns),
            ("ends", self.end_ns),
            ("yardsticks", self.yardsticks_ns),
            ("analysis", self.analysis_ns.unwrap_or(0)),
            ("other", self.other_ns),
        ]
    }
}
