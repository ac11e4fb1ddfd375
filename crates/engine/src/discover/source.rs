//! A source: a program that can be launched to list and measure its cases.

use crate::discover::sdk::{Diagnosis, Revision};
use std::path::PathBuf;

/// A program that contains benchmarks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Source {
    /// Name of the suite that the cases belong to.
    pub suite: String,
    /// Name of the convention. It is `command` for a command after `--`.
    pub harness: String,
    /// Path of the benchmark file, relative to the project's root.
    pub file: Option<String>,
    /// Launch line with placeholders.
    pub command: Vec<String>,
    /// Value of `{runtime}`.
    pub runtime: Vec<String>,
    /// Arguments for the runtime, which precede those of a case.
    pub args: Vec<String>,
    /// Arguments for the suite's own program (`{suite-args}`).
    pub suite_args: Vec<String>,
    /// Arguments for the build (`{build-args}`).
    pub build_args: Vec<String>,
    /// Folder for the placeholder `{sdk}`.
    pub sdk: PathBuf,
    /// Root of the project, for the placeholder `{root}`.
    pub root: PathBuf,
    /// Launch line of a program that lists many files independently. Empty if each file lists its own cases.
    pub lister: Vec<String>,
    /// Working directory relative to the root.
    pub directory: PathBuf,
    /// Build command to run before measuring. Empty if there is nothing to build.
    pub build: Vec<String>,
    /// True if `file` is a folder whose files form one program.
    pub is_folder: bool,
    /// Environment variables that affect the build.
    pub build_env: Vec<String>,
    /// True if the source may be built in parallel with others.
    pub build_beside: bool,
    /// True if the build folder contains everything that the build produces. See [`Source::is_carried`].
    pub build_whole: bool,
    /// Additional environment variables of the processes.
    pub env: Vec<(String, String)>,
    /// Environment variables that get a random value for every block: name, minimum and maximum.
    pub env_per_block: Vec<(String, [u64; 2])>,
    /// Values that replace the benchmarks' own parameter values.
    pub params: Vec<(String, Vec<String>)>,
    /// Hash of the file's content and of its launch line.
    pub hash: String,
    /// Paths of further files, relative to the root, in which benchmarks of the suite are defined.
    pub covers: Vec<String>,
    /// Time that a process takes to start, in ns, according to the convention.
    pub launch_ns: Option<u64>,
    /// Command that installs the runtime.
    pub install: Option<String>,
    /// Rules to build a revision in a separate environment. `None` if a revision is built like the
    /// working tree.
    pub revision: Option<Revision>,
    /// True if a runtime was built for this source. A variant's command then does not replace it.
    pub has_own_runtime: bool,
    /// Folder that contains `file`, if it differs from the variant's root.
    pub files_root: Option<PathBuf>,
    /// Remedy if two variants load the package from the same place. `None` if processes do not report
    /// packages.
    pub tells_package: Option<String>,
    /// Name of the environment variable that lists folders from which packages are loaded first.
    pub code_path: Option<String>,
    /// Diagnoses that are available for the source.
    pub diagnose: Vec<Diagnosis>,
    /// True if processes also inherit descriptors of their streams, because they may lack permission to
    /// open paths.
    pub descriptors: bool,
    /// True if the runtime may be a build folder, or a program in one.
    pub takes_build_folder: bool,
    /// Globs of files that a variant may name instead of `file`. Empty if a variant may name none.
    pub sides: Vec<String>,
}

impl Source {
    /// Makes the harness record the code that a case covers, in `calls` calls of the body.
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

/// Environment variable that requests coverage from a harness. Its value is the number of calls.
const COVERAGE: &str = "DERNY_COVER";
