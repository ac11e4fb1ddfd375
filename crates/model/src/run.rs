//! A run: one invocation of the engine, and the context it happened in.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A run's short name, four or more characters of `0-9a-z` without the easily confused `i l o u`.
pub type RunId = String;

/// How far a run came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// It is under way, or its engine died; the store tells the two apart by the engine's process id.
    Running,
    /// Every case was measured.
    Complete,
    /// Every case was tried; some failed.
    Failed,
    /// It was interrupted or ran out of total time; what was measured is kept.
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
    /// Arguments added: for the runtime, or for the program where there is none.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments for the build added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_args: Vec<String>,
    /// Environment added.
    pub env: Vec<(String, String)>,
    /// Git revision that it is built from.
    pub revision: Option<String>,
    /// The directory to launch in, when it is not the project's root (a revision's worktree).
    pub directory: Option<String>,
    /// Another benchmark of the case's suite that is measured in the case's place, with the same parameters.
    #[serde(default)]
    pub benchmark: Option<String>,
    /// The first variant once more, as a control: its true change is nil.
    #[serde(default)]
    pub control: bool,
    /// Folders of its builds; `ProcessStart::build` indexes it. One where builds are not sampled, none where nothing is built
    /// into a folder of its own.
    #[serde(default)]
    pub builds: Vec<String>,
    /// The stored run whose code this is: a baseline that is measured again beside the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// The packages that its processes load, where they tell: those that benchmarks are about first, the interpreter last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Package>,
}

/// A package whose code is measured, as a process found it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version; empty where it has none.
    pub version: String,
    /// The folder or file that it is loaded from.
    pub from: String,
    /// Hash of its files; empty where it was not made.
    pub hash: String,
    /// Version and place of an installed copy that is not loaded because this one comes first; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hides: String,
    /// The benchmarks are about it: the project's own, or, where that is not known, one that they import by themselves.
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
    /// Its sources.
    pub commit: Option<Commit>,
    /// What is measured.
    pub from: AgainFrom,
}

/// Where the code of a baseline that is measured again comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AgainFrom {
    /// The programs that were measured then: they were kept, or are still there.
    Program,
    /// The commit that was measured then, checked out and built again.
    Commit,
}

/// The fact of a [`Machine`] that says what writing to a page of memory for the first time costs, in ns.
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
    /// Further facts (governor, turbo, SMT, virtualisation, ASLR, clock source), as far as they can be observed.
    pub facts: BTreeMap<String, String>,
    /// What this platform cannot observe, in words.
    pub unobserved: Vec<String>,
}

impl Machine {
    /// What writing to a page of memory for the first time costs, in ns; none in runs that did not measure it.
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

/// The place of a run among those of one `--repeat`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// The first run's id, shared by all.
    pub id: RunId,
    /// Which of them, from 0.
    pub number: u32,
    /// How many were asked for; fewer are there when the user stopped it.
    pub of: u32,
}

/// Results that another tool measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// The importer that read them: `benchfella`, `criterion-json`.
    pub format: String,
    /// The file as it was named.
    pub file: String,
    /// The tool and its version, as far as the file tells.
    pub tool: String,
    /// What the file does not tell, in words.
    pub unknown: Vec<String>,
    /// Hash of the file and of how it was read, by which it is known again. Records of earlier versions have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

/// How a suite was built and launched: what it takes to measure the same code again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Built {
    /// Index into the run's variants.
    pub variant: u32,
    /// The suite.
    pub suite: String,
    /// The benchmark file; none for the program of a whole suite.
    #[serde(default)]
    pub file: Option<String>,
    /// The command that built it, as written; empty where nothing is built.
    pub command: Vec<String>,
    /// Working directory of its processes, relative to the root of the variant's sources.
    pub directory: String,
    /// The launch line as written, with the variant's command and the suite's arguments in it.
    #[serde(default)]
    pub launch: Vec<String>,
    /// Of the launch line: arguments for the suite's own program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suite_args: Vec<String>,
    /// Of the build command: arguments that were added to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_args: Vec<String>,
    /// The native programs that the launch line names by their paths.
    #[serde(default)]
    pub programs: Vec<Program>,
    /// The launch line names files of the project beside these programs, such as scripts.
    #[serde(default)]
    pub needs_sources: bool,
}

/// A native program that a launch line names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Program {
    /// Place of its word in the launch line.
    pub word: u32,
    /// The file, absolute.
    pub path: String,
    /// Hash of its content.
    pub hash: String,
}

/// What is known of a run beside its measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunHeader {
    /// Short name.
    pub id: RunId,
    /// Wall-clock start, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Wall-clock end.
    pub ended_ms: Option<i64>,
    /// How far it came.
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
    /// What was built for the run.
    #[serde(default)]
    pub built: Vec<Built>,
    /// Runtimes seen, as `language runtime` (for example `javascript node/20.20.2`).
    pub runtimes: Vec<String>,
    /// The series that the run belongs to; none for a run by itself.
    #[serde(default)]
    pub series: Option<Series>,
    /// Where the results come from, if another tool measured them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
    /// Its place in a measurement on several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The machines that measured, where parts of several were merged; [`ProcessStart::machine`](crate::ProcessStart::machine) indexes
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<Machine>,
    /// What it was put together of, where it is parts of several shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Parts>,
    /// What came before its start. Records of earlier versions do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Preparation>,
}

/// Time that a run took before its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preparation {
    /// Builds.
    pub build_ns: u64,
    /// Finding files and asking programs for their cases.
    pub listing_ns: u64,
}

/// Parts that are one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// [`FleetPlan::measures`](crate::FleetPlan::measures).
    pub measures: String,
    /// Waves that it has parts of.
    pub waves: u32,
    /// How many.
    pub count: u32,
    /// Hash of the parts, by which it is known again.
    pub hash: String,
}

/// What a run measures of a plan for several machines: one shard of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// [`FleetPlan::id`](crate::FleetPlan::id).
    pub plan: String,
    /// [`FleetPlan::measures`](crate::FleetPlan::measures): the same in all waves.
    pub measures: String,
    /// Which wave, from 1.
    pub wave: u32,
    /// Which shard, from 1.
    pub shard: u32,
    /// Of how many.
    pub of: u32,
}

impl RunHeader {
    /// Index of the variant that the run itself is about: the first that is neither a baseline measured again nor a control.
    pub fn own_variant(&self) -> u32 {
        let own = |variant: &Variant| variant.again.is_none() && !variant.control;
        self.variants.iter().position(own).unwrap_or(0) as u32
    }

    /// The one machine that all of it was measured on; none where parts of several were merged.
    pub fn only_machine(&self) -> Option<&Machine> {
        (self.machines.len() < 2).then_some(&self.machine)
    }

    /// The baseline that the run has measured again beside its own variants.
    pub fn again(&self) -> Option<&Again> {
        self.variants.first()?.again.as_ref()
    }
}
