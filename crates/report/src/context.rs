//! Context of a run: time, machine, sources and command.

use crate::detail::{Fact, rows};
use crate::runs::ago;
use crate::{Style, numbers};
use derny_model::{Built, Isolation, RunHeader, RunStatus, Variant};
use std::collections::BTreeSet;

/// Returns labelled lines with everything known about a run except its results. `now_ms` is the current time
/// in milliseconds since the Unix epoch.
pub fn context(run: &RunHeader, now_ms: i64, style: &Style) -> String {
    let mut facts: Vec<Fact> = Vec::new();
    let mut fact = |label: &str, text: String| {
        if !text.is_empty() {
            facts.push((label.to_owned(), style.prose(&text)));
        }
    };
    fact("run", format!("{} · {} · {}", run.id, ago(now_ms - run.started_ms), status(run)));
    fact("note", run.note.clone().unwrap_or_default());
    if let Some(from) = &run.imported {
        fact("imported", format!("{} · {} · {}", from.file, from.format, from.tool));
        fact("not known", from.unknown.join("; "));
    }
    fact("command", format!("derny {}", run.args.join(" ")));
    fact("seed", format!("{}, derny {}", run.seed, run.derny));
    fact("sources", sources(run));
    fact("runtimes", run.runtimes.join(", "));
    for variant in run.variants.iter().filter(|_| run.variants.len() > 1) {
        fact("variant", launch(variant));
    }
    fact("arguments", passed(run, |built| &built.suite_args));
    fact("build arguments", passed(run, |built| &built.build_args));
    fact("settings", settings(run));
    if let Some(merged) = &run.merged {
        let parts = numbers::counted(merged.count as usize, "part", "parts");
        let waves = numbers::counted(merged.waves as usize, "wave", "waves");
        let hosts: Vec<&str> = run.machines.iter().map(|machine| machine.host.as_str()).collect();
        fact("merged", format!("{parts} of {waves}, measured by {}", hosts.join(", ")));
    }
    let machine = &run.machine;
    let memory = numbers::bytes(machine.memory_bytes as f64, style);
    let cores = numbers::counted(machine.cores as usize, "processor", "processors");
    fact("machine", format!("{} · {} · {cores} · {memory}", machine.host, machine.cpu));
    fact("system", format!("{} {}", machine.os, machine.kernel));
    for (name, value) in &machine.facts {
        fact(name, value.clone());
    }
    fact("not observed", machine.unobserved.join(", "));
    rows(&facts, style)
}

fn status(run: &RunHeader) -> String {
    let word = match run.status {
        RunStatus::Running => return "under way".to_owned(),
        RunStatus::Complete => "complete",
        RunStatus::Failed => "some cases failed",
        RunStatus::Partial => "partial",
    };
    match run.ended_ms {
        Some(end) => {
            format!("{word} after {}", numbers::wall((end - run.started_ms).max(0) as u64 * 1_000_000))
        }
        None => word.to_owned(),
    }
}

fn sources(run: &RunHeader) -> String {
    run.commit.as_ref().map_or(String::new(), |commit| {
        let branch = commit.branch.as_ref().map_or(String::new(), |branch| format!(" on {branch}"));
        format!("{}{branch}{}", commit.hash, if commit.dirty { ", with uncommitted changes" } else { "" })
    })
}

fn launch(variant: &Variant) -> String {
    let mut words = vec![variant.name.clone()];
    words.extend(variant.revision.as_ref().map(|revision| format!("@{revision}")));
    words.extend(variant.env.iter().map(|(key, value)| format!("{key}={value}")));
    words.extend(variant.command.iter().flatten().cloned());
    words.extend(variant.args.iter().cloned());
    words.extend(variant.build_args.iter().map(|flag| format!("build:{flag}")));
    words.join(" ")
}

/// Returns the extra arguments of the suites' programs or builds, without duplicates. `words` selects which
/// of the two.
fn passed(run: &RunHeader, words: impl Fn(&Built) -> &Vec<String>) -> String {
    let texts: BTreeSet<String> = run.built.iter().map(|built| words(built).join(" ")).collect();
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
}

fn collection(when: &str) -> String {
    match when {
        "process" | "round" => format!("collection per {when}"),
        "never" => "no forced collection".to_owned(),
        other => format!("forced collection {other}"),
    }
}

/// Formats the settings that affect the meaning of the figures.
fn settings(run: &RunHeader) -> String {
    let settings = &run.settings;
    let mut facts = vec![
        format!("{} per case", numbers::wall(settings.budget_ns)),
        format!("precision {} %", settings.precision * 100.0),
        format!("at most {}", numbers::counted(settings.processes as usize, "process", "processes")),
        collection(&settings.gc),
    ];
    facts.extend(settings.isolation.map(|isolation| match isolation {
        Isolation::Case => "one case per process".to_owned(),
        Isolation::Suite | Isolation::Shared => "many cases per process".to_owned(),
    }));
    facts.extend((!settings.reject.is_empty()).then(|| format!("rejecting {}", settings.reject.join(", "))));
    facts.extend((!settings.pin.is_empty()).then(|| format!("on processors {:?}", settings.pin)));
    for (set, word) in [
        (settings.quick, "quick"),
        (settings.once, "once"),
        (settings.precise, "precise"),
        (settings.control, "control"),
        (settings.ladder, "ladder"),
    ] {
        facts.extend(set.then(|| word.to_owned()));
    }
    facts.join(" · ")
}
