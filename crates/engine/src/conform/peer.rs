//! A process of the harness under test. Records the lines in both directions for the trace.

use super::job::{Checked, Conform};
use crate::launch::{LaunchSpec, Process, Waited, echo};
use crate::os::Ended;
use derny_model::shown::visible;
use derny_protocol::{Answer, Case, Command, Hello, MAX_LINE, Session, Turn};
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Time within which a harness must end after `quit`, or after its command stream was closed.
pub const GRACE: Duration = Duration::from_secs(2);
/// Factor by which the time limit for the first line of a process exceeds that for an answer.
const START: u32 = 4;
/// Number of lines to keep from the start of a conversation, and also from its end.
const KEPT: usize = 30;
/// Maximum number of characters of a line to keep.
const WIDTH: usize = 200;

/// The conversations of all processes of a case.
#[derive(Debug, Default)]
pub struct Spoken {
    pub lines: RefCell<Vec<String>>,
}

impl Spoken {
    fn push(&self, line: String) {
        let mut lines = self.lines.borrow_mut();
        lines.push(line);
        if lines.len() > 2 * KEPT + 1 {
            // Drop lines from the middle of a long conversation, because its ends are more useful.
            lines[KEPT] = "…".to_owned();
            lines.remove(KEPT + 1);
        }
    }
}

pub struct Peer<'a> {
    process: Process,
    session: Session,
    buffer: Vec<u8>,
    read: usize,
    job: &'a Conform<'a>,
    spoken: &'a Spoken,
    patience: &'a Cell<Duration>,
    asked: String,
}

impl<'a> Peer<'a> {
    pub fn launch(
        job: &'a Conform<'a>,
        spoken: &'a Spoken,
        patience: &'a Cell<Duration>,
    ) -> Checked<Peer<'a>> {
        let spec = LaunchSpec {
            command: job.command.to_vec(),
            env: Vec::new(),
            directory: job.directory.to_path_buf(),
            padding: 0,
            echo: false,
            capture: None,
            descriptors: false,
        };
        let process = Process::start(&spec, job.reaper)
            .map_err(|error| format!("`{}` could not be started: {error}", job.command.join(" ")))?;
        let (session, buffer, asked) = (Session::new(), Vec::new(), String::new());
        Ok(Peer { process, session, buffer, read: 0, job, spoken, patience, asked })
    }

    pub fn hello(&mut self) -> Checked<Hello> {
        let line = self.line_within(self.patience.get() * START)?;
        match self.session.receive(line.as_bytes()).map_err(|error| error.to_string())? {
            Some(Answer::Hello(hello)) => {
                self.process.introduce(hello.pid);
                Ok(hello)
            }
            _ => Err(format!("the first line must be `derny`, not `{}`", cut(&line))),
        }
    }

    /// Registers a case, so that the session can recognise the answers to its turns.
    pub fn learn(&mut self, case: &Case) {
        self.session.learn(case);
    }

    /// Sends a line verbatim. If the harness has ended, the next read reports it.
    pub fn say(&mut self, line: &str) {
        self.note('>', line);
        self.asked = line.split(' ').next().unwrap_or_default().to_owned();
        let _ = self.process.send(format!("{line}\n").as_bytes());
    }

    /// Returns the next line that is not a `log`.
    pub fn reply(&mut self) -> Checked<String> {
        loop {
            let line = self.line_within(self.patience.get())?;
            if line != "log" && !line.starts_with("log ") {
                return Ok(line);
            }
        }
    }

    /// Sends a command and waits for its complete answer. Fails if the protocol does not allow the answer.
    pub fn ask(&mut self, command: &Command) -> Checked<Answer> {
        let line = self.session.send(command).map_err(|error| error.to_string())?;
        self.say(line.trim_end());
        loop {
            let line = self.reply()?;
            let received = self.session.receive(line.as_bytes());
            if let Some(answer) = received.map_err(|error| format!("`{}`: {error}", cut(&line)))? {
                return Ok(answer);
            }
        }
    }

    pub fn list(&mut self, params: &[(&str, &[&str])], test: bool) -> Checked<Vec<Case>> {
        let values = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let params = params.iter().map(|(name, list)| ((*name).to_owned(), values(list))).collect();
        match self.ask(&Command::List { params, test, prepare: None, file: None })? {
            Answer::Cases(cases) => Ok(cases),
            other => Err(unexpected("list", &other)),
        }
    }

    pub fn open(&mut self, benchmark: &str, params: &[(&str, &str)]) -> Checked {
        match self.try_open(benchmark, params)? {
            Answer::Opened { .. } => Ok(()),
            other => Err(unexpected("open", &other)),
        }
    }

    pub fn try_open(&mut self, benchmark: &str, params: &[(&str, &str)]) -> Checked<Answer> {
        let params = params.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.ask(&Command::Open { benchmark: benchmark.to_owned(), params, at: None })
    }

    pub fn measure(&mut self, iterations: u64, batches: u32) -> Checked<Turn> {
        match self.try_measure(iterations, batches, None)? {
            Answer::Turn(turn) => Ok(turn),
            other => Err(unexpected("measure", &other)),
        }
    }

    pub fn try_measure(&mut self, iterations: u64, batches: u32, mode: Option<&str>) -> Checked<Answer> {
        let (mode, within_ns) = (mode.map(str::to_owned), u64::MAX / 2);
        self.ask(&Command::Measure {
            iterations,
            batches,
            within_ns: within_ns.min(60_000_000_000),
            lead_ns: 0,
            mode,
            hash: false,
        })
    }

    pub fn close(&mut self) -> Checked {
        match self.ask(&Command::Close)? {
            Answer::Closed { .. } => Ok(()),
            other => Err(unexpected("close", &other)),
        }
    }

    /// Sends `quit`. Fails unless the process sends nothing more and ends with status 0.
    pub fn quit(&mut self) -> Checked {
        self.say("quit");
        self.must_end()
    }

    /// Fails unless the process ends in time, with status 0 and without sending anything more.
    pub fn must_end(&mut self) -> Checked {
        let start = Instant::now();
        let ended = loop {
            if self.process.wait(&mut self.buffer, Duration::from_millis(20)) == Waited::Ended {
                break self.process.try_end();
            }
            if start.elapsed() > GRACE {
                return Err(format!("the process did not end within {} s of `quit`", GRACE.as_secs()));
            }
        };
        if let Some(line) = self.next_line()? {
            return Err(format!("`{}` came after `quit`", cut(&line)));
        }
        match ended {
            // The exit status of a process behind a wrapper is unknown.
            Some(ended) if ended.code == Some(0) || ended.text() == Ended::UNKNOWN.text() => Ok(()),
            Some(ended) => {
                Err(format!("after `quit`, the process ended with {} instead of exit 0", ended.text()))
            }
            None => Err("the end of the process could not be determined".to_owned()),
        }
    }

    /// Closes the command stream, as happens when an engine dies. Returns true if the process ended in
    /// time without being killed.
    pub fn abandon(self) -> bool {
        self.note('>', "(end of file)");
        let forced = self.process.finish(GRACE).is_forced;
        !forced
    }

    /// Returns the number of bytes on standard output and on standard error so far.
    pub fn printed(&self) -> (u64, u64) {
        (self.process.printed.total, self.process.complained.total)
    }

    fn line_within(&mut self, limit: Duration) -> Checked<String> {
        let start = Instant::now();
        loop {
            if let Some(line) = self.next_line()? {
                return Ok(line);
            }
            if self.job.stop.load(Ordering::Relaxed) {
                return Err("interrupted".to_owned());
            }
            let Some(left) = limit.checked_sub(start.elapsed()) else {
                self.patience.set(self.patience.get().min(self.job.timeout / 5));
                return Err(format!("no {} within {} s", self.awaited(), limit.as_secs_f64()));
            };
            if self.process.wait(&mut self.buffer, left) == Waited::Ended {
                return self.next_line()?.map_or_else(|| Err(self.ended()), Ok);
            }
        }
    }

    fn awaited(&self) -> String {
        if self.asked.is_empty() { "first line".to_owned() } else { format!("answer to `{}`", self.asked) }
    }

    fn ended(&mut self) -> String {
        let end = self.process.try_end().map_or_else(String::new, |ended| format!(" ({})", ended.text()));
        let half = if self.buffer.len() > self.read { ", in the middle of a line" } else { "" };
        let words = self.process.complained.last_lines(4);
        let words =
            if words.is_empty() { String::new() } else { format!("; it printed: {}", words.join(" / ")) };
        format!("the process ended{end} before its {}{half}{words}", self.awaited())
    }

    fn next_line(&mut self) -> Checked<Option<String>> {
        let rest = &self.buffer[self.read..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\n') else {
            if rest.len() >= MAX_LINE {
                return Err(format!("a line has more than {MAX_LINE} bytes"));
            }
            self.buffer.drain(..self.read);
            self.read = 0;
            return Ok(None);
        };
        let line = rest[..length].to_vec();
        self.read += length + 1;
        self.note('<', &String::from_utf8_lossy(&line));
        if line.len() >= MAX_LINE {
            return Err(format!("a line has {} bytes, more than {MAX_LINE}", line.len() + 1));
        }
        String::from_utf8(line).map(Some).map_err(|_| "a line is not UTF-8".to_owned())
    }

    fn note(&self, sign: char, line: &str) {
        let text = format!("{sign} {}", cut(line));
        if self.job.trace {
            echo::line(&format!("{} {text}", self.process.pid()));
        }
        self.spoken.push(text);
    }
}

/// Returns an error message for an answer that the case did not expect.
pub fn unexpected(verb: &str, answer: &Answer) -> String {
    match answer {
        Answer::Failed { message, .. } => format!("`{verb}` failed: {message}"),
        Answer::Unsupported { .. } => format!("the answer to `{verb}` was `unsupported`"),
        Answer::Skipped { reason } => format!("the answer to `{verb}` was `skip`: {reason}"),
        other => format!("the answer to `{verb}` was {other:?}"),
    }
}

/// Prepares a line for the trace: escapes control characters and shortens a long line.
pub fn cut(line: &str) -> String {
    let shown: String = visible(line).chars().take(WIDTH).collect();
    if line.chars().count() > WIDTH { shown + "…" } else { shown }
}
