//! Writes files like those of JavaScript tools.

use super::{Entry, File, Row, document, objects};
use serde_json::{Value, json};
use std::fmt::Write;

pub(super) const MITATA: &[&str] = &[
    r#""args":{}"#,
    r#""args":{"n":1}"#,
    r#""args":{"n":"1"}"#,
    r#""args":{"n":"\"1\""}"#,
    r#""args":{"n":null}"#,
    r#""args":{"n":"null"}"#,
    r#""args":{"n":true}"#,
    r#""args":{"n":"true"}"#,
    r#""args":{"n":[1]}"#,
    r#""args":{"n":"[1]"}"#,
    r#""args":{"n":1,"m":2}"#,
    r#""args":{"n":2,"m":1}"#,
];

pub(super) fn mitata(rows: &[Row<'_>]) -> File {
    let own = |row: &str, value: u32| {
        format!("{{\"alias\":\"a\",\"runs\":[{{{row},\"stats\":{{\"samples\":[{value}],\"ticks\":1}}}}]}}")
    };
    (format!("{{\"layout\":[],\"benchmarks\":{}}}", objects(rows, own)).into_bytes(), Vec::new())
}

pub(super) const TINYBENCH: &[&str] =
    &["push", "push #2", "push n=1", "Push", "tinybench/push", "\"push\"", " push"];

fn milliseconds(values: &[u32]) -> Vec<f64> {
    values.iter().map(|value| f64::from(*value) * 1e-6).collect()
}

/// Returns tasks with their results, which alternate between the formats of version 3 and of earlier
/// versions.
pub(super) fn tinybench(entries: &[Entry<'_>]) -> File {
    let task = |(at, (name, values)): (usize, &Entry<'_>)| {
        let samples = milliseconds(values);
        if at % 2 == 0 {
            json!({"name": name, "result": {"latency": {"mean": samples[0], "samples": samples}}})
        } else {
            json!({"name": name, "result": {"totalTime": 1, "mean": samples[0], "samples": samples}})
        }
    };
    document(&entries.iter().enumerate().map(task).collect())
}

pub(super) fn tinybench_beside(entries: &[Entry<'_>]) -> File {
    let task = |(at, (name, values)): (usize, &Entry<'_>)| {
        let samples = milliseconds(values);
        if at % 2 == 0 {
            json!({"name": name, "latency": {"mean": samples[0], "samples": samples}})
        } else {
            json!({"name": name, "totalTime": 1, "mean": samples[0], "samples": samples})
        }
    };
    document(&entries.iter().enumerate().map(task).collect())
}

pub(super) fn tinybench_table(rows: &[Row<'_>]) -> File {
    let row =
        |(name, value): &Row<'_>| json!({"Task name": name, "Latency avg (ns)": format!("{value} ± 1%")});
    document(&rows.iter().map(row).collect())
}

/// File, groups as printed, and name of each benchmark.
pub(super) const VITEST: &[&str] = &[
    "a.bench.ts|a.bench.ts|x",
    "a.bench.ts|a.bench.ts > g|x",
    "a.bench.ts|a.bench.ts > g > h|x",
    "a.bench.ts|a.bench.ts > g|h/x",
    "a.bench.ts|a.bench.ts > g|h > x",
    "a.bench.ts|a.bench.ts > g/h|x",
    "a.bench.ts|a.bench.ts|g/h/x",
    "a.bench.ts|a.bench.ts > g|x #2",
    "b.bench.ts|b.bench.ts > g|x",
    "c/a.bench.ts|c/a.bench.ts > g|x",
    "a.bench.ts||x",
];

pub(super) fn vitest(entries: &[Entry<'_>]) -> File {
    let one = |(row, values): &Entry<'_>| {
        let words: Vec<&str> = row.split('|').collect();
        let samples = milliseconds(values);
        let benchmark = json!({"name": words[2], "mean": samples[0], "samples": samples});
        json!({"filepath": words[0], "groups": [{"fullName": words[1], "benchmarks": [benchmark]}]})
    };
    document(&json!({"files": entries.iter().map(one).collect::<Vec<_>>()}))
}

/// File and configuration of each benchmark, as printed by Node.
pub(super) const NODE: &[&str] = &[
    "b/x.js|",
    "b/x.js #2|",
    "b/x.js|n=1 t=1",
    "b/x.js|n=1 t='1'",
    "b/x.js|n=1 t=\"1\"",
    "b/x.js|n=1 t='\"1\"'",
    "b/x.js|t=1 n=1",
    "b/x.js|n=1 t=true",
    "b/x.js|n=1 t='true'",
    "b/x.js|n=1 t='a m=2'",
    "b/x.js|n=1 t=a m=2",
    "b/x.js #2|n=1 t=1",
    "b/x.js|n=1 t='a, \"b\"'",
    "b/y.js|n=1 t=1",
    "y.js|n=1 t=1",
];

fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

fn rate(value: u32) -> String {
    format!("{:?}, 1", 1e9 / f64::from(value))
}

pub(super) fn node_compare(rows: &[Row<'_>]) -> File {
    let mut text = "\"binary\", \"filename\", \"configuration\", \"rate\", \"time\"\n".to_owned();
    for (at, (row, value)) in rows.iter().enumerate() {
        let (file, configuration) = row.split_once('|').unwrap();
        let binary = ["\"old\"", "\"new\""][at % 2];
        writeln!(text, "{binary}, {}, {}, {}", quoted(file), quoted(configuration), rate(*value)).unwrap();
    }
    (text.into_bytes(), Vec::new())
}

pub(super) fn node_run(rows: &[Row<'_>]) -> File {
    let mut text = "\"filename\", \"configuration\", \"rate\", \"time\"\n".to_owned();
    for (row, value) in rows {
        let (file, configuration) = row.split_once('|').unwrap();
        writeln!(text, "{}, {}, {}", quoted(file), quoted(configuration), rate(*value)).unwrap();
    }
    (text.into_bytes(), Vec::new())
}

/// Values of `n` and `t`. Text is in quotes.
pub(super) const SCATTER: &[&str] = &[
    "1, 1",
    "1, \"1\"",
    "\"1\", 1",
    "1, \"\"\"1\"\"\"",
    "11, \"\"",
    "1, \"a, b\"",
    "1, \"a\"",
    "1, \"a t=b\"",
    "1, \" a\"",
];

pub(super) fn node_scatter(rows: &[Row<'_>]) -> File {
    let mut text = "\"filename\", \"n\", \"t\", \"rate\", \"time\"\n".to_owned();
    for (row, value) in rows {
        writeln!(text, "\"b/x.js\", {row}, {}", rate(*value)).unwrap();
    }
    (text.into_bytes(), Vec::new())
}

pub(super) const NODE_BENCH: &[&str] = &[
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s/t"],"params":{}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t #2"],"params":{}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":1}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":"1"}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":"\"1\""}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":null}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":"null"}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":[1]}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":"[1]"}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":1,"m":2}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t"],"params":{"n":2,"m":1}"#,
    r#""entryFile":"/r/u.mjs","namePath":["s","t n=1"],"params":{}"#,
    r#""entryFile":"/q/u.mjs","namePath":["s","t"],"params":{}"#,
];

/// Puts each value of an entry into a separate run. A benchmark has a different id in each run.
fn node_bench_of(entries: &[Entry<'_>], record: impl Fn(&str, u32) -> Vec<String>) -> File {
    let mut text = String::new();
    for (at, (row, values)) in entries.iter().enumerate() {
        for (run, value) in values.iter().enumerate() {
            let ids = format!(r#""fileRunId":"{run}","benchId":"{at}-{run}""#);
            for line in record(&format!("{ids},{row}"), *value) {
                writeln!(text, "{line}").unwrap();
            }
        }
    }
    (text.into_bytes(), Vec::new())
}

fn taken(value: u32) -> Value {
    json!({"operations": 10, "duration_ns": (value * 10).to_string()})
}

pub(super) fn node_bench(entries: &[Entry<'_>]) -> File {
    node_bench_of(entries, |own, value| {
        let samples = json!([taken(value)]);
        vec![format!(r#"{{"type":"bench:complete","data":{{{own},"samples":{samples}}}}}"#)]
    })
}

/// Writes separate lines for samples, which do not repeat the parameters.
pub(super) fn node_bench_streamed(entries: &[Entry<'_>]) -> File {
    node_bench_of(entries, |own, value| {
        let sample = taken(value).to_string();
        let (known, _) = own.split_once(",\"params\"").unwrap();
        vec![
            format!(r#"{{"type":"bench:plan","data":{{{own}}}}}"#),
            format!(r#"{{"type":"bench:sample","data":{{{known},{}}}"#, &sample[1..]),
        ]
    })
}
