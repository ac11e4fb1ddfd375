//! Calls the crate `estimate` as the engine does, with the settings of a run. The decisions are made in that
//! crate.

use super::outcome::{CaseDecision, RunDecisions, Statistic};
use super::process::{Process, case};
use derny_estimate::change::{self, Subject, Terms};
use derny_estimate::gate::{self, Decision, Limits};
use derny_estimate::judge::{self, Judged, Side};
use derny_estimate::look::Taken;
use derny_estimate::pair::Replicate;
use derny_model::{
    Change, ComparedSide, GateTerms, Interval, Look, LookReason, Quantity, Settings, StopReason, Verdict,
};
use derny_stats::Looks;

/// Returns the settings of each rule with its name. The first is the rule from before waves, which
/// still judges old runs. The second is the current rule.
#[must_use]
pub fn rules() -> Vec<(&'static str, Settings)> {
    let before = Settings { mean: true, waves: false, ..Settings::default() };
    vec![("before", before), ("today", Settings::default())]
}

/// Returns the settings of a run that ends when its gate is decided.
#[must_use]
pub fn with_gate(settings: Settings) -> Settings {
    let gate = Some(GateTerms { fail_on: vec!["worse".to_owned()], metrics: Vec::new() });
    Settings { gate, ..settings }
}

/// Generates the next wave of a case, with a given number of pairs.
pub trait Waves: FnMut(u32) -> Vec<[Process; 2]> {}

impl<F: FnMut(u32) -> Vec<[Process; 2]>> Waves for F {}

/// The plan of a run, and the terms of its verdicts.
pub struct Rule {
    looks: Vec<u32>,
    terms: Terms,
    /// True if all processes between two looks are alive together. Otherwise, only those of each pair
    /// are.
    in_waves: bool,
}

struct UnderWay {
    both: Vec<(Replicate, Replicate)>,
    looks: Vec<Look>,
    side: Side,
}

impl Rule {
    /// Creates the rule for a run of `cases` cases with these settings.
    #[must_use]
    pub fn new(settings: &Settings, cases: usize) -> Self {
        let (most, confidence) = (settings.processes as usize, settings.confidence);
        let plan =
            if settings.waves { Looks::of_waves(most, confidence) } else { Looks::plan(most, confidence) };
        let looks = plan.counts.iter().map(|&n| n as u32).collect();
        Self { looks, terms: Terms::new(settings, cases), in_waves: settings.waves }
    }

    /// Simulates a run. In each stage, every open case is measured up to its next look. The run ends
    /// when no case is open, when the plan ends, or when `most` pairs have used up the budget.
    pub fn play(&self, cases: &mut [impl Waves], most: usize) -> RunDecisions {
        let mut under_way: Vec<UnderWay> = cases.iter().map(|_| UnderWay::new()).collect();
        for &planned in self.looks.iter().filter(|&&look| (look as usize) < most).chain([&(most as u32)]) {
            let is_over = planned as usize == most && !self.looks.contains(&planned);
            let reason = if is_over { LookReason::TimeOver } else { LookReason::Planned };
            for (case, next) in under_way.iter_mut().zip(cases.iter_mut()) {
                if case.side.ended.is_none() {
                    case.measure(next, self.in_waves, planned, reason);
                    case.judge(&self.terms);
                }
            }
            let is_last = planned as usize == most || Some(&planned) == self.looks.last();
            let judged = self.judged(&under_way);
            for (case, judged) in under_way.iter_mut().zip(judged) {
                if case.side.ended.is_none() {
                    case.side.ended = match () {
                        () if !judged.is_open => Some(StopReason::Verdict),
                        () if is_over => Some(StopReason::Budget),
                        () if is_last => Some(StopReason::Maximum),
                        () => None,
                    };
                }
            }
            if is_last || under_way.iter().all(|case| case.side.ended.is_some()) {
                break;
            }
        }
        // Judge again, because the final report uses only the records.
        under_way.iter_mut().for_each(|case| case.judge(&self.terms));
        let judged = self.judged(&under_way);
        let limits = Limits {
            margin: self.terms.margin,
            mean_margin: self.terms.mean_margin,
            alpha: self.terms.levels.error(),
            metrics: &[],
        };
        let decisions: Vec<Decision> =
            judged.iter().map(|one| gate::decide(&one.side, &limits, |_| true)).collect();
        let fails = decisions.iter().any(|one| matches!(one, Decision::Worse(_)));
        let undecided = !fails
            && decisions.iter().any(|one| matches!(one, Decision::Undecided(_) | Decision::Unjudged(_)));
        let outcomes =
            under_way.iter().zip(&judged).map(|(case, judged)| case.outcome(&judged.side, self.terms.gate));
        RunDecisions { cases: outcomes.collect(), gate: (fails, undecided) }
    }

    fn judged(&self, cases: &[UnderWay]) -> Vec<Judged> {
        let sides: Vec<Vec<Side>> = cases.iter().map(|case| vec![case.side.clone()]).collect();
        judge::judge(&sides, &self.terms).0.into_iter().flatten().collect()
    }
}

impl UnderWay {
    fn new() -> Self {
        let side = Side { side: 1, control: false, singles: Vec::new(), ended: None };
        Self { both: Vec::new(), looks: Vec::new(), side }
    }

    fn measure(&mut self, next: &mut impl Waves, in_waves: bool, upto: u32, reason: LookReason) {
        let wave = in_waves.then_some(self.looks.len() as u32);
        while (self.both.len() as u32) < upto {
            let block = self.both.len() as u32;
            let pairs = next(if in_waves { upto - block } else { 1 });
            for (block, pair) in (block..).zip(&pairs) {
                let [base, new] =
                    pair.each_ref().map(|process| Replicate { wave, ..process.replicate(block) });
                self.both.push((base, new));
            }
        }
        self.looks.push(Look { case: 0, blocks: (0..upto).collect(), reason });
    }

    fn judge(&mut self, terms: &Terms) {
        let both: Vec<(&Replicate, &Replicate)> = self.both.iter().map(|(base, new)| (base, new)).collect();
        let blocks: Vec<u32> = (0..both.len() as u32).collect();
        let taken = Taken::new(&terms.levels, &self.looks, &blocks, self.side.ended);
        self.side.singles = change::times(&case(), Subject::unknown(Quantity::Typical), &both, &taken, terms);
    }

    fn outcome(&self, side: &ComparedSide, gate: bool) -> CaseDecision {
        let of = |quantity: &Quantity| side.changes.iter().find(|change| change.quantity == *quantity);
        let was_decided = self.side.ended == Some(StopReason::Verdict);
        // A case that was given up is final without a verdict, but the gate still decides on it.
        let is_final = self.side.singles.iter().any(|single| single.is_final);
        CaseDecision {
            pairs: self.both.len(),
            verdict: side.verdict,
            typical: of(&Quantity::Typical).map_or(NOTHING, statistic),
            mean: of(&Quantity::Mean).map_or(NOTHING, statistic),
            taken_back: !gate && was_decided && !is_final && side.verdict == Verdict::Unclear,
        }
    }
}

pub(super) const NOTHING: Statistic = Statistic { verdict: Verdict::Unclear, reason: None, interval: None };

pub(super) fn statistic(change: &Change) -> Statistic {
    let log = |share: Interval| Interval { lo: share.lo.ln_1p(), hi: share.hi.ln_1p() };
    let interval = change.change.and_then(|estimate| estimate.interval).map(log);
    Statistic { verdict: change.verdict, reason: change.reason, interval }
}
