//! Results of calibrating a case: the size of its batches.

use crate::measure::calls::Calls;
use crate::measure::lead::Lead;
use crate::measure::turn::TurnSummary;
use crate::measure::untimed::Untimed;
use derny_model::{Case, Timing};

/// How a self-timed body responds to the parameter that `iterations` sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Not tried yet.
    Untried,
    /// It follows the parameter.
    Followed,
    /// It ignores the parameter, or has none.
    Fixed,
}

/// The lengths of batches and calls of a case.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// Iterations per batch for all variants; `None` before calibration.
    pub iterations: Option<u64>,
    /// Time of one batch of that size in ns, including the harness's own share.
    pub batch_ns: f64,
    /// Time of the fastest first call in a process, in ns: the minimum cost of one more process. See
    /// [`Calibration::see_call`].
    pub call_ns: u64,
    /// True if one call fills the planned share of a visit. The first visit of the case decides it; `None`
    /// before.
    pub one_call_fills: Option<bool>,
    /// The response of a self-timed body.
    pub scale: Scale,
    /// The lowest parameter value at which an operation is known to take as long as at the configured one, in
    /// all measured programs; `None` if unknown.
    pub same_from: Option<u64>,
    /// How often the body can be called in a process.
    pub calls: Calls,
    /// Untimed work of batches.
    pub untimed: Untimed,
    /// Wall time limits the iterations of a batch, which its timed part alone would not.
    pub is_bounded: bool,
    /// Requirement on the number of iterations of a batch; see [`super::count`].
    pub count: Count,
    /// The lead of its turns.
    pub lead: Lead,
}

/// Requirement on the number of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Not tried, although the number may matter.
    Untried,
    /// Any number gives the same time per operation.
    Free,
    /// The framework's own number, which must not change.
    Needed,
}

impl Calibration {
    /// Returns a calibration that contains only how often the body can be called.
    pub fn new(case: &Case, calls: Calls) -> Calibration {
        let can_scale = case.timing == Timing::SelfTimed && case.scale.is_some();
        let scale = if can_scale { Scale::Untried } else { Scale::Fixed };
        Calibration {
            iterations: None,
            batch_ns: 0.0,
            call_ns: 0,
            // There is nothing to warm up.
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

    /// Records a call. The fastest counts, because it is the least disturbed. If a call with its untimed work
    /// takes longer than `long_ns`, that is its time; shorter waits are mostly the exchange itself.
    pub fn see_call(&mut self, call: &TurnSummary, long_ns: u64) {
        let whole_ns = call.whole_ns() as u64;
        let call_ns = if whole_ns > long_ns { whole_ns } else { (call.cost_ns as u64).max(1) };
        self.call_ns = if self.call_ns == 0 { call_ns } else { self.call_ns.min(call_ns) };
    }

    /// Returns true if the parameter is lowered without proof that the time of an operation is unaffected.
    pub fn is_unproven(&self) -> bool {
        self.scale == Scale::Followed && self.same_from.is_none()
    }

    /// Makes every batch one call as configured, of that length.
    pub fn keep_configured(&mut self, batch_ns: f64) {
        (self.scale, self.iterations, self.batch_ns) = (Scale::Fixed, Some(1), batch_ns);
    }

    /// Returns true if the plan measures the first call in a process, without calibration and warm-up.
    pub fn is_single_call(&self) -> bool {
        self.calls.once() || self.one_call_fills == Some(true)
    }

    /// Increases the iterations per batch, up to sixteen times, if a batch has become much shorter than its
    /// target. Not if untimed work already limits them.
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
