//! Notices: messages to the user that are not results, as data.

use crate::config::units::size;
use derny_engine::discover::pattern::Chosen;
use derny_model::words::counted;
use derny_model::{Case, Package, Problem};
use std::fmt;

/// The importance of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The notice explains why nothing was measured.
    Error,
    /// The notice reports something that the user may not expect.
    Note,
    /// The notice only shows progress.
    Progress,
}

/// A message. `Display` formats it for the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// There is nothing to measure. The problem has the reason and a remedy.
    Nothing(Problem),
    /// The patterns selected only some of the cases.
    Selected {
        /// Number of selected cases.
        cases: usize,
        /// Number of all cases.
        of: usize,
        /// Patterns that match only parts of names, rather than whole names or whole words of them.
        parts: Vec<String>,
    },
    /// Benchmark files of another tool were found and ignored.
    Foreign {
        /// Name of the tool.
        tool: String,
        /// Paths of the files.
        files: Vec<String>,
        /// A command that the user can run instead.
        hint: Option<String>,
    },
    /// The cases of a file could not be listed. No selected case is known to be in it.
    NotListed {
        /// Path of the file.
        file: String,
        /// The reason, on one line.
        why: String,
    },
    /// Cases with the same name and parameters were numbered, to distinguish them.
    Numbered {
        /// Number of numbered cases.
        cases: usize,
        /// Name of the first numbered case, with its number.
        first: String,
    },
    /// An earlier run is shown, because the newest one measured nothing or was imported from another tool.
    Earlier {
        /// Id of the run that is shown.
        shown: String,
        /// Id of the newest run.
        newest: String,
        /// True if the newest run was imported. False if it measured nothing.
        is_imported: bool,
    },
    /// A case is not measured, because a variant has no counterpart for it.
    LeftOut {
        /// Name of the case.
        case: String,
        /// The reason, as a clause.
        why: String,
    },
    /// Some of the selected cases lack a parameter for which the user gave a value.
    WithoutParameter {
        /// Name of the parameter.
        key: String,
        /// Number of cases without the parameter.
        cases: usize,
        /// Number of selected cases.
        of: usize,
    },
    /// No case has a metric with this name.
    NoMetric(String),
    /// No harness has a mode with this name.
    NoMode(String),
    /// No SDK of the selected cases has a diagnosis with this name.
    NoDiagnosis {
        /// The requested name.
        name: String,
        /// Names of the available diagnoses.
        known: Vec<String>,
    },
    /// The measurement is over, and the diagnoses begin.
    Diagnosing,
    /// Some cases have no verdict yet, so another run follows.
    GoingOn {
        /// Number of cases without a verdict.
        undecided: usize,
        /// Number of runs so far.
        runs: u32,
    },
    /// A baseline is not measured again, so its stored results are compared.
    NotAgain {
        /// Name by which the user referred to the baseline.
        name: String,
        /// Id of the baseline's stored run.
        run: String,
        /// The reason, as one sentence.
        why: String,
    },
    /// The program of a baseline could not be kept for later runs.
    NotKept {
        /// Name of the baseline.
        baseline: String,
        /// The reason, as one sentence.
        why: String,
    },
    /// The kept program of a baseline was removed to make room.
    NoLongerKept {
        /// Name of the baseline.
        baseline: String,
        /// Total size limit of kept programs in bytes.
        limit: u64,
    },
    /// The command waits until another measurement on this machine ends.
    Queued {
        /// Process id of the other engine, if it is known.
        engine: Option<u32>,
    },
    /// A variant or a layout is being built.
    Building {
        /// The variant, with its commit if it has one.
        what: String,
        /// The number of the layout (from 1) and the number of layouts, if there are several.
        layout: Option<(u32, u32)>,
    },
    /// Builds in a plan cannot be used, because they contain the path of another folder.
    NotCarried {
        /// The folder in which the builds were made.
        there: String,
        /// The project's folder on this machine.
        here: String,
    },
    /// The package that a side measures, and the place from which it is loaded.
    Package {
        /// Name of the side.
        side: String,
        /// The package and its location.
        package: Package,
    },
    /// A revision was chosen as the base.
    Base {
        /// Hash of the commit.
        commit: String,
        /// The upstream branch, which also contains the commit.
        upstream: String,
        /// True if the commit is checked out.
        is_head: bool,
    },
    /// A word selects cases, although a revision has a similar name.
    NotRevision {
        /// The word on the command line.
        word: String,
        /// Name of the revision.
        near: String,
    },
    /// Two sides run the same code.
    Same {
        /// Names of the two sides.
        sides: (String, String),
        /// Predicate of the sentence that begins with both names.
        how: String,
    },
    /// A remark that a successful build printed for the user.
    OfBuild(String),
}

impl Notice {
    /// Returns a notice with the number of selected cases. None if all were selected.
    pub fn selected(chosen: &Chosen) -> Option<Notice> {
        let (cases, of) = (chosen.count(), chosen.of);
        (cases < of).then(|| Notice::Selected { cases, of, parts: chosen.parts.clone() })
    }

    /// Returns a notice about numbered cases. None if no case got a number.
    pub fn numbered(cases: &[Case]) -> Option<Notice> {
        let numbered: Vec<&Case> = cases.iter().filter(|case| case.called.is_some()).collect();
        let first = numbered.first()?.id.to_string();
        Some(Notice::Numbered { cases: numbered.len(), first })
    }

    /// Returns the importance of the notice.
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
            | Notice::Base { .. }
            | Notice::NotRevision { .. }
            | Notice::Same { .. }
            | Notice::NoMode(_)
            | Notice::NoDiagnosis { .. }
            | Notice::NotAgain { .. }
            | Notice::NotKept { .. }
            | Notice::Queued { .. }
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
                write!(f, "note: {file} cannot be read: {why}; `derny list {file}` shows the error")
            }
            Notice::LeftOut { case, why } => write!(f, "note: `{case}` is skipped: {why}"),
            Notice::WithoutParameter { key, cases, of } => {
                let have = if *cases == 1 { "has" } else { "have" };
                write!(f, "note: {cases} of {of} cases {have} no parameter `{key}`; they run unchanged")
            }
            Notice::NoMetric(name) => write!(
                f,
                "note: no case has a metric `{name}`; `derny export --raw` shows the available counters"
            ),
            Notice::NoMode(name) => write!(
                f,
                "note: no harness measured in a mode `{name}`; `derny dev conform --list -- COMMAND` shows the modes of a harness"
            ),
            Notice::NoDiagnosis { name, known } => {
                let there = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                write!(f, "note: no SDK of these cases has a diagnosis `{name}`; available: {there}")
            }
            Notice::Diagnosing => f.write_str("running the requested diagnoses"),
            Notice::GoingOn { undecided, runs } => {
                let cases = counted(*undecided, "case is", "cases are");
                let runs = counted(*runs as usize, "run", "runs");
                write!(f, "{cases} undecided after {runs}: continuing; press Ctrl-C to stop")
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
                "note: the program of baseline {baseline} is no longer kept: the limit is {}; raise it with `kept-programs` in derny.toml",
                size(*limit)
            ),
            Notice::Package { side, package } => f.write_str(&measures(side, package)),
            Notice::Base { commit, upstream, is_head } => f.write_str(&base(commit, upstream, *is_head)),
            Notice::NotRevision { word, near } => f.write_str(&not_revision(word, near)),
            Notice::Same { sides: (one, other), how } => write!(f, "note: {one} and {other} {how}"),
            Notice::NotCarried { there, here } => write!(
                f,
                "note: the builds of the plan are for the folder {there}, but this project is in {here}: \
                    building them again"
            ),
            Notice::OfBuild(text) => write!(f, "note: {text}"),
            Notice::Queued { engine } => f.write_str(&queued(*engine)),
            Notice::Building { what, layout } => f.write_str(&building(what, *layout)),
        }
    }
}

fn queued(engine: Option<u32>) -> String {
    let engine = engine.map_or(String::new(), |pid| format!(" (process {pid})"));
    format!(
        "waiting for another measurement on this machine{engine}; use --no-queue to measure without waiting"
    )
}

fn measures(side: &str, package: &Package) -> String {
    let Package { name, version, from, .. } = package;
    let version = if version.is_empty() { String::new() } else { format!(" {version}") };
    format!("note: {side} imports {name}{version} from {from}")
}

fn base(commit: &str, upstream: &str, is_head: bool) -> String {
    let commit = commit.get(..10).unwrap_or(commit);
    match is_head {
        true => format!("note: base is {commit}, the current commit, which {upstream} contains"),
        false => format!("note: base is {commit}, the last commit shared with {upstream}"),
    }
}

fn not_revision(word: &str, near: &str) -> String {
    format!("note: `{word}` is not a revision, so it selects cases; did you mean `derny diff {near}`?")
}

fn selected(cases: usize, of: usize, parts: &[String]) -> String {
    let quoted: Vec<String> = parts.iter().map(|part| format!("`{part}`")).collect();
    let parts = match quoted.len() {
        0 => String::new(),
        1 => format!("; {} matches only parts of names", quoted[0]),
        _ => format!("; {} match only parts of names", quoted.join(", ")),
    };
    format!("{cases} of {of} cases{parts}")
}

fn foreign(tool: &str, files: &[String], hint: Option<&str>) -> String {
    let (first, more) = files.split_at(files.len().min(3));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let is = if files.len() == 1 { "is a benchmark" } else { "are benchmarks" };
    let hint = hint.map_or_else(String::new, |hint| format!("; {hint}"));
    format!("note: {}{more} {is} of {tool}, which Derny does not run{hint}", first.join(", "))
}

fn numbered(cases: usize, first: &str) -> String {
    let have = if cases == 1 { "case has" } else { "cases have" };
    format!(
        "warning: {cases} {have} the same name and parameters as another, and got a number, such as `{first}`; give each benchmark a unique name, because the numbers depend on the order"
    )
}

fn earlier(shown: &str, newest: &str, is_imported: bool) -> String {
    if is_imported {
        format!("note: this is run {shown}; run {newest} was imported later; `derny show {newest}` shows it")
    } else {
        format!("note: this is run {shown}; run {newest} is newer, but measured nothing")
    }
}

fn building(what: &str, layout: Option<(u32, u32)>) -> String {
    match layout {
        Some((number, of)) => format!("building {what}, layout {number} of {of}"),
        None => format!("building {what}"),
    }
}
