//! Changes of levels that were confirmed, or that the user has marked. The store keeps them as a text.

use crate::detect::{Suspicion, detect, edges, mark_machine};
use derny_model::{CaseId, ChangeState, History, HistoryChange};
use derny_stats::level::LevelRules;
use derny_store::Store;
use derny_workbench::Result;
use serde::{Deserialize, Serialize};

/// Key of the text in the store.
const TEXT: &str = "history changes";

/// Number of points by which the place of a found change may differ from that of a stored one.
const NEAR: usize = 2;

/// A stored change of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredChange {
    /// The case.
    pub case: CaseId,
    /// Name of the figure.
    pub figure: String,
    /// Host name of the machine.
    pub host: String,
    /// The change.
    pub change: HistoryChange,
}

impl StoredChange {
    /// Returns the change of a history, for the store.
    pub fn of(history: &History, change: HistoryChange) -> StoredChange {
        let (case, figure, host) = (history.case.clone(), history.figure.clone(), history.host.clone());
        StoredChange { case, figure, host, change }
    }

    fn is_of(&self, history: &History) -> bool {
        self.case == history.case
            && self.figure == history.figure
            && self.host == history.host
            && history.against.is_none()
    }

    fn is_same(&self, other: &StoredChange) -> bool {
        self.case == other.case
            && self.figure == other.figure
            && self.host == other.host
            && self.change.to == other.change.to
    }
}

/// Returns the stored changes of all histories.
///
/// # Errors
///
/// Fails if the store cannot be read.
pub fn stored(store: &Store) -> Result<Vec<StoredChange>> {
    Ok(parsed(store.text(TEXT)?.as_deref()))
}

/// Stores a change. It replaces one of the same history at the same commit.
///
/// # Errors
///
/// Fails if the store cannot be written.
pub fn keep(store: &Store, new: &StoredChange) -> Result<()> {
    Ok(store.change_text(TEXT, |text| {
        let mut all = parsed(text);
        all.retain(|known| !known.is_same(new));
        all.push(new.clone());
        serde_json::to_string(&all).unwrap_or_default()
    })?)
}

/// Parses the stored changes. Ignores those that this version cannot read, because a later one wrote them.
fn parsed(text: Option<&str>) -> Vec<StoredChange> {
    let all: Vec<serde_json::Value> =
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    all.into_iter().filter_map(|one| serde_json::from_value(one).ok()).collect()
}

/// Finds the changes of histories, marks those that the machine caused, and applies the stored ones
/// ([`apply`]).
pub fn find(histories: &mut [History], stored: &[StoredChange], rules: &LevelRules) {
    let all = histories.iter().map(|history| (history, detect(history, rules))).collect();
    let found = marked(all, rules);
    for (history, found) in histories.iter_mut().zip(found) {
        apply(history, found, stored);
    }
}

/// Finds the changes of histories as [`find`] does, without keeping the histories in memory. Returns those of
/// each history, for [`apply`].
///
/// # Errors
///
/// Fails if a history cannot be read.
pub fn found(histories: impl Iterator<Item = Result<History>>) -> Result<Vec<Vec<HistoryChange>>> {
    let rules = LevelRules::default();
    let kept = histories.map(|history| {
        let history = history?;
        let own = detect(&history, &rules);
        Ok((edges(history, &rules), own))
    });
    let kept = kept.collect::<Result<Vec<(History, Vec<Suspicion>)>>>()?;
    Ok(marked(kept.iter().map(|(history, own)| (history, own.clone())).collect(), &rules))
}

/// Marks the changes that the machine caused, and returns all changes of each history.
fn marked(mut all: Vec<(&History, Vec<Suspicion>)>, rules: &LevelRules) -> Vec<Vec<HistoryChange>> {
    mark_machine(&mut all, rules);
    all.into_iter().map(|(_, own)| own.into_iter().map(|one| one.change).collect()).collect()
}

/// Sets the changes of a history to the found ones. A stored change whose commit is in the history replaces
/// the found change at or beside the commit. If there is none, the stored change is added.
pub fn apply(history: &mut History, found: Vec<HistoryChange>, stored: &[StoredChange]) {
    let place = |commit: &str| {
        let is_it = |point: &derny_model::HistoryPlace| point.commit == commit && !commit.is_empty();
        history.points.iter().position(is_it)
    };
    let mut all = found;
    for own in stored.iter().filter(|own| own.is_of(history)) {
        let Some(at) = place(&own.change.to) else { continue };
        let is_near = |other: &HistoryChange| {
            place(&other.to).is_some_and(|place| place.abs_diff(at) <= NEAR)
                && other.state == ChangeState::New
        };
        match all.iter_mut().find(|other| is_near(other)) {
            Some(other) => *other = own.change.clone(),
            None => all.push(own.change.clone()),
        }
    }
    all.sort_by_key(|change| place(&change.to).unwrap_or(usize::MAX));
    history.changes = all;
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{Direction, HistoryConditions, HistoryPlace};

    fn history(commits: &[&str]) -> History {
        let point = |(at, commit): (i64, &&str)| HistoryPlace {
            conditions: 0,
            at_ms: at,
            measured_ms: at,
            commit: (*commit).into(),
            releases: Vec::new(),
            run: None,
            value: 1.0,
            interval: None,
            machine_ns: None,
        };
        let conditions =
            HistoryConditions { cpu: String::new(), runtime: String::new(), tool: String::new() };
        History {
            case: CaseId { suite: "s".into(), benchmark: "a".into(), params: Vec::new() },
            figure: "time".into(),
            unit: "ns".into(),
            better: Direction::Less,
            host: "h".into(),
            apart: None,
            against: None,
            conditions: vec![conditions],
            points: (0..).zip(commits).map(point).collect(),
            changes: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn change(to: &str, state: ChangeState) -> HistoryChange {
        let from = String::new();
        HistoryChange {
            from,
            to: to.into(),
            at_ms: 0,
            state,
            change: 0.1,
            interval: None,
            run: None,
            is_machine: false,
            note: None,
        }
    }

    fn states(history: &History) -> Vec<(&str, ChangeState)> {
        history.changes.iter().map(|change| (change.to.as_str(), change.state)).collect()
    }

    #[test]
    fn a_stored_change_decides_about_the_found_one_beside_it() {
        use ChangeState::{Accepted, Confirmed, New};
        let mut own = history(&["a", "b", "c", "d", "e", "f", "g"]);
        let found = vec![change("b", New), change("f", New)];
        let stored = [
            StoredChange::of(&own, change("g", Accepted)),
            StoredChange::of(&own, change("d", Confirmed)),
            StoredChange::of(&own, change("gone", Confirmed)),
        ];
        apply(&mut own, found.clone(), &stored);
        assert_eq!(states(&own), [("d", Confirmed), ("g", Accepted)]);
        apply(&mut own, found, &stored[..1]);
        assert_eq!(states(&own), [("b", New), ("g", Accepted)]);
        let other = History { host: "other".into(), ..history(&["d"]) };
        let mut other = other;
        apply(&mut other, Vec::new(), &stored);
        assert!(other.changes.is_empty());
    }

    #[test]
    fn a_change_replaces_its_predecessor_and_unknown_ones_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let own = history(&["a"]);
        for state in [ChangeState::Confirmed, ChangeState::Fixed] {
            keep(&store, &StoredChange::of(&own, change("a", state))).unwrap();
        }
        keep(&store, &StoredChange::of(&own, change("b", ChangeState::Accepted))).unwrap();
        let states: Vec<ChangeState> = stored(&store).unwrap().iter().map(|one| one.change.state).collect();
        assert_eq!(states, [ChangeState::Fixed, ChangeState::Accepted]);
        assert!(parsed(Some("[{\"case\": 1}]")).is_empty() && parsed(Some("no")).is_empty());
    }
}
