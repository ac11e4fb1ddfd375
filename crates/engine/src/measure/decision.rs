//! The decision after a stage. Looks at every case that continues, and judges all cases together.
//! Returns the cases that continue, each with its number of further blocks.
//!
//! The cost of a case decides whether its time is over, before its results are evaluated. The last look
//! may therefore spend all of the remaining error.

use crate::measure::allotment::{self, Wanted};
use crate::measure::allowance;
use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use derny_estimate::change::Terms;
use derny_estimate::family::Member;
use derny_estimate::judge::{Families, Judged, Side};
use derny_estimate::level::Levels;
use derny_estimate::{precision, prospect};
use derny_model::{
    Case, ComparedSide, Event, LEAST_REPLICATES, Look, LookReason, Reason, Settings, StopReason,
};

/// Returns the terms for judging the cases of a run in progress. `cycle_ns` is the clock cycle of the
/// machine.
pub(crate) fn terms(settings: &Settings, states: &[CaseState], cycle_ns: Option<f64>) -> Terms {
    let sides = states.first().map_or(0, |state| state.samples.controls.iter().filter(|c| !**c).count());
    let timed = states.iter().filter(|state| state.samples.is_timed() != Some(false)).count();
    let variants = states.first().map_or(1, |state| state.samples.variants());
    Terms { cycle_ns, levels: Levels::of_run(settings, variants), ..Terms::new(settings, timed * sides) }
}

/// Number of further blocks of a case, or the reason to stop.
type Decision = Result<u32, StopReason>;

/// Before the first looks, one case in this many must have time for another look. Otherwise the run ends.
const FEW: usize = 10;

/// The state of the question that a case is measured to answer. With variants, the question is the verdict.
/// Otherwise, it is whether the estimate is precise enough.
enum Question {
    /// The question is answered.
    Answered(StopReason),
    /// The question is open.
    Open(Forecast),
}

/// A forecast of the pairs that would answer the question of a case.
#[derive(Debug, Clone, Copy, Default)]
struct Forecast {
    /// Total number of pairs that would probably suffice. `None` if there is no forecast.
    needed: Option<u32>,
    /// Absolute size of the relative change or, in a run of one variant, relative size of the interval.
    size: f64,
}

/// The cases that continue.
pub(crate) struct Going {
    /// Indices of the cases, each with its number of further blocks.
    pub cases: Vec<(u32, u32)>,
    /// True if time is too short for all cases, so that they must be measured in this order.
    pub in_order: bool,
}

/// Ends the decided cases, and returns those that continue now. If the time is too short for all, some
/// cases neither end nor continue. They wait for the next decision.
pub(crate) fn decide(cx: &mut Context<'_>, states: &mut [CaseState], looks: &[u32]) -> Going {
    let over = is_over(cx, states, looks);
    let before: Vec<usize> = states.iter().map(|state| state.samples.looks.len()).collect();
    let mut decisions: Vec<Option<Decision>> = Vec::new();
    for (case, state) in (0..).zip(states.iter_mut()) {
        let next = state
            .ended
            .is_none()
            .then(|| if over { Err(StopReason::Budget) } else { state.next(looks, cx.settings) });
        match next {
            Some(Err(StopReason::Budget)) => state.samples.look(case, LookReason::TimeOver),
            Some(Ok(_)) if state.is_before_first_look(looks) => {}
            Some(_) => state.samples.look(case, LookReason::Planned),
            None => {}
        }
        decisions.push(next);
    }
    let terms = terms(cx.settings, states, cx.cycle.ns());
    let questions = questions(cx, states, &terms);
    give_up(cx, states, &questions, &mut decisions, looks, &terms);
    for (at, (state, decision)) in states.iter_mut().zip(&mut decisions).enumerate() {
        let Some(next) = decision else { continue };
        let new: Vec<Look> = state.samples.looks[before[at]..].to_vec();
        new.into_iter().for_each(|look| cx.emit(Event::Looked(look)));
        let reason = match (&questions[at], &next) {
            (_, Err(_)) if state.samples.complete == 0 => StopReason::Budget,
            (Question::Answered(reason), _) if state.fixed.is_none() => *reason,
            (_, Err(reason)) => *reason,
            (_, Ok(_)) => continue,
        };
        *decision = None;
        state.ended = Some(reason);
        cx.emit(Event::CaseEnded { case: at as u32, reason });
    }
    allot(cx, states, &questions, &decisions, looks, &terms)
}

/// Returns true if the time of the run is over: no case has time for another look or, before the first
/// looks, fewer than a tenth of the cases have time for one. Depends only on costs, never on results.
fn is_over(cx: &Context<'_>, states: &[CaseState], looks: &[u32]) -> bool {
    let cost = |(case, state): (u32, &CaseState)| {
        let next = state.next(looks, cx.settings).ok().filter(|_| state.ended.is_none())?;
        Some(allowance::block_ns(cx, state, case).saturating_mul(next.into()))
    };
    let costs: Vec<u64> = (0..).zip(states).filter_map(cost).collect();
    let has_looks = states.iter().any(|state| !state.samples.looks.is_empty());
    let least = if has_looks { 1 } else { costs.len().div_ceil(FEW) };
    cx.over() || (!costs.is_empty() && allotment::fits(costs, left_ns(cx, states)) < least)
}

/// Returns the time in ns that remains after the processes of another stage have started.
fn left_ns(cx: &Context<'_>, states: &[CaseState]) -> u64 {
    let launch_ns = states.iter().map(|state| state.account.launch_ns).max().unwrap_or(0);
    cx.time.left_ns().saturating_sub(launch_ns)
}

/// Chooses the cases that continue now.
fn allot(
    cx: &Context<'_>,
    states: &mut [CaseState],
    questions: &[Question],
    decisions: &[Option<Decision>],
    looks: &[u32],
    terms: &Terms,
) -> Going {
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut wanted: Vec<Wanted> = Vec::new();
    for (at, decision) in decisions.iter().enumerate() {
        let Some(Ok(next)) = decision else { continue };
        let state = &states[at];
        // A case with a fixed number of blocks continues even if its question is answered.
        let forecast = match questions[at] {
            Question::Open(forecast) if state.shown().is_empty() => precise(cx, state, forecast, terms),
            Question::Open(forecast) => forecast,
            Question::Answered(_) => Forecast::default(),
        };
        let affordable = state.affordable(looks, cx.settings);
        let further = |look: &u32| look.saturating_sub(state.samples.complete);
        open.push((at as u32, *next));
        wanted.push(Wanted {
            next: *next,
            missing: forecast
                .needed
                .and_then(|needed| affordable.iter().find(|look| **look >= needed))
                .map(further),
            most: affordable.last().map_or(*next, further),
            each_ns: allowance::block_ns(cx, state, at as u32),
            is_first: state.samples.looks.is_empty() || state.fixed.is_some(),
            size: forecast.size,
        });
    }
    let (chosen, in_order) = allotment::choose(&wanted, left_ns(cx, states));
    let cases: Vec<(u32, u32)> = chosen.into_iter().map(|at| open[at]).collect();
    for (case, _) in &cases {
        states[*case as usize].choose_rounds(cx.settings.turn_ns, cx.settings);
    }
    Going { cases, in_order }
}

/// Judges all cases together. Returns the state of each case's question.
fn questions(cx: &Context<'_>, states: &mut [CaseState], terms: &Terms) -> Vec<Question> {
    let cases = &cx.catalogue.cases;
    let members = |(state, case): (&mut CaseState, &Case)| {
        state.judge(case, terms).iter().flat_map(Side::members).collect::<Vec<Member>>()
    };
    let members: Vec<Member> = states.iter_mut().zip(cases).flat_map(members).collect();
    let families = Families::of(&members, terms);
    // The user requested this many builds with different layouts, so a verdict needs all of them.
    let least = cx.settings.builds.max(LEAST_REPLICATES);
    let mut from = 0;
    let answer = |(state, case): (&CaseState, &Case)| {
        let sides = state.shown();
        let judged: Vec<Judged> = sides
            .iter()
            .map(|side| {
                let judged = families.judged(from, side.clone(), terms);
                from += side.singles.len();
                judged
            })
            .collect();
        if has_exact_metric(case) && state.samples.is_exact(case) {
            let reason = if sides.is_empty() { StopReason::Precise } else { StopReason::Verdict };
            return Question::Answered(reason);
        }
        let is_early = state.samples.complete < least;
        if sides.is_empty() || cx.settings.precise {
            let half = state.samples.half_width(&terms.levels);
            return match half.filter(|_| !is_early) {
                Some(half) if half <= cx.settings.precision => Question::Answered(StopReason::Precise),
                _ => Question::Open(Forecast { needed: None, size: half.unwrap_or(f64::MAX) }),
            };
        }
        // Before its first look, a case has no result.
        let is_open = |judged: &&Judged| judged.is_open || is_early || state.samples.looks.is_empty();
        let open = judged.iter().filter(is_open).map(|judged| forecast(&judged.side, terms));
        let both = |a: Forecast, b: Forecast| Forecast {
            needed: a.needed.zip(b.needed).map(|(a, b)| a.max(b)),
            size: a.size.max(b.size),
        };
        open.reduce(both).map_or(Question::Answered(StopReason::Verdict), Question::Open)
    };
    states.iter().zip(cases).map(answer).collect()
}

/// Returns true if one block may be enough for a case: each of its calls begins anew, and its first metric
/// is declared exact.
pub(crate) fn has_exact_metric(case: &Case) -> bool {
    case.fresh && case.metrics.first().is_some_and(|metric| metric.exact)
}

fn forecast(side: &ComparedSide, terms: &Terms) -> Forecast {
    // The interval excludes 0, and only the correction for multiple comparisons leaves the case undecided.
    // The next look may decide it.
    let is_near = side.reason == Some(Reason::MultipleComparisons);
    let needed = if is_near { Some(0) } else { prospect::needed(side, terms.margin) };
    Forecast { needed, size: prospect::size(side) }
}

/// Replaces the forecast with the number of processes that would make a case as precise as requested.
fn precise(cx: &Context<'_>, state: &CaseState, forecast: Forecast, terms: &Terms) -> Forecast {
    let needed = precision::needed(&state.samples.locations, cx.settings.precision, &terms.levels);
    Forecast { needed, ..forecast }
}

/// In a run without variants, ends the cases that their budget cannot make as precise as requested. Also
/// ends cases whose further precision is not worth its cost.
fn give_up(
    cx: &Context<'_>,
    states: &[CaseState],
    questions: &[Question],
    decisions: &mut [Option<Decision>],
    looks: &[u32],
    terms: &Terms,
) {
    if cx.variants.len() > 1 {
        return;
    }
    for (at, decision) in decisions.iter_mut().enumerate() {
        let is_open = matches!(questions[at], Question::Open(..)) && states[at].fixed.is_none();
        let goes_on = matches!(decision, Some(Ok(_))) && is_open;
        if goes_on && !states[at].pays(looks, cx.settings, &terms.levels) {
            *decision = Some(Err(StopReason::PrecisionPredicted));
        }
    }
}
