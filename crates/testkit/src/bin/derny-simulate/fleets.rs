//! Fleets of machines, judged with and without a level for machines.

use crate::parallel;
use crate::scenes::Wanted;
use derny_testkit::simulator::fleet::{Fleet, Played, play};
use derny_testkit::simulator::outcome::{is_claim, is_worse};

const UNCHANGED: usize = 20;
/// Changes of the other programs, as shares.
const CHANGED: [f64; 2] = [0.02, 0.05];
/// The units that a rule treats as replicates.
const RULES: [&str; 2] = ["pairs", "machines"];

fn fleets() -> [(&'static str, Fleet); 6] {
    let fleet = Fleet { machines: 20, each: 4, speed: 0.05, apart: 0.0, drift: 0.05, bad: false };
    [
        ("alike but for their speed", fleet),
        ("ratios apart by 0.5 %", Fleet { apart: 0.005, ..fleet }),
        ("ratios apart by 1 %", Fleet { apart: 0.01, ..fleet }),
        ("ratios apart by 0.5 %, 8 machines a case", Fleet { apart: 0.005, each: 8, ..fleet }),
        ("ratios apart by 0.5 %, one bad machine", Fleet { apart: 0.005, bad: true, ..fleet }),
        ("the same, 8 machines a case", Fleet { apart: 0.005, bad: true, each: 8, ..fleet }),
    ]
}

#[derive(Debug, Clone, Copy)]
struct Figures {
    /// Share of unchanged programs with a false verdict.
    wrong: f64,
    /// Share of intervals that cover the truth.
    covers: f64,
    /// Shares of changed programs whose change is detected, for each of [`CHANGED`].
    found: [f64; CHANGED.len()],
}

fn played(fleet: &Fleet, runs: u64, seed: u64) -> Vec<Played> {
    let changes = changes();
    let seeds: Vec<u64> = (seed..seed + runs).collect();
    parallel::map(&seeds, |&seed| play(fleet, &changes, seed))
}

fn changes() -> Vec<f64> {
    std::iter::repeat_n(0.0, UNCHANGED).chain(CHANGED).map(|share: f64| share.ln_1p()).collect()
}

fn figures(all: &[Played], rule: usize) -> Figures {
    let (changes, runs) = (changes(), all.len() as f64);
    let verdicts = |at: usize| all.iter().map(move |run| run.cases[at][rule].0);
    let wrong = (0..UNCHANGED).flat_map(verdicts).filter(|verdict| is_claim(*verdict)).count();
    let of_run = |run: &Played| {
        let held = run.cases.iter().zip(&changes).filter_map(|(case, truth)| case[rule].1.holds(*truth));
        held.collect::<Vec<bool>>()
    };
    let held: Vec<bool> = all.iter().flat_map(of_run).collect();
    Figures {
        wrong: wrong as f64 / runs / UNCHANGED as f64,
        covers: held.iter().filter(|held| **held).count() as f64 / held.len().max(1) as f64,
        found: std::array::from_fn(|at| {
            verdicts(UNCHANGED + at).filter(|verdict| is_worse(*verdict)).count() as f64 / runs
        }),
    }
}

/// Returns averages over the runs: how often the bad machine is reported as odd, and how many good machines
/// are.
fn accused(all: &[Played], fleet: &Fleet) -> (f64, f64) {
    let is_bad = |machine: &u32| fleet.bad && machine + 1 == fleet.machines;
    let count = |of: &dyn Fn(&Played) -> usize| all.iter().map(of).sum::<usize>() as f64 / all.len() as f64;
    let bad = count(&|run| run.odd.iter().filter(|one| is_bad(one)).count());
    (bad, count(&|run| run.odd.iter().filter(|one| !is_bad(one)).count()))
}

pub fn table(runs: u64) -> Vec<String> {
    let found = CHANGED.map(|share| format!("{:+.0} % found", 100.0 * share));
    let mut lines = vec![
        format!(
            "| 20 machines | replicates | wrong | covers | {} | bad one named | others named in a run | pairs of a case |",
            found.join(" | ")
        ),
        format!("| --- | --- |{}", " --- |".repeat(5 + CHANGED.len())),
    ];
    let mut wanted = Wanted::default();
    for (at, (name, fleet)) in (0..).zip(fleets()) {
        let all = played(&fleet, runs, 1_000_000 * at);
        let (bad, others) = accused(&all, &fleet);
        let cases = (all.len() * (UNCHANGED + CHANGED.len())) as f64;
        let pairs = all.iter().map(|run| run.pairs).sum::<usize>() as f64 / cases;
        for (rule, rule_name) in RULES.iter().enumerate() {
            let figures = figures(&all, rule);
            let cells = [figures.wrong, figures.covers].into_iter().chain(figures.found);
            let cells: Vec<String> = cells.map(|cell| format!("{cell:.3}")).collect();
            let bad = if fleet.bad { format!("{bad:.3}") } else { "–".to_owned() };
            lines.push(format!(
                "| {name} | {rule_name} | {} | {bad} | {others:.3} | {pairs:.1} |",
                cells.join(" | ")
            ));
        }
        let today = figures(&all, 1);
        wanted.most("wrong", name, today.wrong, 0.05);
        wanted.least("covers", name, Some(today.covers), 0.95);
        wanted.most("others named in a run", name, others, 0.5);
        if fleet.bad {
            wanted.least("the bad one is named", name, Some(bad), 0.95);
        }
    }
    lines.extend(wanted.lines());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses few runs, so the bounds are wide enough that chance does not exceed them.
    #[test]
    fn a_machine_is_not_taken_for_the_program() {
        let [_, _, apart, _, _, bad] = fleets().map(|(_, fleet)| fleet);
        let all = played(&apart, 5, 5);
        let [pooled, machines] = [0, 1].map(|rule| figures(&all, rule));
        assert!(machines.wrong <= 0.08 && machines.covers >= 0.9, "{machines:?}");
        // Pairs on the same machine are not replicates.
        assert!(pooled.covers + 0.05 < machines.covers, "{pooled:?} {machines:?}");
        let all = played(&bad, 4, 5);
        let (named, others) = accused(&all, &bad);
        assert!(named >= 0.75 && others <= 2.0, "{named} {others}");
        assert!(figures(&all, 1).wrong <= 0.08);
    }
}
