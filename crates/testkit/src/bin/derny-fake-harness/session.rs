//! The harness's side of a session with the engine.

use crate::args::{Settings, Twins};
use crate::body::{Batch, Body, Kind, Refusal};
use crate::catalogue::{Benchmark, benchmarks};
use crate::counters::{Counters, Spent};
use crate::fault::What;
use crate::wire::{Commands, Replies};
use derny_protocol::{Case, Collector, Command, End, Hello, MAX_BATCHES, ParseError, Reply, Timing, VERSION};
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub struct Session {
    settings: Settings,
    pub commands: Commands,
    pub replies: Replies,
    catalogue: Vec<Benchmark>,
    counters: Counters,
    open: Option<(String, Body)>,
    /// Number of calls of self-timed bodies in this process.
    self_timed_runs: u64,
    second_run_fails: bool,
    calls: u64,
    /// Key of the global set-up that this process performed.
    has_prepared: Option<String>,
    turns: u64,
    /// True after the open body has thrown.
    is_over: bool,
    pub leaked: Vec<Vec<u8>>,
}

const TREE: &str = "fake/tree";

/// The replies to a command, or the message of an `error`.
type Answer = Result<Vec<Reply>, String>;

impl Session {
    pub fn new(mut settings: Settings, commands: Commands, replies: Replies) -> Self {
        if let Some(path) = &settings.fault_once
            && std::fs::File::create_new(path).is_err()
        {
            settings.faults.clear();
        }
        let catalogue = benchmarks(&settings);
        let counters = Counters::new(&settings);
        let second_run_fails = settings.faults.iter().any(|fault| fault.what == What::FailOnSecondRun);
        Self {
            settings,
            commands,
            replies,
            catalogue,
            counters,
            open: None,
            self_timed_runs: 0,
            second_run_fails,
            calls: 0,
            has_prepared: None,
            turns: 0,
            is_over: false,
            leaked: Vec::new(),
        }
    }

    pub fn run(mut self) -> ExitCode {
        std::thread::sleep(Duration::from_millis(self.settings.launch_ms));
        let hello = Reply::Hello(self.hello());
        self.act("hello", None, |_| Ok(vec![hello]));
        while let Some(line) = self.commands.next() {
            match Command::parse(&line) {
                Ok(Command::Quit) => {
                    if let Some(key) = self.has_prepared.clone()
                        && let Err(message) = self.note("end", &key)
                    {
                        eprint(&message);
                    }
                    self.act("quit", None, |_| Ok(Vec::new()));
                    return ExitCode::SUCCESS;
                }
                // The messages of attached mode have no reply.
                Ok(Command::Report { text, .. }) => eprint(&text),
                Ok(Command::Result { json, .. }) => eprint(&json),
                Ok(command) if self.knows(command.verb()) => self.obey(&command),
                Ok(command) => self.say(&[Reply::Unsupported { verb: command.verb().to_owned() }]),
                Err(ParseError::UnknownVerb(verb)) => self.say(&[Reply::Unsupported { verb }]),
                Err(error) => self.say(&[Reply::error(&error.to_string(), None, false)]),
            }
        }
        // The stream ends when the engine ends.
        ExitCode::SUCCESS
    }

    fn knows(&self, verb: &str) -> bool {
        let is_optional = ["overhead", "collect", "settle", "check", "expand"].contains(&verb);
        let is_listed = |words: &Vec<String>| words.iter().any(|word| word == verb);
        self.settings.verbs.as_ref().is_none_or(is_listed) && (!is_optional || is_listed(&self.settings.can))
    }

    fn hello(&self) -> Hello {
        Hello {
            version: VERSION,
            language: "fake".to_owned(),
            runtime: "rust".to_owned(),
            harness: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            // Bodies run on the main thread, whose id equals the process id on Linux.
            thread: cfg!(target_os = "linux").then(std::process::id),
            clock: "monotonic".to_owned(),
            step_ns: 1,
            can: self.settings.can.clone(),
            gives_back: self.settings.gives_back,
            collector: self.settings.collector.unwrap_or(match self.settings.collects {
                Some(_) => Collector::Counted,
                None => Collector::Untold,
            }),
            modes: self.settings.modes.clone(),
            metrics: self.counters.metrics(),
            settings: Vec::new(),
            package: Vec::new(),
        }
    }

    fn obey(&mut self, command: &Command) {
        let case = match command {
            Command::Open { benchmark, .. } => Some(benchmark.clone()),
            _ => self.open.as_ref().map(|(name, _)| name.clone()),
        };
        let struck =
            self.settings.fault_case.clone().filter(|wanted| *wanted == named(command)).or(case.clone());
        self.act(command.verb(), struck.as_deref(), |session| session.answer(command));
        if let Some(path) = &self.settings.count_file {
            let (pid, verb, name) =
                (std::process::id(), command.verb(), case.unwrap_or_else(|| "-".to_owned()));
            let file = std::fs::File::options().append(true).create(true).open(path);
            // Ignore errors. The test that reads the file detects missing lines.
            let _ = file.and_then(|mut file| {
                file.write_all(format!("{pid} {verb} {name} {}\n", self.calls).as_bytes())
            });
        }
    }

    /// Replies at `point`, and applies the faults that trigger there.
    fn act(&mut self, point: &str, case: Option<&str>, answer: impl FnOnce(&mut Self) -> Answer) {
        let applies = self.settings.fault_case.is_none() || self.settings.fault_case.as_deref() == case;
        let faults = &mut self.settings.faults;
        let striking: Vec<What> = faults
            .iter_mut()
            .filter_map(|fault| (applies && fault.strikes(point)).then(|| fault.what.clone()))
            .collect();
        for what in &striking {
            if self.instead(what) {
                // A failed tear-down still closes the case.
                if point == "close" {
                    self.open = None;
                }
                return;
            }
        }
        if let Some((_, body)) = &mut self.open {
            body.timed_setup = striking.contains(&What::TimedSetup);
            body.extra_call = striking.contains(&What::LieCalls);
            body.full_overhead = striking.contains(&What::FullOverhead);
        }
        let mut replies = match answer(self) {
            Ok(replies) => replies,
            Err(message) => vec![Reply::error(&message, Some("at fake_harness (session.rs)"), false)],
        };
        for what in &striking {
            self.spoil(what, &mut replies);
        }
        self.say(&replies);
    }

    pub fn say(&mut self, replies: &[Reply]) {
        let text: String = replies.iter().map(|reply| format!("{reply}\n")).collect();
        self.replies.send(text.as_bytes());
    }

    fn answer(&mut self, command: &Command) -> Answer {
        if self.is_over {
            let Command::Close = command else {
                return Err(format!("{}: the body has ended", command.verb()));
            };
            (self.is_over, self.open) = (false, None);
            return Ok(vec![Reply::Closed { ops: None, reported: Vec::new(), texts: Vec::new() }]);
        }
        match command {
            Command::List { params, test, prepare, .. } => self.list(params, *test, prepare.as_ref()),
            Command::Expand { benchmark, .. } => {
                let below = self.below().ok_or_else(|| format!("expand: {benchmark} is not a parent"))?;
                Ok(below.into_iter().chain([Reply::End(End::default())]).collect())
            }
            Command::Open { benchmark, params, at } => self.open(benchmark, params, at.as_deref()),
            Command::Check => {
                let (_, body) = self.need("check")?;
                body.batch(1).map_err(message)?;
                let hash = Some(body.hash());
                self.calls += 1;
                Ok(vec![Reply::Checked { hash }])
            }
            Command::Measure { iterations, batches, within_ns, lead_ns, mode, hash } => {
                let mode = mode.as_deref().unwrap_or(&self.settings.modes[0]).to_owned();
                if !self.settings.modes.contains(&mode) {
                    return Err(format!("measure: the modes are {}", self.settings.modes.join(", ")));
                }
                self.turns += 1;
                if *lead_ns > 0 {
                    self.measure(*iterations, MAX_BATCHES, *lead_ns, false, &mode)?;
                }
                self.measure(*iterations, *batches, *within_ns, *hash, &mode)
            }
            Command::Overhead { iterations, batches } => self.overhead(*iterations, *batches),
            Command::Collect => self.need("collect").map(|_| vec![Reply::Collected { ns: 1 }]),
            Command::Settle { .. } => {
                let (_, body) = self.need("settle")?;
                body.settle();
                Ok(vec![Reply::Settled { ns: 1 }])
            }
            Command::Close => {
                let (_, body) = self.open.take().ok_or("close: no case is open")?;
                let (ops, reported) = body.reported_at_close();
                body.close().map_err(message)?;
                Ok(vec![Reply::Closed { ops, reported, texts: Vec::new() }])
            }
            Command::Report { .. } | Command::Result { .. } | Command::Quit => Ok(Vec::new()),
        }
    }

    fn list(&mut self, params: &[(String, Vec<String>)], test: bool, prepare: Option<&String>) -> Answer {
        if let Some(key) = prepare
            && self.settings.prepared.is_some()
        {
            self.has_prepared = Some(key.clone());
            self.note("prepare", key)?;
        }
        let of = |benchmark: &Benchmark| benchmark.cases(params, test, &self.settings);
        let cases = self.catalogue.iter().flat_map(of);
        let cases = cases.map(|case| self.told(case));
        let parent =
            self.settings.below.map(|_| Case { benchmark: TREE.to_owned(), parent: true, ..Case::default() });
        let replies = cases.chain(parent).map(|case| Reply::Case(Box::new(case)));
        Ok(replies.chain([Reply::End(End::default())]).collect())
    }

    fn need(&mut self, verb: &str) -> Result<&mut (String, Body), String> {
        self.open.as_mut().ok_or_else(|| format!("{verb}: no case is open"))
    }

    /// Returns the children of the parent, or `None` if there is no parent.
    fn below(&self) -> Option<Vec<Reply>> {
        let of = |number| Case { benchmark: format!("{TREE}/{number}"), ..Case::default() };
        let case = |number| Reply::Case(Box::new(self.told(of(number))));
        self.settings.below.map(|count| (1..=count).map(case).collect())
    }

    /// Adds the properties that arguments define for all cases.
    fn told(&self, case: Case) -> Case {
        let settings = &self.settings;
        Case {
            prepared: settings.prepared.is_some().then(|| self.key(&case.benchmark)),
            max_batches: settings.max_batches,
            about_ns: settings.about_ns,
            timeout_ns: settings.timeout_ns,
            suite: settings.module.clone(),
            skip: settings
                .skips
                .as_ref()
                .filter(|name| **name == case.benchmark)
                .map(|_| "needs more than there is".to_owned()),
            threads: settings.threads.or(case.threads),
            ..case
        }
    }

    fn key(&self, benchmark: &str) -> String {
        let at = self.catalogue.iter().position(|other| other.name == benchmark).unwrap_or(0);
        self.settings.setup_keys[at % self.settings.setup_keys.len()].clone()
    }

    /// Appends a line about this process to the file of `--prepared`.
    fn note(&self, what: &str, key: &str) -> Result<(), String> {
        let Some(path) = &self.settings.prepared else { return Ok(()) };
        let file = std::fs::File::options().append(true).create(true).open(path);
        let scratch = std::env::var("DERNY_SCRATCH").unwrap_or_default();
        let line = format!("{what} {} {key} {scratch}\n", std::process::id());
        file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| error.to_string())
    }

    /// Fails if the process that performed the global set-up has ended.
    fn check_preparer(&self, benchmark: &str) -> Result<(), String> {
        let Some(path) = &self.settings.prepared else { return Ok(()) };
        let number = std::env::var("DERNY_PREPARER").map_err(|_| "open: DERNY_PREPARER is not set")?;
        let told = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let scratch = std::env::var("DERNY_SCRATCH").map_err(|_| "open: DERNY_SCRATCH is not set")?;
        let key = self.key(benchmark);
        let has = |what: &str| told.lines().any(|line| line == format!("{what} {number} {key} {scratch}"));
        if has("prepare") && !has("end") {
            Ok(())
        } else {
            Err(format!("open: the global set-up in process {number} is not alive\n{told}"))
        }
    }

    fn open(&mut self, name: &str, params: &[(String, String)], at: Option<&str>) -> Answer {
        self.check_preparer(name)?;
        if self.open.is_some() {
            return Err("open: a case is open already".to_owned());
        }
        // A child is a copy of the first benchmark, even if this process has expanded nothing.
        let own = if name.strip_prefix(TREE).is_some_and(|rest| rest.starts_with('/')) {
            "fake/steady"
        } else {
            name
        };
        let benchmark = self.catalogue.iter().find(|benchmark| benchmark.name == own);
        let benchmark = benchmark.ok_or_else(|| format!("open: there is no benchmark {name}"))?;
        let case = benchmark.cases(&[], true, &self.settings).remove(0);
        let self_timed = case.timing == Timing::SelfTimed;
        let twin = (benchmark.kind == Kind::Twin).then(|| twin(at, self.settings.twins)).transpose()?;
        let params = twin.as_ref().map_or(params, std::slice::from_ref);
        match Body::open(name, benchmark.kind, self_timed, params, &self.settings) {
            Ok(body) => {
                self.open = Some((name.to_owned(), body));
                // All following cases are opened after another case, so `--crowded` applies to them.
                let crowded = std::mem::take(&mut self.settings.crowded);
                self.settings.changed.extend(crowded);
                Ok(vec![Reply::Opened { thread: None, once: false }])
            }
            Err(Refusal::Skip(reason)) => Ok(vec![Reply::Skip { reason }]),
            Err(Refusal::Thrown(message)) => Err(message),
        }
    }

    fn measure(
        &mut self,
        iterations: u64,
        batches: u32,
        within_ns: u64,
        wants_hash: bool,
        mode: &str,
    ) -> Answer {
        check_range(iterations, batches)?;
        self.counters.start();
        let (_, body) = self.open.as_mut().ok_or("measure: no case is open")?;
        let pending = body.calls < self.settings.pending;
        body.dearer = if pending || mode.starts_with("time_") { 2.0 } else { 1.0 };
        let before = body.calls;
        let (mut times, mut ops) = (Vec::with_capacity(batches as usize), Vec::new());
        let mut thrown = None;
        let start = Instant::now();
        let mut timed_ns = 0;
        while times.len() < batches as usize && thrown.is_none() {
            if self.second_run_fails && self.self_timed_runs > 0 {
                std::process::exit(0);
            }
            match body.batch(iterations) {
                Ok(Batch { ns, ops: done }) => {
                    times.push(ns);
                    timed_ns += ns;
                    ops.extend(done);
                    self.self_timed_runs += u64::from(done.is_some());
                }
                Err(refusal) => thrown = Some(message(refusal)),
            }
            let passed_ns =
                if self.settings.made_up { u128::from(timed_ns) } else { start.elapsed().as_nanos() };
            if passed_ns >= u128::from(within_ns) {
                break;
            }
        }
        let calls = body.calls - before;
        self.calls += calls;
        if let Some(message) = thrown {
            self.is_over = self.settings.inside;
            return Err(message);
        }
        let spent = Spent { calls, timed_ns, pauses: body.take_pauses() };
        let counters = [self.counters.stop(&spent, mode == "trace"), body.values(calls)].concat();
        let reported = body.reported(calls);
        body.turns += 1;
        let hash = wants_hash.then(|| body.hash());
        let mut replies = vec![if body.has_times() { Reply::Times(times) } else { Reply::NoTimes }];
        if !ops.is_empty() {
            replies.push(Reply::Ops(ops));
        }
        // The id of another process simulates a body that moves to another thread.
        let thread = self.settings.moves.map(|span| std::process::id() + (self.turns / span % 2) as u32);
        replies.push(Reply::End(End { counters, hash, pending, thread, reported }));
        Ok(replies)
    }

    fn overhead(&mut self, iterations: u64, batches: u32) -> Answer {
        check_range(iterations, batches)?;
        self.need("overhead")?;
        self.counters.start();
        let (_, body) = self.open.as_ref().ok_or("overhead: no case is open")?;
        let taken: Vec<Batch> = (0..batches).map(|_| body.empty(iterations)).collect();
        let none = vec![None; body.values(0).len()];
        let timed_ns = taken.iter().map(|batch| batch.ns).sum();
        let counters =
            [self.counters.stop(&Spent { calls: 0, timed_ns, pauses: None }, false), none].concat();
        let ops: Vec<f64> = taken.iter().filter_map(|batch| batch.ops).collect();
        let mut replies = vec![Reply::Times(taken.iter().map(|batch| batch.ns).collect())];
        if !ops.is_empty() {
            replies.push(Reply::Ops(ops));
        }
        replies.push(Reply::End(End { counters, ..End::default() }));
        Ok(replies)
    }
}

fn twin(at: Option<&str>, twins: Option<Twins>) -> Result<(String, String), String> {
    let us = match (at, twins) {
        (Some("second"), None | Some(Twins::Any)) => "200",
        (Some("first"), _) | (_, Some(_)) => "20",
        _ => return Err("open: two benchmarks have this name, and `at` is missing".to_owned()),
    };
    Ok(("us".to_owned(), us.to_owned()))
}

fn check_range(iterations: u64, batches: u32) -> Result<(), String> {
    if iterations == 0 {
        return Err("iterations must be at least 1".to_owned());
    }
    if batches == 0 || batches > MAX_BATCHES {
        return Err(format!("batches must be 1 to {MAX_BATCHES}"));
    }
    Ok(())
}

fn message(refusal: Refusal) -> String {
    match refusal {
        Refusal::Skip(text) | Refusal::Thrown(text) => text,
    }
}

/// Writes messages to standard error, where tests look for them.
fn eprint(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn named(command: &Command) -> String {
    let Command::Open { benchmark, params, .. } = command else { return String::new() };
    let params = params.iter().map(|(key, value)| format!(" {key}={value}"));
    benchmark.clone() + &params.collect::<String>()
}
