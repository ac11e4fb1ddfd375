//! Divides one measurement among several machines. A scheduler starts the shards.
//!
//! 1. `make` plans, using the `costs` of cases in earlier runs. `balance` divides the cases among shards.
//! 2. `archive` puts the builds into the file of the plan, in the format of `layout`.
//! 3. `generate` writes files for a scheduler. `schedulers` finds the shard of a job in its environment.
//! 4. `plan_file` reads a plan, `check` tests if it fits this checkout, and `unpack` extracts its builds.
//! 5. `shard` measures some of the cases and writes them as a part, with a `digest` of each case.
//! 6. `worker` takes shards of one block each from a store instead, and stores the parts there.
//! 7. `merge` combines the parts into one run.
//! 8. `next` plans the cases that are still undecided.

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
