//! The sides of `derny diff`: a revision, and the working tree.

use crate::error::Result;
use crate::notice::Notice;
use crate::project::git;
use crate::project::session::Session;
use crate::variants::parse::{self, HEAD};
use derny_model::problem;

/// Sides in the form of `-x`, and the words that select cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The revision, and the working tree.
    pub sides: Vec<String>,
    /// The remaining words, which select cases.
    pub patterns: Vec<String>,
}

/// Name of the side for the commit where the branch left its upstream.
const BASE: &str = "base";

/// Returns the sides. If git can resolve the first word, it is the revision. Otherwise every word selects
/// cases, and the revision is the commit where the branch left its upstream.
///
/// # Errors
/// Fails if there is no git repository, or if no revision is named and the branch has no upstream.
pub fn diff(session: &Session, words: &[String], tell: &mut dyn FnMut(Notice)) -> Result<Diff> {
    let root = &session.project.root;
    let head = git::resolve(root, "HEAD")?;
    if let Some((name, patterns)) = words.split_first()
        && let Ok(commit) = git::resolve(root, name)
    {
        let side = parse::revision_side(name, &commit);
        return Ok(Diff { sides: vec![side, HEAD.to_owned()], patterns: patterns.to_vec() });
    }
    let Some((upstream, commit)) = git::left_upstream(root) else {
        let what = match words.first() {
            Some(word) => problem!("`{word}` is not a revision of this repository")
                .why("without a revision, this branch needs an upstream to compare with, and it has none"),
            None => problem!("this branch has no upstream to compare with").place(root.display()),
        };
        return Err(what.remedy(format_args!("run `derny diff {}`", suggestion(session, words))).into());
    };
    if let Some(near) = words.first().and_then(|word| git::near(root, word)) {
        tell(Notice::NotRevision { word: words[0].clone(), near });
    }
    tell(Notice::Base { commit: commit.clone(), upstream, is_head: commit == head });
    Ok(Diff { sides: vec![parse::revision_side(BASE, &commit), HEAD.to_owned()], patterns: words.to_vec() })
}

/// Returns the revision to suggest: the one whose name is nearest to the first word, else the main branch,
/// else the last commit.
fn suggestion(session: &Session, words: &[String]) -> String {
    let root = &session.project.root;
    let own = git::commit(root).and_then(|commit| commit.branch);
    let is_other = |name: &&&str| own.as_deref() != Some(**name) && git::resolve(root, name).is_ok();
    let usual = || ["main", "master", "trunk", "origin/main", "origin/master"].iter().find(is_other);
    let near = words.first().and_then(|word| git::near(root, word));
    near.or_else(|| usual().map(|name| (*name).to_owned())).unwrap_or_else(|| "HEAD".to_owned())
}
