//! What the operating system must do for the engine, one file per platform, the same functions in each.
//!
//! Linux is complete. Other Unix systems start, talk to and end harnesses but cannot move threads between
//! processors or read a thread's scheduler counters; elsewhere measuring answers with an error that says so.
//! This is the only place of the engine that holds `unsafe` code.

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

/// How a process ended and what it used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ended {
    /// Exit status, if it exited.
    pub code: Option<i32>,
    /// Signal, if one ended it.
    pub signal: Option<i32>,
    /// User plus system time in ns, waited-for children included.
    pub cpu_ns: u64,
    /// Largest resident set in bytes, where it is known.
    pub peak_bytes: Option<u64>,
}

impl Ended {
    /// Of a process that cannot be asked.
    pub const UNKNOWN: Ended = Ended { code: None, signal: None, cpu_ns: 0, peak_bytes: None };

    /// The same of a process that another program has started: that one's exit status says nothing of it.
    #[must_use]
    pub fn of_wrapped(self) -> Ended {
        Ended { code: None, signal: None, ..self }
    }

    /// `exit 1` or `signal 11 (SIGSEGV)`.
    pub fn text(&self) -> String {
        match (self.code, self.signal) {
            (Some(code), _) => format!("exit {code}"),
            (_, Some(signal)) => format!("signal {signal} ({})", signal_name(signal)),
            _ => "unknown".to_string(),
        }
    }
}

/// The usual name of a signal number on Linux and macOS, for messages.
pub fn signal_name(signal: i32) -> &'static str {
    match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => "signal",
    }
}
