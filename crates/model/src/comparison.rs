//! The comparison: what analysis concludes about two or more sides of the same cases and every reporter renders. Plain
//! numbers, no formatting. Changes are ratios less one: `new / base - 1`, so that −0.02 is 2 % less.

use crate::{Case, Commit, Direction, Estimate, Failure, Interval, RunId, TimeSummary, Warning};
use serde::{Deserialize, Serialize};

/// What can be said of a change, read from its interval and the margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole interval is better than no change.
    Faster,
    /// The whole interval is worse than no change.
    Slower,
    /// The whole interval lies within the margin.
    Same,
    /// Better, but by less than the margin.
    FasterWithinMargin,
    /// Worse, but by less than the margin.
    SlowerWithinMargin,
    /// None of these: more would have to be measured.
    Unclear,
}

/// How the sides were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// In the same blocks of one run, alternated turn by turn: drift and load cancel.
    Paired,
    /// In two runs: whatever changed between them is in the difference.
    Unpaired,
}

/// One of the things compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// As shown: the variant's, the baseline's or the run's name, unique in the comparison.
    pub name: String,
    /// The run.
    pub run: RunId,
    /// The variant in that run.
    pub variant: String,
    /// Start of the run, milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Sources.
    pub commit: Option<Commit>,
    /// Runtimes, as in the run's header.
    pub runtimes: Vec<String>,
    /// The base measured against itself (`--control`): its verdicts count as false alarms, not as findings.
    pub control: bool,
}

/// Something that differs between the contexts of two sides and may by itself move times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextDifference {
    /// Index of the side that differs from the base.
    pub side: u32,
    /// What: `machine`, `runtime`, `cpu`, `governor`, `batch time`, `environment NODE_OPTIONS`, …; `machine` or `cpu` mean
    /// another machine.
    pub what: String,
    /// The base's value; empty where it has none.
    pub base: String,
    /// The side's value.
    pub new: String,
}

/// What was compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Robust time per operation.
    Typical,
    /// Processor time of the process over all iterations of all turns, collections and compilation included; all timed
    /// time where the processor's is not known.
    Amortised,
    /// A metric by name.
    Metric(String),
}

/// One quantity of one side against the base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What.
    pub quantity: Quantity,
    /// Unit of the two values: `ns`, `bytes`, …
    pub unit: String,
    /// The two values are per operation.
    #[serde(default)]
    pub per_operation: bool,
    /// Which way is better.
    pub direction: Direction,
    /// The base's value.
    pub base: f64,
    /// The side's value.
    pub new: f64,
    /// `new / base - 1` with the repeated interval; none where one side is 0 or nothing can be estimated. The point of
    /// paired measurements is their own Hodges–Lehmann estimate, not the quotient of the two values above.
    pub change: Option<Estimate>,
    /// `new - base` with its interval, in the unit of the two values, where one of them is 0 and so there is no ratio.
    #[serde(default)]
    pub difference: Option<Estimate>,
    /// The same on every turn of both sides and declared so: compared exactly, without an interval.
    pub exact: bool,
    /// Pairs (paired) or processes of the side with fewer (unpaired).
    pub replicates: u32,
    /// Two-sided nominal level at which the interval was made.
    pub level: f64,
    /// Repeated p-value of no change: honest under the stopping rule; none for exact quantities.
    pub p: Option<f64>,
    /// After Benjamini and Hochberg over the family.
    pub q: Option<f64>,
    /// After Holm over the family.
    pub holm: Option<f64>,
    /// From the interval and the margin; `faster` and `slower` need `q` below the comparison's level too.
    pub verdict: Verdict,
    /// Why a verdict is less than the interval alone would say, or cannot be given: a sentence; else empty.
    pub because: String,
    /// Pairs (or processes) in all that would probably decide it, where it is unclear.
    pub needed: Option<u32>,
    /// The change of every pair, in the order of blocks; empty for unpaired and exact ones, and where the difference is
    /// judged.
    #[serde(default)]
    pub pairs: Vec<f64>,
}

/// One side of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedSide {
    /// Index into the comparison's sides; never 0.
    pub side: u32,
    /// The verdict on the case: that on typical time, or the worse of the two where amortised time says otherwise.
    pub verdict: Verdict,
    /// Typical and amortised time say different things.
    pub split: bool,
    /// Typical time first where the case was timed, amortised second, then every other metric both sides have.
    pub changes: Vec<Change>,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedCase {
    /// What was declared.
    pub case: Case,
    /// Times of every side, in the order of sides; none where it has none.
    pub times: Vec<Option<TimeSummary>>,
    /// The sides after the base that have the case.
    pub sides: Vec<ComparedSide>,
}

/// The geometric mean of the ratios of a side over all cases that both have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeometricMean {
    /// Index into the sides.
    pub side: u32,
    /// Cases.
    pub cases: u32,
    /// Change with its interval.
    pub change: Estimate,
}

/// How often the control was called different, and how far off it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Comparisons of the base with itself.
    pub comparisons: u32,
    /// Those called faster or slower, by whatever amount: false alarms.
    pub alarms: u32,
    /// Those called faster or slower by more than the margin allows.
    pub material: u32,
    /// Largest absolute change seen, as a share.
    pub floor: f64,
    /// Half of the width of the widest interval, as a share.
    pub half_width: f64,
}

/// All that a reporter of comparisons needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of this format.
    pub format: u32,
    /// What is compared; the first is the base.
    pub sides: Vec<Side>,
    /// How.
    pub pairing: Pairing,
    /// The margin δ as a share: changes within it are of no consequence.
    pub margin: f64,
    /// Confidence of intervals, 0 to 1.
    pub confidence: f64,
    /// Wall-clock time between the starts of the oldest and the newest run, in ms.
    pub apart_ms: u64,
    /// What differs beside what is compared.
    pub context: Vec<ContextDifference>,
    /// The cases that at least two sides have, in the base's order.
    pub cases: Vec<ComparedCase>,
    /// Names of cases that only one side has, with that side's index.
    pub alone: Vec<(u32, String)>,
    /// A row per side after the base where there are several cases.
    pub geometric_means: Vec<GeometricMean>,
    /// Comparisons that `q` and Holm's values were taken over.
    pub family: u32,
    /// The control's record, with `--control`.
    pub control: Option<Control>,
    /// What failed, on any side.
    pub failures: Vec<Failure>,
    /// Doubts. `Warning::case` indexes `cases`.
    pub warnings: Vec<Warning>,
    /// What cannot be known from what was measured, in whole sentences.
    pub unknown: Vec<String>,
}

impl Comparison {
    /// Version of the JSON form.
    pub const FORMAT: u32 = 1;
}

impl ComparedSide {
    /// The change that the verdict on the case rests on; none where nothing could be compared.
    pub fn deciding(&self) -> Option<&Change> {
        self.changes.iter().find(|change| change.verdict == self.verdict).or(self.changes.first())
    }
}

impl Change {
    /// Worse for certain, and by more than `margin`: the whole interval, or the exact value, lies beyond it.
    pub fn worse_beyond(&self, margin: f64) -> bool {
        let (change, margin) = match (self.change, self.difference) {
            (Some(share), _) => (share, margin),
            (None, Some(difference)) => (difference, margin * self.base.abs()),
            (None, None) => return false,
        };
        let ends = change.interval.unwrap_or(Interval { lo: change.value, hi: change.value });
        let known = self.exact || change.interval.is_some();
        known
            && self.verdict == Verdict::Slower
            && match self.direction {
                Direction::More => ends.hi < -margin,
                _ => ends.lo > margin,
            }
    }
}

impl Verdict {
    /// `faster`, `slower`, `same`, `faster, within the margin`, …
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::FasterWithinMargin => "faster, within the margin",
            Verdict::SlowerWithinMargin => "slower, within the margin",
            Verdict::Unclear => "unclear",
        }
    }

    /// The verdict on a change whose interval is `interval` (shares, less is better), with margin `margin`. An interval
    /// that ends exactly at 0 or at the margin does not exclude it.
    pub fn of(interval: Interval, margin: f64) -> Verdict {
        let inside = interval.lo > -margin && interval.hi < margin;
        match (interval.hi < 0.0, interval.lo > 0.0) {
            (true, _) if inside => Verdict::FasterWithinMargin,
            (_, true) if inside => Verdict::SlowerWithinMargin,
            (true, _) => Verdict::Faster,
            (_, true) => Verdict::Slower,
            _ if inside => Verdict::Same,
            _ => Verdict::Unclear,
        }
    }

    /// The same where more is better.
    pub fn turned(self) -> Verdict {
        match self {
            Verdict::Faster => Verdict::Slower,
            Verdict::Slower => Verdict::Faster,
            Verdict::FasterWithinMargin => Verdict::SlowerWithinMargin,
            Verdict::SlowerWithinMargin => Verdict::FasterWithinMargin,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Estimate;

    #[test]
    fn beyond_the_margin_is_the_whole_interval() {
        let worse = |direction, lo: f64, hi: f64| {
            let estimate = Estimate { value: (lo + hi) / 2.0, interval: Some(Interval { lo, hi }) };
            let change = Change {
                quantity: Quantity::Typical,
                unit: "ns".to_string(),
                per_operation: true,
                direction,
                base: 1.0,
                new: 1.0 + estimate.value,
                change: Some(estimate),
                difference: None,
                exact: false,
                replicates: 8,
                level: 0.95,
                p: None,
                q: None,
                holm: None,
                verdict: Verdict::Slower,
                because: String::new(),
                needed: None,
                pairs: Vec::new(),
            };
            change.worse_beyond(0.01)
        };
        assert!(worse(Direction::Less, 0.011, 0.05));
        assert!(!worse(Direction::Less, 0.005, 0.05));
        assert!(worse(Direction::More, -0.05, -0.011));
        assert!(!worse(Direction::More, 0.011, 0.05));
    }

    #[test]
    fn the_verdict_is_read_from_the_interval() {
        let of = |lo: f64, hi: f64| Verdict::of(Interval { lo, hi }, 0.01);
        assert_eq!(of(-0.05, -0.002), Verdict::Faster);
        assert_eq!(of(0.002, 0.05), Verdict::Slower);
        assert_eq!(of(-0.009, 0.009), Verdict::Same);
        assert_eq!(of(-0.009, -0.001), Verdict::FasterWithinMargin);
        assert_eq!(of(0.001, 0.009), Verdict::SlowerWithinMargin);
        assert_eq!(of(-0.002, 0.02), Verdict::Unclear);
        assert_eq!(of(0.0, 0.02), Verdict::Unclear);
        assert_eq!(of(-0.01, 0.005), Verdict::Unclear);
        assert_eq!(of(0.002, 0.05).turned(), Verdict::Faster);
    }
}
