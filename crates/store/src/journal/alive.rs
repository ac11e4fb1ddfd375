//! Detection of runs in progress, by files and locks; independent of the database.
//!
//! A recorder holds a lock on `running/<id>` as long as it lives. The system drops the lock with the process,
//! however it ends. The file contains the run's journal. Rejected: checking the engine's process id. Ids are
//! reused, mean nothing in another container that shares the directory, and can be checked with safe code on
//! Linux only.

use crate::journal::frames::Journal;
use crate::private;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lock and journal of a run that is being recorded.
pub struct Running {
    file: PathBuf,
    /// Events that are not yet in the database.
    pub journal: Journal,
    /// True to keep the file when this is dropped, because the journal is still needed.
    pub keep: bool,
}

impl Running {
    /// Takes the lock, or returns `None` if another recorder has it.
    pub fn take(dir: &Path, id: &str) -> io::Result<Option<Running>> {
        private::folder(dir, "running")?;
        let file = path(dir, id);
        let lock = private::file(&file)?;
        for _ in 0..10 {
            match lock.try_lock() {
                // a reader may be checking
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                    return Err(error);
                }
                _ => return Ok(Some(Running { file, journal: Journal::new(lock), keep: false })),
            }
        }
        Ok(None)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Removed while still locked. If that fails, an unlocked file means the same as no file.
        if !self.keep {
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// Returns true if the run is being recorded. If the file system has no locks, an existing file counts.
pub fn is_running(dir: &Path, id: &str) -> bool {
    match File::open(path(dir, id)) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(_) => false,
    }
}

/// Returns the path of a run's lock and journal.
pub fn path(dir: &Path, id: &str) -> PathBuf {
    dir.join("running").join(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_running_while_its_lock_is_held() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_running(dir.path(), "k3fz"));
        let running = Running::take(dir.path(), "k3fz").unwrap().unwrap();
        assert!(is_running(dir.path(), "k3fz") && !is_running(dir.path(), "k3fy"));
        assert!(Running::take(dir.path(), "k3fz").unwrap().is_none());
        drop(running);
        assert!(!is_running(dir.path(), "k3fz"));
    }

    #[test]
    fn a_file_left_by_a_dead_engine_is_no_lock() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("running")).unwrap();
        fs::write(path(dir.path(), "k3fz"), "").unwrap();
        assert!(!is_running(dir.path(), "k3fz"));
        assert!(Running::take(dir.path(), "k3fz").unwrap().is_some());
    }
}
