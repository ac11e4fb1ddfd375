//! Describes the result of a bisection.

use crate::bisect::log::Log;
use crate::bisect::range::{Range, short};
use crate::bisect::search::{self, Fact, Finding, Turn};
use derny_model::{
    Bisection, BisectionOutcome, BisectionProbe, BisectionRest, Direction, Estimate, ProbeVerdict,
};

/// The range and the measurements of a bisection.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The commits of the range.
    pub range: &'a Range,
    /// The measurements.
    pub log: &'a Log,
    /// Smallest change that matters, as a share.
    pub margin: f64,
}

impl Told<'_> {
    /// Returns all measurements, in their order.
    pub fn probes(&self) -> Vec<BisectionProbe> {
        (0..self.log.facts.len()).map(|at| self.probe(at)).collect()
    }

    fn probe(&self, place: usize) -> BisectionProbe {
        let commit = |at: usize| self.range.commits[at].clone();
        match &self.log.facts[place] {
            Fact::Skipped { at, why } => BisectionProbe {
                base: commit(0).hash,
                commit: commit(*at),
                change: None,
                verdict: ProbeVerdict::Skipped,
                run: None,
                why: why.clone(),
            },
            Fact::Measured { from, to, change, run, confirms } => {
                let is_whole = *confirms || *to == self.range.len();
                // The margin applies to the whole range. A change to confirm may be smaller.
                let least = if *confirms { 0.0 } else { self.margin };
                let verdict =
                    if is_whole { self.of_pair(change, least) } else { self.of_turn(place, change) };
                BisectionProbe {
                    base: commit(*from).hash,
                    commit: commit(*to),
                    change: Some(*change),
                    verdict,
                    run: Some(run.clone()),
                    why: String::new(),
                }
            }
        }
    }

    fn of_pair(&self, change: &Estimate, least: f64) -> ProbeVerdict {
        let within = search::interval(change);
        match search::is_change(change, least) {
            true => ProbeVerdict::Differs,
            false if within.lo >= -self.margin && within.hi <= self.margin => ProbeVerdict::Same,
            false => ProbeVerdict::Unclear,
        }
    }

    /// Returns the verdict on a probe, as the search decided it by the measurements before the probe.
    fn of_turn(&self, place: usize, change: &Estimate) -> ProbeVerdict {
        let before = search::bracket(&self.log.facts[..place], self.range.len(), self.margin);
        match before.map(|bracket| bracket.turn(change, false)) {
            Some(Turn::Later) => ProbeVerdict::NearGood,
            Some(Turn::Earlier) => ProbeVerdict::NearBad,
            Some(Turn::Unclear) | None => ProbeVerdict::Unclear,
        }
    }

    /// Returns the result of the bisection. `finding` is `None` if the time was up.
    pub fn answer(&self, finding: Option<Finding>) -> Bisection {
        let commits = &self.range.commits;
        let subject = self.log.subject.as_ref();
        let case = subject.map_or_else(String::new, |own| own.case.clone());
        let found = match finding {
            Some(Finding::Found { from, to } | Finding::NotConfirmed { from, to }) => Some((from, to)),
            _ => None,
        };
        let is_found = matches!(finding, Some(Finding::Found { .. }));
        let (outcome, because) = self.sentence(finding, &case);
        Bisection {
            format: Bisection::FORMAT,
            outcome,
            because,
            case,
            quantity: subject.map_or_else(|| "typical".to_owned(), |own| own.quantity.clone()),
            better: subject.map_or(Direction::Less, |own| own.better),
            good: commits[0].clone(),
            bad: commits[self.range.len()].clone(),
            commits: self.range.len() as u32,
            margin: self.margin,
            confidence: search::confidence(self.range.len()),
            total: self.of_pairs(0, self.range.len()),
            before: found.map(|(from, _)| commits[from].clone()),
            found: found.map(|(_, to)| commits[to].clone()),
            change: found.and_then(|(from, to)| self.of_pairs(from, to)),
            rest: found.filter(|_| is_found).map_or_else(Vec::new, |found| self.rest(found)),
            probes: self.probes(),
            notes: found.map_or_else(Vec::new, |found| self.notes(found)),
        }
    }

    /// Returns the last measurement of the pair `base` and `other`.
    fn of_pairs(&self, base: usize, other: usize) -> Option<Estimate> {
        self.log.facts.iter().rev().find_map(|fact| match fact {
            Fact::Measured { from, to, change, .. } if (*from, *to) == (base, other) => Some(*change),
            _ => None,
        })
    }

    fn sentence(&self, finding: Option<Finding>, case: &str) -> (BisectionOutcome, String) {
        let name = |at: usize| short(&self.range.commits[at].hash);
        match finding {
            None => (
                BisectionOutcome::Stopped,
                "the time is up; the same command continues the search".to_owned(),
            ),
            Some(Finding::NoChange) => {
                let because =
                    format!("`{case}` does not differ between the two ends by more than the margin");
                (BisectionOutcome::NoChange, because)
            }
            Some(Finding::Unclear) => {
                let because = format!(
                    "it is unclear whether `{case}` differs between the two ends; use --reset with a longer --budget"
                );
                (BisectionOutcome::Unclear, because)
            }
            Some(Finding::Found { from, to }) if to - from == 1 => {
                (BisectionOutcome::Found, format!("{} changes `{case}`", name(to)))
            }
            Some(Finding::Found { from, to }) => {
                let because = format!(
                    "one of the {} commits after {} up to {} changes `{case}`; those between cannot be measured, or are unclear",
                    to - from,
                    name(from),
                    name(to)
                );
                (BisectionOutcome::Range, because)
            }
            Some(Finding::NotConfirmed { to, .. }) => {
                let because = format!(
                    "the search ended at {}, but a comparison with the commit before it does not confirm the change of `{case}`; use --reset with a longer --budget",
                    name(to)
                );
                (BisectionOutcome::NotConfirmed, because)
            }
        }
    }

    /// Returns the parts of the range before and after the found pair that changed too.
    fn rest(&self, (from, to): (usize, usize)) -> Vec<BisectionRest> {
        let commits = self.range.len();
        let Some(total) = self.of_pairs(0, commits) else { return Vec::new() };
        let (lo, hi) = (self.of_pairs(0, from), self.of_pairs(0, to));
        let part = |good: usize, bad: usize, change: f64| BisectionRest {
            good: self.range.commits[good].hash.clone(),
            bad: self.range.commits[bad].hash.clone(),
            change,
        };
        let before = lo.filter(|lo| search::is_change(lo, self.margin)).map(|lo| part(0, from, lo.value));
        let after = hi.filter(|hi| search::differ(hi, &total)).map(|hi| total.value - hi.value);
        let after = after.filter(|after| after.abs() > self.margin).map(|after| part(to, commits, after));
        before.into_iter().chain(after).collect()
    }

    fn notes(&self, (from, to): (usize, usize)) -> Vec<String> {
        let mut notes = Vec::new();
        let commit = &self.range.commits[to];
        if commit.is_merge && to - from == 1 {
            let name = short(&commit.hash);
            notes.push(format!(
                "{name} merges a branch; `derny bisect $(git merge-base {name}^1 {name}^2)..{name}^2` searches it"
            ));
        }
        let inside = |fact: &Fact| match fact {
            Fact::Skipped { at, why } if *at > from && *at < to => Some((*at, why.clone())),
            _ => None,
        };
        let skipped: Vec<(usize, String)> = self.log.facts.iter().filter_map(inside).collect();
        if let Some((at, why)) = skipped.first() {
            notes.push(format!("{} cannot be measured: {why}", short(&self.range.commits[*at].hash)));
            notes.push("--retry tries such commits again".to_owned());
        }
        notes
    }
}
