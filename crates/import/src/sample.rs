//! A sample: one measurement. Some tools call it a run.

/// Maximum relative rounding error of a time in whole ns. Beyond it, the file's own time is kept.
const ROUNDING: f64 = 1e-12;

/// Maximum relative rounding error of the total time of several iterations. Larger than [`ROUNDING`], because
/// whole ns are enough if iterations increase from sample to sample.
const CLOSE: f64 = 1e-7;

/// A timed interval. Other tools call it a measurement or a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// Time in whole ns.
    pub time_ns: u64,
    /// Time of an iteration in ns, if whole ns of the total cannot represent it.
    pub each_ns: Option<f64>,
    /// True if the file contains only counters and no time.
    pub untimed: bool,
    /// Number of calls of the body, or 0 if the file counts operations.
    pub iterations: u64,
    /// Number of operations, if the file counts them.
    pub operations: Option<f64>,
    /// Counters in the order of the visit's metrics, as totals over the sample.
    pub counters: Box<[Option<f64>]>,
    /// True if the tool excluded the sample from its own estimate.
    pub warm_up: bool,
}

impl Sample {
    pub(crate) fn of(each_ns: f64, iterations: u64) -> Sample {
        let total = each_ns * iterations as f64;
        let is_whole = (total.round() - total).abs() <= ROUNDING * total.abs();
        let each_ns = Some(each_ns).filter(|_| !is_whole);
        Sample { time_ns: total.round() as u64, each_ns, iterations, ..Sample::default() }
    }

    /// Creates a sample of one iteration that keeps all digits of the time.
    pub(crate) fn exact(each_ns: f64) -> Sample {
        Sample { each_ns: Some(each_ns), ..Sample::of(each_ns, 1) }
    }

    /// Creates a sample from a total time. Rounds the time to whole ns if the error is within [`CLOSE`].
    pub(crate) fn lasting(time_ns: f64, iterations: u64) -> Sample {
        if (time_ns.round() - time_ns).abs() <= CLOSE * time_ns {
            return Sample { time_ns: time_ns.round() as u64, iterations, ..Sample::default() };
        }
        Sample::of(time_ns / iterations as f64, iterations)
    }

    /// Returns the time of one operation in ns, as the file states it.
    pub fn per_operation(&self) -> f64 {
        let counted = || self.time_ns as f64 / self.operations.unwrap_or(self.iterations as f64);
        self.each_ns.unwrap_or_else(counted)
    }
}
