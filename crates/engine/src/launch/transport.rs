//! The other end of a conversation: a process that the engine has launched, or the one that has started the engine and
//! holds its standard streams. Knows how bytes come and go and how an end is noticed; knows nothing of messages.

use crate::launch::{Departure, Process, Waited};
use crate::os::Ended;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// Who speaks with the engine.
#[derive(Debug)]
pub enum Transport {
    /// A harness of the engine's own.
    Launched(Box<Process>),
    /// A session that is already running.
    Attached(Streams),
}

impl Transport {
    /// Number for the protocol's trace: of the process, or 0 for the session that has started the engine.
    pub fn number(&self) -> u32 {
        match self {
            Transport::Launched(process) => process.pid(),
            Transport::Attached(_) => 0,
        }
    }

    /// When the conversation began.
    pub fn started(&self) -> Instant {
        match self {
            Transport::Launched(process) => process.started,
            Transport::Attached(streams) => streams.started,
        }
    }

    /// The harness has said which process measures. A session that was there before is nobody's to watch.
    pub fn introduce(&mut self, pid: u32) {
        if let Transport::Launched(process) = self {
            process.introduce(pid);
        }
    }

    /// Sends bytes. A broken pipe means that nobody listens any more.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Transport::Launched(process) => process.send(bytes),
            Transport::Attached(streams) => streams.commands.write_all(bytes),
        }
    }

    /// Waits for bytes, at most `timeout` (less is allowed: the caller asks again).
    pub fn wait(&mut self, buffer: &mut Vec<u8>, timeout: Duration) -> Waited {
        match self {
            Transport::Launched(process) => process.wait(buffer, timeout),
            Transport::Attached(streams) => streams.wait(buffer, timeout),
        }
    }

    /// The end, if it has come.
    pub fn try_end(&mut self) -> Option<Ended> {
        match self {
            Transport::Launched(process) => process.try_end(),
            // Its status is for whoever started the session.
            Transport::Attached(streams) => streams.closed.then_some(Ended::UNKNOWN),
        }
    }

    /// The end of what a program of ours has printed.
    pub fn last_words(&self, lines: usize) -> Vec<String> {
        let Transport::Launched(process) = self else { return Vec::new() };
        let words = process.complained.last_lines(usize::MAX);
        telling(if words.is_empty() { process.printed.last_lines(usize::MAX) } else { words }, lines)
    }

    /// What a program of ours has left behind outside of its group so far.
    pub fn orphans(&self) -> BTreeSet<u32> {
        match self {
            Transport::Launched(process) => process.orphans(),
            Transport::Attached(_) => BTreeSet::new(),
        }
    }

    /// Ends what it has left behind since; the names.
    pub fn end_orphans(&self, before: &BTreeSet<u32>) -> Vec<String> {
        match self {
            Transport::Launched(process) => process.end_orphans(before),
            Transport::Attached(_) => Vec::new(),
        }
    }

    /// Bytes that a program of ours has printed.
    pub fn printed(&self) -> u64 {
        match self {
            Transport::Launched(process) => process.printed.total + process.complained.total,
            Transport::Attached(_) => 0,
        }
    }

    /// Notes how much memory a process of ours has held so far.
    pub fn note_peak(&mut self) {
        if let Transport::Launched(process) = self {
            process.note_peak();
        }
    }

    /// Waits for the end of a process of ours, and ends it after `grace`. A session that was there before goes on.
    pub fn finish(self, grace: Duration) -> Departure {
        match self {
            Transport::Launched(process) => process.finish(grace),
            Transport::Attached(_) => Departure::UNKNOWN,
        }
    }

    /// Ends a process of ours at once.
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
    /// What the session says comes from `replies`; what it is told goes to `commands`.
    pub fn new(replies: File, commands: File) -> Streams {
        let (started, scratch) = (Instant::now(), vec![0; 64 * 1024].into_boxed_slice());
        Streams { commands, replies, closed: false, started, scratch }
    }

    /// Read only when there is something: the descriptor blocks, and is not ours alone to change.
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

    /// Nothing can be waited for with a limit here: this version attaches on Linux and macOS only.
    #[cfg(not(unix))]
    fn wait(&mut self, _buffer: &mut Vec<u8>, _timeout: Duration) -> Waited {
        let _ = (&self.replies, &self.scratch);
        Waited::Ended
    }
}

/// How lines begin in which a runtime says why it ends a program. Traces of many lines follow them.
const CAUSES: [&str; 2] = ["fatal error: ", "panic: "];

/// As many lines as asked for: those that say why the program has ended, else the last ones.
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
