//! The SDKs in this binary: their launch conventions (`sdk.toml`) and their files.
//!
//! A new language only needs a folder under `sdk/`. This module does not depend on any language.

use crate::discover::carried;
use crate::discover::recognise::{Said, Syntax};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// The content of an `sdk.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sdk {
    /// Name of the SDK's folder.
    pub name: String,
    /// Display name of the language.
    pub title: String,
    /// True if the language's programs are compiled before they run. Their code is fast from the first
    /// millisecond, so a short warm-up is enough.
    #[serde(default)]
    pub ahead_of_time: bool,
    /// Names of runtimes that only interpret code, as harnesses report them before the `/` of `runtime`.
    /// Interpreted code reaches full speed after a few calls.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// Syntaxes of comments and quoted text, in which imports are ignored.
    #[serde(default)]
    pub syntax: Vec<Syntax>,
    /// Launch conventions, the most specific first.
    #[serde(default)]
    pub harness: Vec<Convention>,
    #[serde(default, rename = "embed")]
    _embed: Option<toml::Table>,
    /// Other tools of the language. Their benchmark files are recognised but never run.
    #[serde(default)]
    pub foreign: Vec<Foreign>,
    /// First benchmarks for `derny init`, one for each language of the SDK.
    #[serde(default)]
    pub init: Vec<Init>,
}

/// Rules that recognise the files of another tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Foreign {
    /// Name of the tool.
    pub tool: String,
    /// Globs of the tool's files, in addition to those of the SDK's own conventions.
    #[serde(default)]
    pub files: Vec<String>,
    /// Patterns (see `recognise`). The file must match at least one.
    pub contains: Vec<String>,
    /// Patterns that the file must not match.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Globs of files that the project must not contain. If it contains such a file, Derny can run the
    /// suite.
    #[serde(default)]
    pub without: Vec<String>,
    /// Suggestion of an alternative for the user.
    #[serde(default)]
    pub hint: Option<String>,
}

/// The files that `derny init` writes for a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Init {
    /// Names by which users may refer to the language: its own name first, and then those of its runtime
    /// and build tools.
    pub names: Vec<String>,
    /// Globs of files in the project's root that show that the project uses the language.
    pub detect: Vec<String>,
    /// Condition under which this entry takes precedence over later ones.
    #[serde(default, rename = "where")]
    pub only: Option<Only>,
    /// Path of the first benchmark.
    pub file: String,
    /// Text of the first benchmark.
    pub text: String,
    /// Texts of further files, by their paths.
    #[serde(default)]
    pub also: BTreeMap<String, String>,
    /// File of the build tool, if the benchmark must be listed there.
    #[serde(default)]
    pub manifest: Option<Manifest>,
    /// SDK files to copy into the project, where its build tool finds them.
    #[serde(default)]
    pub copy: Option<Copied>,
    /// Requirements of a CI job.
    #[serde(default)]
    pub ci: Needs,
}

/// A condition on the content of a project's files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Only {
    /// Files to search.
    pub among: Vec<String>,
    /// Text that at least one of the files must contain.
    pub contains: String,
}

/// A TOML file of a build tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// Path of the file.
    pub file: String,
    /// Table that the file must contain for the project to have benchmarks.
    pub requires: String,
    /// Content of a new file.
    pub begin: toml::Table,
    /// Content to add. Existing keys do not change. In an array of tables, a table is added only if no
    /// existing one has its `name`.
    pub add: toml::Table,
}

/// SDK files to copy into a project.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Copied {
    /// Folder in the project.
    pub to: String,
    /// Files, relative to the SDK. They are part of the binary.
    pub files: Vec<String>,
    /// Files to copy under another name: each name in the project, with the path in the SDK.
    #[serde(default)]
    pub renamed: BTreeMap<String, String>,
}

/// The requirements of a CI job that measures programs of a language.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Needs {
    /// Steps of a GitHub Actions job, as YAML that starts in the first column.
    #[serde(default)]
    pub github: String,
    /// A container image with the toolchain, for GitLab.
    #[serde(default)]
    pub image: Option<String>,
    /// Shell commands that prepare a clone, for GitLab.
    #[serde(default)]
    pub before: Vec<String>,
}

/// A report that a runtime can produce about itself. In `args` and `env`, `{out}` is the folder for it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Diagnosis {
    /// Name of the diagnosis, as in `--diagnose=NAME`.
    pub name: String,
    /// Short description of the diagnosis.
    pub about: String,
    /// Arguments for the runtime.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment variables for the runtime.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Only lines that contain this text are shown. Without it, only the files are shown.
    pub lines: Option<String>,
}

/// Rules to recognise and launch files of one kind.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Convention {
    /// Name of the convention, as in `harness = "…"` of derny.toml.
    pub name: String,
    /// Globs of benchmark files, relative to the project's root.
    #[serde(default)]
    pub files: Vec<String>,
    /// Globs of files that are not benchmarks.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// True if files are benchmarks only if a word, a suite of derny.toml or a variant names them.
    #[serde(default)]
    pub only_named: bool,
    /// True if a variant may name a file of this kind, instead of the runtime or among its arguments
    /// (`-x new.pkg`, `-x new="run -f new.pkg"`). The variant then uses this file.
    #[serde(default)]
    pub sides: bool,
    /// Name of a file that must exist for the convention to apply.
    pub marker: Option<String>,
    /// Patterns (see `recognise`). The file must match at least one.
    #[serde(default, deserialize_with = "one_or_many")]
    pub contains: Vec<String>,
    /// Patterns that the file must not match.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Names of files that mark the root of a project. If there are any, all benchmark files below the
    /// same subfolder of that root form one program and share its processes. `{files}` then means these
    /// files, and `{file}` the folder.
    #[serde(default)]
    pub together: Vec<String>,
    /// Names of files that the benchmark tool also reads, in the folder of a benchmark file or above. If
    /// one of them changes, the cases are listed again.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Start-up time of a process in ms, if longer than usual. Cases then share processes unless the
    /// user requests another isolation.
    pub launch_ms: Option<u64>,
    /// Name of a file that marks the working directory. Processes run in the nearest folder above the
    /// benchmark file that contains that file.
    pub inside: Option<String>,
    /// True if the files of one folder form one program. `{file}` is the folder, and processes run in it.
    #[serde(default)]
    pub folder: bool,
    /// Location of the project's name, which the program in the root of the project gets. Without it, that
    /// program is named after its folder, which may differ between machines.
    #[serde(default)]
    pub root_name: Option<RootName>,
    /// Environment variables that affect the build. Variants that differ in such a variable are built
    /// separately.
    #[serde(default)]
    pub build_env: Vec<String>,
    /// True if files may be built in parallel.
    #[serde(default)]
    pub build_beside: bool,
    /// True if `{build}` contains everything that the build produces. Another machine then needs only
    /// that folder and the sources.
    #[serde(default)]
    pub build_whole: bool,
    /// Name of the suite. By default, the path of the file without the text that follows the last `*` of
    /// its glob.
    pub suite: Option<String>,
    /// Globs of further files of the suite, relative to the folder of the suite's main file. If one of
    /// these files changes, the cases are listed again. Its path selects the cases that it defines.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Source folders, such as `src/test/java`, that the name of the suite omits.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Program for the placeholder `{runtime}`, which `-x NAME=COMMAND` replaces.
    pub runtime: String,
    /// Paths of runtimes that a project may have, in order of precedence. A path may contain `{root}`, or
    /// start with an environment variable (`$NAME`). The first existing runtime replaces `runtime`.
    #[serde(default)]
    pub own_runtimes: Vec<String>,
    /// Command that builds a file before it is measured. `{build}` is a separate folder for the build,
    /// and `{build-args}` is replaced by any number of words. If the command contains the word `{files}`,
    /// it builds all selected files at once. A `build` in derny.toml replaces this command.
    #[serde(default)]
    pub build: Vec<String>,
    /// The launch line. `{runtime}`, `{args}` (for the runtime) and `{suite-args}` (for the suite's own
    /// program: pytest, a script, a test binary) must be separate words, and each is replaced by any number
    /// of words. `{sdk}`, `{file}`, `{root}`, `{build}` and `{name}` (the file without its extension,
    /// relative to the root) may be parts of a word.
    pub command: Vec<String>,
    /// Launch line of a program that lists many files independently in one process (PROTOCOL.md, 3.2).
    /// Without it, each file is launched to list its own cases.
    #[serde(default)]
    pub lister: Vec<String>,
    /// Environment variables of the process, for example with flags for the runtime. A suite's `env`
    /// overrides them.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Environment variables that get a random integer for every block, unless the user has set them.
    /// All variants of a block get the same value. The pair contains the minimum and the maximum.
    #[serde(default)]
    pub env_per_block: BTreeMap<String, [u64; 2]>,
    /// Rules to build a revision in a separate environment. Without them, a revision is built like the
    /// working tree.
    #[serde(default)]
    pub revision: Option<Revision>,
    /// Remedy to suggest if two variants load the measured package from the same place. If set,
    /// programs report the package that they measure and its location (PROTOCOL.md, 3.1).
    #[serde(default)]
    pub tells_package: Option<String>,
    /// Name of the environment variable that lists folders whose packages take precedence over installed
    /// ones.
    #[serde(default)]
    pub code_path: Option<String>,
    /// Diagnoses that `--diagnose` can run after measuring.
    #[serde(default)]
    pub diagnose: Vec<Diagnosis>,
    /// True if processes may lack permission to open paths, so that they also inherit descriptors of
    /// their streams. `DERNY_DESCRIPTORS` contains the numbers of the descriptors.
    #[serde(default)]
    pub descriptors: bool,
    /// Names of files that mark build folders. A word or a variant may name a build folder, or a program
    /// in it, instead of the runtime.
    #[serde(default)]
    pub build_folders: Vec<String>,
    /// Command that prints the runtime's version.
    #[serde(default)]
    pub version: Vec<String>,
    /// Command to suggest if the runtime is missing.
    #[serde(default)]
    pub install: Option<String>,
}

impl Convention {
    /// Returns true if the text of a file matches `contains`, and does not match `unless`.
    pub fn is_meant_by(&self, said: &Said<'_>) -> bool {
        (self.contains.is_empty() || said.any(&self.contains)) && !said.any(&self.unless)
    }
}

/// Deserializes a text as a list with one element, and a list as itself.
fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Texts {
        One(String),
        Many(Vec<String>),
    }
    Texts::deserialize(deserializer).map(|texts| match texts {
        Texts::One(text) => vec![text],
        Texts::Many(texts) => texts,
    })
}

/// Location of a project's name: a line of a file in the project's root.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RootName {
    /// Name of the file.
    pub file: String,
    /// First word of the line. The next word is a path that ends with the name, possibly followed by a
    /// version such as `v2`.
    pub after: String,
}

impl RootName {
    /// Returns the name of the project in `root`, if the file contains it.
    pub fn of(&self, root: &Path) -> Option<String> {
        let text = fs::read_to_string(root.join(&self.file)).ok()?;
        let behind = |line: &str| {
            let mut words = line.split_whitespace();
            (words.next()? == self.after).then_some(())?;
            words.next().map(|path| path.trim_matches('"').to_owned())
        };
        let path = text.lines().find_map(behind)?;
        let is_version = |part: &str| {
            part.strip_prefix('v')
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        path.rsplit('/').find(|part| !part.is_empty() && !is_version(part)).map(str::to_owned)
    }
}

/// The environment that a revision is built in, separate from that of the working tree.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Revision {
    /// Command that builds the environment, in the worktree of the revision. `{runtime}` is the runtime
    /// of the working tree, and `{file-hash}` is the hash of the file.
    pub build: Vec<String>,
    /// Runtime that the build creates and that processes use.
    pub runtime: String,
    /// True to use the benchmark files of the working tree instead of the revision's.
    #[serde(default)]
    pub own_files: bool,
}

/// The SDKs in this binary.
#[derive(Debug, Clone)]
pub struct Sdks {
    files: Vec<File>,
    all: Vec<Sdk>,
}

#[derive(Debug, Clone)]
struct File {
    sdk: String,
    name: String,
    bytes: Cow<'static, [u8]>,
}

impl Sdks {
    /// Returns the SDKs of this binary. Ignores an invalid `sdk.toml`, because a test ensures that
    /// there is none.
    pub fn carried() -> Sdks {
        let files = embedded::EMBEDDED.iter().map(|(sdk, name, bytes)| File {
            sdk: (*sdk).to_string(),
            name: (*name).to_string(),
            bytes: Cow::Borrowed(*bytes),
        });
        let files: Vec<File> = files.collect();
        let all = files.iter().filter(|file| file.is_table()).filter_map(|file| file.sdk().ok()).collect();
        Sdks { files, all }
    }

    /// Returns the SDKs in a folder, as they would be in a binary built from that folder.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if an `sdk.toml` is invalid.
    pub fn of_folder(folder: &Path) -> Result<Sdks, String> {
        let mut files = Vec::new();
        for (sdk, name, path) in carried::files(folder)? {
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            files.push(File { sdk, name, bytes: Cow::Owned(bytes) });
        }
        let tables = files.iter().filter(|file| file.is_table());
        let read = |file: &File| file.sdk().map_err(|error| format!("{}/sdk.toml: {error}", file.sdk));
        let all = tables.map(read).collect::<Result<_, _>>()?;
        Ok(Sdks { files, all })
    }

    /// Returns the contents of every `sdk.toml`, in the order of their folders.
    pub fn all(&self) -> &[Sdk] {
        &self.all
    }

    /// Returns all files: the name of the SDK's folder, the path within it, and the bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str, &[u8])> {
        self.files.iter().map(|file| (file.sdk.as_str(), file.name.as_str(), file.bytes.as_ref()))
    }

    /// Returns the bytes of one file of an SDK.
    pub fn file(&self, sdk: &str, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|file| file.sdk == sdk && file.name == name).map(|file| file.bytes.as_ref())
    }

    /// Returns the languages whose programs are compiled before they run: the name of each such SDK, and
    /// the names of the languages for which it has an `init`.
    pub fn ahead_of_time(&self) -> Vec<String> {
        let compiled = || self.all.iter().filter(|sdk| sdk.ahead_of_time);
        let named = compiled().flat_map(|sdk| &sdk.init).filter_map(|init| init.names.first().cloned());
        compiled().map(|sdk| sdk.name.clone()).chain(named).collect()
    }

    /// Returns the names of the runtimes that only interpret code.
    pub fn interpreters(&self) -> Vec<String> {
        self.all.iter().flat_map(|sdk| sdk.interpreters.clone()).collect()
    }

    /// Returns a hash that identifies the files. The name of the folder for the unpacked files contains it.
    pub fn version(&self) -> u64 {
        let mut hash = crate::hash::Fnv::new();
        for file in &self.files {
            hash.write(file.sdk.as_bytes()).write(file.name.as_bytes()).write(&file.bytes);
        }
        hash.finish()
    }
}

impl File {
    fn is_table(&self) -> bool {
        self.name == "sdk.toml"
    }

    fn sdk(&self) -> Result<Sdk, String> {
        let text = std::str::from_utf8(&self.bytes).map_err(|error| error.to_string())?;
        toml::from_str(text).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_carried_sdk_can_be_read() {
        let carried = Sdks::carried();
        let tables = carried.files.iter().filter(|file| file.is_table()).count();
        assert!(tables > 0);
        assert_eq!(carried.all().len(), tables);
    }

    #[test]
    fn each_language_of_a_compiled_sdk_is_compiled() {
        let carried = Sdks::carried();
        let languages = carried.ahead_of_time();
        let several = carried.all().iter().find(|sdk| sdk.ahead_of_time && sdk.init.len() > 1).unwrap();
        for init in &several.init {
            assert!(languages.contains(&init.names[0]), "{languages:?}");
        }
        let other = carried.all().iter().find(|sdk| !sdk.ahead_of_time).unwrap();
        assert!(!languages.contains(&other.name));
    }

    #[test]
    fn the_folder_that_this_was_built_beside_has_what_it_carries() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sdk"));
        let (carried, found) = (Sdks::carried(), Sdks::of_folder(folder).unwrap());
        assert_eq!(carried.version(), found.version());
        assert_eq!(carried.ahead_of_time(), found.ahead_of_time());
        assert_eq!(carried.interpreters(), found.interpreters());
    }
}
