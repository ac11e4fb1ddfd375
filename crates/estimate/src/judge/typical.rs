//! Tests that typical time decides, and that mean time is needed only if a measurement requires it.

use super::*;
use crate::change::{self, Subject};
use crate::look::Taken;
use crate::pair::Replicate;
use crate::turn;
use derny_model::{Case, CaseId, Collector, Kind, Look, LookReason, Metric, Settings, Turn};

const ROUNDS: u32 = 12;

/// The behaviour of a process. `each_ns` is the time of an operation. `more` returns the extra time in ns and
/// the collections of each turn, which takes 1 ms.
struct Shape {
    each_ns: f64,
    more: fn(u32) -> (f64, f64),
}

const CALM: Shape = Shape { each_ns: 1000.0, more: |_| (0.0, 0.0) };

fn process(block: u32, place: u32, shape: &Shape) -> Replicate {
    let gc = Metric {
        name: "gc".into(),
        unit: "count".into(),
        kind: Kind::Total,
        direction: derny_model::Direction::Less,
        exact: false,
    };
    let metrics = [gc];
    let cost = crate::cost::Cost::new(Some(Collector::Counted));
    let mut replicate = Replicate { block, place, wave: Some(0), cost, ..Replicate::default() };
    // Processes differ in speed by at most a thousandth.
    let own = 1.0 + f64::from((block * 7 + place * 3) % 11) / 1e4;
    for round in 0..ROUNDS {
        let (more, collections) = (shape.more)(round + block * ROUNDS);
        let ns = 1000.0 * shape.each_ns * own;
        let turn = Turn {
            round,
            iterations: 1000,
            times_ns: vec![(ns + more) as u64],
            counters: vec![Some(collections)],
            ..turn::tests::turn()
        };
        // A disturbance of a few batches does not show in typical time.
        replicate.rounds.add(0, &turn, &metrics, Some(shape.each_ns * own));
        replicate.cost.add(&turn, &metrics, 1.0);
    }
    replicate
}

fn side(pairs: u32, base: &Shape, new: &Shape, terms: &Terms) -> Side {
    let look = Look { case: 0, blocks: (0..pairs).collect(), reason: LookReason::Planned };
    side_at(pairs, base, new, terms, &[look])
}

fn side_at(pairs: u32, base: &Shape, new: &Shape, terms: &Terms, looks: &[Look]) -> Side {
    let both: Vec<(Replicate, Replicate)> = (0..pairs)
        .map(|block| (process(block, block % 2, base), process(block, 1 - block % 2, new)))
        .collect();
    let both: Vec<(&Replicate, &Replicate)> = both.iter().map(|(base, new)| (base, new)).collect();
    let blocks: Vec<u32> = (0..pairs).collect();
    let taken = Taken::new(&terms.levels, looks, &blocks, None);
    let case = Case::new(CaseId { suite: "s".into(), benchmark: "b".into(), params: Vec::new() });
    let singles = change::times(&case, Subject::unknown(Quantity::Typical), &both, &taken, terms);
    Side { side: 1, control: false, singles, ended: None }
}

fn judged(side: Side, terms: &Terms) -> (Judged, u32) {
    let (mut judged, family) = judge(&[vec![side]], terms);
    (judged.remove(0).remove(0), family)
}

fn of(base: &Shape, new: &Shape) -> (Judged, u32) {
    let terms = Terms::new(&Settings::default(), 1);
    judged(side(5, base, new, &terms), &terms)
}

#[test]
fn five_pairs_decide_a_change_and_that_there_is_none() {
    let slower = Shape { each_ns: 1050.0, ..CALM };
    let (worse, family) = of(&CALM, &slower);
    assert_eq!((worse.side.verdict, worse.is_open, family), (Verdict::Worse, false, 1));
    let (same, family) = of(&CALM, &CALM);
    assert_eq!((same.side.verdict, same.is_open, family), (Verdict::Same, false, 1));
    let mean = &same.side.changes[1];
    assert!(mean.only_shown && mean.change.is_some() && mean.q.is_none(), "{mean:?}");
    assert!(mean.because.contains("may have been missed"), "{}", mean.because);
}

#[test]
fn totals_that_differ_are_never_the_same() {
    // One turn in thirty takes 10 ms more.
    let pauses = Shape { more: |turn| (if turn % 30 == 7 { 1e7 } else { 0.0 }, 0.0), ..CALM };
    let (few, family) = of(&CALM, &pauses);
    assert_eq!((few.side.verdict, few.is_open, family), (Verdict::Unclear, true, 1), "{:?}", few.side);
    assert!(!few.side.changes[1].only_shown);
    let terms = Terms::new(&Settings::default(), 1);
    let (more, family) = judged(side(8, &CALM, &pauses, &terms), &terms);
    assert_ne!(more.side.verdict, Verdict::Same);
    assert_eq!(family, 1, "mean time that was called for is a family of its own");
    assert!(more.side.changes[1].q.is_some());
    let both = Shape { each_ns: 1100.0, ..pauses };
    let (worse, _) = of(&CALM, &both);
    assert_eq!((worse.side.verdict, worse.is_open), (Verdict::Worse, false));
}

#[test]
fn totals_that_come_to_differ_are_not_the_same_by_an_earlier_look() {
    // Only the pairs after the fifth have pauses.
    let late =
        Shape { more: |turn| (if turn > 5 * ROUNDS && turn % 9 == 0 { 1e7 } else { 0.0 }, 0.0), ..CALM };
    let terms = Terms::new(&Settings::default(), 1);
    let looks = |counts: &[u32]| -> Vec<Look> {
        let look = |count: &u32| Look { case: 0, blocks: (0..*count).collect(), reason: LookReason::Planned };
        counts.iter().map(look).collect()
    };
    let own = side_at(21, &CALM, &late, &terms, &looks(&[5, 8, 11, 15, 21]));
    let (found, _) = judged(own, &terms);
    assert_ne!(found.side.verdict, Verdict::Same, "{:?}", found.side.changes[1]);
}

#[test]
fn collections_that_agree_call_for_nothing_and_others_are_never_the_same() {
    let often = Shape { more: |turn| (0.0, f64::from(u8::from(turn % 3 == 0))), ..CALM };
    let seldom = Shape { more: |turn| (0.0, f64::from(u8::from(turn % 6 == 0))), ..CALM };
    let (same, _) = of(&often, &often);
    assert_eq!((same.side.verdict, same.is_open), (Verdict::Same, false));
    let (differ, _) = of(&seldom, &often);
    assert!(!differ.side.changes[1].only_shown);
    if differ.side.changes[1].verdict == Verdict::Unclear {
        assert_eq!((differ.side.verdict, differ.is_open), (Verdict::Unclear, true));
    }
}

#[test]
fn where_mean_time_is_asked_it_holds_a_case_open() {
    let settings = Settings { mean: true, ..Settings::default() };
    let terms = Terms::new(&settings, 1);
    let pauses = Shape { more: |turn| (if turn % 30 == 7 { 1e7 } else { 0.0 }, 0.0), ..CALM };
    let (judged, family) = judged(side(8, &pauses, &pauses, &terms), &terms);
    assert_eq!((judged.side.changes[0].verdict, family), (Verdict::Same, 2));
    assert!(judged.is_open && !judged.side.changes[1].only_shown);
    let (same, _) = of(&pauses, &pauses);
    assert!(!same.is_open && same.side.verdict == Verdict::Same, "{:?}", same.side.changes[1]);
}

#[test]
fn mean_time_that_is_only_shown_fails_no_gate() {
    let settings = Settings::default();
    let terms = Terms { gate: true, ..Terms::new(&settings, 1) };
    let (passes, _) = judged(side(5, &CALM, &CALM, &terms), &terms);
    let limits = Limits { margin: 0.01, mean_margin: 0.0001, alpha: 0.05, metrics: &[] };
    assert_eq!(gate::decide(&passes.side, &limits, |_| false), Decision::Passes);
    assert!(!passes.is_open);
}

#[test]
fn the_planned_looks_of_waves_tell_a_change() {
    let looks = [5_u32, 8, 11, 15, 21];
    let levels = crate::level::Levels::new(&Settings::default());
    let until = |n: usize| levels.until(n, false);
    let told = [1, 2, 8, 100].map(|many| levels.telling_look(&looks, many, false, until));
    assert_eq!(told, [5, 8, 8, 11]);
}
