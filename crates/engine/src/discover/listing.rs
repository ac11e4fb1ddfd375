//! Lists the cases of sources in parallel, on all processors, because nothing is being measured yet.
//!
//! Some languages have a program that lists many files independently. Each thread then starts one process of
//! this program, and sends it one file after another. If listing a file fails or takes too long, a separate
//! process lists it again and reports the failure.

use crate::discover::Source;
use crate::discover::asking::Asking;
use crate::discover::wire::from_wire;
use crate::launch::LaunchSpec;
use crate::launch::fault::{self, FaultSite};
use crate::launch::link::{Fault, Link, Starting};
use crate::observe::machine;
use derny_model::{Case, Failure, Package};
use derny_protocol::{Answer, Command};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Capability of a harness that can list many files.
const FILES: &str = "files";
/// Up to this number of files, each is listed in a separate process.
const FEW: usize = 2;
/// Time limit for listing one of many files in a process. Other files wait for it, so a separate process
/// lists a slower file.
const PATIENCE: Duration = Duration::from_secs(3);
/// Number of launch times that are added to this limit. Some listers start another process for each file,
/// and that process may start slowly.
const LAUNCHES: u64 = 10;
/// Maximum number of processes that a thread starts for one launch line. If files keep crashing these
/// processes, starting them costs more time than it saves.
const MOST_PROCESSES: u32 = 4;

/// The cases of a source, and the failures of the parents and files in it that could not be listed. The
/// error is a failure of the entire source.
pub type Answered = Result<(Vec<Case>, Vec<Failure>), Box<Failure>>;

/// Lists the sources with the indices `missing`. Returns the index and the result of each source. Omits
/// sources that were not listed because the user interrupted the run.
pub fn ask_all(sources: &[Source], missing: &[usize], asking: Asking<'_>) -> Vec<(usize, Answered)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let has_lister = |&&i: &&usize| !sources[i].lister.is_empty();
    let are_many = missing.iter().filter(has_lister).count() > FEW;
    let workers = machine::at_once().min(missing.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut listers = Listers { asking, all: Vec::new() };
                while let Some(&i) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let listed = if are_many { listers.ask(&sources[i]) } else { None };
                    let answer = match listed {
                        Some(cases) => Ok((cases, Vec::new())),
                        None => ask(&sources[i], asking).map_err(Box::new),
                    };
                    let interrupted = asking.stop.load(Ordering::Relaxed);
                    if !interrupted && let Ok(mut done) = done.lock() {
                        done.push((i, answer));
                    }
                }
                listers.quit();
            });
        }
    });
    done.into_inner().unwrap_or_default()
}

/// The lister processes of one thread, by launch line.
struct Listers<'a> {
    asking: Asking<'a>,
    all: Vec<Lister>,
}

struct Lister {
    spec: LaunchSpec,
    link: Option<Link>,
    left: u32,
}

impl Listers<'_> {
    /// Returns the cases of a source's file, or `None` if a separate process must list it.
    fn ask(&mut self, source: &Source) -> Option<Vec<Case>> {
        let asking = self.asking;
        let command = source.lister_words(asking.variant);
        let root = source.root_for(asking.variant);
        let path = root.join(source.file.as_ref()?).into_os_string().into_string().ok()?;
        if command.is_empty() {
            return None;
        }
        let spec = spec(source, command, asking);
        let at = self.all.iter().position(|lister| lister.spec == spec).unwrap_or_else(|| {
            self.all.push(Lister { spec, link: None, left: MOST_PROCESSES });
            self.all.len() - 1
        });
        let lister = &mut self.all[at];
        let mut link = lister.link.take().or_else(|| lister.start(asking))?;
        let Command::List { params, test, prepare, .. } = asking.asked.command(source, None) else {
            return None;
        };
        let question = Command::List { params, test, prepare, file: Some(path) };
        let patience = PATIENCE + Duration::from_nanos(source.launch_ns.unwrap_or(0) * LAUNCHES);
        let answer = link.ask(&question, asking.timeout.min(patience), asking.stop);
        if matches!(answer, Ok(_) | Err(Fault::Failed { fatal: false, .. })) {
            lister.link = Some(link);
        } else {
            link.kill();
        }
        let Ok(Answer::Cases(cases)) = answer else { return None };
        let cases: Vec<Case> = cases.into_iter().map(|case| from_wire(source, &root, case)).collect();
        // To list the cases below a parent, a process must have read only this file.
        asking.expands(&cases).is_empty().then_some(cases)
    }

    fn quit(self) {
        let mut links: Vec<Link> = self.all.into_iter().filter_map(|lister| lister.link).collect();
        links.iter_mut().for_each(Link::dismiss);
        links.into_iter().for_each(|link| _ = link.quit(Duration::from_secs(2)));
    }
}

impl Lister {
    /// Starts a process that lists many files. Returns `None` if that fails, if the program cannot list many
    /// files, or if too many processes have crashed.
    fn start(&mut self, asking: Asking<'_>) -> Option<Link> {
        self.left = self.left.checked_sub(1)?;
        let starting = Starting::launch(&self.spec, asking.reaper, asking.trace).ok();
        let link = starting.and_then(|starting| starting.hello(asking.timeout, asking.stop).ok());
        let able = link.filter(|link| link.hello.can.iter().any(|can| can == FILES));
        if able.is_none() {
            self.left = 0;
        }
        able
    }
}

fn spec(source: &Source, command: Vec<String>, asking: Asking<'_>) -> LaunchSpec {
    let directory: PathBuf = source.root_for(asking.variant).join(&source.directory);
    let env = source.env.iter().chain(&asking.variant.env).cloned().collect();
    let descriptors = source.descriptors;
    LaunchSpec { command, env, directory, padding: 0, echo: false, capture: None, descriptors }
}

/// Starts the program of a source and reads its hello.
pub fn meet(source: &Source, asking: Asking<'_>) -> Result<Link, Failure> {
    met(source, asking, spec(source, source.words(asking.variant, 0, &[]), asking))
}

const PACKAGE: &str = "DERNY_PACKAGE";

/// Maximum length in bytes of the value of [`PACKAGE`]. Every operating system accepts an environment
/// variable of this length.
const LONGEST_VALUE: usize = 100_000;

/// Returns the packages that a process of a source loads for the benchmark files `files` and for the
/// source's own file. Empty if the process does not report packages.
///
/// # Errors
/// Fails if the program does not start.
pub fn packages(source: &Source, files: &[&str], asking: Asking<'_>) -> Result<Vec<Package>, Failure> {
    let mut spec = spec(source, source.words(asking.variant, 0, &[]), asking);
    let root = source.root_for(asking.variant);
    let mut asked = String::from("\n");
    for file in files.iter().map(|file| root.join(file).display().to_string()) {
        if asked.len() + file.len() < LONGEST_VALUE {
            asked.push_str(&file);
            asked.push('\n');
        }
    }
    spec.env.push((PACKAGE.to_owned(), asked));
    let link = met(source, asking, spec)?;
    let told = link.hello.package.chunks_exact(6).map(|words| Package {
        name: words[0].clone(),
        version: words[1].clone(),
        from: words[2].clone(),
        hash: words[3].clone(),
        hides: words[4].clone(),
        own: words[5] == "1",
    });
    let told = told.collect();
    link.quit(Duration::from_secs(2));
    Ok(told)
}

fn met(source: &Source, asking: Asking<'_>, spec: LaunchSpec) -> Result<Link, Failure> {
    let starting = Starting::launch(&spec, asking.reaper, asking.trace)
        .map_err(|fault| not_listed(source, asking, &fault, &[]))?;
    starting
        .hello(asking.timeout, asking.stop)
        .map_err(|(fault, link)| not_listed(source, asking, &fault, &link.last_words()))
}

fn not_listed(source: &Source, asking: Asking<'_>, fault: &Fault, words: &[String]) -> Failure {
    fault::listing(&FaultSite::source(source), source, asking.variant, fault, words)
}

fn ask(source: &Source, asking: Asking<'_>) -> Result<(Vec<Case>, Vec<Failure>), Failure> {
    let mut link = meet(source, asking)?;
    let failed = |fault: Fault, words: Vec<String>| not_listed(source, asking, &fault, &words);
    match link.ask(&asking.asked.command(source, None), asking.timeout, asking.stop) {
        Ok(Answer::Cases(cases)) => {
            let root = source.root_for(asking.variant);
            let (cases, mut failures) = without_errors(source, cases, asking);
            let cases = cases.into_iter().map(|case| from_wire(source, &root, case)).collect();
            let (found, below) = expand(link, source, cases, asking);
            failures.extend(below);
            Ok((found, failures))
        }
        Ok(_) => Err(failed(Fault::Unsupported("list".into()), link.last_words())),
        Err(fault) => Err(failed(fault, link.last_words())),
    }
}

fn without_errors(
    source: &Source,
    cases: Vec<derny_protocol::Case>,
    asking: Asking<'_>,
) -> (Vec<derny_protocol::Case>, Vec<Failure>) {
    let (failed, cases): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| case.error.is_some());
    let root = source.root_for(asking.variant);
    let failure = |case: derny_protocol::Case| {
        let listed = from_wire(source, &root, case.clone());
        let place = listed.file.clone().map_or_else(|| FaultSite::listed(&listed), FaultSite::file);
        let message = case.error.unwrap_or_default();
        let fault = Fault::Failed { message, detail: case.detail, fatal: false };
        fault::listing(&place, source, asking.variant, &fault, &[])
    };
    (cases, failed.into_iter().map(failure).collect())
}

/// Replaces each parent that may contain selected cases with the cases below it. If a parent ends the
/// process, adds one failure and continues with the next parent in a new process.
fn expand(link: Link, source: &Source, cases: Vec<Case>, asking: Asking<'_>) -> (Vec<Case>, Vec<Failure>) {
    let root = source.root_for(asking.variant);
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    let mut link = Some(link);
    let wanted = asking.expands(&cases);
    for case in cases {
        if !wanted.contains(&case.id) {
            found.push(case);
            continue;
        }
        let (benchmark, params) = (case.id.benchmark.clone(), case.id.params.clone());
        let timeout =
            case.timeout_ns.map_or(asking.timeout, |ns| asking.timeout.min(Duration::from_nanos(ns)));
        let mut live = match link.take().map_or_else(|| meet(source, asking), Ok) {
            Ok(live) => live,
            Err(failure) => {
                failures.push(failure);
                break;
            }
        };
        let fault = match live.ask(&Command::Expand { benchmark, params }, timeout, asking.stop) {
            Ok(Answer::Cases(below)) => {
                let below = below.into_iter().map(|case| from_wire(source, &root, case));
                found.extend(below.map(|case| Case { parent: false, ..case }));
                link = Some(live);
                continue;
            }
            Ok(_) => Fault::Unsupported("expand".into()),
            Err(fault) => fault,
        };
        let place = FaultSite::listed(&case);
        failures.push(fault::failure(&place, "expand", &fault, &live.last_words()));
        match fault {
            Fault::Failed { fatal: false, .. } | Fault::Unsupported(_) => link = Some(live),
            _ => _ = live.kill(),
        }
        if asking.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    if let Some(link) = link {
        link.quit(Duration::from_secs(2));
    }
    (found, failures)
}
