//! A part: a store in one file, with the run of one shard and the plan that it is of. It may lie anywhere, under any name.

use crate::Store;
use crate::error::StoreError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Under which key a part keeps its plan.
const PLAN: &str = "plan";

impl Store {
    /// The plan that a part was measured by, as it was given; none where the store is no part.
    pub fn plan(&self) -> Result<Option<String>, StoreError> {
        self.conn.read("the plan of the part cannot be read", |rows| rows.text(PLAN))
    }

    /// Keeps the plan.
    pub fn set_plan(&self, text: &str) -> Result<(), StoreError> {
        self.conn.write("the plan cannot be kept", |rows| rows.set_text(PLAN, text))
    }

    /// Writes all of the store as a part. What was there under that name stays until its successor is whole.
    pub fn into_part(self, file: &Path) -> Result<(), StoreError> {
        let beside = beside(file);
        let _ = fs::remove_file(&beside);
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

/// Where a part is written first.
fn beside(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!(".{name}.{}", std::process::id()))
}

fn unwritten(file: &Path, error: &io::Error) -> StoreError {
    StoreError {
        kind: crate::ErrorKind::Open,
        what: "the part cannot be written".into(),
        place: file.display().to_string(),
        why: error.to_string(),
        remedy: "name another file with -o".into(),
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
