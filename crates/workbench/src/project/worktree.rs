//! Worktrees of revisions: one for each commit and each way to build it. They are kept below the store for
//! later runs and shared by concurrent engines. This module does not know how suites are built.
//!
//! `KEY/tree` is the checkout. `KEY/build-N` is the output of build N, and `KEY/built-N-ID` records that it
//! finished. Every run that uses the worktree touches `KEY/used`. `KEY.lock` is held exclusively during a
//! build and shared during a measurement. `lock` is held while git changes its list of worktrees.

use crate::error::{Doing, Result};
use crate::project::build::Task;
use crate::project::git;
use derny_model::problem;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Number of worktrees to keep. The least recently used ones are removed.
const KEPT: usize = 8;

/// Name of the file that records that a worktree was checked out, and when it was last used.
const USED: &str = "used";

/// A checked-out revision. Locked against other engines until it is dropped.
#[derive(Debug)]
pub struct Worktree {
    /// The project's root within the worktree.
    pub root: PathBuf,
    folder: PathBuf,
    _lock: File,
}

/// Runs builds in a worktree. Returns one flag per build: true if it succeeded.
type Build<'a> = dyn FnMut(&Worktree, &[&Task<'_>]) -> Result<Vec<bool>> + 'a;

impl Worktree {
    /// Checks out the commit `hash` below the folder `below`, unless that was done before, and runs those of
    /// `tasks` that have not finished there. `key` distinguishes ways to build. If `build` fails, the
    /// worktree is removed.
    pub fn make(
        root: &Path,
        below: &Path,
        hash: &str,
        key: &str,
        tasks: &[Task<'_>],
        build: &mut Build<'_>,
    ) -> Result<Worktree> {
        let folder = folder(below, hash, key);
        let lock = open(&PathBuf::from(format!("{}.lock", folder.display())))?;
        lock.lock()?;
        let inside = folder.join("tree").join(git::prefix(root));
        let worktree = Worktree { root: inside, folder, _lock: lock };
        let made = worktree.check_out(root, below, hash).and_then(|()| worktree.build_missing(tasks, build));
        if let Err(error) = made {
            remove(root, below, &worktree.folder);
            return Err(error);
        }
        fs::write(worktree.folder.join(USED), "")?;
        // From here on, other engines may use the worktree too, and none may remove it.
        worktree._lock.lock_shared()?;
        Ok(worktree)
    }

    /// Returns true if [`Worktree::make`] with these arguments would return this worktree.
    pub fn is(&self, below: &Path, hash: &str, key: &str) -> bool {
        self.folder == folder(below, hash, key)
    }

    /// Runs further builds in a worktree that this process already uses.
    pub fn build_more(&self, tasks: &[Task<'_>], build: &mut Build<'_>) -> Result<()> {
        self._lock.lock()?;
        let built = self.build_missing(tasks, build);
        self._lock.lock_shared()?;
        built
    }

    fn build_missing(&self, tasks: &[Task<'_>], build: &mut Build<'_>) -> Result<()> {
        let missing: Vec<&Task<'_>> = tasks.iter().filter(|task| !self.mark(task).exists()).collect();
        let good = build(self, &missing)?;
        for (task, _) in missing.iter().zip(good).filter(|(_, good)| *good) {
            fs::write(self.mark(task), "")?;
        }
        Ok(())
    }

    /// Returns the output folder of build `n`.
    pub fn build_folder(&self, n: u32) -> PathBuf {
        self.folder.join(format!("build-{n}"))
    }

    /// Removes the worktree if none of its builds succeeded.
    pub fn leave(self, root: &Path, below: &Path) {
        let is_mark = |name: std::ffi::OsString| name.to_string_lossy().starts_with("built-");
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        if !entries.map(|entry| entry.file_name()).any(is_mark) {
            remove(root, below, &self.folder);
        }
    }

    fn mark(&self, task: &Task<'_>) -> PathBuf {
        self.folder.join(format!("built-{}", task.mark()))
    }

    fn check_out(&self, root: &Path, below: &Path, hash: &str) -> Result<()> {
        if self.folder.join(USED).exists() && self.root.is_dir() {
            return Ok(());
        }
        // Remove the remains of an earlier engine that did not finish.
        remove(root, below, &self.folder);
        fs::create_dir_all(&self.folder)?;
        let tree = self.folder.join("tree");
        let failed = |why: String| {
            problem!("git could not create a worktree")
                .place(tree.display())
                .why(why.replace('\n', "\n         "))
                .remedy("run `git worktree prune`, or check that the disk is not full")
        };
        {
            let lock = open(&below.join("lock"))?;
            lock.lock()?;
            git::git(root, &["worktree", "add", "--detach", "--force", &tree.display().to_string(), hash])
                .map_err(failed)?;
        }
        if tree.join(".gitmodules").is_file() {
            git::git(&tree, &["submodule", "update", "--init", "--recursive"]).map_err(failed)?;
        }
        if !self.root.is_dir() {
            return Err(problem!("the revision has no folder {}", git::prefix(root).display())
                .place(tree.display())
                .remedy("use a revision that contains the project")
                .into());
        }
        Ok(())
    }
}

fn folder(below: &Path, hash: &str, key: &str) -> PathBuf {
    below.join(format!("{}-{key}", &hash[..hash.len().min(16)]))
}

fn open(path: &Path) -> Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    file.doing(|| format!("cannot open {}", path.display()))
}

/// Removes a worktree. The caller must hold its lock.
fn remove(root: &Path, below: &Path, folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    if let Ok(lock) = open(&below.join("lock"))
        && lock.lock().is_ok()
    {
        let _ = git::git(root, &["worktree", "prune"]);
    }
}

/// Removes the least recently used worktrees if there are more than [`KEPT`]. Keeps those that an engine is
/// using.
pub fn prune(root: &Path, below: &Path) {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(below).into_iter().flatten().flatten() {
        let folder = entry.path();
        if folder.is_dir() {
            let used = fs::metadata(folder.join(USED)).and_then(|metadata| metadata.modified());
            found.push((used.unwrap_or(SystemTime::UNIX_EPOCH), folder));
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    for (_, folder) in found.into_iter().skip(KEPT) {
        let path = PathBuf::from(format!("{}.lock", folder.display()));
        if let Ok(lock) = open(&path)
            && lock.try_lock().is_ok()
        {
            remove(root, below, &folder);
            // Another engine may have opened the lock file in the meantime. It waits for the lock, and then
            // creates its worktree again.
        }
    }
}
