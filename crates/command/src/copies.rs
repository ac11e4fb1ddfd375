//! Gives each command its own copy of a folder, so that the set-up of one command does not affect another.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the folder with Derny's results, which is not copied.
const STORE: &str = ".derny";

/// A folder, and the subfolder in which commands run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    root: PathBuf,
    below: PathBuf,
}

impl Original {
    /// Returns the folder to copy for a path: the repository that contains the path, because `git
    /// checkout` needs all of it. Without a repository, it is the path itself.
    pub fn around(place: &Path) -> Original {
        let root = place.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(place);
        let below = place.strip_prefix(root).unwrap_or(Path::new("")).to_owned();
        Original { root: root.to_owned(), below }
    }

    /// Copies the folder, without Derny's results, to `to`, which must not exist. Returns the folder within
    /// the copy in which commands run.
    ///
    /// # Errors
    /// Fails if the system or `cp` reports an error.
    pub fn copy(&self, to: &Path) -> io::Result<PathBuf> {
        std::fs::create_dir(to)?;
        for entry in std::fs::read_dir(&self.root)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name != STORE) {
                copy_one(&path, to)?;
            }
        }
        Ok(to.join(&self.below))
    }
}

/// Copies a file or a folder. Preserves links and modification times, because build tools compare the times.
fn copy_one(path: &Path, to: &Path) -> io::Result<()> {
    let done = Command::new("cp").arg("-a").arg("--").arg(path).arg(to).output()?;
    if done.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&done.stderr);
    Err(io::Error::other(format!("{}: {}", path.display(), why.lines().next().unwrap_or("cp failed"))))
}
