//! The counters of this harness: context switches of the measuring thread, and calls of bodies.

use crate::args::Settings;
use derny_protocol::{Collector, Direction, Kind, Metric};
use std::fs::File;
use std::os::unix::fs::FileExt;

pub struct Counters {
    /// The file in `/proc` that contains the context switches. Linux only.
    status: Option<File>,
    preempted: Option<u64>,
    traces: bool,
    /// Number of remaining turns that report a compilation, or `None` if no turn does.
    compiles: Option<u64>,
    /// Reported CPU time of the process, divided by that of the thread.
    process_factor: Option<f64>,
    /// Number of calls between reported collections.
    collects: Option<u64>,
    calls: u64,
    made_up: bool,
    /// True to count simulated pauses as collections.
    counts_pauses: bool,
}

pub struct Spent {
    pub calls: u64,
    pub timed_ns: u64,
    pub pauses: Option<u64>,
}

/// Number of initial calls in which the collection rate falls linearly, from four times its final value.
const YOUNG_CALLS: f64 = 40_000.0;

/// Reported allocation per call, in bytes.
const CALL_BYTES: u64 = 16;

impl Counters {
    pub fn new(settings: &Settings) -> Self {
        Self {
            status: File::open("/proc/thread-self/status").ok(),
            preempted: None,
            traces: settings.modes.iter().any(|mode| mode == "trace"),
            compiles: settings.compiles,
            process_factor: settings.cpu_process,
            collects: settings.collects,
            calls: 0,
            made_up: settings.made_up,
            counts_pauses: settings.collector == Some(Collector::Counted),
        }
    }

    pub fn metrics(&self) -> Vec<Metric> {
        let metric = |name: &str, exact| Metric {
            name: name.to_owned(),
            unit: "count".to_owned(),
            kind: Kind::Total,
            direction: Direction::None,
            exact,
        };
        let mut metrics = vec![metric("calls", true)];
        if self.status.is_some() {
            metrics.push(metric("preempted", false));
        }
        if self.traces {
            let direction = Direction::Less;
            metrics.push(Metric { unit: "B".to_owned(), direction, ..metric("allocated", false) });
        }
        if self.compiles.is_some() {
            metrics.push(metric("compiled", false));
        }
        let time = |name, direction| Metric { unit: "ns".to_owned(), direction, ..metric(name, false) };
        if self.process_factor.is_some() || self.made_up {
            metrics.push(time("cpu", Direction::Less));
        }
        if self.process_factor.is_some() {
            metrics.push(time("cpu_process", Direction::None));
        }
        if self.collects.is_some() || self.counts_pauses {
            metrics.push(metric("gc", false));
        }
        metrics
    }

    pub fn start(&mut self) {
        self.preempted = self.read();
    }

    /// Returns the values of a turn in the order of `metrics`.
    pub fn stop(&mut self, spent: &Spent, traced: bool) -> Vec<Option<f64>> {
        let &Spent { calls, timed_ns, pauses } = spent;
        let mut values = vec![Some(calls as f64)];
        if self.status.is_some() {
            let preempted = self.preempted.zip(self.read()).map(|(start, now)| (now - start) as f64);
            // Simulated times are never preempted.
            values.push(if self.made_up { Some(0.0) } else { preempted });
        }
        if self.traces {
            values.push(traced.then_some((calls * CALL_BYTES) as f64));
        }
        if let Some(left) = &mut self.compiles {
            values.push(Some(f64::from(u8::from(*left > 0))));
            *left = left.saturating_sub(1);
        }
        if self.process_factor.is_some() || self.made_up {
            values.push(Some(timed_ns as f64));
        }
        if let Some(factor) = self.process_factor {
            values.push(Some(timed_ns as f64 * factor));
        }
        if let Some(every) = self.collects {
            let told = |calls: u64| {
                let young = (calls as f64).min(YOUNG_CALLS);
                ((calls as f64 + 3.0 * (young - young * young / (2.0 * YOUNG_CALLS))) / every as f64) as u64
            };
            values.push(Some((told(self.calls + calls) - told(self.calls)) as f64));
            self.calls += calls;
        } else if self.counts_pauses {
            values.push(Some(pauses.unwrap_or(0) as f64));
        }
        values
    }

    fn read(&self) -> Option<u64> {
        let mut buffer = [0; 4096];
        let length = self.status.as_ref()?.read_at(&mut buffer, 0).ok()?;
        let text = std::str::from_utf8(&buffer[..length]).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?;
        line.trim().parse().ok()
    }
}
