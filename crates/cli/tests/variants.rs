//! Tests variants: the forms of `-x` and of `[variant.NAME]`, alternation, controls and series.

#![cfg(unix)]

use crate::place::{Events, Place, TINY, harness, number};

/// Returns the measured turns as `(block, round, variant)` in time order.
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
        "--set",
        "processes=3",
        "--set",
        "rounds=8",
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
    args.extend(TINY);
    args.extend(["steady", "-x", "plain+MODE=a+b", "-x", "other+MODE=c", "-f", "ndjson", "--"]);
    args.push(program.to_str().unwrap());
    let events = Events(place.derny(&args).expect(0).lines());
    assert_eq!(names(&events), ["plain", "other"]);
    let log = std::fs::read_to_string(&log).unwrap();
    let count = |word: &str| log.lines().filter(|line| *line == word).count();
    assert_eq!((count("a+b"), count("c")), (3, 2), "two processes each, and the first lists: {log}");
}

#[test]
fn a_control_is_marked_and_launched_like_the_first() {
    let place = Place::new();
    let events = place.events(&["steady", "--control"]);
    assert_eq!(names(&events), ["base", "control"]);
    assert_eq!(events.settings()["control"], true);
    let commands: Vec<&serde_json::Value> =
        events.of("process-started").iter().map(|process| &process["command"]).collect();
    assert_eq!(commands.len(), 4);
    assert!(commands.iter().all(|command| *command == commands[0]));
    let events = place.events(&["steady", "--control", "-x", "slow+--offset=100", "-x", "fast@."]);
    assert_eq!(names(&events), ["slow", "control", "fast"]);
    let variants = events.0[0]["run"]["variants"].as_array().unwrap();
    let control: Vec<bool> = variants.iter().map(|variant| variant["control"] == true).collect();
    assert_eq!(control, [false, true, false]);
    for block in 0..2 {
        let of_block = |process: &&&serde_json::Value| process["block"] == block;
        let started = events.of("process-started");
        let processes: Vec<_> = started.iter().filter(of_block).collect();
        assert_eq!(processes.len(), 3, "all in the same block");
        for process in processes {
            let slow = process["command"].as_array().unwrap().last().unwrap() == "--offset=100";
            assert_eq!(slow, process["variant"] != 2);
        }
    }
}

#[test]
fn another_benchmark_is_measured_in_the_place_of_a_case() {
    let place = Place::new();
    let count = place.root.join("calls");
    let file = format!("--count-file={}", count.display());
    let variants = ["-x", "here@.", "-x", "there:fake/work"];
    let args = [&["steady"], &variants[..], &["--", "--work=100000", &file]].concat();
    let events = place.events(&args);
    let cases = events.0[0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0]["id"]["benchmark"], "fake/steady");
    assert_eq!(events.0[0]["run"]["variants"][1]["benchmark"], "fake/work");
    for process in events.of("process-started") {
        let calls = std::fs::read_to_string(&count).unwrap();
        let measured = |line: &&str| line.starts_with(&format!("{} measure ", process["pid"]));
        let mut seen: Vec<&str> =
            calls.lines().filter(measured).map(|line| line.split(' ').nth(2).unwrap()).collect();
        seen.dedup();
        let wanted = if process["variant"] == 0 { "fake/steady" } else { "fake/work" };
        assert_eq!(seen, [wanted]);
    }
    let case = &place.document()["suites"][0]["cases"][0];
    let typical = |index: usize| number(&case["variants"][index]["time"]["typical"]["value"]);
    assert!(typical(1) > 10.0 * typical(0), "{} against {}", typical(1), typical(0));
    // Cases without a counterpart are reported.
    let some = place.tiny(&[&["steady", "sized"], &variants[..]].concat()).expect(0);
    assert!(some.err.contains("is skipped") && some.err.contains("fake/sized"), "{}", some.err);
}

#[test]
fn runs_of_a_series_know_each_other() {
    let place = Place::new();
    place.tiny(&["steady", "--repeat", "3", "--seed", "8"]).expect(0);
    let headers: Vec<serde_json::Value> = place.runs().iter().map(|run| run["header"].clone()).collect();
    assert_eq!(headers.len(), 3);
    let first = headers.last().unwrap();
    for (header, number) in headers.iter().zip([2, 1, 0]) {
        assert_eq!(header["series"]["id"], first["id"]);
        assert_eq!(header["series"]["number"], number);
        assert_eq!(header["series"]["of"], 3);
        assert_eq!(header["seed"], 8 + number, "each draws numbers of its own");
    }
    place.tiny(&["steady"]).expect(0);
    assert!(place.document()["run"]["series"].is_null());
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

#[test]
fn a_table_can_say_all_that_a_word_can() {
    let place = Place::new();
    let table =
        "[variant.new]\nargs = ['--offset=50']\nbenchmark = 'fake/work'\n[variant.new.env]\nA = '1'\n";
    place.write("derny.toml", table);
    let events = place.events(&["steady", "-x", "old@.", "-x", "new+--work=10"]);
    let new = &events.0[0]["run"]["variants"][1];
    assert_eq!(new["args"], serde_json::json!(["--offset=50", "--work=10"]));
    assert_eq!(new["benchmark"], "fake/work");
    let started = events.of("process-started");
    let commands =
        started.iter().filter(|process| process["variant"] == 1).map(|process| &process["command"]);
    for command in commands {
        let words = command.as_array().unwrap();
        assert_eq!(
            words[words.len() - 2..],
            [serde_json::json!("--offset=50"), serde_json::json!("--work=10")]
        );
    }
}

#[test]
fn a_command_replaces_the_runtime_where_the_suite_names_one() {
    let place = Place::new();
    place.write("a.txt", "");
    let script =
        format!("#!/bin/sh\necho \"$0 $*\" >> '{}/log'\nexec '{}'\n", place.root.display(), harness());
    place.program("one.sh", &script);
    place.program("two.sh", &script);
    let suite = |command: &str| {
        let suite = format!(
            "[suite.s]\nharness = {{ command = {command}, runtime = './one.sh' }}\nfiles = ['*.txt']\n"
        );
        place.write("derny.toml", &suite);
        let _ = std::fs::remove_file(place.root.join("log"));
        let args = ["run", "steady", "--once", "-x", "old@.", "-x", "new=./two.sh -q"];
        place.derny(&args).expect(0);
        std::fs::read_to_string(place.root.join("log")).unwrap()
    };
    let file = place.root.join("a.txt").display().to_string();
    let both = suite("['{runtime}', '--file', '{file}']");
    assert!(both.contains(&format!("./one.sh --file {file}\n")), "{both}");
    assert!(both.contains(&format!("./two.sh -q --file {file}\n")), "{both}");
    let whole = suite("['./one.sh', '{file}']");
    assert!(whole.contains("./two.sh -q\n"), "where no runtime is named it is the whole line: {whole}");
}

#[test]
fn a_program_that_is_not_there_is_named_with_those_like_it() {
    let place = Place::new();
    place.write("tools/harness-new", "");
    let old = format!("old={}", harness());
    let args =
        [&["run", "steady"], &TINY[..], &["-x", &old, "-x", "new=./tools/harnes-new", "--", harness()]]
            .concat();
    let done = place.derny(&args).expect(3);
    let told = [
        "`./tools/harnes-new`, the program of variant new, could not be started",
        "use `./tools/harness-new`",
    ];
    told.into_iter().for_each(|text| assert!(done.err.contains(text), "{}", done.err));
    let swapped =
        [&["run", "steady"], &TINY[..], &["-x", "new=./nowhere/harness", "-x", &old, "--", harness()]]
            .concat();
    let done = place.derny(&swapped).expect(3);
    assert!(
        done.err.contains("variant new") && done.err.contains("with a program on the PATH"),
        "{}",
        done.err
    );
}
