//! Estimates: the values of a turn, a process and a pair, the intervals made of them, and the verdict that
//! follows.
//!
//! 1. `turn` makes a value of the batches of a turn, and `reject` finds turns to measure again.
//! 2. `rounds` makes a value of the turns of a process; `cost` adds up everything that the process spent.
//! 3. `pair` compares two processes, and `wave` all processes that are alive together.
//! 4. `look` lists the looks taken, and `level` sets the level of the intervals at each.
//! 5. `paired` and `mean` make the results of the pairs at one look: typical time and mean time.
//! 6. `change` combines the looks at one quantity of one variant; `witness` decides if mean time is required.
//! 7. `family` adjusts all comparisons together, and `verdict` gives each variant its word.
//! 8. `judge` is the one decision: what is reported now, and which cases more pairs could change.
//!
//! The engine stops by these rules, a resumed run is restored by them, and analysis concludes by them. A
//! second definition of one of them would make a run stop for one reason and report another. Pure: no clock,
//! no files, no sentences beyond the reason of a verdict.
//!
//! Other questions have separate modules:
//! - [`floor`]: the cost of an empty body; [`side_estimate`]: a variant's own value; [`gate`]: what is worse.
//! - [`ratio`]: two totals; [`difference`]: a quantity that is zero in one variant.
//! - [`contention`] and [`machine`]: the share of others and of the machine in a change between two runs.
//! - [`precision`], [`neighbours`], [`ranking`] and [`fleet`]: other questions about cases and machines.
//! - [`packed`]: a process as bytes.

pub mod change;
pub mod contention;
pub mod cost;
pub mod difference;
pub mod family;
pub mod fleet;
pub mod floor;
pub mod gate;
pub mod judge;
pub mod level;
pub mod look;
pub mod machine;
pub mod mean;
pub mod neighbours;
pub mod packed;
pub mod pair;
pub mod paired;
pub mod precision;
pub mod ranking;
pub mod ratio;
pub mod reject;
pub mod rounds;
pub mod side_estimate;
mod telling_look;
pub mod turn;
pub mod verdict;
pub mod wave;
pub mod witness;
