//! The catalogue: the cases of every source (`listing`), remembered in an index so that the next lookup
//! starts no process.

use crate::discover::listing;
use crate::discover::names;
use crate::discover::pattern::Selector;
use crate::discover::{COMMAND, Source};
use crate::hash::Fnv;
use crate::launch::reaper::Reaper;
use derny_model::{Case, CaseId, Collector, Direction, Failure, Kind, Metric, Timing, Variant};
use derny_protocol::Command;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A cache of the catalogues of sources.
pub trait Index {
    /// Returns the cases under a key.
    fn get(&self, key: &str) -> Option<Vec<Case>>;
    /// Stores cases under a key.
    fn put(&self, key: &str, cases: &[Case]);
}

/// An index that stores nothing.
#[derive(Debug)]
pub struct NoIndex;

impl Index for NoIndex {
    fn get(&self, _key: &str) -> Option<Vec<Case>> {
        None
    }
    fn put(&self, _key: &str, _cases: &[Case]) {}
}

/// The options with which sources were asked for their cases.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Values that override the benchmarks' own (`-p`).
    pub params: Vec<(String, Vec<String>)>,
    /// Use the smallest valid form of each benchmark.
    pub test: bool,
}

impl Asked {
    /// Returns the command that lists cases. The user's values override the source's.
    pub(crate) fn command(&self, source: &Source, prepare: Option<String>) -> Command {
        let mut params = source.params.clone();
        params.retain(|(name, _)| self.params.iter().all(|(other, _)| other != name));
        params.extend_from_slice(&self.params);
        Command::List { params, test: self.test, prepare, file: None }
    }
}

/// The cases that can be measured. `Catalogue::source_of[i]` launches `cases[i]`.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The programs.
    pub sources: Vec<Source>,
    /// The cases, in order of source and of the harness's own list.
    pub cases: Vec<Case>,
    /// Index into `sources`, parallel to `cases`.
    pub source_of: Vec<usize>,
    /// All listed cases, selected or not, each with its source: the candidates for partners.
    pub listed: Vec<(Case, usize)>,
    /// The case that a variant opens instead of the case itself, with its source, by case and variant.
    pub partners: BTreeMap<(u32, u32), (Case, usize)>,
    /// The options with which they were listed.
    pub asked: Asked,
}

/// Everything that listing needs.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// The options.
    pub asked: &'a Asked,
    /// The selection. Parents that cannot contain selected cases are not expanded.
    pub selector: &'a Selector,
    /// The variant that lists: the first one.
    pub variant: &'a Variant,
    /// Time limit for the first line and for the list.
    pub timeout: Duration,
    /// The reaper that ends the processes if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Show the protocol.
    pub trace: bool,
    /// Set when the user interrupts.
    pub stop: &'a AtomicBool,
}

/// Lists the cases of every source. A source that cannot be listed becomes a failure; the others are
/// unaffected.
pub fn list(sources: Vec<Source>, asking: Asking<'_>, index: &dyn Index) -> (Catalogue, Vec<Failure>) {
    let keys: Vec<String> = sources.iter().map(|source| key(source, asking)).collect();
    // The cached list does not suffice if a selected parent has not been expanded yet.
    let is_whole = |cases: &Vec<Case>| asking.expands(cases).is_empty();
    let known = |key: &String| index.get(key).filter(is_whole).map(|cases| (cases, Vec::new()));
    let mut answers: Vec<Option<listing::Answered>> = keys.iter().map(|key| known(key).map(Ok)).collect();
    let missing: Vec<usize> = (0..sources.len()).filter(|&i| answers[i].is_none()).collect();
    for (i, answer) in listing::ask_all(&sources, &missing, asking) {
        if let Ok((cases, failures)) = &answer
            && failures.is_empty()
        {
            index.put(&keys[i], cases);
        }
        answers[i] = Some(answer);
    }
    let mut catalogue = Catalogue::default();
    let mut failures = Vec::new();
    for (i, answer) in answers.into_iter().enumerate() {
        match answer {
            Some(Ok((mut cases, below))) => {
                failures.extend(below);
                cases.retain(|case| !case.parent);
                catalogue.source_of.extend(cases.iter().map(|_| i));
                catalogue.cases.extend(cases);
            }
            Some(Err(failure)) => failures.push(*failure),
            None => {}
        }
    }
    catalogue.sources = sources;
    failures.extend(names::tell_apart(&mut catalogue));
    catalogue.asked = asking.asked.clone();
    catalogue.listed = catalogue.cases.iter().cloned().zip(catalogue.source_of.iter().copied()).collect();
    (catalogue, failures)
}

impl Catalogue {
    /// Keeps the cases for which `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(&Case) -> bool) {
        let kept: Vec<bool> = self.cases.iter().map(keep).collect();
        let mut flags = kept.iter();
        self.cases.retain(|_| *flags.next().unwrap_or(&false));
        let mut flags = kept.iter();
        self.source_of.retain(|_| *flags.next().unwrap_or(&false));
    }

    /// Returns the source of a case.
    pub fn source(&self, case: u32) -> &Source {
        &self.sources[self.source_of[case as usize]]
    }

    /// Returns the case that a variant opens for a case, and its source: the case itself or its partner.
    pub fn opened(&self, case: u32, variant: u32) -> (&Case, &Source) {
        match self.partners.get(&(case, variant)) {
            Some((partner, source)) => (partner, &self.sources[*source]),
            None => (&self.cases[case as usize], self.source(case)),
        }
    }
}

fn key(source: &Source, asking: Asking<'_>) -> String {
    let mut hash = Fnv::new();
    // The folder's name identifies the SDK's files.
    hash.write(env!("CARGO_PKG_VERSION").as_bytes()).write(source.sdk.as_os_str().as_encoded_bytes());
    hash.write(b"cases with keys of global set-up, and with their runner");
    hash.write(source.hash.as_bytes()).write(source.suite.as_bytes()).write(&[u8::from(asking.asked.test)]);
    let words = source.words(asking.variant, 0, &[]);
    words.iter().for_each(|word| _ = hash.write(word.as_bytes()));
    // A program that was rebuilt may contain other benchmarks.
    let directory = source.root_for(asking.variant).join(&source.directory);
    hash.write(&crate::launch::binary::stamp(&words, &directory).to_le_bytes());
    for (name, values) in source.params.iter().chain(&asking.asked.params) {
        hash.write(name.as_bytes());
        values.iter().for_each(|value| _ = hash.write(value.as_bytes()));
    }
    for (name, value) in source.env.iter().chain(&asking.variant.env) {
        hash.write(name.as_bytes()).write(value.as_bytes());
    }
    format!("{:016x}", hash.finish())
}

impl Asking<'_> {
    /// Returns the cases below which others must be found.
    pub(crate) fn expands(&self, cases: &[Case]) -> Vec<CaseId> {
        self.selector.may_hold(cases).into_iter().map(|case| case.id.clone()).collect()
    }
}

/// Returns the file of a case, for selection, and the line in it. The file is the launched one, relative to
/// the root. A harness may report another file, where the benchmark is defined; that one takes precedence for
/// a command of the user and for a file that the suite covers. A variant of another revision reports files
/// below a root of its own.
fn file_and_line(
    source: &Source,
    root: &Path,
    file: Option<String>,
    line: Option<u32>,
) -> (Option<String>, Option<u32>) {
    let told = file.map(|file| {
        let path = Path::new(&file);
        let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(&source.root));
        below.map(|path| path.display().to_string()).unwrap_or(file)
    });
    let (known, launched) = (told.clone(), source.file.clone());
    let is_covered = |file: &String| source.covers.binary_search(file).is_ok();
    let knows = source.harness == COMMAND || told.as_ref().is_some_and(is_covered);
    let file = if knows { known.or(launched) } else { launched.or(known) };
    let line = line.filter(|_| told.is_none() || told == file);
    (file, line)
}

/// Returns the catalogue of a program that has already listed its cases.
///
/// # Errors
/// Several cases have one name, and the program cannot distinguish them.
pub(crate) fn of_one(source: Source, cases: Vec<derny_protocol::Case>) -> Result<Catalogue, Failure> {
    let cases: Vec<Case> = cases.into_iter().map(|case| from_wire(&source, &source.root, case)).collect();
    let source_of = vec![0; cases.len()];
    let mut catalogue = Catalogue { sources: vec![source], cases, source_of, ..Catalogue::default() };
    if let Some(failure) = names::tell_apart(&mut catalogue).into_iter().next() {
        return Err(failure);
    }
    catalogue.listed = catalogue.cases.iter().map(|case| (case.clone(), 0)).collect();
    Ok(catalogue)
}

pub(crate) fn from_wire(source: &Source, root: &Path, case: derny_protocol::Case) -> Case {
    let (file, line) = file_and_line(source, root, case.file, case.line);
    Case {
        id: CaseId { suite: source.suite.clone(), benchmark: case.benchmark, params: case.params },
        harness: source.harness.clone(),
        file,
        line,
        timing: match case.timing {
            derny_protocol::Timing::Loop => Timing::Loop,
            derny_protocol::Timing::SelfTimed => Timing::SelfTimed,
        },
        again: case.again,
        scale: case.scale,
        runner: case.runner,
        args: case.args,
        env: case.env,
        max_iterations: case.max_iterations,
        max_batches: case.max_batches,
        fresh: case.fresh,
        ops: case.ops.unwrap_or(1.0),
        unit: case.unit,
        bytes: case.bytes,
        items: case.items,
        threads: case.threads,
        isolate: case.isolate,
        global_setup: case.prepared,
        about_ns: case.about_ns,
        least_batch_ns: case.least_batch_ns,
        count_ns: case.count_ns,
        timeout_ns: case.timeout_ns,
        module: case.suite,
        at: case.at,
        skip: case.skip,
        metrics: case.metrics.iter().map(metric).collect(),
        parent: case.parent,
        group: case.group,
        tags: case.tags,
        called: None,
        printed: None,
    }
}

/// Converts a harness's declaration about its collector to the model.
pub fn collector(collector: derny_protocol::Collector) -> Collector {
    match collector {
        derny_protocol::Collector::None => Collector::None,
        derny_protocol::Collector::Counted => Collector::Counted,
        derny_protocol::Collector::Untold => Collector::Untold,
    }
}

/// Converts a declared metric to the model.
pub fn metric(metric: &derny_protocol::Metric) -> Metric {
    let direction = match metric.direction {
        derny_protocol::Direction::Less => Direction::Less,
        derny_protocol::Direction::More => Direction::More,
        derny_protocol::Direction::None => Direction::None,
    };
    let kind = match metric.kind {
        derny_protocol::Kind::Total => Kind::Total,
        derny_protocol::Kind::Level => Kind::Level,
        derny_protocol::Kind::Peak => Kind::Peak,
        derny_protocol::Kind::Rate => Kind::Rate,
    };
    Metric { name: metric.name.clone(), unit: metric.unit.clone(), kind, direction, exact: metric.exact }
}

/// Returns the command that opens a case.
pub fn open(case: &Case) -> Command {
    Command::Open { benchmark: case.called().to_owned(), params: case.id.params.clone(), at: case.at.clone() }
}

/// Converts a case to the form that the protocol's session needs before `open`.
pub fn to_wire(case: &Case) -> derny_protocol::Case {
    derny_protocol::Case {
        benchmark: case.called().to_owned(),
        params: case.id.params.clone(),
        timing: match case.timing {
            Timing::Loop => derny_protocol::Timing::Loop,
            Timing::SelfTimed => derny_protocol::Timing::SelfTimed,
        },
        metrics: case
            .metrics
            .iter()
            .map(|m| derny_protocol::Metric {
                name: m.name.clone(),
                unit: m.unit.clone(),
                kind: match m.kind {
                    Kind::Total => derny_protocol::Kind::Total,
                    Kind::Level | Kind::Reported => derny_protocol::Kind::Level,
                    Kind::Peak => derny_protocol::Kind::Peak,
                    Kind::Rate => derny_protocol::Kind::Rate,
                },
                direction: match m.direction {
                    Direction::Less => derny_protocol::Direction::Less,
                    Direction::More => derny_protocol::Direction::More,
                    Direction::None => derny_protocol::Direction::None,
                },
                exact: m.exact,
            })
            .collect(),
        ..derny_protocol::Case::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover;

    #[test]
    fn a_case_is_in_the_file_that_is_launched() {
        let root = Path::new("/p");
        let command = discover::command(root, &["./bench".to_string()]);
        let found = Source { harness: "node".into(), file: Some("a.bench.js".into()), ..command.clone() };
        let of = |source, file: &str| file_and_line(source, root, Some(file.to_string()), Some(3));
        assert_eq!(of(&found, "/p/a.bench.js"), (Some("a.bench.js".into()), Some(3)));
        assert_eq!(
            of(&found, "/p/lib/shared.js"),
            (Some("a.bench.js".into()), None),
            "not a line of that file"
        );
        assert_eq!(of(&command, "/p/src/b.c"), (Some("src/b.c".into()), Some(3)));
        assert_eq!(of(&command, "/elsewhere/b.c"), (Some("/elsewhere/b.c".into()), Some(3)));
        assert_eq!(file_and_line(&found, root, None, Some(3)), (Some("a.bench.js".into()), Some(3)));
        let (worktree, file) = (Path::new("/trees/main"), Some("/trees/main/a.bench.js".to_string()));
        assert_eq!(
            file_and_line(&found, worktree, file, Some(3)),
            (Some("a.bench.js".into()), Some(3)),
            "of another revision"
        );
    }
}
