//! Operating-system functions of the engine: one file per platform, with the same functions in each.
//!
//! Linux is complete. Other Unix systems start, talk to and end harnesses, but cannot move threads between
//! processors or read a thread's scheduler counters. On other systems measuring fails with an error that says
//! so. Only this module of the engine contains `unsafe` code.

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
