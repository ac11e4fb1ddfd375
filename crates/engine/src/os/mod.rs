//! System calls of the engine: one file per platform, with the same functions in each.
//!
//! Linux supports everything. Other Unix systems can start harnesses, communicate with them and end
//! them. They cannot move threads between processors or read the scheduler counters of a thread. On
//! other systems, measuring fails with an error that explains why.
//!
//! This is the only module of the engine with `unsafe` code.

mod ended;
pub use ended::{Ended, signal_name};

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;

#[cfg(target_os = "linux")]
mod spawn;
#[cfg(target_os = "linux")]
pub use spawn::start;

#[cfg(not(unix))]
mod elsewhere;
#[cfg(not(unix))]
pub use elsewhere::*;
