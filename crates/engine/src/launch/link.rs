//! The conversation with one live harness: sends a command and returns its answer within a time limit, or a
//! [`Fault`].
//!
//! Connects the other end (`transport`) to the protocol's state machine. Independent of cases, plans and
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

/// The reason why there was no answer.
#[derive(Debug)]
pub enum Fault {
    /// The program could not be started.
    Start(io::Error),
    /// It ended by itself.
    Ended(Ended),
    /// No answer in time; it has been ended.
    TimedOut(Duration),
    /// It sent something that the protocol does not allow.
    Protocol(ProtocolError),
    /// The benchmark failed; the process may survive.
    Failed {
        /// One sentence.
        message: String,
        /// Stack trace.
        detail: Option<String>,
        /// The process cannot continue.
        fatal: bool,
    },
    /// The harness does not support the verb, or gave an answer that does not belong to the command.
    Unsupported(String),
    /// The user interrupted.
    Interrupted,
}

/// Maximum number of lines for the user per answer.
const MOST_LOGS: usize = 100;

/// A live harness.
#[derive(Debug)]
pub struct Link {
    peer: Transport,
    session: Session,
    buffer: Vec<u8>,
    read: usize,
    /// The last command could not be sent.
    is_deaf: bool,
    /// The harness's declarations.
    pub hello: Hello,
    /// Time from the launch to its first line.
    pub launch_ns: u64,
    /// Lines for the user since the last call that took them.
    pub logs: Vec<String>,
    /// Write a protocol trace to standard error.
    pub trace: bool,
}

/// A harness that has been started and has not answered yet, so that several can start at once.
#[derive(Debug)]
pub struct Starting {
    link: Link,
}

impl Starting {
    /// Starts the program without waiting for its first line.
    pub fn launch(spec: &LaunchSpec, reaper: Option<&Reaper>, trace: bool) -> Result<Starting, Fault> {
        let process = Process::start(&shim::bypassed(spec), reaper).map_err(Fault::Start)?;
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

    /// Waits for the hello. On a fault, also returns the link, for the program's output.
    pub fn hello(mut self, timeout: Duration, stop: &AtomicBool) -> Result<Link, (Fault, Box<Link>)> {
        match self.link.answer(timeout, stop, &mut |_| {}) {
            Ok(Answer::Hello(hello)) => {
                self.link.launch_ns = self.link.peer.started().elapsed().as_nanos() as u64;
                self.link.peer.introduce(hello.pid);
                self.link.hello = hello;
                Ok(self.link)
            }
            // A harness that cannot start reports an error instead of its hello.
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

    /// Sends a command and waits for its answer. Returns `Failed` and `Unsupported` as faults.
    pub fn ask(&mut self, command: &Command, timeout: Duration, stop: &AtomicBool) -> Result<Answer, Fault> {
        self.begin(command)?;
        self.finish_watched(timeout, stop, &mut |_| {})
    }

    /// Sends a command without waiting; [`Link::finish_watched`] waits for the answer. So several harnesses
    /// can work at once.
    pub fn begin(&mut self, command: &Command) -> Result<(), Fault> {
        // Discard lines that arrived since the last answer: they must not be read as the next one.
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

    /// Waits for the answer to [`Link::begin`]. Meanwhile calls `watch` several times a second with the time
    /// elapsed.
    pub fn finish_watched(
        &mut self,
        timeout: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(Duration),
    ) -> Result<Answer, Fault> {
        if self.is_deaf {
            // Its end of the pipe is closed. Wait for its exit, or treat its silence as one.
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

    /// Keeps a line for the user. Beyond a limit, lines are dropped.
    fn log(&mut self, message: String) {
        if self.logs.len() < MOST_LOGS {
            self.logs.push(message);
        }
    }

    fn write_trace(&self, sign: char, line: &str) {
        let cut: String = line.trim_end().chars().take(200).collect();
        echo::line(&format!("{} {sign} {cut}", self.peer.number()));
    }

    /// Registers a case that another process listed, so that the session knows how its turns are closed.
    pub fn learn(&mut self, case: &derny_protocol::Case) {
        self.session.learn(case);
    }

    /// Returns the thread to observe and to pin: the harness's, or else its process's main thread.
    pub fn thread(&self) -> u32 {
        self.hello.thread.unwrap_or(self.hello.pid)
    }

    /// Returns the program's last output for a message: its standard error, or else its standard output.
    pub fn last_words(&self) -> Vec<String> {
        self.peer.last_words(8)
    }

    /// Returns the bytes that the program has printed to its standard output and error.
    pub fn printed(&self) -> u64 {
        self.peer.printed()
    }

    /// Returns the processes that the program has left behind outside its group so far.
    pub fn orphans(&self) -> BTreeSet<u32> {
        self.peer.orphans()
    }

    /// Ends the processes left behind since `before`. Returns their names.
    pub fn end_orphans(&self, before: &BTreeSet<u32>) -> Vec<String> {
        self.peer.end_orphans(before)
    }

    /// Returns true if the other end is a session that was already running.
    pub fn is_attached(&self) -> bool {
        matches!(self.peer, Transport::Attached(_))
    }

    /// Sends `quit` once, without waiting for the end.
    pub fn dismiss(&mut self) {
        // The session refuses a second one, because the conversation is over.
        if let Ok(line) = self.session.send(&Command::Quit) {
            self.peer.note_peak();
            let _ = self.peer.send(line.as_bytes());
        }
    }

    /// Sends `quit`, if not sent yet, and waits for the end.
    pub fn quit(mut self, grace: Duration) -> Departure {
        self.dismiss();
        self.peer.finish(grace)
    }

    /// Ends the process and its group at once.
    pub fn kill(self) -> Departure {
        self.peer.kill()
    }
}
