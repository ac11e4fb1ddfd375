//! A run: one invocation of the engine, and the context it happened in.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A run's short name, four or more characters of `0-9a-z` without the easily confused `i l o u`.
pub type RunId = String;

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// In progress, or its engine died; the store distinguishes the two by the engine's process id.
    Running,
    /// Every case was measured.
    Complete,
    /// Every case was tried, and some failed.
    Failed,
    /// Interrupted or out of total time; measurements up to then are kept.
    Partial,
}

/// One of several ways to launch the same cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variant {
    /// Its name, unique in the run; the only variant of a plain run is called `base`.
    pub name: String,
    /// Words that replace `{runtime}` in the launch line (after `--`: the whole command).
    pub command: Option<Vec<String>>,
    /// Additional arguments for the runtime, or for the program if there is no runtime.
    #[serde(default)]
    pub args: Vec<String>,
    /// Additional arguments for the build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_args: Vec<String>,
    /// Additional environment.
    pub env: Vec<(String, String)>,
    /// Git revision to build from.
    pub revision: Option<String>,
    /// The directory to launch in, if not the project's root (a revision's worktree).
    pub directory: Option<String>,
    /// Another benchmark of the case's suite to measure instead of the case's own, with the same parameters.
    #[serde(default)]
    pub benchmark: Option<String>,
    /// A control: the first variant again, whose true change is zero.
    #[serde(default)]
    pub control: bool,
    /// Folders of its builds; `ProcessStart::build` indexes it. One entry if builds are not sampled, none if
    /// no build has a separate folder.
    #[serde(default)]
    pub builds: Vec<String>,
    /// The stored run whose code this is: a baseline measured again beside the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// The packages that its processes load, if they report them: those under benchmark first, the
    /// interpreter last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Package>,
}

/// A package whose code is measured, as a process found it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version; empty if it has none.
    pub version: String,
    /// The folder or file that it is loaded from.
    pub from: String,
    /// Hash of its files; empty if not computed.
    pub hash: String,
    /// Version and path of an installed copy that this one shadows; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hides: String,
    /// It is under benchmark: the project's own or, if that is unknown, one that the benchmarks import
    /// directly.
    #[serde(default)]
    pub own: bool,
}

/// A stored run that a variant measures again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Again {
    /// The stored run.
    pub run: RunId,
    /// Start of the stored run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// The commit of its sources.
    pub commit: Option<Commit>,
    /// The code that is measured.
    pub from: AgainFrom,
}

/// The origin of the code of a baseline that is measured again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AgainFrom {
    /// The programs measured then, which were kept or still exist.
    Program,
    /// The commit measured then, checked out and built again.
    Commit,
}

/// The fact of a [`Machine`] with the cost of the first write to a page of memory, in ns.
pub const FIRST_TOUCH_NS: &str = "first-touch-ns";

/// Hardware and operating system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Machine {
    /// `linux`, `macos`, `windows`.
    pub os: String,
    /// Kernel release.
    pub kernel: String,
    /// The processor's name.
    pub cpu: String,
    /// Online processors.
    pub cores: u32,
    /// Installed memory in bytes.
    pub memory_bytes: u64,
    /// Host name.
    pub host: String,
    /// Further facts (governor, turbo, SMT, virtualisation, ASLR, clock source), if observable.
    pub facts: BTreeMap<String, String>,
    /// What this platform cannot observe, in words.
    pub unobserved: Vec<String>,
}

impl Machine {
    /// Returns the cost of the first write to a page of memory in ns, or `None` for a run that did not
    /// measure it.
    pub fn first_touch_ns(&self) -> Option<f64> {
        self.facts.get(FIRST_TOUCH_NS)?.parse().ok()
    }
}

/// The state of the sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Commit {
    /// Full hash.
    pub hash: String,
    /// Branch name, if on one.
    pub branch: Option<String>,
    /// There were uncommitted changes.
    pub dirty: bool,
}

/// The position of a run in a series made by `--repeat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// The first run's id, shared by all.
    pub id: RunId,
    /// Its number in the series, from 0.
    pub number: u32,
    /// The requested length of the series; fewer runs exist if the user stopped it.
    pub of: u32,
}

/// The origin of results that another tool measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// The importer that read them: `benchfella`, `criterion-json`.
    pub format: String,
    /// The path of the file as given.
    pub file: String,
    /// The tool and its version, if the file names them.
    pub tool: String,
    /// Facts that the file does not contain, in words.
    pub unknown: Vec<String>,
    /// Hash of the file and of the way it was read, to recognise it. Records of earlier versions have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

/// How a suite was built and launched: everything needed to measure the same code again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Built {
    /// Index into the run's variants.
    pub variant: u32,
    /// The suite.
    pub suite: String,
    /// The benchmark file; absent for the program of a whole suite.
    #[serde(default)]
    pub file: Option<String>,
    /// The build command as written; empty if nothing is built.
    pub command: Vec<String>,
    /// Working directory of its processes, relative to the root of the variant's sources.
    pub directory: String,
    /// The launch line as written, with the variant's command and the suite's arguments.
    #[serde(default)]
    pub launch: Vec<String>,
    /// Arguments in the launch line for the suite's own program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suite_args: Vec<String>,
    /// Arguments added to the build command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_args: Vec<String>,
    /// The native programs that the launch line names by path.
    #[serde(default)]
    pub programs: Vec<Program>,
    /// The launch line also names files of the project besides these programs, such as scripts.
    #[serde(default)]
    pub needs_sources: bool,
}

/// A native program that a launch line names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Program {
    /// Index of its word in the launch line.
    pub word: u32,
    /// Absolute path of the file.
    pub path: String,
    /// Hash of its content.
    pub hash: String,
}

/// The context of a run: everything but its measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunHeader {
    /// Short name.
    pub id: RunId,
    /// Wall-clock start, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Wall-clock end.
    pub ended_ms: Option<i64>,
    /// The status.
    pub status: RunStatus,
    /// Process id of the engine that wrote it.
    pub engine_pid: u32,
    /// Version of the engine.
    pub derny: String,
    /// The command line, without the program.
    pub args: Vec<String>,
    /// Seed of everything random.
    pub seed: u64,
    /// The settings in force.
    pub settings: crate::Settings,
    /// The variants, in the order given.
    pub variants: Vec<Variant>,
    /// Hardware and system.
    pub machine: Machine,
    /// Sources, if the project is under git.
    pub commit: Option<Commit>,
    /// `--note`.
    pub note: Option<String>,
    /// Builds of the run.
    #[serde(default)]
    pub built: Vec<Built>,
    /// Runtimes seen, as `language runtime` (for example `javascript node/20.20.2`).
    pub runtimes: Vec<String>,
    /// The series that the run belongs to; absent for a single run.
    #[serde(default)]
    pub series: Option<Series>,
    /// The origin of the results, if another tool measured them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// Its part in a measurement on several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The machines that measured, if parts of several were merged;
    /// [`ProcessStart::machine`](crate::ProcessStart::machine) indexes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<Machine>,
    /// The parts that it was merged from, if it consists of several shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Parts>,
    /// The time spent before its start. Records of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Preparation>,
}

/// Time that a run spent before its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preparation {
    /// Builds.
    pub build_ns: u64,
    /// Finding files and listing their cases.
    pub listing_ns: u64,
}

/// The parts that make up one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// [`FleetPlan::measures`](crate::FleetPlan::measures).
    pub measures: String,
    /// Number of waves with parts in it.
    pub waves: u32,
    /// Number of parts.
    pub count: u32,
    /// Hash of the parts, to recognise them.
    pub hash: String,
}

/// What a run measures of a plan for several machines: one of its shards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// [`FleetPlan::id`](crate::FleetPlan::id).
    pub plan: String,
    /// [`FleetPlan::measures`](crate::FleetPlan::measures), the same in all waves.
    pub measures: String,
    /// Number of the wave, from 1.
    pub wave: u32,
    /// Number of the shard, from 1.
    pub shard: u32,
    /// Total number of shards.
    pub of: u32,
}

impl RunHeader {
    /// Returns the index of the variant that the run is about: the first that is neither a baseline measured
    /// again nor a control.
    pub fn own_variant(&self) -> u32 {
        let own = |variant: &Variant| variant.again.is_none() && !variant.control;
        self.variants.iter().position(own).unwrap_or(0) as u32
    }

    /// Returns the machine that measured everything, or `None` if parts of several machines were merged.
    pub fn only_machine(&self) -> Option<&Machine> {
        (self.machines.len() < 2).then_some(&self.machine)
    }

    /// Returns the baseline that the run measured again beside its own variants.
    pub fn again(&self) -> Option<&Again> {
        self.variants.first()?.again.as_ref()
    }
}
