//! Cost of recording on the engine's thread. Needs a release build and a quiet machine, so it runs on
//! request: `cargo test --release -p derny-store --test all cost:: -- --ignored --nocapture`.

use crate::scenario::{Random, case, header, process, start, turn, visit};
use derny_model::{Event, Turn};
use derny_store::Store;
use std::io::Write;
use std::time::Instant;

#[test]
#[ignore = "a measurement"]
fn a_turn_costs_a_few_microseconds() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Store::open(dir.path()).unwrap().recorder().unwrap();
    recorder.on_event(&start(header("k3fz"), &[case("a")])).unwrap();
    recorder.on_event(&process(0)).unwrap();
    let (mut of_turns, mut of_ends) = (Vec::new(), Vec::new());
    let mut random = Random(1);
    let mut timed = |event: &Event, costs: &mut Vec<f64>| {
        let begin = Instant::now();
        recorder.on_event(event).unwrap();
        costs.push(begin.elapsed().as_nanos() as f64 / 1000.0);
    };
    for number in 0..300 {
        timed(&visit(number, 0, 0), &mut Vec::new());
        for round in 0..60 {
            let turn: Turn = turn(&mut random, number, round + 60 * number);
            timed(&Event::Turn(turn), &mut of_turns);
        }
        timed(&Event::VisitEnded { visit: number }, &mut of_ends);
    }
    let mut text = String::new();
    for (what, costs) in
        [("turn of 100 batches", &mut of_turns), ("end of a visit of 60 turns", &mut of_ends)]
    {
        costs.sort_by(f64::total_cmp);
        let at = |share: f64| costs[((costs.len() - 1) as f64 * share) as usize];
        let mean = costs.iter().sum::<f64>() / costs.len() as f64;
        text += &format!(
            "{what}: median {:.1} µs, 99 % {:.1} µs, most {:.1} µs, mean {mean:.1} µs\n",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    std::io::stderr().write_all(text.as_bytes()).unwrap();
    assert!(of_turns[of_turns.len() / 2] < 10.0, "{text}");
}
