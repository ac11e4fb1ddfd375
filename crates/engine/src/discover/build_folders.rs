//! Build folders, in which a build tool was configured. Their files are not benchmarks. A word of the
//! selection may name a build folder, or a program in it, to measure the built programs.

use crate::discover::sdk::Sdk;
use crate::discover::source::Source;
use std::path::{Path, PathBuf};

/// The words of a selection, split into the word that names a build folder and all others.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The remaining words, which select cases.
    pub patterns: Vec<String>,
    /// Absolute path of the build folder, or of a program in it.
    pub built: Option<String>,
}

impl Words {
    /// If the words name a build folder, keeps only the sources that can use one, and makes them use it.
    #[must_use]
    pub fn applied(&self, mut sources: Vec<Source>) -> Vec<Source> {
        if let Some(folder) = &self.built {
            sources.retain(|source| source.takes_build_folder);
            sources.iter_mut().for_each(|source| source.runtime = vec![folder.clone()]);
        }
        sources
    }
}

/// Returns true if a folder contains a file that marks build folders.
pub(super) fn is_marked(folder: &Path, sdks: &[Sdk]) -> bool {
    let conventions = || sdks.iter().flat_map(|sdk| &sdk.harness);
    conventions().flat_map(|convention| &convention.build_folders).any(|name| folder.join(name).is_file())
}

/// Splits off the first word that is the path of a build folder, or of a program in one. Paths are relative
/// to `here`.
pub fn split(words: &[String], here: &Path, root: &Path, sdks: &[Sdk]) -> Words {
    let mut split = Words::default();
    for word in words {
        match built(&here.join(word), root, sdks).filter(|_| split.built.is_none()) {
            Some(path) => split.built = Some(path.display().to_string()),
            None => split.patterns.push(word.clone()),
        }
    }
    split
}

fn built(path: &Path, root: &Path, sdks: &[Sdk]) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let is_folder = |folder: &Path| folder != root && is_marked(folder, sdks);
    let names = match path.is_dir() {
        true => is_folder(&path),
        false => is_program(&path) && path.ancestors().skip(1).any(is_folder),
    };
    names.then_some(path)
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "exe")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::discover::sdk::Sdks;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_word_names_a_build_folder_or_a_program_in_it() {
        let root = std::env::temp_dir().join(format!("derny-build-folders-{}", std::process::id()));
        let sdks = Sdks::carried();
        let conventions = || sdks.all().iter().flat_map(|sdk| &sdk.harness);
        let marker = conventions().find_map(|convention| convention.build_folders.first()).unwrap();
        fs::create_dir_all(root.join("out/part")).unwrap();
        fs::create_dir_all(root.join("plain")).unwrap();
        fs::write(root.join("out").join(marker), "").unwrap();
        fs::write(root.join("out/part/program"), "").unwrap();
        fs::write(root.join("out/part/text"), "").unwrap();
        fs::set_permissions(root.join("out/part/program"), fs::Permissions::from_mode(0o755)).unwrap();
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let Words { patterns, built } = split(&words, &root, &root, sdks.all());
            let start = format!("{}/", root.canonicalize().unwrap().display());
            (patterns, built.map(|path| path.replace(&start, "")))
        };
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(of(&["out/", "name"]), (owned(&["name"]), Some("out".into())));
        assert_eq!(of(&["out/part/program"]), (Vec::new(), Some("out/part/program".into())));
        let others = ["out/part/text", "out/part", "plain", "absent"];
        assert_eq!(of(&others), (owned(&others), None));
        // The root of a project that is built in place contains everything, so it does not count as a build
        // folder.
        fs::write(root.join(marker), "").unwrap();
        assert_eq!(of(&["."]), (owned(&["."]), None));
        fs::remove_dir_all(root).unwrap();
    }
}
