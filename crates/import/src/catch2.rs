//! Catch2's XML of benchmarks (`-r xml`), of version 2 and 3: a mean, its deviation and what was measured how often. It has no samples.

use crate::foreign::{Foreign, Sample, stated};
use crate::{Input, ReadError};
use derny_model::Reported;
use roxmltree::{Document, Node, ParsingOptions};

/// Nothing that Catch2 writes has more parts than this.
const NODES: u32 = 4_000_000;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    let head = input.head();
    ["<Catch2TestRun", "<Catch name=", "<Catch>"].iter().any(|root| head.contains(root))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES };
    let document = Document::parse_with_options(input.text()?, options)
        .map_err(|error| ReadError::at(error.pos().row as usize, format!("it is no XML: {error}")))?;
    let root = document.root_element();
    let version = root.attribute("catch2-version").or_else(|| root.has_tag_name("Catch").then_some("2"));
    let mut foreign = Foreign::new(format!("catch2 {}", version.unwrap_or_default()).trim(), "c++");
    foreign.says("single samples: there are only a mean and its deviation");
    foreign.says("when and where it was measured, and whether other processes would differ");
    let process = foreign.process(0, 0);
    let program = root.attribute("name").filter(|name| !name.is_empty()).unwrap_or("catch2");
    for test in root.descendants().filter(|node| node.has_tag_name("TestCase")) {
        for results in test.descendants().filter(|node| node.has_tag_name("BenchmarkResults")) {
            take(&mut foreign, process, program, results).map_err(|why| {
                ReadError::at(document.text_pos_at(results.range().start).row as usize, why)
            })?;
        }
    }
    if foreign.cases.is_empty() {
        return Err(ReadError::whole(
            "no benchmark is in it: Catch2 runs those tagged `[!benchmark]` only where they are named",
        ));
    }
    Ok(foreign)
}

fn take(foreign: &mut Foreign, process: usize, program: &str, results: Node<'_, '_>) -> Result<(), String> {
    // The test case and the sections that it stands in.
    let above =
        results.ancestors().filter(|node| ["TestCase", "Section"].iter().any(|tag| node.has_tag_name(*tag)));
    let mut path: Vec<&str> = above.filter_map(|node| node.attribute("name")).collect();
    path.reverse();
    let group = path.join("/");
    let own = results.attribute("name").unwrap_or_default();
    let name = [path.as_slice(), &[own]].concat().join("/");
    let case = foreign.case(program, &name, Vec::new());
    foreign.cases[case].group = Some(group);
    let place = results.ancestors().find(|node| node.has_attribute("filename"));
    foreign.cases[case].file = place.and_then(|node| node.attribute("filename")).map(str::to_owned);
    let child = |tag: &str| results.children().find(|node| node.has_tag_name(tag));
    if let Some(failed) = child("failed") {
        foreign.failed.push((case, failed.attribute("message").unwrap_or("it failed").to_owned()));
        return Ok(());
    }
    let number = |node: Node<'_, '_>, key: &str| {
        let text = node.attribute(key).ok_or_else(|| format!("`{own}` has no `{key}`"))?;
        let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| format!("`{own}` has the {key} `{text}`, which is no number"))
    };
    let mean = child("mean").ok_or_else(|| format!("`{own}` has no mean"))?;
    let value = number(mean, "value")?;
    if value < 0.0 {
        return Err(format!("`{own}` has a mean below 0"));
    }
    let samples = results.attribute("samples").map_or(Ok(1.0), |_| number(results, "samples"))?;
    let iterations = results.attribute("iterations").map_or(Ok(1.0), |_| number(results, "iterations"))?;
    let calls = (samples * iterations).clamp(1.0, 1e15) as u64;
    let mut said: Vec<Reported> = vec![stated("mean", "ns", value)];
    for (node, key, statistic) in [
        (Some(mean), "lowerBound", "lower mean"),
        (Some(mean), "upperBound", "upper mean"),
        (child("standardDeviation"), "value", "sd"),
    ] {
        if let Some(node) = node.filter(|node| node.has_attribute(key)) {
            said.push(stated(statistic, "ns", number(node, key)?));
        }
    }
    foreign.long_visit((process, case), &[], vec![Sample::of(value, calls)], said);
    Ok(())
}
