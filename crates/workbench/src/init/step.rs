//! One step of `derny init`: the change to a single file.

use crate::error::{Doing, Result};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A step, with the file that it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The file was created. Contains its name.
    Wrote(String),
    /// Lines were added to the file. Contains its name and the new entries.
    Added(String, String),
    /// The file already existed and was not changed. Contains its name.
    Kept(String),
    /// The project already has benchmarks of this harness.
    Found(String),
    /// The user has to do something. Contains the instruction.
    Do(String),
}

/// Creates the file `name` in `root` with the content `bytes`, and its parent folders. An existing file is
/// not changed.
pub(crate) fn create(root: &Path, name: &str, bytes: &[u8]) -> Result<Step> {
    let path = root.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).doing(|| format!("cannot make {}", folder.display()))?;
    }
    let failed = || format!("cannot write {}", path.display());
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            file.write_all(bytes).doing(failed)?;
            Ok(Step::Wrote(name.to_string()))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Step::Kept(name.to_string())),
        Err(error) => Err(error).doing(failed),
    }
}

/// Replaces the text of a file atomically: writes a new file next to it, and renames the new file.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".derny-new");
    let draft = PathBuf::from(draft);
    let failed = || format!("cannot write {}", path.display());
    fs::write(&draft, text).doing(failed)?;
    fs::rename(&draft, path).doing(failed)
}
