//! Detects when a process has come to rest. Four observations show it:
//! - its times no longer fall;
//! - its runtime has finished compiling;
//! - it touches no new memory;
//! - its collections no longer become rarer.

use crate::measure::turn::TurnSummary;
use derny_stats::steady;

/// Largest share of the time that first touches may take in a warm process.
const TOUCHING: f64 = 0.005;
/// Cost of the first touch of a page in ns, if it was not measured.
const FIRST_TOUCH_NS: f64 = 250.0;
/// Size of a page in bytes.
const PAGE_BYTES: f64 = 4096.0;
/// Number of collections in a warm-up that the harness's own garbage may cause.
const OWN_COLLECTIONS: f64 = 2.0;
/// Minimum share of the time that rarer collections must save, and minimum relative decrease of their
/// number.
const COLLECTING: (f64, f64) = (0.01, 0.1);

/// The results of the warm-up turns of a process.
#[derive(Debug, Clone, Default)]
pub struct Warmth {
    values: Vec<f64>,
    turns: Vec<WarmTurn>,
}

#[derive(Debug, Clone, Copy)]
struct WarmTurn {
    timed_ns: f64,
    operations: f64,
    touched_ns: f64,
    /// Time that the first touch of all allocated memory would take in ns. `None` if bytes are not counted.
    allocated_ns: Option<f64>,
    allocated: Option<f64>,
    collections: Option<f64>,
    collecting_ns: Option<f64>,
    unquiet: bool,
}

impl Warmth {
    /// Adds a warm-up turn. `first_touch_ns` is the cost of the first touch of a page.
    pub fn add(&mut self, summary: &TurnSummary, first_touch_ns: f64) {
        if summary.pending {
            // The times of code that will soon be replaced are steady, but do not predict later times.
            self.values.clear();
        } else {
            self.values.extend(&summary.parts);
        }
        let page_ns = if first_touch_ns > 0.0 { first_touch_ns } else { FIRST_TOUCH_NS };
        self.turns.push(WarmTurn {
            allocated_ns: summary.allocated.map(|bytes| bytes / PAGE_BYTES * page_ns),
            allocated: summary.allocated,
            timed_ns: summary.timed_ns,
            operations: summary.operations,
            touched_ns: summary.touched * first_touch_ns,
            collections: summary.collections,
            collecting_ns: summary.collecting_ns,
            unquiet: summary.unquiet,
        });
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if the times no longer fall.
    pub fn is_level(&self) -> bool {
        steady::is_warm(&self.values)
    }

    /// Returns true if no code was compiled and no class was loaded in the last quarter of the warm-up. The
    /// times of the last half may be steady while the compiler still works on code that will change them.
    pub fn is_quiet(&self) -> bool {
        !self.last_quarter().iter().any(|turn| turn.unquiet)
    }

    /// Returns true if the process still touches new memory, at a significant cost.
    pub fn is_touching(&self) -> bool {
        let turns = self.last_quarter();
        let sum = |value: fn(&WarmTurn) -> f64| turns.iter().map(value).sum::<f64>();
        sum(|turn| turn.touched_ns) > TOUCHING * sum(|turn| turn.timed_ns)
    }

    /// Returns true if the body allocates, so that its memory or its collector may not have come to
    /// rest. If the harness counts allocated bytes, the time for the first touch of their pages
    /// decides. If it counts collections, those that the harness did not cause decide. First touches
    /// decide only if neither is counted: a body that writes to existing memory also touches pages, and
    /// so does compiled code.
    pub fn allocates(&self) -> bool {
        let collect = |turns: &[WarmTurn]| {
            let collections = turns.iter().map(|turn| turn.collections).sum::<Option<f64>>();
            collections.map(|collections| collections > OWN_COLLECTIONS)
        };
        let newest = self.last_quarter();
        if let Some(allocated_ns) = newest.iter().map(|turn| turn.allocated_ns).sum::<Option<f64>>() {
            let timed_ns = newest.iter().map(|turn| turn.timed_ns).sum::<f64>();
            return allocated_ns > TOUCHING * timed_ns || collect(newest).unwrap_or(false);
        }
        collect(&self.turns).unwrap_or_else(|| self.is_touching())
    }

    /// Returns true if counts show that the body leaves nothing to collect: no significant allocation, and no
    /// collection.
    pub fn is_clean(&self) -> bool {
        let collections = self.turns.iter().map(|turn| turn.collections).sum::<Option<f64>>();
        !self.turns.is_empty() && collections == Some(0.0) && !self.allocates()
    }

    /// Returns the bytes that the body allocates per ns of its time, according to its last turns. `None` if
    /// bytes are not counted.
    pub fn bytes_per_ns(&self) -> Option<f64> {
        let newest = self.last_quarter();
        let bytes = newest.iter().map(|turn| turn.allocated).sum::<Option<f64>>()?;
        Some(bytes / newest.iter().map(|turn| turn.timed_ns).sum::<f64>().max(1.0))
    }

    /// Returns true if collections become rarer, as happens while a young generation grows. The last
    /// quarter must have fewer collections than the one before. The difference must exceed chance, and
    /// save enough time.
    pub fn is_collecting_less(&self) -> bool {
        let newer = self.last_quarter();
        let before = &self.turns[..self.turns.len() - newer.len()];
        let older = &before[before.len() - before.len().min(newer.len())..];
        let sum = |turns: &[WarmTurn], value: fn(&WarmTurn) -> f64| turns.iter().map(value).sum::<f64>();
        let collections = |turn: &WarmTurn| turn.collections.unwrap_or(0.0);
        let (then, now) = (sum(older, collections), sum(newer, collections));
        let expected = then / sum(older, |turn| turn.operations) * sum(newer, |turn| turn.operations);
        if !(expected - now > 2.0 * expected.sqrt() && now < (1.0 - COLLECTING.1) * expected) {
            return false;
        }
        let each: Option<f64> =
            older.iter().map(|turn| turn.collecting_ns).sum::<Option<f64>>().map(|ns| ns / then);
        each.is_none_or(|each| (expected - now) * each > COLLECTING.0 * sum(newer, |turn| turn.timed_ns))
    }

    fn last_quarter(&self) -> &[WarmTurn] {
        &self.turns[self.turns.len() - self.turns.len().div_ceil(4)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(touched: f64, collections: f64) -> TurnSummary {
        let (timed_ns, operations) = (20e6, 2000.0);
        let (collections, collecting_ns) = (Some(collections), Some(collections * 300e3));
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
    fn only_counts_show_that_nothing_is_to_be_collected() {
        assert!(warmth([0.0; 4].map(|pages| turn(pages, 0.0))).is_clean());
        assert!(!warmth([turn(0.0, 0.0), turn(0.0, 1.0), turn(0.0, 0.0)]).is_clean());
        let bytes = |allocated| TurnSummary { allocated: Some(allocated), ..turn(0.0, 0.0) };
        assert!(warmth([64.0; 4].map(bytes)).is_clean());
        assert!(!warmth([64e6; 4].map(bytes)).is_clean(), "its first collection is to come");
        let uncounted = || TurnSummary { collections: None, ..turn(0.0, 0.0) };
        assert!(!warmth((0..4).map(|_| uncounted())).is_clean() && !warmth([]).is_clean());
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
        // 1,000 pages at 2 µs are a tenth of 20 ms. 40 pages are 0.4 %.
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
        // The number of collections halves from one quarter to the next.
        assert!(of(&[32.0, 32.0, 32.0, 32.0, 32.0, 32.0, 16.0, 16.0]).is_collecting_less());
        assert!(!of(&[32.0, 16.0, 16.0, 16.0, 16.0, 15.0, 16.0, 15.0]).is_collecting_less());
        // One collection in several turns may be chance.
        assert!(!of(&[1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]).is_collecting_less());
    }

    #[test]
    fn what_allocates_is_decided_by_what_is_counted() {
        let of = |counts: &[f64]| warmth(counts.iter().map(|count| turn(1000.0, *count)));
        // The harness may have caused two collections. First touches are then ignored. A warm-up may
        // have a single turn.
        assert!(!of(&[1.0, 0.0, 1.0, 0.0]).allocates() && of(&[1.0, 1.0, 1.0, 0.0]).allocates());
        assert!(!of(&[1.0]).allocates() && of(&[18.0]).allocates());
        // 40 pages at 2 µs are 0.4 % of 20 ms, and 60 are 0.6 %. Allocations before code was compiled
        // do not count.
        let bytes = |pages: [f64; 4]| {
            let allocated = |pages| TurnSummary { allocated: Some(pages * 4096.0), ..turn(1000.0, 0.0) };
            warmth(pages.map(allocated)).allocates()
        };
        assert!(!bytes([40.0; 4]) && bytes([60.0; 4]) && !bytes([1000.0, 1000.0, 1000.0, 0.0]));
        // Other threads may allocate too, which their collections show.
        let others = TurnSummary { allocated: Some(0.0), ..turn(0.0, 3.0) };
        assert!(warmth([(); 4].map(|()| others.clone())).allocates());
        // The harness counts neither bytes nor collections.
        let untold = |pages| TurnSummary { collections: None, collecting_ns: None, ..turn(pages, 0.0) };
        assert!(warmth([1000.0; 4].map(untold)).allocates() && !warmth([40.0; 4].map(untold)).allocates());
    }

    #[test]
    fn collections_that_cost_nothing_are_not_waited_for() {
        let cheap = |count: f64| TurnSummary { collecting_ns: Some(count * 1e3), ..turn(0.0, count) };
        assert!(!warmth([32.0, 32.0, 16.0, 16.0].map(cheap)).is_collecting_less());
        let untold = |count: f64| TurnSummary { collecting_ns: None, ..turn(0.0, count) };
        assert!(warmth([64.0, 64.0, 64.0, 64.0, 64.0, 64.0, 16.0, 16.0].map(untold)).is_collecting_less());
    }
}
