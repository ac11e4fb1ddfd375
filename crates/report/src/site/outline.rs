//! The outline of a site: a row for each history, with its sparkline, and all changes. The page can show the
//! list of cases from this file alone.

use super::about::About;
use super::places::short;
use super::series::first_after;
use super::spark::spark;
use crate::deflated::digits;
use derny_model::{CaseId, ChangeState, Direction, History, shown};
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;

/// Latest date that browsers support, in milliseconds since the Unix epoch. Later dates, and dates before
/// 1970, are mistakes.
const LATEST: i64 = 8_640_000_000_000_000;

/// A row: indices of its case, its figure, its machine and its kind; number of points; last value; change
/// since the first point of the same conditions; dates of the first and the last point; and sparkline.
#[derive(Serialize)]
struct Row(u32, u32, u32, u32, usize, Option<f64>, Option<f64>, i64, i64, String);

/// A change: index of the row, state, relative change, interval, date, index of the first commit after it or
/// -1, whether the machine is the cause, and its place in the sparkline.
#[derive(Serialize)]
struct Change(u32, ChangeState, Option<f64>, Option<(f64, f64)>, i64, i32, bool, Option<usize>);

/// Distinct values in the order of their first use.
struct Table<T> {
    values: Vec<T>,
    known: HashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { values: Vec::new(), known: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn index(&mut self, value: T) -> u32 {
        if let Some(index) = self.known.get(&value) {
            return *index;
        }
        let index = self.values.len() as u32;
        self.values.push(value.clone());
        self.known.insert(value, index);
        index
    }
}

#[derive(Default)]
pub(super) struct Outline {
    cases: Table<CaseId>,
    /// Name, unit, and direction of improvement.
    figures: Table<(String, String, &'static str)>,
    hosts: Table<String>,
    /// Reason why the points are kept apart, and the release or age that the values are changes against.
    kinds: Table<(Option<String>, Option<String>)>,
    commits: Table<String>,
    rows: Vec<Row>,
    changes: Vec<Change>,
}

type Params = Vec<(String, String)>;

/// The fields of the outline file, which the page reads when it opens.
#[derive(Serialize)]
pub(super) struct Head<'a> {
    title: String,
    made_ms: i64,
    commit_url: Option<&'a str>,
    run_url: Option<&'a str>,
    /// Suite, benchmark and parameters of each case.
    cases: Vec<(String, String, Params)>,
    figures: &'a [(String, String, &'static str)],
    hosts: &'a [String],
    kinds: &'a [(Option<String>, Option<String>)],
    /// Hash and subject of the commits of changes.
    commits: Vec<(String, String)>,
    rows: &'a [Row],
    changes: &'a [Change],
    /// Index of the first row of every file of histories.
    starts: &'a [usize],
}

impl Outline {
    pub(super) fn cases(&self) -> usize {
        self.cases.values.len()
    }

    pub(super) fn add(&mut self, history: &History) {
        let row = self.rows.len() as u32;
        let direction = match history.better {
            Direction::Less => "less",
            Direction::More => "more",
            Direction::None => "none",
        };
        let case = self.cases.index(history.case.clone());
        let figure = self.figures.index((short(&history.figure), short(&history.unit), direction));
        let host = self.hosts.index(short(&history.host));
        let kind =
            self.kinds.index((history.apart.as_deref().map(short), history.against.as_deref().map(short)));
        let spark = spark(history);
        for change in &history.changes {
            let place = first_after(change, history.points.iter()).map(|at| spark.place(at));
            let commit = if change.to.is_empty() { -1 } else { self.commits.index(change.to.clone()) as i32 };
            let finite = change.interval.filter(|own| own.lo.is_finite() && own.hi.is_finite());
            let interval = finite.map(|own| (digits(own.lo, 4), digits(own.hi, 4)));
            let size = Some(change.change).filter(|size| size.is_finite()).map(|size| digits(size, 4));
            self.changes.push(Change(
                row,
                change.state,
                size,
                interval,
                change.at_ms,
                commit,
                change.is_machine,
                place,
            ));
        }
        let mut points = history.points.iter().filter(|point| point.value.is_finite());
        let count = points.clone().count();
        let last = points.next_back();
        let first = points.find(|one| last.is_none_or(|last| one.conditions == last.conditions));
        let since = last.zip(first).filter(|(_, first)| first.value > 0.0);
        let since = since.map(|(last, first)| digits(last.value / first.value - 1.0, 4));
        let dates = history.points.iter().map(|point| point.at_ms).filter(|at| (1..=LATEST).contains(at));
        let (first_ms, last_ms) = (dates.clone().min().unwrap_or(0), dates.max().unwrap_or(0));
        let last = last.map(|last| digits(last.value, 5));
        self.rows.push(Row(case, figure, host, kind, count, last, since, first_ms, last_ms, spark.text));
    }

    pub(super) fn head<'a>(&'a self, about: &'a About, starts: &'a [usize]) -> Head<'a> {
        let text = |text: &String| shown::visible(text).into_owned();
        let case = |id: &CaseId| {
            let params = id.params.iter().map(|(key, value)| (text(key), text(value)));
            (text(&id.suite), text(&id.benchmark), params.collect())
        };
        let subjects: HashMap<&str, &str> =
            about.commits.iter().map(|own| (own.hash.as_str(), own.subject.as_str())).collect();
        let commit =
            |hash: &String| (short(hash), short(subjects.get(hash.as_str()).copied().unwrap_or_default()));
        Head {
            title: text(&about.title),
            made_ms: about.made_ms,
            commit_url: about.commit_url.as_deref(),
            run_url: about.run_url.as_deref(),
            cases: self.cases.values.iter().map(case).collect(),
            figures: &self.figures.values,
            hosts: &self.hosts.values,
            kinds: &self.kinds.values,
            commits: self.commits.values.iter().map(commit).collect(),
            rows: &self.rows,
            changes: &self.changes,
            starts,
        }
    }
}
