//! The result of calibrating a case: the size of its batches.

use crate::measure::calls::Calls;
use crate::measure::lead::Lead;
use crate::measure::turn::TurnSummary;
use crate::measure::untimed::Untimed;
use derny_model::{Case, Timing};

/// The response of a self-timed body to the parameter that `iterations` sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Not measured yet.
    Untried,
    /// The time follows the parameter.
    Followed,
    /// The body ignores the parameter or has none.
    Fixed,
}

/// What is known about the batches and calls of a case.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// Iterations per batch, for all variants. `None` before calibration.
    pub iterations: Option<u64>,
    /// Time of a batch with that many iterations in ns, including the overhead of the harness.
    pub batch_ns: f64,
    /// Time of the fastest single call that was recorded, in ns. See [`Calibration::see_call`].
    pub call_ns: u64,
    /// True if one call takes all of the planned time of a visit. `None` before the first visit of the
    /// case decides it.
    pub one_call_fills: Option<bool>,
    /// Response of a self-timed body to its parameter.
    pub scale: Scale,
    /// Lowest value of the parameter at which an operation takes as long as at the configured value, in
    /// all measured programs. `None` if unknown.
    pub same_from: Option<u64>,
    /// Number of times that the body can be called in one process.
    pub calls: Calls,
    /// Untimed work of the batches.
    pub untimed: Untimed,
    /// True if the wall time of a batch limits the iterations. Its timed part alone would allow more.
    pub is_bounded: bool,
    pub count: Count,
    /// The decision whether measured turns need an untimed lead.
    pub lead: Lead,
}

/// The effect of the number of iterations on the time of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The number of iterations may matter, but this has not been tested yet.
    Untried,
    /// The time of an operation is the same for any number of iterations.
    Free,
    /// Only the framework's own number of iterations gives the correct time.
    Needed,
}

impl Calibration {
    /// Creates a calibration in which only `calls` is known.
    pub fn new(case: &Case, calls: Calls) -> Calibration {
        let can_scale = case.timing == Timing::SelfTimed && case.scale.is_some();
        let scale = if can_scale { Scale::Untried } else { Scale::Fixed };
        Calibration {
            iterations: None,
            batch_ns: 0.0,
            call_ns: 0,
            // A fresh case has nothing to warm up.
            one_call_fills: case.fresh.then_some(true),
            scale,
            same_from: None,
            calls,
            untimed: Untimed::default(),
            is_bounded: false,
            count: if case.count_ns.is_some() { Count::Untried } else { Count::Free },
            lead: Lead::Tried(Vec::new()),
        }
    }

    /// Records a call. Keeps the time of the fastest call, which is the least disturbed one. A call
    /// that takes longer than `long_ns` counts with its untimed work. Shorter untimed times consist
    /// mostly of the exchange with the harness.
    pub fn see_call(&mut self, call: &TurnSummary, long_ns: u64) {
        let whole_ns = call.whole_ns() as u64;
        let call_ns = if whole_ns > long_ns { whole_ns } else { (call.cost_ns as u64).max(1) };
        self.call_ns = if self.call_ns == 0 { call_ns } else { self.call_ns.min(call_ns) };
    }

    /// Returns true if the parameter was lowered without proof that the time of an operation is the same.
    pub fn is_unproven(&self) -> bool {
        self.scale == Scale::Followed && self.same_from.is_none()
    }

    /// Makes every batch a single call as configured, which takes `batch_ns`.
    pub fn keep_configured(&mut self, batch_ns: f64) {
        (self.scale, self.iterations, self.batch_ns) = (Scale::Fixed, Some(1), batch_ns);
    }

    /// Returns true if the plan measures only the first call in a process, without calibration and warm-up.
    pub fn is_single_call(&self) -> bool {
        self.calls.once() || self.one_call_fills == Some(true)
    }

    /// Increases the iterations per batch up to sixteenfold if batches have become much shorter than their
    /// target. Does nothing if untimed work limits the iterations, or if only the framework's number of
    /// iterations gives the correct time.
    pub fn grow(&mut self, case: &Case, target_ns: f64, batch_ns: f64) {
        let may_grow = self.count != Count::Needed && !self.is_bounded;
        let Some(n) = self.iterations.filter(|_| may_grow) else { return };
        let most = match (case.timing, self.scale) {
            (Timing::Loop, _) => case.max_iterations.unwrap_or(u64::MAX),
            (Timing::SelfTimed, Scale::Followed) => case.configured().map_or(n, |n| n as u64),
            (Timing::SelfTimed, _) => n,
        };
        let wanted = (n as f64 * target_ns / batch_ns.max(1.0)) as u64;
        if wanted > n + n / 2 {
            self.iterations = Some(wanted.min(n.saturating_mul(16)).min(most).max(n));
        }
    }
}
