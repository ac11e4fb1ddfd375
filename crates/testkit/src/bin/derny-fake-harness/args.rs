//! Command-line arguments of the scripted harness.

use crate::fault::InjectedFault;
use crate::made_up::Pauses;
use crate::number::number;
use derny_protocol::{Collector, Metric, Reply};
use std::path::PathBuf;

const HELP: &str = "usage: derny-fake-harness [OPTION…]
  --fault=WHAT[:ARG][@POINT[:N]]  misbehave at POINT, every time or the Nth time in this process; may be repeated
      POINT: hello list expand open check measure overhead collect settle close quit
      exit:CODE signal:NAME hang throw fatal          exit, be killed, never answer, answer `error`, answer `error` and end
      garbage half-line half-line-exit long-line      reply with this instead of the answer
      say:LINE                                        reply with LINE instead of the answer
      wrong-reply twice skip future                   reply with another verb, with the answer twice, with `skip`, with a newer version
      flood-stdout:BYTES flood-stderr:BYTES           print this many bytes before the answer
      leak:BYTES                                      allocate this many bytes, and never free them
      spawn-child:SECONDS                             start a sleeping child that inherits the streams (60)
      lie-times lie-ops lie-counters                  report counts that do not agree (at measure)
      lie-clock lie-calls timed-setup wire-print      break rules that only `derny dev conform` checks (at measure)
      full-overhead                                   run the body instead of an empty one (at overhead)
      cannot-hello exit-at-hello ignore-quit fail-on-second-run busy-wait
      double-fork:SECONDS                             start a sleeping grandchild in a separate session, whose parent ends (at open)
  --fault-case=NAME   only while this benchmark is open or being opened; `NAME KEY=VALUE` is one case of it
  --fault-once=FILE   only in the first process, which creates FILE
  --cases=N           N copies of one benchmark, fake/copy-001 …, instead of the usual ones
  --conform           also the benchmarks of a conformance program
  --twins=HOW         how the two benchmarks with the same name of --conform fail: `alike`, both are listed alike; `one`,
                      the first one always opens; `any`, one of them opens without `at`
  --verbs=WORDS       know only `quit` and these verbs, separated by commas
  --can=WORDS         declare only these abilities, separated by commas
  --modes=WORDS       have these modes, separated by commas. Modes that begin with time_ take twice the time, and trace reports
                      `allocated`
  --timing=self       bodies time themselves
  --scale=POWER       fake/sized times itself, and iterations above 1 set its n. An operation takes --cost-ns at the configured n, and
                      n to this power times as long at other values
  --runner=NAME       declare NAME as the program that the benchmarks were written for, and report the first call
  --cold=PERCENT      make the first batch of a process slower by this
  --untimed=EACH:BATCH:POWER  untimed work of a batch: EACH ns times the iterations to the power of POWER (1), plus BATCH ns.
                      --fault-case limits this and the next three options to one benchmark
  --open-ms=MS        time to open a case
  --close-ms=MS       time to close it
  --first-ms=MS       additional time of the first batch of a body
  --cost-ns=NS        time of an iteration of fake/steady, fake/sized and the copies (50)
  --work=ROUNDS       rounds of arithmetic of an iteration of fake/work (1000)
  --metric=ITEM=VALUES  cases also have the metric ITEM, in the form of the list `metrics`. Its VALUES in the turns of a process are
                      separated by slashes, and repeat after the last. Values of a total are per call. May be repeated
  --reports=ITEM=VALUES  every turn reports this undeclared value; in the form of --metric
  --reports-at-close=ITEM=VALUES  the same at the end of a case; a total is per call since it was opened
  --memo=CALLS        fake/work does work only in one of this many calls or, with `batch`, in the first call of a batch
  --fewer=PERCENT     fake/work skips this share of the iterations, but always runs one
  --offset=PERCENT    bodies are slower by this
  --noise=PERCENT     standard deviation of a batch's time, for bodies that wait for the clock or have simulated times
  --seed=N            seed of the noise
  --made-up           simulate the times of bodies that would wait for the clock, and report them at once
  --process-noise=PERCENT  simulated times only: standard deviation of the logarithm of a process's speed, which depends on its
                      DERNY_STACK_PADDING
  --pauses=PERCENT:MS  simulated times only: share of turns of 2 ms with a pause, and the length of the pause
  --changed=BENCHMARK:PERCENT  simulated times only: this benchmark is slower by this; may be repeated
  --crowded=BENCHMARK:PERCENT  simulated times only: this benchmark is slower by this in a process that opened another case before
  --first=PERCENT:FILE  simulated times only: the first of every two processes that open a case is slower by this; FILE
                      counts the processes
  --collector=WORD    none, counted or untold. With counted, simulated pauses are reported as collections
  --compiles=N        report a compilation in each of the first N turns of the process
  --pending=CALLS     in the first CALLS calls of a body, take twice the time and report a pending compilation
  --touch=PAGES:OF     every call writes to the next PAGES of the OF pages of its heap, starting again after the last
  --grows=CALLS        CALLS calls after settling, replace the heap once by an untouched one
  --maps=PAGES         every call allocates memory, writes to this many of its pages, and returns it to the system
  --collects=CALLS     report a collection every CALLS calls, and up to four times as many in the first 40,000 calls of the process
  --cpu-process=FACTOR also report `cpu`, the time of the batches, and `cpu_process`, FACTOR times as much
  --gives-back         declare that a forced collection returns memory to the system
  --launch-ms=MS      time before the first line
  --prepared=FILE     cases need a global set-up. Its process appends `prepare PID KEY SCRATCH` to FILE, and `end PID KEY SCRATCH` when
                      it ends. A case opens only in between
  --setup-keys=WORDS  keys of global set-ups, which the benchmarks take in turn (1)
  --inside            the loop runs within a call of the user's: after a body has thrown in a turn, only `close` is obeyed
  --below=N           also have a benchmark fake/tree, whose N cases are found only by running it
  --max-batches=N     bodies wear out: an error after N batches
  --about-ns=NS       declared time of a call
  --timeout-ns=NS     declared time limit for an answer
  --module=NAME       cases belong to this package, class or module
  --skips=BENCHMARK   list this benchmark as one that cannot be measured here
  --threads=N         declared number of threads of bodies
  --moves=TURNS       report another measuring thread after every TURNS turns
  --count-file=FILE   append `PID VERB BENCHMARK CALLS` after every command";

/// Faults of two benchmarks with the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twins {
    /// Nothing in the list distinguishes them.
    Alike,
    /// The first one opens, whichever one the engine requests.
    One,
    /// One of them opens even if `at` is missing.
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memo {
    /// Only the first call of each batch does work.
    Batch,
    /// One in this many calls does work.
    Calls(u64),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub faults: Vec<InjectedFault>,
    pub fault_case: Option<String>,
    pub fault_once: Option<PathBuf>,
    pub cases: Option<usize>,
    pub conform: bool,
    pub twins: Option<Twins>,
    pub verbs: Option<Vec<String>>,
    pub can: Vec<String>,
    pub modes: Vec<String>,
    pub self_timed: bool,
    pub scale: Option<f64>,
    pub runner: Option<String>,
    pub cold: f64,
    pub untimed: [f64; 3],
    pub open_ms: u64,
    pub close_ms: u64,
    pub first_ms: u64,
    pub cost_ns: f64,
    pub work: f64,
    pub memo: Option<Memo>,
    pub fewer: f64,
    pub metrics: Vec<(Metric, Vec<f64>)>,
    pub reports: Vec<(Metric, Vec<f64>)>,
    pub reports_at_close: Vec<(Metric, Vec<f64>)>,
    pub offset: f64,
    pub noise: f64,
    pub seed: u64,
    pub made_up: bool,
    pub process_noise: f64,
    pub pauses: Option<Pauses>,
    pub changed: Vec<(String, f64)>,
    pub crowded: Vec<(String, f64)>,
    pub first: Option<(f64, PathBuf)>,
    pub collector: Option<Collector>,
    pub compiles: Option<u64>,
    pub pending: u64,
    pub touch: Option<(usize, usize)>,
    pub grows: Option<u64>,
    pub maps: Option<usize>,
    pub collects: Option<u64>,
    pub cpu_process: Option<f64>,
    pub gives_back: bool,
    pub launch_ms: u64,
    pub prepared: Option<PathBuf>,
    pub setup_keys: Vec<String>,
    pub inside: bool,
    pub below: Option<usize>,
    pub max_batches: Option<u32>,
    pub about_ns: Option<u64>,
    pub timeout_ns: Option<u64>,
    pub module: Option<String>,
    pub skips: Option<String>,
    pub threads: Option<u32>,
    pub moves: Option<u64>,
    pub count_file: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            faults: Vec::new(),
            fault_case: None,
            fault_once: None,
            cases: None,
            conform: false,
            twins: None,
            verbs: None,
            can: words("overhead,collect,settle,check,hash,expand"),
            modes: words("time"),
            self_timed: false,
            scale: None,
            runner: None,
            cold: 0.0,
            untimed: [0.0, 0.0, 1.0],
            open_ms: 0,
            close_ms: 0,
            first_ms: 0,
            cost_ns: 50.0,
            work: 1000.0,
            memo: None,
            fewer: 0.0,
            metrics: Vec::new(),
            reports: Vec::new(),
            reports_at_close: Vec::new(),
            offset: 0.0,
            noise: 0.0,
            seed: 1,
            made_up: false,
            process_noise: 0.0,
            pauses: None,
            changed: Vec::new(),
            crowded: Vec::new(),
            first: None,
            collector: None,
            compiles: None,
            pending: 0,
            touch: None,
            grows: None,
            maps: None,
            collects: None,
            cpu_process: None,
            gives_back: false,
            launch_ms: 0,
            prepared: None,
            setup_keys: words("1"),
            inside: false,
            below: None,
            max_batches: None,
            about_ns: None,
            timeout_ns: None,
            module: None,
            skips: None,
            threads: None,
            moves: None,
            count_file: None,
        }
    }
}

impl Settings {
    /// Parses the arguments.
    ///
    /// # Errors
    ///
    /// Fails with a description of the error, or the help.
    pub fn parse(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self::default();
        for arg in args {
            let (key, value) = arg.split_once('=').unwrap_or((&arg, ""));
            let is_known = settings.set_faults(key, value)?
                || settings.set_catalogue(key, value)?
                || settings.set_times(key, value)?
                || settings.set_reports(key, value)?;
            match key {
                _ if is_known => {}
                "--help" => return Err(HELP.to_owned()),
                _ => return Err(format!("unknown argument {arg}\n{HELP}")),
            }
        }
        Ok(settings)
    }

    fn set_faults(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "--fault" => self.faults.push(InjectedFault::parse(value)?),
            "--fault-case" => self.fault_case = Some(value.to_owned()),
            "--fault-once" => self.fault_once = Some(PathBuf::from(value)),
            "--inside" => self.inside = true,
            "--max-batches" => self.max_batches = Some(number(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses an argument for the benchmarks and the properties of their cases.
    fn set_catalogue(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "--cases" => self.cases = Some(number(key, value)?),
            "--conform" => self.conform = true,
            "--twins" => self.twins = Some(twins(key, value)?),
            "--verbs" => self.verbs = Some(words(value)),
            "--can" => self.can = words(value),
            "--modes" => self.modes = words(value),
            "--timing" if value == "self" => self.self_timed = true,
            "--runner" => self.runner = Some(value.to_owned()),
            "--prepared" => self.prepared = Some(PathBuf::from(value)),
            "--setup-keys" => self.setup_keys = words(value),
            "--below" => self.below = Some(number(key, value)?),
            "--about-ns" => self.about_ns = Some(number(key, value)?),
            "--timeout-ns" => self.timeout_ns = Some(number(key, value)?),
            "--module" => self.module = Some(value.to_owned()),
            "--skips" => self.skips = Some(value.to_owned()),
            "--threads" => self.threads = Some(number(key, value)?),
            "--moves" => self.moves = Some(number(key, value)?),
            "--count-file" => self.count_file = Some(PathBuf::from(value)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses an argument for the times of bodies and of the steps around them.
    fn set_times(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "--scale" => self.scale = Some(number(key, value)?),
            "--cold" => self.cold = number(key, value)?,
            "--untimed" => {
                for (at, part) in value.split(':').enumerate().take(3) {
                    self.untimed[at] = number(key, part)?;
                }
            }
            "--open-ms" => self.open_ms = number(key, value)?,
            "--close-ms" => self.close_ms = number(key, value)?,
            "--first-ms" => self.first_ms = number(key, value)?,
            "--cost-ns" => self.cost_ns = number(key, value)?,
            "--work" => self.work = number(key, value)?,
            "--memo" if value == "batch" => self.memo = Some(Memo::Batch),
            "--memo" => self.memo = Some(Memo::Calls(number(key, value)?)),
            "--fewer" => self.fewer = number(key, value)?,
            "--offset" => self.offset = number(key, value)?,
            "--noise" => self.noise = number(key, value)?,
            "--seed" => self.seed = number(key, value)?,
            "--made-up" => self.made_up = true,
            "--process-noise" => self.process_noise = number(key, value)?,
            "--pauses" => self.pauses = Some(pauses(key, value)?),
            "--changed" | "--crowded" => {
                let (name, percent) = halves(key, value)?;
                let change = (name.to_owned(), number(key, percent)?);
                let changes = if key == "--changed" { &mut self.changed } else { &mut self.crowded };
                changes.push(change);
            }
            "--first" => {
                let (percent, file) = halves(key, value)?;
                self.first = Some((number(key, percent)?, PathBuf::from(file)));
            }
            "--launch-ms" => self.launch_ms = number(key, value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Parses an argument for values other than times, or for the memory use of bodies.
    fn set_reports(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "--metric" => self.metrics.push(metric(key, value)?),
            "--reports" => self.reports.push(metric(key, value)?),
            "--reports-at-close" => self.reports_at_close.push(metric(key, value)?),
            "--collector" => self.collector = Some(collector(key, value)?),
            "--compiles" => self.compiles = Some(number(key, value)?),
            "--pending" => self.pending = number(key, value)?,
            "--touch" => {
                let (pages, of) = halves(key, value)?;
                self.touch = Some((number(key, pages)?, number(key, of)?));
            }
            "--grows" => self.grows = Some(number(key, value)?),
            "--maps" => self.maps = Some(number(key, value)?),
            "--collects" => self.collects = Some(number(key, value)?),
            "--cpu-process" => self.cpu_process = Some(number(key, value)?),
            "--gives-back" => self.gives_back = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the settings for a benchmark, without faults that are limited to other benchmarks.
    pub fn of(&self, benchmark: &str) -> Self {
        let mut own = self.clone();
        if self.fault_case.as_deref().is_some_and(|name| name != benchmark) {
            (own.untimed, own.open_ms, own.close_ms, own.first_ms) = ([0.0, 0.0, 1.0], 0, 0, 0);
        }
        own
    }

    pub fn slowdown(&self) -> f64 {
        1.0 + self.offset / 100.0
    }
}

fn metric(key: &str, text: &str) -> Result<(Metric, Vec<f64>), String> {
    let (item, values) = text.split_once('=').ok_or_else(|| format!("{key}=ITEM=VALUES"))?;
    let Ok(Reply::Case(case)) = Reply::parse(&format!("case benchmark=a metrics={item}")) else {
        return Err(format!("{key}={text}: {item} is not a metric"));
    };
    let values = values.split('/').map(|value| number(key, value)).collect::<Result<_, _>>()?;
    Ok((case.metrics[0].clone(), values))
}

fn pauses(key: &str, value: &str) -> Result<Pauses, String> {
    let (percent, ms) = halves(key, value)?;
    let (percent, ms): (f64, f64) = (number(key, percent)?, number(key, ms)?);
    Ok(Pauses { share: percent / 100.0, ns: ms * 1e6 })
}

fn collector(key: &str, value: &str) -> Result<Collector, String> {
    match value {
        "none" => Ok(Collector::None),
        "counted" => Ok(Collector::Counted),
        "untold" => Ok(Collector::Untold),
        _ => Err(format!("{key}={value} is not one of none, counted and untold")),
    }
}

fn twins(key: &str, value: &str) -> Result<Twins, String> {
    match value {
        "alike" => Ok(Twins::Alike),
        "one" => Ok(Twins::One),
        "any" => Ok(Twins::Any),
        _ => Err(format!("{key}={value} is not one of alike, one and any")),
    }
}

fn halves<'a>(key: &str, value: &'a str) -> Result<(&'a str, &'a str), String> {
    value.split_once(':').ok_or_else(|| format!("{key}={value} has no colon"))
}

fn words(value: &str) -> Vec<String> {
    value.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
