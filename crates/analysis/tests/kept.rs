//! Tests turns that are stored outside the records. Results are bit-identical, and the turns of a case are
//! dropped before the next case is read.

use crate::build::comparison::{of_run, options};
use crate::build::{RunBuilder, case, metric, turn, variant};
use derny_analysis::picture::{self, Traces};
use derny_analysis::{Digest, Digests, Input, compare, compare_by};
use derny_model::*;
use derny_stats::Rng;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

struct Shelf {
    turns: Vec<Vec<Turn>>,
    reads: AtomicUsize,
    most: Mutex<Vec<usize>>,
}

impl KeptTurns for Shelf {
    fn turns(&self, visit: u32) -> Vec<Turn> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.most.lock().unwrap()[visit as usize] += 1;
        self.turns[visit as usize].clone()
    }
}

/// Returns a run of two variants. Some turns have a preemption or a collection, so that warnings blame them.
fn run(cases: usize) -> RunBuilder {
    let mut rng = Rng::new(5);
    let mut run = RunBuilder::new((0..cases).map(|at| case("s", &format!("c{at}"))).collect());
    run.records.header.variants = vec![variant("old"), variant("new")];
    let metrics = [metric("cpu", "ns"), metric("gc", "count"), metric("preempted", "count")];
    for index in 0..cases {
        for block in 0..8 {
            for number in 0..2 {
                let process = run.process(number);
                run.records.processes[process as usize].block = (index * 8 + block) as u32;
                let level = 100.0 * (1.0 + 0.02 * f64::from(number)) * (0.002 * rng.normal()).exp();
                let turns = (0..12).map(|round| {
                    let hit = (round + index as u32).is_multiple_of(4);
                    let ns = level * (0.003 * rng.normal()).exp() * if hit { 1.3 } else { 1.0 };
                    let times_ns = vec![(ns * 10_000.0).round() as u64; 4];
                    let cpu = times_ns.iter().sum::<u64>() as f64 / if hit { 1.3 } else { 1.0 };
                    let counters = vec![Some(cpu), Some(0.0), Some(f64::from(u8::from(hit)))];
                    let phase = if round < 2 { Phase::WarmUp } else { Phase::Measured };
                    Turn { round, counters, ..turn(phase, 10_000, times_ns) }
                });
                run.visit(process, index as u32, &metrics, turns.collect());
            }
        }
    }
    run
}

fn shelved(run: &RunBuilder) -> (Records, Arc<Shelf>) {
    let mut records = run.records.clone();
    let turns: Vec<Vec<Turn>> = records.visits.iter().map(|record| record.turns.to_vec()).collect();
    let most = Mutex::new(vec![0; turns.len()]);
    let shelf = Arc::new(Shelf { turns, reads: AtomicUsize::new(0), most });
    for record in &mut records.visits {
        record.turns = Turns::elsewhere(shelf.clone(), record.visit.visit, TurnFacts::of(&record.turns));
    }
    (records, shelf)
}

/// Formats a value as JSON, which keeps all bits of floats.
macro_rules! text {
    ($value:expr) => {
        serde_json::to_string($value).unwrap()
    };
}

#[test]
fn what_is_concluded_is_the_same_and_no_case_stays() {
    let run = run(40);
    let (records, shelf) = shelved(&run);
    let document = derny_analysis::summarise(&records);
    assert_eq!(text!(&document), text!(&run.document()));
    assert!(document.warnings.iter().any(|warning| !warning.effect.is_empty()), "turns are blamed");
    let input = |name: &str, variant| Input {
        name: name.to_owned(),
        document: &document,
        records: Some(&records),
        variant,
    };
    let comparison = compare(&[input("old", 0), input("new", 1)], &options());
    assert_eq!(text!(&comparison.cases), text!(&of_run(&run, &options()).cases));
    assert_eq!(text!(&comparison.warnings), text!(&of_run(&run, &options()).warnings));
    let held = picture::traces(&document, &run.records);
    let traces = Traces::new(&document, &records);
    for case in held {
        assert_eq!(traces.of(case.case), case.processes);
    }
    let counted: usize = (0..40).flat_map(|case| traces.of(case)).map(|process| process.turns.len()).sum();
    assert_eq!(traces.count().0, counted);
    // Turns are read again for each warning that blames turns, and once more for the page. No copy remains.
    assert!(records.visits.iter().all(|record| !record.turns.are_here()));
    assert!(shelf.reads.load(Ordering::Relaxed) >= 3 * records.visits.len());
    let codes: std::collections::BTreeSet<&str> =
        document.warnings.iter().map(|warning| warning.code.as_str()).collect();
    let most = shelf.most.lock().unwrap().iter().copied().max().unwrap();
    assert!(most <= 4 + codes.len(), "{most} times, {codes:?}");
}

/// Digests of several joined runs, each with the offset that joining added to process numbers.
struct Known(Vec<(Digest, u32)>);

impl Digests for Known {
    fn concluded(&self, case: u32) -> Option<(CaseResult, Vec<u8>, u32)> {
        let (Digest { result, found, .. }, moved) = self.0.get(case as usize)?;
        Some((result.clone(), found.clone(), *moved))
    }

    fn measured(&self, case: u32) -> Option<(Vec<u8>, u32)> {
        let (Digest { measured, .. }, moved) = self.0.get(case as usize)?;
        Some((measured.clone(), *moved))
    }
}

#[test]
fn what_digests_hold_needs_no_turns_and_is_the_same() {
    let mut runs = [run(5), run(4)];
    for (number, run) in runs.iter_mut().enumerate() {
        run.records.cases.iter_mut().for_each(|case| case.id.suite = format!("s{number}"));
    }
    let cases = runs.iter().flat_map(|run| run.records.cases.clone()).collect();
    let mut all = Records::new(runs[0].records.header.clone(), cases);
    let mut known = Known(Vec::new());
    let mut shelves = Vec::new();
    for run in &runs {
        let (records, shelf) = shelved(run);
        let mut own = Vec::new();
        let made: Result<(), ()> = derny_analysis::digests(&records, |some| {
            own.extend(some);
            Ok(())
        });
        made.unwrap();
        let moved = derny_analysis::append(&mut all, records, None);
        known.0.extend(own.into_iter().map(|digest| (digest, moved)));
        shelf.reads.store(0, Ordering::Relaxed);
        shelves.push(shelf);
    }
    let reads = || shelves.iter().map(|shelf| shelf.reads.load(Ordering::Relaxed)).sum::<usize>();
    let document = derny_analysis::summarise_by(&all, Some(&known));
    assert_eq!((known.0.len(), reads()), (9, 0));
    assert_eq!(text!(&document), text!(&derny_analysis::summarise(&all)));
    let of_turns = reads();
    let input = |name: &str, variant| Input {
        name: name.to_owned(),
        document: &document,
        records: Some(&all),
        variant,
    };
    let sides = [input("old", 0), input("new", 1)];
    let told = text!(&compare_by(&sides, &options(), Some(&known)));
    let by_digests = reads() - of_turns;
    assert_eq!(told, text!(&compare(&sides, &options())));
    let by_turns = reads() - of_turns - by_digests;
    assert_eq!(
        by_turns - by_digests,
        all.visits.len(),
        "once less: warnings still look at the turns that they blame"
    );
    // A changed setting makes digests invalid, and results come from the turns.
    all.header.settings.precision /= 2.0;
    assert_eq!(
        text!(&derny_analysis::summarise_by(&all, Some(&known))),
        text!(&derny_analysis::summarise(&all))
    );
}
