//! False verdicts and power of each rule on published JMH benchmarks.

use crate::parallel;
use derny_stats::Rng;
use derny_testkit::simulator::jmh::Benchmark;
use derny_testkit::simulator::outcome::{CaseDecision, is_better, is_claim, is_worse};
use derny_testkit::simulator::rule::{Rule, rules};
use std::path::Path;

const PAIRS: usize = 40;
const ROUNDS: usize = 12;
/// Number of runs of each benchmark and change.
const RUNS: u64 = 10;
/// Changes of the second side, as shares.
const CHANGES: [f64; 4] = [0.0, 0.01, 0.02, 0.05];

/// A column of the table: its heading, and the condition for outcomes to count.
type Column = (&'static str, fn(&CaseDecision) -> bool);

const COLUMNS: [Column; 8] = [
    ("slower", |one| is_worse(one.verdict)),
    ("faster", |one| is_better(one.verdict)),
    ("same", |one| one.verdict == derny_model::Verdict::Same),
    ("unclear", |one| one.verdict == derny_model::Verdict::Unclear),
    ("typical slower", |one| is_worse(one.typical.verdict)),
    ("typical faster", |one| is_better(one.typical.verdict)),
    ("mean slower", |one| is_worse(one.mean.verdict)),
    ("mean faster", |one| is_better(one.mean.verdict)),
];

/// Returns two tables: shares of runs by verdict, and the requirements on these shares.
pub fn table(folder: &Path) -> Result<Vec<String>, String> {
    let all = Benchmark::read_all(folder)?;
    let shown = rules();
    let rules: Vec<Rule> = shown.iter().map(|(_, settings)| Rule::new(settings, 1)).collect();
    let today = rules.len() - 1;
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut lines = vec![
        format!("{} benchmarks, {} runs each\n", all.len(), RUNS),
        format!("| change | rule | {} | pairs | taken back |", names.join(" | ")),
        format!("| --- | --- |{}", " --- |".repeat(COLUMNS.len() + 2)),
    ];
    let mut found = Vec::new();
    let mut alarms = (0.0, 0.0);
    for change in CHANGES {
        let runs: Vec<(usize, u64)> =
            (0..all.len()).flat_map(|index| (0..RUNS).map(move |run| (index, run))).collect();
        let outcomes: Vec<Vec<CaseDecision>> = parallel::map(&runs, |&(index, run)| {
            let play = |rule: &Rule| {
                let mut rng = Rng::new(1000 * index as u64 + run);
                let benchmark = &all[index];
                let wave = |pairs| (0..pairs).map(|_| benchmark.pair(ROUNDS, change, &mut rng)).collect();
                rule.play(&mut [wave], PAIRS).cases[0]
            };
            rules.iter().map(play).collect()
        });
        let share = |rule: usize, counts: &dyn Fn(&CaseDecision) -> bool| {
            outcomes.iter().filter(|all| counts(&all[rule])).count() as f64 / outcomes.len() as f64
        };
        for (rule, (name, _)) in shown.iter().enumerate() {
            let cells: Vec<String> =
                COLUMNS.iter().map(|(_, counts)| format!("{:.3}", share(rule, counts))).collect();
            let pairs = outcomes.iter().map(|all| all[rule].pairs).sum::<usize>() as f64;
            lines.push(format!(
                "| {} % | {name} | {} | {:.1} | {:.3} |",
                100.0 * change,
                cells.join(" | "),
                pairs / outcomes.len() as f64,
                share(rule, &|one| one.taken_back)
            ));
        }
        if change == 0.0 {
            alarms = (
                share(today, &|one| is_claim(one.typical.verdict)),
                share(today, &|one| is_claim(one.mean.verdict)),
            );
        } else {
            found.push([0, today].map(|rule| share(rule, &|one| is_worse(one.verdict))));
        }
    }
    lines.extend(wanted(alarms, &found));
    Ok(lines)
}

fn wanted(alarms: (f64, f64), found: &[[f64; 2]]) -> Vec<String> {
    let mut lines = vec!["\n| wanted | seen | holds |\n| --- | --- | --- |".to_owned()];
    let holds = |holds: bool| if holds { "yes" } else { "NO" };
    for (name, alarms) in [("typical", alarms.0), ("mean", alarms.1)] {
        lines.push(format!("| {name}: false verdicts ≤ .05 | {alarms:.3} | {} |", holds(alarms <= 0.05)));
    }
    for (change, &[before, today]) in CHANGES[1..].iter().zip(found) {
        lines.push(format!(
            "| {} % found, at most .05 less than before | {before:.3}, {today:.3} | {} |",
            100.0 * change,
            holds(today >= before - 0.05)
        ));
    }
    lines
}
