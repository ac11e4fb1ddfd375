//! A process of a harness: its start and its end.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Garbage collection during a process's turns, and whether its harness reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Collector {
    /// No collector runs.
    None,
    /// The counter `gc` contains every collection.
    Counted,
    /// A collector may run, unreported.
    Untold,
}

/// A harness process that has answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessStart {
    /// Number within the run, from 0.
    pub process: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Processes that are alternated turn by turn share a block (a pair, for two variants).
    pub block: u32,
    /// Words of the command.
    pub command: Vec<String>,
    /// Operating-system id of the measuring process.
    pub pid: u32,
    /// `javascript`.
    pub language: String,
    /// `node/20.20.2`.
    pub runtime: String,
    /// Version of the harness.
    pub harness: String,
    /// Step of the harness's clock in ns.
    pub clock_step_ns: u64,
    /// Time from the launch to the harness's first line.
    pub launch_ns: u64,
    /// Bytes of random environment padding.
    pub padding: u32,
    /// Number of its variant's build, from 0. With `Settings::builds` of 2 or more, the build is the level
    /// above the block: all processes of a block have the same number, and a case's blocks take the numbers
    /// in turn.
    #[serde(default)]
    pub build: u32,
    /// Hash of the native programs that the command names; absent if it names only scripts. Variants with
    /// different hashes are different binaries with different layouts.
    #[serde(default)]
    pub binary: Option<String>,
    /// Settings of the runtime that may affect times: heap, collector, flags.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Garbage collection during its turns. Records of earlier versions lack it; the store decides it on
    /// reading.
    #[serde(default)]
    pub collector: Option<Collector>,
    /// Its position in the launch order of its block, from 0. Records of earlier versions lack it: their
    /// blocks were launched in the order of the variants.
    #[serde(default)]
    pub place: Option<u32>,
    /// Index into [`RunHeader::machines`] of the machine it ran on, if the run has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<u32>,
    /// The wave in which it was alternated with all other processes of its only case; absent if it was
    /// alternated only within its block. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u32>,
    /// Time since the run's start.
    pub at_ns: u64,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessEnd {
    /// Number within the run.
    pub process: u32,
    /// `exit 0`, `signal 9`, …
    pub exit: String,
    /// User plus system time of the process and of the children that it waited for.
    pub cpu_ns: Option<u64>,
    /// Largest resident set in bytes.
    pub peak_bytes: Option<u64>,
    /// Resident set at the start of the first measured turn and at the end of the last one, in bytes.
    pub resident_bytes: Option<(u64, u64)>,
    /// Bytes printed to standard output and error between its first and its last measured turn.
    #[serde(default)]
    pub printed_bytes: Option<u64>,
    /// Time from the close of its last case, or the request to end, to its end. Records of earlier versions
    /// lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending_ns: Option<u64>,
    /// Time since the run's start.
    pub at_ns: u64,
}
