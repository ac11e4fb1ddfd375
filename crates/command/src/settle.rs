//! Decides which metrics are measured, from the figures of the first runs.

use crate::calls::Entry;
use crate::figures::{ELAPSED, Metric};
use crate::printed::{Figures, Source};
use crate::request::Judged;
use derny_model::{Problem, problem};

/// Returns true if every command printed the same value of the figure `name` in all of its first runs.
fn is_exact(name: &str, entries: &[Entry]) -> bool {
    entries.iter().all(|entry| {
        let values: Vec<Option<f64>> = entry.figures.iter().map(|run| run.value(name)).collect();
        values.iter().all(|value| *value == values[0]) && values.len() > 1
    })
}

/// The metrics of a measurement, as determined by the first runs.
#[derive(Debug)]
pub struct Settled {
    /// All metrics. Those with a direction come first, in the order of `--metric`. The first one decides
    /// when measuring ends.
    pub metrics: Vec<Metric>,
    /// Names of the metrics to compare.
    pub compared: Vec<String>,
    /// Warnings about missing figures, and about missing directions.
    pub doubts: Vec<Problem>,
}

impl Settled {
    /// Returns the names of the metrics to compare and of the wall time, separated by commas. `None` if time
    /// is judged.
    pub fn names(&self) -> Option<String> {
        let is_printed = self.compared.iter().any(|name| name == ELAPSED);
        let elapsed = (!is_printed).then(|| ELAPSED.to_owned());
        let names: Vec<String> = self.compared.iter().cloned().chain(elapsed).collect();
        (!self.metrics.is_empty()).then(|| names.join(","))
    }
}

/// Decides which metrics are measured, from the first runs of all commands.
///
/// # Errors
/// Fails if a command gives no figure for a source, if two sources give figures of the same name, or if no
/// command prints a metric that the user described.
pub fn settle(judged: &Judged, entries: &[Entry]) -> Result<Settled, Problem> {
    let Judged { sources, wanted } = judged;
    for entry in entries {
        each_source_speaks(sources, entry)?;
    }
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in entries.iter().flat_map(|entry| &entry.figures).flat_map(|run| &run.values) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    if let Some(unknown) = wanted.iter().find(|wanted| !names.contains(&wanted.name.as_str())) {
        return Err(problem!("no command prints `{}`", unknown.name)
            .place(format_args!("--metric {}", unknown.name))
            .known(names.join(", ")));
    }
    let of_wanted =
        wanted.iter().map(|wanted| Metric::new(&wanted.name, Some(wanted), is_exact(&wanted.name, entries)));
    let is_other = |name: &&&str| !wanted.iter().any(|wanted| wanted.name == **name);
    let others = names.iter().filter(is_other).map(|name| Metric::new(name, None, is_exact(name, entries)));
    let metrics: Vec<Metric> = of_wanted.chain(others).collect();
    let mut doubts: Vec<Problem> = entries.iter().flat_map(of_first_runs).collect();
    let mut compared = Vec::new();
    for metric in &metrics {
        let lacking = |entry: &&Entry| !entry.figures.iter().any(|run| run.value(&metric.name).is_some());
        let lacking: Vec<String> =
            entries.iter().filter(lacking).map(|entry| format!("`{}`", entry.name)).collect();
        if lacking.is_empty() || metric.better.is_some() {
            compared.push(metric.name.clone());
        }
        if !lacking.is_empty() {
            let what =
                problem!("{} does not print `{}`, so it is not compared", lacking.join(", "), metric.name);
            doubts.push(what);
        }
    }
    if let (Some(first), [], true) = (compared.first(), &wanted[..], entries.len() > 1) {
        let what = problem!("no figure has a direction, so there are no verdicts");
        doubts.push(what.remedy(format_args!("use --metric {first}:higher or --metric {first}:lower")));
    }
    Ok(Settled { metrics, compared, doubts })
}

fn each_source_speaks(sources: &[Source], entry: &Entry) -> Result<(), Problem> {
    if let Some((name, one, other)) = entry.figures.iter().find_map(|run| run.twice.as_ref()) {
        return Err(problem!("two sources give a figure `{name}`")
            .place(format_args!(
                "--metric-from {}, and --metric-from {}",
                sources[*one].text, sources[*other].text
            ))
            .remedy("give one of them another name, or omit it"));
    }
    let is_silent = |at: &usize| entry.figures.iter().all(|run| run.silent.contains(at));
    let Some(silent) = (0..sources.len()).find(is_silent) else { return Ok(()) };
    let text = &sources[silent].text;
    let last = entry.figures.last();
    let why =
        last.and_then(|run| run.faults.iter().find_map(|fault| fault.strip_prefix(&format!("{text}: "))));
    let mut what = format!("`{}` gives no figure: {}", entry.name, why.unwrap_or("none was found"));
    let head = last.map_or(&[][..], |run| &run.head);
    head.iter().for_each(|line| what.push_str(&format!("\n  | {line}")));
    if head.is_empty() {
        what.push_str("\n  | (no standard output)");
    }
    Err(Problem::new(what)
        .place(format_args!("--metric-from {text}"))
        .remedy("run the command by itself, and look for the figure on its standard output"))
}

/// Returns a warning for each first run that lacks a figure of another first run.
fn of_first_runs(entry: &Entry) -> impl Iterator<Item = Problem> {
    let names: Vec<&String> =
        entry.figures.iter().flat_map(|run| &run.values).map(|(name, _)| name).collect();
    let lacks = move |run: &Figures| names.iter().any(|name| run.value(name).is_none());
    let one = |(at, run): (usize, &Figures)| {
        problem!("first run {} of `{}` gives no figure: {}", at + 1, entry.name, run.faults.join("; "))
    };
    let lacking: Vec<Problem> = (0..).zip(&entry.figures).filter(|(_, run)| lacks(run)).map(one).collect();
    lacking.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::of_commands;
    use crate::printed::tests::gathered;
    use crate::printed::{Marks, read};
    use std::path::Path;

    fn entries(sources: &[Source], outputs: &[&[&str]]) -> Vec<Entry> {
        let mut entries = of_commands(&["./a.sh", "./b.sh"][..outputs.len()]);
        for (entry, outputs) in entries.iter_mut().zip(outputs) {
            let run =
                |output: &&str| read(sources, &gathered(output), Path::new("/nowhere"), &Marks::default());
            entry.figures = outputs.iter().map(run).collect();
        }
        entries
    }

    fn settled(wanted: &[&str], outputs: &[&[&str]]) -> Result<Settled, Problem> {
        let wanted: Vec<String> = wanted.iter().map(|text| (*text).to_owned()).collect();
        let judged = Judged::parse(&["metric".to_owned()], &wanted).unwrap();
        settle(&judged, &entries(&judged.sources, outputs))
    }

    #[test]
    fn what_never_varied_is_exact_and_the_rest_is_not() {
        let outputs: [&[&str]; 2] =
            [&["METRIC n=3\nMETRIC t=1", "METRIC n=3\nMETRIC t=2"], &["METRIC n=4\nMETRIC t=1"; 2]];
        let found = settled(&["t:lower"], &outputs).unwrap();
        let exact: Vec<(&str, bool)> =
            found.metrics.iter().map(|metric| (metric.name.as_str(), metric.exact)).collect();
        assert_eq!(exact, [("t", false), ("n", true)]);
        assert!(found.doubts.is_empty() && found.compared == ["t", "n"]);
    }

    #[test]
    fn what_only_one_side_prints_is_named_and_a_silent_side_is_an_error() {
        let found = settled(&[], &[&["METRIC a=1\nMETRIC b=1"; 2], &["METRIC a=1"; 2]]).unwrap();
        assert_eq!(found.compared, ["a"]);
        assert_eq!(found.doubts.len(), 2);
        assert!(found.doubts[1].to_string().contains("--metric a:higher"), "{}", found.doubts[1]);
        assert!(
            found.doubts[0].to_string().starts_with("`./b.sh` does not print `b`"),
            "{}",
            found.doubts[0]
        );
        let silent = settled(&[], &[&["METRIC a=1"; 2], &["usage: b\nmore"; 2]]).unwrap_err().to_string();
        for part in ["`./b.sh`", "--metric-from metric", "  | usage: b\n  | more"] {
            assert!(silent.contains(part), "{part}: {silent}");
        }
        let unknown = settled(&["qpz:lower"], &[&["METRIC qps=1"; 2]]).unwrap_err().to_string();
        assert!(unknown.contains("`qpz`") && unknown.contains("qps"), "{unknown}");
    }

    #[test]
    fn a_first_run_without_a_figure_is_named() {
        let found = settled(&[], &[&["METRIC a=1"; 2], &["METRIC a=1", "METRIC a=x"]]).unwrap();
        assert!(!found.metrics[0].exact);
        let doubt = found.doubts[0].to_string();
        assert!(doubt.contains("first run 2 of `./b.sh`") && doubt.contains("`x` of a"), "{doubt}");
    }
}
