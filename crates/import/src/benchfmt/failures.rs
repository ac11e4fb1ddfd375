//! Failures in the output of `go test`: `--- FAIL: NAME` with the messages below it, and `FAIL` for a
//! package.

use super::line::{Configuration, PACKAGE, PREFIX};
use std::collections::HashSet;

const FAILED: &str = "--- FAIL: ";
/// Name of the failure of a package in which no test failed, because the package did not build or panicked.
const WHOLE: &str = "go test";

pub(super) struct Failure<'a> {
    pub name: &'a str,
    pub configuration: Configuration<'a>,
    pub why: String,
}

#[derive(Default)]
pub(super) struct Failures<'a> {
    pub all: Vec<Failure<'a>>,
    is_open: bool,
    before: usize,
    panicked: Option<&'a str>,
}

impl<'a> Failures<'a> {
    /// Returns all failures, except those that the failure of a sub-benchmark explains.
    pub fn own(&self) -> impl Iterator<Item = &Failure<'a>> {
        let parents: HashSet<(&str, &str)> = self.all.iter().flat_map(Failure::parents).collect();
        self.all.iter().filter(move |one| !parents.contains(&(one.package(), one.name)))
    }
}

impl<'a> Failure<'a> {
    fn package(&self) -> &'a str {
        self.configuration.get(PACKAGE).copied().unwrap_or_default()
    }

    fn parents(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let (name, package) = (self.name, self.package());
        name.match_indices('/').map(move |(at, _)| (package, &name[..at]))
    }
}

/// Returns the name in a failure line. The line may begin with the name of a benchmark that `go test`
/// announced before.
fn name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (before, name) = line.split_once(FAILED)?;
    let is_behind = before.is_empty() || before.starts_with(PREFIX) && before.split_whitespace().count() == 1;
    name.split_whitespace().next().filter(|_| is_behind)
}

pub(super) fn is_benchmark(line: &str) -> bool {
    name(line).is_some_and(|name| name.starts_with(PREFIX))
}

impl<'a> Failures<'a> {
    /// Returns true if the line belongs to a failure, and adds it.
    pub fn take(&mut self, line: &'a str, now: &Configuration<'a>) -> bool {
        if let Some(name) = name(line) {
            let (configuration, why) = (now.clone(), String::new());
            self.all.push(Failure { name, configuration, why });
            self.is_open = true;
            return true;
        }
        if self.is_open && line.starts_with([' ', '\t']) {
            if let Some(last) = self.all.last_mut().filter(|last| last.why.is_empty()) {
                line.trim().clone_into(&mut last.why);
            }
            return true;
        }
        self.is_open = false;
        if line.starts_with("panic: ") {
            self.panicked = self.panicked.or(Some(line));
            return true;
        }
        let package = line.strip_prefix("FAIL\t").and_then(|rest| rest.split_whitespace().next());
        if let Some(package) = package {
            // The failure of a test in the package may already have been reported.
            if self.all.len() == self.before {
                let why = self.panicked.unwrap_or(line).split_whitespace().collect::<Vec<_>>().join(" ");
                let configuration = Configuration::from([(PACKAGE, package)]);
                self.all.push(Failure { name: WHOLE, configuration, why });
            }
            (self.before, self.panicked) = (self.all.len(), None);
        }
        package.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_have_a_name_and_a_reason() {
        let text = "BenchmarkA-8 \t 10 5 ns/op\n\
            --- FAIL: BenchmarkB\n    b_test.go:9: no file\n    b_test.go:10: more\n\
            BenchmarkC-8 \t--- FAIL: BenchmarkC-8\n\
            --- FAIL: TestD (0.00s)\n    --- FAIL: TestD/sub (0.00s)\n        d_test.go:3: four\n\
            FAIL\nFAIL\texample.com/x\t0.01s\n\
            FAIL\texample.com/y [build failed]\n\
            panic: out of range\nFAIL\texample.com/z 0.1s\nok  \texample.com/w\t0.1s\n\
            a line with --- FAIL: in it\nFAIL\n";
        let mut failures = Failures::default();
        let now = Configuration::from([("pkg", "example.com/x")]);
        let taken = text.lines().filter(|line| failures.take(line, &now)).count();
        let all: Vec<(&str, &str, &str)> =
            failures.all.iter().map(|one| (one.configuration["pkg"], one.name, one.why.as_str())).collect();
        let x = "example.com/x";
        assert_eq!(
            all,
            [
                (x, "BenchmarkB", "b_test.go:9: no file"),
                (x, "BenchmarkC-8", ""),
                (x, "TestD", ""),
                (x, "TestD/sub", "d_test.go:3: four"),
                ("example.com/y", WHOLE, "FAIL example.com/y [build failed]"),
                ("example.com/z", WHOLE, "panic: out of range"),
            ]
        );
        assert_eq!(taken, 11);
    }
}
