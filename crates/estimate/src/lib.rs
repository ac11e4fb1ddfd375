//! Estimates: the values of a turn, a process and a pair, the intervals made of them, and the verdict that
//! follows.
//!
//! The engine stops by these rules, a resumed run is restored by them, and analysis concludes by them. A
//! second definition of one of them would make a run stop for one reason and report another. Pure: no clock,
//! no files, no sentences beyond the reason of a verdict.
//!
//! From small to large:
//! - [`turn`]: from batches to a value; [`reject`]: turns that do not count.
//! - [`rounds`]: the turns of a process, and two processes round by round; [`cost`]: everything that a
//!   process spent.
//! - [`pair`]: two processes; [`wave`]: all processes alive together; [`packed`]: a process as bytes.
//! - [`floor`]: the cost of an empty body; [`level`]: intervals and their levels; [`side_estimate`]: a
//!   variant's own value.
//! - [`look`]: the looks taken, and the first that can show anything; [`paired`], [`ratio`] and [`mean`]:
//!   results of pairs at one look.
//! - [`change`] and [`difference`]: one quantity of one variant; [`witness`]: what requires mean time.
//! - [`contention`] and [`machine`]: what others and the machine account for between two runs.
//! - [`family`], [`verdict`], [`gate`] and [`judge`]: all comparisons together, and the one decision.
//! - [`precision`], [`neighbours`], [`ranking`] and [`fleet`]: other questions about cases and machines.

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
