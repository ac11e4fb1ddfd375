//! Reads the output of `node:bench` (Node.js 26), one record per line. Samples come from `bench:sample`, or
//! else from the completion of the benchmark.

use crate::cases::CaseIdentity;
use crate::{Foreign, Input, ReadError, Sample};
use derny_model::param_text;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(crate) fn matches(input: &Input<'_>) -> bool {
    input.head().lines().next().is_some_and(|line| line.starts_with('{') && line.contains("\"bench:"))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut reader = Reader::new();
    for (line, text) in (1..).zip(input.text()?.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let record: Value = serde_json::from_str(text)
            .map_err(|error| ReadError::at(line, format!("not valid JSON: {error}")))?;
        let kind = record.get("type").and_then(Value::as_str).unwrap_or_default();
        if !kind.starts_with("bench:") {
            return Err(ReadError::at(line, "its `type` is not one of node:bench"));
        }
        if let Some(data) = record.get("data") {
            reader.record(line, kind, data)?;
        }
    }
    Ok(reader.end())
}

#[derive(Default)]
struct Collected {
    streamed: Vec<Sample>,
    complete: Vec<Sample>,
}

struct Reader {
    foreign: Foreign,
    processes: HashMap<String, usize>,
    /// Process and case, in the order of their first sample.
    order: Vec<(usize, usize)>,
    collected: HashMap<(usize, usize), Collected>,
    declared: HashMap<String, usize>,
    /// Ids of benchmarks with the same name, by run and name. Equal names in one run of a file are different
    /// benchmarks. In different runs, they are the same benchmark.
    equal: HashMap<(String, String), Vec<String>>,
    failed: HashSet<usize>,
    ended: HashSet<usize>,
}

impl Reader {
    fn new() -> Reader {
        let mut foreign = Foreign::new("node:bench", "javascript");
        foreign.says("version of Node.js");
        Reader {
            foreign,
            processes: HashMap::new(),
            order: Vec::new(),
            collected: HashMap::new(),
            declared: HashMap::new(),
            equal: HashMap::new(),
            failed: HashSet::new(),
            ended: HashSet::new(),
        }
    }

    fn record(&mut self, line: usize, kind: &str, data: &Value) -> Result<(), ReadError> {
        let Some(id) = data.get("benchId").and_then(Value::as_str) else { return Ok(()) };
        let run = ["fileRunId", "runId"].iter().find_map(|key| data.get(*key).and_then(Value::as_str));
        let run = run.unwrap_or_default();
        // Samples do not repeat the parameters. These are in the plan, the start or the completion.
        if data.get("params").is_some() || !self.declared.contains_key(id) {
            self.declare(line, run, id, data)?;
        }
        let case = self.declared[id];
        if let Some(error) = data.get("error").filter(|error| !error.is_null()) {
            let message = error.get("message").and_then(Value::as_str).unwrap_or("no message");
            if self.failed.insert(case) {
                self.foreign.fail(case, message);
            }
        }
        let place = (self.process(run), case);
        let is_sample = kind == "bench:sample";
        let is_complete = kind == "bench:complete";
        if is_sample || is_complete {
            self.ended.insert(case);
        }
        let samples = data.get("samples").and_then(Value::as_array).filter(|_| is_complete);
        if is_sample {
            let sample = sample(line, data)?;
            self.collect(place).streamed.push(sample);
        } else if let Some(samples) = samples {
            let samples = samples.iter().map(|data| sample(line, data)).collect::<Result<Vec<_>, _>>()?;
            self.collect(place).complete.extend(samples);
        }
        Ok(())
    }

    fn declare(&mut self, line: usize, run: &str, id: &str, data: &Value) -> Result<(), ReadError> {
        let identity = identity(data).ok_or_else(|| ReadError::at(line, "the benchmark has no name"))?;
        let key = json!([identity.file, identity.path, data.get("params")]).to_string();
        let equal = self.equal.entry((run.to_owned(), key.clone())).or_default();
        let place = equal.iter().position(|known| known == id).unwrap_or_else(|| {
            equal.push(id.to_owned());
            equal.len() - 1
        });
        let own = format!("{key}\0{place}");
        let name = identity.path.join("/");
        let case =
            self.foreign.case(CaseIdentity::Named(&own), identity.suite(), &name, identity.params.clone());
        self.foreign.cases.change(case, |own| own.file = identity.file.map(str::to_owned));
        self.declared.insert(id.to_owned(), case);
        Ok(())
    }

    fn process(&mut self, run: &str) -> usize {
        if let Some(process) = self.processes.get(run) {
            return *process;
        }
        let process = self.foreign.process(0, self.foreign.processes.len());
        self.processes.insert(run.to_owned(), process);
        process
    }

    fn collect(&mut self, place: (usize, usize)) -> &mut Collected {
        if !self.collected.contains_key(&place) {
            self.order.push(place);
        }
        self.collected.entry(place).or_default()
    }

    fn end(mut self) -> Foreign {
        let mut foreign = self.foreign;
        let is_known = |case: &usize| self.ended.contains(case) || self.failed.contains(case);
        for case in (0..foreign.cases.len()).filter(|case| !is_known(case)) {
            foreign.fail(case, "the file ends before it was measured");
        }
        for place in self.order {
            let Some(found) = self.collected.remove(&place) else { continue };
            let samples = if found.streamed.is_empty() { found.complete } else { found.streamed };
            if !samples.is_empty() {
                foreign.visit(place, &Arc::default(), &samples, Vec::new());
            }
        }
        foreign
    }
}

struct Identity<'a> {
    file: Option<&'a str>,
    path: Vec<&'a str>,
    params: Vec<(String, String)>,
}

impl Identity<'_> {
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
