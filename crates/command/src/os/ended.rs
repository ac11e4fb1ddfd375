//! Exit statuses and resource use of processes that have ended.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The end of a process, by an exit or a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// The process exited with a status.
    Status(i32),
    /// A signal ended the process.
    Signal(i32),
}

/// A process that has ended, and its resource use, including that of the processes that it reaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Exit status or signal.
    pub exit: Exit,
    /// User time, in ns.
    pub user_ns: u64,
    /// System time, in ns.
    pub system_ns: u64,
    /// Peak memory of the process or of one that it reaped, whichever is larger, in bytes.
    pub peak_bytes: u64,
    /// Number of page faults without disk access.
    pub minor_faults: u64,
    /// Number of page faults with disk access.
    pub major_faults: u64,
    /// Number of voluntary context switches.
    pub switches: u64,
    /// Number of involuntary context switches.
    pub preempted: u64,
}

impl Ended {
    /// Returns the total processor time, in ns.
    pub fn cpu_ns(&self) -> u64 {
        self.user_ns + self.system_ns
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exited with status {status}"),
            Exit::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "was killed by signal {signal} ({name})"),
                None => write!(f, "was killed by signal {signal}"),
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
