//! Whether a run that is marked as running still has an engine. Knows files and locks, not the database.
//!
//! A recorder holds a lock on `running/<id>` for as long as it lives; the system drops the lock with the process,
//! however it ends. The file's content is the run's journal. Rejected: asking for the engine's process id, because ids are used again, mean nothing in another
//! container that shares the directory, and cannot be asked for without unsafe code outside Linux.

use crate::journal::frames::Journal;
use crate::private;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The lock of a run that is being recorded, and its journal.
pub struct Running {
    file: PathBuf,
    /// What the database does not hold yet.
    pub journal: Journal,
    /// The journal is still needed: leave the file when this is dropped.
    pub keep: bool,
}

impl Running {
    /// Takes the lock; none if another recorder has it.
    pub fn take(dir: &Path, id: &str) -> io::Result<Option<Running>> {
        private::folder(dir, "running")?;
        let file = path(dir, id);
        let lock = private::file(&file)?;
        for _ in 0..10 {
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)), // a reader may be asking
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
        // While it is still locked. If that fails, an unlocked file says the same as none.
        if !self.keep {
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// Somebody records this run. Where the file system has no locks, a file that is there counts.
pub fn is_running(dir: &Path, id: &str) -> bool {
    match File::open(path(dir, id)) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(_) => false,
    }
}

/// The lock and journal of a run.
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
