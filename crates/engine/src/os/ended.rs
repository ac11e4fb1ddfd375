/// How a process ended, and its resource use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ended {
    /// Exit status, if the process exited.
    pub code: Option<i32>,
    /// Signal, if one ended the process.
    pub signal: Option<i32>,
    /// User and system time in ns, including that of reaped children.
    pub cpu_ns: u64,
    /// Largest resident size in bytes, if known.
    pub peak_bytes: Option<u64>,
}

impl Ended {
    /// The end of a process that cannot be waited for.
    pub const UNKNOWN: Ended = Ended { code: None, signal: None, cpu_ns: 0, peak_bytes: None };

    /// Removes the exit status, which is unknown for a process that another program has started.
    #[must_use]
    pub fn of_wrapped(self) -> Ended {
        Ended { code: None, signal: None, ..self }
    }

    /// Returns a description, such as `exit 1` or `signal 11 (SIGSEGV)`.
    pub fn text(&self) -> String {
        match (self.code, self.signal) {
            (Some(code), _) => format!("exit {code}"),
            (_, Some(signal)) => format!("signal {signal} ({})", signal_name(signal)),
            _ => "unknown".to_string(),
        }
    }
}

/// Returns the usual name of a signal number on Linux and macOS, for messages. Returns `signal` for
/// numbers that are rare or differ between these systems.
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
