//! Reads histories: the points of a figure on one machine, in the order of commits.

use crate::commits::Branch;
use crate::order::{Found, Order};
use crate::since::Since;
use derny_engine::discover::pattern::{self, Selector};
use derny_model::{
    Case, CaseId, History, HistoryConditions, HistoryEntry, HistoryPlace, HistorySeries, HistoryValue,
    problem,
};
use derny_store::Store;
use derny_workbench::{Error, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The histories to read.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// Selector of the cases.
    pub cases: &'a Selector,
    /// Name of the figure. All figures if absent.
    pub figure: Option<&'a str>,
    /// Host name of the machine. All machines if absent.
    pub host: Option<&'a str>,
    /// Maximum number of points of a history. The newest points are kept.
    pub newest: usize,
    /// Earliest date or commit.
    pub since: Option<Since>,
    /// Release or age. Reads the changes against it, which `derny history creep` measured, instead of values.
    pub against: Option<&'a str>,
    /// True to include uncommitted changes, and sides of comparisons.
    pub apart: bool,
    /// Current time, milliseconds since the Unix epoch.
    pub now_ms: i64,
}

/// Histories of a store, which are read one at a time.
pub struct Histories<'a> {
    store: &'a Store,
    branch: Option<&'a Branch>,
    wanted: Wanted<'a>,
    entries: HashMap<i64, HistoryEntry>,
    /// Series of each history, in the order of cases.
    groups: Vec<Vec<(i64, HistorySeries)>>,
}

/// Properties that the series of one history share.
type Key = (CaseId, String, String, String, Option<String>, Option<String>);

fn key(series: &HistorySeries) -> Key {
    let HistorySeries { case, figure, unit, host, apart, against, .. } = series.clone();
    (case, figure, unit, host, apart, against)
}

impl<'a> Histories<'a> {
    /// Finds the wanted histories. `branch` orders their points, if there is a repository.
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read.
    pub fn open(store: &'a Store, branch: Option<&'a Branch>, wanted: Wanted<'a>) -> Result<Histories<'a>> {
        let mut all = store.history_series()?;
        if let Some(against) = wanted.against
            && !all.iter().any(|(_, series)| series.against.as_deref() == Some(against))
        {
            return Err(no_comparison(against, &all));
        }
        all.retain(|(_, series)| series.against.as_deref() == wanted.against);
        if let Some(figure) = wanted.figure
            && !all.is_empty()
            && !all.iter().any(|(_, series)| series.figure == figure)
        {
            return Err(unknown(figure, &all));
        }
        let cases: Vec<Case> = all.iter().map(|(_, series)| Case::new(series.case.clone())).collect();
        let known: Vec<&Case> = cases.iter().collect();
        let chosen = wanted.cases.choose(&known);
        if !cases.is_empty() && !wanted.cases.is_everything() && !chosen.unmatched.is_empty() {
            return Err(Error::Nothing(pattern::refusal(&chosen, &known, "of the history")));
        }
        let mut groups: BTreeMap<Key, Vec<(i64, HistorySeries)>> = BTreeMap::new();
        for ((number, series), case) in all.into_iter().zip(&cases) {
            let is_figure = wanted.figure.is_none_or(|figure| figure == series.figure);
            let is_figure = is_figure && wanted.host.is_none_or(|host| host == series.host);
            let is_apart = series.apart.is_some() && !wanted.apart;
            if is_figure && !is_apart && chosen.has(case) {
                groups.entry(key(&series)).or_default().push((number, series));
            }
        }
        let entries = store.history_entries()?.into_iter().collect();
        Ok(Histories { store, branch, wanted, entries, groups: groups.into_values().collect() })
    }

    /// Returns the histories that have points.
    pub fn iter(&self) -> impl Iterator<Item = Result<History>> + '_ {
        self.groups.iter().filter_map(|group| self.read(group).transpose())
    }

    /// Returns true if a point is not before `since`. Compares positions on the branch if both are known,
    /// because several commits may have the same date.
    fn is_since(&self, since: &Since, point: &HistoryPlace) -> bool {
        let position = |hash: &str| self.branch.and_then(|branch| branch.position(hash));
        match since.commit.as_deref().and_then(position).zip(position(&point.commit)) {
            Some((first, own)) => own >= first,
            None => point.at_ms >= since.at_ms,
        }
    }

    fn read(&self, group: &[(i64, HistorySeries)]) -> Result<Option<History>> {
        let Some((_, first)) = group.first() else { return Ok(None) };
        let mut order = Order::new(self.branch, self.wanted.now_ms);
        let mut conditions: Vec<HistoryConditions> = Vec::new();
        for (number, series) in group {
            let own = conditions_of(series);
            let at = conditions.iter().position(|known| *known == own).unwrap_or(conditions.len());
            if at == conditions.len() {
                conditions.push(own);
            }
            for (entry, value) in self.store.history_points(*number)? {
                // Points of entries that were removed or replaced stay in the store.
                if let Some(entry) = self.entries.get(&entry) {
                    order.add(place(entry, value, at as u32));
                }
            }
        }
        let Found { mut points, mut remarks } = order.points();
        points.retain(|point| self.wanted.since.as_ref().is_none_or(|since| self.is_since(since, point)));
        points.drain(..points.len().saturating_sub(self.wanted.newest));
        if points.is_empty() {
            return Ok(None);
        }
        remarks.extend(two_machines(&first.host, &conditions, &points));
        Ok(Some(History {
            case: first.case.clone(),
            figure: first.figure.clone(),
            unit: first.unit.clone(),
            better: first.better,
            host: first.host.clone(),
            apart: first.apart.clone(),
            against: first.against.clone(),
            conditions,
            points,
            changes: Vec::new(),
            remarks,
        }))
    }
}

fn unknown(figure: &str, all: &[(i64, HistorySeries)]) -> Error {
    let known: BTreeSet<&str> = all.iter().map(|(_, series)| series.figure.as_str()).collect();
    let near = pattern::closest(figure, known.iter().copied());
    let remedy = match near.first() {
        Some(near) => format!("use --metric {near}"),
        None => "choose one of these".to_owned(),
    };
    let known: Vec<&str> = known.into_iter().collect();
    problem!("the history has no `{figure}`").known(known.join(", ")).remedy(remedy).into()
}

fn no_comparison(against: &str, all: &[(i64, HistorySeries)]) -> Error {
    let known: BTreeSet<&str> = all.iter().filter_map(|(_, series)| series.against.as_deref()).collect();
    let what = problem!("the history has no comparison against `{against}`").place("--against");
    let what = match known.is_empty() {
        true => what,
        false => what.known(known.into_iter().collect::<Vec<_>>().join(", ")),
    };
    what.remedy(format_args!("run `derny history creep --against {against}`")).into()
}

fn conditions_of(series: &HistorySeries) -> HistoryConditions {
    let HistorySeries { cpu, runtime, tool, .. } = series.clone();
    HistoryConditions { cpu, runtime, tool }
}

fn place(entry: &HistoryEntry, value: HistoryValue, conditions: u32) -> HistoryPlace {
    HistoryPlace {
        conditions,
        at_ms: entry.measured_ms,
        measured_ms: entry.measured_ms,
        commit: entry.commit.as_ref().map_or_else(String::new, |commit| commit.hash.clone()),
        releases: Vec::new(),
        run: entry.run.clone(),
        value: value.value,
        interval: value.interval,
        machine_ns: entry.machine_ns,
    }
}

/// Returns a remark if points of several processors alternate. A machine that was replaced changes only once.
fn two_machines(host: &str, conditions: &[HistoryConditions], points: &[HistoryPlace]) -> Option<String> {
    let cpu = |point: &HistoryPlace| conditions[point.conditions as usize].cpu.as_str();
    let mut by_time: Vec<&HistoryPlace> = points.iter().collect();
    by_time.sort_by_key(|point| point.measured_ms);
    let changes = by_time.windows(2).filter(|pair| cpu(pair[0]) != cpu(pair[1])).count();
    let mut cpus: Vec<&str> = by_time.iter().map(|point| cpu(point)).collect();
    cpus.sort_unstable();
    cpus.dedup();
    (cpus.len() > 1 && changes >= cpus.len()).then(|| {
        format!(
            "several machines seem to be named `{host}`: {}; their points are not compared",
            cpus.join(" and ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::add;
    use crate::points::Measured;
    use derny_model::{Commit, Direction};
    use derny_workbench::project::git::git;
    use std::path::Path;

    const NOW_MS: i64 = 4_000_000_000_000;

    fn series(cpu: &str) -> HistorySeries {
        HistorySeries {
            case: CaseId { suite: "s".into(), benchmark: "a".into(), params: Vec::new() },
            figure: "time".into(),
            unit: "ns".into(),
            better: Direction::Less,
            host: "h".into(),
            cpu: cpu.into(),
            runtime: String::new(),
            tool: "derny 1".into(),
            apart: None,
            against: None,
        }
    }

    fn put(store: &Store, key: &str, commit: &str, measured_ms: i64, cpu: &str, value: f64) {
        let commit = Some(Commit { hash: commit.into(), branch: None, dirty: false });
        let commit = commit.filter(|commit| !commit.hash.is_empty());
        let entry =
            HistoryEntry { key: key.into(), run: None, file: None, measured_ms, commit, machine_ns: None };
        add(
            store,
            &[Measured { entry, points: vec![(series(cpu), HistoryValue { value, interval: None })] }],
        )
        .unwrap();
    }

    fn read(store: &Store, branch: Option<&Branch>) -> Vec<History> {
        let cases = Selector::default();
        let wanted = Wanted {
            cases: &cases,
            figure: None,
            host: None,
            newest: usize::MAX,
            since: None,
            against: None,
            apart: false,
            now_ms: NOW_MS,
        };
        Histories::open(store, branch, wanted).unwrap().iter().map(Result::unwrap).collect()
    }

    fn values(history: &History) -> Vec<f64> {
        history.points.iter().map(|point| point.value).collect()
    }

    /// Creates a repository with three commits on `main`, one per day, and one commit on another branch.
    fn repository(root: &Path) -> Vec<String> {
        let commit = |date: &str| {
            let own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
            let made = ["commit", "-q", "--allow-empty", "-m", "x"];
            derny_workbench::project::git::git_with(
                root,
                &[&own[..], &made].concat(),
                &[("GIT_COMMITTER_DATE", date.as_ref())],
            )
            .unwrap();
            git(root, &["rev-parse", "HEAD"]).unwrap()
        };
        git(root, &["init", "-q", "-b", "main"]).unwrap();
        let mut all: Vec<String> =
            ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z", "2020-01-03T00:00:00Z"].map(commit).into();
        git(root, &["tag", "v1", "HEAD~1"]).unwrap();
        git(root, &["checkout", "-q", "-b", "other"]).unwrap();
        all.push(commit("2020-01-04T00:00:00Z"));
        git(root, &["checkout", "-q", "main"]).unwrap();
        all
    }

    const DAY_MS: i64 = 86_400_000;
    const FIRST_MS: i64 = 1_577_836_800_000;

    #[test]
    fn points_are_in_the_order_of_commits_and_others_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let commits = repository(folder.path());
        let store = Store::open(&folder.path().join(".derny")).unwrap();
        let at = |day: i64| FIRST_MS + day * DAY_MS;
        // The oldest commit was measured last.
        put(&store, "1:", &commits[2], at(5), "c", 3.0);
        put(&store, "2:", &commits[1], at(6), "c", 2.0);
        put(&store, "3:", &commits[0], at(7), "c", 1.0);
        put(&store, "4:", &commits[3], at(8), "c", 9.0);
        put(&store, "5:", &"0".repeat(40), at(8), "c", 9.0);
        put(&store, "6:", "", at(1) + 1, "c", 2.5);
        let branch = Branch::read(folder.path(), Some("main")).unwrap();
        let [history] = &read(&store, Some(&branch))[..] else { panic!() };
        assert_eq!(values(history), [1.0, 2.0, 2.5, 3.0]);
        assert_eq!(history.points[1].releases, ["v1"]);
        assert_eq!(history.points[0].at_ms, at(0), "the date is that of the commit");
        let remarks = history.remarks.join("\n");
        assert!(remarks.contains("1 point of commits that are not on main"), "{remarks}");
        assert!(remarks.contains("1 point of commits that the repository no longer has"), "{remarks}");
    }

    #[test]
    fn clocks_that_are_apart_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let commits = repository(folder.path());
        let store = Store::open(&folder.path().join(".derny")).unwrap();
        put(&store, "1:", &commits[0], FIRST_MS - 9 * DAY_MS, "c", 1.0);
        put(&store, "2:", &commits[1], NOW_MS + 9 * DAY_MS, "c", 2.0);
        let branch = Branch::read(folder.path(), None).unwrap();
        let [history] = &read(&store, Some(&branch))[..] else { panic!() };
        assert_eq!(values(history), [1.0, 2.0]);
        let remarks = history.remarks.join("\n");
        assert!(remarks.contains("1 point was measured before the date of the commit"), "{remarks}");
        assert!(remarks.contains("1 point is dated in the future"), "{remarks}");
    }

    #[test]
    fn results_of_another_project_are_ordered_by_date() {
        let folder = tempfile::tempdir().unwrap();
        repository(folder.path());
        let store = Store::open(&folder.path().join(".derny")).unwrap();
        put(&store, "1:", &"1".repeat(40), 20, "c", 2.0);
        put(&store, "2:", &"2".repeat(40), 10, "c", 1.0);
        let branch = Branch::read(folder.path(), None).unwrap();
        let [history] = &read(&store, Some(&branch))[..] else { panic!() };
        assert_eq!(values(history), [1.0, 2.0]);
        assert!(history.remarks[0].contains("not in this repository"));
        assert_eq!(values(&read(&store, None)[0]), [1.0, 2.0]);
    }

    #[test]
    fn two_machines_of_one_name_are_named_and_a_new_processor_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join(".derny")).unwrap();
        for day in 0..6 {
            put(&store, &format!("{day}:"), "", day, if day < 3 { "old" } else { "new" }, 1.0);
        }
        let [history] = &read(&store, None)[..] else { panic!() };
        assert_eq!((history.conditions.len(), history.remarks.len()), (2, 0));
        put(&store, "9:", "", 9, "old", 1.0);
        let [history] = &read(&store, None)[..] else { panic!() };
        assert!(history.remarks[0].contains("several machines seem to be named `h`: new and old"));
    }
}
