//! Reads Vitest's benchmark JSON (`vitest bench --outputJson`): tinybench's figures by file and group. A file
//! contains samples only if the project configures them.

use crate::cases::CaseIdentity;
use crate::foreign::Foreign;
use crate::tinybench::{self, Figures};
use crate::{Input, ReadError, json};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    files: Vec<Measured>,
}

#[derive(Deserialize)]
struct Measured {
    filepath: String,
    groups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    full_name: String,
    benchmarks: Vec<Benchmark>,
}

#[derive(Deserialize)]
struct Benchmark {
    name: String,
    #[serde(flatten)]
    figures: Figures,
}

pub(crate) const KEYS: &[&[&str]] = &[&["files[].filepath", "files[].groups"]];

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let file: File = json::document(input)?;
    let mut foreign = Foreign::new("vitest", "javascript");
    tinybench::say_what_is_unknown(&mut foreign);
    let process = foreign.process(0, 0);
    for measured in &file.files {
        for group in &measured.groups {
            // The full name contains the file as printed, followed by the suites within it.
            let mut words = group.full_name.split(" > ");
            let suite = words.next().filter(|word| !word.is_empty()).unwrap_or(&measured.filepath);
            let within: Vec<&str> = words.collect();
            for benchmark in &group.benchmarks {
                let path = within.iter().copied().chain([benchmark.name.as_str()]);
                let name = path.collect::<Vec<_>>().join(" > ");
                let case = foreign.case(CaseIdentity::Row, suite, &name, Vec::new());
                let group = (!within.is_empty()).then(|| within.join(" > "));
                foreign.cases.change(case, |own| own.group = group);
                tinybench::take(&mut foreign, (process, case), &benchmark.figures, None);
            }
        }
    }
    tinybench::say_where_only_means_are(&mut foreign);
    Ok(foreign)
}
