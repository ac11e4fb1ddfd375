//! CSV files for Node's scripts `compare.R`, `bar.R` and `scatter.R`. Each row is a process. For Node's own
//! benchmarks (`Case::runner`), the value is the first call of the process, as Node's runner measures it. For
//! others, it is the typical value of the process.

use crate::json;
use derny_model::{Case, CaseResult, Comparison, Document, FirstCall, ProcessValue, TimeSummary};

/// Harness that runs Node's own files. Its benchmarks are named like their files, without Derny's suite.
const NODE_CORE: &str = "node-core";
/// Harness and suite of cases imported from a file of these scripts. Their names are already those of the
/// scripts.
const IMPORTED: (&str, &str) = ("imported", "benchmark");

/// Returns the file name as Node's scripts write it, or suite and benchmark for other benchmarks.
pub(crate) fn file(case: &Case) -> String {
    let id = &case.id;
    let own = case.harness == NODE_CORE || (case.harness.as_str(), id.suite.as_str()) == IMPORTED;
    if own { id.benchmark.clone() } else { format!("{}/{}", id.suite, id.benchmark) }
}

/// Returns the CSV that compare.js prints. The first side is `old` and the second `new`. The rows of their
/// processes alternate.
///
/// # Errors
///
/// Fails unless there are two sides.
pub fn compare(comparison: &Comparison) -> Result<String, String> {
    let sides: Vec<usize> = (0..comparison.sides.len()).filter(|i| !comparison.sides[*i].control).collect();
    let [old, new] = sides[..] else {
        return Err(format!("compare.js compares two binaries, but the run has {} sides", sides.len()));
    };
    let mut out = "\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"\n".to_owned();
    let mut place = 0;
    while place < comparison.cases.len() {
        let name = file(&comparison.cases[place].case);
        let cases = &comparison.cases[place..];
        let count = cases.iter().take_while(|case| file(&case.case) == name).count();
        let of =
            |case: usize, side: usize| cases[case].times.get(side).and_then(Option::as_ref).map(processes);
        let runs = (0..count).flat_map(|case| [of(case, old), of(case, new)]).flatten().map(|p| p.len());
        for run in 0..runs.max().unwrap_or(0) {
            for (binary, side) in [("old", old), ("new", new)] {
                for (case, compared) in cases.iter().enumerate().take(count) {
                    let Some(value) = of(case, side).and_then(|processes| processes.get(run).copied()) else {
                        continue;
                    };
                    let configuration = doubled(&inspected(&compared.case));
                    let (file, figures) = (doubled(&name), figures(&value, ","));
                    out.push_str(&format!("\"{binary}\",\"{file}\",\"{configuration}\",{figures}\n"));
                }
            }
        }
        place += count;
    }
    Ok(out)
}

/// Returns the CSV that run.js prints with `--format csv`.
///
/// # Errors
///
/// Fails if there are several variants, because the format has no column for them.
pub fn run(document: &Document) -> Result<String, String> {
    let mut out = "\"filename\", \"configuration\", \"rate\", \"time\"\n".to_owned();
    for (case, time) in timed(document)? {
        let (name, configuration) = (doubled(&file(&case.case)), doubled(&configuration(&case.case, quoted)));
        for value in processes(time) {
            out.push_str(&format!("\"{name}\", \"{configuration}\", {}\n", figures(&value, ", ")));
        }
    }
    Ok(out)
}

/// Returns the CSV that scatter.js prints: one benchmark, with a column per parameter.
///
/// # Errors
///
/// Fails if there are several variants or benchmarks, or if cases have different parameters.
pub fn scatter(document: &Document) -> Result<String, String> {
    let cases = timed(document)?;
    let Some((first, _)) = cases.first() else { return Err("none of the cases has times".to_owned()) };
    let keys = |case: &Case| case.id.params.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
    let (name, columns) = (file(&first.case), keys(&first.case));
    if let Some((other, _)) = cases.iter().find(|(case, _)| file(&case.case) != name) {
        return Err(format!("scatter.js covers one file, not both `{name}` and `{}`", file(&other.case)));
    }
    if let Some((other, _)) = cases.iter().find(|(case, _)| keys(&case.case) != columns) {
        return Err(format!(
            "the parameters of `{}` differ from those of `{}`",
            other.case.id, first.case.id
        ));
    }
    let head: String = columns.iter().map(|key| format!("\"{}\", ", doubled(key))).collect();
    let mut out = format!("\"filename\", {head}\"rate\", \"time\"\n");
    for (case, time) in cases {
        let encode = |value: &String| number(value).unwrap_or_else(|| format!("\"{}\"", doubled(value)));
        let values: String = case.case.id.params.iter().map(|(_, v)| encode(v) + ", ").collect();
        for value in processes(time) {
            out.push_str(&format!("\"{}\", {values}{}\n", doubled(&name), figures(&value, ", ")));
        }
    }
    Ok(out)
}

/// Returns the cases that have times. Fails if there are several variants.
fn timed(document: &Document) -> Result<Vec<(&CaseResult, &TimeSummary)>, String> {
    if document.run.variants.len() > 1 {
        return Err("the CSV of Node's scripts has no column for variants".to_owned());
    }
    let times =
        |case: &'_ CaseResult| case.variants.first().and_then(|variant| variant.time.as_ref()).is_some();
    let cases = document.cases().filter(|case| times(case));
    Ok(cases.filter_map(|case| Some((case, case.variants.first()?.time.as_ref()?))).collect())
}

fn processes(time: &TimeSummary) -> Vec<ProcessValue> {
    time.processes.iter().filter(|p| p.time_ns.is_finite() && p.time_ns > 0.0).collect()
}

/// Formats the operations per second and the measured seconds.
fn figures(value: &ProcessValue, separator: &str) -> String {
    let steady = || FirstCall {
        time_ns: value.time_ns,
        call_ns: if value.measured_ns > 0.0 { value.measured_ns } else { value.time_ns },
    };
    let FirstCall { time_ns, call_ns } = value.first.unwrap_or_else(steady);
    format!("{}{separator}{:.9}", 1e9 / time_ns, call_ns / 1e9)
}

pub(crate) fn inspected(case: &Case) -> String {
    configuration(case, inspect)
}

fn configuration(case: &Case, write: fn(&str) -> String) -> String {
    let pairs = case.id.params.iter().map(|(key, value)| format!("{key}={}", write(value)));
    pairs.collect::<Vec<_>>().join(" ")
}

fn doubled(text: &str) -> String {
    text.replace('"', "\"\"")
}

/// Returns a number as JavaScript writes it, or `None` if the text is not a number. The types of parameters
/// are not recorded, so digits count as a number.
fn number(text: &str) -> Option<String> {
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let size = value.abs();
    let plain = if size == 0.0 || (1e-6..1e21).contains(&size) { value.to_string() } else { text.to_owned() };
    (plain == text || text.contains(['e', 'E'])).then_some(plain)
}

fn bare(text: &str) -> Option<String> {
    number(text).or_else(|| matches!(text, "true" | "false").then(|| text.to_owned()))
}

fn quoted(text: &str) -> String {
    bare(text).unwrap_or_else(|| json::line(&text))
}

/// Escapes text like `util.inspect`, in the first kind of quotes that it does not contain.
fn inspect(text: &str) -> String {
    if let Some(bare) = bare(text) {
        return bare;
    }
    let fits = |quote: char| !(text.contains(quote) || quote == '`' && text.contains("${"));
    let quote = ['\'', '"', '`'].into_iter().find(|quote| fits(*quote)).unwrap_or('\'');
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are from `util.inspect` of Node.js 20.
    #[test]
    fn values_are_written_as_inspect_does() {
        for (text, expected) in [
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", "\"it's\""),
            ("it's \"x\"", "`it's \"x\"`"),
            ("'\"`", "'\\'\"`'"),
            ("a\nb\\c\u{1b}", "'a\\nb\\\\c\\x1B'"),
            ("1000", "1000"),
            ("1e6", "1000000"),
            ("0.5", "0.5"),
            ("-3", "-3"),
            ("007", "'007'"),
            ("1.0", "'1.0'"),
            ("true", "true"),
            ("NaN", "'NaN'"),
            ("0x10", "'0x10'"),
        ] {
            assert_eq!(inspect(text), expected, "{text}");
        }
        assert_eq!(quoted("a \"b\"\n"), "\"a \\\"b\\\"\\n\"");
    }
}
