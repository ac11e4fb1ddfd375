//! Detects runs in progress by locked files.
//!
//! A recorder holds a lock on `running/<id>` while it is alive. The system releases the lock when the process
//! ends for any reason. The file contains the journal of the run. A lock is more reliable than the engine's
//! process id: ids are reused, they differ between containers that share the directory, and safe code can
//! check them only on Linux.

use crate::journal::frames::Journal;
use crate::private;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The lock and the journal of a run that is being recorded.
pub struct Running {
    file: PathBuf,
    pub journal: Journal,
    /// True to keep the file when this value is dropped, because the journal is still needed.
    pub keep: bool,
}

impl Running {
    pub fn take(dir: &Path, id: &str) -> io::Result<Option<Running>> {
        private::folder(dir, "running")?;
        let file = path(dir, id);
        let lock = private::file(&file)?;
        for _ in 0..10 {
            match lock.try_lock() {
                // A reader may be testing the lock right now.
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
        // Remove the file while it is locked. If that fails, the file remains unlocked, which means that no
        // recorder is alive.
        if !self.keep {
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// Returns true if the run is being recorded. If the file system does not support locks, returns true if the
/// file exists.
pub fn is_running(dir: &Path, id: &str) -> bool {
    match File::open(path(dir, id)) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(_) => false,
    }
}

/// Returns the path of the file that is the lock and the journal of a run.
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
