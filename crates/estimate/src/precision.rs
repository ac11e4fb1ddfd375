//! The precision reached so far, and the cost of a requested one. Runs with a requested precision stop by
//! these rules.

use crate::level::Levels;
use crate::pair::Pair;
use crate::paired;
use derny_model::Interval;
use derny_stats::gamma;

/// Confidence level of the one-sided interval of the spread. The run continues if the lower end would
/// suffice.
const BENEFIT_OF_DOUBT: f64 = 0.8;

/// Returns the interval of the logarithms of processes' times, at the level of this look. `None` for fewer
/// than three processes.
pub fn of_processes(logs: &[f64], levels: &Levels) -> Option<Interval> {
    levels.robust(logs).interval
}

/// Returns the interval of the logarithms of pairs' ratios, at the level of this look. `None` for fewer than
/// three pairs, machines or builds.
pub fn of_pairs(pairs: &[Pair], levels: &Levels) -> Option<Interval> {
    let pairs: Vec<&Pair> = pairs.iter().collect();
    paired::nominal(&pairs, levels.alpha(pairs.len()), levels, 0.0, false)?.estimate.interval
}

/// Returns the half-width of the interval that `count` processes would have if their spread stayed the same.
/// Computes it from `count` quantiles of the logarithms. Returns `None` if there would be no interval.
pub fn predicted(logs: &[f64], count: u32, levels: &Levels) -> Option<f64> {
    let mut sorted: Vec<f64> = logs.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (n, count) = (sorted.len(), count as usize);
    let quantiles: Vec<f64> = (0..count).map(|i| sorted[(2 * i + 1) * n / (2 * count)]).collect();
    of_processes(&quantiles, levels).map(|interval| (interval.hi - interval.lo) / 2.0)
}

/// Returns the total number of processes that the precision needs if the spread stays the same. Beyond the
/// planned maximum, the interval is assumed to shrink with the square root of the number. Returns `None` if
/// nothing can be predicted.
pub fn needed(logs: &[f64], precision: f64, levels: &Levels) -> Option<u32> {
    let most = (levels.most() as u32).max(logs.len() as u32);
    let mut count = logs.len() as u32;
    loop {
        let half = predicted(logs, count, levels)?;
        if half <= precision {
            return Some(count);
        }
        if count == most {
            let ratio = half / precision;
            return Some((f64::from(most) * ratio * ratio).ceil().min(f64::from(u32::MAX)) as u32);
        }
        count = (count + (count / 10).max(1)).min(most);
    }
}

/// Returns true if one of these numbers of processes is likely to reach the precision. The spread so far may
/// be larger than usual by chance. The rule therefore assumes the lower end of a one-sided 80 % interval for
/// the variance of normal values.
///
/// The rule uses only the spread, and only at planned looks, so intervals stay valid.
pub fn is_within_reach(logs: &[f64], precision: f64, counts: &[u32], levels: &Levels) -> bool {
    let freedom = logs.len() as f64 - 1.0;
    let excess = (freedom / (2.0 * gamma::quantile(BENEFIT_OF_DOUBT, freedom / 2.0))).sqrt();
    let may_reach =
        |count: &u32| predicted(logs, *count, levels).is_none_or(|half| half * excess <= precision);
    counts.iter().any(may_reach)
}

/// Returns true if one of these numbers of processes narrows the interval enough to justify its cost.
/// Narrowing it by a factor of `r` justifies up to `r²` times as many processes, which is the rate for
/// independent values. Narrowing it beyond `precision` has no value.
///
/// This ends cases whose processes fall into two groups, fast and slow. Their interval is as wide as the gap
/// between the groups, and only many more processes would narrow it.
pub fn is_worth_it(logs: &[f64], precision: f64, counts: &[u32], levels: &Levels) -> bool {
    let now = predicted(logs, logs.len() as u32, levels);
    let pays = |count: &u32| {
        let narrowed = now.zip(predicted(logs, *count, levels)).map(|(now, then)| now / then.max(precision));
        narrowed.is_none_or(|times| times * times >= f64::from(*count) / logs.len() as f64)
    };
    counts.iter().any(pays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_stats::Rng;

    const LOOKS: [u32; 6] = [8, 11, 15, 21, 29, 40];
    const PRECISION: f64 = 0.01;
    const RUNS: u64 = 200;

    fn levels() -> Levels {
        Levels::at(40, 0.95)
    }

    fn two_speeds(rng: &mut Rng, apart: f64) -> f64 {
        0.001 * rng.normal() + if rng.below(3) == 0 { apart } else { 0.0 }
    }

    /// Returns true if a run that never gives up reaches the precision at one of these looks. Also returns
    /// the prediction after eight processes.
    fn truth_and_belief(values: &[f64], looks: &[u32], levels: &Levels) -> (bool, bool) {
        let half = |count: u32| {
            let interval = of_processes(&values[..count as usize], levels).unwrap();
            (interval.hi - interval.lo) / 2.0
        };
        let reaches = looks.iter().any(|look| half(*look) <= PRECISION);
        (reaches, is_within_reach(&values[..8], PRECISION, looks, levels))
    }

    fn shares(looks: &[u32], mut draw: impl FnMut(&mut Rng) -> f64) -> (f64, f64) {
        let (levels, mut rng) = (levels(), Rng::new(7));
        let (mut reaching, mut believed) = (0, 0);
        for _ in 0..RUNS {
            let values: Vec<f64> = (0..40).map(|_| draw(&mut rng)).collect();
            let (truth, belief) = truth_and_belief(&values, looks, &levels);
            (reaching, believed) = (reaching + u32::from(truth), believed + u32::from(belief));
        }
        (f64::from(reaching) / RUNS as f64, f64::from(believed) / RUNS as f64)
    }

    #[test]
    fn as_many_processes_as_there_are_have_the_interval_that_they_have() {
        let (levels, mut rng) = (levels(), Rng::new(1));
        let logs: Vec<f64> = (0..11).map(|_| rng.normal()).collect();
        let now = of_processes(&logs, &levels).unwrap();
        assert_eq!(predicted(&logs, 11, &levels), Some((now.hi - now.lo) / 2.0));
        assert_eq!(predicted(&logs[..2], 2, &levels), None);
    }

    #[test]
    fn a_prediction_is_what_so_many_processes_show() {
        let levels = levels();
        for (name, tolerance, draw) in [
            ("normal", 0.12, (|rng: &mut Rng| 0.02 * rng.normal()) as fn(&mut Rng) -> f64),
            // Fifteen processes may contain few with the rarer speed.
            ("two speeds", 0.25, |rng| two_speeds(rng, 0.024)),
        ] {
            let mut rng = Rng::new(3);
            let (mut before, mut after) = (0.0, 0.0);
            for _ in 0..RUNS {
                let values: Vec<f64> = (0..40).map(|_| draw(&mut rng)).collect();
                before += predicted(&values[..15], 40, &levels).unwrap();
                after += predicted(&values, 40, &levels).unwrap();
            }
            assert!((before / after - 1.0).abs() < tolerance, "{name}: {before} {after}");
        }
    }

    #[test]
    fn the_number_that_is_needed_goes_with_the_square_of_the_precision() {
        let levels = levels();
        let logs: Vec<f64> = (0..15).map(|i| 0.02 * f64::from(i - 7) / 4.0).collect();
        let of = |precision: f64| f64::from(needed(&logs, precision, &levels).unwrap());
        assert_eq!(of(1.0), 15.0, "they have it already");
        assert!((16.0..=40.0).contains(&of(0.012)), "{}", of(0.012));
        assert!((of(0.001) / of(0.002) - 4.0).abs() < 0.05, "{} {}", of(0.001), of(0.002));
        assert!((3.0..5.5).contains(&(of(0.005) / of(0.01))), "{} {}", of(0.005), of(0.01));
        assert_eq!(needed(&[1.0, 2.0], 0.01, &levels), None);
    }

    /// Runs that would reach the precision are rarely abandoned. Runs far from it rarely continue.
    #[test]
    fn what_is_out_of_reach_is_given_up() {
        for (name, looks, spread) in [("quiet", &LOOKS[..], 0.006), ("enough time", &LOOKS[..], 0.016)] {
            let (reaching, believed) = shares(looks, |rng| spread * rng.normal());
            assert!(reaching > 0.95 && believed > 0.9, "{name}: {reaching} {believed}");
        }
        for (name, looks, spread) in [("little time", &LOOKS[..3], 0.04), ("noisy", &LOOKS[..], 0.08)] {
            let (reaching, believed) = shares(looks, |rng| spread * rng.normal());
            assert!(reaching < 0.05 && believed < 0.1, "{name}: {reaching} {believed}");
        }
        let (reaching, believed) = shares(&LOOKS, |rng| two_speeds(rng, 0.024));
        assert!(reaching > 0.95 && believed > 0.95, "{reaching} {believed}");
        // In four of ten runs, at most two of eight processes are slow and look like outliers. The next look
        // has more data.
        let (reaching, believed) = shares(&LOOKS, |rng| two_speeds(rng, 0.2));
        assert!(reaching < 0.1 && believed < 0.5, "{reaching} {believed}");
    }

    #[test]
    fn what_narrows_slowly_is_not_paid_for() {
        let levels = Levels::at(40, 0.95).by_width();
        let worth = |logs: &[f64], precision: f64| is_worth_it(logs, precision, &LOOKS[1..], &levels);
        let speeds: Vec<f64> = (0..8).map(|k| f64::from(k % 2) * 0.024).collect();
        assert!(!worth(&speeds, 0.01), "±1.2 %, whatever comes");
        let even: Vec<f64> = (0..8).map(|k| f64::from(k) * 0.006).collect();
        assert!(worth(&even, 0.01), "±1.6 %: 21 processes have half of it");
        assert!(!worth(&even, 0.015), "the next number of processes is 11");
        assert!(!is_worth_it(&even, 0.01, &[], &levels), "no number is affordable");
        assert!(worth(&even[..2], 0.01), "nothing is known");
    }

    #[test]
    fn one_wild_process_ends_nothing() {
        let mut logs = vec![0.0, 0.001, -0.001, 0.002, -0.002, 0.001, 0.0];
        logs.push(0.5);
        assert!(is_within_reach(&logs, PRECISION, &LOOKS, &levels()));
        assert!(!is_within_reach(&logs, PRECISION, &LOOKS[..1], &levels()));
        assert!(!is_within_reach(&logs, PRECISION, &[], &levels()), "no number is affordable");
    }
}
