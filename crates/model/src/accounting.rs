//! How a run spent its wall time, and how much it did.

use serde::{Deserialize, Serialize};

/// How a run spent its wall time, and how much it did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accounting {
    /// Wall time of the run from its first build to its last event, or to its result if `analysis_ns` is
    /// present.
    pub wall_ns: u64,
    /// The parts of the wall time.
    pub parts: TimeParts,
    /// Amounts of work.
    pub counts: WorkCounts,
}

/// The parts of a run's wall time, which add up to it. Time in which several processes work counts once, for
/// the part that comes first here. The engine's time between two steps of the same part counts for that part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeParts {
    /// Batches of measured turns: the sum of their times.
    pub timed_ns: u64,
    /// Measured rounds without their batches: leads, untimed work of bodies, exchanges with harnesses, engine
    /// time.
    pub exchange_ns: u64,
    /// Turns of the empty body.
    pub empty_ns: u64,
    /// First calls, calibration and warm-up.
    pub warm_up_ns: u64,
    /// Forced collections and the settling of heaps.
    pub settling_ns: u64,
    /// Launches: from the start of a process to its first line, and until a case is open in it.
    pub launch_ns: u64,
    /// Ends: closing the last case of a process, and the end of the process. Runs of earlier versions lack
    /// it.
    pub end_ns: u64,
    /// Yardstick readings. Runs of earlier versions lack it.
    pub yardsticks_ns: u64,
    /// Builds. Runs of earlier versions lack it.
    pub build_ns: u64,
    /// Finding files and listing their cases. Runs of earlier versions lack it.
    pub listing_ns: u64,
    /// Storing and analysing the measurements; absent for a run loaded from the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis_ns: Option<u64>,
    /// The rest: time between the steps, waiting.
    pub other_ns: u64,
}

/// Amounts of work in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkCounts {
    /// Processes that answered.
    pub processes: u32,
    /// Waves: groups of processes that were alive together.
    pub waves: u32,
    /// Cases opened in a process.
    pub visits: u32,
    /// Measured rounds: one turn of each variant.
    pub rounds: u32,
    /// Measured turns, including rejected ones and those for mean time alone.
    pub measured_turns: u32,
    /// Turns of first calls, calibration and warm-up.
    pub warm_up_turns: u32,
    /// Replies of harnesses: turns of every kind, and cases opened and closed.
    pub exchanges: u32,
}

impl TimeParts {
    /// Returns the parts in display order, each with its name. The rest comes last.
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
