//! Converts results to cases. Configuration that varies becomes part of a case, and constant configuration
//! describes the run.

use super::line::{Configuration, PACKAGE};
use super::reader::Reader;
use super::units;
use crate::cases::{CaseIdentity, add_param};
use crate::foreign::{Foreign, NO_TIME, Sample};
use crate::time;
use derny_model::{Commit, Direction, Kind, Metric};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

pub(crate) const NO_PACKAGE: &str = "go";
/// Parameter for the suffix of a name, such as `-8`, if suffixes differ.
const PROCESSORS: &str = "cpu";
/// Machine setting for the suffix, if all names have the same one.
const ALL_PROCESSORS: &str = "GOMAXPROCS";

pub(super) fn foreign(reader: Reader<'_>) -> Foreign {
    let (constant, changing) = keys(&reader.configurations);
    let mut foreign = Foreign::new(tool(&constant), "go");
    describe(&mut foreign, constant);
    let suffixes: BTreeSet<Option<&str>> = reader.names.list.iter().map(|name| parted(name).1).collect();
    if let (1, Some(Some(only))) = (suffixes.len(), suffixes.first()) {
        foreign.machine.facts.insert(ALL_PROCESSORS.to_owned(), (*only).to_owned());
    }
    let scheme = Scheme { changing: &changing, suffixes: &suffixes };
    let lists: Vec<List> = reader.lists.list.iter().map(|units| List::new(&reader, units)).collect();
    unknown(&mut foreign, &reader, &lists);
    let mut places: HashMap<(u32, u32), usize> = HashMap::new();
    let mut counts: Vec<usize> = Vec::new();
    let (mut none, mut measured) = (BTreeSet::new(), Vec::new());
    let mut left = &reader.values[..];
    for row in reader.rows {
        let case = *places.entry((row.name, row.configuration)).or_insert_with(|| {
            let name = scheme.measured(reader.names.list[row.name as usize]);
            case(&mut foreign, name, &reader.configurations[row.configuration as usize], &scheme)
        });
        let list = &lists[row.units as usize];
        foreign.declare(case, list.metrics.iter().filter(|metric| metric.name != units::SHOWN_ANYWAY));
        counts.resize(counts.len().max(case + 1), 0);
        let process = counts[case];
        counts[case] += 1;
        if process == foreign.processes.len() {
            foreign.process(0, process);
        }
        let (values, others) = left.split_at(list.length);
        left = others;
        let sample = list.sample(row.iterations, values);
        if list.time.is_some() && sample.untimed {
            foreign.leave_out(case, 1);
            none.insert(case);
            // Skip the line only if none of its metrics is valid.
            if sample.counters.iter().all(Option::is_none) {
                continue;
            }
        }
        measured.resize(measured.len().max(case + 1), false);
        measured[case] = true;
        foreign.visit((process, case), &list.metrics, &[sample], Vec::new());
    }
    for case in none {
        if !measured.get(case).copied().unwrap_or(false) {
            foreign.fail(case, NO_TIME);
        }
    }
    for failure in reader.failures.own() {
        let case = case(&mut foreign, scheme.failed(failure.name), &failure.configuration, &scheme);
        foreign.fail(case, if failure.why.is_empty() { "it has failed" } else { &failure.why });
    }
    foreign
}

struct List {
    length: usize,
    time: Option<(usize, f64)>,
    metrics: Arc<[Metric]>,
}

impl List {
    fn new(reader: &Reader<'_>, units: &[&str]) -> List {
        let time = units::time(units);
        let others = units.iter().enumerate().filter(|(place, _)| time.is_none_or(|(at, _)| at != *place));
        List {
            length: units.len(),
            time,
            metrics: others.map(|(_, unit)| reader.units.metric(unit)).collect(),
        }
    }

    fn sample(&self, iterations: u64, values: &[f64]) -> Sample {
        let each =
            self.time.map(|(place, ns)| values[place] * ns).filter(|each| each.is_finite() && *each >= 0.0);
        let timed = match each {
            Some(each) => Sample::of(each, iterations.max(1)),
            None => Sample { untimed: true, iterations, ..Sample::default() },
        };
        let others =
            values.iter().enumerate().filter(|(at, _)| self.time.is_none_or(|(place, _)| place != *at));
        // The file contains values per operation, and Derny stores totals.
        let operations = iterations.max(1) as f64;
        let counter = |((_, value), metric): ((usize, &f64), &Metric)| {
            let total = metric.kind == Kind::Total && !timed.untimed;
            Some(if total { value * operations } else { *value }).filter(|value| value.is_finite())
        };
        // Reserve the exact capacity, because the freed remainders of millions of small allocations are
        // unusable.
        let mut counters = Vec::with_capacity(self.metrics.len());
        counters.extend(others.zip(self.metrics.iter()).map(counter));
        Sample { counters: counters.into(), ..timed }
    }
}

/// Returns the constant configuration, and the keys whose values differ.
fn keys<'a>(all: &[Configuration<'a>]) -> (Configuration<'a>, BTreeSet<&'a str>) {
    let mut constant = all.first().cloned().unwrap_or_default();
    let mut changing = BTreeSet::new();
    for one in all.iter().skip(1) {
        for key in one.keys().filter(|key| !constant.contains_key(*key)) {
            changing.insert(*key);
        }
        constant.retain(|key, value| {
            let same = one.get(key) == Some(value);
            if !same {
                changing.insert(*key);
            }
            same
        });
    }
    constant.remove(PACKAGE);
    changing.remove(PACKAGE);
    (constant, changing)
}

fn tool(constant: &Configuration<'_>) -> String {
    let version = ["toolchain", "goversion", "go"].iter().find_map(|key| constant.get(key));
    match version {
        Some(version) => {
            format!("go {}", version.trim_start_matches("go").split_whitespace().next().unwrap_or(""))
        }
        None => "go".to_owned(),
    }
}

/// Applies the constant configuration: machine, sources, date.
fn describe(foreign: &mut Foreign, constant: Configuration<'_>) {
    if tool(&constant) == "go" {
        foreign.says("version of Go");
    }
    let value = |key: &str| constant.get(key).map(|value| (*value).to_owned());
    foreign.started_ms = value("date").and_then(|date| time::parse(&date));
    foreign.commit = value("commit").map(|hash| Commit { hash, branch: value("branch"), dirty: false });
    let machine = &mut foreign.machine;
    machine.os = value("goos").unwrap_or_default();
    machine.cpu = value("cpu").unwrap_or_default();
    machine.host = value("host").or(value("hostname")).unwrap_or_default();
    for (key, value) in constant {
        machine.facts.insert(key.to_owned(), value.to_owned());
    }
}

fn unknown(foreign: &mut Foreign, reader: &Reader<'_>, lists: &[List]) {
    foreign.says(
        "processes of the lines (each line counts as one process, as in benchstat; lines of one `-count` \
            share a process, so intervals may be too narrow)",
    );
    let open = lists.iter().flat_map(|list| list.metrics.iter());
    let open = open.filter(|metric| metric.direction == Direction::None);
    let open: BTreeSet<&str> = open.map(|metric| metric.name.as_str()).collect();
    if let Some(first) = open.first() {
        let names: Vec<&str> = open.iter().copied().collect();
        foreign.says(format!(
            "better direction of {}, so there is no verdict (a line `Unit {first} better=lower` states it)",
            names.join(", ")
        ));
    }
    if let Some(unread) = reader.unread() {
        foreign.says(unread);
    }
}

struct Scheme<'a> {
    changing: &'a BTreeSet<&'a str>,
    suffixes: &'a BTreeSet<Option<&'a str>>,
}

#[derive(Clone, Copy)]
struct Name<'a> {
    printed: &'a str,
    whole: &'a str,
    /// Number of processors as written.
    suffix: Option<&'a str>,
    processors: Option<&'a str>,
}

impl<'n> Scheme<'n> {
    fn measured(&self, printed: &'n str) -> Name<'n> {
        let (whole, suffix) = parted(printed);
        let processors = Some(suffix.unwrap_or("1")).filter(|_| self.suffixes.len() > 1);
        Name { printed, whole, suffix, processors }
    }

    /// Parses the name of a failure. The suffix may be missing, and tests have none. A number at the end
    /// counts as a suffix only if a result has the same suffix.
    fn failed(&self, printed: &'n str) -> Name<'n> {
        match parted(printed) {
            (_, processors @ Some(_)) if self.suffixes.contains(&processors) => self.measured(printed),
            _ => {
                let suffix = self.suffixes.first().copied().flatten().filter(|_| self.suffixes.len() == 1);
                Name { printed, whole: printed, suffix, processors: None }
            }
        }
    }
}

/// Returns the case of a line, including its configuration.
fn case(
    foreign: &mut Foreign,
    Name { printed, whole, suffix, processors }: Name<'_>,
    configuration: &Configuration<'_>,
    scheme: &Scheme<'_>,
) -> usize {
    let (benchmark, mut params) = name(whole);
    let named = params.len();
    params.extend(processors.map(|processors| (PROCESSORS.to_owned(), processors.to_owned())));
    for key in scheme.changing {
        let Some(value) = configuration.get(key) else { continue };
        add_param(&mut params, "config", key, (*value).to_owned());
    }
    let package = configuration.get(PACKAGE).copied().unwrap_or(NO_PACKAGE);
    // A line with the same name and configuration is a repetition by `-count`.
    let added = &params[named..];
    let own = format!("{package}\0{whole}\0{suffix:?}\0{added:?}");
    let case = foreign.case(CaseIdentity::Named(&own), package, &benchmark, params);
    foreign.cases.change(case, |own| {
        own.module = configuration.get(PACKAGE).map(|package| (*package).to_owned());
        own.printed = Some(printed.to_owned());
    });
    case
}

/// Splits off the suffix, which `go test` omits for one processor.
fn parted(printed: &str) -> (&str, Option<&str>) {
    match printed.rsplit_once('-') {
        Some((whole, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (whole, Some(digits))
        }
        _ => (printed, None),
    }
}

fn name(whole: &str) -> (String, Vec<(String, String)>) {
    let mut parts = whole.split('/');
    let mut benchmark = parts.next().unwrap_or_default().to_owned();
    let mut params: Vec<(String, String)> = Vec::new();
    for part in parts {
        match part.split_once('=') {
            Some((key, value)) if is_key(key) && !params.iter().any(|(known, _)| known == key) => {
                params.push((key.to_owned(), value.to_owned()));
            }
            _ => {
                benchmark.push('/');
                benchmark.push_str(part);
            }
        }
    }
    (benchmark, params)
}

fn is_key(key: &str) -> bool {
    let is_letter = |letter: char| letter == '_' || letter.is_ascii_alphabetic() || !letter.is_ascii();
    let may_follow =
        |letter: char| is_letter(letter) || letter.is_ascii_digit() || matches!(letter, '-' | '.');
    key.starts_with(is_letter) && key.chars().all(may_follow) && key != PROCESSORS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_benchmarks_and_parameters() {
        let (changing, suffixes) = (BTreeSet::new(), BTreeSet::from([None, Some("8"), Some("16")]));
        let mut scheme = Scheme { changing: &changing, suffixes: &suffixes };
        let said = |name: Name<'_>| {
            let mut foreign = Foreign::new("go", "go");
            let case = case(&mut foreign, name, &Configuration::new(), &scheme);
            foreign.cases.id(case).name()
        };
        let named = |printed: &str| said(scheme.measured(printed));
        assert_eq!(named("BenchmarkSort-8"), "BenchmarkSort cpu=8");
        assert_eq!(named("BenchmarkA/n=10/small/k=a=b-16"), "BenchmarkA/small n=10 k=a=b cpu=16");
        assert_eq!(named("BenchmarkA/n=1/n=2/=x/2=3"), "BenchmarkA/n=2/=x/2=3 n=1 cpu=1");
        assert_eq!(named("BenchmarkA/cpu=4-8"), "BenchmarkA/cpu=4 cpu=8");
        assert_eq!(named("BenchmarkMux/route:/sup/123-"), "BenchmarkMux/route:/sup/123- cpu=1");
        assert_eq!(named("BenchmarkA//b"), "BenchmarkA//b cpu=1");
        assert_eq!(said(scheme.failed("BenchmarkA/n=4-8")), "BenchmarkA n=4 cpu=8");
        assert_eq!(said(scheme.failed("BenchmarkA/n-4")), "BenchmarkA/n-4");
        let one = BTreeSet::from([Some("8")]);
        scheme.suffixes = &one;
        assert_eq!(scheme.measured("BenchmarkA/b-8").whole, "BenchmarkA/b");
        assert_eq!(scheme.failed("BenchmarkA/b-8").whole, "BenchmarkA/b");
    }
}
