//! Finds stored runs of the same code on one machine. The analysis uses them to learn how much runs differ.

use crate::error::Result;
use crate::results::source::Source;
use derny_estimate::machine::RUNS;
use derny_model::{Document, RunHeader, RunStatus};
use derny_store::Store;
use std::collections::{BTreeSet, HashMap};

/// Number of stored runs to search, newest first.
const LOOKED_AT: usize = 500;

/// Maximum number of runs to read. More runs add little information.
const READ: usize = 24;

const DAY_MS: i64 = 86_400_000;

/// Returns the documents of runs on the machine of `like`, in groups of the same code. Groups that are too
/// small to be useful are omitted. Each group prefers runs of as many days as possible, and the newest ones
/// of each day.
pub fn groups(store: &Store, like: &RunHeader) -> Result<Vec<Vec<Document>>> {
    let place = |header: &RunHeader| header.only_machine().map(|own| (own.host.clone(), own.cpu.clone()));
    if place(like).is_none() {
        return Ok(Vec::new());
    }
    // Results of different tools vary differently, so the tool must be the same.
    let tool = |header: &RunHeader| header.imported.as_ref().map(|from| from.format.clone());
    let mut order: Vec<String> = Vec::new();
    let mut members: HashMap<String, Vec<(i64, String)>> = HashMap::new();
    for summary in store.runs(LOOKED_AT)? {
        let header = &summary.header;
        let usable = header.status != RunStatus::Running && !header.settings.once && summary.visits > 0;
        let is_alike = place(header) == place(like) && tool(header) == tool(like);
        let Some(code) = code(header).filter(|_| usable && is_alike) else { continue };
        if !order.contains(&code) {
            order.push(code.clone());
        }
        members.entry(code).or_default().push((header.started_ms.div_euclid(DAY_MS), header.id.clone()));
    }
    let mut groups = Vec::new();
    let mut left = READ;
    for runs in order.iter().filter_map(|code| members.get(code)).filter(|runs| runs.len() >= RUNS) {
        if left < RUNS {
            break;
        }
        let documents: Result<Vec<Document>> = by_day(runs)
            .into_iter()
            .take(left)
            .map(|run| Ok(Source::load(store, run, None)?.document()))
            .collect();
        let documents = documents?;
        left -= documents.len();
        groups.push(documents);
    }
    Ok(groups)
}

/// Returns the runs, alternating between days: one run of each day, then a second one of each day, and so on.
fn by_day(runs: &[(i64, String)]) -> Vec<&str> {
    let mut seen: HashMap<i64, usize> = HashMap::new();
    let mut ranked: Vec<(usize, &str)> = Vec::new();
    for (day, run) in runs {
        let rank = seen.entry(*day).or_default();
        ranked.push((*rank, run));
        *rank += 1;
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, run)| run).collect()
}

/// Returns a key that two runs share if they measured the same code: the series or a clean commit, and the
/// launch. None if the run has neither, or has several variants.
fn code(header: &RunHeader) -> Option<String> {
    let [variant] = header.variants.as_slice() else { return None };
    let args = (&variant.args, &variant.build_args);
    let launch = (&variant.command, args, &variant.env, &variant.revision, &variant.benchmark);
    let built: BTreeSet<_> =
        header.built.iter().map(|built| (&built.suite_args, &built.build_args)).collect();
    let sources = match (&header.series, &header.commit) {
        (Some(series), _) => format!("series {}", series.id),
        (None, Some(commit)) if !commit.dirty => format!("commit {}", commit.hash),
        _ => return None,
    };
    Some(format!("{sources} {launch:?} {built:?} {:?} {}", header.runtimes, header.settings.quick))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_a_run_before_a_day_has_two() {
        let runs = [(3, "f"), (3, "e"), (2, "d"), (1, "c"), (3, "b"), (1, "a")];
        let runs: Vec<(i64, String)> = runs.iter().map(|(day, run)| (*day, (*run).to_owned())).collect();
        assert_eq!(by_day(&runs), ["f", "d", "c", "e", "a", "b"]);
    }
}
