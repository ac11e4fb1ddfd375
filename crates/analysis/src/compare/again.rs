//! Changes of time again without the turns that a warning blames.

use super::case::{self, Compared};
use super::{Setting, View, judged};
use crate::diagnose::{Blame, Rest};
use crate::parallel;
use derny_model::{Change, ComparedCase, Quantity, Side, Verdict, words};

/// What blamed turns do to a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effect {
    /// As a clause; empty where nothing is to be said.
    pub words: String,
    /// By how much they move the change, as a logarithm; 1 where hardly any turn is without.
    pub severity: f64,
    /// That is beyond half of the interval, or another verdict.
    pub decides: bool,
}

/// All that the changes were computed from, and what they came to.
pub(crate) struct Again<'a> {
    pub views: &'a [View<'a>],
    pub setting: &'a Setting<'a>,
    pub sides: &'a [Side],
    pub compared: &'a [Compared],
    pub cases: &'a [ComparedCase],
}

impl Again<'_> {
    /// What the turns that are blamed do in the cases at these places. All of them are left out together, since verdicts depend on each
    /// other.
    pub(crate) fn effects(&self, blame: &Blame, places: &[u32]) -> Vec<Effect> {
        if self.views[0].input.records.is_none() {
            return places.iter().map(|_| Effect::none()).collect();
        }
        let own = |at: usize| {
            let id = &self.cases[places[at] as usize].case.id;
            case::compare(self.views, id, self.setting, Some(blame))
        };
        let left: Vec<Option<Compared>> = parallel::map(places.len(), own);
        let mut all: Vec<&Compared> = self.compared.iter().collect();
        for (at, own) in places.iter().zip(&left) {
            all[*at as usize] = own.as_ref().unwrap_or(all[*at as usize]);
        }
        let (all, _) = judged(&all, self.sides, &self.setting.terms);
        let effect = |at: &u32| {
            let sides = self.cases[*at as usize].sides.iter().zip(&all[*at as usize]);
            let proper = sides.filter(|(side, _)| !self.sides[side.side as usize].control);
            let effects = proper.flat_map(|(old, new)| {
                let new = &new.side.changes;
                old.changes.iter().filter_map(|change| moved(change, new, blame, self.setting.options.margin))
            });
            effects.reduce(Effect::or).unwrap_or(Effect::none())
        };
        places.iter().map(effect).collect()
    }
}

impl Effect {
    fn none() -> Effect {
        Effect { words: String::new(), severity: 0.0, decides: false }
    }

    fn or(self, other: Effect) -> Effect {
        let rank = |effect: &Effect| (effect.decides, effect.severity);
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// What becomes of a change of time among those without the blamed turns.
fn moved(old: &Change, new: &[Change], blame: &Blame, margin: f64) -> Option<Effect> {
    let of = match old.quantity {
        Quantity::Typical => "typical time",
        Quantity::Mean if blame.mean => "mean time",
        Quantity::Mean | Quantity::Metric(_) => return None,
    };
    let before = old.change?;
    let new = new.iter().find(|change| change.quantity == old.quantity);
    let Some((new, after)) =
        new.and_then(|new| Some((new, new.change?))).filter(|(new, _)| 2 * new.replicates >= old.replicates)
    else {
        return Some(match blame.rest {
            Rest::Decides => Effect {
                words: "too few rounds are free of it for a change without".to_owned(),
                severity: 1.0,
                decides: true,
            },
            // What took its share of every turn took it on both sides.
            Rest::Nothing | Rest::Share(_) | Rest::Counted(_) => Effect::none(),
        });
    };
    let log = |value: f64| libm::log1p(value);
    let moved = log(after.value) - log(before.value);
    let own = before.interval.map_or(0.0, |i| (log(i.hi) - log(i.lo)) / 2.0);
    let half = own.max(margin / 2.0);
    // Fewer pairs that say less are no other verdict.
    let turned =
        new.verdict != old.verdict && (new.verdict != Verdict::Unclear || new.replicates == old.replicates);
    let mut words = format!(
        "without {} its {of} changes by {}, not {}",
        blame.name,
        signed(after.value),
        signed(before.value)
    );
    if turned {
        words.push_str(&format!(" ({}, not {})", new.verdict.token(), old.verdict.token()));
    }
    Some(Effect { words, severity: moved.abs(), decides: turned || moved.abs() > half })
}

/// `+3.1 %`.
fn signed(share: f64) -> String {
    let plus = if share > 0.0 { "+" } else { "" };
    format!("{plus}{}", words::percent(share))
}
