//! Maps imported names to those of live runs of the same project. Each row of `TOOLS` contains the harnesses
//! for a tool's files, and the part of a result file that identifies a benchmark's program.

use crate::Cases;
use crate::python::without_addresses;
use derny_model::{Case, CaseId};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A program of the project with benchmarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Suite of the program's cases.
    pub suite: String,
    /// Name of the convention that launches the program.
    pub harness: String,
    /// File or folder to launch, relative to the project's root.
    pub file: String,
    /// Benchmark files of the program, if there are several.
    pub files: Vec<String>,
}

/// Data of a project that identify its benchmarks.
pub struct Project<'a> {
    /// Programs of the project that contain benchmarks.
    pub programs: &'a [Program],
    /// Returns the text of one of the project's files.
    pub text: &'a dyn Fn(&str) -> Option<String>,
    /// Names of cases that were measured live.
    pub measured: &'a [CaseId],
}

struct Tool {
    formats: &'static [&'static str],
    harnesses: &'static [&'static str],
    says: Says,
}

/// The part of a result file that identifies the program of a benchmark.
#[derive(Clone, Copy)]
enum Says {
    /// The name of a benchmark is unique only within its program.
    Nothing,
    /// A tag identifies the measured code, which is a variant in live runs.
    Suite,
    /// The benchmark file precedes the first `::` of the printed name. Names within a program begin with the
    /// path below the file's folder.
    File,
    /// The suite is the benchmark file.
    Name,
    /// The program, which is usually named after its file.
    Program,
    Class,
    /// The module is the suite, and its definition begins with this text. Names within a program begin with
    /// the module.
    Module(&'static str),
    /// The suite is the package: a folder below that of the module.
    Package,
}

const TOOLS: [Tool; 14] = [
    Tool { formats: &["asv"], harnesses: &["asv"], says: Says::Nothing },
    Tool { formats: &["pyperf"], harnesses: &["pyperf"], says: Says::Nothing },
    Tool { formats: &["pytest-benchmark"], harnesses: &["pytest"], says: Says::File },
    Tool { formats: &["jmh"], harnesses: &["jmh-maven", "jmh-jar"], says: Says::Class },
    Tool { formats: &["benchfella"], harnesses: &["mix", "elixir"], says: Says::Module("defmodule ") },
    Tool { formats: &["benchee"], harnesses: &["benchee-mix", "benchee"], says: Says::Suite },
    Tool { formats: &["rebar3-bench"], harnesses: &["rebar3_bench"], says: Says::Name },
    Tool { formats: &["criterion-json", "criterion-csv"], harnesses: &["criterion"], says: Says::Nothing },
    Tool { formats: &["criterion-rs", "cargo-criterion"], harnesses: &["cargo"], says: Says::Nothing },
    Tool { formats: &["benchfmt"], harnesses: &["go", "go-module"], says: Says::Package },
    Tool { formats: &["catch2"], harnesses: &["catch2"], says: Says::File },
    Tool { formats: &["google-benchmark"], harnesses: &["google-benchmark"], says: Says::Program },
    Tool { formats: &["node-bench"], harnesses: &["node"], says: Says::Name },
    Tool { formats: &["vitest"], harnesses: &["vitest"], says: Says::Name },
];

/// Returns the conventions for the files of a format's tool. Empty if imported names equal live names.
pub fn harnesses(format: &str) -> &'static [&'static str] {
    tool(format).map_or(&[], |tool| tool.harnesses)
}

fn tool(format: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.formats.contains(&format))
}

/// Package of benchmarks in a file that does not name one.
const UNKNOWN_PACKAGE: &str = crate::benchfmt::NO_PACKAGE;

/// Renames the cases of a file as in live runs of the project. Returns the suites of the new names. A case
/// whose program is not found keeps its name.
pub fn rename(format: &str, cases: &mut Cases, project: &Project<'_>) -> Vec<String> {
    let Some(tool) = tool(format) else { return Vec::new() };
    let is_own = |program: &&Program| tool.harnesses.contains(&program.harness.as_str());
    let programs: Vec<&Program> = project.programs.iter().filter(is_own).collect();
    if programs.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&CaseId> = project.measured.iter().collect();
    let mut suites: HashMap<String, Option<&Program>> = HashMap::new();
    let mut given: BTreeSet<String> = BTreeSet::new();
    let tags: BTreeSet<String> = cases.iter().filter_map(|case| tag(&case)).collect();
    let has_one_tag = tags.len() == 1;
    cases.rename(|case| {
        let key = key(tool.says, case);
        let found =
            *suites.entry(key.clone()).or_insert_with(|| program(tool.says, &key, &programs, project));
        let found = found.or_else(|| measured(case, &programs, &known))?;
        given.insert(found.suite.clone());
        let id = live(tool.says, case, found);
        Some(if matches!(tool.says, Says::Suite) { without_suite(id, has_one_tag, &known) } else { id })
    });
    given.into_iter().collect()
}

fn tag(case: &Case) -> Option<String> {
    case.id.params.iter().find(|(name, _)| name == "tag").map(|(_, value)| value.clone())
}

/// Returns the id of a Benchee case in live runs. Removes the tag if the file contains only one. If the file
/// lacks the title of the suite, uses that of the only measured case that matches.
fn without_suite(mut id: CaseId, has_one_tag: bool, known: &HashSet<&CaseId>) -> CaseId {
    id.params.retain(|(name, _)| !(has_one_tag && name == "tag"));
    if known.contains(&id) {
        return id;
    }
    let end = format!("/{}", id.benchmark);
    let is_same = |other: &&&CaseId| {
        other.suite == id.suite && other.params == id.params && other.benchmark.ends_with(&end)
    };
    let mut titled = known.iter().filter(is_same);
    match (titled.next(), titled.next()) {
        (Some(only), None) => (*only).clone(),
        _ => id,
    }
}

fn key(says: Says, case: &Case) -> String {
    match says {
        Says::Nothing | Says::Suite => String::new(),
        Says::File => printed(case).split("::").next().unwrap_or_default().to_owned(),
        Says::Class => {
            let class = case.id.benchmark.rsplit_once('.').map_or("", |(class, _)| class);
            class.split('$').next().unwrap_or_default().replace('.', "/")
        }
        Says::Name | Says::Program => case.file.clone().unwrap_or_else(|| case.id.suite.clone()),
        Says::Module(_) | Says::Package => case.id.suite.clone(),
    }
}

fn printed(case: &Case) -> &str {
    case.printed.as_deref().unwrap_or(&case.id.benchmark)
}

/// Returns the program that fits a key best. Returns `None` if the best programs have different suites.
fn program<'a>(
    says: Says,
    key: &str,
    programs: &[&'a Program],
    project: &Project<'_>,
) -> Option<&'a Program> {
    let fits = |program: &&'a Program| Some((fit(says, key, program, project)?, *program));
    let mut fitting: Vec<(usize, &Program)> = programs.iter().filter_map(fits).collect();
    let best = fitting.iter().map(|(fit, _)| *fit).max();
    fitting.retain(|(fit, _)| Some(*fit) == best);
    // Any program may be meant if the sources of a class are elsewhere, or if a Go file lacks its package.
    if fitting.is_empty() && (matches!(says, Says::Class) || key == UNKNOWN_PACKAGE) {
        fitting = programs.iter().map(|program| (0, *program)).collect();
    }
    let suites: BTreeSet<&str> = fitting.iter().map(|(_, program)| program.suite.as_str()).collect();
    fitting.first().map(|(_, program)| *program).filter(|_| suites.len() == 1)
}

fn fit(says: Says, key: &str, program: &Program, project: &Project<'_>) -> Option<usize> {
    let whole = |fits: bool| fits.then_some(0);
    match says {
        Says::Nothing | Says::Suite => Some(0),
        Says::File => files(program).filter_map(|file| common(file, key)).max(),
        Says::Name => {
            let by_file = files(program).filter_map(|file| common(file, key)).max();
            by_file.or_else(|| whole(files(program).any(|file| stem(file) == stem(key))))
        }
        Says::Program => Some(usize::from(files(program).any(|file| stem(file) == stem(key)))),
        // The file of a nested class is named after the outer class.
        Says::Class => std::iter::successors(Some(key), |key| Some(key.rsplit_once('/')?.0))
            .find_map(|key| files(program).filter_map(|file| common(file.rsplit_once('.')?.0, key)).max()),
        Says::Module(begins) => {
            let mut texts = files(program).filter_map(|file| (project.text)(file));
            whole(texts.any(|text| defines(&text, begins, key)))
        }
        Says::Package => whole(package(program, project).is_some_and(|path| path == key)),
    }
}

fn measured<'a>(case: &Case, programs: &[&'a Program], known: &HashSet<&CaseId>) -> Option<&'a Program> {
    let has =
        |program: &&&Program| known.contains(&CaseId { suite: program.suite.clone(), ..case.id.clone() });
    let mut found = programs.iter().filter(has);
    let first = found.next().copied();
    first.filter(|_| found.next().is_none())
}

fn live(says: Says, case: &Case, program: &Program) -> CaseId {
    let CaseId { suite, benchmark, params } = case.id.clone();
    let benchmark = match says {
        Says::Module(_) => format!("{suite}/{benchmark}"),
        Says::File => {
            let printed = without_addresses(printed(case));
            let (path, name) = printed.split_once("::").unwrap_or(("", &benchmark));
            let best = files(program).filter_map(|file| Some((common(file, path)?, file))).max();
            let file = best.map_or(&*program.file, |(_, file)| file);
            match file.strip_prefix(&format!("{}/", program.file)) {
                Some(below) => format!("{below}::{name}"),
                None => name.to_owned(),
            }
        }
        _ => benchmark,
    };
    CaseId { suite: program.suite.clone(), benchmark, params }
}

/// Returns the import path of a Go package: the path of its module, followed by the folder within the module.
fn package(program: &Program, project: &Project<'_>) -> Option<String> {
    let mut folder = Some(program.file.as_str());
    while let Some(above) = folder {
        let file = if above == "." { "go.mod".to_owned() } else { format!("{above}/go.mod") };
        if let Some(text) = (project.text)(&file) {
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            let module = module.split("//").next()?.trim().trim_matches('"');
            let below = if above == "." { Some(&*program.file) } else { program.file.strip_prefix(above) };
            return Some(match below.map(|below| below.trim_start_matches('/')) {
                None | Some("" | ".") => module.to_owned(),
                Some(below) => format!("{module}/{below}"),
            });
        }
        folder = match above.rsplit_once('/') {
            Some((above, _)) => Some(above),
            None => Some(".").filter(|_| above != "."),
        };
    }
    None
}

fn files(program: &Program) -> impl Iterator<Item = &str> {
    std::iter::once(program.file.as_str()).chain(program.files.iter().map(String::as_str))
}

fn common(one: &str, other: &str) -> Option<usize> {
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    let rest = long.strip_suffix(short)?;
    (!short.is_empty() && (rest.is_empty() || rest.ends_with('/'))).then_some(short.len())
}

fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// Returns true if a text defines the module: the keyword followed by the complete name.
fn defines(text: &str, begins: &str, module: &str) -> bool {
    text.match_indices(begins).any(|(at, _)| {
        let rest = text[at + begins.len()..].trim_start().strip_prefix(module);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::CaseIdentity;

    fn program(harness: &str, suite: &str, file: &str, files: &[&str]) -> Program {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        Program { suite: suite.to_owned(), harness: harness.to_owned(), file: file.to_owned(), files }
    }

    /// Returns the new names of a format's cases. Cases are given by suite, benchmark and printed name.
    fn named(
        format: &str,
        cases: &[(&str, &str, &str)],
        programs: &[Program],
        texts: &[(&str, &str)],
    ) -> Vec<String> {
        let mut all = Cases::default();
        for (suite, benchmark, printed) in cases {
            let id = CaseId { suite: (*suite).into(), benchmark: (*benchmark).into(), params: Vec::new() };
            let case = all.of(CaseIdentity::Row, id);
            all.change(case, |case| case.printed = Some((*printed).to_owned()));
        }
        let text =
            |file: &str| texts.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
        let measured = [CaseId { suite: "two".into(), benchmark: "only here".into(), params: Vec::new() }];
        rename(format, &mut all, &Project { programs, text: &text, measured: &measured });
        all.iter().map(|case| case.id.to_string()).collect()
    }

    #[test]
    fn the_only_program_of_a_tool_is_meant_where_its_files_name_none() {
        let one = program("pyperf", "bm_one", "bm_one.py", &[]);
        let other = program("python", "x_bench", "x_bench.py", &[]);
        let cases = [("pyperf", "only here", ""), ("pyperf", "b", "")];
        assert_eq!(named("pyperf", &cases, &[one.clone(), other], &[]), ["bm_one/only here", "bm_one/b"]);
        // Of two programs, the one that measured a case with this name is chosen.
        let two = program("pyperf", "two", "two.py", &[]);
        assert_eq!(named("pyperf", &cases, &[one, two], &[]), ["two/only here", "pyperf/b"]);
        assert_eq!(named("pyperf", &cases, &[], &[]), ["pyperf/only here", "pyperf/b"]);
    }

    #[test]
    fn cases_of_benchee_have_the_title_of_their_suite_and_no_tag() {
        let id = |benchmark: &str, params: &[(&str, &str)]| CaseId {
            suite: "benchee".into(),
            benchmark: benchmark.into(),
            params: params.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        };
        let measured = ["T/sort", "T/map", "U/map", "plain"]
            .map(|name| CaseId { suite: "bench/a".into(), ..id(name, &[]) });
        let programs = [program("benchee-mix", "bench/a", "bench/a.exs", &[])];
        let project = Project { programs: &programs, text: &|_| None, measured: &measured };
        let named = |ids: &[CaseId]| {
            let mut all = Cases::default();
            ids.iter().for_each(|id| _ = all.of(CaseIdentity::Row, id.clone()));
            rename("benchee", &mut all, &project);
            all.iter().map(|case| case.id.to_string()).collect::<Vec<_>>()
        };
        let one =
            [id("sort", &[("tag", "x")]), id("map", &[]), id("plain", &[("tag", "x")]), id("T/map", &[])];
        assert_eq!(named(&one), ["bench/a/T/sort", "bench/a/map", "bench/a/plain", "bench/a/T/map"]);
        let two = [id("plain", &[("tag", "x")]), id("plain", &[("tag", "y")])];
        assert_eq!(named(&two), ["bench/a/plain tag=x", "bench/a/plain tag=y"]);
    }

    #[test]
    fn a_program_is_named_after_its_file_or_is_the_only_one() {
        let one = program("google-benchmark", "bench/a", "bench/a.cc", &[]);
        let two = program("google-benchmark", "bench/b", "bench/b.cc", &[]);
        let named = |executable: &str, programs: &[Program]| {
            let mut all = Cases::default();
            let id = CaseId { suite: "google-benchmark".into(), benchmark: "x".into(), params: Vec::new() };
            let case = all.of(CaseIdentity::Row, id);
            all.change(case, |case| case.file = Some(executable.into()));
            let project = Project { programs, text: &|_| None, measured: &[] };
            rename("google-benchmark", &mut all, &project);
            all.iter().map(|case| case.id.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(named("build/b", &[one.clone(), two.clone()]), ["bench/b/x"]);
        assert_eq!(named("./all_benchmarks", std::slice::from_ref(&one)), ["bench/a/x"]);
        assert_eq!(named("./all_benchmarks", &[one, two]), ["google-benchmark/x"], "either may be meant");
    }

    #[test]
    fn files_modules_classes_and_packages_say_which_program_is_meant() {
        let tests = program("pytest", "part/tests", "part/tests", &["part/tests/deep/test_a.py"]);
        let root = program("pytest", "test_b", "test_b.py", &[]);
        let cases = [("tests", "", "tests/deep/test_a.py::test_x[1::2]"), ("", "", "test_b.py::T::test_y")];
        assert_eq!(
            named("pytest-benchmark", &cases, &[tests, root], &[]),
            ["part/tests/deep/test_a.py::test_x[1::2]", "test_b/T::test_y"]
        );
        let exs =
            [program("mix", "bench/a", "bench/a.exs", &[]), program("mix", "bench/ab", "bench/ab.exs", &[])];
        let texts = [("bench/a.exs", "defmodule A.B do"), ("bench/ab.exs", "defmodule A.BC do")];
        let cases = [("A.B", "x y", ""), ("A.BC", "x/y", ""), ("A", "z", "")];
        assert_eq!(
            named("benchfella", &cases, &exs, &texts),
            ["bench/a/A.B/x y", "bench/ab/A.BC/x/y", "A/z"]
        );
        let java = [
            program("jmh-maven", "core", "core", &["core/src/main/java/x/One.java"]),
            program("jmh-maven", "more", "more", &["more/src/main/java/x/Two.java"]),
        ];
        let cases = [("jmh", "x.Two.run", ""), ("jmh", "x.One.In.run", ""), ("jmh", "x.One.run", "")];
        assert_eq!(
            named("jmh", &cases, &java, &[]),
            ["more/x.Two.run", "core/x.One.In.run", "core/x.One.run"]
        );
        let go = [program("go", "shop", ".", &[]), program("go", "store", "store", &[])];
        let texts = [("go.mod", "module ex.com/store // why\n")];
        let cases =
            [("ex.com/store", "BenchmarkA", ""), ("ex.com/store/store", "BenchmarkB", ""), ("go", "C", "")];
        assert_eq!(named("benchfmt", &cases, &go, &texts), ["shop/BenchmarkA", "store/BenchmarkB", "go/C"]);
    }
}
