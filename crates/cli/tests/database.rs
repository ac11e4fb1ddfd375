//! A store on a server: every verb that takes a store, and copies.

#![cfg(unix)]

use crate::place::{Done, Place};
use derny_testkit::postgres::Server;
use serde_json::Value;

/// The address of a store, with a password that the server does not ask for.
fn address(schema: &str) -> String {
    Server::of_all().address(schema).replace("postgresql:///", "postgresql://derny:hunter2@/")
}

/// Runs a command whose store is on the server. Nothing that it prints has the password.
#[track_caller]
fn on_server(place: &Place, store: &str, args: &[&str]) -> Done {
    let done = place.derny_with(&[("DERNY_STORE", store)], args);
    assert!(!done.out.contains("hunter2") && !done.err.contains("hunter2"), "{}{}", done.out, done.err);
    done
}

fn ids(runs: &Value) -> Vec<&str> {
    runs.as_array().unwrap().iter().map(|run| run["header"]["id"].as_str().unwrap()).collect()
}

#[test]
fn all_verbs_work_with_a_store_on_a_server_and_it_is_copied_there_and_back() {
    let place = Place::new();
    let store = address("verbs");
    let derny = |args: &[&str]| on_server(&place, &store, args);
    let nothing = derny(&["show"]).expect(2);
    assert!(nothing.err.contains("there are no stored runs yet") && nothing.err.contains("postgresql://"));
    assert!(derny(&["doctor", "-f", "json"]).out.contains("can be made"));
    for _ in 0..2 {
        let run = place.tiny(&["steady", "--store", &store]).expect(0);
        assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{}", run.err);
    }
    derny(&["baseline", "set", "main", "last~1"]).expect(0);
    derny(&["runs", "annotate", "last", "of a server"]).expect(0);
    derny(&["compare", "main", "last"]).expect(0);
    let document = derny(&["show", "-f", "json"]).expect(0);
    assert!(document.out.contains("--store") && document.json()["run"]["note"] == "of a server");
    derny(&["report", "last", "-o", "page.html"]).expect(0);
    assert!(!place.read("page.html").contains("hunter2"));
    let raw = derny(&["export", "--raw", "-f", "ndjson", "last"]).expect(0);
    assert!(!raw.lines().is_empty());
    let gate = derny(&["gate"]);
    assert!([0, 1, 5].contains(&gate.code), "{}", gate.err);
    assert!(derny(&["baseline"]).expect(0).out.contains("main"));
    let config = derny(&["config"]).expect(0);
    assert!(config.out.contains("postgresql://derny@/postgres"), "{}", config.out);
    let runs = derny(&["runs", "-f", "json"]).expect(0).json();
    assert_eq!(ids(&runs).len(), 2);
    assert!(!place.root.join(".derny/derny.sqlite").exists());

    // Back into a folder, twice, and what one has more than the other.
    let copied = derny(&["store", "copy", &store, "copy"]).expect(0);
    assert!(
        copied.err.contains("copied 2 runs; 0 were there") && copied.err.contains("baselines: main"),
        "{}",
        copied.err
    );
    let again = derny(&["store", "copy", &store, "copy"]).expect(0);
    assert!(again.err.contains("copied 0 runs; 2 were there"), "{}", again.err);
    let there = place.derny(&["--store", "copy", "runs", "-f", "json"]).expect(0).json();
    assert_eq!(there, runs);
    let shown = |store: &str| {
        place.derny(&["--store", store, "export", "--raw", "-f", "ndjson", "main"]).expect(0).out
    };
    assert_eq!(shown("copy"), shown(&store));
    derny(&["runs", "delete", "last"]).expect(0);
    assert_eq!(ids(&derny(&["runs", "-f", "json"]).expect(0).json()).len(), 1);
    let none = place.derny(&["store", "copy", "nowhere", "copy"]).expect(2);
    assert!(
        none.err.contains("there is no store to copy") && !place.root.join("nowhere").exists(),
        "{}",
        none.err
    );
    let pruned = derny(&["runs", "prune", "--above", "0", "--keep", "0"]).expect(0);
    assert!(pruned.err.contains("pruned 0 runs"), "a baseline stays: {}", pruned.err);
}
