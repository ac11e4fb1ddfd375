//! The conversation with a live harness: sends a command, and returns the answer within a time limit,
//! or a [`Fault`].
//!
//! Connects a `transport` to the state machine of the protocol. Knows nothing about cases, plans and
//! statistics.

use crate::launch::reaper::Reaper;
use crate::launch::shim;
use crate::launch::transport::{Streams, Transport};
use crate::launch::{Departure, LaunchSpec, Process, Waited, echo};
use crate::os::Ended;
use derny_protocol::{Answer, Collector, Command, Hello, MAX_LINE, ProtocolError, Session};
use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The reason why there was no usable answer.
#[derive(Debug)]
pub enum Fault {
    /// The program could not be started.
    Start(io::Error),
    /// The harness ended without being asked to.
    Ended(Ended),
    /// There was no answer in time. Contains the time limit.
    TimedOut(Duration),
    /// The harness sent something that the protocol does not allow.
    Protocol(ProtocolError),
    /// The harness reported a failure. The process may still be usable.
    Failed {
        /// Description of the failure, in one sentence.
        message: String,
        /// Stack trace, if the harness sent one.
        detail: Option<String>,
        /// True if the process cannot continue.
        fatal: bool,
    },
    /// The harness does not support the verb, or sent an answer that does not fit the command.
    Unsupported(String),
    /// The user interrupted the run.
    Interrupted,
}

/// Maximum number of log lines to keep until they are taken.
const MOST_LOGS: usize = 100;

/// A live harness.
#[derive(Debug)]
pub struct Link {
    peer: Transport,
    session: Session,
    buffer: Vec<u8>,
    read: usize,
    /// True if the last command could not be sent.
    is_deaf: bool,
    /// Declarations of the harness's first line.
    pub hello: Hello,
    /// Time from the launch to the first line, in ns.
    pub launch_ns: u64,
    /// Log lines for the user that have not been taken yet.
    pub logs: Vec<String>,
    /// True to print every line of the protocol on standard error.
    pub trace: bool,
}

/// A harness that was started but has not answered yet. Several can start at the same time.
#[derive(Debug)]
pub struct Starting {
    link: Link,
}

impl Starting {
    /// Starts the program without waiting for its first line.
    pub fn launch(spec: &LaunchSpec, reaper: Option<&Reaper>, trace: bool) -> Result<Starting, Fault> {
        let process =
            Process::start(&shim::bypassed(spec), reaper).map_err(|error| unstarted(error, spec))?;
        let link = Link::new(Transport::Launched(Box::new(process)), trace);
        if trace {
            link.write_trace('$', &spec.command.join(" "));
        }
        Ok(Starting { link })
    }

    /// Connects to a session that is already running.
    pub fn attach(streams: Streams, trace: bool) -> Starting {
        Starting { link: Link::new(Transport::Attached(streams), trace) }
    }

    /// Waits for the hello. After a fault, also returns the link, which contains the program's output.
    pub fn hello(mut self, timeout: Duration, stop: &AtomicBool) -> Result<Link, (Fault, Box<Link>)> {
        match self.link.answer(timeout, stop, &mut |_| {}) {
            Ok(Answer::Hello(hello)) => {
                self.link.launch_ns = self.link.peer.started().elapsed().as_nanos() as u64;
                self.link.peer.introduce(hello.pid);
                self.link.hello = hello;
                Ok(self.link)
            }
            // A harness that cannot start may report an error instead of its hello.
            Ok(Answer::Failed { message, detail, fatal }) => {
                Err((Fault::Failed { message, detail, fatal }, Box::new(self.link)))
            }
            Ok(other) => Err((Fault::Unsupported(format!("{other:?}")), Box::new(self.link))),
            Err(fault) => Err((fault, Box::new(self.link))),
        }
    }
}

impl Link {
    fn new(peer: Transport, trace: bool) -> Link {
        let hello = Hello {
            version: 0,
            language: String::new(),
            runtime: String::new(),
            harness: String::new(),
            pid: peer.number(),
            thread: None,
            clock: String::new(),
            step_ns: 1,
            can: Vec::new(),
            gives_back: false,
            collector: Collector::default(),
            modes: Vec::new(),
            metrics: Vec::new(),
            settings: Vec::new(),
            package: Vec::new(),
        };
        let (session, buffer) = (Session::new(), Vec::with_capacity(16 * 1024));
        Link { peer, session, buffer, read: 0, is_deaf: false, hello, launch_ns: 0, logs: Vec::new(), trace }
    }

    /// Sends a command that has no reply.
    pub fn say(&mut self, command: &Command) -> Result<(), Fault> {
        let line = self.session.send(command).map_err(Fault::Protocol)?;
        if self.trace {
            self.write_trace('>', &line);
        }
        self.peer.send(line.as_bytes()).map_err(Fault::Start)
    }

    /// Sends a command and waits for the answer. The answers `failed` and `unsupported` are returned as
    /// faults.
    pub fn ask(&mut self, command: &Command, timeout: Duration, stop: &AtomicBool) -> Result<Answer, Fault> {
        self.begin(command)?;
        self.finish_watched(timeout, stop, &mut |_| {})
    }

    /// Sends a command without waiting for the answer, so that several harnesses can work at the same time.
    /// [`Link::finish_watched`] waits for the answer.
    pub fn begin(&mut self, command: &Command) -> Result<(), Fault> {
        // Read lines that arrived after the last answer, so that they are not mistaken for the next
        // answer.
        while let Some(line) = self.line()? {
            match self.session.receive(&self.buffer[line]).map_err(Fault::Protocol)? {
                Some(Answer::Log(message)) => self.log(message),
                Some(Answer::Failed { message, detail, fatal }) => {
                    return Err(Fault::Failed { message, detail, fatal });
                }
                _ => {}
            }
        }
        let line = self.session.send(command).map_err(Fault::Protocol)?;
        if self.trace {
            self.write_trace('>', &line);
        }
        self.is_deaf = self.peer.send(line.as_bytes()).is_err();
        Ok(())
    }

    /// Waits for the answer to [`Link::begin`]. Calls `watch` several times a second with the elapsed time.
    pub fn finish_watched(
        &mut self,
        timeout: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Duration),
    ) -> Result<Answer, Fault> {
        if self.is_deaf {
            // The harness has closed its end of the pipe. Wait briefly for its exit.
            return self.answer(Duration::from_secs(2), stop, watch);
        }
        match self.answer(timeout, stop, watch)? {
            Answer::Failed { message, detail, fatal } => Err(Fault::Failed { message, detail, fatal }),
            Answer::Unsupported { verb } => Err(Fault::Unsupported(verb)),
            answer => Ok(answer),
        }
    }

    fn answer(
        &mut self,
        timeout: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Duration),
    ) -> Result<Answer, Fault> {
        let start = Instant::now();
        let mut ended = false;
        loop {
            while let Some(line) = self.line()? {
                match self.session.receive(&self.buffer[line]).map_err(Fault::Protocol)? {
                    Some(Answer::Log(message)) => self.log(message),
                    Some(answer) => return Ok(answer),
                    None => {}
                }
            }
            if ended {
                let end = self.peer.try_end();
                return Err(Fault::Ended(end.unwrap_or(Ended::UNKNOWN)));
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            let Some(left) = timeout.checked_sub(start.elapsed()) else {
                return Err(Fault::TimedOut(timeout));
            };
            watch(start.elapsed());
            ended = self.peer.wait(&mut self.buffer, left) == Waited::Ended;
        }
    }

    /// Returns the next complete line in the buffer, without its LF.
    fn line(&mut self) -> Result<Option<std::ops::Range<usize>>, Fault> {
        let rest = &self.buffer[self.read..];
        if let Some(length) = rest.iter().position(|&byte| byte == b'\n') {
            let line = self.read..self.read + length;
            self.read = line.end + 1;
            if self.trace {
                let text = String::from_utf8_lossy(&self.buffer[line.clone()]).into_owned();
                self.write_trace('<', &text);
            }
            return Ok(Some(line));
        }
        if rest.len() >= MAX_LINE {
            return Err(Fault::Protocol(ProtocolError::TooLong { bytes: rest.len() }));
        }
        self.buffer.drain(..self.read);
        self.read = 0;
        Ok(None)
    }

    /// Keeps a log line for the user. Lines beyond the limit are dropped.
    fn log(&mut self, message: String) {
        if self.logs.len() < MOST_LOGS {
            self.logs.push(message);
        }
    }

    fn write_trace(&self, sign: char, line: &str) {
        let cut: String = line.trim_end().chars().take(200).collect();
        echo::line(&format!("{} {sign} {cut}", self.peer.number()));
    }

    /// Registers a case that another process listed, so that the session can recognise the answers to
    /// its turns.
    pub fn learn(&mut self, case: &derny_protocol::Case) {
        self.session.learn(case);
    }

    /// Returns the thread to observe and to pin: the thread that the harness named, or otherwise the main
    /// thread of its process.
    pub fn thread(&self) -> u32 {
        self.hello.thread.unwrap_or(self.hello.pid)
    }

    /// Returns up to eight lines of the program's output for a message: of its standard error, or of its
    /// standard output if that is empty.
    pub fn last_words(&self) -> Vec<String> {
        self.peer.last_words(8)
    }

    /// Returns the number of bytes that the program has printed on its standard output and standard error.
    pub fn printed(&self) -> u64 {
        self.peer.printed()
    }

    /// Returns the ids of processes that the program has left behind outside its group so far.
    pub fn orphans(&self) -> BTreeSet<u32> {
        self.peer.orphans()
    }

    /// Kills processes that were left behind since `before` was read. Returns their names.
    pub fn end_orphans(&self, before: &BTreeSet<u32>) -> Vec<String> {
        self.peer.end_orphans(before)
    }

    /// Returns true if the other end is a session that was already running.
    pub fn is_attached(&self) -> bool {
        matches!(self.peer, Transport::Attached(_))
    }

    /// Sends `quit` once, without waiting for the end.
    pub fn dismiss(&mut self) {
        // If `quit` was already sent, the session refuses to send it again.
        if let Ok(line) = self.session.send(&Command::Quit) {
            self.peer.note_peak();
            let _ = self.peer.send(line.as_bytes());
        }
    }

    /// Sends `quit`, unless it was already sent, and waits for the process to end.
    pub fn quit(mut self, grace: Duration) -> Departure {
        self.dismiss();
        self.peer.finish(grace)
    }

    /// Kills the process and its group at once.
    pub fn kill(self) -> Departure {
        self.peer.kill()
    }
}
/// Adds the name of a missing program to the error.
fn unstarted(error: io::Error, spec: &LaunchSpec) -> Fault {
    match (error.kind(), spec.command.first()) {
        (io::ErrorKind::NotFound, Some(program)) if spec.directory.is_dir() => {
            Fault::Start(io::Error::new(error.kind(), format!("there is no program `{program}`")))
        }
        _ => Fault::Start(error),
    }
}
