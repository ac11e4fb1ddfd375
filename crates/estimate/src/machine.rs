//! The change that the machine may explain between two runs at different times.
//!
//! Yardsticks are kernels of the engine that are timed with every run. Every program is a different
//! mixture of work. The effect of the machine on a program is therefore assumed to lie between the changes of
//! the slowest and the fastest yardstick. Half of that range is added at both ends. Contention may have
//! slowed each run in addition ([`contention`]). All computations use log-ratios.
//!
//! Without yardsticks or history there is no limit, and therefore no verdict.
//!
//! The comparison has no p-value and belongs to no family, because all cases share the machine's change.

use crate::contention;
use crate::level::ENOUGH;
use derny_model::{
    Change, Contention, Direction, Interval, Observation, Reason, Verdict, Yardstick, YardstickChange,
};
use derny_stats::{MAD_TO_SIGMA, mad, mean, median, normal_quantile, student, variance, variance_components};

/// Minimum change attributed to the machine, as a share, because some work resembles no yardstick. Runs of
/// the same code on [`DAYS`] days can replace it with a smaller one.
pub const LEAST: f64 = 0.05;

/// Returns [`LEAST`] as a log-ratio: that of −5 %, which is farther from 0 than that of +5 %.
fn least_log() -> f64 {
    -libm::log1p(-LEAST)
}

/// Once runs of the same code cover this many days, their spread replaces [`LEAST`].
pub const DAYS: usize = 10;

/// Minimum number of runs of the same code whose spread counts.
pub const RUNS: usize = 5;

/// The change of a yardstick counts only if it exceeds this share and [`MOVED_ERRORS`] standard errors.
const MOVED: f64 = 0.01;
const MOVED_ERRORS: f64 = 3.0;

/// Standard error of the median of normal values divided by that of their mean.
const MEDIAN_ERROR: f64 = 1.2533;

const DAY_MS: i64 = 86_400_000;

/// Returns the yardstick of one reading. `passes` contains the time of each pass in ns per step. The time of
/// the yardstick is their median, and its error comes from their spread.
pub fn reading(name: &str, passes: &[f64]) -> Yardstick {
    let error_ns = MEDIAN_ERROR * MAD_TO_SIGMA * mad(passes) / (passes.len() as f64).sqrt();
    Yardstick { name: name.to_owned(), time_ns: median(passes), error_ns }
}

/// Returns the yardsticks of a run: geometric means of the readings before, between and after waves. Errors
/// combine the error of each reading with the spread between readings.
pub fn of_run(observations: &[Observation]) -> Vec<Yardstick> {
    let readings = || observations.iter().flat_map(|seen| &seen.yardsticks).filter(|one| one.time_ns > 0.0);
    let mut names: Vec<&str> = Vec::new();
    for one in readings() {
        if !names.contains(&one.name.as_str()) {
            names.push(&one.name);
        }
    }
    let of = |name: &str| {
        let own: Vec<&Yardstick> = readings().filter(|one| one.name == name).collect();
        let logs: Vec<f64> = own.iter().map(|one| libm::log(one.time_ns)).collect();
        let count = own.len() as f64;
        let errors = own.iter().map(|one| (one.error_ns / one.time_ns).powi(2)).sum::<f64>();
        let apart = if own.len() > 1 { variance(&logs) / count } else { 0.0 };
        let time_ns = libm::exp(mean(&logs));
        let error_ns = time_ns * (errors / (count * count) + apart).sqrt();
        Yardstick { name: name.to_owned(), time_ns, error_ns }
    };
    names.into_iter().map(of).collect()
}

/// Returns the change of each yardstick that both runs have.
pub fn changes(base: &[Yardstick], new: &[Yardstick]) -> Vec<YardstickChange> {
    logs(base, new)
        .into_iter()
        .map(|(name, log, error)| YardstickChange {
            name: name.to_owned(),
            change: libm::expm1(log),
            error,
            moved: libm::expm1(log).abs() > MOVED && log.abs() > MOVED_ERRORS * error,
        })
        .collect()
}

fn logs<'a>(base: &'a [Yardstick], new: &[Yardstick]) -> Vec<(&'a str, f64, f64)> {
    let share = |one: &Yardstick| one.error_ns / one.time_ns;
    let pair = |base: &'a Yardstick| {
        let new = new.iter().find(|new| new.name == base.name)?;
        let log = libm::log(new.time_ns / base.time_ns);
        Some((base.name.as_str(), log, libm::hypot(share(base), share(new)))).filter(|_| log.is_finite())
    };
    base.iter().filter_map(pair).collect()
}

/// The change that the machine may explain, as a log-ratio: `middle ± half`. The middle has a standard error.
/// Contention may have slowed each run in addition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Mean of the changes of the slowest and of the fastest yardstick.
    pub middle: f64,
    /// Half-width of the drift, which equals the distance between these two changes. Half of it covers them,
    /// and the rest is tolerance.
    pub half: f64,
    /// Standard error of the middle.
    pub error: f64,
    /// Logarithm of the slowdown by contention that is possible in the base's run and in the other.
    pub slower: [f64; 2],
}

impl Drift {
    /// The drift of an unchanged machine.
    pub const NONE: Drift = Drift { middle: 0.0, half: 0.0, error: 0.0, slower: [0.0; 2] };

    /// Returns the drift between two runs with these yardsticks, or `None` if they have none in common.
    pub fn between(base: &[Yardstick], new: &[Yardstick]) -> Option<Drift> {
        let logs = logs(base, new);
        let by = |a: &&(&str, f64, f64), b: &&(&str, f64, f64)| a.1.total_cmp(&b.1);
        let (lo, hi) = (logs.iter().min_by(by)?, logs.iter().max_by(by)?);
        let middle = (lo.1 + hi.1) / 2.0;
        Some(Drift { middle, half: hi.1 - lo.1, error: libm::hypot(lo.2, hi.2) / 2.0, ..Drift::NONE })
    }

    /// Adds the contention of both runs. That of the base is the first.
    #[must_use]
    pub fn beside(self, contention: [&Contention; 2]) -> Drift {
        Drift { slower: contention.map(contention::slowdown), ..self }
    }

    /// Returns the drift for a quantity with this unit. Rates fall when times rise. Quantities other than
    /// times and rates do not follow yardsticks.
    #[must_use]
    pub fn of_unit(self, unit: &str) -> Drift {
        match unit {
            "ns" | "us" | "µs" | "ms" | "s" => self,
            _ if unit.ends_with("/s") => {
                let [base, new] = self.slower;
                Drift { middle: -self.middle, slower: [new, base], ..self }
            }
            _ => Drift::NONE,
        }
    }

    /// Increases the half-width to at least `half`.
    #[must_use]
    pub fn at_least(self, half: f64) -> Drift {
        Drift { half: self.half.max(half), ..self }
    }

    /// Returns the range that the machine may explain, as shares.
    pub fn range(&self, alpha: f64) -> Interval {
        let [below, above] = self.reach(0.0, alpha);
        Interval { lo: libm::expm1(self.middle - below), hi: libm::expm1(self.middle + above) }
    }

    /// Returns the part of the log-ratio `log` that is due to the program. `own` is the half-width of the
    /// change's own interval. Errors are combined in quadrature.
    pub fn rest(&self, log: f64, own: f64, alpha: f64) -> Interval {
        let [below, above] = self.reach(own, alpha);
        Interval { lo: log - self.middle - above, hi: log - self.middle + below }
    }

    /// Returns the distance from the middle to the lower and upper end of the drift. If contention slowed the
    /// base's run, the other run looks faster.
    fn reach(&self, own: f64, alpha: f64) -> [f64; 2] {
        let error = libm::hypot(normal_quantile(1.0 - alpha / 2.0) * self.error, own);
        self.slower.map(|slower| libm::hypot(self.half + slower, error))
    }
}

/// Change of the machine between two runs, if known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Between {
    /// The runs were measured on different machines.
    Elsewhere,
    /// Nothing limits the change: a run has no yardsticks or observations, and there is no history.
    Unknown,
    /// The machine may have changed by this drift.
    Known(Drift),
}

/// Two runs at different times.
#[derive(Debug, Clone, Copy)]
pub struct Apart {
    /// The change that the machine may explain.
    pub between: Between,
    /// Half-width of the change's interval, computed from the processes of both runs. `None` without an
    /// interval.
    own: Option<f64>,
    /// Error of the interval, 1 minus its confidence.
    pub alpha: f64,
    /// Margin of the verdict, as a fraction of the base: .05 is 5 %.
    pub margin: f64,
    /// Number of processes of the run that has fewer.
    pub processes: u32,
}

impl Apart {
    /// Creates the comparison of two runs. `own` is the half-width of the change's interval. `processes` is
    /// the number of processes of the run with fewer.
    pub fn new(between: Between, own: Option<f64>, processes: u32, alpha: f64, margin: f64) -> Apart {
        Apart { between, own: own.filter(|_| processes as usize >= ENOUGH), alpha, margin, processes }
    }

    /// Returns the drift and the half-width of the change's own interval. Returns `None` if either is
    /// unknown.
    pub fn known(&self) -> Option<(Drift, f64)> {
        match self.between {
            Between::Known(drift) => Some((drift, self.own?)),
            Between::Elsewhere | Between::Unknown => None,
        }
    }

    pub(crate) fn conclude(&self, change: &mut Change) {
        let (reason, because) = match (self.between, self.own) {
            (Between::Elsewhere, _) => (Reason::Machine, "measured on another machine".to_owned()),
            (Between::Unknown, _) => (Reason::NotTogether, UNKNOWN.to_owned()),
            (Between::Known(_), None) => {
                let few = format!("not measured together; an interval needs {ENOUGH} processes per side");
                (Reason::TooFewPairs, few)
            }
            (Between::Known(drift), Some(_)) => {
                let range = drift.range(self.alpha);
                change.machine = Some(range);
                let account = format!("not measured together; the machine may explain {}", words(range));
                (Reason::Machine, account)
            }
        };
        if change.direction == Direction::None && change.verdict == Verdict::Unclear {
            return;
        }
        change.because = because;
        if change.verdict == Verdict::Unclear {
            change.reason = Some(reason);
        }
    }
}

const UNKNOWN: &str = "not measured together, and it is unknown how the machine changed between the runs";

/// Formats a range such as `−4 to +7 %`. Small ranges have a decimal place.
pub fn words(range: Interval) -> String {
    let decimals = usize::from(range.hi.max(-range.lo) < 0.03);
    let one = |share: f64| {
        let text = format!("{:.decimals$}", 100.0 * share.abs());
        let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        format!("{}{text}", if share < 0.0 && !is_zero { "−" } else { "+" })
    };
    format!("{} to {} %", one(range.lo), one(range.hi))
}

/// An earlier run of the same code.
#[derive(Debug, Clone)]
pub struct Earlier<'a> {
    /// Start of the run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Logarithm of the run's value.
    pub log: f64,
    /// Yardsticks of the run.
    pub yardsticks: &'a [Yardstick],
    /// Unit of the value.
    pub unit: &'a str,
}

/// The minimum change attributed to the machine, as the logarithm of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Least {
    /// The change, as a logarithm.
    pub log: f64,
    /// True if runs of the same code on [`DAYS`] days determine the minimum. Their history can replace
    /// yardsticks.
    pub by_days: bool,
}

/// Returns the minimum change attributed to the machine, from earlier runs grouped by code.
///
/// A group is usable if it covers at least [`DAYS`] days and at least the time between the compared runs.
/// The minimum is then Student's interval for the difference of two days, corrected for the drift of their
/// yardsticks. Otherwise it is [`LEAST`], or the spread of at least [`RUNS`] runs if that is larger. A spread
/// over minutes can only raise the minimum.
pub fn least(groups: &[Vec<Earlier>], apart_ms: u64, alpha: f64) -> Least {
    let spread = |groups: Vec<Vec<f64>>| {
        let df = groups.iter().map(|group| group.len() - 1).sum::<usize>() as f64;
        student::quantile(1.0 - alpha / 2.0, df) * (2.0 * variance_components(&groups).within).sqrt()
    };
    let days: Vec<Vec<f64>> = groups
        .iter()
        .map(|group| by_day(group))
        .filter(|days| days.len() >= DAYS && spans(days) >= apart_ms)
        .map(|days| rests(&days))
        .collect();
    if !days.is_empty() {
        return Least { log: spread(days), by_days: true };
    }
    let all: Vec<Vec<f64>> = groups
        .iter()
        .filter(|group| group.len() >= RUNS)
        .map(|group| rests(&group.iter().collect::<Vec<_>>()))
        .collect();
    let log = if all.is_empty() { least_log() } else { spread(all).max(least_log()) };
    Least { log, by_days: false }
}

fn by_day<'a, 'b>(group: &'b [Earlier<'a>]) -> Vec<&'b Earlier<'a>> {
    let mut sorted: Vec<&Earlier> = group.iter().collect();
    sorted.sort_by_key(|run| run.started_ms);
    sorted.dedup_by_key(|run| run.started_ms.div_euclid(DAY_MS));
    sorted
}

fn spans(sorted: &[&Earlier]) -> u64 {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return 0 };
    last.started_ms.abs_diff(first.started_ms)
}

fn rests(runs: &[&Earlier]) -> Vec<f64> {
    let rest = |run: &&Earlier| {
        let drift = Drift::between(runs[0].yardsticks, run.yardsticks).unwrap_or(Drift::NONE);
        run.log - drift.of_unit(run.unit).middle
    };
    runs.iter().map(rest).collect()
}

/// Returns the shift that all cases have in common, if there is one. It is the median of at least three
/// log-ratios and exceeds 1 %. All changes must agree in direction and have at least half of its size.
pub fn common_shift(logs: &[f64]) -> Option<f64> {
    if logs.len() < 3 {
        return None;
    }
    let shift = median(logs);
    let shared = logs.iter().all(|log| log * shift.signum() >= shift.abs() / 2.0);
    (shared && libm::expm1(shift).abs() > MOVED).then_some(shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yardsticks(times: &[f64]) -> Vec<Yardstick> {
        let one = |(at, time_ns): (usize, &f64)| Yardstick {
            name: format!("y{at}"),
            time_ns: *time_ns,
            error_ns: 0.001 * time_ns,
        };
        times.iter().enumerate().map(one).collect()
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }

    #[test]
    fn a_disturbed_pass_moves_no_reading() {
        let calm = reading("integer", &[1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 1.01]);
        let disturbed = reading("integer", &[1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 50.0]);
        assert_eq!((calm.time_ns, disturbed.time_ns), (1.0, 1.0));
        close(calm.error_ns, 1.2533 * 1.482_602_218_505_602 * 0.01 / 8.0_f64.sqrt());
    }

    #[test]
    fn the_readings_of_a_run_are_one() {
        let seen = |times: &[f64]| Observation { yardsticks: yardsticks(times), ..Observation::default() };
        let run = of_run(&[seen(&[1.0, 4.0]), Observation::default(), seen(&[1.0, 4.41])]);
        // Equal readings have only their own errors. Readings that differ by log(1.1025) = 0.0976 add half of
        // that.
        close(run[0].error_ns, 0.001 / 2.0_f64.sqrt());
        close(run[1].time_ns, 4.2);
        close(run[1].error_ns, 4.2 * (0.5e-6 + 0.048_790_164_169_432 * 0.048_790_164_169_432_f64).sqrt());
        assert!(of_run(&[]).is_empty());
    }

    #[test]
    fn a_yardstick_has_moved_beyond_its_error_and_one_percent() {
        let base = yardsticks(&[1.0, 1.0, 1.0]);
        let mut new = yardsticks(&[1.009, 1.03, 1.03]);
        new[2].error_ns = 0.02;
        let moved: Vec<bool> = changes(&base, &new).iter().map(|one| one.moved).collect();
        assert_eq!(moved, [false, true, false]);
        close(changes(&base, &new)[1].change, 0.03);
        assert!(changes(&base, &[]).is_empty());
    }

    #[test]
    fn the_machine_lies_within_twice_the_range_of_its_yardsticks() {
        // The yardsticks changed by −1 to +3 %. The range is twice as wide, with the same middle.
        let at = |logs: &[f64]| yardsticks(&logs.iter().map(|log| log.exp()).collect::<Vec<_>>());
        let drift = Drift::between(&at(&[0.0; 3]), &at(&[-0.01, 0.0, 0.03])).unwrap();
        close(drift.middle, 0.01);
        close(drift.half, 0.04);
        close(drift.error, 0.001);
        // Without errors, the range is −3 to +5 %.
        let exact = Drift { error: 0.0, ..drift };
        close(exact.range(0.05).lo, (-0.03_f64).exp() - 1.0);
        close(exact.range(0.05).hi, 0.05_f64.exp() - 1.0);
        // A change of −10 % with an interval of ±3 %. The result is ±√(4² + 3²) = ±5 % around −11 %.
        let rest = exact.rest(-0.1, 0.03, 0.05);
        close(rest.lo, -0.16);
        close(rest.hi, -0.06);
        // The error of the middle is added: √(4² + (1.96 · 1)²).
        let known = Drift { error: 0.01, ..drift }.rest(0.0, 0.0, 0.05);
        close(known.hi + 0.01, (0.04_f64 * 0.04 + 0.019_599_639_845_4 * 0.019_599_639_845_4).sqrt());
        // If all yardsticks move alike, the range is the minimum around their change.
        let alike = Drift::between(&at(&[0.0; 3]), &at(&[0.03; 3])).unwrap().at_least(least_log());
        close(alike.middle, 0.03);
        close(alike.half, -0.95_f64.ln());
        assert_eq!(Drift::between(&at(&[0.0]), &[]), None);
    }

    #[test]
    fn a_range_is_told_in_percent() {
        let of = |lo, hi| words(Interval { lo, hi });
        assert_eq!(of(-0.04, 0.07), "−4 to +7 %");
        assert_eq!(of(0.028, 0.134), "+3 to +13 %");
        assert_eq!(of(-0.0123, 0.0), "−1.2 to +0.0 %");
        assert_eq!(of(-0.001, 0.2), "+0 to +20 %");
    }

    #[test]
    fn a_rate_falls_where_times_rise() {
        let drift = Drift { middle: 0.03, half: 0.02, error: 0.001, slower: [0.1, 0.2] };
        assert_eq!(drift.of_unit("ns"), drift);
        assert_eq!(drift.of_unit("requests/s"), Drift { middle: -0.03, slower: [0.2, 0.1], ..drift });
        assert_eq!(drift.of_unit("bytes"), Drift::NONE);
    }

    #[test]
    fn others_make_the_run_slower_that_they_disturb() {
        let contention = |others| Contention { steal: 0.0, others, load: None };
        let [quiet, busy] = [contention(0.0), contention(0.5)];
        let drift = Drift { half: 0.05, ..Drift::NONE };
        // Load can double the time of a run, but never shorten it.
        let range = drift.beside([&quiet, &busy]).range(0.05);
        close(range.lo, (-0.05_f64).exp() - 1.0);
        close(range.hi, 2.0 * 0.05_f64.exp() - 1.0);
        let rest = |log: f64, sides: [&Contention; 2]| drift.beside(sides).rest(log, 0.0, 0.05);
        assert!(rest(2.0_f64.ln(), [&quiet, &busy]).lo < 0.0, "twice as slow is the load's");
        assert!(rest(-0.5, [&quiet, &busy]).hi < 0.0, "faster in spite of the load is the program's");
        assert!(
            rest(-(2.0_f64.ln()), [&busy, &quiet]).hi > 0.0,
            "half the time beside a busy base is the load's"
        );
        assert!(rest(1.0, [&busy, &quiet]).lo > 0.0);
    }

    #[test]
    fn without_six_processes_or_a_known_machine_there_is_no_interval() {
        let of =
            |between, processes| Apart::new(between, Some(0.01), processes, 0.05, 0.01).known().is_some();
        assert!(of(Between::Known(Drift::NONE), 6));
        assert!(!of(Between::Known(Drift::NONE), 5));
        assert!(!of(Between::Unknown, 40) && !of(Between::Elsewhere, 40));
    }

    fn runs(all: &[(f64, f64)]) -> Vec<Earlier<'static>> {
        let run = |&(day, log): &(f64, f64)| Earlier {
            started_ms: (day * DAY_MS as f64) as i64,
            log,
            yardsticks: &[],
            unit: "ns",
        };
        all.iter().map(run).collect()
    }

    #[test]
    fn history_counts_for_the_distances_that_it_spans() {
        let none = least_log();
        let days = |count: u64| count * DAY_MS as u64;
        let alternating = |at: usize| if at.is_multiple_of(2) { 0.01 } else { -0.01 };
        let daily: Vec<(f64, f64)> = (0..10).map(|at| (at as f64, alternating(at))).collect();
        // The variance is 10 · 0.01² / 9 with nine degrees of freedom, so t = 2.262157.
        let known = 2.262_157_162_8 * (2.0 * 1e-3 / 9.0_f64).sqrt();
        close(least(&[runs(&daily)], days(9), 0.05).log, known);
        // The history must cover ten days, and at least the time between the runs.
        close(least(&[runs(&daily)], days(10), 0.05).log, none);
        close(least(&[runs(&daily[1..])], days(1), 0.05).log, none);
        // All runs of one day count as one.
        let twice: Vec<(f64, f64)> =
            (0..40).map(|at| (f64::from(at / 20) + 0.01 * f64::from(at % 20), 0.0)).collect();
        close(least(&[runs(&twice)], 0, 0.05).log, none);
        // A spread over minutes never narrows the range, but can widen it. Here, five runs differ by ±10 %.
        let minutes = |by: f64| -> Vec<(f64, f64)> {
            [1.0, -1.0, 0.0, 1.0, -1.0]
                .iter()
                .zip(0..)
                .map(|(log, at)| (f64::from(at) / 1440.0, by * log))
                .collect()
        };
        close(least(&[runs(&minutes(0.001))], days(3), 0.05).log, none);
        // The variance is 0.01 with four degrees of freedom, so t = 2.776445.
        close(least(&[runs(&minutes(0.1))], days(3), 0.05).log, 2.776_445_105_2 * (0.02_f64).sqrt());
        close(least(&[runs(&minutes(0.1)[1..])], days(3), 0.05).log, none);
        close(least(&[], 0, 0.05).log, none);
        let by_days = |runs: Vec<Earlier>| least(&[runs], 0, 0.05).by_days;
        assert!(by_days(runs(&daily)) && !by_days(runs(&daily[1..])) && !by_days(runs(&minutes(0.1))));
    }

    #[test]
    fn what_yardsticks_account_for_is_no_spread_of_the_code() {
        let machine: Vec<Vec<Yardstick>> =
            (0..10).map(|day| yardsticks(&[libm::exp(0.02 * f64::from(day % 3)); 2])).collect();
        let run = |day: usize| Earlier {
            started_ms: day as i64 * DAY_MS,
            log: 0.02 * (day % 3) as f64,
            yardsticks: &machine[day],
            unit: "ns",
        };
        let all: Vec<Earlier> = (0..10).map(run).collect();
        assert!(least(std::slice::from_ref(&all), 0, 0.05).log < 1e-9);
        let blind: Vec<Earlier> = all.into_iter().map(|run| Earlier { yardsticks: &[], ..run }).collect();
        assert!(least(&[blind], 0, 0.05).log > 0.04);
    }

    #[test]
    fn a_shift_is_common_if_all_share_it() {
        close(common_shift(&[0.03, 0.031, 0.029, 0.03]).unwrap(), 0.03);
        close(common_shift(&[-0.03, -0.05, -0.02]).unwrap(), -0.03);
        assert_eq!(common_shift(&[0.03, 0.03]), None, "two are no crowd");
        assert_eq!(common_shift(&[0.03, 0.03, 0.001, 0.03]), None);
        assert_eq!(common_shift(&[0.005, 0.006, 0.005]), None, "too small to speak of");
        assert_eq!(common_shift(&[0.03, -0.03, 0.03]), None);
    }
}
