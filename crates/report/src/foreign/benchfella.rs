//! Snapshots of Benchfella, for `mix bench.cmp` and `mix bench.graph`: operations and their total time in µs.

use derny_model::{Case, Document};

/// Returns the snapshot. It has one figure per test: the total time including collections, as Benchfella
/// measures it. Parameters become part of the test's name.
///
/// # Errors
///
/// Fails if there are several variants, because a snapshot has no column for them.
pub fn snapshot(document: &Document) -> Result<String, String> {
    if document.run.variants.len() > 1 {
        return Err("a Benchfella snapshot has no column for variants".to_owned());
    }
    let mut rows = String::new();
    let mut longest: f64 = 0.0;
    for case in document.cases() {
        let Some(time) = case.variants.first().and_then(|variant| variant.time.as_ref()) else { continue };
        let measured: f64 = time.processes.iter().map(|process| process.measured_ns).sum();
        let each = time.mean.value;
        // An old document does not contain the measured time. Assume one second, which is Benchfella's
        // default.
        let measured = if measured > 0.0 { measured } else { 1e9_f64.max(each) };
        let iterations = (measured / each).round().max(1.0);
        longest = longest.max(measured / 1e9);
        let (module, test) = names(&case.case);
        let elapsed_us = (iterations * each / 1e3).round();
        rows.push_str(&format!("{module}\t{test}\t\t{iterations:.0}\t{elapsed_us:.0}\n"));
    }
    let duration = longest.max(0.1);
    Ok(format!(
        "duration:{duration:.1};mem stats:false;sys mem stats:false\nmodule;test;tags;iterations;elapsed\n{rows}"
    ))
}

/// Returns the names of the module and the test. In files for Benchfella, a benchmark is called
/// `Module/name`, or its module is recorded. For other files, the file name becomes the module.
fn names(case: &Case) -> (String, String) {
    let name = case.id.name();
    let of_module = case.group.as_deref().or(case.module.as_deref()).filter(|name| is_module(name));
    match of_module.and_then(|module| Some((module, name.strip_prefix(module)?.strip_prefix('/')?))) {
        Some((module, test)) => (word(module), word(test)),
        None => (word(&module(&case.id.suite)), word(&name)),
    }
}

fn is_module(text: &str) -> bool {
    text.split('.').all(|part| part.starts_with(|first: char| first.is_ascii_uppercase()))
}

/// Returns the module that a file of this name would contain: `Text.JoinBench` for `bench/text/join`.
fn module(suite: &str) -> String {
    if is_module(suite) {
        return suite.to_owned();
    }
    let parts = suite.split('/').filter(|part| *part != "bench").map(camel);
    let module = parts.collect::<Vec<_>>().join(".");
    if module.ends_with("Bench") { module } else { module + "Bench" }
}

fn camel(part: &str) -> String {
    let words = part.split(|c: char| !c.is_alphanumeric()).map(|word| {
        let mut chars = word.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
    });
    words.collect()
}

fn word(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::CaseId;

    fn case(suite: &str, benchmark: &str, group: Option<&str>) -> Case {
        let params = vec![("n".to_owned(), "3".to_owned())];
        let id = CaseId { suite: suite.to_owned(), benchmark: benchmark.to_owned(), params };
        Case { group: group.map(str::to_owned), ..Case::new(id) }
    }

    #[test]
    fn rows_have_the_names_that_benchfella_gives() {
        let named = |suite, benchmark, group| {
            let (module, test) = names(&case(suite, benchmark, group));
            format!("{module}: {test}")
        };
        assert_eq!(
            named("bench/ets", "My.EtsBench/insert/2", Some("My.EtsBench")),
            "My.EtsBench: insert/2 n=3"
        );
        assert_eq!(named("bench/list", "list/reverse", Some("list")), "ListBench: list/reverse n=3");
        assert_eq!(named("bench/text/fast_join", "join", None), "Text.FastJoinBench: join n=3");
        assert_eq!(named("BasicBench", "hello\tlist", None), "BasicBench: hello list n=3");
        assert_eq!(named("apps/one/bench/a-b", "x", None), "Apps.One.ABBench: x n=3");
    }
}
