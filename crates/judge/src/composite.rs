//! The composite: the weighted geometric mean of the speed-ups of all cases.

use derny_model::{
    Change, ComparedCase, Comparison, Direction, Estimate, Interval, JudgedCase, Quantity, Speedup, Verdict,
};

/// A case, the change that decides its verdict, and the verdict.
pub(crate) struct Judged<'a> {
    pub case: &'a ComparedCase,
    pub change: &'a Change,
    pub verdict: Verdict,
}

/// Returns the cases that the side at index `side` shares with the first side, each with the change that
/// decides its verdict: of the first requested metric that has a direction, or else of typical time.
pub(crate) fn judged(comparison: &Comparison, side: u32) -> Vec<Judged<'_>> {
    let of_case = |case: &'_ ComparedCase| {
        let place = case.sides.iter().position(|own| own.side == side)?;
        Some(place)
    };
    let mut all = Vec::new();
    for case in &comparison.cases {
        let Some(place) = of_case(case) else { continue };
        let own = &case.sides[place];
        if let Some(change) = judging(comparison, &own.changes) {
            let is_time = matches!(change.quantity, Quantity::Typical);
            let verdict = if is_time { own.verdict } else { change.verdict };
            all.push(Judged { case, change, verdict });
        }
    }
    all
}

/// Returns the change that judges a case.
fn judging<'a>(comparison: &Comparison, changes: &'a [Change]) -> Option<&'a Change> {
    let has_direction = |change: &&Change| change.direction != Direction::None;
    let requested = comparison.metrics.iter().filter(|name| &***name != "time").find_map(|name| {
        changes.iter().filter(has_direction).find(|change| change.quantity.metric() == &**name)
    });
    let typical = || changes.iter().find(|change| change.quantity == Quantity::Typical);
    requested.or_else(typical).or_else(|| changes.iter().find(has_direction))
}

/// Returns the speed-up of a change. None if the values have no ratio.
pub(crate) fn speedup(change: &Change, confidence: f64) -> Option<Speedup> {
    let exact = |value: f64| Interval { lo: value, hi: value };
    let estimate = change.change?;
    let interval = estimate.interval.or(change.exact.then(|| exact(estimate.value)));
    of_estimate(Estimate { interval, ..estimate }, change.direction, confidence)
}

fn of_estimate(estimate: Estimate, direction: Direction, confidence: f64) -> Option<Speedup> {
    let ratio = |change: f64| match direction {
        Direction::More => 1.0 + change,
        _ => 1.0 / (1.0 + change),
    };
    let ends = estimate.interval.map(|interval| [ratio(interval.lo), ratio(interval.hi)]);
    let speedup = ratio(estimate.value);
    (speedup.is_finite() && speedup > 0.0).then(|| Speedup {
        speedup,
        low: ends.map(|[a, b]| a.min(b)).filter(|low| low.is_finite()),
        high: ends.map(|[a, b]| a.max(b)).filter(|high| high.is_finite()),
        confidence,
    })
}

/// Returns the composite speed-up of the side at index `side`. None if a case has no speed-up, because a
/// composite of the others would hide it.
///
/// `weights` contains patterns with weights. A case has the weight of the last pattern that occurs in its
/// name, or else 1. If there are no weights and typical time judges every case, the comparison's own
/// geometric mean is used, which is based on blocks. Otherwise the cases count as independent, so the squares
/// of the half-widths add up.
pub(crate) fn composite(comparison: &Comparison, side: u32, weights: &[(String, f64)]) -> Option<Speedup> {
    let confidence = comparison.confidence;
    let rows = judged(comparison, side);
    let parts: Vec<(Speedup, f64)> = rows
        .iter()
        .map(|row| Some((speedup(row.change, confidence)?, weight(&row.case.case.id.name(), weights))))
        .collect::<Option<_>>()?;
    let all_timed = rows.iter().all(|row| row.change.quantity == Quantity::Typical);
    let mean = comparison.geometric_means.iter().find(|mean| mean.side == side);
    match (&parts[..], mean) {
        ([], _) => None,
        ([(only, _)], _) => Some(*only),
        (_, Some(mean)) if weights.is_empty() && all_timed && mean.cases as usize == parts.len() => {
            of_estimate(mean.change, Direction::Less, confidence)
        }
        _ => independent(&parts, confidence),
    }
}

fn independent(parts: &[(Speedup, f64)], confidence: f64) -> Option<Speedup> {
    let total: f64 = parts.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return None;
    }
    let centre = parts.iter().map(|(part, weight)| weight * part.speedup.ln()).sum::<f64>() / total;
    let half = |end: fn(&Speedup) -> Option<f64>| {
        let squares = parts
            .iter()
            .map(|(part, weight)| Some((weight * (end(part)?.ln() - part.speedup.ln()) / total).powi(2)));
        squares.sum::<Option<f64>>().map(f64::sqrt)
    };
    Some(Speedup {
        speedup: centre.exp(),
        low: half(|part| part.low).map(|half| (centre - half).exp()),
        high: half(|part| part.high).map(|half| (centre + half).exp()),
        confidence,
    })
}

fn weight(name: &str, weights: &[(String, f64)]) -> f64 {
    weights.iter().rev().find(|(pattern, _)| name.contains(pattern)).map_or(1.0, |(_, weight)| *weight)
}

/// Returns the rows of the answer: every case of the side at index `side` against the first side.
pub(crate) fn rows(comparison: &Comparison, side: u32) -> Vec<JudgedCase> {
    let row = |judged: Judged<'_>| JudgedCase {
        case: judged.case.case.id.name(),
        quantity: match judged.change.quantity {
            Quantity::Typical => "typical".to_owned(),
            Quantity::Mean => "mean".to_owned(),
            Quantity::Metric(name) => name.to_string(),
        },
        unit: judged.change.unit.to_string(),
        best: judged.change.base,
        candidate: judged.change.new,
        speedup: speedup(judged.change, comparison.confidence),
        verdict: judged.verdict.token().to_owned(),
    };
    judged(comparison, side).into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }

    fn part(speedup: f64, low: f64, high: f64) -> Speedup {
        Speedup { speedup, low: Some(low), high: Some(high), confidence: 0.95 }
    }

    #[test]
    fn less_time_and_a_higher_rate_are_both_faster() {
        let change = Estimate { value: -0.2, interval: Some(Interval { lo: -0.25, hi: -0.15 }) };
        let time = of_estimate(change, Direction::Less, 0.95).unwrap();
        near(time.speedup, 1.25);
        near(time.low.unwrap(), 1.0 / 0.85);
        near(time.high.unwrap(), 1.0 / 0.75);
        let rate = of_estimate(change, Direction::More, 0.95).unwrap();
        near(rate.speedup, 0.8);
        near(rate.low.unwrap(), 0.75);
        let none = Estimate { value: -1.0, interval: None };
        assert!(of_estimate(none, Direction::Less, 0.95).is_none());
    }

    #[test]
    fn the_composite_of_opposite_changes_is_one() {
        let parts = [(part(2.0, 1.9, 2.1), 1.0), (part(0.5, 0.45, 0.55), 1.0)];
        let composite = independent(&parts, 0.95).unwrap();
        near(composite.speedup, 1.0);
        assert!(composite.low.unwrap() < 1.0 && composite.high.unwrap() > 1.0);
    }

    #[test]
    fn weights_decide_which_case_matters() {
        let parts = [(part(2.0, 1.9, 2.1), 3.0), (part(0.5, 0.45, 0.55), 1.0)];
        near(independent(&parts, 0.95).unwrap().speedup, 2.0_f64.sqrt());
        let weights = [("sort".to_owned(), 2.0), ("sort/big".to_owned(), 5.0)];
        near(weight("suite/sort/big", &weights), 5.0);
        near(weight("suite/sort/small", &weights), 2.0);
        near(weight("suite/parse", &weights), 1.0);
        assert!(independent(&[(part(1.0, 0.9, 1.1), 0.0)], 0.95).is_none());
    }

    #[test]
    fn a_case_without_an_interval_leaves_the_composite_without_one() {
        let open = Speedup { low: None, high: None, ..part(2.0, 1.0, 1.0) };
        let composite = independent(&[(open, 1.0), (part(1.0, 0.9, 1.1), 1.0)], 0.95).unwrap();
        assert_eq!((composite.low, composite.high), (None, None));
    }
}
