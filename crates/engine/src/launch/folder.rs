//! A private folder of one run or process.

use crate::launch::reaper::{Leftover, Reaper};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io};

/// A folder that only this user may enter. It is removed with what is in it when this is dropped, or by the reaper if the
/// engine is killed.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    reaper: Option<Reaper>,
}

/// Folders of this engine so far: each has a name of its own.
static FOLDERS: AtomicU32 = AtomicU32::new(0);

impl PrivateFolder {
    /// Makes one in the system's folder for temporary files.
    ///
    /// # Errors
    /// The system cannot make it; the message has its path.
    pub fn make(reaper: Option<&Reaper>) -> io::Result<PrivateFolder> {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("derny-{}-{number}", std::process::id()));
        // One that is there belonged to an engine that was killed and had this number.
        let _ = fs::remove_dir_all(&path);
        create(&path).map_err(|error| named(&path, &error))?;
        if let Some(reaper) = reaper {
            reaper.watch(&Leftover::Folder(path.clone()));
        }
        Ok(PrivateFolder { path, reaper: reaper.cloned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What is left in it is no result.
        let _ = fs::remove_dir_all(&self.path);
        if let Some(reaper) = &self.reaper {
            reaper.forget(&Leftover::Folder(std::mem::take(&mut self.path)));
        }
    }
}

/// The same error with the path in its message.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(unix)]
fn create(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)
}
