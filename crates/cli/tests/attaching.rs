//! Tests `derny dev attach`: its standard input and output carry the protocol, and the scripted harness acts
//! as the running session.

#![cfg(unix)]

use crate::place::{self, Done, Place, harness};
use std::io::{Write, pipe};
use std::process::{Command, Stdio};

/// Attaches the engine to a session of the scripted harness. Returns the result of the engine, and the text
/// and JSON that it sent to the session.
fn attach(place: &Place, flags: &[&str], harness_flags: &[&str]) -> (Done, String) {
    let (commands, to_session) = pipe().unwrap();
    let (replies, to_engine) = pipe().unwrap();
    // A `Command` keeps its ends of the pipes open. Drop it, so that the readers see the end of the stream.
    let session = Command::new(harness())
        .args(harness_flags)
        .env("DERNY_COMMANDS", "/dev/stdin")
        .env("DERNY_REPLIES", "/dev/stdout")
        .stdin(commands)
        .stdout(to_engine)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let spawn = |mut engine: Command| engine.stdin(replies).stdout(to_session).spawn().unwrap();
    let mut engine = place.command(&[&["dev", "attach"], flags].concat());
    engine.stderr(Stdio::piped());
    let engine = place::done(spawn(engine).wait_with_output().unwrap());
    let told = String::from_utf8(session.wait_with_output().unwrap().stderr).unwrap();
    (engine, told)
}

const TINY: [&str; 8] =
    ["--budget", "300ms", "--set", "processes=3", "--set", "rounds=2", "--set", "warmup=0"];

/// Splits what the session received into the report for the user and the JSON result.
fn parts(told: &str) -> (&str, serde_json::Value) {
    let (text, json) = told.split_at(told.find("{\n").or_else(|| told.find("{\"")).unwrap());
    (text, serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}")))
}

#[test]
fn a_session_is_measured_and_told() {
    let place = Place::new();
    let (engine, told) = attach(&place, &[&TINY[..], &["fake/steady", "fake/sized", "-v"]].concat(), &[]);
    let engine = engine.expect(0);
    assert!(engine.err.contains("[3/3]"), "{}", engine.err);
    let (text, result) = parts(&told);
    assert!(text.contains("3 visits in 1 process") && text.contains("DY225"), "{text}");
    let cases = result["suites"][0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    assert_eq!(result["suites"][0]["suite"], "session");
    assert!(cases.iter().all(|case| case["variants"][0]["processes"] == 3), "{text}");
    // The session is stored like any other run, but has a single process.
    assert_eq!(place.document()["suites"], result["suites"]);
    assert!(place.derny(&["show", "-v"]).expect(0).err.contains("DY225"));
    let mut pids: Vec<u64> = Vec::new();
    for row in place.rows() {
        pids.extend(row["pid"].as_u64());
    }
    pids.dedup();
    assert!(pids.len() <= 1, "{pids:?}");
}

#[test]
fn flags_select_and_set() {
    let place = Place::new();
    let flags = ["fake/sized", "-p", "n=5", "--suite", "repl", "--save", "before", "--note", "tried"];
    let (engine, told) = attach(&place, &[&TINY[..], &flags].concat(), &[]);
    engine.expect(0);
    let (_, result) = parts(&told);
    assert_eq!(result["suites"][0]["suite"], "repl");
    assert_eq!(result["suites"][0]["cases"][0]["case"]["id"]["params"], serde_json::json!([["n", "5"]]));
    assert_eq!(result["run"]["note"], "tried");
    assert!(place.derny(&["runs", "baseline", "list"]).expect(0).out.contains("before"));
    let (engine, told) = attach(&place, &["nosuch"], &[]);
    assert!(engine.expect(4).err.contains("no case matches"));
    assert_eq!(told, "no benchmark is selected\nnull");
}

#[test]
fn what_fails_is_told_and_the_others_go_on() {
    let place = Place::new();
    let faults = ["--fault=throw@measure:1", "--fault-case=fake/steady"];
    let (engine, told) = attach(&place, &[&TINY[..], &["fake/steady", "fake/work"]].concat(), &faults);
    let engine = engine.expect(3);
    let (text, result) = parts(&told);
    assert!(text.contains("DY307"), "{text}");
    assert!(!engine.err.contains("DY307"), "the session tells it: {}", engine.err);
    let states: Vec<String> = result["suites"][0]["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| case["state"].to_string())
        .collect();
    assert!(states[0].contains("failed") && states[1].contains("measured"), "{states:?}");
}

#[test]
fn a_session_that_goes_away_ends_the_engine() {
    let place = Place::new();
    for (fault, code) in
        [("exit:0@measure:3", "DY303"), ("garbage@measure:2", "DY306"), ("exit:0@list", "DY30")]
    {
        let (engine, told) = attach(&place, &TINY, &[&format!("--fault={fault}")]);
        let engine = engine.expect(3);
        assert!(engine.err.contains(code), "{fault}: {}", engine.err);
        assert_eq!(told, "", "{fault}: there is nobody to tell");
    }
}

#[test]
fn an_empty_standard_input_is_a_session_that_is_gone() {
    let place = Place::new();
    let done = place.derny(&["dev", "attach"]).expect(3);
    assert!(done.err.contains("ended before its first line"), "{}", done.err);
    assert_eq!(done.out, "");
    assert!(
        place
            .derny(&["dev", "attach", "--", "node", "x.js"])
            .expect(2)
            .err
            .contains("derny run -- node x.js")
    );
    let mut child = place.command(&["dev", "attach"]);
    let mut child =
        child.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"hello\n").unwrap();
    let done = place::done(child.wait_with_output().unwrap()).expect(3);
    assert!(done.err.contains("DY306"), "{}", done.err);
}
