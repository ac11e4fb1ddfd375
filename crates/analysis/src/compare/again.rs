//! Recomputes changes of time without the turns that a warning blames.

use super::case::{self, Compared};
use super::setting::Setting;
use super::view::View;
use crate::diagnose::{Blame, Rest};
use crate::parallel;
use derny_estimate::family::Member;
use derny_estimate::judge::Families;
use derny_model::{Change, ComparedCase, ComparedSide, Quantity, Side, Verdict, words};
use std::borrow::Cow;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effect {
    /// A clause that describes the effect, or an empty string.
    pub words: String,
    /// Absolute shift of the log-ratio. 1 if almost all turns are blamed.
    pub severity: f64,
    /// True if the shift exceeds the half-width of the interval, or if the verdict changes.
    pub decides: bool,
}

pub(crate) struct Again<'a> {
    pub views: &'a [View<'a>],
    pub setting: &'a Setting<'a>,
    pub sides: &'a [Side],
    /// Members of the families, by case.
    pub members: &'a [Vec<Member>],
    pub cases: &'a [ComparedCase],
}

impl Again<'_> {
    /// Returns the effect of the blamed turns on the cases at `places`. Removes the turns from all of these
    /// cases at once, because verdicts depend on each other.
    pub(crate) fn effects(&self, blame: &Blame, places: &[u32]) -> Vec<Effect> {
        if self.views[0].input.records.is_none() {
            return places.iter().map(|_| Effect::none()).collect();
        }
        let own = |at: usize| {
            let id = &self.cases[places[at] as usize].case.id;
            case::compare(self.views, id, self.setting, Some(blame))
        };
        let left: Vec<Option<Compared>> = parallel::map(places.len(), own);
        let mut members: Vec<Cow<'_, [Member]>> =
            self.members.iter().map(|own| Cow::Borrowed(own.as_slice())).collect();
        for (at, own) in places.iter().zip(&left) {
            if let Some(own) = own {
                members[*at as usize] = Cow::Owned(own.members(self.sides));
            }
        }
        let terms = &self.setting.terms;
        let families = Families::of(&members.concat(), terms);
        let begin = |from: &mut usize, own: &Cow<'_, [Member]>| {
            *from += own.len();
            Some(*from - own.len())
        };
        let begins: Vec<usize> = members.iter().scan(0, begin).collect();
        let judged = |(at, own): (&u32, Option<Compared>)| {
            let old = &self.cases[*at as usize].sides;
            let new = own.map(|own| own.judged(begins[*at as usize], self.sides, &families, terms));
            self.effect(old, new.as_deref().unwrap_or(old), blame)
        };
        places.iter().zip(left).map(judged).collect()
    }

    fn effect(&self, old: &[ComparedSide], new: &[ComparedSide], blame: &Blame) -> Effect {
        let sides = old.iter().zip(new);
        let proper = sides.filter(|(side, _)| !self.sides[side.side as usize].control);
        let effects = proper.flat_map(|(old, new)| {
            let new = &new.changes;
            old.changes.iter().filter_map(|change| moved(change, new, blame, self.setting.options.margin))
        });
        effects.reduce(Effect::or).unwrap_or(Effect::none())
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
                words: "too few unaffected rounds remain to show the effect".to_owned(),
                severity: 1.0,
                decides: true,
            },
            // The cause affected every turn, and therefore both sides alike.
            Rest::Nothing | Rest::Share(_) | Rest::Counted(_) => Effect::none(),
        });
    };
    let log = |value: f64| libm::log1p(value);
    let moved = log(after.value) - log(before.value);
    let own = before.interval.map_or(0.0, |i| (log(i.hi) - log(i.lo)) / 2.0);
    let half = own.max(margin / 2.0);
    // If fewer pairs remain, the verdict may be unclear only because of their number. That does not count as
    // a different verdict.
    let turned =
        new.verdict != old.verdict && (new.verdict != Verdict::Unclear || new.replicates == old.replicates);
    let mut words = format!(
        "without {}, its {of} changes by {}, not {}",
        blame.name,
        signed(after.value),
        signed(before.value)
    );
    if turned {
        words.push_str(&format!(" ({}, not {})", new.verdict.token(), old.verdict.token()));
    }
    Some(Effect { words, severity: moved.abs(), decides: turned || moved.abs() > half })
}

fn signed(share: f64) -> String {
    let plus = if share > 0.0 { "+" } else { "" };
    format!("{plus}{}", words::percent(share))
}
