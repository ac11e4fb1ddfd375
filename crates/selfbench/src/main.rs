//! `derny-selfbench`: the engine's own hot code, measured by the engine.
//!
//! A harness in the sense of `protocol/PROTOCOL.md`, for the benchmarks in `bodies` only; it is not an SDK. It starts no
//! processes, so the two variables may stay in its environment.

mod bodies;
mod recorded;

use bodies::{BENCHMARKS, Benchmark, Body};
use derny_protocol::{Case, Command, End, Hello, MAX_BATCHES, ParseError, Reply, VERSION};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let path = |name: &str| {
        std::env::var_os(name).ok_or(format!("{name} is not set; start it by `derny run` in the checkout"))
    };
    let streams = || -> Result<(BufReader<File>, File), String> {
        let (commands, replies) = (path("DERNY_COMMANDS")?, path("DERNY_REPLIES")?);
        let wrong = |path: &std::ffi::OsStr, error| format!("cannot open {}: {error}", path.display());
        // In this order: with two FIFOs each side waits for the other's end.
        let writer = OpenOptions::new().write(true).open(&replies).map_err(|error| wrong(&replies, error))?;
        let reader = File::open(&commands).map_err(|error| wrong(&commands, error))?;
        Ok((BufReader::new(reader), writer))
    };
    let spoken = streams().and_then(|(reader, writer)| converse(reader, writer).map_err(|e| e.to_string()));
    match spoken {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Nothing is left to do if standard error is closed.
            let _ = writeln!(std::io::stderr(), "derny-selfbench: {why}");
            ExitCode::from(2)
        }
    }
}

/// Answers until `quit`, or until the engine is gone.
fn converse(reader: impl BufRead, mut writer: impl Write) -> std::io::Result<()> {
    let mut session = Session { open: None, times: Vec::with_capacity(MAX_BATCHES as usize) };
    writeln!(writer, "{}", Reply::Hello(hello()))?;
    for line in reader.lines() {
        let answer = match Command::parse(&line?) {
            Ok(Command::Quit) => break,
            Ok(command) => {
                session.answer(command).unwrap_or_else(|why| vec![Reply::error(&why, None, false)])
            }
            Err(ParseError::UnknownVerb(verb)) => vec![Reply::Unsupported { verb }],
            Err(error) => vec![Reply::error(&error.to_string(), None, false)],
        };
        let text: String = answer.iter().map(|reply| format!("{reply}\n")).collect();
        writer.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn hello() -> Hello {
    Hello {
        version: VERSION,
        language: "rust".to_owned(),
        runtime: "rust".to_owned(),
        harness: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        // Everything happens in the main thread, whose number is the process's on Linux.
        thread: cfg!(target_os = "linux").then(std::process::id),
        clock: "instant".to_owned(),
        step_ns: clock_step_ns(),
        can: vec!["overhead".to_owned()],
        modes: vec!["time".to_owned()],
        metrics: Vec::new(),
    }
}

/// The smallest difference between two readings that is not zero.
fn clock_step_ns() -> u64 {
    let step = || {
        let start = Instant::now();
        loop {
            let ns = start.elapsed().as_nanos() as u64;
            if ns > 0 {
                return ns;
            }
        }
    };
    (0..100).map(|_| step()).min().unwrap_or(1)
}

struct Session {
    open: Option<Body>,
    /// Made once: no batch of the measured code pays for it.
    times: Vec<u64>,
}

/// An answer, or the sentence of an `error`.
type Answer = Result<Vec<Reply>, String>;

impl Session {
    fn answer(&mut self, command: Command) -> Answer {
        match command {
            Command::List { params, .. } => {
                let cases = BENCHMARKS.iter().flat_map(|benchmark| cases(benchmark, &params));
                Ok(cases.map(Reply::Case).chain([Reply::End(End::default())]).collect())
            }
            Command::Open { benchmark, params } => self.open(&benchmark, &params),
            Command::Measure { iterations, batches, within_ns, mode, .. } => {
                if mode.as_deref().is_some_and(|mode| mode != "time") {
                    return Err("measure: the only mode is time".to_owned());
                }
                let body = self.open.as_mut().ok_or("measure: no case is open")?;
                turn(&mut self.times, body, iterations, batches, within_ns)
            }
            Command::Overhead { iterations, batches } => {
                self.open.as_ref().ok_or("overhead: no case is open")?;
                turn(&mut self.times, &mut bodies::body(|| ()), iterations, batches, u64::MAX)
            }
            Command::Close => {
                drop(self.open.take().ok_or("close: no case is open")?);
                Ok(vec![Reply::Closed])
            }
            // What `can` leaves out.
            other => Ok(vec![Reply::Unsupported { verb: other.verb().to_owned() }]),
        }
    }

    fn open(&mut self, name: &str, params: &[(String, String)]) -> Answer {
        if self.open.is_some() {
            return Err("open: a case is open already".to_owned());
        }
        let found = BENCHMARKS.iter().find(|benchmark| benchmark.name == name);
        let benchmark = found.ok_or_else(|| format!("open: there is no benchmark {name}"))?;
        let n = match (benchmark.n, params) {
            ([], []) => 0,
            ([_, ..], [(key, value)]) if key == "n" => {
                value.parse().map_err(|_| format!("open: n must be a whole number, not {value}"))?
            }
            _ => return Err(format!("open: the parameters of {name} are: {}", names(benchmark))),
        };
        self.open = Some((benchmark.make)(n)?);
        Ok(vec![Reply::Opened { thread: None }])
    }
}

fn names(benchmark: &Benchmark) -> &'static str {
    if benchmark.n.is_empty() { "none" } else { "n" }
}

/// A case for each `n`, given values in place of the benchmark's own.
fn cases(benchmark: &Benchmark, given: &[(String, Vec<String>)]) -> Vec<Case> {
    let case = |params| Case { benchmark: benchmark.name.to_owned(), params, ..Case::default() };
    if benchmark.n.is_empty() {
        return vec![case(Vec::new())];
    }
    let own = || benchmark.n.iter().map(ToString::to_string).collect();
    let values = given.iter().find(|(key, _)| key == "n").map_or_else(own, |(_, values)| values.clone());
    values.into_iter().map(|value| case(vec![("n".to_owned(), value)])).collect()
}

fn turn(times: &mut Vec<u64>, body: &mut Body, iterations: u64, batches: u32, within_ns: u64) -> Answer {
    if iterations == 0 || batches == 0 || batches > MAX_BATCHES {
        return Err(format!("iterations must be at least 1, batches 1 to {MAX_BATCHES}"));
    }
    times.clear();
    let start = Instant::now();
    while times.len() < batches as usize {
        times.push(body(iterations));
        if start.elapsed().as_nanos() >= u128::from(within_ns) {
            break;
        }
    }
    Ok(vec![Reply::Times(times.clone()), Reply::End(End::default())])
}
