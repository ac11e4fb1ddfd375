//! The SDKs that this binary carries: their launch conventions (`sdk.toml`) and their files.
//!
//! A new language touches only its own folder under `sdk/`; nothing here names one.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

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
    /// Launch conventions, most special first.
    #[serde(default)]
    pub harness: Vec<Convention>,
    #[serde(default, rename = "embed")]
    _embed: Option<toml::Table>,
    /// A first benchmark for `derny init`.
    #[serde(default)]
    pub init: Option<Init>,
}

/// What `derny init` writes for a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Init {
    /// Files whose presence in the project's root says that the language is used.
    pub detect: Vec<String>,
    /// Path of the first benchmark.
    pub file: String,
    /// Its text.
    pub text: String,
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
#[derive(Debug, Clone, Deserialize)]
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
    /// The convention holds only where this file exists.
    pub marker: Option<String>,
    /// The convention holds only for files that contain this text.
    pub contains: Option<String>,
    /// The suite's name; by default the file's path without what the glob's end says.
    pub suite: Option<String>,
    /// The program that `{runtime}` stands for, and that `-x NAME=COMMAND` replaces.
    pub runtime: String,
    /// What builds a file before it is measured; `{build}` is a folder of the build's own. Another `build` in derny.toml
    /// takes its place.
    #[serde(default)]
    pub build: Vec<String>,
    /// The launch line; `{runtime}` and `{args}` become any number of words, `{sdk}`, `{file}`, `{root}`, `{build}` and
    /// `{name}` (the file without its ending, relative to the root) parts of one.
    pub command: Vec<String>,
    /// Environment of the process, such as flags that a runtime takes from a variable. A suite's `env` comes after it.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
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

/// All SDKs of this binary. Fails only if a committed `sdk.toml` is wrong, which a test excludes.
pub fn all() -> Vec<Sdk> {
    let tables = embedded::EMBEDDED.iter().filter(|(_, file, _)| *file == "sdk.toml");
    tables.filter_map(|(_, _, bytes)| toml::from_str(std::str::from_utf8(bytes).ok()?).ok()).collect()
}

/// Languages whose programs are compiled before they run.
pub fn ahead_of_time() -> Vec<String> {
    all().into_iter().filter(|sdk| sdk.ahead_of_time).map(|sdk| sdk.name).collect()
}

/// Identifies the carried files: part of every cache key.
pub fn version() -> u64 {
    let mut hash = crate::hash::Fnv::new();
    for (sdk, file, bytes) in embedded::EMBEDDED {
        hash.write(sdk.as_bytes()).write(file.as_bytes()).write(bytes);
    }
    hash.finish()
}

/// The folder for derived files: `DERNY_CACHE`, else the user's cache folder.
pub fn cache_folder() -> PathBuf {
    let named = |key: &str| env::var_os(key).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("DERNY_CACHE")
        .or_else(|| Some(named("XDG_CACHE_HOME")?.join("derny")))
        .or_else(|| Some(named("HOME")?.join(".cache/derny")))
        .or_else(|| Some(named("LOCALAPPDATA")?.join("derny")))
        .unwrap_or_else(|| env::temp_dir().join("derny"))
}

/// Writes the carried files of all SDKs once per version and returns their folder, with one folder per SDK in it.
pub fn unpack() -> io::Result<PathBuf> {
    let folder = cache_folder().join(format!("sdk-{:016x}", version()));
    if folder.is_dir() {
        return Ok(folder);
    }
    let draft = folder.with_extension(format!("{}", std::process::id()));
    for (sdk, file, bytes) in embedded::EMBEDDED {
        let path = draft.join(sdk).join(file);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        fs::write(path, bytes)?;
    }
    // Another engine may have finished first: its copy is the same.
    if fs::rename(&draft, &folder).is_err() {
        fs::remove_dir_all(&draft)?;
    }
    if folder.is_dir() { Ok(folder) } else { Err(io::Error::other("the SDK folder could not be written")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_carried_sdk_can_be_read() {
        let tables = super::embedded::EMBEDDED.iter().filter(|(_, file, _)| *file == "sdk.toml").count();
        assert!(tables > 0);
        assert_eq!(super::all().len(), tables);
    }
}
