//! Runs on different days, judged by the current rule and by other rules.

use crate::parallel;
use crate::scenes::Wanted;
use derny_model::Verdict;
use derny_testkit::simulator::days::{Machine, RULES, Rule, play};
use derny_testkit::simulator::outcome::{is_better, is_claim, is_worse};

const UNCHANGED: usize = 20;
/// Changes of the other programs, as shares.
const CHANGED: [f64; 3] = [-0.1, -0.26, 0.1];

fn machines() -> [(&'static str, Machine); 9] {
    let machine = |common, apart, unseen| Machine { common, apart, unseen, load: 0.0 };
    [
        ("nothing drifts", machine(0.0, 0.0, 0.0)),
        ("all work by 3 %", machine(0.03, 0.0, 0.0)),
        ("all work by 10 %", machine(0.1, 0.0, 0.0)),
        ("each kind by 1 %", machine(0.0, 0.01, 0.0)),
        ("each kind by 2 %", machine(0.0, 0.02, 0.0)),
        ("each kind by 3 %", machine(0.0, 0.03, 0.0)),
        ("all work by 3 %, each kind by 1 %, 1 % unseen", machine(0.03, 0.01, 0.01)),
        ("2 % that no yardstick sees", machine(0.0, 0.0, 0.02)),
        ("others take up to 80 % of it", Machine { load: 0.8, ..Machine::default() }),
    ]
}

#[derive(Debug, Clone, Copy)]
struct Figures {
    /// Share of unchanged programs with a false verdict.
    wrong: f64,
    /// Share of runs with at least one false verdict.
    any: f64,
    /// Share of runs that detect each of [`CHANGED`].
    found: [f64; CHANGED.len()],
}

fn figures(machine: &Machine, runs: u64, seed: u64) -> [Figures; RULES.len()] {
    let changes: Vec<f64> =
        std::iter::repeat_n(0.0, UNCHANGED).chain(CHANGED).map(|share: f64| share.ln_1p()).collect();
    let seeds: Vec<u64> = (seed..seed + runs).collect();
    let all = parallel::map(&seeds, |&seed| play(machine, &changes, seed));
    std::array::from_fn(|rule| {
        let share =
            |of: &dyn Fn(&[Verdict]) -> f64| all.iter().map(|run| of(&run[rule])).sum::<f64>() / runs as f64;
        let wrong = |run: &[Verdict]| run[..UNCHANGED].iter().filter(|one| is_claim(**one)).count() as f64;
        let is_found =
            |at: usize, verdict| if CHANGED[at] < 0.0 { is_better(verdict) } else { is_worse(verdict) };
        Figures {
            wrong: share(&wrong) / UNCHANGED as f64,
            any: share(&|run| wrong(run).min(1.0)),
            found: std::array::from_fn(|at| {
                share(&|run| f64::from(u8::from(is_found(at, run[UNCHANGED + at]))))
            }),
        }
    })
}

pub fn table(runs: u64) -> Vec<String> {
    let found = CHANGED.map(|share| format!("{:+.0} % found", 100.0 * share));
    let mut lines = vec![
        format!("| the machine, day to day | rule | wrong | runs with any | {} |", found.join(" | ")),
        format!("| --- | --- |{}", " --- |".repeat(2 + CHANGED.len())),
    ];
    let mut wanted = Wanted::default();
    for (at, (name, machine)) in (0..).zip(machines()) {
        let all = figures(&machine, runs, 1_000_000 * at);
        for ((rule, rule_name), figures) in RULES.iter().zip(all) {
            let cells = [figures.wrong, figures.any].into_iter().chain(figures.found);
            let cells: Vec<String> = cells.map(|cell| format!("{cell:.3}")).collect();
            lines.push(format!("| {name} | {rule_name} | {} |", cells.join(" | ")));
            if *rule == Rule::Today {
                wanted.most("wrong", name, figures.wrong, 0.05);
                // Load alone may double the time of a program, so that a change need not be found.
                if machine.load == 0.0 {
                    wanted.least("−26 % found", name, Some(figures.found[1]), 0.95);
                }
            }
        }
    }
    lines.extend(wanted.lines());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(all: &[Figures; RULES.len()], rule: Rule) -> Figures {
        all[RULES.iter().position(|(other, _)| *other == rule).unwrap()]
    }

    /// Uses few runs, so the bounds are wide enough that chance does not exceed them.
    #[test]
    fn the_machine_is_not_taken_for_the_program() {
        for (name, machine) in machines() {
            let today = of(&figures(&machine, 40, 5), Rule::Today);
            assert!(today.wrong <= 0.08, "{name}: {today:?}");
            assert!(machine.load > 0.0 || today.found[1] >= 0.8, "{name}: {today:?}");
        }
    }

    #[test]
    fn a_load_that_changes_is_never_taken_for_the_program() {
        let busy = figures(&Machine { load: 0.8, ..Machine::default() }, 100, 5);
        assert!(of(&busy, Rule::Range).wrong >= 0.5, "yardsticks alone do not show it: {busy:?}");
        assert_eq!((of(&busy, Rule::Today).any, of(&busy, Rule::TenDays).any), (0.0, 0.0), "{busy:?}");
    }

    #[test]
    fn other_rules_take_it_or_find_little() {
        let slower = figures(&Machine { common: 0.03, ..Machine::default() }, 40, 5);
        assert!(of(&slower, Rule::Minutes).wrong >= 0.4, "{slower:?}");
        let apart = figures(&Machine { apart: 0.02, ..Machine::default() }, 40, 5);
        let (mean, range) = (of(&apart, Rule::Mean).found[0], of(&apart, Rule::Range).found[0]);
        assert!(mean + 0.2 < range, "{mean} {range}");
        let unseen = figures(&Machine { unseen: 0.02, ..Machine::default() }, 40, 5);
        assert!(of(&unseen, Rule::Range).wrong >= 0.2, "{unseen:?}");
    }
}
