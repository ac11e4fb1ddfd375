//! Converts the document of a run to entries of the history, one for each variant.

use derny_model::{
    Case, Commit, Document, Figure, HistoryEntry, HistorySeries, HistoryValue, RunHeader, Variant,
};
use derny_stats::location::geometric_mean;

/// An entry with its points.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The entry.
    pub entry: HistoryEntry,
    /// Series and value of each point.
    pub points: Vec<(HistorySeries, HistoryValue)>,
}

/// Statistics of time that the history keeps. All others can only be read from the run.
const KEPT: [&str; 2] = ["time", "mean"];

/// Prefix of the names of metrics that only repeat figures of another tool.
pub const STATED: &str = "stated ";

/// Returns the entries of a document. Controls and baselines that were measured again are left out.
pub fn entries(document: &Document) -> Vec<Measured> {
    let run = &document.run;
    let variants = (0..).zip(&run.variants).filter(|(_, own)| !own.control && own.again.is_none());
    let is_compared = variants.clone().count() > 1;
    variants
        .map(|(_, variant)| {
            let commit = commit(run, variant);
            let apart = apart(run, variant, commit.as_ref(), is_compared);
            let entry = HistoryEntry {
                key: format!("{}:{}", run.id, variant.name),
                run: run.imported.is_none().then(|| run.id.clone()),
                file: run.imported.as_ref().map(|from| from.file.clone()),
                measured_ms: run.started_ms,
                commit,
                machine_ns: machine_ns(document),
            };
            Measured { entry, points: points(document, variant, apart.as_deref()) }
        })
        .collect()
}

/// Returns the geometric mean of the yardsticks. `None` if the run has none.
fn machine_ns(document: &Document) -> Option<f64> {
    let times: Vec<f64> = document.yardsticks.iter().map(|own| own.time_ns).collect();
    Some(geometric_mean(&times)).filter(|mean| !times.is_empty() && mean.is_finite() && *mean > 0.0)
}

/// Returns the commit of a variant. A variant of another revision has a directory of its own, whose commit is
/// the revision.
fn commit(run: &RunHeader, variant: &Variant) -> Option<Commit> {
    let is_hash = |text: &&String| text.len() >= 40 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    match &variant.revision {
        None => run.commit.clone(),
        Some(revision) => Some(revision).filter(is_hash).map(|hash| Commit {
            hash: hash.clone(),
            branch: None,
            dirty: false,
        }),
    }
}

/// Returns why the points of a variant do not belong to the history of its commit. `None` if they do.
fn apart(run: &RunHeader, variant: &Variant, commit: Option<&Commit>, is_compared: bool) -> Option<String> {
    if is_compared {
        return Some(format!("side {}", variant.name));
    }
    let is_plain = variant.args.is_empty()
        && variant.build_args.is_empty()
        && variant.env.is_empty()
        && variant.command.is_none()
        && variant.benchmark.is_none();
    if !is_plain && run.imported.is_none() {
        return Some(format!("side {}", variant.name));
    }
    commit.is_some_and(|commit| commit.dirty).then(|| "uncommitted changes".to_owned())
}

fn points(document: &Document, variant: &Variant, apart: Option<&str>) -> Vec<(HistorySeries, HistoryValue)> {
    let run = &document.run;
    let mut all = Vec::new();
    for case in document.cases() {
        let Some(result) = case.variants.iter().find(|result| result.variant == variant.name) else {
            continue;
        };
        for figure in result.figures.iter().filter(is_kept) {
            let series = HistorySeries {
                case: case.case.id.clone(),
                figure: figure.name.to_string(),
                unit: figure.unit.to_string(),
                better: figure.better,
                host: run.machine.host.clone(),
                cpu: run.machine.cpu.clone(),
                runtime: runtime(run, &case.case),
                tool: tool(run),
                apart: apart.map(str::to_owned),
                against: None,
            };
            all.push((series, HistoryValue { value: figure.value, interval: figure.interval }));
        }
    }
    all
}

fn is_kept(figure: &Figure) -> bool {
    let name = figure.name.to_string();
    let is_wanted = if figure.metric { !name.starts_with(STATED) } else { KEPT.contains(&name.as_str()) };
    is_wanted && figure.value.is_finite()
}

/// Returns the runtime that measured a case, or all runtimes of the run if none has the case's harness.
pub fn runtime(run: &RunHeader, case: &Case) -> String {
    let of_case = |runtime: &&String| runtime.split(' ').next() == Some(&case.harness);
    let own: Vec<&str> = run.runtimes.iter().filter(of_case).map(String::as_str).collect();
    let all = || run.runtimes.iter().map(String::as_str).collect::<Vec<_>>();
    (if own.is_empty() { all() } else { own }).join(", ")
}

/// Returns the tool that measured a run.
pub fn tool(run: &RunHeader) -> String {
    match &run.imported {
        Some(imported) => imported.tool.clone(),
        None => format!("derny {}", run.derny),
    }
}
