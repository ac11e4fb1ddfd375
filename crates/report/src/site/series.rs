//! One history as JSON, and files of several histories.

use super::columns;
use super::places::{Measurement, Places, short};
use crate::deflated::{digits, json};
use derny_model::{History, HistoryChange, HistoryPlace, shown};
use serde::Serialize;
use std::fmt::Write;

/// Size in bytes of a file's JSON at which the file is full. Small histories share a file, so that there are
/// not too many files. Large histories have their own.
const ROOM: usize = 48 << 10;

/// Texts, changes and conditions of a history. Commits are indices into the table of commits.
#[derive(Serialize)]
struct Rest {
    conditions: Vec<[String; 3]>,
    changes: Vec<Change>,
    remarks: Vec<String>,
    /// Measurements that are not shared. Points refer to them by the indices -1, -2, …
    own: Vec<Measurement>,
}

/// A change: commits before and after it, date, state, relative change, interval, run, whether the machine is
/// the cause, note, and index of the first point after it.
#[derive(Serialize)]
struct Change(
    i32,
    i32,
    i64,
    derny_model::ChangeState,
    Option<f64>,
    Option<(f64, f64)>,
    Option<String>,
    bool,
    Option<String>,
    Option<usize>,
);

/// Returns a history as JSON, and the number of its points.
pub(super) fn text(history: &History, places: &mut Places) -> (String, usize) {
    let points: Vec<&HistoryPlace> = history.points.iter().filter(|point| point.value.is_finite()).collect();
    let mut out = String::with_capacity(points.len() * 14 + 256);
    out.push('{');
    let values: Vec<_> = points.iter().map(|point| (point.value, point.interval)).collect();
    columns::values(&mut out, &values);
    let mut own = Vec::new();
    let mut before = 0;
    out.push_str(",\"e\":");
    let indices = points.iter().map(|point| {
        let index = places.measurement(point).map_or_else(
            |one| {
                own.push(one);
                -(own.len() as i64)
            },
            i64::from,
        );
        Some(index - std::mem::replace(&mut before, index))
    });
    columns::list(&mut out, indices);
    // Pairs of the index of a point and the index of its conditions. The following points have the same
    // conditions, up to the point of the next pair.
    let starts =
        points.iter().enumerate().filter(|(at, one)| *at == 0 || points[at - 1].conditions != one.conditions);
    out.push_str(",\"c\":");
    columns::list(&mut out, starts.flat_map(|(at, one)| [Some(at), Some(one.conditions as usize)]));
    let conditions =
        history.conditions.iter().map(|own| [short(&own.cpu), short(&own.runtime), short(&own.tool)]);
    let rest = Rest {
        conditions: conditions.collect(),
        changes: history.changes.iter().map(|change| changed(change, &points, places)).collect(),
        remarks: remarks(history, points.len()),
        own,
    };
    let _ = write!(out, ",\"rest\":{}}}", json(&rest));
    (out, points.len())
}

fn changed(change: &HistoryChange, points: &[&HistoryPlace], places: &mut Places) -> Change {
    let finite = change.interval.filter(|own| own.lo.is_finite() && own.hi.is_finite());
    Change(
        places.commit(&change.from, change.at_ms, &[]),
        places.commit(&change.to, change.at_ms, &[]),
        change.at_ms,
        change.state,
        Some(change.change).filter(|size| size.is_finite()).map(|size| digits(size, 5)),
        finite.map(|own| (digits(own.lo, 5), digits(own.hi, 5))),
        change.run.as_deref().map(short),
        change.is_machine,
        change.note.as_deref().map(|note| shown::visible_lines(note).into_owned()),
        first_after(change, points.iter().copied()),
    )
}

/// Returns the index of the first point after a change: the point of the change's commit, or else the first
/// point that is not older than the change.
pub(super) fn first_after<'a>(
    change: &HistoryChange,
    points: impl Iterator<Item = &'a HistoryPlace> + Clone,
) -> Option<usize> {
    let of_commit = points.clone().position(|point| !change.to.is_empty() && point.commit == change.to);
    of_commit.or_else(|| points.clone().position(|point| point.at_ms >= change.at_ms))
}

fn remarks(history: &History, kept: usize) -> Vec<String> {
    let mut remarks: Vec<String> =
        history.remarks.iter().map(|one| shown::visible_lines(one).into_owned()).collect();
    match history.points.len() - kept {
        0 => {}
        1 => remarks.push("1 point without a finite value is left out".to_owned()),
        count => remarks.push(format!("{count} points without a finite value are left out")),
    }
    remarks
}

/// Groups histories into files.
#[derive(Default)]
pub(super) struct Chunks {
    /// Index of the first history of every file.
    starts: Vec<usize>,
    histories: usize,
    open: String,
}

impl Chunks {
    /// Adds a history. Returns the name and the content of a file that is full.
    pub(super) fn push(&mut self, json: &str) -> Option<(String, String)> {
        if self.open.is_empty() {
            self.starts.push(self.histories);
        }
        self.open.push(if self.open.is_empty() { '[' } else { ',' });
        self.open.push_str(json);
        self.histories += 1;
        if self.open.len() >= ROOM { self.close() } else { None }
    }

    /// Returns the name and the content of the last file.
    pub(super) fn close(&mut self) -> Option<(String, String)> {
        if self.open.is_empty() {
            return None;
        }
        self.open.push(']');
        Some((format!("series-{}", self.starts.len() - 1), std::mem::take(&mut self.open)))
    }

    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }
}
