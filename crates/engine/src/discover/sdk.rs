//! The SDKs that an engine carries: their launch conventions (`sdk.toml`) and their files.
//!
//! A new language touches only its own folder under `sdk/`; nothing here names one.

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
    /// The language's name for people.
    pub title: String,
    /// Its programs are compiled before they run, so that code is as fast in its first millisecond as ever: a short
    /// warm-up will do.
    #[serde(default)]
    pub ahead_of_time: bool,
    /// Names of runtimes, as a harness tells them before a `/`, that interpret and compile nothing while a program runs: what they
    /// specialise is as fast as ever after some calls.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// How its files write comments and texts, in which no import counts.
    #[serde(default)]
    pub syntax: Vec<Syntax>,
    /// Launch conventions, most special first.
    #[serde(default)]
    pub harness: Vec<Convention>,
    #[serde(default, rename = "embed")]
    _embed: Option<toml::Table>,
    /// Other tools of the language, whose benchmark files are named and never executed.
    #[serde(default)]
    pub foreign: Vec<Foreign>,
    /// First benchmarks for `derny init`, one for each language of the SDK.
    #[serde(default)]
    pub init: Vec<Init>,
}

/// How files of another tool are recognised.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Foreign {
    /// The tool's name.
    pub tool: String,
    /// Globs of its files, beside those of the SDK's own conventions.
    #[serde(default)]
    pub files: Vec<String>,
    /// A file of its has one of these patterns (see `recognise`),
    pub contains: Vec<String>,
    /// and none of these.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Globs of files of which the project has none: with such a file it is a suite that Derny drives.
    #[serde(default)]
    pub without: Vec<String>,
    /// What to type.
    #[serde(default)]
    pub hint: Option<String>,
}

/// What `derny init` writes for a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Init {
    /// What people call the language, its runtime and its build tools. The first is its name.
    pub names: Vec<String>,
    /// Globs of files whose presence in the project's root says that the language is used.
    pub detect: Vec<String>,
    /// It goes before what follows where a file of the project says so.
    #[serde(default, rename = "where")]
    pub only: Option<Only>,
    /// Path of the first benchmark.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The build tool's own file, where that has to name the benchmark.
    #[serde(default)]
    pub manifest: Option<Manifest>,
    /// Files of the SDK that the project gets a copy of, because its own build tool has to find them.
    #[serde(default)]
    pub copy: Option<Copied>,
    /// What a machine of continuous integration needs.
    #[serde(default)]
    pub ci: Needs,
}

/// What a project says of itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Only {
    /// One of these files
    pub among: Vec<String>,
    /// has this text.
    pub contains: String,
}

/// A TOML file of a build tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Manifest {
    /// Its path.
    pub file: String,
    /// A table that a file must have to be one of a project that can have benchmarks.
    pub requires: String,
    /// What a new file begins with.
    pub begin: toml::Table,
    /// What is added. Keys that are there already stay as they are; of an array of tables, those whose `name` is there.
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
    /// Files that have another name in the SDK, by the name of the copy.
    #[serde(default)]
    pub renamed: BTreeMap<String, String>,
}

/// What a workflow needs before it can measure programs of a language.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Needs {
    /// Steps of a GitHub job, as YAML that begins in the first column.
    #[serde(default)]
    pub github: String,
    /// A container image with the toolchain, for GitLab.
    #[serde(default)]
    pub image: Option<String>,
    /// Shell commands that prepare a clone, for GitLab.
    #[serde(default)]
    pub before: Vec<String>,
}

/// One thing that a runtime can tell of itself. `{out}` in `args` and `env` is a folder of this diagnosis's own.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Diagnosis {
    /// Its name, as in `--diagnose=NAME`.
    pub name: String,
    /// What it shows, in a few words.
    pub about: String,
    /// Arguments for the runtime.
    #[serde(default)]
    pub args: Vec<String>,
    /// Environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Lines of what it writes that hold this text are what it tells; without it there is nothing to show but the files.
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
    /// Globs of files that are none.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Its files are benchmarks only where a user names them: a word, a suite of derny.toml, or a side.
    #[serde(default)]
    pub only_named: bool,
    /// A variant may name one of its files, in place of the runtime or among its arguments (`-x new.pkg`, `-x new="run -f new.pkg"`):
    /// it is that variant's file.
    #[serde(default)]
    pub sides: bool,
    /// The convention holds only where this file exists.
    pub marker: Option<String>,
    /// The convention holds only for files that have one of these patterns (see `recognise`),
    #[serde(default, deserialize_with = "one_or_many")]
    pub contains: Vec<String>,
    /// and none of these.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Files of one folder are one program, so that they share its processes: names of files that stand in the root of a
    /// project. The folder is the first one below it. `{files}` are the files, `{file}` is the folder.
    #[serde(default)]
    pub together: Vec<String>,
    /// Names of files beside or above those that their tool reads too: they are listed anew when one of them changes.
    #[serde(default)]
    pub reads: Vec<String>,
    /// What the start of a process takes, in ms, where it is longer than usual. Cases share such processes unless the user
    /// asks for another isolation.
    pub launch_ms: Option<u64>,
    /// Its processes work in the nearest folder, beside or above the file, that has a file of this name.
    pub inside: Option<String>,
    /// Files of one folder are one program: `{file}` is the folder, and its processes work in it.
    #[serde(default)]
    pub folder: bool,
    /// Where it is written what the program in a project's root is called. Without it that has the name of its folder, which may be
    /// another one on another machine.
    #[serde(default)]
    pub root_name: Option<RootName>,
    /// Variables that change what is built: variants in which one of them differs are built apart.
    #[serde(default)]
    pub build_env: Vec<String>,
    /// Builds of its files may run at the same time.
    #[serde(default)]
    pub build_beside: bool,
    /// What its build makes lies in `{build}` as a whole: another machine needs no more of it beside the sources.
    #[serde(default)]
    pub build_whole: bool,
    /// The suite's name; by default the file's path without what the glob's end says.
    pub suite: Option<String>,
    /// Globs of further files of the suite that a file names, relative to the file's folder. They are listed anew when one of
    /// them changes, and select the cases that are defined in them.
    #[serde(default)]
    pub covers: Vec<String>,
    /// Folders in which sources lie, such as `src/test/java`: the suite's name leaves them out.
    #[serde(default)]
    pub sources: Vec<String>,
    /// The program that `{runtime}` stands for, and that `-x NAME=COMMAND` replaces.
    pub runtime: String,
    /// Runtimes that a project has for itself, the one that goes before the others first: paths with `{root}` or, at their
    /// beginning, `$NAME` of the environment. The first that is there takes the place of `runtime`.
    #[serde(default)]
    pub own_runtimes: Vec<String>,
    /// What builds a file before it is measured; `{build}` is a folder of the build's own, and `{build-args}` become any
    /// number of words. With the word `{files}` one command builds all files that are selected. Another `build` in derny.toml
    /// takes its place.
    #[serde(default)]
    pub build: Vec<String>,
    /// The launch line; `{runtime}`, `{args}` (for the runtime) and `{suite-args}` (for the suite's own program: pytest, a
    /// script, a test binary) become any number of words, `{sdk}`, `{file}`, `{root}`, `{build}` and
    /// `{name}` (the file without its ending, relative to the root) parts of one.
    pub command: Vec<String>,
    /// The launch line of a program that lists many files in one process, each apart from the others (PROTOCOL.md, 3.2).
    /// Without it each file is launched to list its own.
    #[serde(default)]
    pub lister: Vec<String>,
    /// Environment of the process, such as flags that a runtime takes from a variable. A suite's `env` comes after it.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Variables whose values are drawn for every block, the same for all its variants, unless the user has set them: the
    /// least and the greatest whole number.
    #[serde(default)]
    pub env_per_block: BTreeMap<String, [u64; 2]>,
    /// How a revision is measured, where that is not by building it as the working tree is built.
    #[serde(default)]
    pub revision: Option<Revision>,
    /// Its programs tell which package they measure, and from where it is loaded (PROTOCOL.md, 3.1): what to type where two
    /// sides load it from one place.
    #[serde(default)]
    pub tells_package: Option<String>,
    /// The variable whose folders come before what is installed, where it tells that.
    #[serde(default)]
    pub code_path: Option<String>,
    /// What a process can be asked to tell of itself, in a pass of its own after measuring (`--diagnose`).
    #[serde(default)]
    pub diagnose: Vec<Diagnosis>,
    /// Its processes may be forbidden to open paths: they inherit descriptors of their streams too, which
    /// `DERNY_DESCRIPTORS` names.
    #[serde(default)]
    pub descriptors: bool,
    /// How to ask the runtime for its version.
    #[serde(default)]
    pub version: Vec<String>,
    /// What to type when the runtime is missing.
    #[serde(default)]
    pub install: Option<String>,
}

/// A text, or a list of texts.
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

/// Where a file of a project's root says what the project is called.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RootName {
    /// The file.
    pub file: String,
    /// The line's first word; the path behind it ends in the name, and possibly in a version such as `v2`.
    pub after: String,
}

impl RootName {
    /// The name, if the file has one.
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

/// How a revision of the project gets an environment of its own.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Revision {
    /// What builds it, in the revision's worktree; `{runtime}` is the working tree's, `{file-hash}` the hash of the file.
    pub build: Vec<String>,
    /// The runtime of its processes, which the build has made.
    pub runtime: String,
    /// The benchmark files are those of the working tree, whatever the revision has.
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
    /// Those of this binary. Fails only if a committed `sdk.toml` is wrong, which a test excludes.
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

    /// Those that a binary would carry if it were built beside this folder of SDKs.
    ///
    /// # Errors
    /// A file that cannot be read, and an `sdk.toml` that says what it cannot mean.
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

    /// What their tables say, in order of their folders.
    pub fn all(&self) -> &[Sdk] {
        &self.all
    }

    /// All files: the folder of the SDK, the path below it, and the bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str, &[u8])> {
        self.files.iter().map(|file| (file.sdk.as_str(), file.name.as_str(), file.bytes.as_ref()))
    }

    /// The bytes of one file of an SDK.
    pub fn file(&self, sdk: &str, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|file| file.sdk == sdk && file.name == name).map(|file| file.bytes.as_ref())
    }

    /// Languages whose programs are compiled before they run.
    pub fn ahead_of_time(&self) -> Vec<String> {
        self.all.iter().filter(|sdk| sdk.ahead_of_time).map(|sdk| sdk.name.clone()).collect()
    }

    /// Runtimes that compile nothing while a program runs.
    pub fn interpreters(&self) -> Vec<String> {
        self.all.iter().flat_map(|sdk| sdk.interpreters.clone()).collect()
    }

    /// Identifies the files: part of every cache key.
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

    /// The SDK whose table this is.
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
