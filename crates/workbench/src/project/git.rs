//! Git: the state of the sources, and the commits of revisions.

use crate::error::Result;
use derny_engine::discover::pattern::closest;
use derny_engine::hash::Fnv;
use derny_engine::launch::environment;
use derny_model::{Commit, problem};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Variables that git hooks set. They would make git use another repository or index.
pub const OF_HOOKS: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// Runs git with `args` in a directory. Returns its standard output, or its error message if it fails.
pub fn git(directory: &Path, args: &[&str]) -> Result<String, String> {
    git_with(directory, args, &[])
}

/// Like [`git`], with the additional environment variables `env`.
pub fn git_with(directory: &Path, args: &[&str], env: &[(&str, &OsStr)]) -> Result<String, String> {
    let mut command = environment::program("git");
    OF_HOOKS.iter().for_each(|name| _ = command.env_remove(name));
    command.envs(env.iter().copied());
    let output = command.arg("-C").arg(directory).args(args).output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Returns the commit that is checked out in `root`. None outside git.
pub fn commit(root: &Path) -> Option<Commit> {
    let hash = git(root, &["rev-parse", "HEAD"]).ok()?;
    let branch = git(root, &["symbolic-ref", "--short", "-q", "HEAD"]).ok();
    let dirty =
        git(root, &["status", "--porcelain", "--untracked-files=no"]).is_ok_and(|text| !text.is_empty());
    Some(Commit { hash, branch, dirty })
}

/// Returns true if the repository at `root` contains `commit`. Returns false without a commit.
pub fn has(root: &Path, commit: Option<&Commit>) -> bool {
    let is_hash = |hash: &String| !hash.is_empty() && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    let hash = commit.map(|commit| &commit.hash).filter(|hash| is_hash(hash));
    hash.is_some_and(|hash| git(root, &["cat-file", "-e", &format!("{hash}^{{commit}}")]).is_ok())
}

/// Returns the checked-out commit, and a hash of the uncommitted changes if there are any. Untracked files do
/// not count.
pub fn state(root: &Path) -> (Option<String>, Option<String>) {
    let commit = git(root, &["rev-parse", "HEAD"]).ok();
    let diff = commit.as_ref().and_then(|_| git(root, &["diff", "HEAD", "--binary", "--no-ext-diff"]).ok());
    let changes = diff.filter(|diff| !diff.is_empty());
    (commit, changes.map(|diff| Fnv::new().write(diff.as_bytes()).hex()))
}

/// Returns the hash of the commit that a revision names.
///
/// # Errors
/// Fails if there is no repository at `root`, or if it has no such revision. The error suggests a similar
/// name.
pub fn resolve(root: &Path, revision: &str) -> Result<String> {
    let wanted = format!("{revision}^{{commit}}");
    // An argument that begins with a dash is an option, never a revision.
    if !revision.starts_with('-')
        && let Ok(hash) = git(root, &["rev-parse", "--verify", "--quiet", &wanted])
    {
        return Ok(hash);
    }
    let Some(is_shallow) = is_shallow(root) else {
        return Err(problem!("no revision `{revision}`: there is no git repository here")
            .place(root.display())
            .remedy("use -C with a folder of the repository, or -x NAME=COMMAND for a program")
            .into());
    };
    let remedy = match near(root, revision).filter(|near| near != revision) {
        Some(near) => format!("use `{near}`"),
        None if is_shallow => {
            "run `git fetch --unshallow`: this clone has only the newest commits".to_owned()
        }
        None => "see `git log --oneline` or `git branch -a`".to_owned(),
    };
    Err(problem!("`{revision}` is not a revision of this repository")
        .place(root.display())
        .remedy(remedy)
        .into())
}

/// Returns the upstream of the checked-out branch, and the commit where the two diverged. None if there is no
/// upstream.
pub fn left_upstream(root: &Path) -> Option<(String, String)> {
    let upstream = git(root, &["rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}"]).ok()?;
    let commit = git(root, &["merge-base", "HEAD", &upstream]).ok()?;
    Some((upstream, commit))
}

/// Returns the branch, tag or commit with the most similar name, or None if none is similar. Keeps a suffix
/// of the revision, such as `~2`.
pub fn near(root: &Path, revision: &str) -> Option<String> {
    let (name, rest) = revision.split_at(revision.find(['~', '^']).unwrap_or(revision.len()));
    let refs = ["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"];
    let names = git(root, &refs).unwrap_or_default();
    let head = (name != "HEAD").then_some("HEAD");
    let near = closest(name, names.lines().chain(head)).into_iter().next();
    Some(near.or_else(|| near_commit(root, name))? + rest)
}

/// Returns the commit whose hash begins with these digits, of which up to two may be wrong. Prefers the
/// fewest wrong digits, and then the newest commit.
fn near_commit(root: &Path, hash: &str) -> Option<String> {
    if hash.len() < SHORTEST || !hash.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let all = git(root, &["log", "--all", "--format=%H", "-n", MOST_COMMITS]).ok()?;
    let others = |own: &str| own.bytes().zip(hash.bytes()).filter(|(a, b)| a != b).count();
    let beginnings = all.lines().filter_map(|own| own.get(..hash.len()));
    beginnings.filter(|own| others(own) <= 2).min_by_key(|own| others(own)).map(str::to_owned)
}

/// Length of the shortest abbreviated hashes that git prints.
const SHORTEST: usize = 7;

/// Maximum number of commits to compare a hash with. Among more commits, a match with two wrong digits would
/// often be a coincidence.
const MOST_COMMITS: &str = "5000";

/// Returns true if the clone contains only the newest commits. None outside git.
pub fn is_shallow(root: &Path) -> Option<bool> {
    git(root, &["rev-parse", "--git-dir"]).ok()?;
    Some(git(root, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|text| text == "true"))
}

/// Returns the path of the project's root within its repository. Empty if both are the same.
pub fn prefix(root: &Path) -> PathBuf {
    git(root, &["rev-parse", "--show-prefix"]).unwrap_or_default().into()
}
