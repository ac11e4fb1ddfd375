//! Starts a harness in its own process group and makes sure that it ends. Gives it two FIFOs for the
//! conversation and an environment with random padding. Captures its output.

pub mod attached;
pub mod binary;
pub mod echo;
pub mod environment;
pub mod fault;
mod fifos;
pub mod folder;
pub mod global_setup;
pub mod link;
pub mod orphans;
pub mod peak;
pub mod reaper;
pub mod scratch;
mod shim;
pub mod transport;
mod wrapped;

use crate::launch::echo::Echo;
use crate::launch::fifos::Fifos;
use crate::launch::peak::Peak;
use crate::launch::reaper::{Leftover, Reaper};
use crate::launch::wrapped::Wrapped;
use crate::os::{self, Ended};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The options for starting a process.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Additional environment variables. The process also inherits the engine's variables, except those
    /// that `environment` withholds.
    pub env: Vec<(String, String)>,
    /// Working directory.
    pub directory: PathBuf,
    /// Size of the random environment padding, from 0 to 4,095 bytes. The size of the environment moves the
    /// stack, and that alone can change times (Mytkowicz, 2009).
    pub padding: u32,
    /// True to copy the program's output to standard error as it arrives.
    pub echo: bool,
    /// Path of a file that receives all output of the program. Without it, only the last part of the output
    /// is kept.
    pub capture: Option<PathBuf>,
    /// True if the process also inherits the descriptors of the command and reply streams, because it may
    /// not have permission to open paths.
    pub descriptors: bool,
}

/// The last part of a program's output.
#[derive(Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
    /// Total number of bytes received, including those that are no longer kept.
    pub total: u64,
    /// Copies the output as it arrives.
    echo: Option<Echo>,
}

const TAIL: usize = 16 * 1024;

impl Tail {
    fn new(echo: bool) -> Tail {
        Tail { echo: echo.then(Echo::default), ..Tail::default() }
    }

    fn push(&mut self, chunk: &[u8]) {
        if let Some(echo) = &mut self.echo {
            echo.push(chunk);
        }
        self.total += chunk.len() as u64;
        self.bytes.extend_from_slice(&chunk[chunk.len().saturating_sub(TAIL)..]);
        if self.bytes.len() > 2 * TAIL {
            self.bytes.drain(..self.bytes.len() - TAIL);
        }
    }

    /// Returns the last `lines` lines as text.
    pub fn last_lines(&self, lines: usize) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        all[all.len().saturating_sub(lines)..].iter().map(|line| line.chars().take(300).collect()).collect()
    }
}

/// A harness's process: its streams, its output, and its end.
#[derive(Debug)]
pub struct Process {
    pid: u32,
    /// Value of the environment variable that identifies the process's descendants.
    mark: String,
    /// Peak memory of the process.
    peak: Peak,
    /// How the launched program ended. `None` while it is alive.
    left: Option<Ended>,
    /// The measuring process, if the launched process is a wrapper.
    wrapped: Option<Wrapped>,
    ended: Option<Ended>,
    reaper: Option<Reaper>,
    fifos: Fifos,
    stdout: Option<io::PipeReader>,
    stderr: Option<io::PipeReader>,
    /// Buffer for reads of unknown length.
    scratch: Box<[u8]>,
    /// The last part of the program's standard output.
    pub printed: Tail,
    /// The last part of the program's standard error.
    pub complained: Tail,
    /// Time at which the program was launched.
    pub started: Instant,
}

/// How a program ended, and the processes that it left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Departure {
    /// Exit status and resource use.
    pub ended: Ended,
    /// True if the engine killed the program because it did not end in time.
    pub is_forced: bool,
    /// Names of the processes that the program left behind outside its group and that the engine killed.
    pub orphans: Vec<String>,
}

/// Returns the log message about processes that were left behind.
pub fn left_behind(orphans: &[String]) -> String {
    let (names, were) = (orphans.join(", "), if orphans.len() > 1 { "they were" } else { "it was" });
    format!(
        "left {names} running outside its process group; {were} ended, because that would disturb later measurements (DY314)"
    )
}

impl Departure {
    /// The departure of an attached session, whose process continues to run.
    pub const UNKNOWN: Departure = Departure { ended: Ended::UNKNOWN, is_forced: false, orphans: Vec::new() };
}

/// The result of waiting for a harness.
#[derive(Debug, PartialEq, Eq)]
pub enum Waited {
    /// Bytes were appended to the buffer.
    Bytes,
    /// Nothing arrived in time.
    Nothing,
    /// The harness has ended, and all of its output has been read.
    Ended,
}

impl Process {
    /// Starts the process.
    ///
    /// # Errors
    /// Fails with the system's error, such as a missing program or a lack of permission or memory.
    #[cfg(unix)]
    pub fn start(spec: &LaunchSpec, reaper: Option<&Reaper>) -> io::Result<Process> {
        use std::os::fd::AsRawFd;
        let (fifos, ends) = Fifos::make(spec.descriptors, reaper)?;
        let (stdout, stdout_in) = io::pipe()?;
        let (stderr, stderr_in) = io::pipe()?;
        let (program, args) =
            spec.command.split_first().ok_or_else(|| io::Error::other("the launch line is empty"))?;
        let mut command = environment::program(program);
        command.args(args).current_dir(&spec.directory).envs(spec.env.iter().map(|(k, v)| (k, v)));
        command.env("DERNY_COMMANDS", &ends.commands).env("DERNY_REPLIES", &ends.replies);
        let inherited =
            ends.open.as_ref().map_or([-1; 2], |files| [files[0].as_raw_fd(), files[1].as_raw_fd()]);
        if spec.descriptors {
            command.env("DERNY_DESCRIPTORS", format!("{},{}", inherited[0], inherited[1]));
        }
        command.env("DERNY_STACK_PADDING", "x".repeat(spec.padding as usize));
        let mark = orphans::mark();
        command.env(orphans::MARK, &mark);
        let stdin = File::open("/dev/null")?.into();
        let streams = match &spec.capture {
            Some(path) => {
                let file = File::create(path)?;
                [stdin, file.try_clone()?.into(), file.into()]
            }
            None => [stdin, stdout_in.into(), stderr_in.into()],
        };
        for pipe in [&stdout, &stderr] {
            os::set_nonblocking(pipe.as_raw_fd())?;
        }
        let started = Instant::now();
        let pid = orphans::start(|| os::start(&mut command, streams, inherited))?;
        if let Some(reaper) = reaper {
            reaper.watch(&Leftover::Group(pid));
        }
        Ok(Process {
            pid,
            mark,
            peak: Peak::of_child(),
            left: None,
            wrapped: None,
            ended: None,
            reaper: reaper.cloned(),
            fifos,
            stdout: Some(stdout),
            stderr: Some(stderr),
            scratch: vec![0; 64 * 1024].into_boxed_slice(),
            printed: Tail::new(spec.echo),
            complained: Tail::new(spec.echo),
            started,
        })
    }

    /// Always fails: Windows needs named pipes, which this version does not implement.
    #[cfg(not(unix))]
    pub fn start(_spec: &LaunchSpec, _reaper: Option<&Reaper>) -> io::Result<Process> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this version starts harnesses on Linux and macOS only; stored runs can be read everywhere",
        ))
    }

    /// Returns the process id, which is also the id of the process group.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Records that the harness measures in process `pid`. From now on, the end of that process counts,
    /// even if a wrapper started it and ends at another time.
    pub fn introduce(&mut self, pid: u32) {
        if pid != self.pid
            && let Some(commands) = self.fifos.commands()
        {
            self.wrapped = Wrapped::watch(pid, self.pid, commands);
            if let (Some(reaper), Some(_)) = (&self.reaper, &self.wrapped) {
                reaper.watch(&Leftover::Process(pid));
            }
        }
        self.fifos.forget_paths();
    }

    /// Sends bytes to the harness. A broken pipe means that the harness has ended or closed its end.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.fifos.send(bytes)
    }

    /// Waits at most `timeout`, and at most 50 ms, for replies. Collects the program's output at the same
    /// time. The wait is short, because a child of the benchmark may keep the streams open after the
    /// process has ended.
    #[cfg(unix)]
    pub fn wait(&mut self, buffer: &mut Vec<u8>, timeout: Duration) -> Waited {
        use std::os::fd::AsRawFd;
        let slice = timeout.min(Duration::from_millis(50));
        let fd = |pipe: &Option<io::PipeReader>| pipe.as_ref().map_or(-1, |pipe| pipe.as_raw_fd());
        let millis = slice.as_micros().div_ceil(1000) as i32;
        let wrapped = self.wrapped.as_ref().map_or(-1, Wrapped::descriptor);
        let [replies, out, err, _] =
            os::poll([self.fifos.replies.as_raw_fd(), fd(&self.stdout), fd(&self.stderr), wrapped], millis);
        if out {
            drain(&mut self.stdout, &mut self.printed, &mut self.scratch);
        }
        if err {
            drain(&mut self.stderr, &mut self.complained, &mut self.scratch);
        }
        if replies && self.read_replies(buffer) {
            return Waited::Bytes;
        }
        if !out && !err && self.try_end().is_some() {
            while self.read_replies(buffer) {}
            drain(&mut self.stdout, &mut self.printed, &mut self.scratch);
            drain(&mut self.stderr, &mut self.complained, &mut self.scratch);
            return Waited::Ended;
        }
        if replies {
            // The stream is closed, but the process has not ended yet. Sleep to avoid reading the end
            // of the file in a loop.
            std::thread::sleep(Duration::from_millis(1));
        }
        Waited::Nothing
    }

    /// Never called: this platform starts no process.
    #[cfg(not(unix))]
    pub fn wait(&mut self, _buffer: &mut Vec<u8>, _timeout: Duration) -> Waited {
        let _ = (&self.fifos.replies, &self.stdout, &self.stderr);
        Waited::Ended
    }

    fn read_replies(&mut self, buffer: &mut Vec<u8>) -> bool {
        self.fifos.receive(&mut self.scratch, buffer)
    }

    /// Returns how the measuring process ended, or `None` while it is alive. Without a wrapper, the
    /// measuring process is the launched one.
    pub fn try_end(&mut self) -> Option<Ended> {
        if self.ended.is_none() {
            let left = self.try_leave();
            self.ended = match &self.wrapped {
                None => left,
                // If the wrapper has waited for the measuring process, the wrapper's resource use
                // includes it.
                Some(wrapped) if wrapped.is_over() => Some(left.unwrap_or(Ended::UNKNOWN).of_wrapped()),
                Some(_) => None,
            };
        }
        self.ended
    }

    /// Returns how the launched program ended, or `None` while it is alive.
    fn try_leave(&mut self) -> Option<Ended> {
        if self.left.is_none() {
            self.left = os::try_wait(self.pid).ok().flatten().map(|left| self.with_peak(left));
        }
        self.left
    }

    /// Reads the peak memory of the process while it is alive. Later, the system's value may include
    /// the engine's own peak.
    pub fn note_peak(&mut self) {
        let wrapped = self.wrapped.as_ref().map(Wrapped::pid);
        [self.pid].into_iter().chain(wrapped).for_each(|pid| self.peak.note(pid));
    }

    fn with_peak(&self, left: Ended) -> Ended {
        Ended { peak_bytes: left.peak_bytes.and_then(|told| self.peak.at_end(told)), ..left }
    }

    /// Closes the command stream and waits at most `grace` for the process to end. Then kills the
    /// process group and all other descendants.
    pub fn finish(mut self, grace: Duration) -> Departure {
        self.fifos.end();
        let deadline = Instant::now() + grace;
        let mut rest = Vec::new();
        while self.try_end().is_none() && Instant::now() < deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            self.wait(&mut rest, left.min(Duration::from_millis(2)));
            rest.clear();
        }
        let is_forced = self.ended.is_none();
        let (ended, orphans) = self.end_group();
        Departure { ended, is_forced, orphans }
    }

    /// Returns the ids of the processes that the program has left behind outside its group so far.
    pub fn orphans(&self) -> BTreeSet<u32> {
        orphans::of(self.pid, &self.mark)
    }

    /// Kills the processes that the program has left behind since `before` was read. Returns their names.
    pub fn end_orphans(&self, before: &BTreeSet<u32>) -> Vec<String> {
        orphans::end_new(self.pid, &self.mark, before)
    }

    /// Kills the entire process group at once.
    pub fn kill(mut self) -> Departure {
        let (ended, orphans) = self.end_group();
        Departure { ended, is_forced: false, orphans }
    }

    fn end_group(&mut self) -> (Ended, Vec<String>) {
        self.note_peak();
        os::kill_group(self.pid, os::SIGKILL);
        if let Some(wrapped) = &self.wrapped {
            wrapped.kill();
        }
        let left = loop {
            match self.left.map_or_else(|| os::try_wait(self.pid), |left| Ok(Some(left))) {
                Ok(Some(left)) => break self.left.unwrap_or_else(|| self.with_peak(left)),
                Ok(None) => std::thread::sleep(Duration::from_micros(200)),
                Err(_) => break Ended::UNKNOWN,
            }
        };
        let ended = if self.wrapped.is_some() { left.of_wrapped() } else { left };
        (self.left, self.ended) = (Some(left), Some(ended));
        if let Some(reaper) = self.reaper.take() {
            reaper.forget(&Leftover::Group(self.pid));
            if let Some(wrapped) = &self.wrapped {
                reaper.forget(&Leftover::Process(wrapped.pid()));
            }
        }
        let wrapped = self.wrapped.as_ref().map(Wrapped::pid);
        (ended, orphans::end(self.pid, wrapped, &self.mark))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.reaper.is_some() || self.left.is_none() {
            self.end_group();
        }
    }
}

fn drain(pipe: &mut Option<io::PipeReader>, tail: &mut Tail, chunk: &mut [u8]) {
    // Read at most a megabyte at a time. A program that floods its output must not delay its answers.
    for _ in 0..16 {
        let Some(open) = pipe else { return };
        match open.read(chunk) {
            Ok(0) => *pipe = None,
            Ok(n) => tail.push(&chunk[..n]),
            Err(_) => return,
        }
    }
}
