//! The decision after a stage. Every case that continues is looked at, and all cases are judged together. The
//! result is which cases continue, and with how many further blocks.
//!
//! Whether the time of a case is over is decided from its cost, before its results are looked at. The last
//! look may therefore spend all of the remaining error.

use crate::measure::case_state::CaseState;
use crate::measure::context::Context;
use derny_estimate::change::Terms;
use derny_estimate::family::Member;
use derny_estimate::judge::{Families, Side};
use derny_estimate::level::Levels;
use derny_model::{Case, Event, LEAST_REPLICATES, Look, LookReason, Settings, StopReason};

/// Returns the terms by which the cases of a running run are judged. `cycle_ns` is the clock cycle of the
/// machine.
pub(crate) fn terms(settings: &Settings, states: &[CaseState], cycle_ns: Option<f64>) -> Terms {
    let sides = states.first().map_or(0, |state| state.samples.controls.iter().filter(|c| !**c).count());
    let timed = states.iter().filter(|state| state.samples.is_timed() != Some(false)).count();
    let variants = states.first().map_or(1, |state| state.samples.variants());
    Terms { cycle_ns, levels: Levels::of_run(settings, variants), ..Terms::new(settings, timed * sides) }
}

/// Number of further blocks of a case, or the reason to stop.
type Decision = Result<u32, StopReason>;

/// Ends the cases that are decided. Returns the others, each with its number of further blocks.
pub(crate) fn decide(cx: &mut Context<'_>, states: &mut [CaseState], looks: &[u32]) -> Vec<(u32, u32)> {
    let over = cx.over();
    let before: Vec<usize> = states.iter().map(|state| state.samples.looks.len()).collect();
    let mut decisions: Vec<Option<Decision>> = Vec::new();
    for (case, state) in (0..).zip(states.iter_mut()) {
        let next = state
            .ended
            .is_none()
            .then(|| if over { Err(StopReason::Budget) } else { state.next(looks, cx.settings) });
        if let Some(next) = next {
            let time_over = next == Err(StopReason::Budget);
            state.samples.look(case, if time_over { LookReason::TimeOver } else { LookReason::Planned });
        }
        decisions.push(next);
    }
    let terms = terms(cx.settings, states, cx.cycle.ns());
    let mut open = open(cx, states, &terms);
    give_up(cx, states, &open, &mut decisions, looks, &terms);
    if refuse(cx, states, &open, &mut decisions, &terms) {
        open = self::open(cx, states, &terms);
    }
    let mut going = Vec::new();
    for (at, (state, decision)) in states.iter_mut().zip(decisions).enumerate() {
        let Some(decision) = decision else { continue };
        let case = at as u32;
        let new: Vec<Look> = state.samples.looks[before[at]..].to_vec();
        new.into_iter().for_each(|look| cx.emit(Event::Looked(look)));
        let decision = match (open[at], decision) {
            (Some(reason), _) if state.fixed.is_none() => Err(reason),
            (_, next) => next,
        };
        match decision {
            Ok(more) => {
                state.choose_rounds(cx.settings.turn_ns, cx.settings);
                going.push((case, more));
            }
            Err(reason) => {
                let reason = if state.samples.complete == 0 { StopReason::Budget } else { reason };
                state.ended = Some(reason);
                cx.emit(Event::CaseEnded { case, reason });
            }
        }
    }
    going
}

/// Returns for each case the reason to stop if its question is answered, or `None` while it is open.
fn open(cx: &Context<'_>, states: &mut [CaseState], terms: &Terms) -> Vec<Option<StopReason>> {
    let cases = &cx.catalogue.cases;
    let members = |(state, case): (&mut CaseState, &Case)| {
        state.judge(case, terms).iter().flat_map(Side::members).collect::<Vec<Member>>()
    };
    let members: Vec<Member> = states.iter_mut().zip(cases).flat_map(members).collect();
    let families = Families::of(&members, terms);
    // The user requested this many layouts, so a verdict needs all of them.
    let least = cx.settings.builds.max(LEAST_REPLICATES);
    let mut from = 0;
    let answer = |state: &CaseState| {
        let sides = state.shown();
        let own = from;
        from += sides.iter().map(|side| side.singles.len()).sum::<usize>();
        if state.samples.complete < least {
            return None;
        }
        if sides.is_empty() || cx.settings.precise {
            let half = state.samples.half_width(&terms.levels)?;
            return (half <= cx.settings.precision).then_some(StopReason::Precise);
        }
        let mut at = own;
        let mut is_open = |side: &Side| {
            let judged = families.judged(at, side.clone(), terms);
            at += side.singles.len();
            judged.is_open
        };
        (!sides.iter().any(&mut is_open)).then_some(StopReason::Verdict)
    };
    states.iter().map(answer).collect()
}

/// Without variants, ends the cases that their budget cannot make as precise as requested, or as is worth the
/// cost.
fn give_up(
    cx: &Context<'_>,
    states: &[CaseState],
    open: &[Option<StopReason>],
    decisions: &mut [Option<Decision>],
    looks: &[u32],
    terms: &Terms,
) {
    if cx.variants.len() > 1 {
        return;
    }
    for (at, decision) in decisions.iter_mut().enumerate() {
        let goes_on = matches!(decision, Some(Ok(_))) && open[at].is_none() && states[at].fixed.is_none();
        if goes_on && !states[at].pays(looks, cx.settings, &terms.levels) {
            *decision = Some(Err(StopReason::PrecisionPredicted));
        }
    }
}

/// If the time of the run is too short for all open cases, the least precise ones continue and the others
/// end. Returns true if any case ends.
fn refuse(
    cx: &Context<'_>,
    states: &mut [CaseState],
    open: &[Option<StopReason>],
    decisions: &mut [Option<Decision>],
    terms: &Terms,
) -> bool {
    let mut wanted: Vec<(f64, usize, u64)> = Vec::new();
    for (at, decision) in decisions.iter().enumerate() {
        if let (Some(Ok(more)), None) = (decision, open[at]) {
            let half = states[at].samples.half_width(&terms.levels).unwrap_or(f64::MAX);
            wanted.push((half, at, states[at].account.each(states[at].samples.complete) * u64::from(*more)));
        }
    }
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left_ns = cx.time.left_ns();
    let mut any = false;
    for (_, at, cost) in wanted {
        if cost <= left_ns {
            left_ns -= cost;
            continue;
        }
        decisions[at] = Some(Err(StopReason::Budget));
        if let Some(look) = states[at].samples.looks.last_mut() {
            look.reason = LookReason::TimeOver;
        }
        any = true;
    }
    any
}
