//! When to stop: whether the pairs so far decide a comparison, or the processes so far are precise enough.

use crate::change::{self, Subject};
use crate::level::Levels;
use crate::pair::Pair;
use crate::verdict;
use derny_model::{Change, Direction, Interval, Quantity, Settings, Verdict};
use derny_stats::location::by_group;

/// What the complete blocks of a case have shown of a side against the base.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// Pairs of typical time, by block.
    pub typical: Vec<Pair>,
    /// Pairs of mean time; none where there are no times.
    pub mean: Option<Vec<Pair>>,
    /// A collector ran in a turn, or nobody could tell.
    pub collected: bool,
}

/// Tells a measurement under way whether it may stop.
pub struct Stopping {
    levels: Levels,
    margin: f64,
}

impl Stopping {
    /// For a run with these settings, their margin among them.
    pub fn new(settings: &Settings) -> Stopping {
        Stopping { levels: Levels::new(settings), margin: settings.margin }
    }

    /// The verdict on a side. What is stopped at the first verdict but `Unclear` has the error rates that it claims, at any number
    /// of pairs.
    pub fn verdict(&self, evidence: &Evidence) -> Verdict {
        let mean = evidence.mean.as_ref().map(|pairs| self.change(pairs).verdict);
        verdict::both(self.change(&evidence.typical).verdict, mean, evidence.collected).0
    }

    /// The change that these pairs show, before the number of comparisons is known.
    pub fn change(&self, pairs: &[Pair]) -> Change {
        let subject = Subject {
            quantity: Quantity::Typical,
            unit: String::new(),
            per_operation: true,
            direction: Direction::Less,
            base: 1.0,
            new: 1.0,
        };
        change::paired(subject, pairs, &self.levels, self.margin).change
    }

    /// The interval of logarithms of processes' times, at the level of this look; none under three.
    pub fn of_processes(&self, logs: &[f64]) -> Option<Interval> {
        self.levels.robust(logs).interval
    }

    /// The interval of the logarithms of pairs' ratios, at the level of this look; none under three pairs, or builds where there are
    /// several.
    pub fn of_pairs(&self, pairs: &[Pair]) -> Option<Interval> {
        let (logs, builds): (Vec<f64>, Vec<(u32, u32)>) =
            pairs.iter().map(|pair| (pair.log, pair.builds)).unzip();
        self.levels.estimate(&by_group(&logs, &builds), pairs.len()).interval
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(logs: &[f64], builds: &[u32]) -> Vec<Pair> {
        let pair = |(block, (log, build)): (u32, (&f64, &u32))| Pair {
            block,
            builds: (*build, *build),
            log: *log,
            resolution: 0.0,
        };
        (0..).zip(logs.iter().zip(builds)).map(pair).collect()
    }

    fn verdict(typical: &[f64], mean: Option<&[f64]>, builds: &[u32], collected: bool) -> Verdict {
        let mean = mean.map(|logs| pairs(logs, builds));
        let stopping = Stopping::new(&Settings { margin: 0.01, ..Settings::default() });
        stopping.verdict(&Evidence { typical: pairs(typical, builds), mean, collected })
    }

    #[test]
    fn both_times_and_a_collector_are_asked() {
        let (zero, one) = ([0.0; 8], [0; 8]);
        let wild: Vec<f64> = (0..8).map(|i| 0.1 * f64::from(i - 4)).collect();
        assert_eq!(verdict(&zero, Some(&wild), &one, false), Verdict::Same);
        assert_eq!(verdict(&zero, Some(&wild), &one, true), Verdict::Unclear);
        assert_eq!(verdict(&[], None, &[], false), Verdict::Unclear);
    }

    #[test]
    fn builds_are_what_is_repeated() {
        // Eight of two say nothing, of eight as much as pairs.
        let (clear, eight) = ([0.05; 8], [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(verdict(&clear, None, &eight, false), Verdict::Worse);
        assert_eq!(verdict(&clear, None, &[0, 1, 0, 1, 0, 1, 0, 1], false), Verdict::Unclear);
        let stopping = Stopping::new(&Settings::default());
        let logs: Vec<f64> = (0..8).map(|k| if k % 4 == 0 { 0.05 } else { 0.01 }).collect();
        let width = |builds: &[u32]| stopping.of_pairs(&pairs(&logs, builds)).map(|i| i.hi - i.lo).unwrap();
        assert!(width(&[0, 1, 2, 3, 0, 1, 2, 3]) > width(&eight), "four values tell less than eight");
    }
}
