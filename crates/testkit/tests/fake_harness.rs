//! Tests that the scripted harness is correct by default, and that every injected fault is detected.

mod peer;

use derny_protocol::vector::{self, Step, Vector};
use derny_protocol::{Answer, Command, ProtocolError};
use peer::{Peer, Received};
use std::time::Duration;

fn open(name: &str) -> Command {
    Command::Open { benchmark: name.to_owned(), params: Vec::new(), at: None }
}

fn measure(iterations: u64, batches: u32) -> Command {
    Command::Measure { iterations, batches, within_ns: u64::MAX, lead_ns: 0, mode: None, hash: false }
}

fn opened(args: &[&str]) -> Peer {
    let mut peer = Peer::start(args);
    assert!(matches!(peer.receive(), Received::Answer(Answer::Hello(_))));
    assert_eq!(
        peer.ask(&open("fake/steady")),
        Received::Answer(Answer::Opened { thread: None, once: false })
    );
    peer
}

fn times(received: Received) -> Vec<u64> {
    match received {
        Received::Answer(Answer::Turn(turn)) => turn.times.unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_vector_holds() {
    let mut held = 0;
    for (name, text) in vector::ALL {
        let vector = Vector::parse(name, text).unwrap();
        if vector.needs.iter().any(|need| need == "case:conform/async") {
            continue;
        }
        // A busy machine may need several attempts.
        let tries = if vector.name == "measure-within" { 20 } else { 1 };
        let mut outcome = hold(&vector);
        for _ in 1..tries {
            outcome = outcome.or_else(|_| hold(&vector));
        }
        outcome.unwrap();
        held += 1;
    }
    assert!(held >= 30, "{held}");
}

/// Sends the commands of `vector`. Fails at the first reply that differs from the vector.
fn hold(vector: &Vector) -> Result<(), String> {
    let mut peer = Peer::start(&["--conform"]);
    if !vector.greets() {
        peer.line().unwrap();
    }
    let mut skipping = false;
    for step in &vector.steps {
        match step {
            Step::Send(line) => peer.write(&format!("{line}\n")),
            Step::Any => skipping = true,
            Step::Expect(pattern) => {
                // The counters are `calls`, and on Linux also `preempted`.
                let counters = if cfg!(target_os = "linux") { 2 } else { 1 };
                loop {
                    let line =
                        peer.line().unwrap_or_else(|| panic!("{}: no line for {pattern}", vector.name));
                    if vector::matches(pattern, &line, counters) {
                        break;
                    }
                    if !skipping {
                        return Err(format!("{}: {line} came for {pattern}", vector.name));
                    }
                }
                skipping = false;
            }
        }
    }
    match peer.status() {
        Some(0) => Ok(()),
        status => Err(format!("{}: ended with {status:?}", vector.name)),
    }
}

#[test]
fn bodies_take_the_time_they_are_told() {
    for (args, wanted) in [(&[][..], 50.0), (&["--cost-ns=200", "--offset=10"], 220.0)] {
        let mut peer = opened(args);
        // Use the fastest batch of each turn, because a busy machine preempts others.
        let fastest = || times(peer.ask(&measure(10_000, 30))).into_iter().min().unwrap() as f64 / 10_000.0;
        let tries: Vec<f64> = std::iter::repeat_with(fastest).take(50).collect();
        assert!(tries.iter().all(|fastest| fastest / wanted > 0.95), "{tries:?} ns, less than {wanted}");
        assert!(tries.iter().any(|fastest| fastest / wanted < 1.1), "{tries:?} ns instead of {wanted}");
    }
}

#[test]
fn work_scales_with_its_rounds() {
    let start = |args: &[&str]| {
        let mut peer = Peer::start(args);
        peer.receive();
        peer.ask(&open("fake/work"));
        peer
    };
    let (mut single, mut double) = (start(&[]), start(&["--offset=100"]));
    let fastest = |peer: &mut Peer| times(peer.ask(&measure(10, 20))).into_iter().min().unwrap() as f64;
    // The machine's speed changes during the test, so alternate, and use the fastest of many short batches.
    let pairs: Vec<(f64, f64)> = (0..40).map(|_| (fastest(&mut single), fastest(&mut double))).collect();
    let least = |values: Vec<f64>| values.into_iter().fold(f64::INFINITY, f64::min);
    let (single, double) = pairs.into_iter().unzip();
    let ratio = least(double) / least(single);
    // The work doubles. The bounds allow for changes of the processor's speed.
    assert!((1.1..10.0).contains(&ratio), "{ratio}");
}

#[test]
fn noise_spreads_the_batches() {
    let spread = |args: &[&str]| {
        let mut times = times(opened(args).ask(&measure(1_000, 200)));
        times.sort_unstable();
        times[150] as f64 / times[50] as f64 - 1.0
    };
    // The quartiles of a normal distribution are 1.35 standard deviations apart. Load can only increase the
    // distance.
    let noisy = spread(&["--noise=20", "--cost-ns=100"]);
    assert!(noisy > 0.15, "{noisy}");
}

fn made_up(args: &[&str], benchmark: &str) -> Peer {
    let mut peer = Peer::start(&[&["--made-up", "--cases=200", "--cost-ns=1000"], args].concat());
    peer.receive();
    assert_eq!(peer.ask(&open(benchmark)), Received::Answer(Answer::Opened { thread: None, once: false }));
    peer
}

#[test]
fn times_that_are_made_up_pass_at_once_and_come_again() {
    let noisy = ["--noise=2", "--process-noise=1.5", "--changed=fake/copy-002:100"];
    let of = |benchmark: &str| times(made_up(&noisy, benchmark).ask(&measure(1_000_000, 100)));
    let start = std::time::Instant::now();
    let first = of("fake/copy-001");
    assert!(start.elapsed() < Duration::from_secs(20), "a hundred seconds are told, not waited for");
    assert_eq!((first.len(), first.clone()), (100, of("fake/copy-001")));
    let (mean, mean_of_changed) = (mean(&first), mean(&of("fake/copy-002")));
    assert!((0.9e9..1.1e9).contains(&mean) && (1.8e9..2.2e9).contains(&mean_of_changed), "{mean}");
    let within = Command::Measure {
        iterations: 20,
        batches: 4096,
        within_ns: 2_000_000,
        lead_ns: 300_000,
        mode: None,
        hash: false,
    };
    assert_eq!(times(made_up(&[], "fake/copy-001").ask(&within)).len(), 100);
}

#[test]
fn processes_differ_by_what_is_made_up() {
    let log = |number: u32| {
        let mut peer = made_up(&["--process-noise=1.5"], &format!("fake/copy-{number:03}"));
        mean(&times(peer.ask(&measure(1_000_000, 1)))).ln()
    };
    let logs: Vec<f64> = (1..=100).map(log).collect();
    let spread = derny_stats::scale::standard_deviation(&logs);
    assert!((0.012..0.018).contains(&spread), "{spread}");
    // Every other process that opens a case is the first of two.
    let file = std::env::temp_dir().join(format!("derny-fake-first-{}", std::process::id()));
    let first = format!("--first=10:{}", file.display());
    let orders = [(); 4].map(|()| times(made_up(&[&first], "fake/copy-001").ask(&measure(1_000, 1)))[0]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(orders, [1_100_000, 1_000_000, 1_100_000, 1_000_000]);
}

#[test]
fn pauses_are_made_up_and_counted_where_they_are_collections() {
    let hello = |args: &[&str]| match Peer::start(args).receive() {
        Received::Answer(Answer::Hello(hello)) => hello,
        other => panic!("{other:?}"),
    };
    let paused = ["--made-up", "--pauses=1:10", "--collector=counted"];
    let names: Vec<String> = hello(&paused).metrics.into_iter().map(|metric| metric.name).collect();
    let gc = names.iter().position(|name| name == "gc").unwrap();
    let collectors = ["none", "untold"].map(|word| hello(&[&format!("--collector={word}")]).collector);
    assert_eq!(collectors, [derny_protocol::Collector::None, derny_protocol::Collector::Untold]);
    // The turn has 4,000 batches of 2 ms.
    let mut peer = made_up(&paused, "fake/copy-001");
    let Received::Answer(Answer::Turn(turn)) = peer.ask(&measure(2_000, 4_000)) else { panic!() };
    let collections = turn.counters[gc].unwrap();
    let slow = turn.times.unwrap().into_iter().filter(|ns| *ns > 10_000_000).count();
    assert!((20.0..70.0).contains(&collections) && slow as f64 == collections, "{collections}, {slow}");
}

fn mean(times: &[u64]) -> f64 {
    times.iter().sum::<u64>() as f64 / times.len() as f64
}

#[test]
fn calls_are_counted_in_the_file() {
    let file = std::env::temp_dir().join(format!("derny-fake-count-{}", std::process::id()));
    let mut peer = opened(&[&format!("--count-file={}", file.display())]);
    peer.ask(&measure(7, 3));
    peer.ask(&Command::Close);
    peer.quit();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(lines, ["open fake/steady 0", "measure fake/steady 21", "close fake/steady 21"]);
}

#[test]
fn as_many_cases_as_asked_for_and_self_timed_ones() {
    let mut peer = Peer::start(&["--cases=200", "--timing=self"]);
    peer.receive();
    let received = peer.ask(&Command::List { params: Vec::new(), test: false, prepare: None, file: None });
    let Received::Answer(Answer::Cases(cases)) = received else { panic!("{received:?}") };
    assert_eq!((cases.len(), cases[199].benchmark.as_str()), (200, "fake/copy-200"));
    peer.ask(&open("fake/copy-007"));
    let Received::Answer(Answer::Turn(turn)) = peer.ask(&measure(3, 2)) else { panic!() };
    assert_eq!(turn.ops, Some(vec![3.0, 3.0]));
}

#[test]
fn what_is_said_wrong_is_a_violation() {
    type Test = fn(&ProtocolError) -> bool;
    let lies: [(&str, Test); 8] = [
        ("garbage@measure:2", |error| *error == ProtocolError::NotUtf8),
        ("long-line@measure:2", |error| matches!(error, ProtocolError::TooLong { .. })),
        ("lie-times@measure:2", |error| matches!(error, ProtocolError::TooManyTimes { asked: 2, got: 4097 })),
        ("lie-ops@measure:2", |error| matches!(error, ProtocolError::OpsNotParallel { times: 2, ops: 3 })),
        ("lie-counters@measure:2", |error| matches!(error, ProtocolError::CounterCount { .. })),
        ("wrong-reply@measure:2", |error| matches!(error, ProtocolError::Unasked { reply: "collected", .. })),
        ("twice@measure:2", |error| matches!(error, ProtocolError::Unasked { reply: "times", .. })),
        ("wire-print@measure:2", |error| matches!(error, ProtocolError::Parse(_))),
    ];
    for (fault, is_it) in lies {
        let mut peer = opened(&[&format!("--fault={fault}")]);
        times(peer.ask(&measure(1, 2)));
        let mut received = peer.ask(&measure(1, 2));
        if fault.starts_with("twice") {
            times(received);
            received = peer.receive();
        }
        assert!(matches!(&received, Received::Violation(error) if is_it(error)), "{fault}: {received:?}");
    }
    let mut future = Peer::start(&["--fault=future"]);
    assert!(matches!(future.receive(), Received::Violation(ProtocolError::Version { theirs: 2 })));
}

#[test]
fn processes_end_as_they_are_told() {
    let ends = [
        ("exit:7@measure:2", Some(7)),
        // A process ended by a signal has no exit code.
        ("signal:SEGV@measure:2", None),
        ("signal:KILL@measure:2", None),
        ("half-line-exit@measure:2", Some(0)),
    ];
    for (fault, code) in ends {
        let mut peer = opened(&[&format!("--fault={fault}")]);
        times(peer.ask(&measure(1, 2)));
        assert_eq!(peer.ask(&measure(1, 2)), Received::End, "{fault}");
        assert_eq!(peer.status(), code, "{fault}");
    }
    let mut silent = Peer::start(&["--fault=exit-at-hello"]);
    assert_eq!(silent.receive(), Received::End);
    assert_eq!(silent.status(), Some(3));
}

#[test]
fn errors_leave_the_process_alive_unless_fatal() {
    let mut peer = opened(&["--fault=throw@measure:1"]);
    let failed = peer.ask(&measure(1, 1));
    assert!(matches!(failed, Received::Answer(Answer::Failed { fatal: false, .. })), "{failed:?}");
    assert_eq!(
        peer.ask(&Command::Close),
        Received::Answer(Answer::Closed { ops: None, reported: Vec::new(), texts: Vec::new() })
    );
    let mut mute = Peer::start(&["--fault=cannot-hello"]);
    assert!(matches!(mute.receive(), Received::Answer(Answer::Failed { fatal: true, .. })));
    assert_eq!(mute.status(), Some(1));
    let mut skipping = Peer::start(&["--fault=skip"]);
    skipping.receive();
    assert!(matches!(skipping.ask(&open("fake/steady")), Received::Answer(Answer::Skipped { .. })));
}

#[test]
fn hanging_processes_hang() {
    for fault in ["hang@measure:1", "half-line@measure:1"] {
        let mut peer = opened(&[&format!("--fault={fault}")]);
        peer.write("measure iterations=1 batches=1 within=1\n");
        assert!(!peer.ends_within(Duration::from_millis(200)), "{fault}");
    }
    for fault in ["hang@quit", "ignore-quit"] {
        let mut peer = opened(&[&format!("--fault={fault}")]);
        peer.write("quit\n");
        assert!(!peer.ends_within(Duration::from_millis(200)), "{fault}");
    }
}

#[test]
fn a_fault_may_keep_to_one_case_or_to_one_process() {
    let mut peer = opened(&["--fault=throw@measure", "--fault-case=fake/work"]);
    times(peer.ask(&measure(1, 1)));
    peer.ask(&Command::Close);
    peer.ask(&open("fake/work"));
    assert!(matches!(peer.ask(&measure(1, 1)), Received::Answer(Answer::Failed { .. })));
    let once = std::env::temp_dir().join(format!("derny-fake-once-{}", std::process::id()));
    let args = ["--fault=throw@measure", &format!("--fault-once={}", once.display())];
    assert!(matches!(opened(&args).ask(&measure(1, 1)), Received::Answer(Answer::Failed { .. })));
    times(opened(&args).ask(&measure(1, 1)));
    std::fs::remove_file(once).unwrap();
}

#[test]
fn floods_go_beside_the_protocol() {
    let mut peer = opened(&["--fault=flood-stderr:1000000@measure:1"]);
    times(peer.ask(&measure(1, 1)));
    assert_eq!(peer.quit().len(), 1_000_001);
}

#[test]
fn a_second_run_may_end_the_process() {
    let args = ["--fault=fail-on-second-run", "--timing=self"];
    let mut peer = opened(&args);
    times(peer.ask(&measure(1, 1)));
    assert_eq!(peer.ask(&measure(1, 1)), Received::End);
    assert_eq!(peer.status(), Some(0));
    assert_eq!(opened(&args).ask(&measure(1, 2)), Received::End, "also within a turn");
}

#[test]
fn a_child_keeps_the_streams_open() {
    let mut peer = opened(&["--fault=spawn-child:2", "--fault=exit:0@measure"]);
    peer.write("measure iterations=1 batches=1 within=1\n");
    assert_eq!(peer.status(), Some(0));
    // The process has ended, but its child still has the stream open.
    assert!(!peer.stream_ends_within(Duration::from_millis(200)));
}

#[test]
#[cfg(target_os = "linux")]
fn leaks_and_busy_waits_are_real() {
    let mut leaky = opened(&["--fault=leak:1000000@measure"]);
    let mut tidy = opened(&[]);
    let (before, steady) = (leaky.resident_kb(), tidy.resident_kb());
    for _ in 0..50 {
        leaky.ask(&measure(1, 1));
        tidy.ask(&measure(1, 1));
    }
    assert!(leaky.resident_kb() > before + 40_000);
    assert!(tidy.resident_kb() < steady + 1_000);
    let cpu_ms = |args: &[&str]| {
        let mut peer = opened(args);
        std::thread::sleep(Duration::from_millis(600));
        peer.cpu_ms()
    };
    assert!(cpu_ms(&["--fault=busy-wait"]) > cpu_ms(&[]) + 20);
}

#[test]
fn rules_that_only_conform_can_see_are_broken() {
    let mut honest = Peer::start(&["--conform"]);
    let mut broken = Peer::start(&["--conform", "--fault=timed-setup", "--fault=lie-calls"]);
    for peer in [&mut honest, &mut broken] {
        peer.receive();
        peer.ask(&Command::List { params: Vec::new(), test: false, prepare: None, file: None });
    }
    let calls = |peer: &mut Peer| {
        peer.ask(&open("conform/count"));
        let Received::Answer(Answer::Turn(turn)) = peer.ask(&measure(5, 2)) else { panic!() };
        peer.ask(&Command::Close);
        turn.counters.last().copied().flatten()
    };
    assert_eq!((calls(&mut honest), calls(&mut broken)), (Some(10.0), Some(12.0)));
    let fastest = |peer: &mut Peer| {
        peer.ask(&open("conform/setup"));
        times(peer.ask(&measure(1, 50))).into_iter().min().unwrap()
    };
    let (apart, within) = (fastest(&mut honest), fastest(&mut broken));
    assert!(apart < 1_900_000 && within > 2_000_000, "{apart} and {within}");
    let mut halved = opened(&["--fault=lie-clock"]);
    let fastest = times(halved.ask(&measure(10_000, 200))).into_iter().min().unwrap();
    assert!((240_000..450_000).contains(&fastest), "{fastest} ns of 500,000");
}

#[test]
fn wrong_arguments_are_told() {
    for args in [&["--fault=dance"][..], &["--fault=hang@night"], &["--cases=many"], &["--unknown"]] {
        let mut peer = Peer::start(args);
        assert_eq!(peer.receive(), Received::End);
        assert_eq!(peer.status(), Some(2), "{args:?}");
    }
}
