use serde::{Deserialize, Serialize};

/// The wall time of a run by activity, and the amount of work that it did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Accounting {
    /// Wall time of the run, from its first build to its last event, or to its result if `analysis_ns`
    /// is present.
    pub wall_ns: u64,
    /// The parts of the wall time.
    pub parts: TimeParts,
    /// Amount of work done.
    pub counts: WorkCounts,
}

/// The parts of a run's wall time, which add up to it. If several processes work at the same time, that
/// time counts once, for the part that comes first in this list. The engine's own time between two
/// steps of the same part counts for that part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeParts {
    /// Total time of the batches of measured turns, in ns.
    pub timed_ns: u64,
    /// Time of measured rounds outside their batches, in ns: leads, untimed work of bodies, exchanges with
    /// harnesses, engine time.
    pub exchange_ns: u64,
    /// Time of turns of the empty body, in ns.
    pub empty_ns: u64,
    /// Time of first calls, calibration and warm-up, in ns.
    pub warm_up_ns: u64,
    /// Time of forced collections and of settling heaps, in ns.
    pub settling_ns: u64,
    /// Time of launches in ns, each from the start of a process until a case is open in it.
    pub launch_ns: u64,
    /// Time to close the last case of a process and to end the process, in ns. Runs of earlier versions lack
    /// it.
    pub end_ns: u64,
    /// Time of reading yardsticks, in ns. Runs of earlier versions lack it.
    pub yardsticks_ns: u64,
    /// Time of builds, in ns. 0 for runs of earlier versions, which did not record it.
    pub build_ns: u64,
    /// Time to find files and to list their cases, in ns. 0 for runs of earlier versions, which did not
    /// record it.
    pub listing_ns: u64,
    /// Time to store and analyse the measurements, in ns. Absent for a run loaded from the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis_ns: Option<u64>,
    /// Time between the steps, including waiting, in ns.
    pub other_ns: u64,
}

/// The amount of work in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkCounts {
    /// Number of processes that answered.
    pub processes: u32,
    /// Number of waves, which are groups of processes alive together.
    pub waves: u32,
    /// Number of times that a case was opened in a process.
    pub visits: u32,
    /// Number of measured rounds. Each is one turn of every variant.
    pub rounds: u32,
    /// Number of measured turns, including rejected turns and those measured only for mean time.
    pub measured_turns: u32,
    /// Number of turns for first calls, calibration and warm-up.
    pub warm_up_turns: u32,
    /// Number of harness replies: to turns of every kind, and to opening and closing cases.
    pub exchanges: u32,
}

impl TimeParts {
    /// Returns the parts with their names in display order. `other_ns` comes last.
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
