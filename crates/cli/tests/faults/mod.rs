//! Helpers for the tests of faults: a separate project for each test, the `derny` that runs in it, and the
//! processes and results left afterwards.

use derny_model::{Failure, FailureCode, Records, RunStatus, StopReason};
use derny_store::{RunSummary, Store};
use derny_testkit::program::fake_harness;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Name of the variable that all processes of a project inherit.
const MARK: &str = "DERNY_TEST_MARK";

/// A folder with a store, and a mark that identifies its processes.
pub struct Project {
    pub folder: PathBuf,
    mark: String,
}

impl Project {
    pub fn new(name: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("derny-{name}-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(&mark);
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, mark }
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Returns `derny ARGS` as a command in the folder.
    pub fn derny(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_derny"));
        command.args(args).current_dir(&self.folder).env(MARK, &self.mark).stdin(Stdio::null());
        // Tests measure at the same time, so they must not wait for each other.
        command.env("DERNY_NO_QUEUE", "1");
        for variable in ["DERNY_STORE", "DERNY_CONFIG", "DERNY_PROFILE", "DERNY_QUICK"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs `derny ARGS` to its end.
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.derny(args).output().unwrap())
    }

    /// Runs the scripted harness with settings for `run` and arguments for the harness.
    pub fn measure(&self, settings: &[&str], harness: &[&str]) -> Ran {
        self.run(&measuring(settings, harness).iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Like `measure`, but does not wait for the end of the run. Standard output carries the events.
    pub fn begin(&self, settings: &[&str], harness: &[&str]) -> Running {
        let args = measuring(&[settings, &["--format=ndjson"]].concat(), harness);
        self.start(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Starts a command that prints events.
    pub fn start(&self, args: &[&str]) -> Running {
        self.start_with(args, &[])
    }

    /// Like `start`, with environment variables.
    pub fn start_with(&self, args: &[&str], env: &[(&str, &str)]) -> Running {
        let mut command = self.derny(args);
        let mut child =
            command.envs(env.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let events = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let stderr = std::thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).unwrap();
            String::from_utf8_lossy(&text).into_owned()
        });
        Running { child, events, stderr: Some(stderr), seen: Vec::new() }
    }

    pub fn store(&self) -> Store {
        Store::open(&self.folder.join(".derny")).unwrap()
    }

    /// Returns the newest run.
    pub fn records(&self) -> Records {
        self.store().load("last").unwrap()
    }

    pub fn summaries(&self) -> Vec<RunSummary> {
        self.store().runs(100).unwrap()
    }

    /// Returns the live processes of this project as `PID name`. Zombies do not count.
    pub fn alive(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.mark).into_bytes();
        let of = |pid: u32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
            environment.split(|byte| *byte == 0).find(|entry| *entry == mark)?;
            let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
            Some(format!("{pid} {}", name.trim()))
        };
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes.filter_map(|entry| of(entry.file_name().to_str()?.parse().ok()?)).collect()
    }

    /// Waits until no process of this project is alive. Returns those that remain.
    pub fn orphans(&self) -> Vec<String> {
        let start = Instant::now();
        loop {
            let alive = self.alive();
            if alive.is_empty() || start.elapsed() > Duration::from_secs(3) {
                return alive;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Settings of short measurements, for tests that ignore the figures. They stop at two processes per case.
pub const SHORT: &[&str] = &[
    "--set=processes=2",
    "--set=rounds=3",
    "--set=warmup=20ms",
    "--budget=60s",
    "--set=timeout=2s",
    "--set=precision=0.0001%",
];

fn measuring(settings: &[&str], harness: &[&str]) -> Vec<String> {
    let program = fake_harness().display().to_string();
    let before = ["run"].iter().chain(settings).map(|arg| (*arg).to_owned());
    let after = harness.iter().map(|arg| (*arg).to_owned());
    before.chain(["--".to_owned(), program]).chain(after).collect()
}

/// The result of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Fails unless standard error contains this failure with its four parts.
    pub fn assert_told(&self, code: FailureCode) {
        let head = format!("error {}: ", code.text());
        let at = self.stderr.find(&head).unwrap_or_else(|| panic!("no {head}in\n{}", self.stderr));
        let text = &self.stderr[at..];
        let parts = ["  where  ", "  why    ", "  try    "].map(|part| text.find(part));
        assert!(parts.iter().all(Option::is_some) && parts.is_sorted(), "{text}");
    }
}

pub struct Running {
    child: Child,
    events: BufReader<ChildStdout>,
    stderr: Option<JoinHandle<String>>,
    /// Events received so far.
    pub seen: Vec<serde_json::Value>,
}

impl Running {
    /// Returns the next event, or `None` at the end of the stream or after an incomplete line.
    pub fn next(&mut self) -> Option<&serde_json::Value> {
        let mut line = String::new();
        self.events.read_line(&mut line).unwrap();
        self.seen.push(serde_json::from_str(line.strip_suffix('\n')?).unwrap());
        self.seen.last()
    }

    /// Reads events until the `count`th one of a kind has arrived.
    pub fn wait_for(&mut self, kind: &str, count: usize) {
        while self.of(kind).count() < count {
            assert!(self.next().is_some(), "the run ended before its {kind} number {count}: {}", self.said());
        }
    }

    pub fn of(&self, kind: &str) -> impl Iterator<Item = &serde_json::Value> {
        self.seen.iter().filter(move |event| event["event"] == kind)
    }

    /// Returns the cases whose end was reported, for any reason.
    pub fn ended(&self) -> Vec<u32> {
        self.of("case-ended").map(|event| event["case"].as_u64().unwrap() as u32).collect()
    }

    pub fn signal(&self, name: &str) {
        signal(name, self.child.id());
    }

    /// Reads all remaining events and waits for the end of the process.
    pub fn finish(&mut self) -> Option<i32> {
        while self.next().is_some() {}
        self.child.wait().unwrap().code()
    }

    fn said(&mut self) -> String {
        let _ = self.child.kill();
        self.stderr.take().map_or_else(String::new, |thread| thread.join().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal with the shell's built-in `kill`, because some systems lack a program of that name.
pub fn signal(name: &str, pid: u32) {
    let _ = Command::new("sh").args(["-c", &format!("kill -{name} {pid}")]).stderr(Stdio::null()).status();
}

/// Returns the names of failed cases, of cases that ended without a failure, and of cases with a complete
/// visit.
pub fn fates(records: &Records) -> (Vec<String>, Vec<String>, Vec<String>) {
    let name = |case: u32| records.cases[case as usize].id.benchmark.clone();
    let by = |failed: bool| {
        let ended = records.ended.iter().filter(|(_, reason)| (*reason == StopReason::Failed) == failed);
        ended.map(|(case, _)| name(*case)).collect::<Vec<String>>()
    };
    let mut visited: Vec<u32> =
        records.visits.iter().filter(|record| record.complete).map(|record| record.visit.case).collect();
    visited.sort_unstable();
    visited.dedup();
    (by(true), by(false), visited.into_iter().map(name).collect())
}

/// Returns the only failure of a run. Fails unless it has all parts.
pub fn only_failure(records: &Records) -> &Failure {
    let [failure] = records.failures.as_slice() else { panic!("{:#?}", records.failures) };
    let parts = [&failure.what, &failure.why, &failure.remedy];
    assert!(parts.iter().all(|part| !part.is_empty()) && !failure.place.is_empty(), "{failure:?}");
    failure
}

/// Fails unless the run is complete and every case was measured.
pub fn assert_whole(records: &Records, cases: usize) {
    assert_eq!(records.header.status, RunStatus::Complete);
    let (failed, ended, visited) = fates(records);
    assert_eq!((failed.len(), ended.len(), visited.len()), (0, cases, cases), "{ended:?} {visited:?}");
}
