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

    fn line(&self, name: &str, rule: usize) -> String {
        let mut cells: Vec<String> =
            COLUMNS.iter().map(|(_, counts)| format!("{:.3}", self.share(rule, counts))).collect();
        let text = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{share:.3}"));
        cells.extend([text(self.covers_typical(rule)), text(self.covers_mean(rule))]);
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
            "| scene | typical | mean | rule | {} | covers typical | covers mean | pairs |",
            names.join(" | ")
        ),
        format!("| --- | --- | --- | --- |{}", " --- |".repeat(COLUMNS.len() + 3)),
    ];
    for (at, row) in (0..).zip(rows()) {
        let seen = Seen::of(&row, runs, 1_000_000 * at);
        lines.extend([seen.line(row.name, 0), seen.line(row.name, 1)]);
    }
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

    fn line(&self, all: &[[Outcomes; 2]], rule: usize) -> String {
        let runs = all.len() as f64;
        let per_run =
            |of: &dyn Fn(&Outcomes) -> f64| all.iter().map(|both| of(&both[rule])).sum::<f64>() / runs;
        let count = |cases: &[Outcome], counts: fn(&Outcome) -> bool| {
            cases.iter().filter(|one| counts(one)).count() as f64
        };
        let changed = self.changed;
        let found =
            per_run(&|one| count(&one.cases[..changed], |one| is_worse(one.verdict))) / changed as f64;
        let false_rate = per_run(&|one| {
            let (good, bad) = (
                count(&one.cases[..changed], |one| is_worse(one.verdict)),
                count(&one.cases[changed..], |one| is_claim(one.verdict)),
            );
            if bad > 0.0 { bad / (good + bad) } else { 0.0 }
        });
        let any = per_run(&|one| f64::from(count(&one.cases[changed..], |one| is_claim(one.verdict)) > 0.0));
        let unclear = per_run(&|one| count(&one.cases, |one| one.verdict == Verdict::Unclear));
        let back = per_run(&|one| count(&one.cases, |one| one.taken_back));
        let pairs =
            per_run(&|one| one.cases.iter().map(|one| one.pairs).sum::<usize>() as f64) / self.cases as f64;
        let fails = per_run(&|one| f64::from(u8::from(one.gate.0)));
        let open = per_run(&|one| f64::from(u8::from(one.gate.1)));
        let found = if changed > 0 { format!("{found:.3}") } else { "–".to_owned() };
        let gate = if self.gate { format!("{fails:.3} | {open:.3}") } else { "– | –".to_owned() };
        format!(
            "| {} | {} | {found} | {false_rate:.3} | {any:.3} | {unclear:.2} | {back:.2} | {gate} | {pairs:.1} |",
            self.name,
            ["before", "today"][rule]
        )
    }
}

/// The table of families and gates.
pub fn many(runs: u64) -> Vec<String> {
    let mut lines = vec![
        "| cases | rule | found | false-discovery rate | any false verdict | unclear in a run | taken back in a run | gate fails | gate undecided | pairs of a case |"
            .to_owned(),
        format!("| --- | --- |{}", " --- |".repeat(8)),
    ];
    for (at, family) in (0..).zip(families()) {
        let runs = ((runs as f64 * family.share) as u64).max(1);
        let all = family.play(runs, 1_000_000_000 * (1 + at));
        lines.extend([family.line(&all, 0), family.line(&all, 1)]);
    }
    lines
}
