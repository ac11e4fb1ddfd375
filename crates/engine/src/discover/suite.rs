//! Suites that consist of several files, and sources that differ between variants.

use crate::discover::sdk::Convention;
use crate::discover::{Source, glob};
use crate::hash::Fnv;
use derny_model::Variant;
use std::borrow::Cow;
use std::fs;

impl Source {
    /// Returns the [`Source`] as a variant uses it. A variant may name another file, and a revision may
    /// have a separate environment.
    pub fn at(&self, variant: &Variant) -> Cow<'_, Source> {
        if let Some((file, rest)) = self.file_of(variant) {
            let named = Source { file: Some(file), sides: Vec::new(), ..self.clone() };
            let own = |line: &[String]| line.iter().map(|word| named.with_file(word)).collect();
            let is_named = rest.first().is_some_and(|word| !word.starts_with('-'));
            let runtime = if is_named { rest } else { [self.runtime.clone(), rest].concat() };
            let (build, command) = (own(&self.build), own(&self.command));
            return Cow::Owned(Source { build, command, runtime, has_own_runtime: true, ..named });
        }
        let Some(revision) = self.revision.as_ref().filter(|_| variant.revision.is_some()) else {
            return Cow::Borrowed(self);
        };
        let base = variant.command.as_ref().unwrap_or(&self.runtime);
        let file =
            self.file.as_ref().and_then(|file| fs::read(self.root.join(file)).ok()).unwrap_or_default();
        let hash = format!("{:016x}", Fnv::new().write(&file).finish());
        let expand = |word: &String| match word.as_str() {
            "{runtime}" => base.clone(),
            _ => vec![word.replace("{file-hash}", &hash)],
        };
        Cow::Owned(Source {
            build: revision.build.iter().flat_map(expand).collect(),
            runtime: vec![revision.runtime.clone()],
            has_own_runtime: true,
            files_root: revision.own_files.then(|| self.root.clone()),
            revision: None,
            build_whole: false,
            ..self.clone()
        })
    }

    /// Returns the file that the command of a variant names, and the rest of the command: a runtime and its
    /// arguments. Returns `None` if the command names no file that may replace the benchmark file.
    pub fn file_of(&self, variant: &Variant) -> Option<(String, Vec<String>)> {
        let words = variant.command.as_ref().filter(|_| !self.has_own_runtime)?;
        let at = words.iter().position(|word| names_side(&self.sides, word))?;
        let mut rest = words.clone();
        let file = rest.remove(at);
        Some((file, rest))
    }
}

/// Returns true if `word`, from a variant's command, names a file that replaces the benchmark file. `globs`
/// match such files.
pub fn names_side(globs: &[String], word: &str) -> bool {
    let path = word.trim_start_matches('/').trim_start_matches("./");
    !word.starts_with('-') && globs.iter().any(|glob| glob::matches(glob, path))
}

/// Returns the further files of a suite: files in the folder of `file` or below that match the convention's
/// globs.
pub(super) fn covered(convention: &Convention, file: &str, files: &[String]) -> Vec<String> {
    let folder = file.rfind('/').map_or("", |end| &file[..=end]);
    let hit = |below: &str| convention.covers.iter().any(|glob| glob::matches(glob, below));
    let belongs = |other: &&String| other.strip_prefix(folder).is_some_and(hit);
    files.iter().filter(belongs).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::command;
    use crate::discover::sdk::{Revision, Sdks};
    use std::path::Path;

    #[test]
    fn a_revision_has_an_environment_of_its_own() {
        let revision = Revision {
            build: ["{runtime}", "make", "{file}", "{build}"].map(String::from).to_vec(),
            runtime: "{build}/env/run".into(),
            own_files: true,
        };
        let source = Source {
            file: Some("a.conf".into()),
            command: vec!["{runtime}".into(), "{file}".into()],
            runtime: vec!["tool".into()],
            revision: Some(revision),
            ..command(Path::new("/p"), &["x".into()])
        };
        assert_eq!(source.words(&Variant::default(), 0, &[]), ["tool", "/p/a.conf"]);
        let old = Variant {
            revision: Some("abc".into()),
            directory: Some("/trees/abc".into()),
            builds: vec!["/b".into()],
            ..Variant::default()
        };
        let words = source.words(&old, 0, &[]);
        assert!(words[0].starts_with("/b/") && words[0].ends_with("/env/run"), "{words:?}");
        assert_eq!(words[1], "/p/a.conf", "the benchmarks are the working tree's");
        assert_eq!(source.build_words(&old, 0)[..3], ["tool", "make", "/p/a.conf"]);
        let with = Variant { command: Some(vec!["tool-2".into()]), ..old };
        assert_eq!(source.build_words(&with, 0)[0], "tool-2", "the environment is made of it");
        assert!(source.words(&with, 0, &[])[0].ends_with("/env/run"));
    }

    #[test]
    fn a_variant_may_name_another_file() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let source = Source {
            file: Some("new.pkg".into()),
            command: words(&["run", "{build}/{name}", "{file}", "{runtime}", "{args}"]),
            build: words(&["look", "{file}", "{build}", "{runtime}"]),
            runtime: words(&["vm"]),
            sides: words(&["**/*.pkg"]),
            ..command(Path::new("/p"), &["x".into()])
        };
        let of = |command: &[&str]| Variant {
            command: Some(words(command)).filter(|words| !words.is_empty()),
            builds: words(&["/b"]),
            ..Variant::default()
        };
        let launched = |command: &[&str]| {
            let line = source.words(&of(command), 0, &words(&["-case"]));
            let name = line[1].rsplit_once('/').unwrap();
            assert!(name.0.starts_with("/b/"), "{line:?}");
            [&[name.1.to_string()], &line[2..]].concat()
        };
        assert_eq!(launched(&[]), ["new", "/p/new.pkg", "vm", "-case"]);
        assert_eq!(launched(&["vm-2", "-flag"]), ["new", "/p/new.pkg", "vm-2", "-flag", "-case"]);
        assert_eq!(launched(&["old.pkg"]), ["old", "/p/old.pkg", "vm", "-case"]);
        assert_eq!(launched(&["/q/old.pkg"])[1..], ["/q/old.pkg", "vm", "-case"]);
        assert_eq!(launched(&["vm-2", "-f", "old.pkg"]), ["old", "/p/old.pkg", "vm-2", "-f", "-case"]);
        assert_eq!(launched(&["-f", "old.pkg"]), ["old", "/p/old.pkg", "vm", "-f", "-case"]);
        let (old, new) = (of(&["old.pkg"]), of(&[]));
        assert_eq!(source.build_words(&old, 0)[1], "/p/old.pkg");
        assert_eq!(source.build_words(&old, 0)[3], "vm");
        assert_ne!(source.build_folder(&old, 0), source.build_folder(&new, 0));
        assert_eq!(source.build_words(&old, 0)[2], source.build_folder(&old, 0).display().to_string());
        assert!(source.launch_line(&old).contains(&"{root}/old.pkg".to_string()));
    }

    #[test]
    fn a_suite_covers_what_is_below_its_file() {
        let sdks = Sdks::carried();
        let all = || sdks.all().iter().flat_map(|sdk| &sdk.harness);
        let suite = all().find(|convention| !convention.covers.is_empty()).unwrap();
        let files = ["a/b/x.py", "a/s.json", "a/y.py", "ab/z.py", "z.txt"].map(String::from);
        assert_eq!(covered(suite, "a/s.json", &files), ["a/b/x.py", "a/y.py"]);
        assert_eq!(covered(suite, "s.json", &files), ["a/b/x.py", "a/y.py", "ab/z.py"]);
    }
}
