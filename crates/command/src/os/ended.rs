//! How a process has ended.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How a process has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// It exited with this status.
    Status(i32),
    /// This signal ended it.
    Signal(i32),
}

/// An ended process, with the resources of itself and of the processes that it waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub exit: Exit,
    /// Processor time outside the kernel, in ns.
    pub user_ns: u64,
    /// Processor time in the kernel, in ns.
    pub system_ns: u64,
    /// Peak memory of any of them, in bytes.
    pub peak_bytes: u64,
    /// Page faults without disk access.
    pub minor_faults: u64,
    /// Page faults with disk access.
    pub major_faults: u64,
    /// Voluntary context switches.
    pub switches: u64,
    /// Involuntary context switches.
    pub preempted: u64,
}

impl Ended {
    /// Returns its total processor time, in ns.
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
