//! Simulated programs and machines, judged by every rule.

use crate::parallel;
use crate::rows::{Family, Row, families, rows};
use derny_model::Verdict;
use derny_testkit::simulator::outcome::{CaseDecision, RunDecisions, is_better, is_claim, is_worse};
use derny_testkit::simulator::rule::{Rule, rules, with_gate};
use derny_testkit::simulator::scene::{Scene, SimulatedRun};

pub const PAIRS: usize = 40;

/// A column of the table: its heading, and the condition for outcomes to count.
type Column = (&'static str, fn(&CaseDecision) -> bool);

const COLUMNS: [Column; 7] = [
    ("slower", |one| is_worse(one.verdict)),
    ("faster", |one| is_better(one.verdict)),
    ("same", |one| one.verdict == Verdict::Same),
    ("unclear", |one| one.verdict == Verdict::Unclear),
    ("mean slower", |one| is_worse(one.mean.verdict)),
    ("mean same", |one| one.mean.verdict == Verdict::Same),
    ("taken back", |one| one.taken_back),
];

/// Results of every rule over many runs of one case.
struct Seen {
    scene: Scene,
    /// Decisions by run, then by rule.
    outcomes: Vec<Vec<CaseDecision>>,
}

fn today() -> usize {
    rules().len() - 1
}

impl Seen {
    fn of(row: &Row, runs: u64, seed: u64) -> Self {
        let rules: Vec<Rule> = rules().iter().map(|(_, settings)| Rule::new(settings, 1)).collect();
        let seeds: Vec<u64> = (0..runs).map(|run| seed + run).collect();
        let outcomes = parallel::map(&seeds, |&seed| {
            let play = |rule: &Rule| {
                let mut run = SimulatedRun::new(row.scene, PAIRS, seed);
                rule.play(&mut [move |pairs| run.wave(pairs)], row.most).cases[0]
            };
            rules.iter().map(play).collect()
        });
        Self { scene: row.scene, outcomes }
    }

    fn share(&self, rule: usize, counts: impl Fn(&CaseDecision) -> bool) -> f64 {
        self.outcomes.iter().filter(|all| counts(&all[rule])).count() as f64 / self.outcomes.len() as f64
    }

    /// Returns the share of intervals that cover the truth, or `None` if there are no intervals.
    fn covers(&self, rule: usize, of: impl Fn(&CaseDecision) -> Option<bool>) -> Option<f64> {
        let held: Vec<bool> = self.outcomes.iter().filter_map(|all| of(&all[rule])).collect();
        (!held.is_empty()).then(|| held.iter().filter(|held| **held).count() as f64 / held.len() as f64)
    }

    fn covers_typical(&self, rule: usize) -> Option<f64> {
        self.covers(rule, |one| one.typical.holds(self.scene.typical()))
    }

    fn covers_mean(&self, rule: usize) -> Option<f64> {
        self.covers(rule, |one| one.mean.holds(self.scene.mean()))
    }

    /// Adds the requirements of this row on the current rule.
    fn hold(&self, row: &Row, wanted: &mut Wanted) {
        let today = today();
        let error = (0.95 * 0.05 / self.outcomes.len() as f64).sqrt();
        wanted.most("taken back", row.name, self.share(today, |one| one.taken_back), 0.0);
        wanted.least("typical is covered", row.name, self.covers_typical(today), 0.95 - 2.0 * error);
        if row.is_beyond {
            return;
        }
        // There must be enough intervals to judge their coverage.
        if self.share(today, |one| one.mean.interval.is_some()) > 0.1 {
            wanted.least("the mean is covered", row.name, self.covers_mean(today), 0.92);
        }
        if self.scene.typical() == 0.0 && self.scene.mean() == 0.0 {
            wanted.most("false verdicts", row.name, self.share(today, |one| is_claim(one.verdict)), 0.05);
        }
    }

    /// Returns the most frequent reason for an unclear mean time.
    fn why(&self, rule: usize) -> String {
        let mut counts: Vec<(usize, String)> = Vec::new();
        for reason in self.outcomes.iter().filter_map(|all| all[rule].mean.reason) {
            let name = reason.token().to_owned();
            match counts.iter_mut().find(|(_, other)| *other == name) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, name)),
            }
        }
        counts.into_iter().max().map_or("–".to_owned(), |(_, name)| name)
    }

    fn line(&self, name: &str, rule: usize, rule_name: &str) -> String {
        let mut cells: Vec<String> =
            COLUMNS.iter().map(|(_, counts)| format!("{:.3}", self.share(rule, counts))).collect();
        let text = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
        cells.extend([text(self.covers_typical(rule)), text(self.covers_mean(rule))]);
        cells.push(self.why(rule));
        let mut pairs: Vec<usize> = self.outcomes.iter().map(|all| all[rule].pairs).collect();
        pairs.sort_unstable();
        let truth = |log: f64| format!("{:+.1} %", 100.0 * log.exp_m1());
        format!(
            "| {name} | {} | {} | {} | {} | {} |",
            truth(self.scene.typical()),
            truth(self.scene.mean()),
            rule_name,
            cells.join(" | "),
            pairs[pairs.len() / 2]
        )
    }
}

pub fn single(runs: u64) -> Vec<String> {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut lines = vec![
        format!(
            "| scene | typical | mean | rule | {} | covers typical | covers mean | the mean is unclear for | pairs |",
            names.join(" | ")
        ),
        format!("| --- | --- | --- | --- |{}", " --- |".repeat(COLUMNS.len() + 4)),
    ];
    let mut wanted = Wanted::default();
    for (at, row) in (0..).zip(rows()) {
        let seen = Seen::of(&row, runs, 1_000_000 * at);
        lines.extend((0..).zip(rules()).map(|(rule, (name, _))| seen.line(row.name, rule, name)));
        seen.hold(&row, &mut wanted);
    }
    lines.extend(wanted.lines());
    lines
}

impl Family {
    /// Simulates the runs with every rule. Returns the results by run, then by rule.
    fn play(&self, runs: u64, seed: u64) -> Vec<Vec<RunDecisions>> {
        let gated = |settings| if self.gate { with_gate(settings) } else { settings };
        let rules: Vec<Rule> =
            rules().into_iter().map(|(_, settings)| Rule::new(&gated(settings), self.cases)).collect();
        let seeds: Vec<u64> = (0..runs).map(|run| seed + 1000 * run).collect();
        parallel::map(&seeds, |&seed| {
            let cases = || {
                let next = |case: usize| {
                    let change = if case < self.changed { self.change } else { 0.0 };
                    let mut run = SimulatedRun::new(self.scene.slower(change), PAIRS, seed + case as u64);
                    move |pairs| run.wave(pairs)
                };
                (0..self.cases).map(next).collect::<Vec<_>>()
            };
            rules.iter().map(|rule| rule.play(&mut cases(), PAIRS)).collect()
        })
    }

    fn figures(&self, all: &[Vec<RunDecisions>], rule: usize) -> Figures {
        let per_run = |of: &dyn Fn(&[CaseDecision], &[CaseDecision]) -> f64| {
            let split = |run: &Vec<RunDecisions>| {
                let (changed, others) = run[rule].cases.split_at(self.changed);
                of(changed, others)
            };
            all.iter().map(split).sum::<f64>() / all.len() as f64
        };
        let gate = |of: fn(&RunDecisions) -> bool| {
            all.iter().filter(|all| of(&all[rule])).count() as f64 / all.len() as f64
        };
        let found = |changed: &[CaseDecision]| count(changed, |one| is_worse(one.verdict));
        let wrong = |others: &[CaseDecision]| count(others, |one| is_claim(one.verdict));
        let every = |of: fn(&CaseDecision) -> f64| {
            per_run(&|changed, others| changed.iter().chain(others).map(of).sum())
        };
        Figures {
            found: per_run(&|changed, _| found(changed)) / self.changed as f64,
            false_rate: per_run(&|changed, others| match wrong(others) {
                0.0 => 0.0,
                wrong => wrong / (wrong + found(changed)),
            }),
            any_false: per_run(&|_, others| wrong(others).min(1.0)),
            unclear: every(|one| f64::from(u8::from(one.verdict == Verdict::Unclear))),
            taken_back: every(|one| f64::from(u8::from(one.taken_back))),
            fails: gate(|one| one.gate.0),
            undecided: gate(|one| one.gate.1),
            pairs: every(|one| one.pairs as f64) / self.cases as f64,
        }
    }

    fn line(&self, all: &[Vec<RunDecisions>], rule: usize, rule_name: &str) -> String {
        let figures = self.figures(all, rule);
        let found = if self.changed > 0 { format!("{:.3}", figures.found) } else { "–".to_owned() };
        let gate = if self.gate {
            format!("{:.3} | {:.3}", figures.fails, figures.undecided)
        } else {
            "– | –".to_owned()
        };
        let Figures { false_rate, any_false, unclear, taken_back, pairs, .. } = figures;
        format!(
            "| {} | {rule_name} | {found} | {false_rate:.3} | {any_false:.3} | {unclear:.2} | {taken_back:.2} | {gate} | {pairs:.1} |",
            self.name
        )
    }

    fn hold(&self, all: &[Vec<RunDecisions>], wanted: &mut Wanted) {
        let figures = self.figures(all, today());
        wanted.most("taken back", self.name, figures.taken_back, 0.0);
        wanted.most("false-discovery rate", self.name, figures.false_rate, 0.05);
        if let Some(least) = self.least {
            let seen = if self.gate { figures.fails } else { figures.found };
            wanted.least("found", self.name, Some(seen), least);
        } else if self.gate {
            wanted.most("gate fails", self.name, figures.fails, 0.05);
        }
    }
}

/// Shares of runs, and counts per run.
struct Figures {
    found: f64,
    false_rate: f64,
    any_false: f64,
    unclear: f64,
    taken_back: f64,
    fails: f64,
    undecided: f64,
    pairs: f64,
}

fn count(cases: &[CaseDecision], counts: impl Fn(&CaseDecision) -> bool) -> f64 {
    cases.iter().filter(|one| counts(one)).count() as f64
}

#[derive(Default)]
pub struct Wanted {
    all: Vec<(String, String, f64, f64, bool)>,
}

impl Wanted {
    pub fn most(&mut self, what: &str, name: &str, seen: f64, bound: f64) {
        self.all.push((format!("{what}: at most"), name.to_owned(), seen, bound, seen <= bound));
    }

    pub fn least(&mut self, what: &str, name: &str, seen: Option<f64>, bound: f64) {
        let seen = seen.unwrap_or(1.0);
        self.all.push((format!("{what}: at least"), name.to_owned(), seen, bound, seen >= bound));
    }

    pub fn broken(&self) -> Vec<String> {
        let broken = self.all.iter().filter(|(.., holds)| !holds);
        broken
            .map(|(what, name, seen, bound, _)| format!("{name}: {what} {bound:.3}, seen {seen:.3}"))
            .collect()
    }

    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            String::new(),
            format!("{} of {} wanted figures hold.", self.all.len() - self.broken().len(), self.all.len()),
        ];
        lines.extend(self.broken().iter().map(|line| format!("- NOT {line}")));
        lines
    }
}

pub fn many(runs: u64) -> Vec<String> {
    let mut lines = vec![
        "| cases | rule | found | false-discovery rate | any false verdict | unclear in a run | taken back in a run | gate fails | gate undecided | pairs of a case |"
            .to_owned(),
        format!("| --- | --- |{}", " --- |".repeat(8)),
    ];
    let mut wanted = Wanted::default();
    for (at, family) in (0..).zip(families()) {
        let runs = ((runs as f64 * family.share) as u64).max(1);
        let all = family.play(runs, 1_000_000_000 * (1 + at));
        lines.extend((0..).zip(rules()).map(|(rule, (name, _))| family.line(&all, rule, name)));
        family.hold(&all, &mut wanted);
    }
    lines.extend(wanted.lines());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses few runs, so the bounds are wide enough that chance does not exceed them.
    #[test]
    fn what_is_wanted_holds() {
        const RUNS: u64 = 4;
        let today = today();
        for (at, row) in (0..).zip(rows()) {
            let seen = Seen::of(&row, RUNS, 7_000_000 + 1000 * at);
            assert_eq!(seen.share(today, |one| one.taken_back), 0.0, "{}", row.name);
            let covers = [seen.covers_typical(today), seen.covers_mean(today).filter(|_| !row.is_beyond)];
            assert!(covers.iter().flatten().all(|share| *share >= 0.5), "{}: {covers:?}", row.name);
            let wrong = seen.share(today, |one| is_claim(one.verdict));
            let nothing = row.scene.typical() == 0.0 && row.scene.mean() == 0.0 && !row.is_beyond;
            assert!(!nothing || wrong <= 0.5, "{}: {wrong}", row.name);
        }
    }

    #[test]
    fn few_changes_in_a_family_are_found_and_a_gate_fails_for_one() {
        for family in families().into_iter().filter(|family| family.cases <= 20) {
            let Some(least) = family.least.filter(|least| *least > 0.0) else { continue };
            let all = family.play(3, 5);
            let today = family.figures(&all, today());
            let seen = if family.gate { today.fails } else { today.found };
            assert!(seen >= least - 0.2, "{}: {seen}", family.name);
            assert_eq!(today.taken_back, 0.0, "{}", family.name);
        }
    }
}
