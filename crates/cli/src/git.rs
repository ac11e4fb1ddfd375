//! What git knows: the state of the sources, and worktrees of other revisions.

use anyhow::{Context, Result, bail};
use derny_model::Commit;
use std::path::{Path, PathBuf};
use std::process::Command;

fn git(directory: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(directory).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_string())
}

/// The commit that is checked out in `root`; none outside git.
pub fn commit(root: &Path) -> Option<Commit> {
    let hash = git(root, &["rev-parse", "HEAD"])?;
    let branch = git(root, &["symbolic-ref", "--short", "-q", "HEAD"]);
    let dirty =
        git(root, &["status", "--porcelain", "--untracked-files=no"]).is_some_and(|text| !text.is_empty());
    Some(Commit { hash, branch, dirty })
}

/// A worktree of `revision` below `folder`, made once per commit, with the project's place in the repository. `build` is
/// run in it once, each as words of a command.
pub fn worktree(
    root: &Path,
    folder: &Path,
    revision: &str,
    build: &[Vec<String>],
) -> Result<(PathBuf, String)> {
    let wanted = format!("{revision}^{{commit}}");
    let Some(hash) = git(root, &["rev-parse", "--verify", "--quiet", &wanted]) else {
        bail!(
            "`{revision}` is no revision of this repository\n  try    `git log --oneline` or `git branch -a`"
        );
    };
    let prefix = git(root, &["rev-parse", "--show-prefix"]).unwrap_or_default();
    let tree = folder.join(&hash);
    let inside = tree.join(&prefix);
    let built = folder.join(format!("{hash}.built"));
    if !built.exists() {
        if tree.exists() {
            // An earlier build did not come to its end.
            git(root, &["worktree", "remove", "--force", &tree.display().to_string()]);
            let _ = std::fs::remove_dir_all(&tree);
        }
        git(root, &["worktree", "prune"]);
        git(root, &["worktree", "add", "--detach", "--force", &tree.display().to_string(), &hash])
            .with_context(|| format!("git could not make a worktree of {revision} in {}", tree.display()))?;
        for words in build {
            run(&inside, words, revision)?;
        }
        std::fs::write(&built, "")?;
    }
    Ok((inside, hash))
}

fn run(directory: &Path, words: &[String], revision: &str) -> Result<()> {
    let Some((program, args)) = words.split_first() else { return Ok(()) };
    let output = Command::new(program).args(args).current_dir(directory).output();
    let output = output.with_context(|| format!("cannot start the build command `{}`", words.join(" ")))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let tail = lines[lines.len().saturating_sub(12)..].join("\n           ");
        bail!(
            "revision {revision} cannot be built\n  where  {}\n  why    `{}` ended with {}\n           {tail}\n  try    the same command there by hand",
            directory.display(),
            words.join(" "),
            output.status
        );
    }
    Ok(())
}
