//! Reads the commits of a branch: their order, dates and tags.

use derny_model::problem;
use derny_workbench::Result;
use derny_workbench::project::git::{git, resolve};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A commit of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// Full hash.
    pub hash: String,
    /// Date of the commit, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// First line of the message.
    pub subject: String,
    /// Names of the tags that point at the commit.
    pub tags: Vec<String>,
}

/// The commits that are reachable from the end of a branch, and the other commits of the repository.
#[derive(Debug, Default)]
pub struct Branch {
    /// Name of the branch, as given.
    pub name: String,
    /// Commits, ancestors first.
    pub commits: Vec<CommitInfo>,
    positions: HashMap<String, usize>,
    /// Commits of the repository that are not on the branch.
    elsewhere: HashSet<String>,
}

/// The commits of all branches and tags of a repository.
#[derive(Debug, Default)]
pub struct Commits {
    /// Hash and date in milliseconds since the Unix epoch, in the order of hashes.
    all: Vec<(String, i64)>,
}

/// Minimum number of digits of a hash. Git itself prints no shorter ones.
const DIGITS: usize = 7;

impl Commits {
    /// Reads the commits. Returns none if `root` is not in a repository.
    pub fn read(root: &Path) -> Commits {
        let text = git(root, &["log", "--all", "--format=%H %ct"]).unwrap_or_default();
        let commit = |line: &str| {
            let (hash, seconds) = line.split_once(' ')?;
            Some((hash.to_owned(), seconds.parse::<i64>().ok()?.saturating_mul(1000)))
        };
        let mut all: Vec<(String, i64)> = text.lines().filter_map(commit).collect();
        all.sort_unstable();
        Commits { all }
    }

    /// Returns the hash and date of the commit whose hash begins with these digits. Returns `None` if there
    /// are several such commits, or if there are fewer than seven digits.
    pub fn find(&self, digits: &str) -> Option<(&str, i64)> {
        let first = self.all.partition_point(|(hash, _)| hash.as_str() < digits);
        let mut found = self.all[first..].iter().take_while(|(hash, _)| hash.starts_with(digits));
        let (hash, at_ms) = found.next().filter(|_| digits.len() >= DIGITS)?;
        found.next().is_none().then_some((hash, *at_ms))
    }
}

/// Returns true if a text can be the hash of a commit, perhaps a short one.
pub fn is_hash(text: &str) -> bool {
    (DIGITS..=64).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Separates the fields of a commit in the output of git.
const FIELD: char = '\u{1f}';

impl Branch {
    /// Reads the commits of `name`, or of the checked-out commit.
    ///
    /// # Errors
    ///
    /// Fails if `root` is not in a repository, or if the repository has no such revision.
    pub fn read(root: &Path, name: Option<&str>) -> Result<Branch> {
        let name = name.unwrap_or("HEAD");
        let end = resolve(root, name)?;
        let failed = |why: String| problem!("the commits of `{name}` cannot be read").why(why);
        let format = format!("--format=%H{FIELD}%ct{FIELD}%s");
        let text = git(root, &["log", "--topo-order", "--reverse", &format, &end, "--"]).map_err(failed)?;
        let mut tags = tags(root);
        let commit = |line: &str| {
            let mut fields = line.splitn(3, FIELD);
            let (hash, seconds) = (fields.next()?.to_owned(), fields.next()?.parse::<i64>().ok()?);
            let subject = fields.next().unwrap_or_default().to_owned();
            let tags = tags.remove(&hash).unwrap_or_default();
            Some(CommitInfo { hash, at_ms: seconds.saturating_mul(1000), subject, tags })
        };
        let commits: Vec<CommitInfo> = text.lines().filter_map(commit).collect();
        let positions: HashMap<String, usize> =
            commits.iter().enumerate().map(|(at, commit)| (commit.hash.clone(), at)).collect();
        let all = git(root, &["rev-list", "--all"]).unwrap_or_default();
        let elsewhere =
            all.lines().filter(|hash| !positions.contains_key(*hash)).map(str::to_owned).collect();
        Ok(Branch { name: name.to_owned(), commits, positions, elsewhere })
    }

    /// Returns the position of a commit on the branch, from 0 for the oldest.
    pub fn position(&self, hash: &str) -> Option<usize> {
        self.positions.get(hash).copied()
    }

    /// Returns true if the commit is in the repository, but not on the branch.
    pub fn is_elsewhere(&self, hash: &str) -> bool {
        self.elsewhere.contains(hash)
    }
}

/// Returns the names of tags by commit.
fn tags(root: &Path) -> HashMap<String, Vec<String>> {
    let format = "--format=%(objectname) %(*objectname) %(refname:short)";
    let text =
        git(root, &["for-each-ref", "refs/tags", "--sort=version:refname", format]).unwrap_or_default();
    let mut all: HashMap<String, Vec<String>> = HashMap::new();
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(object), Some(target), Some(name)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        // An annotated tag is an object of its own, which points at the commit.
        let commit = if target.is_empty() { object } else { target };
        all.entry(commit.to_owned()).or_default().push(name.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, args: &[&str]) -> String {
        let own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        git(root, &[&own, args].concat()).unwrap()
    }

    #[test]
    fn a_branch_has_its_commits_in_order_with_tags() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        run(root, &["init", "-q", "-b", "main"]);
        for name in ["one", "two | <b>", "three"] {
            run(root, &["commit", "-q", "--allow-empty", "-m", name]);
        }
        run(root, &["tag", "v1", "HEAD~2"]);
        run(root, &["tag", "-a", "v2", "-m", "second", "HEAD~1"]);
        run(root, &["checkout", "-q", "-b", "other", "HEAD~1"]);
        run(root, &["commit", "-q", "--allow-empty", "-m", "aside"]);
        let aside = run(root, &["rev-parse", "HEAD"]);
        let branch = Branch::read(root, Some("main")).unwrap();
        let found: Vec<(&str, usize)> =
            branch.commits.iter().map(|one| (one.subject.as_str(), one.tags.len())).collect();
        assert_eq!(found, [("one", 1), ("two | <b>", 1), ("three", 0)]);
        assert_eq!(branch.position(&branch.commits[1].hash), Some(1));
        assert_eq!(branch.commits[1].tags, ["v2"]);
        assert!(branch.is_elsewhere(&aside) && branch.position(&aside).is_none());
        assert!(Branch::read(root, Some("nowhere")).is_err());
        let commits = Commits::read(root);
        let found = commits.find(&aside[..7]).map(|(hash, at_ms)| (hash, at_ms > 0));
        assert_eq!(found, Some((aside.as_str(), true)));
        assert!(commits.find(&aside[..6]).is_none() && commits.find("").is_none());
        assert!(commits.find(&"f".repeat(40)).is_none());
        assert!(is_hash(&aside) && !is_hash("--output=x") && !is_hash("abc"));
        assert!(Commits::read(Path::new("/")).find(&aside).is_none());
    }
}
