//! A minimal engine for tests. The harness's standard input and output are the protocol's streams.

use derny_protocol::{Answer, Command, ProtocolError, Session};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, PartialEq)]
pub enum Received {
    Answer(Answer),
    Violation(ProtocolError),
    /// The stream has ended, possibly after an incomplete line.
    End,
}

pub struct Peer {
    child: Child,
    commands: Option<ChildStdin>,
    replies: Option<BufReader<ChildStdout>>,
    stderr: Option<std::thread::JoinHandle<Vec<u8>>>,
    session: Session,
}

impl Peer {
    pub fn start(args: &[&str]) -> Self {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_derny-fake-harness"))
            .args(args)
            .env("DERNY_COMMANDS", "/dev/stdin")
            .env("DERNY_REPLIES", "/dev/stdout")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let drain = std::thread::spawn(move || {
            let mut all = Vec::new();
            stderr.read_to_end(&mut all).unwrap();
            all
        });
        let (commands, replies) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Self { child, commands, replies, stderr: Some(drain), session: Session::new() }
    }

    pub fn write(&mut self, line: &str) {
        // Ignore errors, because reading the reply detects a harness that has ended.
        let _ = self.commands.as_mut().unwrap().write_all(line.as_bytes());
    }

    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.replies.as_mut().unwrap().read_line(&mut line).unwrap();
        line.strip_suffix('\n').map(str::to_owned)
    }

    pub fn ask(&mut self, command: &Command) -> Received {
        let line = self.session.send(command).unwrap();
        self.write(&line);
        self.receive()
    }

    pub fn receive(&mut self) -> Received {
        loop {
            let mut line = Vec::new();
            self.replies.as_mut().unwrap().read_until(b'\n', &mut line).unwrap();
            if line.last() != Some(&b'\n') {
                return Received::End;
            }
            match self.session.receive(&line) {
                Ok(None) => {}
                Ok(Some(answer)) => return Received::Answer(answer),
                Err(error) => return Received::Violation(error),
            }
        }
    }

    /// Returns the exit code, or `None` after a signal.
    pub fn status(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    pub fn quit(&mut self) -> Vec<u8> {
        self.write("quit\n");
        assert_eq!(self.status(), Some(0));
        self.stderr.take().unwrap().join().unwrap()
    }

    pub fn ends_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < time {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    pub fn stream_ends_within(&mut self, time: Duration) -> bool {
        let mut replies = self.replies.take().unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _ = replies.read_to_end(&mut Vec::new());
            let _ = sender.send(());
        });
        receiver.recv_timeout(time).is_ok()
    }

    fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).unwrap()
    }

    pub fn resident_kb(&mut self) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    pub fn cpu_ms(&mut self) -> u64 {
        let stat = self.proc("stat");
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        let ticks = |index: usize| fields[index].parse::<u64>().unwrap();
        // The fields are utime and stime, in ticks of 10 ms.
        (ticks(11) + ticks(12)) * 10
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
