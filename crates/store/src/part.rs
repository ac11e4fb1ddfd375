//! A part: a store in one file at any path. It contains the run of one shard, and the plan that the shard
//! belongs to.

use crate::Store;
use crate::backend::Rows;
use crate::codec::blob;
use crate::codec::varint::{Reader, put};
use crate::error::{StoreError, Trouble};
use derny_model::{Problem, RunHeader, TurnFacts};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const PLAN: &str = "plan";
const FACTS: &str = "facts";

impl Store {
    /// Returns the text of the plan that the part belongs to, or `None` if the store is not a part.
    pub fn plan(&self) -> Result<Option<String>, StoreError> {
        self.conn.read("the plan of the part cannot be read", |rows| rows.text(PLAN))
    }

    /// Stores the text of the plan.
    pub fn set_plan(&self, text: &str) -> Result<(), StoreError> {
        self.conn.write("the plan cannot be stored", |rows| rows.set_text(PLAN, text))
    }

    /// Returns the header of a part's run, or `None` if it has no run.
    pub fn part_header(&self) -> Result<Option<RunHeader>, StoreError> {
        self.conn.read("the run of the part cannot be read", |rows| {
            rows.newest(1)?.first().map(|run| rows.header(run.key)).transpose()
        })
    }

    /// Stores data for merging under these keys, beside the run.
    pub fn set_pieces(&self, pieces: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        self.conn.write("data of the part cannot be stored", |rows| {
            pieces.iter().try_for_each(|(key, bytes)| rows.set_piece(key, bytes))
        })
    }

    /// Returns the data stored under a key, if any.
    pub fn piece(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.conn.read("data of the part cannot be read", |rows| rows.piece(key))
    }

    /// Writes the whole store to a file as a part. An existing file remains until the new one is complete.
    pub fn into_part(self, file: &Path) -> Result<(), StoreError> {
        self.conn.write("the part cannot be written", set_facts)?;
        let beside = beside(file);
        let _ = fs::remove_file(&beside);
        // Fail if the file exists. In a folder that others can write to, someone may have placed a link
        // there.
        let made = fs::File::options().write(true).create_new(true).open(&beside);
        made.map_err(|error| unwritten(file, &error))?;
        let written = self.conn.write_to(&beside);
        let renamed = written.and_then(|()| {
            let placed = fs::File::open(&beside)
                .and_then(|file| file.sync_all())
                .and_then(|()| fs::rename(&beside, file));
            placed.map_err(|error| unwritten(file, &error))
        });
        renamed.inspect_err(|_| _ = fs::remove_file(&beside))
    }
}

/// Stores facts about the turns of each visit, so that merging does not have to decode the turns.
fn set_facts(rows: &dyn Rows) -> Result<(), Trouble> {
    let Some(run) = rows.newest(1)?.pop() else { return Ok(()) };
    let mut bytes = Vec::new();
    rows.each_turns(run.key, 0..=u32::MAX - 1, &mut |visit, turns| {
        let Some(facts) = blob::facts(turns) else { return Ok(()) };
        let TurnFacts { begun_ns, warm_up, measured, rejected, timed, pinned } = facts;
        let [timed, pinned] = [timed, pinned].map(u64::from);
        let begun = [u64::from(begun_ns.is_some()), begun_ns.unwrap_or(0)];
        let counts = [visit, warm_up, measured, rejected].map(u64::from);
        counts.into_iter().chain([timed | pinned << 1]).chain(begun).for_each(|word| put(&mut bytes, word));
        Ok(())
    })?;
    rows.set_piece(FACTS, &bytes)
}

/// Returns the facts that [`set_facts`] stored, by visit. Empty for a part of an earlier version.
pub fn facts(rows: &dyn Rows) -> Result<HashMap<u32, TurnFacts>, Trouble> {
    let bytes = rows.piece(FACTS)?.unwrap_or_default();
    let mut reader = Reader::new(&bytes);
    let mut all = HashMap::new();
    let mut one = || {
        let [visit, warm_up, measured, rejected] =
            [(); 4].map(|()| reader.varint().and_then(|word| u32::try_from(word).ok()));
        let [flags, has_begun, begun_ns] = [(); 3].map(|()| reader.varint());
        let (timed, pinned) = (flags? & 1 != 0, flags? & 2 != 0);
        let begun_ns = (has_begun? != 0).then_some(begun_ns?);
        let (warm_up, measured, rejected) = (warm_up?, measured?, rejected?);
        Some((visit?, TurnFacts { begun_ns, warm_up, measured, rejected, timed, pinned }))
    };
    while let Some((visit, facts)) = one() {
        all.insert(visit, facts);
    }
    Ok(all)
}

/// Returns the temporary path for writing a part.
fn beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{}", std::process::id()))
}

fn unwritten(file: &Path, error: &io::Error) -> StoreError {
    StoreError {
        kind: crate::ErrorKind::Open,
        problem: Problem::new("the part cannot be written")
            .place(file.display())
            .why(error)
            .remedy("name another file with -o"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
    use derny_model::{Event, RunStatus};

    #[test]
    fn a_part_is_all_of_its_store_in_one_file() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("run")).unwrap();
        let mut recorder = store.recorder().unwrap();
        let mut random = Random(1);
        let turns = (0..20).map(|round| Event::Turn(turn(&mut random, 0, round)));
        let events = [start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0)];
        let ends = [Event::VisitEnded { visit: 0 }, process_end(0), end(RunStatus::Complete)];
        events.into_iter().chain(turns).chain(ends).for_each(|event| recorder.on_event(&event).unwrap());
        drop(recorder);
        store.set_plan("a plan").unwrap();
        let before = store.load("k3fz").unwrap();
        let file = dir.path().join("4.derny");
        fs::write(&file, "what was there before").unwrap();
        store.into_part(&file).unwrap();
        fs::remove_dir_all(dir.path().join("run")).unwrap();
        let part = Store::open_part(&file).unwrap();
        assert_eq!(part.plan().unwrap().as_deref(), Some("a plan"));
        assert_eq!(part.load("last").unwrap(), before);
        let known = part.conn.read("", facts).unwrap();
        assert_eq!(known.into_iter().collect::<Vec<_>>(), [(0, before.visits[0].turns.facts())]);
        let names: Vec<_> =
            fs::read_dir(dir.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names, ["4.derny"], "nothing is beside it");
        let whole = fs::read(&file).unwrap();
        for length in [0, 1, 31, 1024, whole.len() - 1] {
            fs::write(&file, &whole[..length]).unwrap();
            let error = Store::open_part(&file).err().unwrap();
            assert!(matches!(error.kind, ErrorKind::Damaged | ErrorKind::Unknown), "{length}: {error}");
        }
        fs::write(&file, "text that is no part of anything").unwrap();
        assert_eq!(Store::open_part(&file).err().unwrap().kind, ErrorKind::Unknown);
    }
}
