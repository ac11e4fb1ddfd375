//! The project: its root, and the part of `derny.toml` that defines benchmarks and how to launch them.
//!
//! The command line reads the file's other tables (settings, profiles, gate, store); this module only rejects
//! unknown keys in them.

use derny_model::{Problem, problem};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the project's file.
pub const FILE: &str = "derny.toml";

/// The whole file. Unknown keys are errors, with their position and the known keys.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProjectFile {
    /// Settings by name.
    #[serde(default)]
    pub defaults: toml::Table,
    /// Settings by profile.
    #[serde(default)]
    pub profile: BTreeMap<String, toml::Table>,
    /// Suites by name.
    #[serde(default)]
    pub suite: BTreeMap<String, SuiteTable>,
    /// Variants by name.
    #[serde(default)]
    pub variant: BTreeMap<String, VariantTable>,
    /// The gate.
    #[serde(default)]
    pub gate: Option<GateTable>,
    /// The store.
    #[serde(default)]
    pub store: Option<StoreTable>,
}

/// `[suite.NAME]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SuiteTable {
    /// A convention's name, or a launch line.
    pub harness: HarnessChoice,
    /// Globs of its files, relative to the root; empty for a program that contains all benchmarks.
    #[serde(default)]
    pub files: Vec<String>,
    /// Values that override the benchmarks' own.
    #[serde(default)]
    pub params: BTreeMap<String, Vec<toml::Value>>,
    /// Environment of its processes.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Arguments for the suite's own program, `{suite-args}`, or for the runtime if the harness has no
    /// placeholder for them.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments for the runtime, `{args}`.
    #[serde(default)]
    pub runtime_args: Vec<String>,
    /// Arguments for the build, `{build-args}`.
    #[serde(default)]
    pub build_args: Vec<String>,
    /// Working directory relative to the root, if not the root.
    #[serde(default)]
    pub directory: Option<String>,
    /// Command to run in the root before measuring, and in a revision's worktree; `{build}` and `{root}` are
    /// filled in.
    #[serde(default)]
    pub build: Option<Words>,
}

/// `harness = "node"` or `harness = { command = […] }`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum HarnessChoice {
    /// A convention of an SDK.
    Named(String),
    /// A launch line with `{file}` and `{runtime}`, as in `sdk.toml`.
    Table {
        /// The words.
        command: Words,
        /// Value of `{runtime}`.
        #[serde(default)]
        runtime: Option<String>,
    },
}

/// A command as one string, split at whitespace, or as words.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// One string.
    Line(String),
    /// Words.
    List(Vec<String>),
}

impl Words {
    /// Returns the words. Quotes (`'` and `"`) keep whitespace, as in a shell.
    pub fn words(&self) -> Vec<String> {
        match self {
            Words::List(words) => words.clone(),
            Words::Line(line) => split(line),
        }
    }
}

/// Splits a command line at whitespace. Quotes keep whitespace, and a backslash keeps the next character.
pub fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(q)) if c == q => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// `[variant.NAME]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VariantTable {
    /// Replaces `{runtime}`.
    #[serde(default)]
    pub command: Option<Words>,
    /// Git revision.
    #[serde(default)]
    pub revision: Option<String>,
    /// Additional arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Additional arguments for the build.
    #[serde(default)]
    pub build_args: Vec<String>,
    /// Additional environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Another benchmark of the suite to measure instead of the case's own.
    #[serde(default)]
    pub benchmark: Option<String>,
}

/// `[gate]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GateTable {
    /// Name of the baseline.
    #[serde(default)]
    pub baseline: Option<String>,
    /// Smallest change that matters.
    #[serde(default)]
    pub margin: Option<String>,
    /// Smallest change of mean time that matters.
    #[serde(default)]
    pub mean_margin: Option<String>,
    /// Verdicts that fail the gate.
    #[serde(default)]
    pub fail_on: Vec<String>,
    /// Confidence of its intervals.
    #[serde(default)]
    pub confidence: Option<f64>,
}

/// `[store]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StoreTable {
    /// Its folder, relative to the root, or its URL on a server.
    #[serde(default)]
    pub path: Option<String>,
    /// Maximum total size of the kept programs of baselines, such as `512M`.
    #[serde(default)]
    pub kept: Option<String>,
}

/// The location and configuration of a project.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// Folder of `derny.toml`, or else of `.git`, of a marker, or the working directory.
    pub root: PathBuf,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Its content.
    pub content: ProjectFile,
}

impl Project {
    /// Finds the project around `directory`. `file` names another configuration file (`--config`); `ignore`
    /// reads none (`--no-config`). `markers` are files in the root of projects of some kind, used without a
    /// configuration or repository.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn find(
        directory: &Path,
        file: Option<&Path>,
        ignore: bool,
        markers: &[&str],
    ) -> Result<Project, Problem> {
        let nearest = |name: &str| directory.ancestors().find(|folder| folder.join(name).exists());
        let file = match (ignore, file) {
            (true, _) => None,
            (_, Some(file)) => Some(directory.join(file)),
            _ => nearest(FILE).map(|folder| folder.join(FILE)),
        };
        let parent = file.as_deref().and_then(Path::parent);
        let marked = || markers.iter().find_map(|marker| nearest(marker));
        let root = parent.or_else(|| nearest(".git")).or_else(marked).unwrap_or(directory).to_path_buf();
        let content = file.as_deref().map_or_else(|| Ok(ProjectFile::default()), read)?;
        Ok(Project { root, file, content })
    }
}

fn read(path: &Path) -> Result<ProjectFile, Problem> {
    let error =
        |why: String, remedy: &str| problem!("cannot read {}", path.display()).why(why).remedy(remedy);
    let text = std::fs::read_to_string(path)
        .map_err(|e| error(e.to_string(), "name an existing file, or leave --config out"))?;
    toml::from_str(&text).map_err(|e| {
        let near = near(e.message()).map(|near| format!("did you mean `{near}`?"));
        error(e.to_string(), near.as_deref().unwrap_or("`derny schema config` prints every key and its type"))
    })
}

/// Returns the known key that resembles an unknown one, from the parser's message, which quotes the unknown
/// key and all known ones in backquotes.
fn near(message: &str) -> Option<String> {
    let mut quoted = message.strip_prefix("unknown field `")?.split('`').step_by(2);
    let unknown = quoted.next()?;
    crate::discover::pattern::closest(unknown, quoted).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_as_a_shell_does() {
        assert_eq!(split(r#"node --a 'b c' "d\" e" f\ g ''"#), ["node", "--a", "b c", "d\" e", "f g", ""]);
        assert!(split("  ").is_empty());
    }

    #[test]
    fn unknown_keys_are_errors_that_name_the_line() {
        let folder = std::env::temp_dir().join(format!("derny-project-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("deep/er")).unwrap();
        std::fs::write(folder.join(FILE), "[suite.a]\nharness = \"node\"\nflies = [\"x\"]\n").unwrap();
        let error = Project::find(&folder.join("deep/er"), None, false, &[]).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("did you mean `files`?"), "{error}");
        std::fs::write(folder.join(FILE), "[suite.a]\nharness = { command = \"./bench x\" }\n").unwrap();
        let project = Project::find(&folder.join("deep"), None, false, &[]).unwrap();
        assert_eq!(project.root, folder);
        let HarnessChoice::Table { command, .. } = &project.content.suite["a"].harness else { panic!() };
        assert_eq!(command.words(), ["./bench", "x"]);
        assert_eq!(Project::find(&folder, None, true, &[]).unwrap().content.suite.len(), 0);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
