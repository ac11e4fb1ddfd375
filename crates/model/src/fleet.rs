//! The plan of a measurement on several machines: a file that says who measures what, and of what.

use crate::{Case, Settings, Variant};
use serde::{Deserialize, Serialize};

/// What a plan measures. Two measurements belong together only if all of it is the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Identity {
    /// Version of the engine.
    pub derny: String,
    /// Processor and system: `x86_64-linux`.
    pub architecture: String,
    /// The commit that is checked out; none outside git.
    pub commit: Option<String>,
    /// Hash of the changes that are not committed; none where there are none.
    pub changes: Option<String>,
    /// Hash of the sides: their commands, revisions, arguments and environment.
    pub sides: String,
    /// Hash of how programs are built and launched, and of the benchmark files.
    pub launch: String,
    /// Hash of the cases as they are declared.
    pub cases: String,
    /// Hash of the settings and of all that decides verdicts.
    pub settings: String,
    /// Seed of everything random.
    pub seed: u64,
}

/// A case with all of its sides, which never leaves the machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedBlock {
    /// Index into the plan's cases.
    pub case: u32,
    /// Pairs to measure, whatever they show; 0 where there is one side, which is measured until it is precise.
    pub pairs: u32,
    /// What that is expected to take, in ns.
    pub cost_ns: u64,
}

/// What one machine measures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedShard {
    /// What its blocks are expected to take, in ns, builds included.
    pub cost_ns: u64,
    /// Its blocks.
    pub blocks: Vec<PlannedBlock>,
}

/// Who measures what. Written by `derny plan`, and by `derny merge` for what is undecided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FleetPlan {
    /// Version of this format.
    pub format: u32,
    /// Its name: a hash of what it measures and of its shards.
    pub id: String,
    /// A hash of what it measures: that of all waves.
    pub measures: String,
    /// The same in words.
    pub identity: Identity,
    /// Which wave, from 1. Each is a look at the cases of it.
    pub wave: u32,
    /// The words of `derny plan`, by which a shard knows what is meant.
    pub args: Vec<String>,
    /// The sides, revisions as commits. The plan expires where these are not known.
    pub sides: Vec<Variant>,
    /// The settings by which is measured and judged. What depends on the machine (processors, free memory) is that of the machine that
    /// planned; each has its own.
    pub settings: Settings,
    /// Machines that measure each case.
    pub machines_per_case: u32,
    /// What each shard takes before it measures, in ns: building and listing, as it took when it was planned.
    pub setup_ns: u64,
    /// What building took that is not done again, since the plan carries the builds, in ns.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub build_ns: u64,
    /// All cases of what is measured; a later wave measures some of them.
    pub cases: Vec<Case>,
    /// Shards, the first of which is 1.
    pub shards: Vec<PlannedShard>,
}

impl FleetPlan {
    /// Version of the format.
    pub const FORMAT: u32 = 1;

    /// What all shards take together, in ns, with the builds that they need not make.
    pub fn cost_ns(&self) -> u64 {
        self.build_ns + self.shards.iter().map(|shard| shard.cost_ns).sum::<u64>()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_nothing(ns: &u64) -> bool {
    *ns == 0
}

/// The builds that a plan carries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Builds {
    /// Version of this format.
    pub format: u32,
    /// The folders of the project and of its store, in which they were made; as they are called, and as the system calls them.
    pub places: Vec<String>,
    /// Those of each side that has some.
    pub sides: Vec<SideBuilds>,
}

impl Builds {
    /// Version of the format.
    pub const FORMAT: u32 = 1;
}

/// The builds of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideBuilds {
    /// Its name.
    pub side: String,
    /// What names each.
    pub builds: Vec<String>,
    /// They have a folder of their machine in them, so that they serve only where project and store are in the same folders.
    pub bound: bool,
}
