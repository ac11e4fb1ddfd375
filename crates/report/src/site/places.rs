//! Commits and measurements, which the points of many histories share. Points refer to measurements by index.
//! Successive points usually have successive indices.

use super::about::Commit;
use derny_model::{HistoryPlace, shown};
use serde::Serialize;
use std::collections::HashMap;

/// Maximum number of shared measurements, so that memory stays bounded. A point with a further measurement
/// contains the measurement itself.
const SHARED: usize = 1 << 16;
/// Maximum length of a subject or a tag, in characters.
const LONGEST: usize = 200;

/// A measurement: index of the commit, or -1; start in milliseconds; id of the run; and the date if it is not
/// that of the commit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Measurement(i32, i64, Option<String>, Option<i64>);

/// A commit: hash, date, subject, tags, and its position on the branch.
#[derive(Debug, Clone, Serialize)]
struct Used(String, i64, String, Vec<String>, Option<usize>);

/// The tables of the site.
#[derive(Serialize)]
pub(super) struct Tables<'a> {
    commits: &'a [Used],
    measurements: Vec<&'a Measurement>,
    /// All tags of the branch: name, date, and position of the commit.
    releases: Vec<(String, i64, usize)>,
}

pub(super) struct Places {
    /// Commits of the branch with their positions.
    branch: HashMap<String, (usize, Commit)>,
    used: Vec<Used>,
    known: HashMap<String, i32>,
    shared: HashMap<Measurement, u32>,
}

impl Places {
    pub(super) fn new(commits: &[Commit]) -> Self {
        let entries = commits.iter().enumerate().map(|(at, one)| (one.hash.clone(), (at, one.clone())));
        Places { branch: entries.collect(), used: Vec::new(), known: HashMap::new(), shared: HashMap::new() }
    }

    /// Returns the index of a commit, or -1 if its hash is empty. `date` and `tags` are used only for a
    /// commit that is not on the branch.
    pub(super) fn commit(&mut self, hash: &str, date: i64, tags: &[String]) -> i32 {
        if hash.is_empty() {
            return -1;
        }
        if let Some(index) = self.known.get(hash) {
            return *index;
        }
        let index = i32::try_from(self.used.len()).unwrap_or(-1);
        let own = self.branch.get(hash);
        let subject = own.map_or("", |(_, own)| own.subject.as_str());
        let tags = own.map_or(tags, |(_, own)| own.tags.as_slice());
        let at_ms = own.map_or(date, |(_, own)| own.at_ms);
        let tags = tags.iter().map(|tag| short(tag)).collect();
        self.used.push(Used(short(hash), at_ms, short(subject), tags, own.map(|(at, _)| *at)));
        self.known.insert(hash.to_owned(), index);
        index
    }

    /// Returns the index of a point's measurement, or the measurement itself if there are already too many
    /// shared ones.
    pub(super) fn measurement(&mut self, point: &HistoryPlace) -> Result<u32, Measurement> {
        let commit = self.commit(&point.commit, point.at_ms, &point.releases);
        let date = usize::try_from(commit).ok().and_then(|at| self.used.get(at)).map(|own| own.1);
        let run = point.run.as_deref().map(|run| shown::visible(run).into_owned());
        let own =
            Measurement(commit, point.measured_ms, run, Some(point.at_ms).filter(|at| Some(*at) != date));
        if let Some(index) = self.shared.get(&own) {
            return Ok(*index);
        }
        let index = self.shared.len();
        if index >= SHARED {
            return Err(own);
        }
        self.shared.insert(own, index as u32);
        Ok(index as u32)
    }

    pub(super) fn tables(&self) -> Tables<'_> {
        let mut measurements: Vec<(&Measurement, u32)> =
            self.shared.iter().map(|(own, at)| (own, *at)).collect();
        measurements.sort_unstable_by_key(|(_, at)| *at);
        let tagged = self
            .branch
            .values()
            .flat_map(|(at, own)| own.tags.iter().map(|tag| (short(tag), own.at_ms, *at)));
        let mut releases: Vec<_> = tagged.collect();
        releases.sort_unstable_by(|a, b| (a.2, &a.0).cmp(&(b.2, &b.0)));
        Tables {
            commits: &self.used,
            measurements: measurements.into_iter().map(|(own, _)| own).collect(),
            releases,
        }
    }
}

/// Makes control characters visible in a text of foreign origin, and shortens the text to [`LONGEST`]
/// characters.
pub(super) fn short(text: &str) -> String {
    let shown = shown::visible(text);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.into_owned(),
    }
}
