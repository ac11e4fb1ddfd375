//! Computes the effect of blamed turns on the figures of a row. Recomputes typical and mean time without
//! them, by the rules of `estimate`.

use super::blame::{Blame, Rest};
use super::view::{CaseView, percent};
use crate::time;
use derny_estimate::pair::Replicate;
use derny_estimate::rounds::LEAST_TURNS;
use derny_model::{Estimate, Phase, ProcessStart, VariantResult, VisitRecord};
use std::collections::BTreeMap;

/// A shift smaller than this share is described as no change.
const UNSEEN: f64 = 5e-5;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effect {
    /// Affected estimate: `typical time` or `mean time`. `None` if almost all turns are blamed.
    pub of: Option<&'static str>,
    /// Shift of the estimate's logarithm without the blamed turns. 0 if unknown.
    pub moved: f64,
    /// True if the shift exceeds the half-width of the interval.
    pub decides: bool,
    pub(super) name: &'static str,
}

impl Effect {
    const NONE: Effect = Effect { of: None, moved: 0.0, decides: false, name: "" };

    pub(crate) fn words(&self) -> String {
        match self.of {
            None if self.decides => "too few unaffected turns remain to show the effect".to_owned(),
            None => String::new(),
            Some(of) if self.moved.abs() < UNSEEN => format!("without {}, its {of} is the same", self.name),
            Some(of) => format!(
                "without {}, its {of} is {} {}",
                self.name,
                percent(libm::expm1(self.moved)),
                if self.moved < 0.0 { "lower" } else { "higher" }
            ),
        }
    }

    pub(crate) fn severity(&self) -> f64 {
        if self.decides && self.of.is_none() { 1.0 } else { self.moved.abs() }
    }

    pub(crate) fn or(self, other: Effect) -> Effect {
        let rank = |effect: &Effect| (effect.decides, effect.severity());
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// Returns the largest effect of the blamed turns on any variant and estimate.
pub(super) fn effect(view: &CaseView, blame: &Blame) -> Effect {
    let variants = view.result.variants.iter();
    let effects = variants.map(|variant| of_variant(view, variant, blame));
    effects.reduce(Effect::or).unwrap_or(Effect::NONE)
}

struct Left<'a> {
    start: &'a ProcessStart,
    visits: Vec<VisitRecord>,
    turns: [usize; 2],
}

impl Left<'_> {
    fn is_enough(&self) -> bool {
        self.turns[1] >= self.turns[0].min(LEAST_TURNS)
    }
}

fn of_variant(view: &CaseView, variant: &VariantResult, blame: &Blame) -> Effect {
    if let Rest::Counted(of) = blame.rest {
        return counted(view, variant, of);
    }
    let case = &view.result.case;
    let measured =
        |record: &VisitRecord| record.turns.iter().filter(|turn| turn.phase == Phase::Measured).count();
    let mut processes: BTreeMap<u32, Left> = BTreeMap::new();
    for record in view.visits.iter().filter(|record| record.complete) {
        let Some(start) = view.processes.get(&record.visit.process) else { continue };
        let own = view.records.header.variants.get(start.variant as usize);
        if own.is_some_and(|own| own.name == variant.variant) {
            let new = || Left { start, visits: Vec::new(), turns: [0, 0] };
            let left = processes.entry(start.process).or_insert_with(new);
            let without = blame.without(record, case);
            left.turns = [left.turns[0] + measured(record), left.turns[1] + measured(&without)];
            left.visits.push(without);
        }
    }
    processes.retain(|_, left| left.turns[0] > 0);
    if processes.values().all(|left| left.turns[0] == left.turns[1]) {
        return Effect::NONE;
    }
    let left: Vec<&Left> = processes.values().filter(|left| left.is_enough()).collect();
    if 2 * left.len() < processes.len() {
        return match blame.rest {
            Rest::Nothing => Effect::NONE,
            Rest::Decides => Effect { decides: true, ..Effect::NONE },
            Rest::Share(of) | Rest::Counted(of) => counted(view, variant, of),
        };
    }
    let replicates = left.iter().map(|left| Replicate::of(left.start, case, &left.visits));
    moved(view, variant, &replicates.collect::<Vec<_>>(), blame)
}

/// Returns the effect of a cause whose share of the time is counted. Without the cause, typical time would be
/// shorter by that share.
fn counted(view: &CaseView, variant: &VariantResult, of: fn(&CaseView) -> Option<f64>) -> Effect {
    let (Some(figure), Some(share)) = (variant.figure("time"), of(view)) else { return Effect::NONE };
    let moved = libm::log1p(-share.clamp(0.0, 0.99));
    let effect = beyond("typical time", moved, &figure.reach(), view.records.header.settings.margin);
    Effect { name: "it", ..effect }
}

fn moved(view: &CaseView, variant: &VariantResult, left: &[Replicate], blame: &Blame) -> Effect {
    let margin = view.records.header.settings.margin;
    let without =
        time::times(&left.iter().collect::<Vec<_>>(), view.levels, view.records.header.machines.len() > 1);
    let (Some(with), Some(without)) = (&variant.time, without) else { return Effect::NONE };
    let of = |of: &'static str, name: &str, with: f64, without: f64| {
        let figure = variant.figure(name).map(|figure| figure.reach());
        Some(beyond(of, libm::log(without / with), &figure?, margin))
    };
    let typical = of("typical time", "time", with.typical.value, without.0.estimate.value);
    let mean = of("mean time", "mean", with.mean.value, without.1.estimate.value).filter(|_| blame.mean);
    let is_theirs = |effect: &Effect| !blame.slow || effect.moved <= 0.0;
    let effect = typical.into_iter().chain(mean).filter(is_theirs).reduce(Effect::or);
    Effect { name: blame.name, ..effect.unwrap_or(Effect::NONE) }
}

/// Creates the effect of the shift `moved` on the estimate named `of`. It decides if the shift exceeds the
/// half-width of the interval.
fn beyond(of: &'static str, moved: f64, estimate: &Estimate, margin: f64) -> Effect {
    let moved = if moved.is_finite() { moved } else { 0.0 };
    Effect { of: Some(of), moved, decides: moved.abs() > half(estimate, margin), name: "" }
}

/// Returns the relative half-width of the interval, or of the range of a single process. It is at least half
/// of the margin, because smaller changes do not matter.
pub(super) fn half(estimate: &Estimate, margin: f64) -> f64 {
    let own = match estimate.interval {
        Some(interval) if interval.lo > 0.0 => libm::log(interval.hi / interval.lo) / 2.0,
        Some(interval) if estimate.value > 0.0 => (interval.hi - interval.lo) / 2.0 / estimate.value,
        _ => 0.0,
    };
    own.max(margin / 2.0)
}
