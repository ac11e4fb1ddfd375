//! Tests the completion of records that earlier versions wrote.

use crate::scenario::{Random, case, header, process, turn, visit};
use derny_model::{Event, Phase, Records, Turn};

/// Returns records of one case, with a complete visit by a separate process for each pair of warm-up and
/// measured turns.
fn records(visits: &[(u32, u32)]) -> Records {
    let mut records = Records::new(header("k"), vec![case("parse")]);
    let mut random = Random(1);
    for (number, (warm_up, measured)) in (0..).zip(visits) {
        records.take(process(number));
        records.take(visit(number, number, 0));
        let phases = [(Phase::Cold, 1), (Phase::WarmUp, *warm_up), (Phase::Measured, *measured)];
        for (phase, count) in phases {
            for round in 0..count {
                records.take(Event::Turn(Turn { phase, ..turn(&mut random, number, round) }));
            }
        }
        records.take(Event::VisitEnded { visit: number });
    }
    records
}

fn completed(mut records: Records) -> Vec<bool> {
    derny_store::complete(&mut records);
    records.visits.iter().map(|record| record.complete).collect()
}

#[test]
fn a_cold_visit_beside_warmed_ones_does_not_count() {
    assert_eq!(completed(records(&[(8, 12), (0, 12), (8, 12), (0, 1)])), [true, false, true, false]);
}

#[test]
fn a_visit_that_was_cut_after_two_rounds_does_not_count() {
    assert_eq!(completed(records(&[(8, 12), (8, 2), (8, 3)])), [true, false, true]);
}

#[test]
fn what_was_planned_counts() {
    let one_call_fills = records(&[(0, 1), (0, 3), (0, 2)]);
    assert_eq!(completed(one_call_fills), [true; 3]);
    assert_eq!(completed(records(&[(8, 2), (8, 2)])), [true; 2], "none has more");
    let mut asked = records(&[(8, 2), (8, 4)]);
    asked.header.settings.rounds = Some(2);
    assert_eq!(completed(asked), [true; 2]);
    let mut worn_out = records(&[(8, 2), (0, 12)]);
    worn_out.cases[0].max_batches = Some(20);
    assert_eq!(completed(worn_out), [true; 2]);
}

/// The third visit was measured as planned, but the other process of its pair was cut short.
#[test]
fn with_a_visit_its_block_does_not_count() {
    let mut pairs = records(&[(8, 12), (8, 12), (8, 12), (0, 1)]);
    for process in &mut pairs.processes {
        (process.block, process.variant) = (process.process / 2, process.process % 2);
    }
    assert_eq!(completed(pairs), [true, true, false, false]);
}
