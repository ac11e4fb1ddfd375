//! What the standard library does not say of a process: how it ended with what it used, and whom it left behind.

#[cfg(not(unix))]
mod elsewhere;
pub mod group;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::*;
#[cfg(unix)]
pub use unix::*;

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a process has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

/// An ended process, with what it and the processes that it waited for have used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub exit: Exit,
    /// Processor time outside the kernel, in ns.
    pub user_ns: u64,
    /// Processor time in the kernel, in ns.
    pub system_ns: u64,
    /// The most memory that one of them held, in bytes.
    pub peak_bytes: u64,
    /// Page faults that needed no reading.
    pub minor_faults: u64,
    /// Page faults that did.
    pub major_faults: u64,
    /// Times that it gave its processor up.
    pub switches: u64,
    /// Times that it lost it.
    pub preempted: u64,
}

impl Ended {
    /// All its processor time, in ns.
    pub fn cpu_ns(&self) -> u64 {
        self.user_ns + self.system_ns
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "ended with status {status}"),
            Exit::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "was ended by signal {signal} ({name})"),
                None => write!(f, "was ended by signal {signal}"),
            },
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    const NAMES: [(i32, &str); 9] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (15, "SIGTERM"),
    ];
    NAMES.iter().find(|(number, _)| *number == signal).map(|(_, name)| *name)
}
