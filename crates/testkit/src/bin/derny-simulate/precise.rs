//! Runs without variants with a target precision of ±1 %, under current and earlier rules.

use crate::parallel;
use derny_model::StopReason;
use derny_stats::Rng;
use derny_testkit::simulator::precise::{Plan, Rule, Spread, StoppedRun};

const PRECISION: f64 = 0.01;
/// Standard deviations of the values of processes.
const DEVIATIONS: [f64; 6] = [0.005, 0.01, 0.015, 0.02, 0.03, 0.06];
/// Numbers of processes that fit into the budget.
const AFFORDABLE: [u32; 3] = [15, 21, 40];

pub fn table(runs: u64) -> Vec<String> {
    let cells = "processes | half width | ±1 % reached | covered";
    let [mut head, mut rule] =
        ["| spread | of processes | affordable |", "| --- | --- | --- |"].map(str::to_owned);
    for name in ["worth it", "asked for", "never given up"] {
        head += &format!(" {name}: {cells} |");
        rule += &" --- |".repeat(4);
    }
    let mut lines = vec![head, rule];
    let plan = Plan::new(PRECISION);
    for spread in Spread::ALL {
        for deviation in DEVIATIONS {
            for affordable in AFFORDABLE {
                let cells = [Rule::Worth, Rule::Reach, Rule::Never].map(|rule| {
                    let seeds: Vec<u64> = (0..runs).collect();
                    let all = parallel::map(&seeds, |&seed| {
                        let mut rng = Rng::new(seed);
                        plan.play(affordable, rule, || spread.draw(deviation, &mut rng))
                    });
                    figures(&all)
                });
                let share = deviation * 100.0;
                lines.push(format!("| {spread:?} | {share:.1} % | {affordable} | {} |", cells.join(" | ")));
            }
        }
    }
    lines
}

fn figures(runs: &[StoppedRun]) -> String {
    let mean = |of: fn(&StoppedRun) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let reached = mean(|run| f64::from(u8::from(run.reason == StopReason::Precise)));
    let covered = mean(|run| f64::from(u8::from(run.covers)));
    let half = mean(|run| run.half) * 100.0;
    format!("{:.1} | {half:.2} % | {reached:.2} | {covered:.3}", mean(|run| f64::from(run.processes)))
}
