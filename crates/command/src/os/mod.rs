//! Process functions that the standard library lacks: the exit status and resource use of a process, and
//! its remaining children.

#[cfg(not(unix))]
mod elsewhere;
mod ended;
pub mod group;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::*;
pub use ended::{Ended, Exit};
#[cfg(unix)]
pub use unix::*;
