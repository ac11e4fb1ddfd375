//! Finds changes of level in histories. They are suspicions: only a measurement of both commits confirms one.

use derny_model::{ChangeState, History, HistoryChange, HistoryPlace};
use derny_stats::level::{LevelChange, LevelRules, level_changes};
use derny_stats::median;
use derny_stats::scale::mad;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Returns the rules of the detector.
pub fn rules(is_sensitive: bool) -> LevelRules {
    if is_sensitive { LevelRules::sensitive() } else { LevelRules::default() }
}

/// A change that the detector found.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspicion {
    /// The change, in state [`ChangeState::New`].
    pub change: HistoryChange,
    /// 1 minus the p-value, adjusted for the number of commits at which the change could be.
    pub confidence: f64,
    /// Squared difference of the levels in units of its standard error. Higher scores should be measured
    /// first.
    pub score: f64,
    /// Dates of `from` and of the point after `to`, milliseconds since the Unix epoch. Changes of other cases
    /// between these dates count as being at the same place.
    around_ms: RangeInclusive<i64>,
}

/// Finds the changes of a history, in the order of commits. Compares only points under the same conditions.
/// Several points of one commit count as their median. Values that are not positive have no relative change,
/// so conditions with such a value are left out. A history of comparisons has no changes.
///
/// A change that the yardsticks explain is marked as caused by the machine.
pub fn detect(history: &History, rules: &LevelRules) -> Vec<Suspicion> {
    if history.against.is_some() {
        return Vec::new();
    }
    let mut found: Vec<(usize, Suspicion)> = Vec::new();
    for conditions in 0..history.conditions.len() as u32 {
        let places = places(history, conditions);
        let logs: Vec<f64> = places.iter().map(|place| place.log).collect();
        let rules = LevelRules { min_noise: rules.min_noise.max(least_noise(&places)), ..*rules };
        // An infinite logarithm of a value that is not positive yields no changes either.
        let changes = level_changes(&logs, &rules).unwrap_or_default();
        let ends = changes.iter().skip(1).map(|next| next.index).chain([places.len()]);
        let mut start = 0;
        for (change, end) in changes.iter().zip(ends) {
            let levels = [&places[start..change.index], &places[change.index..end]];
            let (at, mut suspicion) = suspicion(history, &places, change);
            suspicion.change.is_machine = is_of_yardsticks(levels, change.difference);
            found.push((at, suspicion));
            start = change.index;
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, suspicion)| suspicion).collect()
}

/// Marks changes as caused by the machine if almost all of its histories have them at the same place and in
/// the same direction. `found` contains the result of [`detect`] for each history.
pub fn mark_machine(found: &mut [(&History, Vec<Suspicion>)], rules: &LevelRules) {
    /// Minimum number of cases. If there are fewer, a change of the code may well affect all of them.
    const LEAST: usize = 4;
    const SHARE: f64 = 0.8;
    let spans: Vec<Option<RangeInclusive<i64>>> =
        found.iter().map(|(history, _)| span(history, rules.min_length)).collect();
    let is_machine = |host: &str, figure: &str, at_ms: i64, rises: bool| {
        let comparable = found.iter().zip(&spans).filter(|((other, _), span)| {
            other.host == host
                && other.figure == figure
                && span.as_ref().is_some_and(|span| span.contains(&at_ms))
        });
        let shares = |((_, others), _): &(&(&History, Vec<Suspicion>), _)| {
            others.iter().any(|one| one.around_ms.contains(&at_ms) && (one.change.change > 0.0) == rises)
        };
        let (all, sharing) = (comparable.clone().count(), comparable.filter(shares).count());
        all >= LEAST && sharing as f64 >= SHARE * all as f64
    };
    let mut known: HashMap<(&str, &str, i64, bool), bool> = HashMap::new();
    for (history, suspicions) in found.iter() {
        for HistoryChange { at_ms, change, .. } in suspicions.iter().map(|one| &one.change) {
            let place = (history.host.as_str(), history.figure.as_str(), *at_ms, *change > 0.0);
            known.entry(place).or_insert_with(|| is_machine(place.0, place.1, place.2, place.3));
        }
    }
    for (history, suspicions) in found {
        for HistoryChange { at_ms, change, is_machine, .. } in
            suspicions.iter_mut().map(|one| &mut one.change)
        {
            *is_machine |= known[&(history.host.as_str(), history.figure.as_str(), *at_ms, *change > 0.0)];
        }
    }
}

/// Removes the points in the middle, which [`mark_machine`] does not need.
pub(crate) fn edges(mut history: History, rules: &LevelRules) -> History {
    let (before, after) = (rules.min_length + 1, rules.min_length.max(1));
    let end = history.points.len().saturating_sub(after);
    if end > before {
        history.points.drain(before..end);
        history.points.shrink_to_fit();
    }
    history
}

/// Returns the dates between which the history can show a change, because it has enough points before and
/// after.
fn span(history: &History, min_length: usize) -> Option<RangeInclusive<i64>> {
    let last = history.points.len().checked_sub(min_length.max(1))?;
    Some(history.points.get(min_length)?.at_ms..=history.points[last].at_ms)
}

/// Points of one commit under one kind of conditions.
struct Place {
    /// Index of the first of the points.
    first: usize,
    /// Logarithm of their median.
    log: f64,
    /// Logarithm of the median of their yardsticks, if there are any.
    machine: Option<f64>,
    /// Relative half-width of the interval, if there is one.
    half_width: Option<f64>,
}

fn places(history: &History, conditions: u32) -> Vec<Place> {
    let own: Vec<(usize, &HistoryPlace)> =
        history.points.iter().enumerate().filter(|(_, point)| point.conditions == conditions).collect();
    let is_same = |a: &(usize, &HistoryPlace), b: &(usize, &HistoryPlace)| {
        !a.1.commit.is_empty() && a.1.commit == b.1.commit
    };
    let place = |points: &[(usize, &HistoryPlace)]| {
        let logs: Vec<f64> = points.iter().map(|(_, point)| libm::log(point.value)).collect();
        let machine: Vec<f64> =
            points.iter().filter_map(|(_, point)| Some(libm::log(point.machine_ns?))).collect();
        let machine = (!machine.is_empty()).then(|| median(&machine));
        let widths = points.iter().filter_map(|(_, point)| {
            let half = 0.5 * (point.interval?.hi - point.interval?.lo) / point.value;
            half.is_finite().then_some(half)
        });
        let half_width = widths.min_by(f64::total_cmp);
        Place { first: points[0].0, log: median(&logs), machine, half_width }
    };
    own.chunk_by(is_same).map(place).collect()
}

/// Returns the least noise that the intervals suggest: a third of their median half-width. It is not the
/// whole half-width, because intervals of few processes are wider than their error.
fn least_noise(places: &[Place]) -> f64 {
    let widths: Vec<f64> = places.iter().filter_map(|place| place.half_width).collect();
    if widths.is_empty() { 0.0 } else { median(&widths) / 3.0 }
}

fn suspicion(history: &History, places: &[Place], found: &LevelChange) -> (usize, Suspicion) {
    let point = |at: usize| &history.points[places[at].first];
    let (from, to) = (point(found.index - 1), point(found.index));
    let change = HistoryChange {
        from: from.commit.clone(),
        to: to.commit.clone(),
        at_ms: to.at_ms,
        state: ChangeState::New,
        change: libm::expm1(found.difference),
        interval: None,
        run: None,
        is_machine: false,
        note: None,
    };
    let around_ms = from.at_ms..=point((found.index + 1).min(places.len() - 1)).at_ms;
    let LevelChange { score, confidence, .. } = *found;
    (places[found.index].first, Suspicion { change, confidence, score, around_ms })
}

/// Returns true if the yardsticks explain a change: between the same levels, they moved in the same
/// direction, by 0.5 to 1.5 times the change.
fn is_of_yardsticks(levels: [&[Place]; 2], difference: f64) -> bool {
    /// Number of points of each level, next to the change, whose yardsticks are compared.
    const NEAR: usize = 30;
    /// Smallest change of the yardsticks that counts, on a log scale. It must also exceed three standard
    /// errors.
    const LEAST: f64 = 0.01;
    let [before, after] = levels.map(|places| places.iter().filter_map(|place| place.machine));
    let [before, after]: [Vec<f64>; 2] = [before.rev().take(NEAR).collect(), after.take(NEAR).collect()];
    if before.len() < 2 || after.len() < 2 {
        return false;
    }
    let moved = median(&after) - median(&before);
    let error = libm::hypot(error_of_median(&before), error_of_median(&after));
    moved.abs() > LEAST && moved.abs() > 3.0 * error && (0.5..=1.5).contains(&(moved / difference))
}

/// Returns the standard error of the median of normal values.
fn error_of_median(values: &[f64]) -> f64 {
    mad(values) * libm::sqrt(0.5 * std::f64::consts::PI / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{CaseId, Direction, HistoryConditions, Interval};
    use derny_stats::Rng;

    fn history(case: &str, values: &[f64]) -> History {
        let place = |(i, &value): (usize, &f64)| HistoryPlace {
            conditions: 0,
            at_ms: 1000 * i as i64,
            measured_ms: 1000 * i as i64 + 7,
            commit: format!("c{i}"),
            releases: Vec::new(),
            run: None,
            value,
            interval: None,
            machine_ns: None,
        };
        History {
            case: CaseId { suite: String::new(), benchmark: case.to_owned(), params: Vec::new() },
            figure: "time".to_owned(),
            unit: "ns".to_owned(),
            better: Direction::Less,
            host: "h".to_owned(),
            apart: None,
            against: None,
            conditions: vec![HistoryConditions {
                cpu: String::new(),
                runtime: String::new(),
                tool: String::new(),
            }],
            points: values.iter().enumerate().map(place).collect(),
            changes: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Returns `n` times of about 100 ns with a noise of 1 %, times the factor at each index.
    fn times(seed: u64, n: usize, of: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut rng = Rng::new(seed);
        (0..n).map(|i| 100.0 * of(i) * libm::exp(0.01 * rng.normal())).collect()
    }

    fn found(history: &History) -> Vec<Suspicion> {
        detect(history, &LevelRules::default())
    }

    fn step(at: usize, size: f64) -> impl Fn(usize) -> f64 {
        move |i| if i < at { 1.0 } else { size }
    }

    #[test]
    fn a_step_is_found_between_its_commits() {
        let [one] = &found(&history("a", &times(1, 60, step(40, 1.1))))[..] else { panic!("one change") };
        let HistoryChange { from, to, at_ms, state, change, is_machine, .. } = &one.change;
        assert_eq!((from.as_str(), to.as_str(), *at_ms), ("c39", "c40", 40_000));
        assert_eq!((*state, *is_machine), (ChangeState::New, false));
        assert!((change - 0.1).abs() < 0.01, "{change}");
        assert!(one.confidence > 0.99 && one.score > 100.0);
        assert_eq!(found(&history("a", &times(1, 60, |i| if i == 40 { 3.0 } else { 1.0 }))), []);
    }

    #[test]
    fn short_series_and_odd_values_have_no_change() {
        for n in 0..6 {
            assert_eq!(found(&history("a", &times(2, n, step(1, 2.0)))), [], "{n} points");
        }
        assert_eq!(found(&history("a", &[0.0; 20])), []);
        assert_eq!(found(&history("a", &[-1.0, -1.0, -1.0, 9.0, 9.0, 9.0])), []);
        assert_eq!(found(&history("a", &[7.0; 20])), []);
    }

    #[test]
    fn points_of_a_commit_are_one_value() {
        let mut history = history("a", &times(3, 60, |_| 1.0));
        // A commit that was measured five times on a bad day is one value, and so an outlier.
        for point in &mut history.points[30..35] {
            (point.commit, point.value) = ("same".to_owned(), 150.0);
        }
        assert_eq!(found(&history), []);
        // Points without a commit do not belong to the same commit.
        history.points[30..35].iter_mut().for_each(|point| point.commit = String::new());
        assert_eq!(found(&history).len(), 2);
    }

    #[test]
    fn conditions_are_not_compared() {
        let mut history = history("a", &times(4, 60, step(30, 1.5)));
        let other = HistoryConditions { cpu: "other".to_owned(), ..history.conditions[0].clone() };
        history.conditions.push(other);
        history.points[30..].iter_mut().for_each(|point| point.conditions = 1);
        assert_eq!(found(&history), []);
        // Alternating machines keep their own levels, and changes are in the order of commits.
        let mut mixed = self::history("a", &times(4, 120, |i| if i % 2 == 0 { 1.0 } else { 2.0 }));
        mixed.conditions = history.conditions;
        for (i, point) in mixed.points.iter_mut().enumerate() {
            point.conditions = (i % 2) as u32;
            point.value *= if i < [90, 45][i % 2] { 1.0 } else { 1.2 };
        }
        let dates: Vec<i64> = found(&mixed).iter().map(|one| one.change.at_ms).collect();
        assert_eq!(dates, [45_000, 90_000]);
        assert_eq!(found(&mixed)[0].change.from, "c43");
    }

    #[test]
    fn wide_intervals_raise_the_noise() {
        let mut history = history("a", &times(5, 40, step(20, 1.05)));
        assert_eq!(found(&history).len(), 1);
        for point in &mut history.points {
            point.interval = Some(Interval { lo: 0.5 * point.value, hi: 1.5 * point.value });
        }
        assert_eq!(found(&history), []);
    }

    #[test]
    fn changes_that_the_yardsticks_explain_are_the_machines() {
        let machine = |i: usize| 1.0 + if (50..80).contains(&i) { 0.2 } else { 0.0 };
        let case = history("a", &times(6, 120, |i| machine(i) * step(100, 1.1)(i)));
        let marks = |share: f64| {
            let mut case = case.clone();
            let yardsticks = times(7, 120, |i| 1.0 + share * (machine(i) - 1.0));
            case.points.iter_mut().zip(yardsticks).for_each(|(point, ns)| point.machine_ns = Some(ns));
            found(&case).iter().map(|one| (one.change.at_ms, one.change.is_machine)).collect::<Vec<_>>()
        };
        let with = |mark| [(50_000, mark), (80_000, mark), (100_000, false)];
        assert_eq!(marks(1.0), with(true));
        for share in [0.0, 0.2, 3.0, -1.0] {
            assert_eq!(marks(share), with(false), "{share}");
        }
        assert!(found(&case).iter().all(|one| !one.change.is_machine), "no yardsticks");
    }

    #[test]
    fn changes_of_all_cases_are_the_machines() {
        let own: Vec<History> = (0..6)
            .map(|case| {
                let step =
                    |i: usize| if i < 30 { 1.0 } else { 1.1 } * if case == 2 && i >= 45 { 1.2 } else { 1.0 };
                history(&format!("case {case}"), &times(case + 10, 60, step))
            })
            .collect();
        let rules = LevelRules::default();
        let marks = |own: &[History]| {
            let mut all: Vec<(&History, Vec<Suspicion>)> = own.iter().map(|one| (one, found(one))).collect();
            mark_machine(&mut all, &rules);
            let marks = all.iter().map(|(_, found)| found.iter().map(|one| one.change.is_machine).collect());
            marks.collect::<Vec<Vec<bool>>>()
        };
        let mut expected = vec![vec![true]; 6];
        expected[2] = vec![true, false];
        assert_eq!(marks(&own), expected);
        // Three cases are too few. So is half of all cases, and cases of another machine do not count.
        assert_eq!(marks(&own[..2]), [[false], [false]]);
        let mut half = own.clone();
        half.iter_mut().take(3).for_each(|one| one.host = "other".to_owned());
        assert!(marks(&half).iter().flatten().all(|mark| !mark));
        let still = (0..4).map(|case| history("still", &times(case, 60, |_| 1.0)));
        let some: Vec<History> = own.into_iter().chain(still).collect();
        assert!(marks(&some).iter().flatten().all(|mark| !mark));
    }
}
