//! Go's benchmark format, for benchstat. Each process is one line, because that is benchstat's unit of
//! replication.

use derny_model::{Case, Direction, Kind, Metric, ProcessResult, ProcessStart, Records, RunHeader};
use std::collections::{BTreeMap, HashMap};

/// Importer whose configuration lines are written back.
const OWN: &str = "benchfmt";
/// Parameter that becomes the suffix of a name, as in `-8`.
const PROCESSORS: &str = "cpu";
/// Setting that a Go process reports. It becomes the suffix if there is no parameter for it.
const ALL_PROCESSORS: &str = "GOMAXPROCS";
/// Metrics with a conventional unit in this format.
const USUAL: [(&str, &str); 2] = [("allocated", "B/op"), ("allocations", "allocs/op")];
/// Readers know for these units whether more is better.
const KNOWN: [&str; 5] = ["ns/op", "sec/op", "B/op", "allocs/op", "MB/s"];
/// Importers add this prefix to figures that the other tool had computed.
const STATED: &str = "stated ";

/// `go test` prints these keys first, in this order.
const ORDER: [&str; 4] = ["goos", "goarch", "pkg", "cpu"];

type Configuration = BTreeMap<String, String>;

/// Returns all processes, case by case. A line `pkg:` contains the package of a case. With several variants,
/// a line `variant:` contains the variant.
pub fn lines(records: &Records, results: &[ProcessResult]) -> String {
    let (run, cases) = (&records.header, &records.cases);
    let starts: HashMap<u32, &ProcessStart> =
        records.processes.iter().map(|start| (start.process, start)).collect();
    let mut out = units(cases, results);
    let mut now = Configuration::new();
    for result in results {
        let Some(case) = cases.get(result.case as usize) else { continue };
        let values = values(case, result);
        if values.is_empty() {
            continue;
        }
        let processors = starts.get(&result.process).and_then(|start| start.settings.get(ALL_PROCESSORS));
        let name = name(case, processors.map_or("", String::as_str));
        configure(&mut out, &mut now, configuration(run, case, result, &name));
        out.push_str(&format!("{name}\t{:8.0}", result.iterations.max(1.0)));
        for (value, unit) in values {
            out.push_str(&format!("\t{:>12} {unit}", number(value)));
        }
        out.push('\n');
    }
    out
}

/// Returns `Unit` lines for properties that readers cannot derive from the name of a unit.
fn units(cases: &[Case], results: &[ProcessResult]) -> String {
    let mut said: BTreeMap<String, &Metric> = BTreeMap::new();
    for result in results {
        let Some(case) = cases.get(result.case as usize) else { continue };
        for (metric, _) in result.metrics.iter().filter(|(metric, _)| is_shown(case, metric)) {
            said.entry(unit(metric)).or_insert(metric);
        }
    }
    let mut out = String::new();
    for (unit, metric) in said {
        let better = match metric.direction {
            Direction::Less => " better=lower",
            Direction::More => " better=higher",
            Direction::None => "",
        };
        let better = if KNOWN.contains(&unit.as_str()) { "" } else { better };
        let assume = if metric.exact { " assume=exact" } else { "" };
        if !(better.is_empty() && assume.is_empty()) {
            out.push_str(&format!("Unit {unit}{better}{assume}\n"));
        }
    }
    out
}

fn values(case: &Case, result: &ProcessResult) -> Vec<(f64, String)> {
    let mut values: Vec<(f64, String)> = Vec::new();
    let metrics = || result.metrics.iter().filter(|(metric, _)| is_shown(case, metric));
    if let Some(time) = result.time_ns {
        values.push((time, "ns/op".to_owned()));
        let speed = case.bytes.map(|bytes| bytes / case.ops / time * 1e3).filter(|speed| speed.is_finite());
        let has_speed = metrics().any(|(metric, _)| metric.name == "MB/s");
        values.extend(speed.filter(|_| !has_speed).map(|speed| (speed, "MB/s".to_owned())));
    }
    values.extend(metrics().map(|(metric, value)| (*value, unit(metric))));
    values.retain(|(value, _)| value.is_finite());
    values
}

/// Returns true for the benchmark's own metrics and for those that `go test` prints. Each of the engine's
/// counters would become a separate table.
fn is_shown(case: &Case, metric: &Metric) -> bool {
    let usual = USUAL.iter().any(|(name, _)| *name == metric.name);
    let own = case.metrics.iter().any(|own| own.name == metric.name);
    (usual || own || is_unit(metric)) && !metric.name.starts_with(STATED)
}

fn is_unit(metric: &Metric) -> bool {
    metric.kind != Kind::Total && metric.name.contains('/')
}

fn unit(metric: &Metric) -> String {
    let name = &metric.name;
    if let Some((_, usual)) = USUAL.iter().find(|(known, _)| known == name) {
        return (*usual).to_owned();
    }
    if metric.kind != Kind::Total {
        return word(name);
    }
    let of = match metric.unit.as_str() {
        "ns" => "-ns",
        "B" | "bytes" => "-B",
        _ => "",
    };
    format!("{}{of}/op", word(name))
}

/// Returns the name that `go test` would print. It ends in `processors`, unless a parameter contains the
/// number.
fn name(case: &Case, processors: &str) -> String {
    if let Some(printed) = &case.printed {
        return word(printed);
    }
    let id = &case.id;
    let prefix = if id.benchmark.starts_with("Benchmark") { "" } else { "Benchmark" };
    let mut name = format!("{prefix}{}", id.benchmark);
    let mut processors = processors;
    for (key, value) in &id.params {
        let count = key == PROCESSORS && !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        match count {
            true => processors = value,
            false => name.push_str(&format!("/{key}={value}")),
        }
    }
    if !matches!(processors, "" | "1") {
        name.push_str(&format!("-{processors}"));
    }
    word(&name)
}

/// Returns the configuration for the lines of a case.
fn configuration(run: &RunHeader, case: &Case, result: &ProcessResult, name: &str) -> Configuration {
    let mut all = Configuration::new();
    let package = case.module.as_ref().unwrap_or(&case.id.suite).clone();
    let machine = &run.machine;
    if run.imported.as_ref().is_some_and(|from| from.format == OWN) {
        all.extend(machine.facts.clone());
        all.remove(ALL_PROCESSORS);
        all.extend(case.module.iter().map(|package| ("pkg".to_owned(), package.clone())));
        let printed: Vec<&str> = name.split('/').collect();
        let is_in_name = |key: &str, value: &str| {
            let part = format!("{key}={value}");
            let end = format!("-{value}");
            let whole = |one: &&str| **one == part || one.strip_suffix(&end).is_some_and(|one| one == part);
            let last = |one: &&str| one.rsplit_once('-').is_some_and(|(one, _)| one == part);
            printed.iter().any(whole)
                || printed.last().is_some_and(last)
                || (key == PROCESSORS && (name.ends_with(&end) || value == "1"))
        };
        for (key, value) in case.id.params.iter().filter(|(key, value)| !is_in_name(key, value)) {
            all.insert(key.strip_prefix("config.").unwrap_or(key).to_owned(), value.clone());
        }
    } else {
        let known = [("goos", &machine.os), ("cpu", &machine.cpu), ("pkg", &package)];
        let known = known.into_iter().filter(|(_, value)| !value.is_empty());
        all.extend(known.map(|(key, value)| (key.to_owned(), value.clone())));
    }
    if run.variants.len() > 1 {
        let variant = run.variants.get(result.variant as usize);
        all.extend(variant.map(|variant| ("variant".to_owned(), variant.name.clone())));
    }
    all
}

/// Writes the differences between the current configuration and `wanted`.
fn configure(out: &mut String, now: &mut Configuration, wanted: Configuration) {
    let place = |key: &String| ORDER.iter().position(|known| known == key).unwrap_or(ORDER.len());
    let mut changed: Vec<(&String, &str)> =
        now.keys().filter(|key| !wanted.contains_key(*key)).map(|key| (key, "")).collect();
    let new = wanted.iter().filter(|(key, value)| now.get(*key) != Some(*value));
    changed.extend(new.map(|(key, value)| (key, value.as_str())));
    changed.sort_by_key(|(key, _)| place(key));
    for (key, value) in changed {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        out.push_str(format!("{key}: {}", value.trim()).trim_end());
        out.push('\n');
    }
    *now = wanted;
}

/// Returns a text as one word. Whitespace separates fields, so it becomes `_`, as in `go test`.
fn word(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            _ if letter.is_whitespace() => word.push('_'),
            _ if letter.is_control() => word.extend(letter.escape_default()),
            _ => word.push(letter),
        }
    }
    word
}

/// Formats a number with nine digits, without an exponent where Go writes none.
fn number(value: f64) -> String {
    if value == 0.0 || !(1e-6..1e15).contains(&value.abs()) {
        return value.to_string();
    }
    let decimals = (8 - value.abs().log10().floor() as i32).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::CaseId;

    fn case(benchmark: &str, params: &[(&str, &str)]) -> Case {
        let params = params.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Case::new(CaseId { suite: "pkg/a".to_owned(), benchmark: benchmark.to_owned(), params })
    }

    #[test]
    fn names_are_those_of_go_test() {
        assert_eq!(
            name(&case("BenchmarkA/small", &[("n", "10"), ("cpu", "8")]), "2"),
            "BenchmarkA/small/n=10-8"
        );
        assert_eq!(name(&case("sort by\tkey", &[("cpu", "fast")]), ""), "Benchmarksort_by_key/cpu=fast");
        let own =
            Case { printed: Some("BenchmarkA/n=10/small-8".to_owned()), ..case("BenchmarkA/small", &[]) };
        assert_eq!(name(&own, "4"), "BenchmarkA/n=10/small-8");
        assert_eq!(name(&case("BenchmarkA", &[]), "4"), "BenchmarkA-4");
        assert_eq!(name(&case("BenchmarkA", &[("cpu", "1")]), "4"), "BenchmarkA");
        assert_eq!(word("a\x1b[31m"), "a\\u{1b}[31m");
    }

    #[test]
    fn units_are_those_that_benchstat_knows() {
        let metric = |name: &str, unit: &str, kind| Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            kind,
            direction: Direction::Less,
            exact: false,
        };
        assert_eq!(unit(&metric("allocated", "B", Kind::Total)), "B/op");
        assert_eq!(unit(&metric("allocs/op", "count", Kind::Level)), "allocs/op");
        assert_eq!(unit(&metric("gc time", "ns", Kind::Total)), "gc_time-ns/op");
        assert_eq!(unit(&metric("hits", "count", Kind::Rate)), "hits");
    }

    #[test]
    fn numbers_keep_nine_digits() {
        let shown = [0.0, 1726.0, 0.123_456_789_12, 1_234_567_890.5, 12.5, 3e-9].map(number);
        assert_eq!(shown, ["0", "1726", "0.123456789", "1234567890", "12.5", "0.000000003"]);
    }
}
