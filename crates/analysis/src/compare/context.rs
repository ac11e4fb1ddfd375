//! Differences between the sides' contexts that may change times by themselves.

use super::input::{Input, variant_name};
use derny_model::{Built, Commit, ContextDifference, Pairing, RunHeader, Settings, Variant};
use std::collections::{BTreeMap, BTreeSet};

const FACTS: [&str; 8] =
    ["governor", "turbo", "smt", "virtualisation", "aslr", "clock source", "microcode", "mitigations"];

/// Returns the differences of every side from the base. Variants of one run differ on purpose, so only their
/// runtimes, harnesses and reported runtime settings are compared.
pub(crate) fn differences(inputs: &[Input], pairing: Pairing) -> Vec<ContextDifference> {
    let base = facts(&inputs[0], pairing);
    let mut all = Vec::new();
    for (side, input) in inputs.iter().enumerate().skip(1) {
        let new = facts(input, pairing);
        let mut names: Vec<&String> = base.keys().chain(new.keys()).collect();
        names.sort();
        names.dedup();
        for what in names {
            let value = |facts: &BTreeMap<String, String>| facts.get(what).cloned().unwrap_or_default();
            let (base, new) = (value(&base), value(&new));
            if base != new {
                all.push(ContextDifference { side: side as u32, what: what.clone(), base, new });
            }
        }
    }
    all
}

fn facts(input: &Input, pairing: Pairing) -> BTreeMap<String, String> {
    let run = &input.document.run;
    let mut facts = BTreeMap::new();
    let mut put = |what: &str, value: String| {
        facts.insert(what.to_owned(), value);
    };
    let (runtimes, harnesses) = programs(input);
    put("runtime", runtimes);
    put("harness", harnesses);
    for (name, value) in runtime_settings(input) {
        put(&format!("runtime {name}"), value);
    }
    if pairing == Pairing::Unpaired {
        machine(run, &mut put);
        put("derny", run.derny.clone());
        settings(&run.settings, &mut put);
        if let Some(variant) = run.variants.get(input.variant as usize) {
            launch(variant, &mut put);
        }
        passed(input, &mut put);
        put("sources", run.commit.as_ref().map_or(String::new(), sources));
        put("variants in the run", run.variants.len().to_string());
        threads(input, &mut put);
    }
    facts
}

fn sources(commit: &Commit) -> String {
    if commit.dirty { "with uncommitted changes" } else { "as committed" }.to_owned()
}

fn programs(input: &Input) -> (String, String) {
    let Some(records) = input.records else { return (input.document.run.runtimes.join(", "), String::new()) };
    let own = || records.processes.iter().filter(|process| process.variant == input.variant);
    let mut runtimes: Vec<String> =
        own().map(|process| format!("{} {}", process.language, process.runtime)).collect();
    let mut harnesses: Vec<String> =
        own().map(|process| format!("{} {}", process.language, process.harness)).collect();
    for list in [&mut runtimes, &mut harnesses] {
        list.sort();
        list.dedup();
    }
    (runtimes.join(", "), harnesses.join(", "))
}

/// Returns the settings that the side's processes report. Several values of one setting are joined with
/// commas.
fn runtime_settings(input: &Input) -> BTreeMap<String, String> {
    let mut settings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let processes = input.records.iter().flat_map(|records| &records.processes);
    for process in processes.filter(|process| process.variant == input.variant) {
        for (name, value) in &process.settings {
            let values = settings.entry(name.clone()).or_default();
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    settings.into_iter().map(|(name, values)| (name, values.join(", "))).collect()
}

fn machine(run: &RunHeader, put: &mut impl FnMut(&str, String)) {
    let machine = &run.machine;
    let hosts: Vec<&str> = run.machines.iter().map(|machine| machine.host.as_str()).collect();
    put("machine", if hosts.len() > 1 { hosts.join(", ") } else { machine.host.clone() });
    put("system", format!("{} {}", machine.os, machine.kernel));
    put("cpu", machine.cpu.clone());
    put("cores", machine.cores.to_string());
    for (name, value) in machine.facts.iter().filter(|(name, _)| FACTS.contains(&name.as_str())) {
        put(name, value.clone());
    }
}

fn settings(settings: &Settings, put: &mut impl FnMut(&str, String)) {
    let time =
        |ns: Option<u64>| ns.map_or("chosen by the plan".to_owned(), |ns| format!("{} ms", ns as f64 / 1e6));
    put("batch time", time(settings.batch_ns));
    put("turn time", time(Some(settings.turn_ns)));
    put("warm-up", time(settings.warmup_ns));
    put("rounds", settings.rounds.map_or("chosen by the plan".to_owned(), |rounds| rounds.to_string()));
    put("duration", time(settings.duration_ns));
    put("gc", settings.gc.clone());
    put("reject", settings.reject.join(","));
    put("pin", settings.pin.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
    put("profiler", settings.profiler.join(" "));
    put("processes alive together", settings.wave.to_string());
    let isolation =
        settings.isolation.map_or("chosen by the plan".to_owned(), |how| format!("{how:?}").to_lowercase());
    put("isolation", isolation);
}

fn launch(variant: &Variant, put: &mut impl FnMut(&str, String)) {
    put("command", variant.command.as_ref().map_or(String::new(), |words| words.join(" ")));
    put("flags of the variant", variant.args.join(" "));
    for (name, value) in &variant.env {
        put(&format!("environment {name}"), value.clone());
    }
    if let Some(benchmark) = &variant.benchmark {
        put("benchmark", benchmark.clone());
    }
}

fn passed(input: &Input, put: &mut impl FnMut(&str, String)) {
    let own = || input.document.run.built.iter().filter(|built| built.variant == input.variant);
    let joined = |words: &dyn Fn(&Built) -> String| {
        let texts: BTreeSet<String> = own().map(words).filter(|text| !text.is_empty()).collect();
        texts.into_iter().collect::<Vec<_>>().join(", ")
    };
    put("arguments", joined(&|built| built.suite_args.join(" ")));
    put("build arguments", joined(&|built| built.build_args.join(" ")));
}

fn threads(input: &Input, put: &mut impl FnMut(&str, String)) {
    let variant = variant_name(input);
    let cases = || {
        let measured =
            input.document.cases().filter(|case| case.variants.iter().any(|v| v.variant == variant));
        measured.map(|case| &case.case)
    };
    let mut threads: Vec<u32> = cases().filter_map(|case| case.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    put("threads", threads.iter().map(u32::to_string).collect::<Vec<_>>().join(", "));
    let mut flags: Vec<String> =
        cases().map(|case| case.args.join(" ")).filter(|text| !text.is_empty()).collect();
    flags.sort();
    flags.dedup();
    put("flags", flags.join(", "));
    for (name, value) in cases().flat_map(|case| &case.env) {
        put(&format!("environment {name}"), value.clone());
    }
}
