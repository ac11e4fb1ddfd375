//! Notices: messages of the workbench, apart from its results, as data.

use crate::config::units::size;
use derny_engine::discover::pattern::Chosen;
use derny_model::{Case, Package, Problem};
use std::fmt;

/// The importance of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// It explains why nothing was done.
    Error,
    /// Something differs from the request.
    Note,
    /// It only shows progress.
    Progress,
}

/// A message. Its `Display` text is the terminal output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// There is nothing to measure, with the reason and a hint.
    Nothing(Problem),
    /// Words selected some of the cases.
    Selected {
        /// Number of cases.
        cases: usize,
        /// Of how many.
        of: usize,
        /// Words that match only parts of names, neither whole names nor their tokens.
        parts: Vec<String>,
    },
    /// Benchmark files of another tool are ignored.
    Foreign {
        /// The tool.
        tool: String,
        /// The files.
        files: Vec<String>,
        /// The suggested command.
        hint: Option<String>,
    },
    /// A file without selected cases could not be listed.
    NotListed {
        /// The file.
        file: String,
        /// The reason: one line.
        why: String,
    },
    /// Cases got a number, because others have the same name.
    Numbered {
        /// Number of cases.
        cases: usize,
        /// The first of them, with its number.
        first: String,
    },
    /// The newest run measured nothing or was imported from another tool, so an earlier one is shown.
    Earlier {
        /// The run that is shown.
        shown: String,
        /// The newest one.
        newest: String,
        /// The newest run was imported.
        is_imported: bool,
    },
    /// A case is not measured because a variant has no counterpart.
    LeftOut {
        /// The case.
        case: String,
        /// The reason.
        why: String,
    },
    /// Some of the selected cases do not have a parameter that was given a value.
    WithoutParameter {
        /// The parameter.
        key: String,
        /// Number of cases.
        cases: usize,
        /// Of how many.
        of: usize,
    },
    /// No case has a metric of this name.
    NoMetric(String),
    /// No harness measures in a mode of this name.
    NoMode(String),
    /// No SDK of the cases has a diagnosis of this name.
    NoDiagnosis {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Diagnoses begin.
    Diagnosing,
    /// Some cases have no verdict yet, so another run follows.
    GoingOn {
        /// Number of undecided cases.
        undecided: usize,
        /// Number of runs so far.
        runs: u32,
    },
    /// A baseline is not measured again; its stored results are compared.
    NotAgain {
        /// The user's name for the baseline.
        name: String,
        /// The stored run.
        run: String,
        /// One sentence.
        why: String,
    },
    /// The program of a baseline was not kept.
    NotKept {
        /// The baseline.
        baseline: String,
        /// One sentence.
        why: String,
    },
    /// The program of a baseline was removed.
    NoLongerKept {
        /// The baseline.
        baseline: String,
        /// Total size limit of kept programs in bytes.
        limit: u64,
    },
    /// A variant or a layout is being built.
    Building {
        /// The variant, with its commit if it has one.
        what: String,
        /// Number of the layout from 1, and how many there are, if there are several.
        layout: Option<(u32, u32)>,
    },
    /// Builds that came with a plan are not used: they were made in another folder than the project's.
    NotCarried {
        /// The folder in which they were made.
        there: String,
        /// The project's.
        here: String,
    },
    /// The package that a side measures, and its location.
    Package {
        /// The side.
        side: String,
        /// The package.
        package: Package,
    },
    /// Two sides are the same code.
    Same {
        /// The sides.
        sides: (String, String),
        /// The predicate of the sentence, after their names.
        how: String,
    },
    /// A remark of a successful build for its user.
    OfBuild(String),
}

impl Notice {
    /// Returns the number of selected cases, unless all were selected.
    pub fn selected(chosen: &Chosen) -> Option<Notice> {
        let (cases, of) = (chosen.count(), chosen.of);
        (cases < of).then(|| Notice::Selected { cases, of, parts: chosen.parts.clone() })
    }

    /// Returns a notice that some cases got a number, if any did.
    pub fn numbered(cases: &[Case]) -> Option<Notice> {
        let numbered: Vec<&Case> = cases.iter().filter(|case| case.called.is_some()).collect();
        let first = numbered.first()?.id.to_string();
        Some(Notice::Numbered { cases: numbered.len(), first })
    }

    /// Returns the importance.
    pub fn weight(&self) -> Weight {
        match self {
            Notice::Nothing(_) => Weight::Error,
            Notice::NotListed { .. }
            | Notice::LeftOut { .. }
            | Notice::Foreign { .. }
            | Notice::Numbered { .. }
            | Notice::Earlier { .. }
            | Notice::WithoutParameter { .. }
            | Notice::NoMetric(_)
            | Notice::OfBuild(_)
            | Notice::NotCarried { .. }
            | Notice::Package { .. }
            | Notice::Same { .. }
            | Notice::NoMode(_)
            | Notice::NoDiagnosis { .. }
            | Notice::NotAgain { .. }
            | Notice::NotKept { .. }
            | Notice::NoLongerKept { .. } => Weight::Note,
            Notice::Selected { .. }
            | Notice::Building { .. }
            | Notice::Diagnosing
            | Notice::GoingOn { .. } => Weight::Progress,
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Nothing(why) => write!(f, "error: {why}"),
            Notice::Selected { cases, of, parts } => f.write_str(&selected(*cases, *of, parts)),
            Notice::Foreign { tool, files, hint } => f.write_str(&foreign(tool, files, hint.as_deref())),
            Notice::Numbered { cases, first } => f.write_str(&numbered(*cases, first)),
            Notice::Earlier { shown, newest, is_imported } => {
                f.write_str(&earlier(shown, newest, *is_imported))
            }
            Notice::NotListed { file, why } => {
                write!(f, "note: {file} cannot be read: {why}; `derny list {file}` shows where")
            }
            Notice::LeftOut { case, why } => write!(f, "note: `{case}` is left out: {why}"),
            Notice::WithoutParameter { key, cases, of } => {
                let have = if *cases == 1 { "has" } else { "have" };
                write!(f, "note: {cases} of {of} cases {have} no parameter `{key}`; they run as they are")
            }
            Notice::NoMetric(name) => write!(
                f,
                "note: no case has a metric `{name}`; `derny export --raw` shows the available counters"
            ),
            Notice::NoMode(name) => write!(
                f,
                "note: no harness measured in a mode `{name}`; `derny conform --list -- COMMAND` shows the modes of a harness"
            ),
            Notice::NoDiagnosis { name, known } => {
                let there = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                write!(f, "note: no SDK of these cases has a diagnosis `{name}`; there are: {there}")
            }
            Notice::Diagnosing => f.write_str("diagnosing, beside what was measured"),
            Notice::GoingOn { undecided, runs } => {
                let cases = if *undecided == 1 { "case is" } else { "cases are" };
                write!(f, "{undecided} {cases} undecided after {runs} runs: continuing, Ctrl-C stops")
            }
            Notice::NotAgain { name, run, why } => {
                let run = if name == run { String::new() } else { format!(" (run {run})") };
                write!(f, "note: {name}{run} is not measured again: {why}")
            }
            Notice::NotKept { baseline, why } => {
                write!(f, "note: the program of baseline {baseline} is not kept: {why}")
            }
            Notice::NoLongerKept { baseline, limit } => write!(
                f,
                "note: the program of baseline {baseline} is no longer kept: the limit is {}; raise it with `kept` under [store] of derny.toml",
                size(*limit)
            ),
            Notice::Package { side, package } => {
                let Package { name, version, from, .. } = package;
                let version = if version.is_empty() { String::new() } else { format!(" {version}") };
                write!(f, "note: {side} measures {name}{version} of {from}")
            }
            Notice::Same { sides: (one, other), how } => write!(f, "note: {one} and {other} {how}"),
            Notice::NotCarried { there, here } => write!(
                f,
                "note: the builds of the plan contain the folder {there}, but this project is in {here}: they are built again here"
            ),
            Notice::OfBuild(text) => write!(f, "note: {text}"),
            Notice::Building { what, layout } => f.write_str(&building(what, *layout)),
        }
    }
}

fn selected(cases: usize, of: usize, parts: &[String]) -> String {
    let quoted: Vec<String> = parts.iter().map(|part| format!("`{part}`")).collect();
    let parts = match quoted.len() {
        0 => String::new(),
        1 => format!("; {} is only a part of names", quoted[0]),
        _ => format!("; {} are only parts of names", quoted.join(", ")),
    };
    format!("{cases} of {of} cases{parts}")
}

fn foreign(tool: &str, files: &[String], hint: Option<&str>) -> String {
    let (first, more) = files.split_at(files.len().min(3));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let is = if files.len() == 1 { "is a benchmark" } else { "are benchmarks" };
    let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
    format!("note: {}{more} {is} of {tool}, which Derny does not execute{hint}", first.join(", "))
}

fn numbered(cases: usize, first: &str) -> String {
    let have = if cases == 1 { "case has" } else { "cases have" };
    format!(
        "warning: {cases} {have} the name and the parameters of another, and a number behind: `{first}`; a benchmark of that \
         name before it changes the number, so give each a different name"
    )
}

fn earlier(shown: &str, newest: &str, is_imported: bool) -> String {
    if is_imported {
        format!("note: this is run {shown}; run {newest} was imported since: name it to see it")
    } else {
        format!("note: this is run {shown}; run {newest} is newer and measured nothing")
    }
}

fn building(what: &str, layout: Option<(u32, u32)>) -> String {
    match layout {
        Some((number, of)) => format!("building {what}, layout {number} of {of}"),
        None => format!("building {what}"),
    }
}
