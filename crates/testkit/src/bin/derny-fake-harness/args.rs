//! Command-line arguments of the scripted harness.

use crate::fault::InjectedFault;
use crate::made_up::Pauses;
use crate::number::number;
use derny_protocol::{Collector, Metric, Reply};
use std::path::PathBuf;

const HELP: &str = "usage: derny-fake-harness [OPTION…]
  --fault=WHAT[:ARG][@POINT[:N]]  misbehave at POINT, every time or the Nth time in this process; may be repeated
      POINT: hello list expand open check measure overhead collect settle close quit
      exit:CODE signal:NAME hang throw fatal          end, be killed, never answer, answer `error`, … and end
      garbage half-line half-line-exit long-line      what is said instead of the answer
      say:LINE                                        the same, in so many words
      wrong-reply twice skip future                   another verb, the answer twice, `skip`, a newer version
      flood-stdout:BYTES flood-stderr:BYTES           printed before the answer
      leak:BYTES                                      kept for ever
      spawn-child:SECONDS                             a sleeping child that inherited the streams (60)
      lie-times lie-ops lie-counters                  counts that do not agree (at measure)
      lie-clock lie-calls timed-setup wire-print      rules that only `derny dev conform` can see (at measure)
      full-overhead                                   the body runs in place of the empty one (at overhead)
      cannot-hello exit-at-hello ignore-quit fail-on-second-run busy-wait
      double-fork:SECONDS                             a sleeping grandchild in a session of its own, whose parent has ended (at open)
  --fault-case=NAME   only while this benchmark is open or being opened; `NAME KEY=VALUE` is one case of it
  --fault-once=FILE   only in the first process: FILE is created by it
  --cases=N           N copies of one benchmark, fake/copy-001 …, instead of the usual ones
  --conform           also the benchmarks of a conformance program
  --twins=HOW         the two benchmarks of one name of --conform are listed alike, open as one, or open any without `at`
  --verbs=WORDS       know only these verbs, parted by commas, and quit
  --can=WORDS         claim only these
  --modes=WORDS       have these ways of measuring: one that begins with time_ takes twice the time, trace reads `allocated`
  --timing=self       bodies time themselves
  --scale=POWER       fake/sized times itself, and iterations above 1 set its n: an operation takes --cost-ns at the configured n, and
                      changes with n to this power
  --runner=NAME       the bodies are the benchmarks of this program, which reports the first call
  --cold=PERCENT      the first call of a process is slower by this
  --untimed=EACH:BATCH:POWER  untimed work of a batch: EACH ns for every iteration, BATCH ns beside; EACH grows with the
                      iterations to POWER - 1 (1). With --fault-case only of that benchmark, as are the three below
  --open-ms=MS        time to open a case
  --close-ms=MS       time to close it
  --first-ms=MS       time of the first call of a body, beside what it takes anyway
  --cost-ns=NS        time of an iteration of fake/steady, fake/sized and the copies (50)
  --work=ROUNDS       rounds of arithmetic of an iteration of fake/work (1000)
  --metric=ITEM=VALUES  cases have this metric too, an item of the list `metrics`; its values in the turns of a process, parted
                      by slashes and beginning anew after the last; those of a total are per call. May be repeated
  --reports=ITEM=VALUES  every turn reports this value, which no case declares; as --metric
  --reports-at-close=ITEM=VALUES  the same at the end of a case; a total is per call since it was opened
  --memo=CALLS        fake/work works only in every so many calls, or with `batch` in the first iteration of a batch
  --fewer=PERCENT     fake/work runs so many percent of the iterations less, but always one
  --offset=PERCENT    slower by this
  --noise=PERCENT     standard deviation of a batch's time, of bodies that wait for the clock or are made up
  --seed=N            of the noise
  --made-up           bodies that would wait for the clock do not: their times are made up, and told at once
  --process-noise=PERCENT  made up: standard deviation of the logarithm of a process's speed, which its DERNY_STACK_PADDING decides
  --pauses=PERCENT:MS  made up: so many turns of 2 ms have a pause of this length
  --changed=BENCHMARK:PERCENT  made up: this benchmark is slower by so much; may be repeated
  --crowded=BENCHMARK:PERCENT  made up: this benchmark is slower by so much in a process that has opened another case before
  --first=PERCENT:FILE  made up: of two processes that open a case the first is slower by this; FILE counts them
  --collector=WORD    none, counted or untold; counted, made-up pauses are collections
  --compiles=N        tell of something compiled in the first N turns of the process
  --pending=CALLS     take twice the time until so many calls of a body, and tell that its compilation is pending
  --touch=PAGES:OF     every call writes to the next PAGES pages of its heap, of which there are OF, and begins anew after the last
  --grows=CALLS        so many calls after it was settled, that heap is another one, which has not been touched; once
  --maps=PAGES         every call maps memory, writes to so many pages of it and gives it back
  --collects=CALLS     tell of a collection in every CALLS calls, and of up to four times as many in the first 40,000 of the process
  --cpu-process=FACTOR also tell `cpu`, the time of the batches, and `cpu_process`, FACTOR times that
  --gives-back         a forced collection gives memory back
  --launch-ms=MS      time before the first line
  --prepared=FILE     cases need a global set-up: FILE gets `prepare PID KEY SCRATCH`, and once that one ends `end PID KEY SCRATCH`;
                      a case opens only while the process of its key lives
  --setup-keys=WORDS  the cases take these keys of global set-up in turn (1)
  --inside            loops stand in the user's own call: a body that throws in a turn is over, and only `close` is obeyed
  --below=N           also a benchmark fake/tree that is a parent: N cases are found below it by running it
  --max-batches=N     bodies wear out: an error after N batches
  --about-ns=NS       what a call takes, by the harness's account
  --timeout-ns=NS     most time for an answer, by the harness's account
  --module=NAME       cases belong to this package, class or module
  --skips=BENCHMARK   known while listing: this one cannot be measured here
  --threads=N         threads that bodies are said to run on
  --moves=TURNS       the thread that measures is another one, as far as is told, from one span of TURNS turns to the next
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
    /// Only the first call of each batch works.
    Batch,
    /// One in this many calls works.
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
        return Err(format!("{key}={text}: {item} is no metric"));
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
        _ => Err(format!("{key}={value} is none of none, counted, untold")),
    }
}

fn twins(key: &str, value: &str) -> Result<Twins, String> {
    match value {
        "alike" => Ok(Twins::Alike),
        "one" => Ok(Twins::One),
        "any" => Ok(Twins::Any),
        _ => Err(format!("{key}={value} is none of alike, one, any")),
    }
}

fn halves<'a>(key: &str, value: &'a str) -> Result<(&'a str, &'a str), String> {
    value.split_once(':').ok_or_else(|| format!("{key}={value} has no colon"))
}

fn words(value: &str) -> Vec<String> {
    value.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
