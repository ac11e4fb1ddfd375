//! Tests the size of stored runs in bytes.

use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
use derny_model::{Event, RunStatus, Turn};
use derny_store::Store;
use std::io::Write;

/// Returns the bytes of the whole database per batch time, after a run of 10 processes with 6 visits of
/// `rounds` turns each.
fn bytes_per_batch(rounds: u32, mut shape: impl FnMut(Turn) -> Turn) -> f64 {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let cases: Vec<_> = (0..6).map(|number| case(&format!("case{number}"))).collect();
    let mut recorder = store.recorder().unwrap();
    let mut random = Random(5);
    let mut batches = 0;
    let before = store.bytes().unwrap();
    recorder.on_event(&start(header("k3fz"), &cases)).unwrap();
    for number in 0..60 {
        if number % 6 == 0 {
            recorder.on_event(&process(number / 6)).unwrap();
        }
        recorder.on_event(&visit(number, number / 6, number % 6)).unwrap();
        for round in 0..rounds {
            let turn = shape(turn(&mut random, number, round));
            batches += turn.times_ns.len();
            recorder.on_event(&Event::Turn(turn)).unwrap();
        }
        recorder.on_event(&Event::VisitEnded { visit: number }).unwrap();
        if number % 6 == 5 {
            recorder.on_event(&process_end(number / 6)).unwrap();
        }
    }
    recorder.on_event(&end(RunStatus::Complete)).unwrap();
    drop(recorder);
    let bytes = store.bytes().unwrap() - before;
    bytes as f64 / batches as f64
}

#[test]
fn a_batch_time_takes_less_than_two_bytes_with_everything_around_it() {
    let realistic = bytes_per_batch(30, |turn| turn);
    let short = bytes_per_batch(20, |turn| turn);
    let fine = bytes_per_batch(30, |mut turn| {
        turn.times_ns.iter_mut().enumerate().for_each(|(index, time)| *time += index as u64 * 7 % 10);
        turn
    });
    // A clock of 24 MHz.
    let coarse = bytes_per_batch(30, |mut turn| {
        turn.times_ns.iter_mut().for_each(|time| *time = *time * 3 / 125 * 125 / 3);
        turn
    });
    let long = bytes_per_batch(30, |mut turn| {
        turn.times_ns
            .iter_mut()
            .enumerate()
            .for_each(|(index, time)| *time = *time * 10 + index as u64 * 7 % 10 * 10);
        turn
    });
    let figures = format!(
        "bytes a batch: {realistic:.2}; visits of 20 turns: {short:.2}; clock of 1 ns: {fine:.2}; of 41⅔ ns: {coarse:.2}; \
         ten times as long: {long:.2}\n"
    );
    std::io::stderr().write_all(figures.as_bytes()).unwrap();
    assert!(realistic <= 1.5 && short <= 1.7, "{figures}");
    assert!(fine <= 2.0 && coarse <= 2.0 && long <= 2.0, "{figures}");
}
