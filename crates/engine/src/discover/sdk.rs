//! The SDKs that an engine carries: their launch conventions (`sdk.toml`) and their files.
//!
//! A new language touches only its own folder under `sdk/`; this module names none.

use crate::discover::carried;
use crate::discover::recognise::Syntax;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// One `sdk.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sdk {
    /// The folder's name.
    pub name: String,
    /// The language's display name.
    pub title: String,
    /// Its programs are compiled before they run. Code is fast from its first millisecond, so a short warm-up
    /// suffices.
    #[serde(default)]
    pub ahead_of_time: bool,
    /// Names of runtimes, as harnesses report them before a `/`, that only interpret. What they specialise is
    /// at full speed after a few calls.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// Syntax of comments and quoted texts, in which imports do not count.
    #[serde(default)]
    pub syntax: Vec<Syntax>,
    /// Launch conventions, most specific first.
    #[serde(default)]
    pub harness: Vec<Convention>,
    #[serde(default, rename = "embed")]
    _embed: Option<toml::Table>,
    /// Other tools of the language, whose benchmark files are recognised and never executed.
    #[serde(default)]
    pub foreign: Vec<Foreign>,
    /// First benchmarks for `derny init`, one for each language of the SDK.
    #[serde(default)]
    pub init: Vec<Init>,
}

/// Recognition of files of another tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Foreign {
    /// The tool's name.
    pub tool: String,
    /// Globs of its files, in addition to those of the SDK's own conventions.
    #[serde(default)]
    pub files: Vec<String>,
    /// Patterns; at least one must match each of its files (see `recognise`).
    pub contains: Vec<String>,
    /// Patterns that none of its files match.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Globs of files that the project must not have: with such a file it is a suite that Derny drives.
    #[serde(default)]
    pub without: Vec<String>,
    /// The suggested alternative.
    #[serde(default)]
    pub hint: Option<String>,
}

/// The files that `derny init` writes for a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Init {
    /// Names of the language, its runtime and its build tools. The first is the language's own name.
    pub names: Vec<String>,
    /// Globs of files in the project's root that show that the language is used.
    pub detect: Vec<String>,
    /// Condition on a file of the project under which this entry takes precedence over later ones.
    #[serde(default, rename = "where")]
    pub only: Option<Only>,
    /// Path of the first benchmark.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The build tool's own file, if that must name the benchmark.
    #[serde(default)]
    pub manifest: Option<Manifest>,
    /// Files of the SDK to copy into the project, because its build tool must find them.
    #[serde(default)]
    pub copy: Option<Copied>,
    /// Requirements of a CI machine.
    #[serde(default)]
    pub ci: Needs,
}

/// A condition on the content of a project's files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Only {
    /// The files to search.
    pub among: Vec<String>,
    /// The text that one of them must contain.
    pub contains: String,
}

/// A TOML file of a build tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// Its path.
    pub file: String,
    /// A table that a file must have if its project can have benchmarks.
    pub requires: String,
    /// Content of a new file.
    pub begin: toml::Table,
    /// Content to add. Existing keys stay as they are, and so do entries of an array of tables with an
    /// existing `name`.
    pub add: toml::Table,
}

/// A copy of files of the SDK.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Copied {
    /// The folder in the project.
    pub to: String,
    /// The files, relative to the SDK. They are embedded.
    pub files: Vec<String>,
    /// Files with another name in the SDK, by the name of the copy.
    #[serde(default)]
    pub renamed: BTreeMap<String, String>,
}

/// Requirements of a CI workflow for measuring programs of a language.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Needs {
    /// Steps of a GitHub job, as YAML that starts in the first column.
    #[serde(default)]
    pub github: String,
    /// A container image with the toolchain, for GitLab.
    #[serde(default)]
    pub image: Option<String>,
    /// Shell commands that prepare a clone, for GitLab.
    #[serde(default)]
    pub before: Vec<String>,
}

/// A report that a runtime can give about itself. `{out}` in `args` and `env` is a folder for this diagnosis.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Diagnosis {
    /// Its name, as in `--diagnose=NAME`.
    pub name: String,
    /// A short description of its content.
    pub about: String,
    /// Arguments for the runtime.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Text that selects the lines to show; without it only the files are shown.
    pub lines: Option<String>,
}

/// How files of one kind are recognised and launched.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Convention {
    /// Its name, as `harness = "…"` in derny.toml.
    pub name: String,
    /// Globs of benchmark files, relative to the project's root.
    #[serde(default)]
    pub files: Vec<String>,
    /// Globs of files that are not benchmarks.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Its files are benchmarks only if named: by a word, a suite of derny.toml, or a variant.
    #[serde(default)]
    pub only_named: bool,
    /// A variant may name one of its files, instead of the runtime or among its arguments (`-x new.pkg`, `-x
    /// new="run -f new.pkg"`); that is then the variant's file.
    #[serde(default)]
    pub sides: bool,
    /// File that must exist for the convention to apply.
    pub marker: Option<String>,
    /// Patterns; at least one must match the file (see `recognise`).
    #[serde(default, deserialize_with = "one_or_many")]
    pub contains: Vec<String>,
    /// Patterns that must not match the file.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Names of files in the root of a project. All files of one folder, the first below such a root, then
    /// form one program and share its processes. `{files}` are the files, `{file}` is the folder.
    #[serde(default)]
    pub together: Vec<String>,
    /// Names of files beside or above the benchmark files that their tool also reads: a change of one renews
    /// the list.
    #[serde(default)]
    pub reads: Vec<String>,
    /// Start-up time of a process in ms, if longer than usual. Cases share such processes unless the user
    /// requests another isolation.
    pub launch_ms: Option<u64>,
    /// Name of a file. Its processes run in the nearest folder that contains it, beside or above the
    /// benchmark file.
    pub inside: Option<String>,
    /// The files of one folder form one program: `{file}` is the folder, and its processes work in it.
    #[serde(default)]
    pub folder: bool,
    /// Source of the name of the program in a project's root. Without it the program has the name of its
    /// folder, which may differ between machines.
    #[serde(default)]
    pub root_name: Option<RootName>,
    /// Variables that affect the build: variants that differ in one of them are built separately.
    #[serde(default)]
    pub build_env: Vec<String>,
    /// Its files may be built in parallel.
    #[serde(default)]
    pub build_beside: bool,
    /// `{build}` contains everything that the build makes: apart from it, another machine needs only the
    /// sources.
    #[serde(default)]
    pub build_whole: bool,
    /// The suite's name; by default the file's path without the end that the glob matches.
    pub suite: Option<String>,
    /// Globs of further files of the suite that a file names, relative to the file's folder. A change of one
    /// renews the list, and they select the cases defined in them.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Source folders, such as `src/test/java`, which the suite's name omits.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The program of the placeholder `{runtime}`, which `-x NAME=COMMAND` replaces.
    pub runtime: String,
    /// Runtimes of the project, in order of precedence: paths with `{root}` or a leading `$NAME` of the
    /// environment. The first that exists replaces `runtime`.
    #[serde(default)]
    pub own_runtimes: Vec<String>,
    /// Command that builds a file before it is measured. `{build}` is a separate folder for the build, and
    /// `{build-args}` becomes any number of words. With the word `{files}`, one command builds all selected
    /// files. A `build` in derny.toml replaces it.
    #[serde(default)]
    pub build: Vec<String>,
    /// The launch line. `{runtime}`, `{args}` (for the runtime) and `{suite-args}` (for the suite's own
    /// program: pytest, a script, a test binary) become any number of words. `{sdk}`, `{file}`, `{root}`,
    /// `{build}` and `{name}` (the file without its extension, relative to the root) are parts of a word.
    pub command: Vec<String>,
    /// The launch line of a program that lists many files independently in one process (PROTOCOL.md, 3.2).
    /// Without it, each file is launched to list its own.
    #[serde(default)]
    pub lister: Vec<String>,
    /// Environment of the process, such as flags that a runtime takes from a variable. A suite's `env`
    /// overrides it.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Variables with a random integer for every block, the same for all its variants, unless the user has
    /// set them: minimum and maximum.
    #[serde(default)]
    pub env_per_block: BTreeMap<String, [u64; 2]>,
    /// How to measure a revision, if not by building it like the working tree.
    #[serde(default)]
    pub revision: Option<Revision>,
    /// Its programs report which package they measure, and where it is loaded from (PROTOCOL.md, 3.1).
    /// Contains the remedy to suggest if two variants load it from the same place.
    #[serde(default)]
    pub tells_package: Option<String>,
    /// The variable with folders that take precedence over installed packages, if there is one.
    #[serde(default)]
    pub code_path: Option<String>,
    /// Reports that a process offers about itself, in a separate pass after measuring (`--diagnose`).
    #[serde(default)]
    pub diagnose: Vec<Diagnosis>,
    /// Its processes may be forbidden to open paths, so they also inherit descriptors of their streams, which
    /// `DERNY_DESCRIPTORS` names.
    #[serde(default)]
    pub descriptors: bool,
    /// Command that prints the runtime's version.
    #[serde(default)]
    pub version: Vec<String>,
    /// The suggested remedy if the runtime is missing.
    #[serde(default)]
    pub install: Option<String>,
}

/// Deserializes a text or a list of texts as a list.
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

/// The line in a file of a project's root that names the project.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RootName {
    /// The file.
    pub file: String,
    /// The line's first word. The path after it ends in the name, possibly followed by a version such as
    /// `v2`.
    pub after: String,
}

impl RootName {
    /// Returns the name, if the file has one.
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

/// How a revision of the project gets its own environment.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Revision {
    /// Command that builds it, in the revision's worktree; `{runtime}` is the working tree's, `{file-hash}`
    /// the hash of the file.
    pub build: Vec<String>,
    /// The runtime of its processes, which the build has made.
    pub runtime: String,
    /// Use the benchmark files of the working tree, whatever the revision contains.
    #[serde(default)]
    pub own_files: bool,
}

/// The SDKs that an engine carries.
#[derive(Debug, Clone)]
pub struct Sdks {
    files: Vec<File>,
    all: Vec<Sdk>,
}

/// One file of an SDK.
#[derive(Debug, Clone)]
struct File {
    sdk: String,
    name: String,
    bytes: Cow<'static, [u8]>,
}

impl Sdks {
    /// Returns the SDKs of this binary. Ignores an invalid `sdk.toml`, which a test rules out.
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

    /// Returns the SDKs that a binary built beside this folder would carry.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or an `sdk.toml` is invalid.
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

    /// Returns their tables, in order of their folders.
    pub fn all(&self) -> &[Sdk] {
        &self.all
    }

    /// Returns all files: the folder of the SDK, the path below it, and the bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str, &[u8])> {
        self.files.iter().map(|file| (file.sdk.as_str(), file.name.as_str(), file.bytes.as_ref()))
    }

    /// Returns the bytes of one file of an SDK.
    pub fn file(&self, sdk: &str, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|file| file.sdk == sdk && file.name == name).map(|file| file.bytes.as_ref())
    }

    /// Returns the languages whose programs are compiled before they run.
    pub fn ahead_of_time(&self) -> Vec<String> {
        self.all.iter().filter(|sdk| sdk.ahead_of_time).map(|sdk| sdk.name.clone()).collect()
    }

    /// Returns the runtimes that compile nothing at run time.
    pub fn interpreters(&self) -> Vec<String> {
        self.all.iter().flat_map(|sdk| sdk.interpreters.clone()).collect()
    }

    /// Returns a hash that identifies the files: part of every cache key.
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

    /// Parses the SDK's table.
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
    fn the_folder_that_this_was_built_beside_has_what_it_carries() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sdk"));
        let (carried, found) = (Sdks::carried(), Sdks::of_folder(folder).unwrap());
        assert_eq!(carried.version(), found.version());
        assert_eq!(carried.ahead_of_time(), found.ahead_of_time());
        assert_eq!(carried.interpreters(), found.interpreters());
    }
}
