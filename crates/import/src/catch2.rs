//! Reads the XML of Catch2 benchmarks (`-r xml`), versions 2 and 3: means, deviations and counts, without
//! samples.

use crate::cases::CaseIdentity;
use crate::foreign::{Foreign, Sample, stated};
use crate::{Input, ReadError};
use derny_model::Reported;
use roxmltree::{Document, Node, ParsingOptions};

/// Maximum number of nodes, far above any real test case.
const NODES: u32 = 4_000_000;
const DEEPEST: usize = 256;
/// Tag at the start of a test case. It cannot occur in text, where `<` is written as `&lt;`.
const BEGINS: &str = "<TestCase";
const ENDS: &str = "</TestCase>";

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let head = input.head();
    ["<Catch2TestRun", "<Catch name=", "<Catch>"].iter().any(|root| head.contains(root))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    // A parsed document takes about ten times the memory of its text, so test cases are parsed one by one.
    let text = input.text()?;
    let (tests, around) = parted(text);
    let around = document(&around, 1)?;
    let root = around.root_element();
    let version = root.attribute("catch2-version").or_else(|| root.has_tag_name("Catch").then_some("2"));
    let mut foreign = Foreign::new(format!("catch2 {}", version.unwrap_or_default()).trim(), "c++");
    foreign.says("single samples (the file has only a mean and its deviation)");
    foreign.says("date and machine of the measurement, and differences between processes");
    let process = foreign.process(0, 0);
    let program = root.attribute("name").filter(|name| !name.is_empty()).unwrap_or("catch2");
    for (line, test) in tests {
        let document = document(test, line)?;
        for results in document.descendants().filter(|node| node.has_tag_name("BenchmarkResults")) {
            take(&mut foreign, process, program, results).map_err(|why| {
                let within = document.text_pos_at(results.range().start).row as usize;
                ReadError::at(line + within - 1, why)
            })?;
        }
    }
    if foreign.cases.is_empty() {
        return Err(ReadError::whole(
            "it has no benchmarks: Catch2 runs those tagged `[!benchmark]` only if they are named",
        ));
    }
    Ok(foreign)
}

/// Splits off the test cases, each with the number of its first line. The remaining text keeps its line
/// numbers.
fn parted(text: &str) -> (Vec<(usize, &str)>, String) {
    let (mut tests, mut around) = (Vec::new(), String::new());
    let (mut rest, mut line) = (text, 1);
    while let Some(start) = rest.find(BEGINS)
        && let Some(end) = rest[start..].find(ENDS).map(|end| start + end + ENDS.len())
    {
        let (before, test) = (&rest[..start], &rest[start..end]);
        line += before.matches('\n').count();
        tests.push((line, test));
        around.push_str(before);
        let lines = test.matches('\n').count();
        around.extend(std::iter::repeat_n('\n', lines));
        line += lines;
        rest = &rest[end..];
    }
    around.push_str(rest);
    (tests, around)
}

fn document(text: &str, line: usize) -> Result<Document<'_>, ReadError> {
    // The parser uses stack space for each level.
    if deepest(text) > DEEPEST {
        return Err(ReadError::at(line, format!("elements are nested more than {DEEPEST} deep")));
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES };
    Document::parse_with_options(text, options).map_err(|error| {
        ReadError::at(line + error.pos().row as usize - 1, format!("not valid XML: {error}"))
    })
}

/// Returns the depth of nested elements in a text that may be invalid XML. Ignores comments and similar
/// parts.
fn deepest(text: &str) -> usize {
    let (mut rest, mut depth, mut most) = (text, 0usize, 0);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let hidden = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        if let Some((begin, end)) = hidden.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let Some(end_at) = rest[begin.len()..].find(end) else { break };
            rest = &rest[begin.len() + end_at + end.len()..];
            continue;
        }
        let length = tag(rest);
        match (rest.starts_with("</"), rest[..length].ends_with("/>")) {
            (true, _) => depth = depth.saturating_sub(1),
            (_, true) => {}
            _ => depth += 1,
        }
        most = most.max(depth);
        rest = &rest[length..];
    }
    most
}

/// Returns the length of the tag at the start of `text`. A quoted value in it may contain any character, even
/// `>`.
fn tag(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if byte == open => quote = None,
            _ => {}
        }
    }
    text.len()
}

fn take(foreign: &mut Foreign, process: usize, program: &str, results: Node<'_, '_>) -> Result<(), String> {
    // The group is the path of the test case and its sections.
    let above =
        results.ancestors().filter(|node| ["TestCase", "Section"].iter().any(|tag| node.has_tag_name(*tag)));
    let mut path: Vec<&str> = above.filter_map(|node| node.attribute("name")).collect();
    path.reverse();
    let group = path.join("/");
    let own = results.attribute("name").unwrap_or_default();
    let name = [path.as_slice(), &[own]].concat().join("/");
    let case = foreign.case(CaseIdentity::Row, program, &name, Vec::new());
    let place = results.ancestors().find(|node| node.has_attribute("filename"));
    foreign.cases.change(case, |own| {
        own.group = Some(group);
        own.file = place.and_then(|node| node.attribute("filename")).map(str::to_owned);
    });
    let child = |tag: &str| results.children().find(|node| node.has_tag_name(tag));
    if let Some(failed) = child("failed") {
        foreign.fail(case, failed.attribute("message").unwrap_or("it failed"));
        return Ok(());
    }
    let number = |node: Node<'_, '_>, key: &str| {
        let text = node.attribute(key).ok_or_else(|| format!("`{own}` has no `{key}`"))?;
        text.parse::<f64>().map_err(|_| format!("`{own}` has the {key} `{text}`, which is not a number"))
    };
    let mean = child("mean").ok_or_else(|| format!("`{own}` has no mean"))?;
    let value = number(mean, "value")?;
    let samples = results.attribute("samples").map_or(Ok(1.0), |_| number(results, "samples"))?;
    let iterations = results.attribute("iterations").map_or(Ok(1.0), |_| number(results, "iterations"))?;
    let calls = (samples * iterations).clamp(1.0, 1e15) as u64;
    let sample = Some(Sample::of(value, calls)).filter(|_| value.is_finite() && value >= 0.0);
    let samples = foreign.numbers(case, [sample]);
    if samples.is_empty() {
        return Ok(());
    }
    let mut said: Vec<Reported> = vec![stated("mean", "ns", value)];
    for (node, key, statistic) in [
        (Some(mean), "lowerBound", "lower mean"),
        (Some(mean), "upperBound", "upper mean"),
        (child("standardDeviation"), "value", "sd"),
    ] {
        if let Some(node) = node.filter(|node| node.has_attribute(key)) {
            said.extend(
                Some(number(node, key)?)
                    .filter(|value| value.is_finite())
                    .map(|value| stated(statistic, "ns", value)),
            );
        }
    }
    foreign.long_visit((process, case), &[], &samples, said);
    Ok(())
}
