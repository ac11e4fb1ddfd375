//! Frozen files: the benchmark belongs to the base. A candidate that changes it is not judged.

use crate::sides::Side;
use derny_engine::discover::Source;
use derny_engine::discover::catalogue::Catalogue;
use derny_model::{Variant, problem};
use derny_workbench::Result;
use derny_workbench::project::git;
use derny_workbench::project::session::Session as Workbench;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// The sides, ready to be measured.
pub struct Built<'a> {
    /// The cases with their programs. Absent for commands that print figures.
    pub catalogue: Option<&'a Catalogue>,
    /// Paths of further files that belong to the benchmark, such as the script that prints the figures.
    pub files: Vec<String>,
    /// The variants. A variant with a folder of its own has it as `directory`.
    pub variants: &'a [Variant],
}

/// The frozen files of a project: paths and globs relative to its root.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frozen {
    paths: Vec<String>,
    is_in_git: bool,
}

impl Frozen {
    /// Returns the frozen files: those with benchmarks, derny.toml, and the ones that `[judge]` of derny.toml
    /// names.
    ///
    /// # Errors
    /// Fails outside git if `[judge]` names a file that does not exist.
    pub fn of(workbench: &Workbench, built: &Built<'_>) -> Result<Frozen> {
        let root = &workbench.project.root;
        let is_in_git = git::is_shallow(root).is_some();
        let cases = built.catalogue.into_iter().flat_map(|catalogue| {
            let sources = catalogue.sources.iter().enumerate();
            sources.map(move |(index, source)| (catalogue, index, source))
        });
        let own = cases.flat_map(|(catalogue, index, source)| {
            // The code under test may be in the same folder as its benchmarks.
            let file = source.file.iter().filter(|_| !source.is_folder || source.covers.is_empty());
            let cases = catalogue.listed.iter().filter(|(_, own)| *own == index);
            file.cloned()
                .chain(benchmarks(source, &cases.filter_map(|(case, _)| case.file.as_deref()).collect()))
        });
        let config = workbench.project.file.as_deref().and_then(|file| file.strip_prefix(root).ok());
        let config = config.map(|file| file.display().to_string());
        let table = workbench.project.content.judge.as_ref();
        let named = table.map_or(&[][..], |table| &table.frozen);
        if let Some(missing) = named.iter().find(|path| !is_in_git && !root.join(path).exists()) {
            return Err(problem!("`frozen` of [judge] names {missing}, which does not exist")
                .why("globs need a git repository")
                .remedy("fix `frozen` in derny.toml")
                .into());
        }
        let paths: BTreeSet<String> =
            own.chain(built.files.iter().cloned()).chain(config).chain(named.iter().cloned()).collect();
        Ok(Frozen { paths: paths.into_iter().collect(), is_in_git })
    }

    /// Returns true if no benchmark file is known, because a program contains all benchmarks.
    pub fn has_no_benchmark(built: &Built<'_>) -> bool {
        let mut sources = built.catalogue.into_iter().flat_map(|catalogue| &catalogue.sources);
        built.files.is_empty() && sources.all(|source| source.file.is_none() && source.covers.is_empty())
    }

    /// Returns the frozen files that differ between two sides. Returns an empty list if a side has no commit,
    /// because both sides then use the same files.
    ///
    /// # Errors
    /// Fails if git fails.
    pub fn changed(&self, root: &Path, base: &Side, candidate: &Side) -> Result<Vec<String>> {
        let (Some(from), Some(to)) = (&base.commit, &candidate.commit) else { return Ok(Vec::new()) };
        if self.paths.is_empty() {
            return Ok(Vec::new());
        }
        let specs = self.specs();
        let mut args = vec!["diff", "--name-only", "--no-renames", "--relative", from, to, "--"];
        args.extend(specs.iter().map(String::as_str));
        let listed = git::git(root, &args).map_err(|why| {
            problem!("the frozen files cannot be compared")
                .place(root.display())
                .why(why)
                .remedy("check `frozen` of [judge] in derny.toml")
        })?;
        Ok(listed.lines().map(String::from).collect())
    }

    /// Returns the path and the hash of every frozen file below `root`. A file that is missing has an empty
    /// hash.
    pub fn hashes(&self, root: &Path) -> Vec<(String, String)> {
        let mut files = BTreeSet::new();
        if self.is_in_git && !self.paths.is_empty() {
            let specs = self.specs();
            let mut args = vec!["ls-files", "--cached", "--others", "--exclude-standard", "--"];
            args.extend(specs.iter().map(String::as_str));
            files.extend(git::git(root, &args).unwrap_or_default().lines().map(String::from));
        }
        files.extend(self.paths.iter().filter(|path| root.join(path).is_file()).cloned());
        files
            .into_iter()
            .map(|path| (hash(&root.join(&path)), path))
            .map(|(hash, path)| (path, hash))
            .collect()
    }

    /// Returns the paths in git's notation, relative to the project's root.
    fn specs(&self) -> Vec<String> {
        self.paths
            .iter()
            .map(|path| format!(":(glob){path}"))
            .chain(
                // A folder stands for everything in it.
                self.paths.iter().map(|path| format!(":(glob){}/**", path.trim_end_matches('/'))),
            )
            .collect()
    }
}

/// Returns the files that belong to the benchmarks of a suite: those in `cases`, which contain the cases, and
/// all files in their folders. A suite whose configuration is at the root of the project covers all files,
/// including the code under test.
fn benchmarks(source: &Source, cases: &BTreeSet<&str>) -> Vec<String> {
    let folder = |file: &'_ str| {
        Path::new(file).parent().filter(|folder| *folder != Path::new("")).map(Path::to_path_buf)
    };
    let folders: BTreeSet<_> = cases.iter().filter_map(|file| folder(file)).collect();
    let is_own = |file: &str| folders.iter().any(|folder| Path::new(file).starts_with(folder));
    let belongs = |file: &&String| {
        source.is_folder || cases.is_empty() || cases.contains(file.as_str()) || is_own(file)
    };
    source.covers.iter().filter(belongs).cloned().collect()
}

/// Returns the SHA-256 of a file as text. Empty if the file cannot be read.
fn hash(path: &Path) -> String {
    let Ok(content) = std::fs::read(path) else { return String::new() };
    Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(covers: &[&str]) -> Source {
        Source {
            file: Some("asv.conf.json".into()),
            covers: covers.iter().map(|file| (*file).into()).collect(),
            ..Source::default()
        }
    }

    #[test]
    fn the_code_under_test_does_not_belong_to_a_suite_that_covers_all_files() {
        let source =
            suite(&["setup.py", "package/a.py", "benchmarks/b.py", "benchmarks/common.py", "test_c.py"]);
        let of = |cases: &[&str]| benchmarks(&source, &cases.iter().copied().collect());
        assert_eq!(of(&["benchmarks/b.py"]), ["benchmarks/b.py", "benchmarks/common.py"]);
        assert_eq!(of(&["test_c.py"]), ["test_c.py"]);
        assert_eq!(of(&[]).len(), 5);
    }
}
