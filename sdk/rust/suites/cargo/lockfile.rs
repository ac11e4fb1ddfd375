//! Leaves the project's `Cargo.lock` unchanged. If there is none, the one that Cargo creates is kept in the
//! store, so that the next build uses the same versions.

use crate::Order;
use std::fs;
use std::path::{Path, PathBuf};

/// The lock file as it was before the build, restored on drop.
pub struct Lockfile {
    path: PathBuf,
    kept: PathBuf,
    before: Option<Vec<u8>>,
}

impl Lockfile {
    pub fn of(order: &Order, workspace: &Path) -> Lockfile {
        let path = workspace.join("Cargo.lock");
        let below = workspace.strip_prefix(&order.root).unwrap_or(workspace);
        let name = format!("{}.lock", below.display().to_string().replace(['/', '\\', ':'], "+"));
        let store = order.store();
        let kept = store.join("cargo").join("locks").join(name);
        let before = fs::read(&path).ok();
        if before.is_none() {
            // A revision without the file uses the versions of the working tree.
            let project = store.parent().map(|project| project.join(below).join("Cargo.lock"));
            let known = project.and_then(|path| fs::read(path).ok()).or_else(|| fs::read(&kept).ok());
            // Ignore errors, because Cargo reports them.
            let _ = known.map(|known| fs::write(&path, known));
        }
        Lockfile { path, kept, before }
    }
}

impl Drop for Lockfile {
    fn drop(&mut self) {
        let after = fs::read(&self.path).ok();
        match (&self.before, after) {
            (Some(before), after) if after.as_ref() != Some(before) => _ = fs::write(&self.path, before),
            (None, Some(after)) => {
                let _ = self.kept.parent().map(fs::create_dir_all);
                let _ = fs::write(&self.kept, after);
                let _ = fs::remove_file(&self.path);
            }
            _ => {}
        }
    }
}
