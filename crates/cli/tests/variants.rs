//! Variants: the three forms of `-x`, how they alternate, worktrees of revisions, controls.

#![cfg(unix)]

mod place;

use place::{Events, Place, harness, number};
use std::process::Command;

/// Measured turns as `(block, round, variant)` in time order.
fn turns(events: &Events) -> Vec<(u64, u64, u64)> {
    let of_turn = |turn: &&serde_json::Value| {
        let process = events.process_of(turn);
        let field = |value: &serde_json::Value| value.as_u64().unwrap();
        (field(&process["block"]), field(&turn["round"]), field(&process["variant"]))
    };
    events.turns("measured").iter().map(of_turn).collect()
}

fn names(events: &Events) -> Vec<String> {
    let variants = events.0[0]["run"]["variants"].as_array().unwrap();
    variants.iter().map(|variant| variant["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn variants_alternate_turn_by_turn_in_random_order() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={} --offset=60", harness()));
    let args = [
        "steady",
        "-x",
        &old,
        "-x",
        &new,
        "--processes",
        "3",
        "--rounds",
        "8",
        "--budget",
        "5s",
        "--seed",
        "3",
    ];
    let events = place.events(&args);
    assert_eq!(names(&events), ["old", "new"]);
    let turns = turns(&events);
    assert_eq!(turns.len(), 3 * 8 * 2);
    let mut orders = std::collections::BTreeSet::new();
    for pair in turns.chunks(2) {
        let [(block, round, first), (other_block, other_round, second)] = pair else { panic!() };
        assert_eq!((block, round), (other_block, other_round), "turns of a round are adjacent: {turns:?}");
        assert_ne!(first, second);
        orders.insert(*first);
    }
    assert_eq!(orders.len(), 2, "either variant comes first at times: {turns:?}");
    let case = &place.document()["suites"][0]["cases"][0];
    let typical = |index: usize| number(&case["variants"][index]["time"]["typical"]["value"]);
    let ratio = typical(1) / typical(0);
    assert!((1.4..1.8).contains(&ratio), "60 % slower, not {ratio}");
    let shown = place.derny(&["show"]).expect(0).out;
    assert!(shown.contains("old") && shown.contains("new"), "{shown}");
}

#[test]
fn a_variable_makes_a_variant() {
    let place = Place::new();
    let log = place.root.join("log");
    let text = format!("#!/bin/sh\necho \"$MODE\" >> '{}'\nexec '{}' \"$@\"\n", log.display(), harness());
    let program = place.program("bench.sh", &text);
    let mut args = vec!["run"];
    args.extend(place::TINY);
    args.extend(["steady", "-x", "plain+MODE=a+b", "-x", "other+MODE=c", "-f", "ndjson", "--"]);
    args.push(program.to_str().unwrap());
    let events = Events(place.derny(&args).expect(0).lines());
    assert_eq!(names(&events), ["plain", "other"]);
    let log = std::fs::read_to_string(&log).unwrap();
    let count = |word: &str| log.lines().filter(|line| *line == word).count();
    assert_eq!((count("a+b"), count("c")), (3, 2), "two processes each, and the first lists: {log}");
}

#[test]
fn bad_variants_are_told_before_anything_runs() {
    let place = Place::new();
    for (variant, told) in [
        ("x", "says no way to launch"),
        ("=y", "has no name"),
        ("x+y", "is no +KEY=VALUE"),
        ("x@nowhere", "is no revision"),
    ] {
        let done = place.tiny(&["-x", variant]).expect(2);
        assert!(done.err.contains(told), "{variant}: {}", done.err);
    }
    let twice = place.tiny(&["-x", "x+A=1", "-x", "x+A=2"]).expect(2);
    assert!(twice.err.contains("two variants are called `x`"), "{}", twice.err);
    assert!(place.runs().is_empty());
}

#[test]
fn control_measures_a_variant_against_itself() {
    let place = Place::new();
    let events = place.events(&["steady", "--control"]);
    assert_eq!(names(&events), ["base", "control"]);
    assert_eq!(events.settings()["control"], true);
    let commands: Vec<&serde_json::Value> =
        events.of("process-started").iter().map(|process| &process["command"]).collect();
    assert_eq!(commands.len(), 4);
    assert!(commands.iter().all(|command| *command == commands[0]));
}

#[test]
fn a_table_of_the_file_is_a_variant_by_its_name() {
    let place = Place::new();
    let command = format!("[variant.slow]\ncommand = ['{}', '--offset=100']\nenv.A = '1'\n", harness());
    place.write("derny.toml", &command);
    let fast = format!("fast={}", harness());
    let events = place.events(&["steady", "-x", &fast, "-x", "slow+B=2"]);
    let slow = &events.0[0]["run"]["variants"][1];
    assert_eq!(slow["command"][1], "--offset=100");
    assert_eq!(slow["env"], serde_json::json!([["A", "1"], ["B", "2"]]));
}

fn git(place: &Place, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(&place.root).args([
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@t",
        "-c",
        "commit.gpgsign=false",
    ]);
    let output = command.args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn revisions_are_measured_in_worktrees_of_their_own() {
    let place = Place::new();
    git(&place, &["init", "-q", "-b", "main"]);
    let log = place.root.join("log");
    for (cost, subject) in [(50, "first"), (150, "second")] {
        let text = format!(
            "#!/bin/sh\necho \"{cost} $MODE\" >> '{}'\nexec '{}' --cost-ns={cost}\n",
            log.display(),
            harness()
        );
        place.program("bench.sh", &text);
        git(&place, &["add", "bench.sh"]);
        git(&place, &["commit", "-q", "-m", subject]);
    }
    // What is not committed is not in a revision.
    place.program("bench.sh", "#!/bin/sh\nexit 7\n");
    let mut args = vec!["run"];
    args.extend(place::TINY);
    args.extend(["steady", "-x", "old@HEAD~1", "-x", "new@main+MODE=on", "-f", "ndjson", "--", "./bench.sh"]);
    let events = Events(place.derny(&args).expect(0).lines());
    let variants = &events.0[0]["run"]["variants"];
    assert_eq!(variants[0]["revision"].as_str().unwrap().len(), 40);
    assert_ne!(variants[0]["revision"], variants[1]["revision"]);
    let case = &place.document()["suites"][0]["cases"][0];
    let typical = |index: usize| number(&case["variants"][index]["time"]["typical"]["value"]);
    let ratio = typical(1) / typical(0);
    assert!((2.5..3.5).contains(&ratio), "three times as slow, not {ratio}");
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("50 \n") && log.contains("150 on\n") && !log.contains("50 on\n50 on"), "{log}");
    let trees = place.root.join(".derny/worktrees");
    let made = || std::fs::read_dir(&trees).unwrap().filter(|e| e.as_ref().unwrap().path().is_dir()).count();
    assert_eq!(made(), 2);
    place.derny(&args).expect(0);
    assert_eq!(made(), 2, "a worktree is made once");
}
