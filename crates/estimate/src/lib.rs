//! Estimates: the values of a turn, a process and a pair, the intervals computed from them, and the verdicts.
//!
//! 1. `turn` computes a value from the batches of a turn, and `reject` finds turns to measure again.
//! 2. `rounds` computes a value from the turns of a process; `cost` adds up the total cost of the process.
//! 3. `pair` compares two processes, and `wave` compares all processes that are alive together.
//! 4. `look` lists the looks taken, and `level` determines the level of the intervals at each.
//! 5. `paired` and `mean` compute the results of the pairs at one look: typical time and mean time.
//! 6. `change` combines the looks for one quantity of a variant; `indicator` decides if mean time is needed.
//! 7. `family` adjusts all comparisons together, and `verdict` combines those of a variant.
//! 8. `judge` makes the decision: what is reported now, and which cases more pairs could change.
//!
//! The engine stops by these rules, restores a resumed run by them, and analysis reports by them. If a rule
//! existed twice, a run could stop for one reason and report another. The crate uses no clock and no files.
//! The only sentences that it writes are the reasons of verdicts.
//!
//! Other questions have separate modules:
//! - [`floor`]: the cost of an empty body; [`side_estimate`]: a variant's own value; [`gate`]: what is worse.
//! - [`ratio`]: two totals; [`difference`]: a quantity that is zero in one variant.
//! - [`contention`] and [`machine`]: how much of a change between two runs is due to other programs and the
//!   machine.
//! - [`prospect`]: how many more pairs would decide a comparison.
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
pub mod indicator;
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
pub mod prospect;
pub mod ranking;
pub mod ratio;
pub mod reject;
pub mod rounds;
pub mod side_estimate;
mod telling_look;
pub mod turn;
pub mod verdict;
pub mod wave;
