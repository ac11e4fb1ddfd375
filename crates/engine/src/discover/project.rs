//! The project: its root, and the parts of `derny.toml` that define benchmarks and their launch.
//!
//! This module reads the gate, the settings and the profiles, but does not interpret them. The workbench
//! does.

use derny_model::{Problem, problem};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the project's configuration file.
pub const FILE: &str = "derny.toml";

/// The content of `derny.toml`. An unknown key in a table is an error that contains its position and
/// the known keys.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ProjectFile {
    /// Settings by name: all keys of the file that no other field contains.
    #[serde(skip)]
    pub settings: toml::Table,
    /// Location of the store: a folder relative to the root, or the URL of a server.
    #[serde(default)]
    pub store: Option<String>,
    /// Maximum total size of the kept programs of baselines, such as `512M`.
    #[serde(default)]
    pub kept_programs: Option<String>,
    /// Settings by profile.
    #[serde(default)]
    pub profile: BTreeMap<String, toml::Table>,
    /// Suites by name.
    #[serde(default)]
    pub suite: BTreeMap<String, SuiteTable>,
    /// Variants by name.
    #[serde(default)]
    pub variant: BTreeMap<String, VariantTable>,
    /// Settings of the gate.
    #[serde(default)]
    pub gate: Option<GateTable>,
    /// Settings of the history of results.
    #[serde(default)]
    pub history: Option<HistoryTable>,
    /// Settings of `derny judge`.
    #[serde(default)]
    pub judge: Option<JudgeTable>,
}

impl ProjectFile {
    /// Names of the top-level tables.
    pub const TABLES: [&str; 6] = ["gate", "history", "judge", "profile", "suite", "variant"];
    /// Top-level keys that are not settings of a measurement.
    pub const PLACES: [&str; 2] = ["store", "kept-programs"];
}

/// A table `[suite.NAME]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SuiteTable {
    /// Name of a convention, or a launch line.
    pub harness: HarnessChoice,
    /// Globs of the suite's files, relative to the root. Empty for a program that contains all benchmarks.
    #[serde(default)]
    pub files: Vec<String>,
    /// Values that replace the benchmarks' own parameter values.
    #[serde(default)]
    pub params: BTreeMap<String, Vec<toml::Value>>,
    /// Environment variables of the suite's processes.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Arguments for the suite's own program (`{suite-args}`). If the harness lacks that placeholder,
    /// they are for the runtime.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arguments for the runtime (`{args}`).
    #[serde(default)]
    pub runtime_args: Vec<String>,
    /// Arguments for the build (`{build-args}`).
    #[serde(default)]
    pub build_args: Vec<String>,
    /// Working directory, relative to the root. By default the root.
    #[serde(default)]
    pub directory: Option<String>,
    /// Command to run before measuring, in the root or in the worktree of a revision. `{build}` and
    /// `{root}` are replaced.
    #[serde(default)]
    pub build: Option<Words>,
}

/// The harness of a suite: `harness = "node"` or `harness = { command = […] }`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum HarnessChoice {
    /// Name of an SDK convention.
    Named(String),
    /// A launch line with `{file}` and `{runtime}`, as in `sdk.toml`.
    Table {
        /// Words of the launch line.
        command: Words,
        /// Replacement for `{runtime}`.
        #[serde(default)]
        runtime: Option<String>,
    },
}

/// A command, as one string or as a list of words.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// A string that is split at whitespace outside of quotes.
    Line(String),
    /// A list of words.
    List(Vec<String>),
}

impl Words {
    /// Returns the words of the command. In a string, quotes (`'` and `"`) protect whitespace, as in a shell.
    pub fn words(&self) -> Vec<String> {
        match self {
            Words::List(words) => words.clone(),
            Words::Line(line) => split(line),
        }
    }
}

/// Splits a command line at whitespace. Quotes protect whitespace. A backslash outside of single quotes
/// protects the next character.
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

/// A table `[variant.NAME]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VariantTable {
    /// Replacement for `{runtime}`.
    #[serde(default)]
    pub command: Option<Words>,
    /// Git revision to build the variant from.
    #[serde(default)]
    pub revision: Option<String>,
    /// Additional arguments of the variant's processes.
    #[serde(default)]
    pub args: Vec<String>,
    /// Additional arguments for the build.
    #[serde(default)]
    pub build_args: Vec<String>,
    /// Additional environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Another benchmark of the suite, which the variant measures instead of the case's own.
    #[serde(default)]
    pub benchmark: Option<String>,
}

/// The table `[gate]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GateTable {
    /// Name of the baseline to compare with.
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
    /// Confidence level of the intervals.
    #[serde(default)]
    pub confidence: Option<f64>,
}

/// The table `[history]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HistoryTable {
    /// Time limit for measuring suspected changes, such as `10min`. With it, they are also measured after
    /// `derny history import` and `derny history creep`.
    #[serde(default)]
    pub confirm: Option<String>,
}

/// The table `[judge]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JudgeTable {
    /// Paths and globs of files that a candidate may not change, besides benchmark files and derny.toml.
    #[serde(default)]
    pub frozen: Vec<String>,
    /// Weights of cases in the composite, by a part of their names. The default is 1.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
    /// Least possible time per operation, such as `20ns`, by a part of a case's name.
    #[serde(default)]
    pub at_least: BTreeMap<String, String>,
    /// A command that must succeed for each side before that side is measured.
    #[serde(default)]
    pub check: Option<String>,
}

/// The location and configuration of a project.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// The nearest folder with `derny.toml`, or else `.git`, or else a marker. If there is none, the
    /// working directory.
    pub root: PathBuf,
    /// Path of the configuration file, if there is one.
    pub file: Option<PathBuf>,
    /// Content of the configuration file.
    pub content: ProjectFile,
}

impl Project {
    /// Finds the project around `directory`. `file` names another configuration file (`--config`). With
    /// `ignore`, no configuration is read (`--no-config`). `markers` contains the names of files that
    /// mark the root of a project, such as the manifest of a build tool. Markers are used if there is
    /// neither a configuration nor a repository.
    ///
    /// # Errors
    /// Fails if the configuration file cannot be read, or if it is invalid.
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
        .map_err(|e| error(e.to_string(), "name an existing file, or omit --config"))?;
    let wrong = |e: toml::de::Error| {
        let near = near(e.message()).map(|near| format!("use `{near}`"));
        error(
            e.to_string(),
            near.as_deref().unwrap_or("`derny dev schema config` prints every key and its type"),
        )
    };
    let mut settings: toml::Table = toml::from_str(&text).map_err(wrong)?;
    if let Some((key, _)) = settings.iter().find(|(key, value)| is_unknown_table(key, value)) {
        return Err(problem!("`[{key}]` is not a table of derny.toml")
            .place(path.display())
            .known(ProjectFile::TABLES.join(", "))
            .remedy(instead(key)));
    }
    let content: ProjectFile = toml::from_str(&text).map_err(wrong)?;
    let known = [&ProjectFile::TABLES[..], &ProjectFile::PLACES].concat();
    settings.retain(|key, _| !known.contains(&key));
    Ok(ProjectFile { settings, ..content })
}

fn is_unknown_table(key: &str, value: &toml::Value) -> bool {
    value.is_table() && !ProjectFile::TABLES.contains(&key)
}

fn instead(key: &str) -> String {
    match key {
        "default" | "defaults" | "settings" => {
            "move its keys to the top of the file, before the first table".to_owned()
        }
        "store" => "write store = \"PATH\" and kept-programs = \"512M\" at the top of the file".to_owned(),
        key => match crate::discover::pattern::closest(key, ProjectFile::TABLES.into_iter()).first() {
            Some(near) => format!("use `[{near}]`"),
            None => "`derny dev schema config` prints every key and its type".to_owned(),
        },
    }
}

/// Returns the known key that is most similar to an unknown one. The parser's message quotes the unknown key
/// first, followed by all known keys.
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
        assert!(error.contains("line 3") && error.contains("use `files`"), "{error}");
        std::fs::write(folder.join(FILE), "[suite.a]\nharness = { command = \"./bench x\" }\n").unwrap();
        let project = Project::find(&folder.join("deep"), None, false, &[]).unwrap();
        assert_eq!(project.root, folder);
        let HarnessChoice::Table { command, .. } = &project.content.suite["a"].harness else { panic!() };
        assert_eq!(command.words(), ["./bench", "x"]);
        assert_eq!(Project::find(&folder, None, true, &[]).unwrap().content.suite.len(), 0);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
