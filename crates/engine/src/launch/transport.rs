//! The other end of a conversation. It is either a process that the engine has launched, or a session
//! that has started the engine and is connected to its standard streams. Transfers bytes and detects
//! the end, without interpreting messages.

use crate::launch::{Departure, Process, Waited};
use crate::os::Ended;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// The other end of the engine's conversation.
#[derive(Debug)]
pub enum Transport {
    /// A harness that the engine launched.
    Launched(Box<Process>),
    /// A session that was already running.
    Attached(Streams),
}

impl Transport {
    /// Returns the number that the protocol's trace shows: the process id, or 0 for a session.
    pub fn number(&self) -> u32 {
        match self {
            Transport::Launched(process) => process.pid(),
            Transport::Attached(_) => 0,
        }
    }

    /// Returns the start time of the conversation.
    pub fn started(&self) -> Instant {
        match self {
            Transport::Launched(process) => process.started,
            Transport::Attached(streams) => streams.started,
        }
    }

    /// Records the measuring process that the harness has named. The process of a session is not
    /// watched.
    pub fn introduce(&mut self, pid: u32) {
        if let Transport::Launched(process) = self {
            process.introduce(pid);
        }
    }

    /// Sends bytes. A broken pipe means that the other end is closed.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Transport::Launched(process) => process.send(bytes),
            Transport::Attached(streams) => streams.commands.write_all(bytes),
        }
    }

    /// Waits at most `timeout` for bytes. May return earlier, so the caller must repeat the call.
    pub fn wait(&mut self, buffer: &mut Vec<u8>, timeout: Duration) -> Waited {
        match self {
            Transport::Launched(process) => process.wait(buffer, timeout),
            Transport::Attached(streams) => streams.wait(buffer, timeout),
        }
    }

    /// Returns how the other side ended, or `None` while it is alive.
    pub fn try_end(&mut self) -> Option<Ended> {
        match self {
            Transport::Launched(process) => process.try_end(),
            // Only the process that started the session receives its exit status.
            Transport::Attached(streams) => streams.closed.then_some(Ended::UNKNOWN),
        }
    }

    /// Returns at most `lines` lines of a launched program's standard error, or of its standard output if
    /// that is empty. If the output shows why the program ended, the lines start there.
    pub fn last_words(&self, lines: usize) -> Vec<String> {
        let Transport::Launched(process) = self else { return Vec::new() };
        let words = process.complained.last_lines(usize::MAX);
        telling(if words.is_empty() { process.printed.last_lines(usize::MAX) } else { words }, lines)
    }

    /// Returns the ids of processes that a launched program has left behind outside its group so far.
    pub fn orphans(&self) -> BTreeSet<u32> {
        match self {
            Transport::Launched(process) => process.orphans(),
            Transport::Attached(_) => BTreeSet::new(),
        }
    }

    /// Kills processes that were left behind since `before` was read. Returns their names.
    pub fn end_orphans(&self, before: &BTreeSet<u32>) -> Vec<String> {
        match self {
            Transport::Launched(process) => process.end_orphans(before),
            Transport::Attached(_) => Vec::new(),
        }
    }

    /// Returns the number of bytes that a launched program has printed.
    pub fn printed(&self) -> u64 {
        match self {
            Transport::Launched(process) => process.printed.total + process.complained.total,
            Transport::Attached(_) => 0,
        }
    }

    /// Reads the peak memory of a launched process.
    pub fn note_peak(&mut self) {
        if let Transport::Launched(process) = self {
            process.note_peak();
        }
    }

    /// Waits at most `grace` for a launched process to end, and then kills it. A session continues.
    pub fn finish(self, grace: Duration) -> Departure {
        match self {
            Transport::Launched(process) => process.finish(grace),
            Transport::Attached(_) => Departure::UNKNOWN,
        }
    }

    /// Kills a launched process at once.
    pub fn kill(self) -> Departure {
        match self {
            Transport::Launched(process) => process.kill(),
            Transport::Attached(_) => Departure::UNKNOWN,
        }
    }
}

/// The two streams of a session that has started this program.
#[derive(Debug)]
pub struct Streams {
    commands: File,
    replies: File,
    closed: bool,
    started: Instant,
    scratch: Box<[u8]>,
}

impl Streams {
    /// Creates the streams. The engine reads from the session on `replies` and writes to it on `commands`.
    pub fn new(replies: File, commands: File) -> Streams {
        let (started, scratch) = (Instant::now(), vec![0; 64 * 1024].into_boxed_slice());
        Streams { commands, replies, closed: false, started, scratch }
    }

    /// Waits at most `timeout`, and reads only if there is data. The descriptor is shared, so its
    /// blocking mode must not change.
    #[cfg(unix)]
    fn wait(&mut self, buffer: &mut Vec<u8>, timeout: Duration) -> Waited {
        use std::os::fd::AsRawFd;
        let slice = timeout.min(Duration::from_millis(50));
        let [ready] = crate::os::poll([self.replies.as_raw_fd()], slice.as_micros().div_ceil(1000) as i32);
        if !ready {
            return Waited::Nothing;
        }
        match self.replies.read(&mut self.scratch) {
            Ok(0) => {
                self.closed = true;
                Waited::Ended
            }
            Ok(n) => {
                buffer.extend_from_slice(&self.scratch[..n]);
                Waited::Bytes
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                Waited::Nothing
            }
            Err(_) => {
                self.closed = true;
                Waited::Ended
            }
        }
    }

    /// Always reports the end, because a read on this platform cannot have a time limit. Sessions
    /// attach on Linux and macOS only.
    #[cfg(not(unix))]
    fn wait(&mut self, _buffer: &mut Vec<u8>, _timeout: Duration) -> Waited {
        let _ = (&self.replies, &self.scratch);
        Waited::Ended
    }
}

/// Prefixes of the lines in which a runtime gives the reason for ending a program. A long stack trace may
/// follow such a line.
const CAUSES: [&str; 2] = ["fatal error: ", "panic: "];

/// Returns at most `lines` lines of a program's output, from the line with the reason why the program
/// ended. If there is no such line, returns the last lines.
fn telling(mut words: Vec<String>, lines: usize) -> Vec<String> {
    let is_cause = |line: &String| CAUSES.iter().any(|cause| line.starts_with(cause));
    let from = words.iter().rposition(is_cause).unwrap_or(usize::MAX).min(words.len().saturating_sub(lines));
    words.drain(..from);
    words.truncate(lines);
    words
}

#[cfg(test)]
mod tests {
    use super::telling;

    #[test]
    fn the_cause_is_told_although_a_long_trace_follows_it() {
        let words = |text: &str| -> Vec<String> { text.split('|').map(String::from).collect() };
        assert_eq!(telling(words("a|fatal error: deadlock|b|c|d"), 2), ["fatal error: deadlock", "b"]);
        assert_eq!(telling(words("panic: one|x|panic: two|y|z|u"), 2), ["panic: two", "y"]);
        assert_eq!(telling(words("a|panic: near the end|b"), 3), ["a", "panic: near the end", "b"]);
        assert_eq!(telling(words("a|b|c"), 2), ["b", "c"]);
        assert_eq!(telling(words("a"), 2), ["a"]);
    }
}
