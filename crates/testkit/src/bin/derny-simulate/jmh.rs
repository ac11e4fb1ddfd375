//! False verdicts and power on published benchmarks of JMH.

use derny_model::Verdict;
use derny_stats::Rng;
use derny_testkit::simulator::jmh::Benchmark;
use derny_testkit::simulator::old_rule::{Ended, OldRule, Seen};
use derny_testkit::simulator::process::Process;
use std::path::Path;

const PAIRS: usize = 40;
const ROUNDS: usize = 12;
const MARGIN: f64 = 0.01;
/// Runs of each benchmark at each change.
const RUNS: u64 = 4;
const CHANGES: [f64; 4] = [0.0, 0.01, 0.02, 0.05];

pub fn table(folder: &Path) -> Result<Vec<String>, String> {
    let all = Benchmark::read_all(folder)?;
    let rule = OldRule::new(PAIRS, MARGIN);
    let mut lines = vec![format!("{} benchmarks", all.len())];
    for change in CHANGES {
        let mut ended: Vec<Ended> = Vec::new();
        for (index, benchmark) in (0..).zip(&all) {
            for run in 0..RUNS {
                let mut rng = Rng::new(index * 1000 + run);
                let mut seen = Seen::default();
                let mut pairs: Vec<[Process; 2]> = Vec::new();
                let mut one = [rule.measure(|n| {
                    while pairs.len() < n {
                        pairs.push(benchmark.pair(ROUNDS, change, &mut rng));
                        seen.add(&pairs[pairs.len() - 1]);
                    }
                    seen.clone()
                })];
                rule.report(&mut one);
                ended.push(one[0]);
            }
        }
        let share = |of: &dyn Fn(&Ended) -> Verdict, wanted: &[Verdict]| {
            ended.iter().filter(|one| wanted.contains(&of(one))).count() as f64 / ended.len() as f64
        };
        const WORSE: [Verdict; 2] = [Verdict::Worse, Verdict::WorseWithinMargin];
        const BETTER: [Verdict; 2] = [Verdict::Better, Verdict::BetterWithinMargin];
        let row: Vec<String> = [
            share(&|one| one.verdict, &WORSE),
            share(&|one| one.verdict, &BETTER),
            share(&|one| one.verdict, &[Verdict::Same]),
            share(&|one| one.typical.verdict, &WORSE),
            share(&|one| one.typical.verdict, &BETTER),
            share(&|one| one.mean.verdict, &WORSE),
            share(&|one| one.mean.verdict, &BETTER),
        ]
        .iter()
        .map(|share| format!("{share:.3}"))
        .collect();
        lines.push(format!("| {} % | {} |", 100.0 * change, row.join(" | ")));
    }
    Ok(lines)
}
