//! The fields of each tool, and the command line that a call with these fields becomes. No field contains a
//! command line, and no field can become an option other than its own.

use crate::project::{self, Project, Refusal};
use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Punctuation allowed in the name of a side or a session.
const IN_NAMES: &str = "-_.";
/// Punctuation allowed in a revision.
const IN_REVISIONS: &str = "-_./~^{}@";

/// Fields of `doctor`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Doctor {}

/// Fields of `list`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct List {
    #[serde(flatten)]
    select: Select,
}

/// Selected cases.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Select {
    /// Names of cases or words of them, globs, `key=value`, or benchmark files. All cases if empty.
    #[serde(default)]
    patterns: Vec<String>,
    /// Patterns of cases to leave out.
    #[serde(default)]
    exclude: Vec<String>,
    /// Values of parameters to measure instead of the benchmark's own, such as {"n": "1000"}.
    #[serde(default)]
    params: BTreeMap<String, String>,
}

/// How to measure.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct How {
    /// Time per case, such as `5s`. More time decides smaller changes.
    budget: Option<String>,
    /// Time for all cases together, such as `60s`.
    total: Option<String>,
    /// Spend at most 2 s per case. A quick run never shows that two sides are the same.
    #[serde(default)]
    quick: bool,
    /// Smallest change that matters, such as `1%`.
    margin: Option<String>,
    /// Time limit of the call in seconds, at most 3,600. What was measured until then is stored.
    timeout: Option<u64>,
}

/// One side of a comparison.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Name of the side. Without the other fields, the name must be `head` (the working tree), a
    /// [variant.NAME] of derny.toml, or a revision.
    name: String,
    /// Git revision to build the side from, or `.` for the working tree.
    revision: Option<String>,
    /// Another benchmark of the suite to measure instead.
    benchmark: Option<String>,
    /// Program in the project that replaces the runtime or the benchmark program.
    program: Option<String>,
}

/// Fields of `run`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Run {
    #[serde(flatten)]
    select: Select,
    /// Sides to compare. The first is the base. Without sides, the working tree is measured alone.
    #[serde(default)]
    sides: Vec<Side>,
    /// Run each case once to see that it works, without measuring.
    #[serde(default)]
    once: bool,
    #[serde(flatten)]
    how: How,
}

/// Fields of `diff`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Diff {
    /// Revision to compare the working tree with. By default the commit where the branch left its upstream.
    revision: Option<String>,
    #[serde(flatten)]
    select: Select,
    #[serde(flatten)]
    how: How,
}

/// A program that prints figures, which are compared instead of the times of benchmarks.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Path of the program, relative to the folder of the project, such as `measure.sh`. Each side runs its
    /// own copy.
    program: String,
    /// Arguments of the program.
    #[serde(default)]
    args: Vec<String>,
    /// Where the figures are: `metric` for lines METRIC name=value of standard output, `regex:NAME=PATTERN`,
    /// `json:-:PATH` for JSON on standard output, or `json:FILE:PATH`. By default `metric`.
    #[serde(default)]
    from: Vec<String>,
    /// Figures with their directions, such as `total_ms:lower` or `qps:higher`.
    metrics: Vec<String>,
}

/// What to do with a session of `judge`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Measure the candidate, and decide.
    #[default]
    Candidate,
    /// Make the last candidate the best one.
    Keep,
    /// Show the session, or all sessions.
    Status,
    /// Measure the best candidate against the base afresh.
    Final,
}

/// Fields of `judge`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Judge {
    /// `candidate` measures and decides; `keep` makes the last candidate of the session the best one;
    /// `status` shows the session; `final` measures the best one against the base afresh.
    #[serde(default)]
    action: Action,
    /// Name of the session, which remembers the base, the best candidate, and how many were tested.
    session: Option<String>,
    /// The base, then the candidate, then perhaps an expert's solution. By default the session's base or
    /// the checked-out commit, and the working tree.
    #[serde(default)]
    sides: Vec<Side>,
    /// Program in the project that must succeed in each side before it is measured, such as a script that
    /// runs the tests.
    check: Option<String>,
    /// Judge printed figures. No cases are selected then.
    figures: Option<Figures>,
    #[serde(flatten)]
    select: Select,
    #[serde(flatten)]
    how: How,
}

/// Fields of `show`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Show {
    /// Run to show: its id or the beginning of the id, a baseline, `last` or `last~1`. By default the newest
    /// run.
    run: Option<String>,
    /// Cases of the run: names or words of them.
    #[serde(default)]
    patterns: Vec<String>,
    /// Return everything about each case as text: distribution, processes, all warnings.
    #[serde(default)]
    details: bool,
}

/// Fields of `explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub struct Explain {
    /// Code of a warning or a failure, such as `DY204`. Lists all codes if it is missing.
    code: Option<String>,
}

/// Kind of output that a command line prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A run, with its comparison if it has sides.
    Run,
    /// A list of cases.
    Cases,
    /// Checks of the machine.
    Checks,
    /// The decision about a candidate.
    Decision,
    /// Text for people.
    Text,
}

/// A command line of this program.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// The words after the name of the program.
    pub words: Vec<String>,
    /// Kind of output that it prints.
    pub form: Form,
    /// Time limit of the call in seconds, if the call sets one.
    pub limit: Option<u64>,
}

/// The fields of one tool, as read from a call.
pub trait Fields: DeserializeOwned + JsonSchema + 'static {
    /// Returns the command line of a call with these fields. Paths must be in `project`.
    ///
    /// # Errors
    ///
    /// Fails if a field is refused.
    fn words(&self, project: &Project) -> Result<Words, Refusal>;
}

/// Reads the fields of a call, and returns its command line. `known` is the JSON Schema of the tool's fields.
///
/// # Errors
///
/// Fails if a field is unknown, has the wrong type, or is refused.
pub fn words<T: Fields>(given: JsonObject, known: &JsonObject, project: &Project) -> Result<Words, Refusal> {
    let known = known.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    if let Some(name) = given.keys().find(|name| !known.contains_key(*name)) {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        return Err(format!("there is no field `{name}`; the fields are {}", names.join(", ")));
    }
    let fields: T = serde_json::from_value(Value::Object(given)).map_err(|error| error.to_string())?;
    fields.words(project)
}

/// Returns a command line that consists of the verb and then the parts.
fn line(
    verb: &[&str],
    form: Form,
    parts: impl IntoIterator<Item = Vec<String>>,
    limit: Option<u64>,
) -> Words {
    let verb = verb.iter().map(|word| (*word).to_owned());
    Words { words: verb.chain(parts.into_iter().flatten()).collect(), form, limit }
}

/// Returns `--NAME=VALUE` for each value.
fn options<'a>(name: &str, values: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    values.into_iter().map(|value| format!("--{name}={value}")).collect()
}

/// Checks a number with a unit, such as `5s` or `1.5%`.
fn quantity(text: &str) -> Result<(), Refusal> {
    let right = text.starts_with(|c: char| c.is_ascii_digit())
        && text.len() < 20
        && text.chars().all(|c| c.is_ascii_alphanumeric() || ".%".contains(c));
    if right { Ok(()) } else { Err(format!("`{text}` is not a number with a unit, such as 5s or 1%")) }
}

fn all<T>(values: &[T], check: impl Fn(&T) -> Result<String, Refusal>) -> Result<Vec<String>, Refusal> {
    values.iter().map(check).collect()
}

impl Select {
    /// Returns the options and the patterns. Patterns must come last on a command line.
    fn words(&self, project: &Project) -> Result<(Vec<String>, Vec<String>), Refusal> {
        let patterns = all(&self.patterns, |text| project.pattern(text))?;
        let mut words = options("exclude", &all(&self.exclude, |text| project.pattern(text))?);
        for (key, value) in &self.params {
            words.push(format!("--param={}={}", project::name(key, IN_NAMES)?, project::word(value)?));
        }
        Ok((words, patterns))
    }
}

impl How {
    fn words(&self) -> Result<Vec<String>, Refusal> {
        for text in [&self.budget, &self.total, &self.margin].into_iter().flatten() {
            quantity(text)?;
        }
        let mut words = options("budget", &self.budget);
        words.extend(options("total", &self.total));
        words.extend(options("margin", &self.margin));
        words.extend(self.quick.then(|| "--quick".to_owned()));
        Ok(words)
    }
}

impl Side {
    /// Returns the side in the form of `-x`.
    fn text(&self, project: &Project) -> Result<String, Refusal> {
        let is_bare = self.revision.is_none() && self.benchmark.is_none() && self.program.is_none();
        let signs = if is_bare { "-_./~^" } else { IN_NAMES };
        let mut text = project::name(&self.name, signs)?;
        if let Some(benchmark) = &self.benchmark {
            text += &format!(":{}", project::name(benchmark, "-_./ ")?);
        }
        if let Some(revision) = &self.revision {
            text += &format!("@{}", project::name(revision, IN_REVISIONS)?);
        }
        if let Some(program) = &self.program {
            text += &format!("={}", project.program(program)?);
        }
        Ok(text)
    }
}

impl Figures {
    /// Returns the options, and the command, which comes last.
    fn words(&self, project: &Project) -> Result<(Vec<String>, Vec<String>), Refusal> {
        project.program(&self.program)?;
        if Path::new(&self.program).is_absolute() {
            return Err(format!("`{}` is absolute; name it relative to the project's folder", self.program));
        }
        let from = if self.from.is_empty() { vec!["metric".to_owned()] } else { self.from.clone() };
        for text in &from {
            project::word(text)?;
            let file = text.strip_prefix("file:").or_else(|| text.strip_prefix("json:")?.split(':').next());
            file.filter(|file| *file != "-").map_or(Ok(()), |file| project.confine(file))?;
        }
        for text in self.args.iter().map(|text| text.trim_start_matches('-')).filter(|text| !text.is_empty())
        {
            project::word(text)?;
        }
        let mut words = options("metric-from", &from);
        words.extend(options("metric", &all(&self.metrics, |text| project::name(text, "-_.:/%"))?));
        let command = ["--".to_owned(), format!("./{}", self.program)];
        Ok((words, command.into_iter().chain(self.args.iter().cloned()).collect()))
    }
}

impl Fields for Doctor {
    fn words(&self, _: &Project) -> Result<Words, Refusal> {
        Ok(line(&["doctor", "-f", "json"], Form::Checks, [], None))
    }
}

impl Fields for List {
    fn words(&self, project: &Project) -> Result<Words, Refusal> {
        let (options, patterns) = self.select.words(project)?;
        Ok(line(&["list", "-f", "json"], Form::Cases, [options, patterns], None))
    }
}

impl Fields for Run {
    fn words(&self, project: &Project) -> Result<Words, Refusal> {
        let sides = options("variant", &all(&self.sides, |side| side.text(project))?);
        let (options, patterns) = self.select.words(project)?;
        let once = Vec::from_iter(self.once.then(|| "--once".to_owned()));
        let form = if self.once { Form::Text } else { Form::Run };
        let verb: &[&str] = if self.once { &["run"] } else { &["run", "-f", "json"] };
        Ok(line(verb, form, [once, self.how.words()?, sides, options, patterns], self.how.timeout))
    }
}

impl Fields for Diff {
    fn words(&self, project: &Project) -> Result<Words, Refusal> {
        let (options, patterns) = self.select.words(project)?;
        let revision = self.revision.as_deref().map(|text| project::name(text, IN_REVISIONS)).transpose()?;
        let parts = [self.how.words()?, options, Vec::from_iter(revision), patterns];
        Ok(line(&["diff", "-f", "json"], Form::Run, parts, self.how.timeout))
    }
}

impl Fields for Judge {
    fn words(&self, project: &Project) -> Result<Words, Refusal> {
        let session = self.session.as_ref().map(|text| project::name(text, IN_NAMES)).transpose()?;
        let session = options("session", &session);
        let limit = self.how.timeout;
        match self.action {
            Action::Keep => return Ok(line(&["judge", "keep"], Form::Text, [session], limit)),
            Action::Status => return Ok(line(&["judge", "status"], Form::Text, [session], limit)),
            Action::Candidate | Action::Final => {}
        }
        let (options_of_cases, patterns) = self.select.words(project)?;
        let figures = self.figures.as_ref().map(|figures| figures.words(project)).transpose()?;
        if figures.is_some() && !(options_of_cases.is_empty() && patterns.is_empty()) {
            return Err("printed `figures` have no cases to select".to_owned());
        }
        let (figures, command) = figures.unwrap_or_default();
        let mut parts = vec![session, self.how.words()?];
        if self.action == Action::Final {
            if !self.sides.is_empty() || self.check.is_some() || self.how.margin.is_some() {
                return Err("`final` takes no sides, check or margin: those of the session apply".to_owned());
            }
            parts.extend([figures, options_of_cases, patterns, command]);
            return Ok(line(&["judge", "final", "-f", "json"], Form::Decision, parts, limit));
        }
        parts.push(options("variant", &all(&self.sides, |side| side.text(project))?));
        let check = self.check.as_ref().map(|text| project.program(text)).transpose()?;
        parts.extend([options("check", &check), figures, options_of_cases, patterns, command]);
        Ok(line(&["judge", "-f", "json"], Form::Decision, parts, limit))
    }
}

impl Fields for Show {
    fn words(&self, project: &Project) -> Result<Words, Refusal> {
        let run = project.run(self.run.as_deref().unwrap_or("last"))?;
        let patterns = all(&self.patterns, |text| project.pattern(text))?;
        let (form, verb): (Form, &[&str]) = match self.details {
            true => (Form::Text, &["show", "--case"]),
            false => (Form::Run, &["show", "-f", "json"]),
        };
        Ok(line(verb, form, [vec![run], patterns], None))
    }
}

impl Fields for Explain {
    fn words(&self, _: &Project) -> Result<Words, Refusal> {
        let code = self.code.as_deref().map(|text| project::name(text, "")).transpose()?;
        Ok(line(&["dev", "explain"], Form::Text, [Vec::from_iter(code)], None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::handler::server::common::schema_for_input;
    use serde_json::json;

    fn of<T: Fields>(given: Value) -> Result<String, Refusal> {
        let Value::Object(given) = given else { panic!("an object") };
        let known = schema_for_input::<T>()?;
        let project = Project::around(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        words::<T>(given, &known, &project).map(|line| line.words.join(" "))
    }

    #[test]
    fn a_call_becomes_a_command_line() {
        assert_eq!(of::<Doctor>(json!({})).unwrap(), "doctor -f json");
        assert_eq!(of::<List>(json!({"patterns": ["parse*"]})).unwrap(), "list -f json parse*");
        assert_eq!(
            of::<Run>(json!({
                "patterns": ["parse", "n=10"], "exclude": ["slow"], "params": {"n": "5"}, "budget": "5s",
                "quick": true, "margin": "1.5%",
                "sides": [
                    {"name": "main"}, {"name": "new", "revision": "."}, {"name": "b", "benchmark": "other"},
                ],
            }))
            .unwrap(),
            "run -f json --budget=5s --margin=1.5% --quick --variant=main --variant=new@. --variant=b:other \
             --exclude=slow --param=n=5 parse n=10"
        );
        let diff = json!({"revision": "HEAD~1", "patterns": ["parse"], "total": "60s"});
        assert_eq!(of::<Diff>(diff).unwrap(), "diff -f json --total=60s HEAD~1 parse");
        let judge =
            json!({"session": "auto", "sides": [{"name": "main"}], "patterns": ["parse"], "budget": "5s"});
        assert_eq!(
            of::<Judge>(judge).unwrap(),
            "judge -f json --session=auto --budget=5s --variant=main parse"
        );
        assert_eq!(of::<Judge>(json!({"action": "keep", "session": "a"})).unwrap(), "judge keep --session=a");
        assert_eq!(of::<Judge>(json!({"action": "status"})).unwrap(), "judge status");
        let last = json!({"action": "final", "session": "a", "total": "60s"});
        assert_eq!(of::<Judge>(last).unwrap(), "judge final -f json --session=a --total=60s");
        let printed = json!({
            "session": "q",
            "figures": {"program": "src/lib.rs", "args": ["--size=1", "a"], "metrics": ["p99:ms:lower"]},
        });
        assert_eq!(
            of::<Judge>(printed).unwrap(),
            "judge -f json --session=q --metric-from=metric --metric=p99:ms:lower -- ./src/lib.rs --size=1 a"
        );
        let figures = |program: &str, from: &str| {
            of::<Judge>(json!({"figures": {"program": program, "from": [from], "metrics": ["a:lower"]}}))
        };
        assert!(figures("src/lib.rs", "json:out/a.json:x.y[0]").is_ok());
        for (program, from) in [
            ("src/none.rs", "metric"),
            ("../../../Cargo.toml", "metric"),
            ("/bin/true", "metric"),
            ("src/lib.rs", "json:/etc/passwd:x"),
            ("src/lib.rs", "file:../../../x"),
            ("src/lib.rs", "--store=x"),
        ] {
            assert!(figures(program, from).is_err(), "{program} {from}");
        }
        assert!(of::<Judge>(json!({"check": "make test"})).is_err());
        assert!(of::<Judge>(json!({"check": "/bin/true"})).is_err());
        assert!(of::<Judge>(json!({"session": "../x"})).is_err());
        assert_eq!(of::<Show>(json!({})).unwrap(), "show -f json last");
        assert_eq!(of::<Show>(json!({"run": "n55m", "details": true})).unwrap(), "show --case n55m");
        assert_eq!(of::<Explain>(json!({"code": "dy204"})).unwrap(), "dev explain dy204");
    }

    #[test]
    fn nothing_becomes_an_option_or_a_path_outside() {
        for wrong in [
            json!({"patterns": ["--store=/tmp/x"]}),
            json!({"patterns": ["/etc/*"]}),
            json!({"exclude": ["-x"]}),
            json!({"params": {"-n": "1"}}),
            json!({"params": {"n": "-1"}}),
            json!({"budget": "5s --store=/tmp"}),
            json!({"margin": "-1%"}),
            json!({"sides": [{"name": "a+LD_PRELOAD=x"}]}),
            json!({"sides": [{"name": "a=rm"}]}),
            json!({"sides": [{"name": "a", "revision": "--output=x"}]}),
            json!({"sides": [{"name": "a", "revision": "main=rm"}]}),
            json!({"sides": [{"name": "a", "program": "/bin/sh"}]}),
            json!({"sides": [{"name": "a", "command": "rm"}]}),
            json!({"timeout": -1}),
            json!({"command": ["rm"]}),
            json!({"args": "x"}),
        ] {
            let shown = wrong.to_string();
            assert!(of::<Run>(wrong).is_err(), "{shown}");
        }
        assert!(of::<Diff>(json!({"revision": "-x"})).is_err());
        assert!(of::<Show>(json!({"run": "/etc/passwd"})).is_err());
        assert!(of::<Explain>(json!({"code": "x y"})).is_err());
    }
}
