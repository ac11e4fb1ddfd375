//! A source: one program that can be launched to list and measure its cases.

use crate::discover::sdk::{Diagnosis, Revision};
use std::path::PathBuf;

/// A program that contains benchmarks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Source {
    /// The suite of its cases.
    pub suite: String,
    /// Name of the convention; `command` for one after `--`.
    pub harness: String,
    /// Benchmark file relative to the project's root.
    pub file: Option<String>,
    /// Launch line with placeholders.
    pub command: Vec<String>,
    /// Value of `{runtime}`.
    pub runtime: Vec<String>,
    /// Arguments for the runtime, before those of a case.
    pub args: Vec<String>,
    /// Arguments for the suite's own program, `{suite-args}` of the launch line.
    pub suite_args: Vec<String>,
    /// Arguments for the build, `{build-args}` of its command.
    pub build_args: Vec<String>,
    /// The folder of the placeholder `{sdk}`.
    pub sdk: PathBuf,
    /// The project's root, `{root}`.
    pub root: PathBuf,
    /// Launch line of a program that lists many files, each independently; empty if a file lists itself.
    pub lister: Vec<String>,
    /// Working directory relative to the root.
    pub directory: PathBuf,
    /// Build command to run before measuring; empty if there is nothing to build.
    pub build: Vec<String>,
    /// `file` is a folder whose files form one program.
    pub is_folder: bool,
    /// Environment variables that affect the build.
    pub build_env: Vec<String>,
    /// It may be built in parallel with others.
    pub build_beside: bool,
    /// The build folder contains everything that the build makes. See [`Source::is_carried`].
    pub build_whole: bool,
    /// Additional environment.
    pub env: Vec<(String, String)>,
    /// Variables with a random value for every block: name, minimum and maximum.
    pub env_per_block: Vec<(String, [u64; 2])>,
    /// Values that override the benchmarks' own.
    pub params: Vec<(String, Vec<String>)>,
    /// Hash of the file's content and of its launch line.
    pub hash: String,
    /// Further files of the suite, relative to the root, in which its benchmarks are defined.
    pub covers: Vec<String>,
    /// Start-up time in ns according to the convention.
    pub launch_ns: Option<u64>,
    /// Command to type if the runtime is missing.
    pub install: Option<String>,
    /// How to measure a revision, if not by building it like the working tree.
    pub revision: Option<Revision>,
    /// Its runtime was built for it: the command of a variant does not replace it.
    pub has_own_runtime: bool,
    /// Folder of its file, if not in the variant's root.
    pub files_root: Option<PathBuf>,
    /// Its processes report which package they measure. Contains what to type if two variants load it from
    /// the same place.
    pub tells_package: Option<String>,
    /// The variable that lists the folders to load packages from first.
    pub code_path: Option<String>,
    /// Diagnoses that its processes offer.
    pub diagnose: Vec<Diagnosis>,
    /// Its processes also inherit descriptors of their streams, because they may be forbidden to open paths.
    pub descriptors: bool,
    /// Globs of the files that a variant may name instead of `file`; empty if it may not.
    pub sides: Vec<String>,
}

impl Source {
    /// Returns the source with a harness that records which code a case covers, calling the body this many
    /// times.
    #[must_use]
    pub fn with_coverage(self, calls: u32) -> Source {
        let coverage = (COVERAGE.to_string(), calls.to_string());
        Source { env: self.env.iter().cloned().chain([coverage]).collect(), ..self }
    }

    /// Returns true if coverage is requested.
    pub fn is_asked_for_coverage(&self) -> bool {
        self.env.iter().any(|(name, _)| name == COVERAGE)
    }
}

/// The variable that requests coverage from a harness; its value is the number of calls.
const COVERAGE: &str = "DERNY_COVER";
