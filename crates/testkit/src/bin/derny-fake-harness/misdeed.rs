//! The effects of faults.

use crate::fault::What;
use crate::session::Session;
use derny_protocol::{MAX_BATCHES, MAX_LINE, Reply, VERSION};
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

impl Session {
    /// Applies a fault that replaces the reply. Returns false if the reply must still be sent.
    pub fn instead(&mut self, what: &What) -> bool {
        match what {
            What::Exit(code) => std::process::exit(*code),
            What::Signal(name) => kill(name),
            What::Hang => sleep_for_ever(),
            What::IgnoreQuit => sleep_for_ever(),
            What::Throw => {
                self.say(&[Reply::error("FakeError: thrown on purpose", Some("at fake (fault.rs)"), false)])
            }
            What::Fatal => {
                self.say(&[Reply::error("FakeError: this process cannot go on", None, true)]);
                std::process::exit(1);
            }
            What::Garbage => self.replies.send(b"\x00\xff\xfe\x80garbage\xc3\n"),
            What::HalfLine { then_exit } => {
                self.replies.send(b"times 20412 20");
                if *then_exit { std::process::exit(0) } else { sleep_for_ever() }
            }
            What::LongLine => {
                self.replies.send(&[vec![b'1'; MAX_LINE + 1000], b"\n".to_vec()].concat());
            }
            What::Say(line) => self.replies.send(format!("{line}\n").as_bytes()),
            What::WrongReply => self.say(&[Reply::Collected { ns: 1 }]),
            What::Skip => self.say(&[Reply::Skip { reason: "skipped on purpose".to_owned() }]),
            _ => {
                self.beside(what);
                return false;
            }
        }
        true
    }

    /// Applies a fault that does not change the reply.
    fn beside(&mut self, what: &What) {
        match what {
            What::FloodStdout(bytes) => flood(std::io::stdout(), *bytes),
            What::FloodStderr(bytes) => flood(std::io::stderr(), *bytes),
            // Write ones, because untouched zero pages take no memory.
            What::Leak(bytes) => self.leaked.push(vec![1; *bytes]),
            What::SpawnChild(seconds) => self.spawn_child(*seconds),
            What::DoubleFork(seconds) => double_fork(*seconds),
            What::BusyWait => _ = std::thread::spawn(|| while std::hint::black_box(true) {}),
            What::WirePrint => self.replies.send(b"hello from the benchmark\n"),
            _ => {}
        }
    }

    fn spawn_child(&self, seconds: u64) {
        let streams = self.commands.share().and_then(|commands| Ok((commands, self.replies.share()?)));
        let Ok((commands, replies)) = streams else { return };
        let mut child = std::process::Command::new("sleep");
        // Removing variables from the environment of this process needs unsafe code, so remove them only from
        // that of the child.
        child.env_remove("DERNY_COMMANDS").env_remove("DERNY_REPLIES");
        // The child is deliberately never waited for.
        let _ =
            child.arg(seconds.to_string()).stdin(Stdio::from(commands)).stdout(Stdio::from(replies)).spawn();
    }

    /// Applies a fault that changes the reply.
    pub fn spoil(&mut self, what: &What, replies: &mut Vec<Reply>) {
        if *what == What::Twice {
            replies.extend(replies.clone());
        }
        let extra_ops = replies.iter().find_map(|reply| match reply {
            Reply::Times(times) => Some(times.len() + 1),
            _ => None,
        });
        for reply in replies.iter_mut() {
            match (what, reply) {
                (What::LieTimes, Reply::Times(times)) => times.resize(MAX_BATCHES as usize + 1, 1),
                (What::LieClock, Reply::Times(times)) => times.iter_mut().for_each(|ns| *ns /= 2),
                (What::LieCounters, Reply::End(end)) => end.counters.push(Some(1.0)),
                (What::Future, Reply::Hello(hello)) => hello.version = VERSION + 1,
                _ => {}
            }
        }
        if let (What::LieOps, Some(count)) = (what, extra_ops) {
            replies.retain(|reply| !matches!(reply, Reply::Ops(_)));
            replies.insert(1, Reply::Ops(vec![1.0; count]));
        }
    }
}

/// Starts a process that is not reaped and that is not in the harness's process group.
fn double_fork(seconds: u64) {
    let line = format!("setsid sleep {seconds} >/dev/null 2>&1 &");
    let _ = std::process::Command::new("sh").args(["-c", &line]).status();
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

fn kill(name: &str) -> ! {
    let pid = std::process::id().to_string();
    loop {
        // Use the shell's built-in `kill`, because the program is not installed everywhere. Send the signal
        // twice, because the first SIGSEGV only makes Rust's runtime remove its handler.
        let _ = std::process::Command::new("sh").args(["-c", &format!("kill -{name} {pid}")]).status();
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn flood(mut stream: impl Write, bytes: u64) {
    let chunk = [b'x'; 8192];
    let mut left = bytes;
    while left > 0 {
        let now = usize::try_from(left).unwrap_or(usize::MAX).min(chunk.len());
        if stream.write_all(&chunk[..now]).is_err() {
            return;
        }
        left -= now as u64;
    }
    let _ = stream.write_all(b"\n");
}
