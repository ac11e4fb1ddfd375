//! A separate project for a test: a folder, the binary, the scripted harness, and the results of commands.

mod agree;
mod schemas;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Settings of a run that takes a fraction of a second. The numbers of processes and rounds limit it, and
/// the budget is long enough for any machine.
pub const TINY: [&str; 8] =
    ["--budget", "60s", "--set", "processes=2", "--set", "rounds=2", "--set", "warmup=0"];

/// Settings of the shortest run of two sides that has verdicts.
pub const SHORT: &[&str] =
    &["--set=processes=8", "--set=rounds=2", "--set=warmup=0", "--set=batch-time=50us", "--budget=60s"];

/// The result of a command.
pub struct Done {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Done {
    /// Fails the test unless the command ended with `code`. Returns the result.
    #[track_caller]
    pub fn expect(self, code: i32) -> Done {
        assert_eq!(self.code, code, "\n--- stdout\n{}\n--- stderr\n{}", self.out, self.err);
        self
    }

    /// Returns standard output as JSON. Checks it against its schema, if it has one.
    #[track_caller]
    pub fn json(&self) -> Value {
        let value = serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out));
        schemas::check(&value);
        value
    }

    /// Returns the comparison of the result on standard output.
    pub fn comparison(&self) -> Value {
        self.json()["comparison"].take()
    }

    /// Returns standard output as JSON lines.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let lines: Vec<Value> = self.out.lines().map(parse).collect();
        lines.iter().for_each(schemas::check);
        lines
    }
}

/// A temporary project, which is removed on drop.
pub struct Place {
    pub root: PathBuf,
}

impl Place {
    pub fn new() -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("derny-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        // Use the canonical path, as programs started there see it.
        Place { root: root.canonicalize().unwrap() }
    }

    /// Writes a file below the project. Returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Returns the text of a file below the project.
    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        let path = self.root.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Writes an executable file. Returns its path.
    #[cfg(unix)]
    pub fn program(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Returns a command for the binary, in the project's folder and without environment variables that would
    /// affect it.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program_here(env!("CARGO_BIN_EXE_derny"));
        command.args(args);
        command
    }

    /// Returns a command for a line of shell in the project, with the binary and the scripted harness on the
    /// PATH.
    pub fn shell(&self, line: &str) -> Command {
        let programs = [Path::new(env!("CARGO_BIN_EXE_derny")), derny_testkit::program::fake_harness()];
        let folders = programs.iter().map(|program| program.parent().unwrap().to_owned());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap();
        let mut command = self.program_here("sh");
        command.args(["-c", line]).env("PATH", path);
        command
    }

    fn program_here(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("DERNY_") || text.starts_with("LC_") {
                command.env_remove(name);
            }
        }
        // Node reads its certificates at each start, and no test downloads anything with it.
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CI", "COLUMNS", "NODE_EXTRA_CA_CERTS"] {
            command.env_remove(name);
        }
        command
            .env("LANG", "C.UTF-8")
            .env("TERM", "xterm")
            .env("XDG_CONFIG_HOME", self.root.join("no-config"));
        // Maven runs for seconds. Optimised code takes longer to make than it saves.
        command.env("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        command.env("DERNY_CACHE", std::env::temp_dir().join("derny-cli-cache")).env("DERNY_NO_QUEUE", "1");
        command.current_dir(&self.root).stdin(Stdio::null());
        command
    }

    /// Runs the binary.
    pub fn derny(&self, args: &[&str]) -> Done {
        done(self.command(args).output().unwrap())
    }

    /// Runs the binary with environment variables.
    pub fn derny_with(&self, env: &[(&str, &str)], args: &[&str]) -> Done {
        done(self.command(args).envs(env.iter().copied()).output().unwrap())
    }

    /// Runs `derny ARGS -- FAKE HARNESS`. Arguments after a `--` go to the scripted harness.
    pub fn fake(&self, args: &[&str]) -> Done {
        self.derny(&fake_args(args))
    }

    /// Makes a tiny run with further flags.
    pub fn tiny(&self, args: &[&str]) -> Done {
        self.fake(&with_tiny(args))
    }

    /// Makes a tiny run and returns its events.
    #[track_caller]
    pub fn events(&self, args: &[&str]) -> Events {
        self.events_ending(args, 0)
    }

    /// Like `events`, for a run that ends with `code`.
    #[track_caller]
    pub fn events_ending(&self, args: &[&str], code: i32) -> Events {
        let all: Vec<&str> = ["-f", "ndjson"].iter().chain(args).copied().collect();
        Events(self.tiny(&all).expect(code).lines())
    }

    /// Returns all batches of the last run.
    #[track_caller]
    pub fn rows(&self) -> Vec<Value> {
        self.derny(&["export", "--raw", "-f", "ndjson"]).expect(0).lines()
    }

    /// Returns the batches of a phase.
    #[track_caller]
    pub fn phase(&self, phase: &str) -> Vec<Value> {
        self.rows().into_iter().filter(|row| row["phase"] == phase).collect()
    }

    /// Returns the document of the last run.
    #[track_caller]
    pub fn document(&self) -> Value {
        self.derny(&["show", "-f", "json"]).expect(0).json()
    }

    /// Returns the stored runs, newest first.
    #[track_caller]
    pub fn runs(&self) -> Vec<Value> {
        match self.root.join(".derny/derny.sqlite").exists() {
            true => self.derny(&["runs", "-f", "json"]).expect(0).json().as_array().unwrap().clone(),
            false => Vec::new(),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            agree::check(&self.root.join(".derny"));
        }
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

/// Returns the arguments of `run` with tiny settings in front. Settings that the test also gives are omitted,
/// because clap rejects a flag that is given twice.
fn with_tiny<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["run"];
    let is_given = |pair: &[&str]| match pair[1].split_once('=') {
        Some((key, _)) => args.iter().any(|arg| arg.split_once('=').is_some_and(|(own, _)| own == key)),
        None => args.contains(&pair[0]),
    };
    for pair in TINY.chunks(2) {
        if !is_given(pair) {
            all.extend(pair);
        }
    }
    all.extend(args);
    all
}

/// Inserts the scripted harness after `--`.
pub fn fake_args<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let at = args.iter().position(|arg| *arg == "--").unwrap_or(args.len());
    let mut all = args[..at].to_vec();
    all.extend(["--", harness()]);
    all.extend(args.get(at + 1..).unwrap_or(&[]));
    all
}

pub fn harness() -> &'static str {
    derny_testkit::program::fake_harness().to_str().unwrap()
}

pub fn done(output: Output) -> Done {
    use std::os::unix::process::ExitStatusExt;
    let code = output.status.code().unwrap_or_else(|| -output.status.signal().unwrap_or(0));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done { code, out: text(output.stdout), err: text(output.stderr) }
}

/// The event stream of a run.
pub struct Events(pub Vec<Value>);

impl Events {
    /// Returns the events of one kind.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|event| event["event"] == kind).collect()
    }

    pub fn settings(&self) -> &Value {
        &self.0[0]["run"]["settings"]
    }

    /// Returns the turns of a phase.
    pub fn turns(&self, phase: &str) -> Vec<&Value> {
        self.of("turn").into_iter().filter(|turn| turn["phase"] == phase).collect()
    }

    /// Returns the `process-started` event of a turn's process.
    pub fn process_of(&self, turn: &Value) -> &Value {
        let visit = self.of("visit-started").into_iter().find(|v| v["visit"] == turn["visit"]).unwrap();
        self.of("process-started").into_iter().find(|p| p["process"] == visit["process"]).unwrap()
    }
}

#[track_caller]
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs git in a folder, independent of the user's configuration. Returns its output.
#[track_caller]
pub fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder);
    for setting in ["user.name=t", "user.email=t@t", "commit.gpgsign=false", "protocol.file.allow=always"] {
        command.args(["-c", setting]);
    }
    let output = command.args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
