//! A harness process: its start and its end.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The garbage collector of a process, as far as its harness reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Collector {
    /// There is no collector.
    None,
    /// The counter `gc` counts every collection.
    Counted,
    /// A collector may run, but the harness does not report collections.
    Untold,
}

/// A harness process that has answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessStart {
    /// Number of the process within the run, from 0.
    pub process: u32,
    /// Index into the run's variants.
    pub variant: u32,
    /// Number of the block. Processes that are alternated turn by turn share a block, which is a pair
    /// if there are two variants.
    pub block: u32,
    /// Words of the command line.
    pub command: Vec<String>,
    /// Process id of the measuring process.
    pub pid: u32,
    /// Language, such as `javascript`.
    pub language: String,
    /// Runtime and its version, such as `node/20.20.2`.
    pub runtime: String,
    /// Version of the harness.
    pub harness: String,
    /// Step of the harness's clock, in ns.
    pub clock_step_ns: u64,
    /// Time from the launch to the harness's first line, in ns.
    pub launch_ns: u64,
    /// Size of the random environment padding, in bytes.
    pub padding: u32,
    /// Number of its variant's build, from 0. With `Settings::builds` of 2 or more, builds are a level
    /// above blocks. All processes of a block have the same number, and the blocks of a case use the
    /// numbers in turn.
    #[serde(default)]
    pub build: u32,
    /// Hash of the native programs that the command names. Absent if it names only scripts. Variants
    /// with different hashes are different binaries with different layouts.
    #[serde(default)]
    pub binary: Option<String>,
    /// Settings of the runtime that may affect times, such as heap, collector and flags.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Garbage collector of the process. Records of earlier versions lack it, and the store infers it
    /// when it reads them.
    #[serde(default)]
    pub collector: Option<Collector>,
    /// Position in the launch order of its block, from 0. Records of earlier versions lack it, and
    /// their blocks were launched in the order of the variants.
    #[serde(default)]
    pub place: Option<u32>,
    /// Index into [`RunHeader::machines`] of the machine on which it ran, if the run has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<u32>,
    /// Number of the wave in which it was alternated with all other processes of its only case. Absent if it
    /// was alternated only within its block. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave: Option<u32>,
    /// Time since the start of the run, in ns.
    pub at_ns: u64,
}

/// The end of a process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessEnd {
    /// Number of the process within the run.
    pub process: u32,
    /// Exit status or signal, such as `exit 0` or `signal 9`.
    pub exit: String,
    /// User and system time in ns, including that of reaped children.
    pub cpu_ns: Option<u64>,
    /// Largest resident size, in bytes.
    pub peak_bytes: Option<u64>,
    /// Resident size at the start of the first measured turn and at the end of the last one, in bytes.
    pub resident_bytes: Option<(u64, u64)>,
    /// Number of bytes printed to standard output and standard error between the first and the last
    /// measured turn.
    #[serde(default)]
    pub printed_bytes: Option<u64>,
    /// Time in ns from closing its last case, or from the request to end, to the end of the process.
    /// Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending_ns: Option<u64>,
    /// Time since the start of the run, in ns.
    pub at_ns: u64,
}
