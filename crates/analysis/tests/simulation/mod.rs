//! Simulates comparisons in five scenarios, and checks false positives, coverage, power, and false `same`
//! verdicts.
//!
//! A short version runs with the other tests. `make simulate` runs the long one, which prints a table.

mod plain;
mod trial;

use derny_model::Verdict;
use derny_stats::looks::Looks;
use derny_stats::{Rng, median, signed_rank, student};
use derny_testkit::scenario::Scenario;
use std::io::Write;
use trial::{MARGIN, Plan, TrialOutcome, judge, rule};

/// Stops after the first stage.
const FIRST_STAGE: Plan = Plan { pairs: 40, rounds: 6 };
/// Takes 10 s in total, like the other methods in the table.
const TEN_SECONDS: Plan = Plan { pairs: 40, rounds: 60 };
const TRUTHS: [f64; 4] = [0.0, 0.005, MARGIN, 0.02];

struct Tally {
    truth: f64,
    outcomes: Vec<TrialOutcome>,
}

impl Tally {
    fn share(&self, of: impl Fn(&TrialOutcome) -> bool) -> f64 {
        self.outcomes.iter().filter(|outcome| of(outcome)).count() as f64 / self.outcomes.len() as f64
    }

    fn said(&self, verdicts: &[Verdict]) -> f64 {
        self.share(|outcome| verdicts.contains(&outcome.verdict))
    }

    fn claims(&self) -> f64 {
        1.0 - self.said(&[Verdict::Same, Verdict::Unclear])
    }

    fn covered(&self) -> f64 {
        self.share(|outcome| outcome.covered)
    }

    fn found(&self) -> f64 {
        self.share(|outcome| outcome.found)
    }

    fn same(&self) -> f64 {
        self.said(&[Verdict::Same])
    }

    fn median_pairs(&self) -> f64 {
        median(&self.outcomes.iter().map(|outcome| outcome.pairs as f64).collect::<Vec<f64>>())
    }
}

fn runs(scenario: Scenario, plan: Plan, count: u64) -> Vec<Vec<f64>> {
    let first = 1_000_000 * (scenario as u64 + 10 * plan.rounds as u64);
    (first..first + count).map(|seed| plan.pairs(scenario.noise(), seed)).collect()
}

fn tallies(runs: &[Vec<f64>]) -> Vec<Tally> {
    let (looks, rule) = (Looks::plan(runs[0].len(), 0.95), rule(runs[0].len()));
    let tally = |truth: f64| {
        let outcomes = runs.iter().map(|pairs| judge(pairs, &looks, &rule, truth.ln_1p())).collect();
        Tally { truth, outcomes }
    };
    TRUTHS.into_iter().map(tally).collect()
}

/// Asserts that no guarantee is missed by more than three standard errors.
fn hold(scenario: Scenario, tallies: &[Tally]) {
    let luck = |share: f64, count: usize| 3.0 * (share * (1.0 - share) / count as f64).sqrt();
    for tally in tallies {
        let count = tally.outcomes.len();
        let covered = tally.covered();
        assert!(covered >= 0.95 - luck(0.95, count), "{scenario:?}: {covered} at {}", tally.truth);
        let wrong = tally.said(&[Verdict::Better, Verdict::BetterWithinMargin]);
        if tally.truth > 0.0 {
            assert!(wrong <= 0.03 + luck(0.03, count), "{scenario:?}: {wrong} faster at {}", tally.truth);
        } else {
            let claims = tally.claims();
            assert!(claims <= 0.06 + luck(0.06, count), "{scenario:?}: {claims} false alarms");
        }
        if tally.truth == MARGIN {
            let same = tally.same();
            assert!(same <= 0.03 + luck(0.03, count), "{scenario:?}: {same} called same at the margin");
        }
    }
}

#[test]
fn promises_hold_in_every_scenario() {
    for scenario in Scenario::ALL {
        let tallies = tallies(&runs(scenario, FIRST_STAGE, 150));
        hold(scenario, &tallies);
        let found: Vec<f64> = tallies[1..].iter().map(Tally::found).collect();
        assert!(found.is_sorted(), "{scenario:?}: power {found:?}");
        let least = if scenario == Scenario::Offset { 0.95 } else { 1.0 };
        assert!(found[2] >= least, "{scenario:?}: 2 % found in {}", found[2]);
    }
}

/// An uncorrected look after every pair causes false alarms. Planned looks do not.
#[test]
fn peeking_would_break_them() {
    let every: Vec<usize> = (6..=40).collect();
    let naive = Looks { alphas: vec![0.05; every.len()], counts: every, ..Looks::plan(40, 0.95) };
    let runs = runs(Scenario::Quiet, FIRST_STAGE, 150);
    let rule = rule(40);
    let alarms = runs.iter().filter(|pairs| !judge(pairs, &naive, &rule, 0.0).covered);
    assert!(alarms.count() > 25, "so seldom that the simulation cannot tell a right plan from a wrong one");
}

/// If time ends a run, after any number of pairs, the last look spends the remaining error.
#[test]
fn what_time_ends_keeps_the_promise() {
    for scenario in Scenario::ALL {
        let runs = runs(scenario, FIRST_STAGE, 1000);
        for n in [3, 5, 7, 10, 24] {
            let looks = Looks::plan(40, 0.95);
            let looks = looks.taken(&looks.until(n), true);
            let levels = || looks.counts.iter().zip(&looks.alphas);
            let missed = |pairs: &&Vec<f64>| {
                let ranked = |(&n, &alpha): (&usize, &f64)| match n {
                    ..6 => student::interval(&pairs[..n], alpha),
                    _ => signed_rank::interval(&pairs[..n], alpha),
                };
                levels().any(|look| !ranked(look).expect("a look that can decide").contains(0.0))
            };
            let missed = runs.iter().filter(missed).count() as f64 / runs.len() as f64;
            let most = 0.06 + 3.0 * (0.06 * 0.94 / runs.len() as f64).sqrt();
            assert!(missed <= most, "{scenario:?}: {missed} of the runs of {n} pairs");
        }
    }
}

/// Returns the power of a single Student's test at 5 % on all planned pairs.
fn fixed_design(plan: Plan, scenario: Scenario, count: u64) -> [f64; 4] {
    let runs = runs(scenario, plan, count);
    TRUTHS.map(|truth| {
        let finds = |pairs: &&Vec<f64>| {
            let moved: Vec<f64> = pairs.iter().map(|log| log + truth.ln_1p()).collect();
            student::p_value(&moved) < 0.05
        };
        runs.iter().filter(finds).count() as f64 / count as f64
    })
}

fn each_scenario<T: Send>(of: impl Fn(Scenario) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let of = &of;
        let threads = Scenario::ALL.map(|scenario| scope.spawn(move || of(scenario)));
        threads.into_iter().map(|thread| thread.join().expect("a promise is broken")).collect()
    })
}

#[test]
#[ignore = "takes minutes: make simulate"]
fn table() {
    const RUNS: u64 = 2000;
    let mut lines = vec![format!(
        "{RUNS} runs per scenario; one standard error is {:.3} at most.",
        0.5 / (RUNS as f64).sqrt()
    )];
    for plan in [FIRST_STAGE, TEN_SECONDS] {
        lines.push(format!(
            "\n### Up to {} pairs of {} rounds: {:.1} s at most\n",
            plan.pairs,
            plan.rounds,
            plan.duration_s()
        ));
        lines.push("| scenario | true | slower | slower, less than 1 % | same | unclear | faster, of any size | pairs | found by 40 | covered |".into());
        lines.push("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |".into());
        let rows = each_scenario(|scenario| {
            let tallies = tallies(&runs(scenario, plan, RUNS));
            hold(scenario, &tallies);
            tallies.iter().map(|tally| row(scenario, tally)).collect::<Vec<String>>()
        });
        lines.extend(rows.concat());
    }
    lines.push("\n### The same noise and 10 s, a fixed number of pairs and Student's test\n".into());
    lines.push("| scenario | pairs × rounds | false alarms | 0.5 % | 1 % | 2 % |\n| --- | --- | --- | --- | --- | --- |".into());
    let rows = each_scenario(|scenario| {
        [Plan { pairs: 10, rounds: 247 }, Plan { pairs: 30, rounds: 80 }].map(|plan| {
            let power = fixed_design(plan, scenario, RUNS).map(|share| format!("{share:.3}")).join(" | ");
            format!("| {} | {} × {} | {power} |", name(scenario), plan.pairs, plan.rounds)
        })
    });
    lines.extend(rows.concat());
    writeln!(std::io::stdout(), "{}", lines.join("\n")).expect("standard output");
}

fn row(scenario: Scenario, tally: &Tally) -> String {
    let shares = [
        tally.said(&[Verdict::Worse]),
        tally.said(&[Verdict::WorseWithinMargin]),
        tally.same(),
        tally.said(&[Verdict::Unclear]),
        tally.said(&[Verdict::Better, Verdict::BetterWithinMargin]),
    ];
    format!(
        "| {} | {} % | {} | {} | {:.3} | {:.3} |",
        name(scenario),
        100.0 * tally.truth,
        shares.map(|share| format!("{share:.3}")).join(" | "),
        tally.median_pairs(),
        tally.found(),
        tally.covered()
    )
}

fn name(scenario: Scenario) -> String {
    format!("{scenario:?}").to_lowercase()
}

#[test]
fn a_run_differs_from_the_next_and_not_from_itself() {
    let plan = Plan { pairs: 3, rounds: 4 };
    let noise = Scenario::Ci.noise();
    assert_eq!(plan.pairs(noise, 1), plan.pairs(noise, 1));
    assert_ne!(plan.pairs(noise, 1), plan.pairs(noise, 2));
    assert_ne!(Rng::new(1), Rng::new(2));
}
