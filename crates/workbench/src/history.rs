//! Stored runs of the same code on one machine, from which analysis learns what runs differ by.

use crate::error::Result;
use crate::source::Source;
use derny_model::{Document, RunHeader, RunStatus};
use derny_store::Store;
use std::collections::HashMap;

/// The newest runs that are looked through.
const LOOKED_AT: usize = 500;

/// The most runs that are read: more say little more.
const READ: usize = 24;

/// The documents of such runs in groups of two or more, newest first, of the machine of `like`.
pub fn groups(store: &Store, like: &RunHeader) -> Result<Vec<Vec<Document>>> {
    let place = |header: &RunHeader| (header.machine.host.clone(), header.machine.cpu.clone());
    let mut order: Vec<String> = Vec::new();
    let mut members: HashMap<String, Vec<String>> = HashMap::new();
    for summary in store.runs(LOOKED_AT)? {
        let header = &summary.header;
        let usable = header.status != RunStatus::Running && !header.settings.once && summary.visits > 0;
        let Some(code) = code(header).filter(|_| usable && place(header) == place(like)) else { continue };
        if !order.contains(&code) {
            order.push(code.clone());
        }
        members.entry(code).or_default().push(header.id.clone());
    }
    let mut groups = Vec::new();
    let mut left = READ;
    for runs in order.iter().filter_map(|code| members.get(code)).filter(|runs| runs.len() > 1) {
        if left < 2 {
            break;
        }
        let read = runs.iter().take(left);
        let documents: Result<Vec<Document>> =
            read.map(|run| Ok(Source::load(store, run, None)?.document())).collect();
        let documents = documents?;
        left -= documents.len();
        groups.push(documents);
    }
    Ok(groups)
}

/// What two runs must share to be runs of the same code: the series, or a clean commit; and the one way to launch it.
fn code(header: &RunHeader) -> Option<String> {
    let [variant] = header.variants.as_slice() else { return None };
    let launch = (&variant.command, &variant.env, &variant.revision, &variant.benchmark);
    let sources = match (&header.series, &header.commit) {
        (Some(series), _) => format!("series {}", series.id),
        (None, Some(commit)) if !commit.dirty => format!("commit {}", commit.hash),
        _ => return None,
    };
    Some(format!("{sources} {launch:?} {:?} {}", header.runtimes, header.settings.quick))
}
