//! The plan of a measurement on several machines: a file that assigns cases to machines.

use crate::{Case, Settings, Variant};
use serde::{Deserialize, Serialize};

/// The identity of the measured code and settings. Two measurements belong together only if all of these
/// fields are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Identity {
    /// Version of the engine.
    pub derny: String,
    /// Processor architecture and operating system: `x86_64-linux`.
    pub architecture: String,
    /// Commit that is checked out. Absent outside git.
    pub commit: Option<String>,
    /// Hash of uncommitted changes. Absent if there are none.
    pub changes: Option<String>,
    /// Hash of the variants: their commands, revisions, arguments and environment.
    pub sides: String,
    /// Hash of the build and launch commands, and of the benchmark files.
    pub launch: String,
    /// Hash of the declared cases.
    pub cases: String,
    /// Hash of the settings and of everything else that can affect verdicts.
    pub settings: String,
    /// Seed for all random choices.
    pub seed: u64,
}

/// A case with all of its variants, to be measured together on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedBlock {
    /// Index into the plan's cases.
    pub case: u32,
    /// Fixed number of pairs to measure. 0 for a single variant, which is measured until it is precise.
    pub pairs: u32,
    /// Expected duration, in ns.
    pub cost_ns: u64,
}

/// The part of a plan that one machine measures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedShard {
    /// Expected duration of the blocks including builds, in ns.
    pub cost_ns: u64,
    /// The blocks to measure.
    pub blocks: Vec<PlannedBlock>,
}

/// The assignment of cases to machines. `derny fleet plan` writes it. `derny fleet merge` writes one
/// for undecided cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FleetPlan {
    /// Version of this format.
    pub format: u32,
    /// Name of the plan: a hash of the measured code and settings, and of the shards.
    pub id: String,
    /// Hash of the measured code and settings, which is the same for all waves.
    pub measures: String,
    /// Identity of the measured code and settings.
    pub identity: Identity,
    /// Number of the wave, from 1. Each wave is a look at its cases.
    pub wave: u32,
    /// Arguments of `derny fleet plan`, from which a shard reconstructs the request.
    pub args: Vec<String>,
    /// The variants, with revisions as commits. The plan cannot be used in a repository that lacks one
    /// of these commits.
    pub sides: Vec<Variant>,
    /// Settings for measuring and judging. Settings that depend on the machine (processors, free
    /// memory) are those of the planning machine. Every machine replaces them with its own.
    pub settings: Settings,
    /// Number of machines that measure each case.
    pub machines_per_case: u32,
    /// Time in ns that each shard needs before it measures, to build and to list cases. Measured while
    /// planning.
    pub setup_ns: u64,
    /// Time in ns that shards save because the plan contains the builds.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub build_ns: u64,
    /// All cases. A later wave measures only some of them.
    pub cases: Vec<Case>,
    /// The shards, numbered from 1.
    pub shards: Vec<PlannedShard>,
}

impl FleetPlan {
    /// Version of the format.
    pub const FORMAT: u32 = 1;

    /// Returns the cost of all shards in ns, plus the time of the builds that the plan contains.
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
    /// Folders of the project and of its store where the builds were made, both as the user named them
    /// and resolved.
    pub places: Vec<String>,
    /// The builds of each variant, if it has any.
    pub sides: Vec<SideBuilds>,
}

impl Builds {
    /// Version of the format.
    pub const FORMAT: u32 = 1;
}

/// The builds of one variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideBuilds {
    /// Name of the variant.
    pub side: String,
    /// The key of each build.
    pub builds: Vec<String>,
    /// True if the builds contain absolute paths. They can then be used only if project and store are
    /// in the same folders.
    pub bound: bool,
}
