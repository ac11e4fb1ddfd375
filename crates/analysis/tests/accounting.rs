//! Tests the accounting of a run's time, on records whose steps have known times.

use crate::build::{RunBuilder, case, turn};
use derny_analysis::accounting;
use derny_model::{Accounting, Observation, Parts, Phase, Preparation, ProcessEnd, Turn};

const MS: u64 = 1_000_000;

fn from(phase: Phase, begin: u64, end: u64, timed: u64) -> Turn {
    Turn { at_ns: begin * MS, wall_ns: (end - begin) * MS, ..turn(phase, 1, vec![timed * MS]) }
}

/// Adds a process to block 0. It launches at `at` in 10 ms and opens the case in 2 ms. After `turns`, closing
/// the case and ending the process take the 3 ms before `end`. All times are in ms.
fn process(run: &mut RunBuilder, (variant, at): (u32, u64), turns: Vec<Turn>, end: u64) {
    let process = run.process(variant);
    let start = run.records.processes.last_mut().unwrap();
    (start.launch_ns, start.at_ns, start.block) = (10 * MS, (at + 10) * MS, 0);
    let visit = run.visit(process, 0, &[], turns);
    (visit.visit.open_ns, visit.visit.at_ns) = (2 * MS, (at + 12) * MS);
    run.records.process_ends.push(ProcessEnd {
        process,
        exit: "exit 0".to_owned(),
        cpu_ns: None,
        peak_bytes: None,
        resident_bytes: None,
        printed_bytes: None,
        ending_ns: Some(3 * MS),
        at_ns: end * MS,
    });
}

fn pair() -> RunBuilder {
    let mut run = RunBuilder::new(vec![case("suite", "case")]);
    let warm = |from_ms, to| from(Phase::WarmUp, from_ms, to, 1);
    let measured = |at, timed| from(Phase::Measured, at, at + 3, timed);
    let first = vec![warm(20, 40), from(Phase::Settling, 40, 45, 5), measured(50, 2), measured(58, 2)];
    let second = vec![from(Phase::Cold, 18, 20, 1), warm(22, 43), measured(54, 2), measured(62, 1)];
    process(&mut run, (0, 0), first, 80);
    process(&mut run, (1, 1), second, 79);
    run.records.observations.push(Observation { at_ns: MS, ..Observation::default() });
    run.records.observations.push(Observation {
        at_ns: 90 * MS,
        took_ns: Some(6 * MS),
        ..Observation::default()
    });
    (run.records.header.started_ms, run.records.header.ended_ms) = (0, Some(100));
    run
}

fn sum(spent: &Accounting) -> u64 {
    spent.parts.named().iter().map(|(_, ns)| ns).sum()
}

#[test]
fn parts_add_up_to_the_wall_time_and_what_overlaps_counts_once() {
    let mut run = pair();
    let spent = accounting(&run.records, None).unwrap();
    assert_eq!((spent.wall_ns, sum(&spent)), (100 * MS, 100 * MS));
    let parts = spent.parts;
    // Launches last from 0 to 11 ms, opening cases until 13, warm-up from 18 to 43, and settling the first
    // heap until 45.
    assert_eq!(parts.launch_ns, 13 * MS);
    assert_eq!(parts.warm_up_ns, 25 * MS);
    assert_eq!(parts.settling_ns, 2 * MS);
    assert_eq!((parts.timed_ns, parts.exchange_ns), (7 * MS, 8 * MS));
    assert_eq!((parts.end_ns, parts.yardsticks_ns), (4 * MS, 6 * MS));
    assert_eq!((parts.build_ns, parts.analysis_ns, parts.other_ns), (0, None, 35 * MS));
    run.records.header.preparation = Some(Preparation { build_ns: 30 * MS, listing_ns: 7 * MS });
    let live = accounting(&run.records, Some(109)).unwrap();
    assert_eq!(
        (live.parts.build_ns, live.parts.listing_ns, live.parts.analysis_ns),
        (30 * MS, 7 * MS, Some(9 * MS))
    );
    assert_eq!((live.wall_ns, sum(&live)), (146 * MS, 146 * MS));
}

#[test]
fn processes_rounds_turns_exchanges_and_waves_are_counted() {
    let mut run = pair();
    let counts = accounting(&run.records, None).unwrap().counts;
    assert_eq!((counts.processes, counts.waves, counts.visits), (2, 1, 2));
    assert_eq!((counts.rounds, counts.measured_turns, counts.warm_up_turns), (2, 4, 3));
    // Eight turns including the settling, plus two cases that are opened and closed.
    assert_eq!(counts.exchanges, 8 + 4);
    process(&mut run, (0, 80), vec![from(Phase::Measured, 95, 97, 1)], 99);
    assert_eq!(accounting(&run.records, None).unwrap().counts.waves, 2);
}

/// The clock of a resumed run restarts at 0. Sections follow each other without the time between them.
#[test]
fn a_run_that_went_on_has_the_time_of_both_its_parts() {
    let mut run = pair();
    let first = accounting(&run.records, None).unwrap();
    let later = pair().records;
    derny_analysis::append(&mut run.records, later, None);
    run.records.header.ended_ms = Some(3_600_000);
    let both = accounting(&run.records, None).unwrap();
    assert_eq!(both.wall_ns, 2 * 90 * MS);
    assert_eq!(both.wall_ns, sum(&both));
    assert_eq!(both.parts.timed_ns, 2 * first.parts.timed_ns);
    assert_eq!(both.parts.launch_ns, 2 * first.parts.launch_ns);
    assert_eq!((both.counts.processes, both.counts.waves), (4, 2));
    // Each section has a block with two rounds of the same case.
    assert_eq!(both.counts.rounds, 4);
    run.records.header.merged =
        Some(Parts { measures: String::new(), waves: 1, count: 2, hash: String::new() });
    assert_eq!(accounting(&run.records, None).unwrap().wall_ns, both.wall_ns);
}

#[test]
fn an_old_run_has_what_it_recorded() {
    let mut run = pair();
    run.records.process_ends.iter_mut().for_each(|end| end.ending_ns = None);
    run.records.observations.iter_mut().for_each(|seen| seen.took_ns = None);
    let spent = accounting(&run.records, None).unwrap();
    assert_eq!((spent.parts.end_ns, spent.parts.yardsticks_ns), (0, 0));
    assert_eq!((spent.wall_ns, sum(&spent)), (100 * MS, 100 * MS));
}
