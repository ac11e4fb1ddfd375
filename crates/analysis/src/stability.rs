//! Checks whether repeated runs agree as well as their intervals claim.

use derny_model::{CaseId, Document, Interval, StabilityRow};
use derny_stats::location::mean;

/// p-value below which intervals are reported as too narrow. The p-value is the probability that valid
/// intervals miss the mean of all runs at least this often. Each run contributes to that mean, which makes
/// the test slightly conservative.
const DOUBT: f64 = 0.01;

/// Returns a row for each case and variant of the first run that at least one other run measured, in the
/// order of the first run.
pub fn stability(runs: &[Document]) -> Vec<StabilityRow> {
    let Some(first) = runs.first() else { return Vec::new() };
    let mut rows = Vec::new();
    for case in first.cases() {
        for variant in &case.variants {
            let seen: Vec<(f64, Option<Interval>)> =
                runs.iter().filter_map(|run| find(run, &case.case.id, &variant.variant)).collect();
            let name = if first.run.variants.len() > 1 { variant.variant.clone() } else { String::new() };
            rows.extend(row(&case.case.id, name, &seen, first.run.settings.confidence));
        }
    }
    rows
}

fn find(run: &Document, id: &CaseId, variant: &str) -> Option<(f64, Option<Interval>)> {
    let case = run.cases().find(|case| case.case.id == *id)?;
    let time = case.variants.iter().find(|other| other.variant == variant)?.time.as_ref()?;
    Some((time.typical.value, time.typical.interval))
}

fn row(
    id: &CaseId,
    variant: String,
    seen: &[(f64, Option<Interval>)],
    confidence: f64,
) -> Option<StabilityRow> {
    let values: Vec<f64> = seen.iter().map(|(value, _)| *value).collect();
    let center = mean(&values);
    if values.len() < 2 || !center.is_finite() || center <= 0.0 {
        return None;
    }
    let squares: f64 = values.iter().map(|value| (value - center) * (value - center)).sum();
    let deviation = (squares / (values.len() as f64 - 1.0)).sqrt();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let intervals: Vec<Interval> = seen.iter().filter_map(|(_, interval)| *interval).collect();
    let halves: Vec<f64> = intervals.iter().map(|interval| (interval.hi - interval.lo) / 2.0).collect();
    let apart = pairs(&intervals).filter(|(a, b)| a.hi < b.lo || b.hi < a.lo).count() as u32;
    let covering = intervals.iter().filter(|i| i.lo <= center && center <= i.hi).count() as u32;
    Some(StabilityRow {
        case: id.clone(),
        variant,
        runs: values.len() as u32,
        mean_ns: center,
        deviation: deviation / center,
        range: (most - least) / center,
        claimed: (!halves.is_empty()).then(|| mean(&halves) / center),
        intervals: intervals.len() as u32,
        covering,
        apart,
        narrow: tail(covering, intervals.len() as u32, confidence) < DOUBT,
    })
}

fn pairs(intervals: &[Interval]) -> impl Iterator<Item = (&Interval, &Interval)> {
    intervals.iter().enumerate().flat_map(|(i, a)| intervals[i + 1..].iter().map(move |b| (a, b)))
}

fn tail(hits: u32, n: u32, p: f64) -> f64 {
    let mut term = (1.0 - p).powi(n as i32);
    let mut total = term;
    for k in 0..hits {
        term *= f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p);
        total += term;
    }
    if n == 0 { 1.0 } else { total }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_stats::Rng;

    fn id() -> CaseId {
        CaseId { suite: "s".to_string(), benchmark: "b".to_string(), params: Vec::new() }
    }

    fn series(runs: usize, scatter: f64, half: f64, seed: u64) -> StabilityRow {
        let mut rng = Rng::new(seed);
        let seen: Vec<(f64, Option<Interval>)> = (0..runs)
            .map(|_| 100.0 + scatter * rng.normal())
            .map(|value| (value, Some(Interval { lo: value - half, hi: value + half })))
            .collect();
        row(&id(), String::new(), &seen, 0.95).unwrap()
    }

    #[test]
    fn honest_intervals_are_left_alone_and_narrow_ones_found() {
        for runs in [3, 5, 10, 20] {
            let narrow = |half: f64| (0..200).filter(|seed| series(runs, 1.0, half, *seed).narrow).count();
            assert!(narrow(1.96) <= 4, "{runs} runs: {} of 200 honest series doubted", narrow(1.96));
            assert!(narrow(0.15) > 120, "{runs} runs: {} of 200 narrow series found", narrow(0.15));
        }
    }

    #[test]
    fn spread_is_told_as_shares() {
        let seen: Vec<(f64, Option<Interval>)> =
            [99.0, 100.0, 101.0].map(|v| (v, Some(Interval { lo: v - 0.4, hi: v + 0.4 }))).to_vec();
        let row = row(&id(), String::new(), &seen, 0.95).unwrap();
        assert_eq!((row.runs, row.apart, row.covering, row.mean_ns), (3, 3, 1, 100.0));
        assert!((row.deviation - 0.01).abs() < 1e-12 && (row.range - 0.02).abs() < 1e-12);
        assert!(row.narrow, "one of three covers, no two touch");
    }

    #[test]
    fn one_run_has_no_stability() {
        assert_eq!(row(&id(), String::new(), &[(1.0, None)], 0.95), None);
        let bare = row(&id(), String::new(), &[(1.0, None), (1.1, None)], 0.95).unwrap();
        assert_eq!((bare.intervals, bare.claimed, bare.narrow), (0, None, false));
    }

    #[test]
    fn the_tail_of_a_binomial() {
        assert!((tail(1, 3, 0.5) - 0.5).abs() < 1e-12);
        assert!((tail(3, 3, 0.95) - 1.0).abs() < 1e-12);
        assert!((tail(0, 2, 0.95) - 0.0025).abs() < 1e-12);
    }
}
