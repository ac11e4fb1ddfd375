//! The witness: tests that find programs that cheat the measurement.

use serde::{Deserialize, Serialize};

/// The engine's observations of a turn from outside the harness. Recorded with the setting `witness`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outside {
    /// Time from the request to its answer in ns, including the turn's lead.
    pub wall_ns: u64,
    /// Requested duration of the turn's lead, in ns.
    pub lead_ns: u64,
    /// CPU time of the measuring thread in ns, including the turn's lead. Absent if it was not observed.
    #[serde(default)]
    pub cpu_ns: Option<u64>,
    /// Time in ns in which the measuring thread waited for a processor. Absent if it was not observed.
    #[serde(default)]
    pub wait_ns: Option<u64>,
}

/// A test of the witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WitnessTest {
    /// The times that the harness claims fit the engine's clock and the thread's CPU time.
    Clock,
    /// The time per operation is the same for any number of iterations.
    Count,
    /// Every call does the work, instead of only some of them.
    Calls,
}

/// A failed test of the witness. Times are in ns per operation, unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suspicion {
    /// The failed test.
    pub test: WitnessTest,
    /// Time that the program claims. `count`: with the usual number of iterations. `calls`: in the quick
    /// calls.
    pub claimed: f64,
    /// Time that the engine observed. `clock`: without the untimed work of the base. `count`: with fewer
    /// iterations. `calls`: in the slow calls.
    pub observed: f64,
    /// Number of turns that failed the test. For `calls`, number of calls.
    pub turns: u32,
    /// The observation with its figures, as a clause whose subject is the case.
    pub message: String,
}

/// A test of the witness that was not possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Untested {
    /// The test.
    pub test: WitnessTest,
    /// Reason, as a clause.
    pub because: String,
}
