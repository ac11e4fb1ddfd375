//! Whether a process has come to rest. Four things show it: its times no longer fall, its runtime no longer compiles and has nothing
//! left to compile, it no longer touches memory for the first time, and its collector no longer becomes rarer.

use crate::measure::turn::TurnSummary;
use derny_stats::steady;

/// Share of the time that first touches may take in a process that is warm.
const TOUCHING: f64 = 0.005;
/// A collector that still becomes rarer saves more than this share of the time, and more than this share of its collections.
const COLLECTING: (f64, f64) = (0.01, 0.1);

/// What the warm-up turns of one process have shown so far.
#[derive(Debug, Clone, Default)]
pub struct Warmth {
    /// Times of the parts of turns.
    values: Vec<f64>,
    turns: Vec<Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    timed_ns: f64,
    operations: f64,
    touched_ns: f64,
    collections: f64,
    collecting_ns: Option<f64>,
    unquiet: bool,
}

impl Warmth {
    /// Takes a warm-up turn; `first_touch_ns` is what the first touch of a page costs.
    pub fn add(&mut self, summary: &TurnSummary, first_touch_ns: f64) {
        if summary.pending {
            // Of code that will be replaced. Its times are often level, and say nothing of those to come.
            self.values.clear();
        } else {
            self.values.extend(&summary.parts);
        }
        self.turns.push(Seen {
            timed_ns: summary.timed_ns,
            operations: summary.operations,
            touched_ns: summary.touched * first_touch_ns,
            collections: summary.collections,
            collecting_ns: summary.collecting_ns,
            unquiet: summary.unquiet,
        });
    }

    /// Values so far.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Its times no longer fall.
    pub fn is_level(&self) -> bool {
        steady::is_warm(&self.values)
    }

    /// Whether its last quarter went without compilation. The times of the last half may be steady while the compiler is still at
    /// work on what will change them.
    pub fn is_quiet(&self) -> bool {
        !self.last_quarter().iter().any(|turn| turn.unquiet)
    }

    /// Memory is still touched for the first time, and that takes time worth speaking of.
    pub fn is_touching(&self) -> bool {
        let turns = self.last_quarter();
        let sum = |value: fn(&Seen) -> f64| turns.iter().map(value).sum::<f64>();
        sum(|turn| turn.touched_ns) > TOUCHING * sum(|turn| turn.timed_ns)
    }

    /// The body allocates: its memory or its collector may not have come to rest. A collection in the first turn may be due to what
    /// was allocated while the process started.
    pub fn allocates(&self) -> bool {
        self.is_touching() || self.turns.iter().skip(1).any(|turn| turn.collections > 0.0)
    }

    /// Collections become rarer, as those of a young generation that grows: fewer in the last quarter than in the one before, by
    /// more than chance, and by enough to save time.
    pub fn is_collecting_less(&self) -> bool {
        let newer = self.last_quarter();
        let before = &self.turns[..self.turns.len() - newer.len()];
        let older = &before[before.len() - before.len().min(newer.len())..];
        let sum = |turns: &[Seen], value: fn(&Seen) -> f64| turns.iter().map(value).sum::<f64>();
        let (then, now) = (sum(older, |turn| turn.collections), sum(newer, |turn| turn.collections));
        let expected = then / sum(older, |turn| turn.operations) * sum(newer, |turn| turn.operations);
        if !(expected - now > 2.0 * expected.sqrt() && now < (1.0 - COLLECTING.1) * expected) {
            return false;
        }
        let each: Option<f64> =
            older.iter().map(|turn| turn.collecting_ns).sum::<Option<f64>>().map(|ns| ns / then);
        each.is_none_or(|each| (expected - now) * each > COLLECTING.0 * sum(newer, |turn| turn.timed_ns))
    }

    fn last_quarter(&self) -> &[Seen] {
        &self.turns[self.turns.len() - self.turns.len().div_ceil(4)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(touched: f64, collections: f64) -> TurnSummary {
        let (timed_ns, operations) = (20e6, 2000.0);
        let collecting_ns = Some(collections * 300e3);
        TurnSummary { timed_ns, operations, touched, collections, collecting_ns, ..TurnSummary::default() }
    }

    fn warmth(turns: impl IntoIterator<Item = TurnSummary>) -> Warmth {
        let mut warmth = Warmth::default();
        turns.into_iter().for_each(|turn| warmth.add(&turn, 2000.0));
        warmth
    }

    #[test]
    fn nothing_is_wrong_with_what_has_not_begun() {
        let empty = Warmth::default();
        assert!(
            empty.is_quiet() && !empty.is_touching() && !empty.is_collecting_less() && !empty.allocates()
        );
        assert!(!empty.is_level());
    }

    #[test]
    fn level_times_of_code_that_will_be_replaced_say_nothing() {
        let part = |pending: bool| TurnSummary { parts: vec![16.0; 10], pending, ..turn(0.0, 0.0) };
        assert!(warmth([false; 4].map(part)).is_level());
        let waiting = warmth([false, false, false, true].map(part));
        assert!(!waiting.is_level() && waiting.len() == 0);
        assert!(warmth([true, true, false, false].map(part)).is_level());
    }

    #[test]
    fn touching_is_over_when_a_quarter_goes_without() {
        // 1,000 pages of 2 µs are a tenth of 20 ms; 40 are .4 %.
        assert!(warmth([1000.0; 8].map(|pages| turn(pages, 0.0))).is_touching());
        assert!(!warmth([40.0; 8].map(|pages| turn(pages, 0.0))).is_touching());
        let ends = |calm: usize| {
            let pages = (0..12).map(|at| if at < 12 - calm { 1000.0 } else { 0.0 });
            warmth(pages.map(|pages| turn(pages, 0.0))).is_touching()
        };
        assert_eq!([0, 2, 3, 6].map(ends), [true, true, false, false]);
    }

    #[test]
    fn a_young_generation_that_grows_is_waited_for() {
        let of = |counts: &[f64]| warmth(counts.iter().map(|count| turn(0.0, *count)));
        // Half as many from one quarter to the next.
        assert!(of(&[32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 16.0, 16.0]).is_collecting_less());
        assert!(!of(&[32.0, 16.0, 16.0, 16.0, 16.0, 15.0, 16.0, 15.0]).is_collecting_less());
        // One collection in several turns: what chance does.
        assert!(!of(&[1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]).is_collecting_less());
        assert!(of(&[0.0, 0.0, 1.0, 0.0]).allocates() && !of(&[1.0, 0.0, 0.0, 0.0]).allocates());
    }

    #[test]
    fn collections_that_cost_nothing_are_not_waited_for() {
        let cheap = |count: f64| TurnSummary { collecting_ns: Some(count * 1e3), ..turn(0.0, count) };
        assert!(!warmth([32.0, 32.0, 16.0, 16.0].map(cheap)).is_collecting_less());
        let untold = |count: f64| TurnSummary { collecting_ns: None, ..turn(0.0, count) };
        assert!(warmth([64.0, 64.0, 64.0, 64.0, 64.0, 64.0, 16.0, 16.0].map(untold)).is_collecting_less());
    }
}
