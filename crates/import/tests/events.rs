//! Tests the event stream of an imported run, as the store receives it.

use derny_import::{Cases, Input, Origin, events, format};
use derny_model::{Event, Phase, RunHeader, RunStatus, StopReason, Timing};

const COMPARE: &str = "\"binary\",\"filename\",\"configuration\",\"rate\",\"time\"\n\
    \"new\",\"a.js\",\"n=1\",2000000,0.0005\n\
    \"old\",\"a.js\",\"n=1\",1000000,0.001\n\
    \"old\",\"a.js\",\"n=2\",1250000,0.0008\n\
    \"new\",\"a.js\",\"n=2\",1250000,0.0008\n\
    \"new\",\"a.js\",\"n=1\",2500000,0.0004\n";

fn stream() -> (RunHeader, Cases, Vec<Event>) {
    let foreign = (format("node-compare").unwrap().read)(&Input {
        bytes: COMPARE.as_bytes(),
        name: "c.csv",
        parts: &[],
    })
    .unwrap();
    let origin = Origin {
        id: "k3fz".to_owned(),
        format: "node-compare".to_owned(),
        file: "out/c.csv".to_owned(),
        time_ms: 1000,
        derny: "7.7.7".to_owned(),
        args: vec!["import".to_owned()],
        note: None,
        hash: "0011".to_owned(),
        name_template: Some("{name}.js".to_owned()),
    };
    let (header, cases, events) = events(foreign, &origin);
    (header, cases, events.collect())
}

#[test]
fn the_run_says_where_it_comes_from_and_what_is_not_known() {
    let (run, cases, events) = stream();
    let imported = run.imported.as_ref().unwrap();
    assert_eq!((imported.format.as_str(), imported.file.as_str()), ("node-compare", "out/c.csv"));
    assert!(imported.unknown.len() >= 3 && run.machine.host.is_empty());
    assert_eq!((run.started_ms, run.settings.name_template.as_deref()), (1000, Some("{name}.js")));
    let names: Vec<&str> = run.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["old", "new"], "the old binary is the base although the new one comes first");
    assert!(cases.iter().all(|case| case.timing == Timing::SelfTimed && case.harness == "imported"));
    assert!(matches!(events.last(), Some(Event::RunEnded { status: RunStatus::Complete, ended_ms: 1003 })));
}

#[test]
fn rows_of_both_binaries_are_pairs() {
    let (.., events) = stream();
    let started: Vec<(u32, u32)> = events
        .iter()
        .filter_map(|event| match event {
            Event::ProcessStarted(start) => Some((start.variant, start.block)),
            _ => None,
        })
        .collect();
    assert_eq!(
        started,
        [(1, 0), (0, 0), (0, 1), (1, 1), (1, 2)],
        "the last has no partner and a block of its own"
    );
    let turns: Vec<(u64, u64, Option<f64>)> = events
        .iter()
        .filter_map(|event| match event {
            Event::Turn(turn) if turn.phase == Phase::Measured => {
                Some((turn.at_ns, turn.times_ns[0], turn.ops.as_ref().map(|ops| ops[0])))
            }
            _ => None,
        })
        .collect();
    assert_eq!(turns[..2], [(0, 500_000, Some(1000.0)), (500_000, 1_000_000, Some(1000.0))]);
    let reasons = events.iter().filter(|e| matches!(e, Event::CaseEnded { reason: StopReason::Maximum, .. }));
    assert_eq!(reasons.count(), 2);
}
