//! One measurement on several machines: a [`plan`](make()) says who measures what, a
//! [`shard`](shard()) of it is a run of some of the cases, written as a part, and
//! [`merge`](merge()) makes one run of the parts. A worker ([`work`]) takes shards of one block
//! each from a store. Who starts shards, and where, is a scheduler's business.

mod archive;
mod balance;
mod check;
mod costs;
mod digest;
pub mod generate;
mod layout;
mod links;
mod make;
mod merge;
mod next;
mod plan_file;
mod schedulers;
mod shard;
mod unpack;
mod worker;

pub use archive::{Carried, ToCarry};
pub use check::is_of_here;
pub use digest::{Digests, digest};
pub use generate::Scheduler;
pub use layout::is_carrying;
pub use make::{FleetOptions, Made, make};
pub use merge::{Fault, Merged, merge, name};
pub use next::next;
pub use plan_file::{open, read};
pub use schedulers::{Place, number};
pub use shard::{ShardOptions, shard};
pub use worker::{Step, Worked, WorkerOptions, parts, pieces, work};
