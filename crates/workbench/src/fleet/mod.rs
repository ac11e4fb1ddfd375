//! One measurement on several machines: a [`plan`](make()) says who measures what, a [`shard`](shard()) of it is a run of some of the cases,
//! written as a part, and [`merge`](merge()) makes one run of the parts. A worker ([`work`]) takes shards of one block each from a store. Who starts shards, and where, is a scheduler's business.

mod balance;
mod carried;
mod check;
mod digest;
pub mod generate;
mod identity;
mod known;
mod links;
mod make;
mod merge;
mod next;
mod schedulers;
mod shard;
mod unpacked;
mod worker;

pub use carried::{Carried, ToCarry, is_carrying};
pub use check::{is_of_here, open, read};
pub use digest::{Digests, digest};
pub use generate::Scheduler;
pub use make::{FleetOptions, Made, make};
pub use merge::{Fault, Merged, merge, name};
pub use next::next;
pub use schedulers::{Place, number};
pub use shard::{ShardOptions, shard};
pub use worker::{Step, Worked, WorkerOptions, parts, pieces, work};

pub(crate) use carried::Built;
pub(crate) use check::differs;
pub(crate) use identity::of as identity;

use derny_engine::hash::Fnv;
use derny_model::{CaseId, FleetPlan};

/// What a run has to do with a plan for several machines.
#[derive(Debug, Clone, Copy)]
pub enum Task<'a> {
    /// It is only planned, to be divided.
    Divide {
        /// Its builds are to go with the plan.
        carry: bool,
    },
    /// It measures one shard.
    Measure(&'a FleetPlan, Own<'a>),
}

/// One shard, and the machine that measures it.
#[derive(Debug, Clone, Copy)]
pub struct Own<'a> {
    /// Which, from 1.
    pub shard: u32,
    /// What the machine is called, in place of its host's name.
    pub machine: Option<&'a str>,
    /// Builds that are not made here.
    pub builds: Option<&'a Carried>,
}

impl Task<'_> {
    /// Pairs of a case in the shard, if it has the case.
    pub(crate) fn pairs(&self, id: &CaseId) -> Option<u32> {
        let Task::Measure(plan, own) = self else { return None };
        let shard = plan.shards.get(own.shard as usize - 1)?;
        shard.blocks.iter().find(|block| plan.cases[block.case as usize].id == *id).map(|block| block.pairs)
    }
}

/// A short name of what was written to a hash.
fn hex(hash: &Fnv) -> String {
    format!("{:016x}", hash.finish())
}
