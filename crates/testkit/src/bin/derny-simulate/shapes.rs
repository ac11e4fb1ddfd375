//! Suites whose processes differ in five ways: false verdicts, coverage and power of every rule.

use crate::parallel;
use crate::scenes::Wanted;
use derny_model::Verdict;
use derny_testkit::simulator::outcome::is_claim;
use derny_testkit::simulator::rule::{Rule, rules};
use derny_testkit::simulator::shapes::{Changed, Played, Shape, Suite};

/// Cases of a suite, and for each suite of eight so many of them.
const SIZES: [(usize, f64); 3] = [(1, 4.0), (8, 1.0), (100, 0.1)];
/// Correlations of the offsets of a pair.
const SHARED: [f64; 2] = [0.0, 0.8];
/// True changes, as shares.
const CHANGES: [f64; 2] = [0.02, 0.05];

/// Shares of cases over many suites.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    mean: f64,
    /// Standard error: suites are what is repeated.
    error: f64,
}

/// What one rule makes of many suites.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    /// Cases without a change that are called faster or slower, and those that are called so by however little.
    wrong: Share,
    any: Share,
    /// The same of the outlier alone.
    outlier: Share,
    /// Intervals of typical time that hold the truth.
    covers: Share,
    decided: Share,
    /// Pairs of a case.
    pairs: Share,
    /// Of the cases that changed: called slower, and called faster.
    found: Share,
    reversed: Share,
    /// Pairs of a case that changed.
    changed_pairs: Share,
}

/// The mean over suites of the share of their cases; suites without such a case do not count.
fn share(suites: &[Vec<Played>], among: fn(&Played) -> bool, value: impl Fn(&Played) -> f64) -> Share {
    let of = |suite: &Vec<Played>| {
        let own: Vec<f64> = suite.iter().filter(|one| among(one)).map(&value).collect();
        (!own.is_empty()).then(|| own.iter().sum::<f64>() / own.len() as f64)
    };
    let all: Vec<f64> = suites.iter().filter_map(of).collect();
    let count = all.len().max(1) as f64;
    let mean = all.iter().sum::<f64>() / count;
    let variance = all.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / count;
    Share { mean, error: (variance / count).sqrt() }
}

fn figures(suites: &[Vec<Played>]) -> Figures {
    let (all, unchanged, changed) =
        (|_: &Played| true, |one: &Played| one.truth == 0.0, |one: &Played| one.truth != 0.0);
    let is = |flag: bool| f64::from(u8::from(flag));
    let pairs = |one: &Played| one.outcome.pairs as f64;
    let names = |one: &Played| is(matches!(one.outcome.verdict, Verdict::Worse | Verdict::Better));
    Figures {
        wrong: share(suites, unchanged, names),
        any: share(suites, unchanged, |one| is(is_claim(one.outcome.verdict))),
        outlier: share(suites, |one| one.is_outlier && one.truth == 0.0, names),
        covers: share(suites, all, |one| is(one.outcome.typical.holds(one.truth) != Some(false))),
        decided: share(suites, all, |one| is(one.outcome.verdict != Verdict::Unclear)),
        pairs: share(suites, all, pairs),
        found: share(suites, changed, |one| is(one.outcome.verdict == Verdict::Worse)),
        reversed: share(suites, changed, |one| is(one.outcome.verdict == Verdict::Better)),
        changed_pairs: share(suites, changed, pairs),
    }
}

/// What every rule makes of so many suites.
fn played(suite: Suite, runs: u64, seed: u64) -> Vec<Figures> {
    let rules: Vec<Rule> = rules().iter().map(|(_, settings)| Rule::new(settings, suite.cases)).collect();
    let seeds: Vec<u64> = (seed..seed + runs.max(2)).collect();
    let of = |rule: &Rule| figures(&parallel::map(&seeds, |&seed| suite.play(rule, seed)));
    rules.iter().map(of).collect()
}

/// The tables: for each correlation, nothing changed, then one case or all.
pub fn table(runs: u64) -> Vec<String> {
    let (mut lines, mut wanted) = (Vec::new(), Wanted::default());
    for shared in SHARED {
        lines.push(format!("\n### Nothing has changed; correlation of a pair {shared}\n"));
        lines.push("| processes | cases | rule | false | false, by however little | of the outlier | covers | decided | pairs |".to_owned());
        lines.push(format!("| --- | --: | --- |{}", " --: |".repeat(6)));
        for (shape, cases, share) in rows() {
            let suite = Suite { shape, cases, shared, change: 0.0, changed: Changed::One };
            let all = played(suite, (runs as f64 * share) as u64, 1);
            lines.extend(unchanged(&suite, &all, &mut wanted));
        }
        lines.push(format!("\n### Changes; correlation of a pair {shared}\n"));
        let columns = |changed| CHANGES.map(|change| format!("{:+.0} %, {changed}", 100.0 * change));
        let columns = [columns("one case"), columns("all")].concat();
        let cells = columns.iter().map(|name| format!("{name}: found | wrong way | pairs"));
        let cells: Vec<String> = cells.collect();
        lines.push(format!("| processes | cases | rule | {} |", cells.join(" | ")));
        lines.push(format!("| --- | --: | --- |{}", " --: |".repeat(3 * columns.len())));
        for (shape, cases, share) in rows() {
            let suite = Suite { shape, cases, shared, change: 0.0, changed: Changed::One };
            lines.extend(changes(&suite, (runs as f64 * share / 2.0) as u64, &mut wanted));
        }
    }
    lines.extend(wanted.lines());
    lines
}

fn rows() -> impl Iterator<Item = (Shape, usize, f64)> {
    Shape::ALL.into_iter().flat_map(|shape| SIZES.map(|(cases, share)| (shape, cases, share)))
}

fn name(suite: &Suite) -> String {
    format!("{}, {} cases, correlation {}", suite.shape.name(), suite.cases, suite.shared)
}

fn unchanged(suite: &Suite, all: &[Figures], wanted: &mut Wanted) -> Vec<String> {
    let cell = |share: Share| format!("{:.4} ± {:.4}", share.mean, share.error);
    let line = |((rule, _), figures): (&(&str, _), &Figures)| {
        let Figures { wrong, any, outlier, covers, decided, pairs, .. } = *figures;
        let outlier = if suite.shape.has_outlier() { cell(outlier) } else { "–".to_owned() };
        format!(
            "| {} | {} | {rule} | {} | {} | {outlier} | {} | {:.3} | {:.1} |",
            suite.shape.name(),
            suite.cases,
            cell(wrong),
            cell(any),
            cell(covers),
            decided.mean,
            pairs.mean
        )
    };
    let today = all[all.len() - 1];
    wanted.most("false verdicts", &name(suite), today.wrong.mean, 0.05);
    wanted.least(
        "typical is covered",
        &name(suite),
        Some(today.covers.mean),
        0.95 - 2.0 * today.covers.error,
    );
    rules().iter().zip(all).map(line).collect()
}

fn changes(suite: &Suite, runs: u64, wanted: &mut Wanted) -> Vec<String> {
    let mut cells = vec![String::new(); rules().len()];
    for changed in [Changed::One, Changed::All] {
        for change in CHANGES {
            let all = played(Suite { change, changed, ..*suite }, runs, 1_000_000);
            for (cells, figures) in cells.iter_mut().zip(&all) {
                let Figures { found, reversed, changed_pairs, .. } = *figures;
                *cells += &format!(" {:.3} | {:.4} | {:.1} |", found.mean, reversed.mean, changed_pairs.mean);
            }
            let today = all[all.len() - 1];
            wanted.most("wrong way", &name(suite), today.reversed.mean, 0.025);
        }
    }
    let line = |((rule, _), cells): (&(&str, _), &String)| {
        format!("| {} | {} | {rule} |{cells}", suite.shape.name(), suite.cases)
    };
    rules().iter().zip(&cells).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today(suite: Suite, runs: u64) -> Figures {
        *played(suite, runs, 5).last().unwrap()
    }

    /// Few suites, and bounds that luck does not reach.
    #[test]
    fn no_shape_of_offsets_is_taken_for_a_change() {
        for shape in Shape::ALL {
            for (cases, runs) in [(1, 40), (8, 8)] {
                let suite = Suite { shape, cases, shared: 0.0, change: 0.0, changed: Changed::One };
                let figures = today(suite, runs);
                assert!(figures.wrong.mean <= 0.2, "{}: {figures:?}", name(&suite));
                assert!(figures.covers.mean >= 0.8, "{}: {figures:?}", name(&suite));
            }
        }
    }

    #[test]
    fn a_change_is_found_beside_offsets_and_never_the_wrong_way() {
        for shape in [Shape::SpreadTwo, Shape::NoisyNormal, Shape::NoisyTwo] {
            for (shared, changed) in [(0.0, Changed::One), (0.8, Changed::All)] {
                let suite = Suite { shape, cases: 4, shared, change: 0.05, changed };
                let figures = today(suite, 5);
                assert!(figures.found.mean >= 0.8 && figures.reversed.mean == 0.0, "{figures:?}");
            }
        }
    }

    #[test]
    fn equal_seeds_give_equal_suites_and_the_outlier_is_one_case() {
        let suite =
            Suite { shape: Shape::OutlierTwo, cases: 5, shared: 0.8, change: 0.02, changed: Changed::One };
        let rule = Rule::new(&rules()[0].1, suite.cases);
        let [first, again] = [0, 1].map(|_| suite.play(&rule, 11));
        let shown = |all: &[Played]| all.iter().map(|one| one.outcome).collect::<Vec<_>>();
        assert_eq!(shown(&first), shown(&again));
        assert_eq!(first.iter().filter(|one| one.is_outlier).count(), 1);
        assert_eq!(first.iter().filter(|one| one.truth > 0.0).count(), 1);
    }
}
