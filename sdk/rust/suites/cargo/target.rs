//! Cargo's target folders, one for each root. In a shared folder, Cargo would reuse artifacts of another tree
//! that are newer than the source files.
//!
//! A new folder starts with a copy of the crates from registries and repositories, because these are the same
//! for all roots.

use crate::Order;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target folder of a build and, if it builds a revision, that of the working tree.
pub struct TargetFolder {
    pub folder: PathBuf,
    of_working_tree: Option<PathBuf>,
}

impl TargetFolder {
    pub fn of(order: &Order) -> Result<TargetFolder, String> {
        let key = key(order)?;
        let store = order.store();
        let common = store.join("cargo").join(&key);
        let target = match order.worktree() {
            // A revision's target folder is removed with its worktree.
            Some(worktree) => TargetFolder { folder: worktree.join(key), of_working_tree: Some(common) },
            None => TargetFolder { folder: common, of_working_tree: None },
        };
        let above = target.folder.parent().unwrap_or(&target.folder);
        fs::create_dir_all(above).map_err(|why| format!("cannot make {}: {why}", above.display()))?;
        Ok(target)
    }

    /// Prepares a build. A new folder starts with crates from the working tree's folder.
    pub fn begin(&self, workspace: &Path) {
        if let Some(common) = self.of_working_tree.as_ref().filter(|_| !self.folder.exists()) {
            copied(common, &self.folder, workspace);
        }
    }

    /// Finishes a build. Copies its crates to the working tree's folder if that does not exist yet.
    pub fn end(&self, workspace: &Path) {
        if let Some(common) = self.of_working_tree.as_ref().filter(|common| !common.exists()) {
            copied(&self.folder, common, workspace);
        }
    }
}

/// Copies the artifacts that Cargo need not rebuild. If this fails, Cargo builds them.
fn copied(from: &Path, to: &Path, workspace: &Path) {
    if !from.is_dir() {
        return;
    }
    let draft = to.with_extension(format!("new-{}", std::process::id()));
    // Keep modification times, which Cargo compares.
    let done = Command::new("cp").arg("-Rp").arg(from).arg(&draft).output();
    let is_whole = done.map_or(false, |done| done.status.success());
    if is_whole {
        let lock = fs::read_to_string(workspace.join("Cargo.lock")).unwrap_or_default();
        forget(&draft, &foreign(&lock));
    }
    if !is_whole || fs::rename(&draft, to).is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
}

/// Removes the fingerprints of all packages except those in `known`, anywhere below the folder.
fn forget(folder: &Path, known: &BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.as_str() {
            ".fingerprint" => {
                for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    if !name.rsplit_once('-').map_or(false, |(package, _)| known.contains(package)) {
                        let _ = fs::remove_dir_all(entry.path());
                    }
                }
            }
            "deps" | "build" | "incremental" | "examples" => {}
            _ if path.is_dir() => forget(&path, known),
            _ => {}
        }
    }
}

/// Returns the packages of a lock file that come only from a registry or repository.
fn foreign(lock: &str) -> BTreeSet<String> {
    let mut names = [BTreeSet::new(), BTreeSet::new()];
    for package in lock.split("[[package]]").skip(1) {
        let has = |key: &str| {
            package.lines().find_map(|line| line.strip_prefix(key)).map(|rest| rest.trim_matches('"'))
        };
        if let Some(name) = has("name = ") {
            names[usize::from(has("source = ").is_some())].insert(name.to_owned());
        }
    }
    let [own, foreign] = names;
    foreign.difference(&own).cloned().collect()
}

/// Returns the name of the folder: a hash of the harness's sources and of the flags that affect all crates.
fn key(order: &Order) -> Result<String, String> {
    let mut hash = Hash::of_sources(order)?;
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUSTC"] {
        hash.write(env::var(name).unwrap_or_default().as_bytes());
    }
    order.cargo.iter().for_each(|word| hash.write(word.as_bytes()));
    Ok(format!("target-{:016x}", hash.0))
}

pub struct Hash(pub u64);

impl Hash {
    pub fn of_sources(order: &Order) -> Result<Hash, String> {
        let mut folders = vec![order.sdk.join("src"), order.sdk.join("suites")];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            let entries =
                fs::read_dir(&folder).map_err(|why| format!("cannot read {}: {why}", folder.display()))?;
            for path in entries.flatten().map(|entry| entry.path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => files.push(path),
                }
            }
        }
        files.sort();
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        for file in files {
            hash.write(file.strip_prefix(&order.sdk).unwrap_or(&file).display().to_string().as_bytes());
            hash.write(&fs::read(&file).unwrap_or_default());
        }
        Ok(hash)
    }

    pub fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn what_comes_from_elsewhere_is_told_apart() {
        let package = |name: &str, source: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{source}\n")
        };
        let from = "source = \"registry+https://example.com\"";
        let lock = [package("a", from), package("b", ""), package("c", from), package("c", "")].concat();
        assert_eq!(foreign(&lock).into_iter().collect::<Vec<_>>(), ["a"]);
        assert!(foreign("").is_empty());
    }
}
