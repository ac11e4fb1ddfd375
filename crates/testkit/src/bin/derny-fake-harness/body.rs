//! The open case: its body, and the measuring loop.

use crate::args::{Memo, Settings};
use crate::made_up::MadeUp;
use derny_protocol::{Direction, Kind as Values, Metric, Reported};
use derny_stats::Rng;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Steady,
    Work,
    Sized,
    Slow,
    Empty,
    Busy,
    Count,
    Setup,
    Params,
    Text,
    Throw,
    Print,
    SelfTimed,
    Value,
    Skip,
    Report,
    Twin,
}

impl Kind {
    pub fn is_fake(self) -> bool {
        matches!(self, Self::Steady | Self::Work | Self::Sized | Self::Slow)
    }
}

pub struct Batch {
    pub ns: u64,
    pub ops: Option<f64>,
}

pub enum Refusal {
    Skip(String),
    Thrown(String),
}

/// Duration of the set-up before every batch of `conform/setup`, in nanoseconds.
const SETUP_NS: f64 = 2_000_000.0;
const SLOW_NS: f64 = 20_000_000.0;
/// Length of the final part of a wait, which reads the clock in a loop. It is longer than the usual delay of
/// a sleep.
const SPUN: Duration = Duration::from_millis(2);

/// A simulated heap. Each call writes to the next pages of it, as in a heap with a moving collector.
struct Heap {
    bytes: Vec<u8>,
    step: usize,
    next: usize,
    /// Number of calls after settling at which the heap grows, once. The new pages are untouched.
    grows: Option<u64>,
    calls: Option<u64>,
}

const PAGE: usize = 4096;
/// Size of a mapping in pages: 48 MiB. An allocation of this size comes directly from the system, and is
/// returned to it when freed.
const MAPPED_PAGES: usize = 12 << 10;

impl Heap {
    fn new(step: usize, pages: usize, grows: Option<u64>) -> Self {
        Self { bytes: vec![0; pages * PAGE], step, next: 0, grows, calls: None }
    }

    fn call(&mut self) {
        self.calls = self.calls.map(|calls| calls + 1);
        if self.calls.is_some() && self.calls == self.grows {
            // As in a real heap, growing does not return the old memory to the system.
            let pages = self.bytes.len() / PAGE;
            std::mem::forget(std::mem::replace(self, Self::new(self.step, pages, None)));
        }
        self.touch(self.step);
    }

    fn touch(&mut self, pages: usize) {
        let all = self.bytes.len() / PAGE;
        for _ in 0..pages {
            self.bytes[self.next * PAGE] = 1;
            self.next = (self.next + 1) % all;
        }
        black_box(&self.bytes);
    }
}

pub struct Body {
    kind: Kind,
    /// Duration of an iteration in ns, for a body that waits for the clock.
    cost_ns: f64,
    rounds: u64,
    memo: Option<Memo>,
    /// Share of the iterations that `fake/work` skips.
    fewer: f64,
    noise: f64,
    rng: Rng,
    self_timed: bool,
    /// The configured n, and the exponent of n in the time of an operation.
    scale: Option<(f64, f64)>,
    /// Factor applied to the cost of the first batch in the process.
    cold: f64,
    made_up: Option<MadeUp>,
    throws: Option<String>,
    text: String,
    pub calls: u64,
    /// True to include the set-up in the measured time. This breaks a rule of the protocol.
    pub timed_setup: bool,
    /// True to call the body one extra time in every batch.
    pub extra_call: bool,
    /// True to run the full body when an empty one is requested.
    pub full_overhead: bool,
    batches: u32,
    max_batches: Option<u32>,
    /// Untimed work of a batch: the ns per iteration, the ns per batch, and the power to which the number of
    /// iterations is raised.
    untimed: [f64; 3],
    close_ms: u64,
    first_ms: u64,
    /// Factor applied to the cost of a body that waits for the clock.
    pub dearer: f64,
    heap: Option<Heap>,
    maps: Option<usize>,
    /// Values of the metrics of `--metric`. The flag is true for values per call.
    metrics: Vec<(bool, Vec<f64>)>,
    /// Undeclared values of each turn. `reports_at_close` contains those that are reported once, at the end.
    reports: Vec<Item>,
    reports_at_close: Vec<Item>,
    pub turns: usize,
}

/// A metric and its values in the turns of a process. Values of a total are per call.
pub type Item = (Metric, Vec<f64>);

/// Returns the values that `conform/report` reports in every turn, and those that it reports at the end.
fn conform_reports() -> [Vec<Item>; 2] {
    let metric = |name: &str, unit: &str, kind, direction| {
        let (name, unit) = (name.to_owned(), unit.to_owned());
        Metric { name, unit, kind, direction, exact: false }
    };
    let level = metric("ns/op", "ns", Values::Level, Direction::None);
    let peak = metric("a:b", "B", Values::Peak, Direction::Less);
    let total = metric("lines", "count", Values::Total, Direction::More);
    [vec![(level, vec![1.5]), (peak, vec![1.0])], vec![(total, vec![3.0])]]
}

impl Body {
    pub fn open(
        name: &str,
        kind: Kind,
        self_timed: bool,
        params: &[(String, String)],
        settings: &Settings,
    ) -> Result<Self, Refusal> {
        let cost_ns = cost_ns(kind, params, settings)?;
        let own = settings.of(name);
        pause(own.open_ms as f64 * 1e6);
        let scale = settings.scale.filter(|_| kind == Kind::Sized);
        let [reports, reports_at_close] = match kind {
            Kind::Report => conform_reports(),
            kind if kind.is_fake() => [settings.reports.clone(), settings.reports_at_close.clone()],
            _ => Default::default(),
        };
        Ok(Self {
            kind,
            cost_ns: cost_ns * settings.slowdown(),
            rounds: (settings.work * settings.slowdown()).round() as u64,
            memo: settings.memo,
            fewer: settings.fewer / 100.0,
            noise: settings.noise / 100.0,
            rng: Rng::new(settings.seed),
            self_timed,
            scale: scale.map(|power| Ok((number(params, "n")?, power))).transpose()?,
            cold: 1.0 + settings.cold / 100.0,
            made_up: match settings.made_up && cost_ns > 0.0 {
                true => Some(MadeUp::new(settings, name).map_err(Refusal::Thrown)?),
                false => None,
            },
            throws: (kind == Kind::Throw).then(|| param(params, "at").to_owned()),
            text: param(params, "text").to_owned(),
            calls: 0,
            timed_setup: false,
            extra_call: false,
            full_overhead: false,
            batches: 0,
            max_batches: settings.max_batches,
            untimed: own.untimed,
            close_ms: own.close_ms,
            first_ms: own.first_ms,
            dearer: 1.0,
            heap: settings.touch.map(|(step, of)| Heap::new(step, of, settings.grows)),
            maps: settings.maps,
            metrics: settings
                .metrics
                .iter()
                .map(|(metric, values)| (metric.kind == Values::Total, values.clone()))
                .collect(),
            reports,
            reports_at_close,
            turns: 0,
        })
    }

    pub fn batch(&mut self, iterations: u64) -> Result<Batch, Refusal> {
        if self.throws.as_deref() == Some("call") {
            self.calls += 1;
            return Err(Refusal::Thrown(thrown("call")));
        }
        self.batches += 1;
        if let Some(most) = self.max_batches.filter(|most| self.batches > *most) {
            return Err(Refusal::Thrown(format!("worn out after {most} batches")));
        }
        let iterations = iterations + u64::from(self.extra_call);
        let setup = if self.kind == Kind::Setup { SETUP_NS } else { 0.0 };
        if !self.timed_setup {
            wait(Instant::now(), setup);
        }
        let [each, batch, power] = self.untimed;
        pause(each * (iterations as f64).powf(power) + batch);
        self.calls += iterations;
        let done = self.operations(iterations);
        let growth = self.scale.map_or(1.0, |(n, power)| (done / n).powf(power));
        let cold = if self.batches == 1 { self.cold } else { 1.0 };
        let cost_ns = self.cost_ns * self.dearer * growth * cold * done;
        if let Some(made_up) = &mut self.made_up {
            let ns = made_up.batch(cost_ns);
            return Ok(Batch { ns, ops: self.self_timed.then_some(done) });
        }
        let cost_ns = cost_ns * (self.noise * self.rng.normal()).exp();
        let start = Instant::now();
        if self.timed_setup {
            wait(start, setup);
        }
        self.use_memory(iterations);
        if self.batches == 1 {
            pause(self.first_ms as f64 * 1e6);
        }
        self.run(iterations, cost_ns);
        let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(Batch { ns, ops: self.self_timed.then_some(done) })
    }

    /// Returns the number of operations. If n is configured, a single iteration runs n operations.
    fn operations(&self, iterations: u64) -> f64 {
        self.scale.filter(|_| iterations == 1).map_or(iterations as f64, |(n, _)| n)
    }

    fn run(&self, iterations: u64, cost_ns: f64) {
        match self.kind {
            Kind::Work => self.work(iterations),
            Kind::Print => (0..iterations).for_each(|_| print()),
            // All calls share one deadline, because reading the clock may take longer than a call.
            _ if self.cost_ns > 0.0 => wait(Instant::now(), cost_ns),
            _ => (0..iterations).for_each(|_| black_box(())),
        }
    }

    fn work(&self, iterations: u64) {
        let done = ((iterations as f64 * (1.0 - self.fewer)) as u64).max(1);
        for at in 0..done.min(iterations) {
            let is_due = match self.memo {
                None => true,
                Some(Memo::Batch) => at == 0,
                Some(Memo::Calls(every)) => (self.calls - iterations + at).is_multiple_of(every),
            };
            let rounds = if is_due { self.rounds } else { 1 };
            black_box(work(black_box(rounds)));
        }
    }

    fn use_memory(&mut self, calls: u64) {
        let calls = if self.heap.is_some() || self.maps.is_some() { calls } else { 0 };
        for _ in 0..calls {
            if let Some(heap) = &mut self.heap {
                heap.call();
            }
            if let Some(pages) = self.maps {
                Heap::new(pages, MAPPED_PAGES, None).call();
            }
        }
    }

    pub fn settle(&mut self) {
        if let Some(heap) = &mut self.heap {
            let pages = heap.bytes.len() / PAGE;
            heap.touch(pages);
            heap.calls = Some(0);
        }
    }

    /// Measures an empty body in the same loop. For self-timed bodies, measures only the start and the stop.
    pub fn empty(&self, iterations: u64) -> Batch {
        let calls = if self.self_timed { 0 } else { iterations };
        let start = Instant::now();
        if self.full_overhead {
            self.run(iterations, self.cost_ns * iterations as f64);
        }
        (0..calls).for_each(|_| black_box(()));
        let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Batch { ns, ops: self.self_timed.then_some(iterations as f64) }
    }

    pub fn close(&self) -> Result<(), Refusal> {
        pause(self.close_ms as f64 * 1e6);
        match self.throws.as_deref() {
            Some("teardown") => Err(Refusal::Thrown(thrown("teardown"))),
            _ => Ok(()),
        }
    }

    pub fn hash(&self) -> String {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        format!("{:016x}", self.text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// Returns the values of the case other than times, for a turn of `calls` calls.
    pub fn values(&self, calls: u64) -> Vec<Option<f64>> {
        match self.kind {
            Kind::Count => vec![Some(calls as f64)],
            Kind::Value => vec![Some(42.0)],
            kind if kind.is_fake() => {
                let value = |(per_call, values): &(bool, Vec<f64>)| {
                    let value = values[self.turns % values.len()];
                    Some(if *per_call { value * calls as f64 } else { value })
                };
                self.metrics.iter().map(value).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn reported(&self, calls: u64) -> Vec<Reported> {
        self.reported_of(&self.reports, calls)
    }

    /// Returns the undeclared values at the end of the case. If there are any, also returns the number of
    /// calls since the case was opened.
    pub fn reported_at_close(&self) -> (Option<f64>, Vec<Reported>) {
        let reported = self.reported_of(&self.reports_at_close, self.calls);
        ((!reported.is_empty()).then_some(self.calls as f64), reported)
    }

    fn reported_of(&self, items: &[Item], calls: u64) -> Vec<Reported> {
        let of = |(metric, values): &Item| {
            let value = values[self.turns % values.len()];
            let value = if metric.kind == Values::Total { value * calls as f64 } else { value };
            Reported { metric: metric.clone(), value }
        };
        items.iter().map(of).collect()
    }

    /// Returns the number of simulated pauses since the last call. `None` if times are not simulated.
    pub fn take_pauses(&mut self) -> Option<u64> {
        self.made_up.as_mut().map(MadeUp::take_pauses)
    }

    pub fn has_times(&self) -> bool {
        self.kind != Kind::Value
    }
}

fn cost_ns(kind: Kind, params: &[(String, String)], settings: &Settings) -> Result<f64, Refusal> {
    Ok(match kind {
        Kind::Skip => return Err(Refusal::Skip("not here".to_owned())),
        Kind::Throw if param(params, "at") == "setup" => return Err(Refusal::Thrown(thrown("setup"))),
        Kind::Slow => SLOW_NS,
        Kind::Steady => settings.cost_ns,
        Kind::Sized if settings.scale.is_some() => settings.cost_ns,
        Kind::Sized => settings.cost_ns * number(params, "n")?,
        Kind::Busy | Kind::Twin | Kind::SelfTimed => number(params, "us")? * 1000.0,
        Kind::Setup => 20_000.0,
        _ => 0.0,
    })
}

fn param<'a>(params: &'a [(String, String)], name: &str) -> &'a str {
    params.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
}

fn number(params: &[(String, String)], name: &str) -> Result<f64, Refusal> {
    let text = param(params, name);
    let wrong = || Refusal::Thrown(format!("ParameterError: {name} must be a number, not {text}"));
    text.parse().map_err(|_| wrong())
}

fn thrown(at: &str) -> String {
    format!("ConformError: thrown on purpose in {at}")
}

/// Waits until `ns` nanoseconds have passed since `start`. Sleeps through most of a long wait, because tests
/// run in parallel.
fn wait(start: Instant, ns: f64) {
    let end = Duration::from_nanos(ns as u64);
    if let Some(idle) = end.checked_sub(SPUN) {
        std::thread::sleep(idle.saturating_sub(start.elapsed()));
    }
    while start.elapsed() < end {}
}

fn pause(ns: f64) {
    if ns >= 2e6 {
        std::thread::sleep(Duration::from_nanos(ns as u64));
    } else if ns > 0.0 {
        wait(Instant::now(), ns);
    }
}

/// Computes a chain of dependent steps, so that the duration depends only on the processor.
fn work(rounds: u64) -> u64 {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..rounds {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

fn print() {
    // Ignore errors, because the output may not be read.
    let _ = writeln!(std::io::stdout(), "times 1 2 3");
    let _ = writeln!(std::io::stderr(), "error message=printed fatal=1");
}
