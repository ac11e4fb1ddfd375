//! Estimate: what a turn, a process and a pair are worth, by which rule an interval is made of them, and the verdict that follows.
//!
//! The engine stops by these rules, a run that goes on is restored by them, and analysis concludes by them. Whoever defines one
//! of them a second time makes a run stop for one reason and report another. Pure: no clock, no files, no sentences
//! beyond the reason of a verdict.
//!
//! From small to large: [`turn`] (batches to a value), [`rounds`] (the turns of a process, and two processes round by round), [`cost`]
//! (all that a process spent), [`pair`], [`wave`] (all processes that are alive together), [`floor`] (what an empty body costs), [`level`] (which interval, at which level), [`own`] (a
//! side's own value), [`look`] (the looks that were taken), [`paired`],
//! [`ratio`] and [`mean`] (what pairs show at one look), [`change`] and [`difference`] (one quantity of one side), [`witness`] (what calls for mean time), [`contention`] (what others
//! took from a run) and [`machine`] (what the machine accounts for between two runs), [`family`], [`verdict`], [`gate`], [`judge`] (all of them: the one decision), [`precision`], [`neighbours`] (whether a case may share processes), [`ranking`] (which
//! case of a run is fastest), [`fleet`] (which machine of several is not like the others); [`reject`], which turns do not count; and [`packed`], a process as bytes.

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
pub mod own;
pub mod packed;
pub mod pair;
pub mod paired;
pub mod precision;
pub mod ranking;
pub mod ratio;
pub mod reject;
pub mod rounds;
pub mod turn;
pub mod verdict;
pub mod wave;
pub mod witness;
