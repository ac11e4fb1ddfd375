//! Measures suspected changes: `derny history confirm`. The caller measures both commits as a pair.

use crate::bisect::found::{Lacking, found};
use crate::bisect::log::Subject;
use crate::bisect::search::is_change;
use crate::changes::StoredChange;
use crate::detect::detect;
use crate::pair::{Measure, Measured, Posed, Request, inverse};
use derny_model::{CaseId, ChangeState, Direction, Estimate, History, HistoryChange, Interval};
use derny_stats::level::LevelRules;
use derny_workbench::project::git::resolve;
use derny_workbench::{Error, Outcome, Result};
use std::path::Path;

/// Confidence level of the intervals. At this level, one in 200 false suspicions is confirmed.
const CONFIDENCE: f64 = 0.99;

/// A change to measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// The case.
    pub case: CaseId,
    /// Direction of improvement.
    pub better: Direction,
    /// The change in each history that has it. The histories are those of several machines.
    pub changes: Vec<StoredChange>,
    /// True if the user named the commits, so that no size is suspected.
    pub is_named: bool,
    /// Certainty of the change. The suspects with the highest scores are measured first.
    score: f64,
}

/// Returns the changes that no measurement has confirmed yet, the most certain first. Leaves out changes that
/// the machine caused, unless `machine` is true. `rules` are those by which the changes were found.
pub fn suspects(histories: &[History], machine: bool, rules: &LevelRules) -> Vec<Suspect> {
    let mut all: Vec<Suspect> = Vec::new();
    for history in histories {
        let is_wanted =
            |change: &&HistoryChange| change.state == ChangeState::New && (machine || !change.is_machine);
        let mut own = history.changes.iter().filter(is_wanted).peekable();
        if own.peek().is_none() {
            continue;
        }
        let scores = detect(history, rules);
        for change in own {
            let score = scores.iter().find(|one| one.change.to == change.to).map_or(0.0, |one| one.score);
            let is_same = |other: &&mut Suspect| {
                let known = &other.changes[0].change;
                other.case == history.case && (&known.from, &known.to) == (&change.from, &change.to)
            };
            let stored = StoredChange::of(history, change.clone());
            match all.iter_mut().find(is_same) {
                Some(known) => {
                    known.changes.push(stored);
                    known.score = known.score.max(score);
                }
                None => all.push(Suspect {
                    case: history.case.clone(),
                    better: history.better,
                    changes: vec![stored],
                    is_named: false,
                    score,
                }),
            }
        }
    }
    all.sort_by(|one, other| other.score.total_cmp(&one.score));
    all
}

/// Returns the pair of commits `from` and `to`, to measure it for the case of each history. `at_ms` is the
/// date of `to`.
pub fn pair(histories: &[History], from: &str, to: &str, at_ms: i64) -> Vec<Suspect> {
    let mut all: Vec<Suspect> = Vec::new();
    for history in histories {
        let known = history.changes.iter().find(|change| change.from == from && change.to == to);
        let new = || HistoryChange {
            from: from.to_owned(),
            to: to.to_owned(),
            at_ms,
            state: ChangeState::New,
            change: 0.0,
            interval: None,
            run: None,
            is_machine: false,
            note: None,
        };
        let is_named = known.is_none_or(|known| known.state != ChangeState::New);
        let stored = StoredChange::of(history, known.cloned().unwrap_or_else(new));
        match all.iter_mut().find(|other| other.case == history.case) {
            Some(other) => other.changes.push(stored),
            None => all.push(Suspect {
                case: history.case.clone(),
                better: history.better,
                changes: vec![stored],
                is_named,
                score: 0.0,
            }),
        }
    }
    all
}

/// The result of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub enum Confirmation {
    /// The changes with their new states. A change that is still `New` is undecided.
    Measured(Vec<StoredChange>),
    /// The commits cannot be measured, for this reason.
    Skipped(String),
}

/// Returns the state of a change that was suspected to have the size `suspected`. It is not confirmed if the
/// whole interval is below half of that size. Otherwise, it is confirmed if the interval is on the same side
/// of 0.
fn state(measured: &Estimate, suspected: f64) -> ChangeState {
    let Some(Interval { lo, hi }) = measured.interval else { return ChangeState::New };
    let (lo, hi) = if suspected < 0.0 { (-hi, -lo) } else { (lo, hi) };
    match hi < suspected.abs() / 2.0 {
        true => ChangeState::NotConfirmed,
        false if lo > 0.0 => ChangeState::Confirmed,
        false => ChangeState::New,
    }
}

/// Returns the state of a change of unknown size: confirmed if the interval excludes 0 and is not within the
/// margin.
fn state_of_pair(measured: &Estimate, margin: f64) -> ChangeState {
    let Some(Interval { lo, hi }) = measured.interval else { return ChangeState::New };
    match is_change(measured, margin) {
        true => ChangeState::Confirmed,
        false if lo >= -margin && hi <= margin => ChangeState::NotConfirmed,
        false => ChangeState::New,
    }
}

impl Suspect {
    /// Returns true if the change is for the worse.
    pub fn is_worse(&self, change: f64) -> bool {
        match self.better {
            Direction::Less => change > 0.0,
            Direction::More => change < 0.0,
            Direction::None => false,
        }
    }

    /// Measures both commits, and once more for longer if the result is undecided. The states are not stored.
    /// `margin` is the smallest change that matters between commits that the user named.
    ///
    /// # Errors
    ///
    /// Fails if the user interrupts, or if the store fails.
    pub fn measure(&self, root: &Path, margin: f64, measure: &mut Measure<'_>) -> Result<Confirmation> {
        let HistoryChange { from, to, .. } = &self.changes[0].change;
        if let Some(unknown) = [from, to].into_iter().find(|hash| resolve(root, hash).is_err()) {
            let hash = if unknown.is_empty() { "the commit before it" } else { unknown };
            return Ok(Confirmation::Skipped(format!("{hash} is not in this repository")));
        }
        let mut last = self.changes.clone();
        for effort in [1, 3] {
            match self.once(effort, margin, measure)? {
                Ok(measured) => last = measured,
                Err(why) => return Ok(Confirmation::Skipped(why)),
            }
            if last[0].change.state != ChangeState::New {
                break;
            }
        }
        Ok(Confirmation::Measured(last))
    }

    /// Measures both commits once. Returns the reason if that is impossible.
    fn once(
        &self,
        effort: u32,
        margin: f64,
        measure: &mut Measure<'_>,
    ) -> Result<Result<Vec<StoredChange>, String>> {
        let HistoryChange { from, to, change: suspected, .. } = &self.changes[0].change;
        let posed = Posed::of((!self.is_named).then_some(suspected / 2.0), margin);
        let (before, after) = (format!("before@{from}"), format!("after@{to}"));
        let mut request = Request {
            sides: if posed.is_swapped { [after, before] } else { [before, after] },
            patterns: Some(vec![self.case.to_string()]),
            confidence: Some(CONFIDENCE),
            margin: posed.margin,
            fail_on: posed.fail_on(),
            effort,
            note: format!("derny history confirm: {}", self.case),
            before: &mut |_| Ok(()),
        };
        let done = match measure(&mut request) {
            Ok(Measured::Done(done)) if done.outcome == Outcome::Interrupted => {
                return Err(Error::Interrupted);
            }
            Ok(Measured::Done(done)) => done,
            Ok(Measured::Nothing(why)) => return Ok(Err(why.in_a_line())),
            Ok(Measured::Early(_)) => return Ok(Err("nothing was measured".to_owned())),
            Err(error @ (Error::Interrupted | Error::System(_) | Error::Store(_))) => return Err(error),
            Err(error) => return Ok(Err(error.in_a_line())),
        };
        let quantity = "typical".to_owned();
        let subject = Subject { case: self.case.name(), quantity, better: self.better };
        match found(&done.document, Some(&subject), u32::from(!posed.is_swapped), None) {
            Ok(found) => {
                let change = if posed.is_swapped { inverse(&found.change) } else { found.change };
                Ok(Ok(self.with(&change, margin, &done.records.header.id)))
            }
            Err(Lacking::Side(why)) => Ok(Err(why)),
            Err(Lacking::Run(why) | Lacking::Metric(why)) => Ok(Err(why.in_a_line())),
        }
    }

    /// Returns the changes with their new states, the measured change and the run.
    fn with(&self, measured: &Estimate, margin: f64, run: &str) -> Vec<StoredChange> {
        let mut all = self.changes.clone();
        for own in &mut all {
            let state = match self.is_named {
                true => state_of_pair(measured, margin),
                false => state(measured, own.change.change),
            };
            own.change = HistoryChange {
                state,
                change: measured.value,
                interval: measured.interval,
                run: Some(run.to_owned()),
                ..own.change.clone()
            };
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_confirmed_by_its_direction_and_refuted_by_its_size() {
        use ChangeState::{Confirmed, New, NotConfirmed};
        let of = |lo: f64, hi: f64, suspected: f64| {
            state(&Estimate { value: lo.midpoint(hi), interval: Some(Interval { lo, hi }) }, suspected)
        };
        assert_eq!(of(0.04, 0.06, 0.05), Confirmed);
        assert_eq!(of(0.01, 0.06, 0.05), Confirmed, "a change of unclear size");
        assert_eq!(of(-0.01, 0.02, 0.05), NotConfirmed);
        assert_eq!(of(0.001, 0.002, 0.05), NotConfirmed, "a much smaller change");
        assert_eq!(of(-0.06, -0.04, 0.05), NotConfirmed, "the other direction");
        assert_eq!(of(-0.01, 0.04, 0.05), New);
        assert_eq!(of(-0.06, -0.04, -0.05), Confirmed);
        assert_eq!(of(-0.01, 0.01, -0.05), NotConfirmed);
        assert_eq!(state(&Estimate { value: 0.05, interval: None }, 0.05), New);
        let of = |lo: f64, hi: f64| {
            state_of_pair(&Estimate { value: 0.0, interval: Some(Interval { lo, hi }) }, 0.01)
        };
        assert_eq!([of(-0.03, -0.02), of(-0.01, 0.005), of(-0.02, 0.02)], [Confirmed, NotConfirmed, New]);
    }
}
