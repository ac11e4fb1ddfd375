//! The remote repository of a project: its name, and the web address of its commits.

use super::git::git;
use std::path::Path;

/// Data about a project from its remote repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Name of the repository, such as `derny`.
    pub name: String,
    /// Web address of a commit, without the hash at the end. None if the host is not known to show commits.
    pub commits: Option<String>,
}

/// Hosts that show commits on web pages: a word in the host's name, and the path before the hash.
const HOSTS: [(&str, &str); 5] = [
    ("github", "/commit/"),
    ("gitlab", "/-/commit/"),
    ("bitbucket.org", "/commits/"),
    ("codeberg.org", "/commit/"),
    ("gitea", "/commit/"),
];

/// Returns the remote of the repository that contains `root`: `origin`, or else the first one. None if there
/// is none.
pub fn remote(root: &Path) -> Option<Remote> {
    let names = git(root, &["remote"]).ok()?;
    let name = names.lines().find(|name| *name == "origin").or_else(|| names.lines().next())?;
    parse(&git(root, &["remote", "get-url", name]).ok()?)
}

/// Parses an address as git accepts it: `https://host/owner/name.git`, `ssh://git@host/owner/name` or
/// `git@host:owner/name.git`. Omits user names and passwords. None if the address contains no name.
fn parse(address: &str) -> Option<Remote> {
    let address = address.trim().trim_end_matches('/');
    let (is_web, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (matches!(scheme, "http" | "https" | "ssh" | "git"), rest.to_owned()),
        // The short form has a colon before the first slash. Other addresses are folders.
        None => match address.split_once(':').filter(|(host, _)| host.len() > 1 && !host.contains('/')) {
            Some((host, path)) => (true, format!("{host}/{path}")),
            None => (false, address.to_owned()),
        },
    };
    let rest = rest.strip_suffix(".git").unwrap_or(&rest);
    let name = rest.rsplit(['/', '\\']).next().filter(|name| !name.is_empty() && *name != ".")?.to_owned();
    let (place, path) = rest.split_once('/').filter(|_| is_web).unwrap_or(("", ""));
    let host = place.rsplit('@').next().and_then(|host| host.split(':').next()).unwrap_or("");
    let is_plain =
        |text: &str, more: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    let known = HOSTS.iter().find(|(word, _)| host == *word || host.split('.').any(|part| part == *word));
    let commits = known
        .filter(|_| is_plain(host, ".-") && is_plain(path, "._-/~"))
        .map(|(_, between)| format!("https://{host}/{}{between}", path.trim_start_matches('/')));
    Some(Remote { name, commits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_give_names_and_pages_of_commits() {
        for (address, name, commits) in [
            ("git@github.com:acme/fast-list.git", "fast-list", "https://github.com/acme/fast-list/commit/"),
            ("https://user:secret@github.com/acme/x/", "x", "https://github.com/acme/x/commit/"),
            ("ssh://git@gitlab.example.com:22/a/b/c.git", "c", "https://gitlab.example.com/a/b/c/-/commit/"),
            ("https://bitbucket.org/a/b.git", "b", "https://bitbucket.org/a/b/commits/"),
            ("https://git.example.com/a/b.git", "b", ""),
            ("git@github.com:a/\"b", "\"b", ""),
            ("../origin.git", "origin", ""),
            ("/srv/github/name", "name", ""),
        ] {
            let found = parse(address).expect(address);
            assert_eq!((found.name.as_str(), found.commits.as_deref().unwrap_or("")), (name, commits));
        }
        assert_eq!(parse(""), None);
        assert_eq!(parse("."), None);
    }
}
