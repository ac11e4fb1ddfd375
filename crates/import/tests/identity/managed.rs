//! Writes files like those of Java and C# tools.

use super::{Entry, File, document};
use serde_json::{Value, json};

/// Entries with several modes and thread counts. A benchmark's parameters may have the same names.
pub(super) const JMH: &[&str] = &[
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":8"#,
    r#""benchmark":"q.Ring.poll","mode":"sample","threads":8"#,
    r#""benchmark":"q.Ring.poll","mode":"thrpt","threads":1"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":"1"}"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"mode":"sample"}"#,
    r#""benchmark":"q.Ring.push","mode":"avgt","threads":1,"params":{"threads":"8","mode":"sample"}"#,
    r#""benchmark":"q.Ring.push","mode":"avgt","threads":8,"params":{"threads":"1","mode":"sample"}"#,
    r#""benchmark":"q.Ring.push","mode":"sample","threads":1,"params":{"threads":"8","mode":"avgt"}"#,
    r#""benchmark":"q.Ring.push","mode":"sample","threads":8,"params":{"threads":"8","mode":"avgt"}"#,
    r#""benchmark":"q.Ring.push","mode":"ss","threads":1,"params":{"threads":"1","mode":"sample"}"#,
];

/// Entries that differ only in parts that their names always include.
pub(super) const JMH_PARAMS: &[&str] = &[
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1"#,
    r#""benchmark":"q.Ring.push","mode":"thrpt","threads":8"#,
    r#""benchmark":"r.Ring.poll","mode":"avgt","threads":1"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":"1"}"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":"\"1\""}"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":""}"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":"1 m=2"}"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":"1","m":"2"}"#,
    r#""benchmark":"q.Ring.poll","mode":"avgt","threads":1,"params":{"n":"2","m":"1"}"#,
];

/// Returns JMH's JSON, with at most two iterations per fork.
pub(super) fn jmh(entries: &[Entry<'_>]) -> File {
    let one = |(row, values): &Entry<'_>| {
        let forks: Vec<&[u32]> = values.chunks(2).collect();
        let unit = if row.contains(r#""mode":"thrpt""#) { "ops/ms" } else { "ns/op" };
        let metric = json!({"score": values[0], "scoreError": "NaN", "scoreUnit": unit, "rawData": forks});
        format!("{{{row},\"forks\":2,\"primaryMetric\":{metric},\"secondaryMetrics\":{{}}}}")
    };
    (format!("[{}]", entries.iter().map(one).collect::<Vec<_>>().join(",")).into_bytes(), Vec::new())
}

/// Namespace, job, parameters, and their form in the full name. Parameters have `;` instead of the tool's
/// `&`.
pub(super) const DOTNET: &[&str] = &[
    "A|DefaultJob||",
    "B|DefaultJob||",
    "|DefaultJob||",
    "A|DefaultJob|N=1|N: 1",
    "A|DefaultJob|N=1|N: \"1\"",
    "A|DefaultJob|N=\"1\"|N: \"\\\"1\\\"\"",
    "A|DefaultJob|N=null|N: null",
    "A|DefaultJob|N=null|N: \"null\"",
    "A|DefaultJob|N=True|N: True",
    "A|DefaultJob|N=True|N: \"True\"",
    "A|DefaultJob|N=1;M=2|N: 1, M: 2",
    "A|DefaultJob|N=2;M=1|N: 2, M: 1",
    "A|DefaultJob|N=1&M=2|N: \"1&M=2\"",
    "A|DefaultJob|At=x&y=z;N=1|At: \"x&y=z\", N: 1",
    "A|DefaultJob|At=x&y=w;N=1|At: \"x&y=w\", N: 1",
    "A|DefaultJob|At=long(...)text [60];N=1|At: \"long one text\", N: 1",
    "A|DefaultJob|At=long(...)text [60];N=1|At: \"long two text\", N: 1",
    "A|DefaultJob|At=same(...)end [50];N=3|",
];

/// Rows of several jobs. A parameter may have the name that Derny gives to a job.
pub(super) const DOTNET_JOBS: &[&str] = &[
    "A|DefaultJob||",
    "A|Job-KQ(Runtime=.NET 9.0)||",
    "A|Job-KQ(Runtime=.NET 8.0)||",
    "A|DefaultJob|N=1|N: 1",
    "A|Job-KQ(Runtime=.NET 9.0)|N=1|N: 1",
    "A|Slow|job=Fast|job: \"Fast\"",
    "A|Fast|job=Slow|job: \"Slow\"",
    "A|Fast|job=Fast|job: \"Fast\"",
    "A|Slow|job=Slow|job: \"Slow\"",
];

fn dotnet_row(row: &str) -> Value {
    let words: Vec<&str> = row.split('|').collect();
    let [space, job, params, full] = words[..] else { panic!("{row}") };
    let shown = if params.is_empty() { String::new() } else { format!(" [{}]", params.replace(';', ", ")) };
    let full = if full.is_empty() { String::new() } else { format!("({full})") };
    json!({"DisplayInfo": format!("Text.Cut: {job}{shown}"), "Namespace": space, "Type": "Text", "Method": "Cut",
        "Parameters": params.replace(';', "&"), "FullName": format!("{space}.Text.Cut{full}")})
}

fn dotnet_of(entries: &[Entry<'_>], measured: impl Fn(&[u32]) -> Value) -> File {
    let one = |(row, values): &Entry<'_>| {
        let mut row = dotnet_row(row);
        row["Statistics"] = json!({"OriginalValues": values, "Mean": values[0]});
        row["Measurements"] = measured(values);
        row
    };
    let rows: Vec<Value> = entries.iter().map(one).collect();
    document(&json!({"Title": "t", "HostEnvironmentInfo": {}, "Benchmarks": rows}))
}

/// Returns BenchmarkDotNet's full JSON, with at most two iterations per launch.
pub(super) fn dotnet(entries: &[Entry<'_>]) -> File {
    dotnet_of(entries, |values| {
        let one = |(at, value): (usize, &u32)| {
            json!({"IterationMode": "Workload", "IterationStage": "Result", "LaunchIndex": 1 + at / 2,
            "IterationIndex": 1 + at % 2, "Operations": 10, "Nanoseconds": value * 10})
        };
        values.iter().enumerate().map(one).collect()
    })
}

pub(super) fn dotnet_values(entries: &[Entry<'_>]) -> File {
    dotnet_of(entries, |_| json!([]))
}
