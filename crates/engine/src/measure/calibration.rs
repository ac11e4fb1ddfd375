//! What calibration has found out about a case: the size of its batches.

use crate::measure::calls::Calls;
use crate::measure::lead::Lead;
use crate::measure::turn::TurnSummary;
use crate::measure::untimed::Untimed;
use derny_model::{Case, Timing};

/// Whether a self-timed body follows the parameter that `iterations` sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// Not tried yet.
    Untried,
    /// It does.
    Followed,
    /// It does not, or has no such parameter.
    Fixed,
}

/// How long batches and calls of a case are.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// Iterations per batch for all variants; none before calibration.
    pub iterations: Option<u64>,
    /// Time of one batch at that number, harness's own share included, in ns.
    pub batch_ns: f64,
    /// Time of the quickest first call in a process, in ns: what one more process costs at least. See [`Calibration::see_call`].
    pub call_ns: u64,
    /// One call fills the planned share of a visit. The first visit of the case decides it for all of them, none before.
    pub one_call_fills: Option<bool>,
    /// Self-timed bodies.
    pub scale: Scale,
    /// The least value of that parameter at which an operation is known to take as long as at the configured one, in all
    /// programs that are measured; none where that is not known.
    pub same_from: Option<u64>,
    /// How often the body can be called in a process.
    pub calls: Calls,
    /// What batches take beside their time.
    pub untimed: Untimed,
    /// The wall time of a batch bounds its iterations: it would have more of them by its own time.
    pub is_bounded: bool,
    /// How many iterations a batch must have; see [`super::count`].
    pub count: Count,
    /// Whether its turns need a lead.
    pub lead: Lead,
}

/// What is known of the number of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Nothing, and it may matter.
    Untried,
    /// Any number will do.
    Free,
    /// The framework's own, which shall not be changed.
    Needed,
}

impl Calibration {
    /// Nothing is known yet but how often the body can be called.
    pub fn new(case: &Case, calls: Calls) -> Calibration {
        let can_scale = case.timing == Timing::SelfTimed && case.scale.is_some();
        let scale = if can_scale { Scale::Untried } else { Scale::Fixed };
        Calibration {
            iterations: None,
            batch_ns: 0.0,
            call_ns: 0,
            // There is nothing to get warm for.
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

    /// Notes a call: the quickest counts, which is what a call costs when nothing disturbs it. Where it takes longer than `long_ns` with
    /// all that is untimed, that is its time; a shorter wait is that for the exchange itself.
    pub fn see_call(&mut self, call: &TurnSummary, long_ns: u64) {
        let whole_ns = call.whole_ns() as u64;
        let call_ns = if whole_ns > long_ns { whole_ns } else { (call.cost_ns as u64).max(1) };
        self.call_ns = if self.call_ns == 0 { call_ns } else { self.call_ns.min(call_ns) };
    }

    /// The parameter is lowered, and nothing has shown yet that this leaves the time of an operation alone.
    pub fn is_unproven(&self) -> bool {
        self.scale == Scale::Followed && self.same_from.is_none()
    }

    /// Every batch is a call as configured, of that length.
    pub fn keep_configured(&mut self, batch_ns: f64) {
        (self.scale, self.iterations, self.batch_ns) = (Scale::Fixed, Some(1), batch_ns);
    }

    /// By the plan the first call in a process is its measurement: there is no calibration and no warm-up.
    pub fn is_single_call(&self) -> bool {
        self.calls.once() || self.one_call_fills == Some(true)
    }

    /// More iterations per batch where a batch has become much shorter than its target, up to sixteen times as many. What is untimed
    /// has bounded them already.
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
