//! The plan of a measurement on several machines: a file that assigns cases to machines.

use crate::{Case, Settings, Variant};
use serde::{Deserialize, Serialize};

/// The identity of what a plan measures. Two measurements belong together only if all of it is equal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Identity {
    /// Version of the engine.
    pub derny: String,
    /// Processor architecture and operating system: `x86_64-linux`.
    pub architecture: String,
    /// The checked-out commit; absent outside git.
    pub commit: Option<String>,
    /// Hash of uncommitted changes; absent if there are none.
    pub changes: Option<String>,
    /// Hash of the variants: their commands, revisions, arguments and environment.
    pub sides: String,
    /// Hash of how programs are built and launched, and of the benchmark files.
    pub launch: String,
    /// Hash of the declared cases.
    pub cases: String,
    /// Hash of the settings and of everything else that affects verdicts.
    pub settings: String,
    /// Seed of everything random.
    pub seed: u64,
}

/// A case with all of its variants, which one machine measures together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedBlock {
    /// Index into the plan's cases.
    pub case: u32,
    /// The fixed number of pairs to measure. 0 for a single variant, which is measured until it is precise.
    pub pairs: u32,
    /// Expected duration, in ns.
    pub cost_ns: u64,
}

/// The share of one machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedShard {
    /// Expected duration of its blocks in ns, builds included.
    pub cost_ns: u64,
    /// Its blocks.
    pub blocks: Vec<PlannedBlock>,
}

/// The assignment of cases to machines. `derny plan` writes it, and `derny merge` for undecided cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FleetPlan {
    /// Version of this format.
    pub format: u32,
    /// Its name: a hash of what it measures and of its shards.
    pub id: String,
    /// A hash of what it measures, common to all waves.
    pub measures: String,
    /// What it measures, spelled out.
    pub identity: Identity,
    /// Number of the wave, from 1. Each wave is a look at its cases.
    pub wave: u32,
    /// The arguments of `derny plan`, from which a shard reconstructs the request.
    pub args: Vec<String>,
    /// The variants, with revisions as commits. The plan expires if a repository lacks one of these commits.
    pub sides: Vec<Variant>,
    /// The settings for measuring and judging. Those that depend on the machine (processors, free memory) are
    /// those of the planning machine; each machine uses its own.
    pub settings: Settings,
    /// Number of machines that measure each case.
    pub machines_per_case: u32,
    /// Time that each shard spends before it measures, in ns: building and listing, as measured while
    /// planning.
    pub setup_ns: u64,
    /// Build time saved because the plan contains the builds, in ns.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub build_ns: u64,
    /// All cases; a later wave measures some of them.
    pub cases: Vec<Case>,
    /// The shards, numbered from 1.
    pub shards: Vec<PlannedShard>,
}

impl FleetPlan {
    /// Version of the format.
    pub const FORMAT: u32 = 1;

    /// Returns the total cost of all shards in ns, plus the builds that they need not make.
    pub fn cost_ns(&self) -> u64 {
        self.build_ns + self.shards.iter().map(|shard| shard.cost_ns).sum::<u64>()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_nothing(ns: &u64) -> bool {
    *ns == 0
}

/// The builds that a plan contains.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Builds {
    /// Version of this format.
    pub format: u32,
    /// The folders of the project and of its store in which they were built, as named and as the system
    /// resolves them.
    pub places: Vec<String>,
    /// The builds of each variant that has some.
    pub sides: Vec<SideBuilds>,
}

impl Builds {
    /// Version of the format.
    pub const FORMAT: u32 = 1;
}

/// The builds of one variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideBuilds {
    /// Its name.
    pub side: String,
    /// The key of each build.
    pub builds: Vec<String>,
    /// True if the builds embed absolute paths, and so need project and store in the same folders.
    pub bound: bool,
}
