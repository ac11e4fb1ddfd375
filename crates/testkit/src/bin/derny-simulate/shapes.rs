//! False verdicts, coverage and power of every rule in suites with five distributions of process offsets.

use crate::parallel;
use crate::scenes::Wanted;
use derny_model::Verdict;
use derny_testkit::simulator::outcome::is_claim;
use derny_testkit::simulator::rule::{Rule, rules};
use derny_testkit::simulator::shapes::{Changed, Played, Shape, Suite};

/// Sizes of suites: the number of cases, and the number of suites relative to suites of eight cases.
const SIZES: [(usize, f64); 3] = [(1, 4.0), (8, 1.0), (100, 0.1)];
/// Correlations of the offsets within a pair.
const SHARED: [f64; 2] = [0.0, 0.8];
const CHANGES: [f64; 2] = [0.02, 0.05];

#[derive(Debug, Clone, Copy, Default)]
struct Share {
    mean: f64,
    /// Standard error. The suite is the unit of replication.
    error: f64,
}

/// Results of one rule over many suites.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    /// Share of unchanged cases with the verdict worse or better. `any` also counts verdicts within the
    /// margin.
    wrong: Share,
    any: Share,
    /// Share of unchanged outliers with the verdict worse or better.
    outlier: Share,
    /// Share of intervals of typical time that cover the truth.
    covers: Share,
    decided: Share,
    pairs: Share,
    /// Share of changed cases with the right verdict. `reversed` is the share with the opposite one.
    found: Share,
    reversed: Share,
    changed_pairs: Share,
}

/// Returns the mean of `value` over the cases that satisfy `among`, averaged by suite. Ignores suites without
/// these cases.
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

fn played(suite: Suite, runs: u64, seed: u64) -> Vec<Figures> {
    let rules: Vec<Rule> = rules().iter().map(|(_, settings)| Rule::new(settings, suite.cases)).collect();
    let seeds: Vec<u64> = (seed..seed + runs.max(2)).collect();
    let of = |rule: &Rule| figures(&parallel::map(&seeds, |&seed| suite.play(rule, seed)));
    rules.iter().map(of).collect()
}

struct Row {
    suite: Suite,
    unchanged: Vec<Figures>,
    changed: Vec<Vec<Figures>>,
}

/// Returns the cases that change, with the size of the change.
fn changes() -> Vec<(Changed, f64)> {
    let of = |changed| CHANGES.map(|change| (changed, change));
    [Changed::One, Changed::All].into_iter().flat_map(of).collect()
}

impl Row {
    /// Simulates `runs` times `share` unchanged suites of `cases` cases, and half as many for each change.
    fn play(shape: Shape, (cases, share): (usize, f64), shared: f64, runs: u64) -> Row {
        let suite = Suite { shape, cases, shared, change: 0.0, changed: Changed::One };
        let runs = runs as f64 * share;
        let of =
            |(changed, change)| played(Suite { change, changed, ..suite }, (runs / 2.0) as u64, 1_000_000);
        Row {
            suite,
            unchanged: played(suite, runs as u64, 1),
            changed: changes().into_iter().map(of).collect(),
        }
    }

    /// Adds the requirements on the current rule, with a tolerance of two standard errors.
    fn hold(&self, wanted: &mut Wanted) {
        let Suite { shape, cases, shared, .. } = self.suite;
        let name = format!("{}, {cases} cases, correlation {shared}", shape.name());
        let Figures { wrong, covers, .. } = self.unchanged[self.unchanged.len() - 1];
        wanted.most("false verdicts", &name, wrong.mean, 0.05 + 2.0 * wrong.error);
        wanted.least("typical is covered", &name, Some(covers.mean), 0.95 - 2.0 * covers.error);
        for all in &self.changed {
            wanted.most("wrong way", &name, all[all.len() - 1].reversed.mean, 0.025);
        }
    }

    fn summary(&self) -> String {
        let ends = |of: &dyn Fn(&Figures) -> String, all: &[Figures]| {
            let cells = if all.len() > 1 { vec![&all[0], &all[all.len() - 1]] } else { vec![&all[0]] };
            cells.into_iter().map(of).collect::<Vec<String>>().join(" → ")
        };
        let unchanged = |of: &dyn Fn(&Figures) -> String| ends(of, &self.unchanged);
        let [small, large] = [0, 1].map(|change| self.changed[change].as_slice());
        let cells = [
            unchanged(&|one| format!("{:.3}", one.wrong.mean)),
            unchanged(&|one| format!("{:.3}", one.covers.mean)),
            unchanged(&|one| format!("{:.2}", one.decided.mean)),
            unchanged(&|one| format!("{:.0}", one.pairs.mean)),
            ends(&|one| format!("{:.2}", one.found.mean), small),
            ends(&|one| format!("{:.0}", one.changed_pairs.mean), small),
            ends(&|one| format!("{:.2}", one.found.mean), large),
            ends(&|one| format!("{:.0}", one.changed_pairs.mean), large),
        ];
        format!("| {} | {} | {} |", self.suite.shape.name(), self.suite.cases, cells.join(" | "))
    }

    fn unchanged(&self) -> Vec<String> {
        let cell = |share: Share| format!("{:.4} ± {:.4}", share.mean, share.error);
        let line = |((rule, _), figures): (&(&str, _), &Figures)| {
            let Figures { wrong, any, outlier, covers, decided, pairs, .. } = *figures;
            let outlier = if self.suite.shape.has_outlier() { cell(outlier) } else { "–".to_owned() };
            let cells = [cell(wrong), cell(any), outlier, cell(covers)].join(" | ");
            let (shape, cases) = (self.suite.shape.name(), self.suite.cases);
            format!("| {shape} | {cases} | {rule} | {cells} | {:.3} | {:.1} |", decided.mean, pairs.mean)
        };
        rules().iter().zip(&self.unchanged).map(line).collect()
    }

    fn changed(&self) -> Vec<String> {
        let cell = |figures: &Figures| {
            let Figures { found, reversed, changed_pairs, .. } = *figures;
            format!("{:.3} | {:.4} | {:.1}", found.mean, reversed.mean, changed_pairs.mean)
        };
        let line = |(at, (rule, _)): (usize, &(&str, _))| {
            let cells: Vec<String> = self.changed.iter().map(|all| cell(&all[at])).collect();
            let (shape, cases) = (self.suite.shape.name(), self.suite.cases);
            format!("| {shape} | {cases} | {rule} | {} |", cells.join(" | "))
        };
        rules().iter().enumerate().map(line).collect()
    }
}

/// Returns the tables: a summary for each correlation, followed by all figures.
pub fn table(runs: u64) -> Vec<String> {
    let (mut lines, mut wanted) = (Vec::new(), Wanted::default());
    for shared in SHARED {
        let of = |shape: Shape| SIZES.map(|size| Row::play(shape, size, shared, runs));
        let rows: Vec<Row> = Shape::ALL.into_iter().flat_map(of).collect();
        rows.iter().for_each(|row| row.hold(&mut wanted));
        lines.push(format!("\n## Correlation of a pair: {shared}\n"));
        lines.push("| processes | cases | false | covers | decided | pairs | +2 % found | pairs | +5 % found | pairs |".to_owned());
        lines.push(format!("| --- | --: |{}", " --: |".repeat(8)));
        lines.extend(rows.iter().map(Row::summary));
        lines.push("\n| nothing has changed | cases | rule | false | by any amount | of the outlier | covers | decided | pairs |".to_owned());
        lines.push(format!("| --- | --: | --- |{}", " --: |".repeat(6)));
        lines.extend(rows.iter().flat_map(Row::unchanged));
        let of = |(changed, change): (Changed, f64)| {
            let cases = if changed == Changed::One { "one case" } else { "all" };
            format!("{:+.0} %, {cases}: found | wrong way | pairs", 100.0 * change)
        };
        let columns: Vec<String> = changes().into_iter().map(of).collect();
        lines.push(format!("\n| changes | cases | rule | {} |", columns.join(" | ")));
        lines.push(format!("| --- | --: | --- |{}", " --: |".repeat(3 * columns.len())));
        lines.extend(rows.iter().flat_map(Row::changed));
    }
    lines.extend(wanted.lines());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today(suite: Suite, runs: u64) -> Figures {
        *played(suite, runs, 5).last().unwrap()
    }

    /// Uses few suites, so the bounds are wide enough that chance does not exceed them.
    #[test]
    fn no_shape_of_offsets_is_taken_for_a_change() {
        for shape in Shape::ALL {
            for (cases, runs) in [(1, 40), (8, 8)] {
                let suite = Suite { shape, cases, shared: 0.0, change: 0.0, changed: Changed::One };
                let figures = today(suite, runs);
                assert!(figures.wrong.mean <= 0.2, "{suite:?}: {figures:?}");
                assert!(figures.covers.mean >= 0.8, "{suite:?}: {figures:?}");
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
    fn every_row_has_a_line_for_readers_and_one_for_each_rule() {
        let row = Row::play(Shape::OutlierTwo, (2, 1.0), 0.8, 2);
        let columns = |line: &str| line.matches('|').count();
        assert_eq!(columns(&row.summary()), 11);
        assert_eq!((row.unchanged().len(), row.changed().len()), (rules().len(), rules().len()));
        assert!(row.unchanged().iter().all(|line| columns(line) == 10));
        assert!(row.changed().iter().all(|line| columns(line) == 4 + 3 * changes().len()));
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
