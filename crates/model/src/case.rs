//! A case: one benchmark with one value per parameter, the unit of results.

use crate::Metric;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The identity of a case. Cases with equal ids are the same case in any run or file. Patterns match
/// the text form, `suite/benchmark key=value key=value`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseId {
    /// Name of the suite. A suite consists of benchmarks that share a harness and settings.
    pub suite: String,
    /// Name of the benchmark, unique within its suite.
    pub benchmark: String,
    /// Names and values of the parameters, in the harness's order. The order is only for display: ids that
    /// differ only in it are equal. If values may have other types than text, a text value has the form that
    /// [`param_text`] returns.
    pub params: Vec<(String, String)>,
}

impl CaseId {
    /// Returns the name of the case within its suite: `benchmark key=value …`.
    pub fn name(&self) -> String {
        let mut text = self.benchmark.clone();
        for (key, value) in &self.params {
            text.push(' ');
            text.push_str(key);
            text.push('=');
            text.push_str(value);
        }
        text
    }

    /// Returns the parameters in a canonical order.
    fn sorted(&self) -> Vec<&(String, String)> {
        let mut params: Vec<_> = self.params.iter().collect();
        params.sort_unstable();
        params
    }

    fn has_params_of(&self, other: &CaseId) -> bool {
        self.params.len() == other.params.len()
            && (self.params == other.params || self.params.len() > 1 && self.sorted() == other.sorted())
    }
}

impl PartialEq for CaseId {
    fn eq(&self, other: &CaseId) -> bool {
        self.benchmark == other.benchmark && self.suite == other.suite && self.has_params_of(other)
    }
}

impl Eq for CaseId {}

impl Hash for CaseId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.suite, &self.benchmark).hash(state);
        if self.params.is_sorted() {
            self.params.hash(state);
        } else {
            self.sorted().hash(state);
        }
    }
}

impl Ord for CaseId {
    fn cmp(&self, other: &CaseId) -> Ordering {
        let names = (&self.suite, &self.benchmark).cmp(&(&other.suite, &other.benchmark));
        names.then_with(|| {
            if self.params == other.params { Ordering::Equal } else { self.sorted().cmp(&other.sorted()) }
        })
    }
}

impl PartialOrd for CaseId {
    fn partial_cmp(&self, other: &CaseId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns a text parameter value in a form that cannot be confused with a number, a boolean or a value of
/// another type. This is for harnesses and files in which parameter values have several types.
///
/// A text is quoted if it looks like another type (a number, a boolean, null, a list) or starts with a
/// quote. `1` and `"1"` therefore remain two values. Any other text is unchanged. Callers keep values of
/// other types in the form in which their source prints them.
pub fn param_text(text: &str) -> Cow<'_, str> {
    const WORDS: [&str; 7] = ["true", "false", "null", "none", "nil", "undefined", ""];
    let is_number = || text.trim().parse::<f64>().is_ok();
    let is_word = || WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    let ends = |open: char, close: char| text.starts_with(open) && text.ends_with(close);
    let is_list = || ends('[', ']') || ends('{', '}') || ends('(', ')');
    if text.starts_with(['"', '\'']) || is_number() || is_word() || is_list() {
        return Cow::Owned(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")));
    }
    Cow::Borrowed(text)
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.suite, self.name())
    }
}

/// The part of a program that measures the times of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Timing {
    /// The harness's loop times batches of calls.
    #[default]
    Loop,
    /// The body times itself, and reports its number of operations.
    SelfTimed,
}

/// The declaration of a case by its harness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// Identity of the case.
    pub id: CaseId,
    /// Name of the convention that launches the case, from an `sdk.toml`, or `command`.
    pub harness: String,
    /// Path of the benchmark file, relative to the project's root. Absent for a command.
    pub file: Option<String>,
    /// Line in that file, if the harness reports it.
    pub line: Option<u32>,
    /// The part of the program that measures the times.
    pub timing: Timing,
    /// True if a self-timed body may be called repeatedly in one process.
    pub again: bool,
    /// Name of the parameter that `iterations` sets, if there is one.
    pub scale: Option<String>,
    /// Name of the program for which the benchmark was written. That program calls the body once in a
    /// fresh process, as configured, and reports this call. The case then has two times: that of the
    /// first calls, and the steady time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// Flags for the runtime that the case requires.
    pub args: Vec<String>,
    /// Environment variables that the case requires.
    pub env: Vec<(String, String)>,
    /// Maximum number of iterations of a batch.
    pub max_iterations: Option<u64>,
    /// Maximum number of batches in one process. Batches of the empty body do not count.
    #[serde(default)]
    pub max_batches: Option<u32>,
    /// True if everything is set up again for each call, as in a new process. The first call is then
    /// like later calls, so there is no warm-up and no batch size to choose.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
    /// Number of operations per iteration. 1 unless declared.
    pub ops: f64,
    /// Name of an operation, if it is not `op`.
    pub unit: Option<String>,
    /// Number of bytes processed per iteration.
    pub bytes: Option<f64>,
    /// Number of items processed per iteration.
    pub items: Option<f64>,
    /// Number of threads that run the body at the same time.
    pub threads: Option<u32>,
    /// True if the case must not share its process with other cases.
    pub isolate: bool,
    /// Key of a global setup, which a separate process performs once per run for all cases with this
    /// key.
    #[serde(default)]
    pub global_setup: Option<String>,
    /// Estimate of the time of one call in ns, made by the benchmark. Used only for planning.
    #[serde(default)]
    pub about_ns: Option<u64>,
    /// Shortest meaningful time of a batch in ns, if it is longer than usual, for example because each
    /// batch starts threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_batch_ns: Option<u64>,
    /// Duration in ns of the batch that the benchmark's own framework would run. The time of an
    /// operation may depend on the number of operations in a batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_ns: Option<u64>,
    /// Time limit in ns for opening the case, for checking it, and for each turn.
    #[serde(default)]
    pub timeout_ns: Option<u64>,
    /// Package, class or module of the case. Used for display and selection. Not part of the identity.
    #[serde(default)]
    pub module: Option<String>,
    /// Position among the harness's cases, in a form that the engine does not interpret. It identifies
    /// the case if the text of a parameter value differs between processes, or if several benchmarks
    /// have the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Reason why the case cannot be measured on this machine, if it is known without opening the case.
    #[serde(default)]
    pub skip: Option<String>,
    /// Metrics that the body or a tool reports, in addition to times or instead of them.
    pub metrics: Vec<Metric>,
    /// True for a parent, which is not measured, but is run to find the cases below it.
    #[serde(default)]
    pub parent: bool,
    /// Name of the group in which the case is shown.
    pub group: Option<String>,
    /// Labels chosen by the author.
    pub tags: Vec<String>,
    /// Name of the benchmark in its harness, if it differs from the name in `id`. The name in `id` has a
    /// number appended if another case has the same name and parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// Name of the case in the form that its own tool prints, if that does not follow from benchmark
    /// and parameters. Other tools may put parameters anywhere in a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}

impl Case {
    /// Returns the name of the time that the case's own program would report: `as NAME runs it`.
    pub fn as_run(&self) -> Option<String> {
        self.runner.as_ref().map(|runner| format!("as {runner} runs it"))
    }

    /// Returns the name of the benchmark in its harness.
    pub fn called(&self) -> &str {
        self.called.as_ref().unwrap_or(&self.id.benchmark)
    }

    /// Returns the configured value of the parameter that `iterations` sets.
    pub fn configured(&self) -> Option<f64> {
        let (_, value) = self.id.params.iter().find(|(name, _)| Some(name) == self.scale.as_ref())?;
        value.parse().ok()
    }

    /// Creates a case that is timed in a loop and declares nothing else.
    pub fn new(id: CaseId) -> Case {
        Case {
            id,
            harness: String::new(),
            file: None,
            line: None,
            timing: Timing::Loop,
            again: false,
            scale: None,
            runner: None,
            args: Vec::new(),
            env: Vec::new(),
            max_iterations: None,
            max_batches: None,
            fresh: false,
            ops: 1.0,
            unit: None,
            bytes: None,
            items: None,
            threads: None,
            isolate: false,
            global_setup: None,
            about_ns: None,
            least_batch_ns: None,
            count_ns: None,
            timeout_ns: None,
            module: None,
            at: None,
            skip: None,
            metrics: Vec::new(),
            parent: false,
            group: None,
            tags: Vec::new(),
            called: None,
            printed: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::DefaultHasher;

    fn id(params: &[(&str, &str)]) -> CaseId {
        let params = params.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        CaseId { suite: "s".to_owned(), benchmark: "b".to_owned(), params }
    }

    fn hash(id: &CaseId) -> u64 {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn the_order_of_parameters_is_no_part_of_the_identity() {
        let (one, other) = (id(&[("n", "1"), ("m", "2")]), id(&[("m", "2"), ("n", "1")]));
        assert_eq!((&one, hash(&one), one.cmp(&other)), (&other, hash(&other), Ordering::Equal));
        assert_eq!(one.to_string(), "s/b n=1 m=2", "it is shown in the harness's order");
        let others = [
            id(&[]),
            id(&[("n", "1")]),
            id(&[("n", "2"), ("m", "1")]),
            id(&[("n", "1"), ("m", "2"), ("m", "2")]),
            id(&[("n", "1"), ("n", "1"), ("m", "2")]),
        ];
        for (at, other) in others.iter().enumerate() {
            assert_ne!(&one, other);
            assert_ne!(one.cmp(other), Ordering::Equal);
            assert!(others[..at].iter().all(|before| before != other), "{other}");
            assert_eq!(one.cmp(other), other.cmp(&one).reverse());
        }
    }

    #[test]
    fn a_text_never_reads_as_a_value_of_another_type() {
        for text in [
            "1",
            "-1.5",
            "1e9",
            "NaN",
            "inf",
            "-Infinity",
            "true",
            "False",
            "null",
            "None",
            "nil",
            "undefined",
            "",
            "[1, 2]",
            "{}",
            "(1,)",
            "\"a\"",
            "'a",
            " 7 ",
        ] {
            assert_eq!(param_text(text), format!("\"{}\"", text.replace('"', "\\\"")), "{text}");
        }
        for text in ["abc", "1 KB", "0x1f", "true story", "a\"b", "[a-z]+", "1.2.3", "n=1"] {
            assert_eq!(param_text(text), text);
        }
        assert_ne!(param_text(r#""a\""#), param_text(r#""a""#));
    }
}
