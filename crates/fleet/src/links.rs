//! Resolves the symbolic links of a folder, including links to other links. Does not access the file system,
//! because the target of a link may not exist yet.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Maximum number of links to follow on a path.
const MOST_FOLLOWED: u32 = 40;

#[derive(Debug, Default)]
pub struct Links(BTreeMap<PathBuf, PathBuf>);

impl Links {
    pub fn add(&mut self, below: PathBuf, to: PathBuf) {
        self.0.insert(below, to);
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn all(&self) -> impl Iterator<Item = (&PathBuf, &PathBuf)> {
        self.0.iter()
    }

    /// Returns the first link that leads out of the folder, or through too many other links. A path that is
    /// not a link counts as a folder, even if it does not exist. The result holds for case-sensitive and
    /// case-insensitive file systems.
    pub fn out(&self) -> Option<(&Path, &Path)> {
        let same = |path: &Path| path.to_owned();
        let folded = |path: &Path| PathBuf::from(path.to_string_lossy().to_lowercase());
        let by_fold: BTreeMap<PathBuf, PathBuf> =
            self.0.iter().map(|(path, to)| (folded(path), to.clone())).collect();
        let leads_out =
            |(path, _): &(&PathBuf, &PathBuf)| !stays(path, &self.0, same) || !stays(path, &by_fold, folded);
        self.0.iter().find(leads_out).map(|(path, to)| (path.as_path(), to.as_path()))
    }
}

/// Returns true if following a link never leaves the folder, not even at an intermediate component. Returns
/// false if the path of the link itself leads through another link, or if too many links follow each other.
/// `key` maps a path to its key in `links`.
fn stays(path: &Path, links: &BTreeMap<PathBuf, PathBuf>, key: impl Fn(&Path) -> PathBuf) -> bool {
    if path.ancestors().skip(1).any(|above| links.contains_key(&key(above))) {
        return false;
    }
    let mut here = PathBuf::new();
    let mut followed = 0;
    let mut left: VecDeque<OsString> = path.iter().map(OsString::from).collect();
    while let Some(part) = left.pop_front() {
        match Path::new(&part).components().next() {
            Some(Component::Normal(name)) => here.push(name),
            Some(Component::ParentDir) if here.pop() => continue,
            Some(Component::CurDir) | None => continue,
            Some(_) => return false,
        }
        if let Some(to) = links.get(&key(&here)) {
            followed += 1;
            if followed > MOST_FOLLOWED {
                return false;
            }
            here.pop();
            to.iter().rev().for_each(|part| left.push_front(part.to_owned()));
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(links: &[(&str, &str)]) -> Option<String> {
        let mut all = Links::default();
        links.iter().for_each(|(below, to)| all.add(below.into(), to.into()));
        all.out().map(|(path, _)| path.display().to_string())
    }

    #[test]
    fn links_within_a_folder_stay() {
        for (below, to) in
            [("a", "b"), ("d/a", "../b"), ("a", "d/../b"), ("a", "."), ("d/e/a", "../.."), ("a", "d/./e")]
        {
            assert_eq!(out(&[(below, to)]), None, "{below} {to}");
        }
        for (below, to) in [("a", "../b"), ("a", "/b"), ("a", "a/../../x"), ("d/a", "../../b"), ("a", "a")] {
            assert_eq!(out(&[(below, to)]).as_deref(), Some(below), "{below} {to}");
        }
        let libraries = [
            ("lib/x.so", "x.so.1"),
            ("lib/x.so.1", "x.so.1.2"),
            ("lib64", "lib"),
            ("bin/l", "../lib64/x.so"),
        ];
        assert_eq!(out(&libraries), None);
    }

    #[test]
    fn links_lead_through_each_other() {
        // Each link alone stays inside the folder. Together they lead out.
        assert!(out(&[("a/b/z", "../.."), ("l", "a/b/z/..")]).is_some());
        assert!(out(&[("z", "."), ("l", "z/../x")]).is_some());
        assert!(out(&[("a/z", ".."), ("m", "a/z"), ("l", "m/../x")]).is_some());
        assert!(out(&[("a", "b"), ("b", "a")]).is_some(), "round in circles");
        assert!(out(&[("d/e/up", "../.."), ("d/l", "e/up/../x")]).is_some());
        assert!(out(&[("d", "."), ("d/d/l", "../x")]).is_some(), "a link behind a link lies elsewhere");
        // These lead out on case-insensitive file systems.
        assert!(out(&[("a/b/Z", "../.."), ("l", "a/b/z/..")]).is_some());
        assert!(out(&[("A/b/z", "../.."), ("l", "a/b/z/..")]).is_some());
    }
}
