//! Reads the commits from a good end to a bad end.
//!
//! The path follows the first parents from the bad end: a merged branch counts as one change, at its merge
//! commit. If the good end is on a merged branch, the path begins at the merge commit. Every commit of the
//! path descends from the good end.

use derny_model::{BisectedCommit, Problem, problem};
use derny_workbench::Result;
use derny_workbench::project::git::{git, is_shallow, resolve};
use std::collections::HashSet;
use std::path::Path;

/// Separates the fields of a commit in the output of git.
const FIELD: char = '\u{1f}';
/// Number of digits of a hash in messages.
const SHORT: usize = 10;

/// The commits of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The good end, and the commits after it, up to the bad end.
    pub commits: Vec<BisectedCommit>,
}

impl Range {
    /// Reads `GOOD..BAD`. Without `BAD`, the bad end is the checked-out commit.
    ///
    /// # Errors
    /// Fails if a revision is unknown, if both are the same, or if GOOD is not an ancestor of BAD.
    pub fn read(root: &Path, text: &str) -> Result<Range> {
        let wrong = |why: &str| {
            problem!("`{text}` is not a range of commits")
                .why(why)
                .remedy("use GOOD..BAD, such as v1.2..main")
        };
        let (good, bad) = text.split_once("..").ok_or_else(|| wrong("it has no `..`"))?;
        if bad.starts_with('.') {
            return Err(wrong("three dots mean a symmetric difference").into());
        }
        if good.is_empty() {
            return Err(wrong("it has no good end").into());
        }
        let bad = if bad.is_empty() { "HEAD" } else { bad };
        let (first, last) = (resolve(root, good)?, resolve(root, bad)?);
        if first == last {
            return Err(problem!("`{good}` and `{bad}` are the same commit")
                .place(text)
                .why(short(&first))
                .remedy("use a good end that is older than the bad end")
                .into());
        }
        if git(root, &["merge-base", "--is-ancestor", &first, &last]).is_err() {
            return Err(not_an_ancestor(root, (good, &first), (bad, &last)).into());
        }
        let commits = path(root, &first, &last)
            .map_err(|why| problem!("the commits of `{text}` cannot be read").why(why))?;
        Ok(Range { commits })
    }

    /// Returns the number of commits after the good end.
    pub fn len(&self) -> usize {
        self.commits.len() - 1
    }
}

/// Returns the beginning of a hash, for messages.
pub fn short(hash: &str) -> &str {
    hash.get(..SHORT).unwrap_or(hash)
}

fn not_an_ancestor(root: &Path, (good, first): (&str, &str), (bad, last): (&str, &str)) -> Problem {
    let what = problem!("`{good}` is not an ancestor of `{bad}`");
    if git(root, &["merge-base", "--is-ancestor", last, first]).is_ok() {
        return what.why("it is a descendant").remedy(format_args!("use `derny bisect {bad}..{good}`"));
    }
    if is_shallow(root) == Some(true) {
        let why = "this clone has only the newest commits";
        return what.why(why).remedy("run `git fetch --unshallow`");
    }
    match git(root, &["merge-base", first, last]) {
        Ok(base) => {
            let base = short(&base);
            let why = format!("their last common commit is {base}");
            what.why(why).remedy(format_args!("use `derny bisect {base}..{bad}`"))
        }
        Err(_) => what.why("they have no common commit").remedy("use two commits of one branch"),
    }
}

/// Returns the good end and the commits of the path to the bad end. Fails with the message of git.
fn path(root: &Path, good: &str, bad: &str) -> Result<Vec<BisectedCommit>, String> {
    let between = format!("{good}..{bad}");
    let descend: HashSet<String> =
        git(root, &["rev-list", "--ancestry-path", &between])?.lines().map(str::to_owned).collect();
    let format = format!("--format=%H{FIELD}%cd{FIELD}%P{FIELD}%s");
    let log = |args: &[&str]| git(root, &[&["log", "--date=short", &format], args].concat());
    let mut commits: Vec<BisectedCommit> = log(&["-1", good, "--"])?.lines().filter_map(commit).collect();
    let after = log(&["--first-parent", "--reverse", &between, "--"])?;
    commits.extend(after.lines().filter_map(commit).filter(|commit| descend.contains(&commit.hash)));
    match &commits[..] {
        [first, .., last] if first.hash == good && last.hash == bad => Ok(commits),
        _ => Err("git lists no path between its ends".to_owned()),
    }
}

fn commit(line: &str) -> Option<BisectedCommit> {
    let mut fields = line.splitn(4, FIELD);
    let (hash, date) = (fields.next()?.to_owned(), fields.next()?.to_owned());
    let is_merge = fields.next()?.contains(' ');
    let subject = fields.next().unwrap_or_default().to_owned();
    Some(BisectedCommit { hash, subject, date, is_merge })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, args: &[&str]) -> String {
        let own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        git(root, &[&own, args].concat()).unwrap()
    }

    fn commit(root: &Path, name: &str) {
        run(root, &["commit", "-q", "--allow-empty", "-m", name]);
    }

    /// Returns a repository: a, b, c on main, d on `side` after a, and a merge of both, followed by e.
    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        run(root, &["init", "-q", "-b", "main"]);
        ["a", "b", "c"].iter().for_each(|name| commit(root, name));
        run(root, &["checkout", "-q", "-b", "side", "HEAD~2"]);
        commit(root, "d");
        run(root, &["checkout", "-q", "main"]);
        run(root, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
        commit(root, "e");
        folder
    }

    fn subjects(root: &Path, text: &str) -> Vec<String> {
        Range::read(root, text).unwrap().commits.into_iter().map(|one| one.subject).collect()
    }

    #[test]
    fn the_path_follows_first_parents_from_the_bad_end() {
        let folder = repository();
        let root = folder.path();
        assert_eq!(subjects(root, "main~4..main"), ["a", "b", "c", "merge", "e"]);
        assert_eq!(subjects(root, "main~2.."), ["c", "merge", "e"]);
        assert_eq!(subjects(root, "side..main"), ["d", "merge", "e"], "the good end is on a merged branch");
        let merges: Vec<bool> =
            Range::read(root, "side..main").unwrap().commits.iter().map(|one| one.is_merge).collect();
        assert_eq!(merges, [false, true, false]);
    }

    #[test]
    fn a_range_that_has_no_path_is_refused() {
        let folder = repository();
        let root = folder.path();
        let message = |text: &str| Range::read(root, text).unwrap_err().to_string();
        assert!(message("main").contains("no `..`"), "{}", message("main"));
        assert!(message("..main").contains("no good end"));
        assert!(message("main~1...main").contains("three dots"));
        assert!(message("main..HEAD").contains("are the same commit"));
        assert!(message("main..main~1").contains("derny bisect main~1..main"), "{}", message("main..main~1"));
        let apart = message("main~2..side");
        assert!(apart.contains("common commit") && apart.contains("..side"), "{apart}");
        assert!(message("nothing..main").contains("is not a revision"));
    }

    #[test]
    fn a_shallow_clone_is_named() {
        let folder = repository();
        let clone = tempfile::tempdir().unwrap();
        let (from, to) = (format!("file://{}", folder.path().display()), clone.path().join("clone"));
        run(folder.path(), &["clone", "-q", "--depth", "2", &from, &to.display().to_string()]);
        let error = Range::read(&to, "main~3..main").unwrap_err().to_string();
        assert!(error.contains("git fetch --unshallow"), "{error}");
    }
}
