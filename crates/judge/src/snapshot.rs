//! Snapshots: the working tree as a commit that no branch contains.

use derny_model::problem;
use derny_workbench::Result;
use derny_workbench::project::git;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A commit with the hash of its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub commit: String,
    pub tree: String,
}

/// Stores the working tree of the repository around `root` as a commit, with all changes and with new files
/// that are not ignored. Changes neither the index nor a branch. `scratch` is a folder for a temporary index.
///
/// # Errors
/// Fails if git fails.
pub(crate) fn working_tree(root: &Path, scratch: &Path) -> Result<Snapshot> {
    let failed = |why: String| {
        problem!("the working tree cannot be stored as a commit")
            .place(root.display())
            .why(why)
            .remedy("run `git status`, or name a revision: -x candidate@REVISION")
    };
    let index = scratch.join(format!("index-{}", std::process::id()));
    let made = with_index(root, &index);
    let _ = std::fs::remove_file(&index);
    let (tree, parent) = made.map_err(failed)?;
    let mut args = vec!["commit-tree", "-m", "candidate of derny judge"];
    if !parent.is_empty() {
        args.extend(["-p", &parent]);
    }
    args.push(&tree);
    let identity: Vec<(&str, &OsStr)> = [
        ("GIT_AUTHOR_NAME", "derny"),
        ("GIT_AUTHOR_EMAIL", "derny@localhost"),
        ("GIT_COMMITTER_NAME", "derny"),
        ("GIT_COMMITTER_EMAIL", "derny@localhost"),
    ]
    .map(|(key, value)| (key, OsStr::new(value)))
    .to_vec();
    let commit = git::git_with(root, &args, &identity).map_err(failed)?;
    Ok(Snapshot { commit, tree })
}

/// Returns the tree of the working tree, and the checked-out commit, which is empty in a new repository.
fn with_index(root: &Path, index: &Path) -> Result<(String, String), String> {
    let own = git::git(root, &["rev-parse", "--git-path", "index"])?;
    let own: PathBuf = root.join(own);
    // A copy of the index contains the times of all files, so that git need not read unchanged files.
    if own.is_file() {
        copy(&own, index).map_err(|error| error.to_string())?;
    }
    let env = [("GIT_INDEX_FILE", index.as_os_str())];
    git::git_with(root, &["add", "--all", "--", ":/"], &env)?;
    let tree = git::git_with(root, &["write-tree"], &env)?;
    Ok((tree, git::git(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).unwrap_or_default()))
}

/// Copies an index with its time. Git reads a file again if it is not older than the index, because it may
/// have changed within the same tick of the clock. A copy with a later time would hide that change.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let modified = from.metadata()?.modified()?;
    std::fs::copy(from, to)?;
    std::fs::File::options().write(true).open(to)?.set_modified(modified)
}

/// Returns the tree of a commit.
pub(crate) fn tree(root: &Path, commit: &str) -> Option<String> {
    git::git(root, &["rev-parse", "--verify", "--quiet", &format!("{commit}^{{tree}}")]).ok()
}

/// Protects a commit from garbage collection under a name of Derny's own.
///
/// # Errors
/// Fails if git cannot write the name.
pub(crate) fn protect(root: &Path, session: &str, commit: &str) -> Result<()> {
    let name = format!("refs/derny/judge/{session}");
    git::git(root, &["update-ref", &name, commit]).map_err(|why| {
        problem!("the best candidate cannot be protected from garbage collection")
            .place(&name)
            .why(why)
            .remedy("check that the repository is writable")
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        git::git(root, &["init", "--quiet"]).unwrap();
        std::fs::write(root.join("kept"), "1").unwrap();
        std::fs::write(root.join(".gitignore"), "ignored\n").unwrap();
        git::git(root, &["add", "."]).unwrap();
        let user = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first"];
        git::git(root, &user).unwrap();
        folder
    }

    #[test]
    fn a_snapshot_has_new_and_changed_files_and_leaves_the_index_alone() {
        let folder = repository();
        let (root, scratch) = (folder.path(), tempfile::tempdir().unwrap());
        std::fs::write(root.join("kept"), "2").unwrap();
        std::fs::write(root.join("new"), "3").unwrap();
        std::fs::write(root.join("ignored"), "4").unwrap();
        let before = git::git(root, &["status", "--porcelain"]).unwrap();
        let snapshot = working_tree(root, scratch.path()).unwrap();
        let files = git::git(root, &["ls-tree", "-r", "--name-only", &snapshot.commit]).unwrap();
        assert_eq!(files, ".gitignore\nkept\nnew");
        assert_eq!(git::git(root, &["show", &format!("{}:kept", snapshot.commit)]).unwrap(), "2");
        assert_eq!(git::git(root, &["status", "--porcelain"]).unwrap(), before);
        assert_eq!(tree(root, &snapshot.commit).unwrap(), snapshot.tree);
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_change_of_the_same_size_right_after_a_commit_is_seen() {
        for _ in 0..20 {
            let folder = repository();
            let (root, scratch) = (folder.path(), tempfile::tempdir().unwrap());
            std::fs::write(root.join("kept"), "2").unwrap();
            let snapshot = working_tree(root, scratch.path()).unwrap();
            assert_ne!(tree(root, "HEAD").unwrap(), snapshot.tree);
        }
    }

    #[test]
    fn an_unchanged_working_tree_has_the_tree_of_its_commit() {
        let folder = repository();
        let (root, scratch) = (folder.path(), tempfile::tempdir().unwrap());
        let snapshot = working_tree(root, scratch.path()).unwrap();
        assert_eq!(tree(root, "HEAD").unwrap(), snapshot.tree);
        protect(root, "s", &snapshot.commit).unwrap();
        assert_eq!(git::git(root, &["rev-parse", "refs/derny/judge/s"]).unwrap(), snapshot.commit);
    }
}
