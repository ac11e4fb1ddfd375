//! Output of `node:bench` (Node.js 26): one record per line. Samples come from `bench:sample`; a benchmark
//! that only has its completion has them there.

use crate::cases::CaseIdentity;
use crate::{Foreign, Input, ReadError, Sample};
use derny_model::param_text;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.head().lines().next().is_some_and(|line| line.starts_with('{') && line.contains("\"bench:"))
}

/// Samples of one benchmark in one run of its file.
#[derive(Default)]
struct Collected {
    streamed: Vec<Sample>,
    complete: Vec<Sample>,
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = Foreign::new("node:bench", "javascript");
    foreign.says("version of Node.js");
    let mut processes: HashMap<String, usize> = HashMap::new();
    let mut order: Vec<(usize, usize)> = Vec::new();
    let mut collected: HashMap<(usize, usize), Collected> = HashMap::new();
    let mut declared: HashMap<String, usize> = HashMap::new();
    // Benchmarks with one name in one run of a file are different; those with one name in several runs are
    // the same.
    let mut equal: HashMap<(String, String), Vec<String>> = HashMap::new();
    let (mut failed, mut ended) = (HashSet::new(), HashSet::new());
    for (line, text) in (1..).zip(input.text()?.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let record: Value = serde_json::from_str(text)
            .map_err(|error| ReadError::at(line, format!("not valid JSON: {error}")))?;
        let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
        if !kind.starts_with("bench:") {
            return Err(ReadError::at(line, "its `type` is not one of node:bench"));
        }
        let Some(data) = record.get("data") else { continue };
        let Some(id) = data.get("benchId").and_then(Value::as_str) else { continue };
        let run = ["fileRunId", "runId"].iter().find_map(|key| data.get(*key).and_then(Value::as_str));
        let run = run.unwrap_or_default().to_owned();
        // Samples do not repeat the parameters, which are in the plan, the start or the completion.
        if data.get("params").is_some() || !declared.contains_key(id) {
            let identity = identity(data).ok_or_else(|| ReadError::at(line, "it has no name"))?;
            let key = json!([identity.file, identity.path, data.get("params")]).to_string();
            let equal = equal.entry((run.clone(), key.clone())).or_default();
            let place = equal.iter().position(|known| known == id).unwrap_or_else(|| {
                equal.push(id.to_owned());
                equal.len() - 1
            });
            let own = format!("{key}\0{place}");
            let name = identity.path.join("/");
            let case =
                foreign.case(CaseIdentity::Named(&own), identity.suite(), &name, identity.params.clone());
            foreign.cases.change(case, |own| own.file = identity.file.map(str::to_owned));
            declared.insert(id.to_owned(), case);
        }
        let case = declared[id];
        if let Some(error) = data.get("error").filter(|error| !error.is_null()) {
            let message = error.get("message").and_then(Value::as_str).unwrap_or("no message");
            if failed.insert(case) {
                foreign.fail(case, message);
            }
        }
        let process = match processes.get(&run) {
            Some(process) => *process,
            None => {
                let process = foreign.process(0, foreign.processes.len());
                processes.insert(run, process);
                process
            }
        };
        let place = (process, case);
        let streamed = kind == "bench:sample";
        if streamed || kind == "bench:complete" {
            ended.insert(case);
        }
        let complete = data.get("samples").and_then(Value::as_array).filter(|_| kind == "bench:complete");
        if !streamed && complete.is_none() {
            continue;
        }
        if !collected.contains_key(&place) {
            order.push(place);
        }
        let entry = collected.entry(place).or_default();
        if streamed {
            entry.streamed.push(sample(line, data)?);
        }
        for value in complete.into_iter().flatten() {
            entry.complete.push(sample(line, value)?);
        }
    }
    for case in (0..foreign.cases.len()).filter(|case| !ended.contains(case) && !failed.contains(case)) {
        foreign.fail(case, "the file ends before it was measured");
    }
    for place in order {
        let Some(found) = collected.remove(&place) else { continue };
        let samples = if found.streamed.is_empty() { found.complete } else { found.streamed };
        if !samples.is_empty() {
            foreign.visit(place, &Arc::default(), &samples, Vec::new());
        }
    }
    Ok(foreign)
}

/// Identity of a benchmark in a record.
struct Identity<'a> {
    file: Option<&'a str>,
    /// Names of suites, and of the benchmark.
    path: Vec<&'a str>,
    params: Vec<(String, String)>,
}

impl Identity<'_> {
    /// Returns the file name.
    fn suite(&self) -> &str {
        let file = self.file.unwrap_or("node:bench");
        file.rsplit(['/', '\\']).next().unwrap_or(file)
    }
}

fn identity(data: &Value) -> Option<Identity<'_>> {
    let path: Vec<&str> = match data.get("namePath").and_then(Value::as_array) {
        Some(path) => path.iter().filter_map(Value::as_str).collect(),
        None => vec![data.get("name")?.as_str()?],
    };
    let file = data.get("entryFile").or_else(|| data.get("file")).and_then(Value::as_str);
    let params = data.get("params").and_then(Value::as_object);
    let params = params.into_iter().flatten().map(|(key, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), |text| param_text(text).into_owned());
        (key.clone(), text)
    });
    Some(Identity { file, path, params: params.collect() })
}

fn sample(line: usize, data: &Value) -> Result<Sample, ReadError> {
    let operations = data.get("operations").and_then(Value::as_f64).filter(|count| *count > 0.0);
    let time = data.get("duration_ns");
    let time = time.and_then(|value| value.as_u64().or_else(|| value.as_str()?.parse().ok()));
    match (operations, time) {
        (Some(operations), Some(time_ns)) => {
            Ok(Sample { time_ns, operations: Some(operations), ..Sample::default() })
        }
        (None, _) => Err(ReadError::at(line, "a sample has no `operations` above 0")),
        (_, None) => Err(ReadError::at(line, "a sample has no `duration_ns`")),
    }
}
