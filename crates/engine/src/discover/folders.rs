//! Programs that consist of all benchmark files of a folder, such as a Go package.

use crate::discover::file::source;
use crate::discover::pattern::{Selector, is_tree, normal, under};
use crate::discover::sdk::Convention;
use crate::discover::source::Source;
use crate::hash::Fnv;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Default)]
pub(super) struct Folders<'a> {
    found: BTreeMap<(String, String), (&'a Convention, Vec<String>)>,
}

impl<'a> Folders<'a> {
    pub(super) fn add(&mut self, sdk: &str, convention: &'a Convention, file: &str) {
        let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
        let key = (sdk.to_string(), folder.to_string());
        self.found.entry(key).or_insert((convention, Vec::new())).1.push(file.to_string());
    }

    /// Returns a [`Source`] for each folder, with the folder's name as its suite.
    pub(super) fn sources(self, root: &Path, unpacked: &Path) -> Vec<Source> {
        let of = |((sdk, folder), (convention, files)): ((String, String), (&Convention, Vec<String>))| {
            one(root, &unpacked.join(sdk), convention, name(root, convention, &folder), &folder, &files)
        };
        self.found.into_iter().map(of).collect()
    }

    /// Returns a [`Source`] for each folder of a suite in derny.toml. If there are several, their suite names
    /// contain the folder.
    pub(super) fn of_suite(self, root: &Path, sdk: &Path, suite: &str) -> Vec<Source> {
        let is_one = self.found.len() == 1;
        let of = |((_, folder), (convention, files)): ((String, String), (&Convention, Vec<String>))| {
            let called = if is_one {
                suite.to_string()
            } else {
                format!("{suite}/{}", name(root, convention, &folder))
            };
            one(root, sdk, convention, called, &folder, &files)
        };
        self.found.into_iter().map(of).collect()
    }
}

/// Returns the name of a folder's suite, which is the folder's path. For the project's root, returns the name
/// of the project or, if that is unknown, of the folder.
fn name(root: &Path, convention: &Convention, folder: &str) -> String {
    if folder != "." {
        return folder.to_string();
    }
    let own = convention.root_name.as_ref().and_then(|own| own.of(root));
    own.or_else(|| Some(root.file_name()?.to_string_lossy().into_owned())).unwrap_or(".".into())
}

fn one(
    root: &Path,
    sdk: &Path,
    convention: &Convention,
    suite: String,
    folder: &str,
    files: &[String],
) -> Source {
    let files: BTreeSet<&String> = files.iter().collect();
    let plain = source(root, sdk, convention, suite, None, &[]);
    let mut hash = Fnv::new();
    hash.write(plain.hash.as_bytes());
    for file in &files {
        hash.write(file.as_bytes()).write(&fs::read(root.join(file)).unwrap_or_default());
    }
    Source {
        file: Some(folder.to_string()),
        covers: files.into_iter().cloned().collect(),
        is_folder: true,
        directory: PathBuf::from(folder),
        hash: format!("{:016x}", hash.finish()),
        ..plain
    }
}

/// If the selection contains paths, removes the folder programs that none of them selects. The path of a
/// folder program selects only that program. `DIR/...` also selects the programs in its subfolders. Any other
/// folder selects everything below it.
pub(super) fn narrow(found: &mut Vec<Source>, selector: &Selector, root: &Path) {
    let own = |source: &Source| source.file.clone().filter(|_| source.is_folder);
    let folders: BTreeSet<String> = found.iter().filter_map(own).collect();
    let is_path = |word: &&String| is_tree(word) || root.join(normal(word)).exists();
    let words: Vec<&String> = selector.patterns.iter().filter(is_path).collect();
    let means = |word: &str, source: &Source| {
        let is_exact = !is_tree(word) && folders.contains(normal(word));
        let mut files = source.file.iter().chain(&source.covers);
        if is_exact {
            source.file.as_deref() == Some(normal(word))
        } else {
            files.any(|file| under(word, file))
        }
    };
    let is_meant = |source: &Source| words.iter().any(|word| means(word, source));
    found.retain(|source| words.is_empty() || !source.is_folder || is_meant(source));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::{Sdks, sdk::RootName};

    fn left(words: &[&str]) -> Vec<String> {
        let root = std::env::temp_dir().join(format!("derny-folders-{}", std::process::id()));
        for folder in ["a/deep", "b/deep"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("a/deep/x.txt"), "").unwrap();
        let sdks = Sdks::carried();
        let convention = &sdks.all()[0].harness[0];
        let mut folders = Folders::default();
        let files = ["x.txt", "a/x.txt", "a/y.txt", "a/deep/x.txt", "b/deep/x.txt"];
        files.iter().for_each(|file| folders.add("s", convention, file));
        let mut sources = folders.sources(&root, Path::new("/sdk"));
        let patterns = words.iter().map(|word| word.to_string()).collect();
        narrow(&mut sources, &Selector { patterns, ..Selector::default() }, &root);
        sources.into_iter().filter_map(|source| source.file).collect()
    }

    #[test]
    fn the_root_is_called_what_the_project_is_called_wherever_it_lies() {
        let root = std::env::temp_dir().join(format!("derny-root-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let plain = Sdks::carried().all()[0].harness[0].clone();
        let own = RootName { file: "project.txt".into(), after: "module".into() };
        let told = Convention { root_name: Some(own), ..plain.clone() };
        let here = root.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(
            [name(&root, &plain, "."), name(&root, &told, "."), name(&root, &told, "a")],
            [&here, &here, "a"]
        );
        for (text, called) in [
            ("// of a tool\n\nmodule example.com/some/tool // why\n", "tool"),
            ("module \"example.com/tool/v2\"\r\n", "tool"),
            ("module vision\n", "vision"),
            ("modules x\nmodule v2\n", &here),
            ("module", &here),
        ] {
            fs::write(root.join("project.txt"), text).unwrap();
            assert_eq!(name(&root, &told, "."), called, "{text}");
        }
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_folder_is_one_program_and_a_word_for_it_means_no_other() {
        assert_eq!(left(&[]), [".", "a", "a/deep", "b/deep"]);
        assert_eq!(left(&["./..."]), [".", "a", "a/deep", "b/deep"]);
        assert_eq!(left(&["."]), ["."]);
        assert_eq!(left(&["./a"]), ["a"]);
        assert_eq!(left(&["./a/..."]), ["a", "a/deep"]);
        assert_eq!(left(&[".", "./a/..."]), [".", "a", "a/deep"]);
        assert_eq!(left(&["b"]), ["b/deep"], "no program by itself");
        assert_eq!(left(&["a/deep/x.txt"]), ["a/deep"], "the folder of a file");
        assert_eq!(left(&["name"]), [".", "a", "a/deep", "b/deep"], "a name narrows no folders");
    }
}
