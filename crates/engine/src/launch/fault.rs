//! Converts faults of a conversation to failures in four parts.

use crate::discover::{Source, pattern};
use crate::launch::link::{Fault, Link};
use crate::os::Ended;
use derny_model::{Case, Failure, FailureCode, Variant};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Location of a failure, from general to specific.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaultSite {
    words: Vec<String>,
    case: Option<u32>,
    variant: Option<u32>,
}

impl FaultSite {
    /// Returns the site for a program that contains benchmarks.
    pub fn source(source: &Source) -> FaultSite {
        let name = source.file.clone().unwrap_or_else(|| source.command.join(" "));
        FaultSite { words: vec![name], ..FaultSite::default() }
    }

    /// Returns the site for a listed case that is not in a process yet.
    pub fn listed(case: &Case) -> FaultSite {
        let words = [case.id.to_string()].into_iter().chain(case.file.clone()).collect();
        FaultSite { words, ..FaultSite::default() }
    }

    /// Returns the site for one of several benchmark files of a program.
    pub fn file(file: String) -> FaultSite {
        FaultSite { words: vec![file], ..FaultSite::default() }
    }

    /// Returns the site for a case in a process of a variant.
    pub fn case(index: u32, case: &Case, runtime: &str, (process, variant): (u32, u32)) -> FaultSite {
        let mut words = vec![case.id.to_string()];
        words.extend(case.file.clone());
        if !runtime.is_empty() {
            words.push(runtime.replace('/', " "));
        }
        words.push(format!("process {process}"));
        FaultSite { words, case: Some(index), variant: Some(variant) }
    }
}

/// Converts a fault before or during `list` into a failure.
pub fn listing(
    place: &FaultSite,
    source: &Source,
    variant: &Variant,
    fault: &Fault,
    last_words: &[String],
) -> Failure {
    let mut failure = failure(place, "list", fault, last_words);
    if let Fault::Start(_) = fault {
        not_started(&mut failure, source, variant);
    } else if !matches!(fault, Fault::Start(_) | Fault::Ended(_)) {
        failure.code = FailureCode::DY310;
        failure.what = match fault {
            // No benchmark ran. The harness's message already explains why the file could not be read.
            Fault::Failed { .. } => "the benchmarks of this file could not be listed".into(),
            _ => format!("the benchmarks of this file could not be listed: {}", failure.what),
        };
        if let Fault::Failed { .. } = fault {
            failure.remedy = "fix the file; `derny list FILE` checks that it can be read".into();
        }
    }
    failure
}

/// Completes the failure of a program that could not be started. If a variant names the program, the
/// summary names it too, and the remedy lists similar programs. Otherwise, the remedy is the command that
/// installs the runtime, if the convention has one.
pub fn not_started(failure: &mut Failure, source: &Source, variant: &Variant) {
    let Some(program) = variant.command.as_ref().and_then(|words| words.first()) else {
        if let Some(install) = &source.install {
            failure.remedy.clone_from(install);
        }
        return;
    };
    failure.what = format!("`{program}`, the program of variant {}, could not be started", variant.name);
    let near = programs_like(program, &source.root_for(variant).join(&source.directory));
    failure.remedy = match near.is_empty() {
        true => "use -x NAME=PROGRAM with a program on the PATH, or a path relative to the project's root"
            .to_owned(),
        false => format!("use {}", near.join(" or ")),
    };
}

/// Returns programs with similar names: in the folder of `program`, or on the `PATH` if `program` is a
/// plain name.
fn programs_like(program: &str, directory: &Path) -> Vec<String> {
    let (folder, name) = match program.rsplit_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, program),
    };
    let folders: Vec<PathBuf> = match folder {
        Some(folder) => vec![directory.join(folder)],
        None => std::env::var_os("PATH").map_or(Vec::new(), |path| std::env::split_paths(&path).collect()),
    };
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let like = pattern::closest(name, names.iter().map(String::as_str));
    like.into_iter()
        .map(|name| folder.map_or_else(|| format!("`{name}`"), |folder| format!("`{folder}/{name}`")))
        .collect()
}

/// Converts a fault of a live harness to a failure. `doing` is the step that failed (`launch`, `open`,
/// `measure`, …).
pub fn of_link(place: &FaultSite, doing: &str, fault: &Fault, link: &Link) -> Failure {
    failure(place, doing, fault, &link.last_words())
}

/// Converts a fault to a failure. `doing` is the step that failed, and `last_words` is the last output
/// of the program.
pub fn failure(place: &FaultSite, doing: &str, fault: &Fault, last_words: &[String]) -> Failure {
    let (code, what, mut why, remedy) = parts(doing, fault);
    let throws = matches!(fault, Fault::Failed { .. });
    if !last_words.is_empty() && !throws {
        why.push_str("; last lines of its output:");
        for line in last_words {
            why.push_str("\n  ");
            why.push_str(line);
        }
    }
    Failure { code, what, case: place.case, variant: place.variant, place: place.words.clone(), why, remedy }
}

/// The parts of a failure: code, summary, reason and remedy.
type Parts = (FailureCode, String, String, String);

fn parts(doing: &str, fault: &Fault) -> Parts {
    match fault {
        Fault::Start(error) => (
            FailureCode::DY301,
            "the harness could not be started".into(),
            error.to_string(),
            "check that the program is installed and on the PATH, or name it with -x NAME=COMMAND".into(),
        ),
        Fault::Ended(ended) => ended_parts(doing, ended),
        Fault::TimedOut(time) => (
            FailureCode::DY305,
            format!("no answer {} within {}", during(doing), seconds(*time)),
            "the body, its set-up or the harness hangs, or takes longer than the timeout".into(),
            "use a longer timeout (--set timeout=TIME), or smaller parameters with -p".into(),
        ),
        Fault::Protocol(error) => (
            if is_lie(error) { FailureCode::DY308 } else { FailureCode::DY306 },
            if is_lie(error) {
                "the harness's counts are impossible".into()
            } else {
                "the harness broke the protocol".into()
            },
            format!("{error} {}", during(doing)),
            "`derny dev conform -- COMMAND` shows which rule the harness breaks".into(),
        ),
        Fault::Failed { message, detail, .. } => thrown_parts(doing, message, detail.as_deref()),
        Fault::Unsupported(verb) => (
            FailureCode::DY306,
            format!("the harness does not support `{verb}`"),
            "Derny needs this command here, or the harness declares it without supporting it".into(),
            "update the SDK of this language".into(),
        ),
        Fault::Interrupted => (
            FailureCode::DY303,
            "interrupted".into(),
            "the user stopped the run".into(),
            "continue with --resume".into(),
        ),
    }
}

fn during(doing: &str) -> String {
    match doing {
        "launch" => "before its first line".to_string(),
        other => format!("during `{other}`"),
    }
}

/// Returns the parts for a harness whose process has ended.
fn ended_parts(doing: &str, ended: &Ended) -> Parts {
    if ended.signal.is_some() {
        return (
            FailureCode::DY304,
            format!("the harness crashed {}", during(doing)),
            ended.text(),
            "run the file alone under a debugger; the other cases continued".into(),
        );
    }
    let when = match doing {
        "list" => "before it had listed its benchmarks".to_string(),
        other => during(other),
    };
    let (code, remedy) = match doing {
        "launch" | "list" => (
            FailureCode::DY302,
            "run the file alone to see its requirements (`derny -vv list FILE` shows the launch line)",
        ),
        _ => (FailureCode::DY303, "look for a call that ends the process inside the benchmark"),
    };
    (code, format!("the harness ended {when}"), status(ended), remedy.into())
}

/// Returns the parts for a benchmark that threw an exception with `message`.
fn thrown_parts(doing: &str, message: &str, detail: Option<&str>) -> Parts {
    let why = detail.filter(|detail| !detail.is_empty()).map_or_else(
        || message.to_owned(),
        |detail| {
            let detail: String = detail.lines().take(12).collect::<Vec<_>>().join("\n  ");
            if detail.contains(message) { detail } else { format!("{message}\n  {detail}") }
        },
    );
    let (code, remedy) = match doing {
        "check" => (FailureCode::DY312, "fix the benchmark, or its parameters with -p"),
        _ => (FailureCode::DY307, "run the case once with `derny run --once` and fix the benchmark"),
    };
    (code, format!("the benchmark threw {}", during(doing)), why, remedy.into())
}

/// Describes how a process ended.
fn status(ended: &Ended) -> String {
    match (ended.code, ended.signal) {
        (None, None) => "its exit status is unknown, because another program started it".into(),
        _ => ended.text(),
    }
}

fn is_lie(error: &derny_protocol::ProtocolError) -> bool {
    use derny_protocol::ProtocolError as E;
    matches!(
        error,
        E::TooManyTimes { .. } | E::NoTimes | E::OpsNotParallel { .. } | E::NoOps | E::CounterCount { .. }
    )
}

/// Returns the failure of a harness whose memory exceeded the limit.
pub fn memory(place: &FaultSite, resident: u64, limit: u64) -> Failure {
    let mib = |bytes: u64| bytes / (1024 * 1024);
    Failure {
        code: FailureCode::DY311,
        what: "the harness's memory grew beyond the limit".into(),
        case: place.case,
        variant: place.variant,
        place: place.words.clone(),
        why: format!("its resident size was {} MiB, and the limit is {} MiB", mib(resident), mib(limit)),
        remedy: "look for data that each call keeps, or raise the limit with --set memory=SIZE".into(),
    }
}

/// Returns the failure of a harness that prints endlessly.
pub fn flood(place: &FaultSite, printed: u64) -> Failure {
    Failure {
        code: FailureCode::DY313,
        what: "the benchmark prints without end".into(),
        case: place.case,
        variant: place.variant,
        place: place.words.clone(),
        why: format!(
            "it wrote {} MiB to standard output and standard error, and the time includes \
            that",
            printed >> 20
        ),
        remedy: "remove the printing from the body; return a value that must not be optimised away".into(),
    }
}

fn seconds(time: Duration) -> String {
    if time.as_millis() < 1000 {
        format!("{} ms", time.as_millis())
    } else {
        format!("{:.0} s", time.as_secs_f64())
    }
}
