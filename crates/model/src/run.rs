//! A run: one invocation of the engine, and its context.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The short name of a run: four or more characters of `0-9a-z`. The letters `i l o u` are easily
/// confused, so they do not occur.
pub type RunId = String;

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// The run is in progress, or its engine died. The store distinguishes the two by the engine's
    /// process id.
    Running,
    /// Every case was measured.
    Complete,
    /// Every case was tried, and some failed.
    Failed,
    /// The run was interrupted, or it reached its total time limit. Earlier measurements are kept.
    Partial,
}

/// One of several ways to launch the same cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variant {
    /// Name of the variant, unique in the run. The only variant of a plain run has the name `base`.
    pub name: String,
    /// Words that replace `{runtime}` in the launch line, or the entire line if it does not contain
    /// `{runtime}`.
    pub command: Option<Vec<String>>,
    /// Additional arguments for the runtime, or for the program if there is no runtime.
    #[serde(default)]
    pub args: Vec<String>,
    /// Additional arguments for the build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_args: Vec<String>,
    /// Additional environment variables.
    pub env: Vec<(String, String)>,
    /// Git revision to build from.
    pub revision: Option<String>,
    /// Directory to launch in, if it differs from the project's root, such as the worktree of a
    /// revision.
    pub directory: Option<String>,
    /// Another benchmark of the case's suite, measured with the same parameters instead of the case's
    /// own.
    #[serde(default)]
    pub benchmark: Option<String>,
    /// True for a control, which is the first variant again. Its true change is zero.
    #[serde(default)]
    pub control: bool,
    /// Folders of the builds. `ProcessStart::build` is an index into this list. It has one entry if
    /// builds are not sampled, and none if no build has a separate folder.
    #[serde(default)]
    pub builds: Vec<String>,
    /// The stored run that this variant measures again, if it is a baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// Packages that its processes load, if they report them. The packages under benchmark come first,
    /// and the interpreter last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Package>,
}

/// A package whose code is measured, as a process reports it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Package {
    /// Name of the package.
    pub name: String,
    /// Version of the package. Empty if it has none.
    pub version: String,
    /// Folder or file from which it is loaded.
    pub from: String,
    /// Hash of its files. Empty if it was not computed.
    pub hash: String,
    /// Version and path of an installed copy that this package hides. Empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hides: String,
    /// True if the package is under benchmark: the project's own package or, if that is unknown, one
    /// that the benchmarks import directly.
    #[serde(default)]
    pub own: bool,
}

/// A stored run that a variant measures again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Again {
    /// Id of the stored run.
    pub run: RunId,
    /// Start of the stored run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Commit of the stored run's sources.
    pub commit: Option<Commit>,
    /// Origin of the code.
    pub from: AgainFrom,
}

/// The origin of a baseline's code that is measured again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AgainFrom {
    /// The programs that the stored run measured, which were kept or still exist.
    Program,
    /// The commit that the stored run measured, which was checked out and built again.
    Commit,
}

/// Key in [`Machine::facts`] of the cost of the first write to a page of memory, in ns.
pub const FIRST_TOUCH_NS: &str = "first-touch-ns";

/// Hardware and operating system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// Operating system: `linux`, `macos` or `windows`.
    pub os: String,
    /// Release of the kernel.
    pub kernel: String,
    /// Name of the processor.
    pub cpu: String,
    /// Number of online processors.
    pub cores: u32,
    /// Installed memory in bytes.
    pub memory_bytes: u64,
    /// Host name.
    pub host: String,
    /// Further properties (governor, turbo, SMT, virtualisation, ASLR, clock source), if observable.
    pub facts: BTreeMap<String, String>,
    /// Properties that cannot be observed on this platform, in words.
    pub unobserved: Vec<String>,
}

impl Machine {
    /// Returns the cost of the first write to a page of memory in ns. Returns `None` for a run that did
    /// not measure it.
    pub fn first_touch_ns(&self) -> Option<f64> {
        self.facts.get(FIRST_TOUCH_NS)?.parse().ok()
    }
}

/// The commit that was checked out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Commit {
    /// Full hash.
    pub hash: String,
    /// Name of the branch, if one is checked out.
    pub branch: Option<String>,
    /// True if there were uncommitted changes.
    pub dirty: bool,
}

/// The position of a run in a series made by `--repeat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// Id of the first run, which identifies the series.
    pub id: RunId,
    /// Number of the run in the series, from 0.
    pub number: u32,
    /// Requested number of runs. There are fewer if the user stopped the series.
    pub of: u32,
}

/// The origin of results that another tool measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// Name of the importer that read them, such as `benchfella` or `criterion-json`.
    pub format: String,
    /// Path of the file, as given.
    pub file: String,
    /// Name and version of the tool, if the file contains them.
    pub tool: String,
    /// Data that the file lacks, in words.
    pub unknown: Vec<String>,
    /// Hash that identifies the file and the options of the import. Records of earlier versions have
    /// none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

/// The build and launch commands of a suite, with all data to measure the same code again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Built {
    /// Index into the run's variants.
    pub variant: u32,
    /// Name of the suite.
    pub suite: String,
    /// Path of the benchmark file. Absent for a program that contains a complete suite.
    #[serde(default)]
    pub file: Option<String>,
    /// Build command as written. Empty if nothing is built.
    pub command: Vec<String>,
    /// Working directory of the processes, relative to the root of the variant's sources.
    pub directory: String,
    /// Launch line as written, with the variant's command and the suite's arguments.
    #[serde(default)]
    pub launch: Vec<String>,
    /// Arguments in the launch line that are for the suite's own program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suite_args: Vec<String>,
    /// Arguments added to the build command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_args: Vec<String>,
    /// Native programs that the launch line names by their paths.
    #[serde(default)]
    pub programs: Vec<Program>,
    /// True if the launch line also names other files of the project, such as scripts.
    #[serde(default)]
    pub needs_sources: bool,
}

/// A native program that a launch line names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Program {
    /// Index of the word in the launch line.
    pub word: u32,
    /// Absolute path of the file.
    pub path: String,
    /// Hash of the program's content.
    pub hash: String,
}

/// The header of a run: everything except its measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunHeader {
    /// Short name.
    pub id: RunId,
    /// Start of the run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// End of the run, milliseconds since the Unix epoch.
    pub ended_ms: Option<i64>,
    /// Status of the run.
    pub status: RunStatus,
    /// Process id of the engine that wrote the run.
    pub engine_pid: u32,
    /// Version of the engine.
    pub derny: String,
    /// Command line without the name of the program.
    pub args: Vec<String>,
    /// Seed for all random choices.
    pub seed: u64,
    /// The settings in force.
    pub settings: crate::Settings,
    /// Variants, in the order given.
    pub variants: Vec<Variant>,
    /// Hardware and system.
    pub machine: Machine,
    /// Commit of the sources, if the project is in a git repository.
    pub commit: Option<Commit>,
    /// Note that the user gave with `--note`.
    pub note: Option<String>,
    /// Build and launch commands of the suites.
    #[serde(default)]
    pub built: Vec<Built>,
    /// Runtimes of the processes, such as `javascript node/20.20.2`.
    pub runtimes: Vec<String>,
    /// Series of which the run is a member. Absent for a single run.
    #[serde(default)]
    pub series: Option<Series>,
    /// Origin of the results, if another tool measured them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// The shard that the run measured, for a measurement on several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Machines that measured, if parts of several machines were merged.
    /// [`ProcessStart::machine`](crate::ProcessStart::machine) is an index into this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<Machine>,
    /// The parts from which the run was merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Parts>,
    /// Time spent before the start of the run. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Preparation>,
}

/// The time spent before the start of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preparation {
    /// Build time, in ns.
    pub build_ns: u64,
    /// Time to find files and list their cases, in ns.
    pub listing_ns: u64,
}

/// The parts from which a run was merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// Value of [`FleetPlan::measures`](crate::FleetPlan::measures).
    pub measures: String,
    /// Number of waves whose parts the run contains.
    pub waves: u32,
    /// Number of parts.
    pub count: u32,
    /// Hash that identifies the parts.
    pub hash: String,
}

/// One of the shards of a plan for several machines, measured as a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// Value of [`FleetPlan::id`](crate::FleetPlan::id).
    pub plan: String,
    /// Value of [`FleetPlan::measures`](crate::FleetPlan::measures), which is the same in all waves.
    pub measures: String,
    /// Number of the wave, from 1.
    pub wave: u32,
    /// Number of the shard, from 1.
    pub shard: u32,
    /// Total number of shards.
    pub of: u32,
}

impl RunHeader {
    /// Returns the index of the run's main variant: the first that is neither a baseline measured again
    /// nor a control.
    pub fn own_variant(&self) -> u32 {
        let own = |variant: &Variant| variant.again.is_none() && !variant.control;
        self.variants.iter().position(own).unwrap_or(0) as u32
    }

    /// Returns the machine that measured everything, or `None` if parts of several machines were merged.
    pub fn only_machine(&self) -> Option<&Machine> {
        (self.machines.len() < 2).then_some(&self.machine)
    }

    /// Returns the baseline that the run measured again in addition to its own variants.
    pub fn again(&self) -> Option<&Again> {
        self.variants.first()?.again.as_ref()
    }
}
