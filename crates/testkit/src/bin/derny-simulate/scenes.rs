//! Simulated programs and machines, judged by both rules.

use crate::parallel;
use crate::rows::{Family, Row, families, rows};
use derny_model::Verdict;
use derny_testkit::simulator::old_rule::OldRule;
use derny_testkit::simulator::outcome::{Outcome, Outcomes, is_better, is_claim, is_worse};
use derny_testkit::simulator::rule::Rule;
use derny_testkit::simulator::scene::{Run, Scene};

/// Pairs at most, and the margin.
pub const PAIRS: usize = 40;
const MARGIN: f64 = 0.01;

/// A cell of the table, and which outcomes it counts.
type Column = (&'static str, fn(&Outcome) -> bool);

const COLUMNS: [Column; 7] = [
    ("slower", |one| is_worse(one.verdict)),
    ("faster", |one| is_better(one.verdict)),
    ("same", |one| one.verdict == Verdict::Same),
    ("unclear", |one| one.verdict == Verdict::Unclear),
    ("mean slower", |one| is_worse(one.mean.verdict)),
    ("mean same", |one| one.mean.verdict == Verdict::Same),
    ("taken back", |one| one.taken_back),
];

/// What both rules make of many runs of one case.
struct Seen {
    scene: Scene,
    outcomes: Vec<[Outcome; 2]>,
}

impl Seen {
    fn of(row: &Row, runs: u64, seed: u64) -> Self {
        let rules = (OldRule::new(PAIRS, MARGIN), Rule::new(PAIRS, MARGIN, 1, false));
        let seeds: Vec<u64> = (0..runs).map(|run| seed + run).collect();
        let outcomes = parallel::map(&seeds, |&seed| {
            let next = || {
                let mut run = Run::new(row.scene, PAIRS, seed);
                [move || run.pair()]
            };
            let only = |outcomes: Outcomes| outcomes.cases[0];
            [only(rules.0.play(&mut next(), row.most)), only(rules.1.play(&mut next(), row.most))]
        });
        Self { scene: row.scene, outcomes }
    }

    fn share(&self, rule: usize, counts: impl Fn(&Outcome) -> bool) -> f64 {
        self.outcomes.iter().filter(|both| counts(&both[rule])).count() as f64 / self.outcomes.len() as f64
    }

    /// The share of intervals that hold the truth, among those that there are; none where there is none.
    fn covers(&self, rule: usize, of: impl Fn(&Outcome) -> Option<bool>) -> Option<f64> {
        let held: Vec<bool> = self.outcomes.iter().filter_map(|both| of(&both[rule])).collect();
        (!held.is_empty()).then(|| held.iter().filter(|held| **held).count() as f64 / held.len() as f64)
    }

    fn covers_typical(&self, rule: usize) -> Option<f64> {
        self.covers(rule, |one| one.typical.holds(self.scene.typical()))
    }

    fn covers_mean(&self, rule: usize) -> Option<f64> {
        self.covers(rule, |one| one.mean.holds(self.scene.mean()))
    }

    /// What is wanted of the rule of today in this row.
    fn hold(&self, row: &Row, wanted: &mut Wanted) {
        let error = (0.95 * 0.05 / self.outcomes.len() as f64).sqrt();
        wanted.most("taken back", row.name, self.share(1, |one| one.taken_back), 0.0);
        wanted.least("typical is covered", row.name, self.covers_typical(1), 0.95 - 2.0 * error);
        if row.is_beyond {
            return;
        }
        // A few intervals that there are by luck say nothing.
        if self.share(1, |one| one.mean.interval.is_some()) > 0.1 {
            wanted.least("the mean is covered", row.name, self.covers_mean(1), 0.92);
        }
        if self.scene.typical() == 0.0 && self.scene.mean() == 0.0 {
            wanted.most("false verdicts", row.name, self.share(1, |one| is_claim(one.verdict)), 0.05);
        }
    }

    /// The commonest reason of mean time for being unclear.
    fn why(&self, rule: usize) -> String {
        let mut counts: Vec<(usize, String)> = Vec::new();
        for reason in self.outcomes.iter().filter_map(|both| both[rule].mean.reason) {
            let name = reason.token().to_owned();
            match counts.iter_mut().find(|(_, other)| *other == name) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, name)),
            }
        }
        counts.into_iter().max().map_or("–".to_owned(), |(_, name)| name)
    }

    fn line(&self, name: &str, rule: usize) -> String {
        let mut cells: Vec<String> =
            COLUMNS.iter().map(|(_, counts)| format!("{:.3}", self.share(rule, counts))).collect();
        let text = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
        cells.extend([text(self.covers_typical(rule)), text(self.covers_mean(rule))]);
        cells.push(self.why(rule));
        let mut pairs: Vec<usize> = self.outcomes.iter().map(|both| both[rule].pairs).collect();
        pairs.sort_unstable();
        let truth = |log: f64| format!("{:+.1} %", 100.0 * log.exp_m1());
        format!(
            "| {name} | {} | {} | {} | {} | {} |",
            truth(self.scene.typical()),
            truth(self.scene.mean()),
            ["before", "today"][rule],
            cells.join(" | "),
            pairs[pairs.len() / 2]
        )
    }
}

/// The table of single cases.
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
        lines.extend([seen.line(row.name, 0), seen.line(row.name, 1)]);
        seen.hold(&row, &mut wanted);
    }
    lines.extend(wanted.lines());
    lines
}

impl Family {
    fn play(&self, runs: u64, seed: u64) -> Vec<[Outcomes; 2]> {
        let rules = (OldRule::new(PAIRS, MARGIN), Rule::new(PAIRS, MARGIN, self.cases, self.gate));
        let seeds: Vec<u64> = (0..runs).map(|run| seed + 1000 * run).collect();
        parallel::map(&seeds, |&seed| {
            let cases = || {
                let next = |case: usize| {
                    let change = if case < self.changed { self.change } else { 0.0 };
                    let mut run = Run::new(self.scene.slower(change), PAIRS, seed + case as u64);
                    move || run.pair()
                };
                (0..self.cases).map(next).collect::<Vec<_>>()
            };
            [rules.0.play(&mut cases(), PAIRS), rules.1.play(&mut cases(), PAIRS)]
        })
    }

    /// What a rule has made of the runs.
    fn figures(&self, all: &[[Outcomes; 2]], rule: usize) -> Figures {
        let per_run = |of: &dyn Fn(&[Outcome], &[Outcome]) -> f64| {
            let split = |both: &[Outcomes; 2]| {
                let (changed, others) = both[rule].cases.split_at(self.changed);
                of(changed, others)
            };
            all.iter().map(split).sum::<f64>() / all.len() as f64
        };
        let gate = |of: fn(&Outcomes) -> bool| {
            all.iter().filter(|both| of(&both[rule])).count() as f64 / all.len() as f64
        };
        let found = |changed: &[Outcome]| count(changed, |one| is_worse(one.verdict));
        let wrong = |others: &[Outcome]| count(others, |one| is_claim(one.verdict));
        let every =
            |of: fn(&Outcome) -> f64| per_run(&|changed, others| changed.iter().chain(others).map(of).sum());
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

    fn line(&self, all: &[[Outcomes; 2]], rule: usize) -> String {
        let figures = self.figures(all, rule);
        let found = if self.changed > 0 { format!("{:.3}", figures.found) } else { "–".to_owned() };
        let gate = if self.gate {
            format!("{:.3} | {:.3}", figures.fails, figures.undecided)
        } else {
            "– | –".to_owned()
        };
        let Figures { false_rate, any_false, unclear, taken_back, pairs, .. } = figures;
        format!(
            "| {} | {} | {found} | {false_rate:.3} | {any_false:.3} | {unclear:.2} | {taken_back:.2} | {gate} | {pairs:.1} |",
            self.name,
            ["before", "today"][rule]
        )
    }

    fn hold(&self, all: &[[Outcomes; 2]], wanted: &mut Wanted) {
        let figures = self.figures(all, 1);
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

/// Shares of runs, and counts in a run.
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

fn count(cases: &[Outcome], counts: impl Fn(&Outcome) -> bool) -> f64 {
    cases.iter().filter(|one| counts(one)).count() as f64
}

/// What is wanted, and where it is seen least.
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

    /// What does not hold.
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

/// The table of families and gates.
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
        lines.extend([family.line(&all, 0), family.line(&all, 1)]);
        family.hold(&all, &mut wanted);
    }
    lines.extend(wanted.lines());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few runs, and bounds that luck does not reach.
    #[test]
    fn what_is_wanted_holds() {
        const RUNS: u64 = 4;
        for (at, row) in (0..).zip(rows()) {
            let seen = Seen::of(&row, RUNS, 7_000_000 + 1000 * at);
            assert_eq!(seen.share(1, |one| one.taken_back), 0.0, "{}", row.name);
            let covers = [seen.covers_typical(1), seen.covers_mean(1).filter(|_| !row.is_beyond)];
            assert!(covers.iter().flatten().all(|share| *share >= 0.5), "{}: {covers:?}", row.name);
            let wrong = seen.share(1, |one| is_claim(one.verdict));
            let nothing = row.scene.typical() == 0.0 && row.scene.mean() == 0.0 && !row.is_beyond;
            assert!(!nothing || wrong <= 0.5, "{}: {wrong}", row.name);
        }
    }

    #[test]
    fn few_changes_in_a_family_are_found_and_a_gate_fails_for_one() {
        for family in families().into_iter().filter(|family| family.cases <= 20) {
            let Some(least) = family.least.filter(|least| *least > 0.0) else { continue };
            let all = family.play(3, 5);
            let [before, today] = [0, 1].map(|rule| family.figures(&all, rule));
            let seen = if family.gate { today.fails } else { today.found };
            assert!(seen >= least - 0.2, "{}: {seen}", family.name);
            assert!(before.taken_back > 0.0 && today.taken_back == 0.0, "{}", family.name);
        }
    }
}
