//! Sides that do not change any more: revisions are commits, and a working tree is a snapshot.

use crate::snapshot;
use derny_engine::discover::project::split;
use derny_model::problem;
use derny_workbench::Result;
use derny_workbench::error::Doing;
use derny_workbench::project::git;
use derny_workbench::project::session::Session as Workbench;
use derny_workbench::variants::parse::{self, VariantSpec};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A frozen side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// Name for people: the revision as the user typed it, or the snapshot's commit.
    pub label: String,
    /// The side in the form of `-x`, under any name.
    pub text: String,
    /// Commit of the sources. Absent outside git.
    #[serde(default)]
    pub commit: Option<String>,
    /// Tree of that commit.
    #[serde(default)]
    pub tree: Option<String>,
}

impl Side {
    /// Returns the side in the form of `-x`, under this name.
    pub fn named(&self, name: &str) -> String {
        let rest = self.text.find(['=', '@', '+', ':']).map_or("", |at| &self.text[at..]);
        format!("{name}{rest}")
    }

    /// Returns true if both sides have the same files, and are launched in the same way.
    pub fn is(&self, other: &Side) -> bool {
        let way = |side: &Side| {
            let text = side.named("x");
            side.commit.as_ref().map_or(text.clone(), |commit| text.replace(&format!("@{commit}"), "@"))
        };
        self.tree.is_some() && self.tree == other.tree && way(self) == way(other)
    }
}

/// Freezes a side that is measured as it is: its revision becomes a commit.
///
/// # Errors
/// Fails if the text is invalid, or if there is no such revision.
pub(crate) fn freeze(workbench: &Workbench, text: &str) -> Result<Side> {
    let spec = one(workbench, text)?;
    let root = &workbench.project.root;
    match &spec.revision {
        None => Ok(Side { label: text.to_owned(), text: written(&spec, text)?, commit: None, tree: None }),
        Some(revision) => {
            let commit = git::resolve(root, revision)?;
            let frozen = VariantSpec { revision: Some(commit.clone()), is_bare: false, ..spec.clone() };
            let tree = snapshot::tree(root, &commit);
            Ok(Side { label: revision.clone(), text: written(&frozen, text)?, commit: Some(commit), tree })
        }
    }
}

/// Freezes a candidate. Also returns the text of the side to measure. A working tree is frozen as a snapshot,
/// but measured in its own folder, where its build is incremental.
///
/// # Errors
/// Fails if the text is invalid, or if git fails.
pub(crate) fn freeze_candidate(workbench: &Workbench, text: &str) -> Result<(Side, String)> {
    let spec = one(workbench, text)?;
    let root = &workbench.project.root;
    if spec.revision.is_some() || git::is_shallow(root).is_none() {
        let side = freeze(workbench, text)?;
        let measured = side.text.clone();
        return Ok((side, measured));
    }
    let taken = snapshot::working_tree(root, &workbench.folder_in_store("judge")?)?;
    let frozen = VariantSpec { revision: Some(taken.commit.clone()), is_bare: false, ..spec.clone() };
    let side = Side {
        label: taken.commit.chars().take(10).collect(),
        text: written(&frozen, text)?,
        commit: Some(taken.commit),
        tree: Some(taken.tree),
    };
    Ok((side, written(&VariantSpec { is_bare: false, ..spec }, text)?))
}

/// Copies the files of the project that the command of a side names, so that later changes do not affect the
/// side. Files that they load in turn are not copied.
///
/// # Errors
/// Fails if a file cannot be copied.
pub(crate) fn keep_files(workbench: &Workbench, session: &str, number: usize, side: &Side) -> Result<Side> {
    let mut spec = one(workbench, &side.text)?;
    let Some(command) = &mut spec.command else { return Ok(side.clone()) };
    let root = &workbench.project.root;
    let made = |below: &Path, name: &str| {
        derny_store::folder(below, name).doing(|| format!("cannot write in {}", below.display()))
    };
    let folder = made(&made(&workbench.folder_in_store("judge")?, session)?, &number.to_string())?;
    for word in command.iter_mut() {
        let path = root.join(&*word);
        let Some(name) = path.file_name().filter(|_| path.is_file() && is_below(&path, root)) else {
            continue;
        };
        let to = folder.join(name);
        std::fs::copy(&path, &to).doing(|| format!("cannot copy {}", path.display()))?;
        *word = std::path::absolute(&to).unwrap_or(to).display().to_string();
    }
    Ok(Side { text: written(&spec, &side.text)?, ..side.clone() })
}

fn is_below(path: &Path, root: &Path) -> bool {
    path.canonicalize().ok().zip(root.canonicalize().ok()).is_some_and(|(path, root)| path.starts_with(root))
}

fn one(workbench: &Workbench, text: &str) -> Result<VariantSpec> {
    let parsed = parse::parse(&workbench.project, (&[], &[text.to_owned()]), &[])?;
    match <[VariantSpec; 1]>::try_from(parsed) {
        Ok([spec]) => Ok(spec),
        Err(_) => unreachable!("one text is one side"),
    }
}

/// Returns the text of a side. Fails if parsing it would return another side.
fn written(spec: &VariantSpec, original: &str) -> Result<String> {
    let mut text = spec.name.clone();
    let mut add = |sign: &str, said: &str| {
        text.push_str(sign);
        text.push_str(said);
    };
    if let Some(benchmark) = &spec.benchmark {
        add(":", benchmark);
    }
    match &spec.revision {
        Some(revision) => add("@", revision),
        None => add("@", "."),
    }
    spec.env.iter().for_each(|(key, value)| add("+", &format!("{key}={value}")));
    spec.args.iter().for_each(|flag| add("+", flag));
    spec.build_args.iter().for_each(|flag| add("+build:", flag));
    if let Some(command) = &spec.command {
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        add("=", &words.join(" "));
    }
    let reads = spec.command.as_ref().is_none_or(|words| {
        split(&words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")) == *words
    });
    match reads {
        true => Ok(text),
        false => Err(problem!("`-x {original}` cannot be stored")
            .why("its command contains characters that cannot be quoted")
            .remedy("put the command into a script")
            .into()),
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%{}".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false if word.contains('\'') => format!("\"{word}\""),
        false => format!("'{word}'"),
    }
}
