//! Tests a store on a server: all verbs that use a store, and copies.

#![cfg(unix)]

use crate::fleet::{changes, plan, verdicts};
use crate::place::{Done, Place};
use derny_stats::Rng;
use derny_testkit::postgres::Server;
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Returns the address of a store, with a password that the server does not require.
pub fn address(schema: &str) -> String {
    Server::of_all().address(schema).replace("postgresql:///", "postgresql://derny:hunter2@/")
}

/// Runs a command with its store on the server. Fails if the output contains the password.
#[track_caller]
fn on_server(place: &Place, store: &str, args: &[&str]) -> Done {
    let done = place.derny_with(&[("DERNY_STORE", store)], args);
    assert!(!done.out.contains("hunter2") && !done.err.contains("hunter2"), "{}{}", done.out, done.err);
    done
}

fn ids(runs: &Value) -> Vec<&str> {
    runs.as_array().unwrap().iter().map(|run| run["header"]["id"].as_str().unwrap()).collect()
}

/// Only Derny gets the password of the store, unless the user passes it on.
#[test]
fn measured_code_does_not_get_the_password_of_the_store() {
    let place = Place::new();
    let line = format!("env >>seen; exec {} --cases=1", crate::place::harness());
    place.write("derny.toml", &format!("[suite.own]\nenv = {{ PGPASSFILE = \"mine\" }}\nharness = {{ command = [\"sh\", \"-c\", \"{line}\"] }}\n"));
    let env = [
        ("DERNY_STORE", address("withheld")),
        ("PGPASSWORD", "hunter2".to_owned()),
        ("PGPASSFILE", "/of/derny".to_owned()),
        ("PGAPPNAME", "passed on".to_owned()),
    ];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let tiny = crate::place::TINY;
    place.derny_with(&env, &[&["run"], &tiny[..]].concat()).expect(0);
    let seen = place.read("seen");
    assert!(!seen.contains("hunter2") && !seen.contains("DERNY_STORE"), "{seen}");
    assert!(seen.contains("PGPASSFILE=mine") && seen.contains("PGAPPNAME=passed on"), "{seen}");
}

#[test]
fn no_run_keeps_a_password_however_its_address_spells_it() {
    let place = Place::new();
    place.write("own.csv", "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB\nx,1e-6,1e-6,1e-6,0,0,0\n");
    let store = address("secrets");
    let plain = store.replace("derny:hunter2@", "derny@");
    let addresses = [
        store.clone(),
        store.replace("hunter2", "hun?ter2"),
        format!("{plain}&p%61ssword=hunter2"),
        store.replace("postgresql:", "PostgreSQL:"),
    ];
    for (number, address) in addresses.iter().enumerate() {
        let word = format!("--store={address}");
        let derny = |args: &[&str]| {
            let done = place.derny(&[&[word.as_str()], args].concat()).expect(0);
            let said = format!("{}{}", done.out, done.err);
            assert!(!said.contains("hunter2") && !said.contains("ter2@"), "{address}: {said}");
            done
        };
        // Import another file each time, so that each becomes a run.
        derny(&["import", "own.csv", "--suite", &format!("s{number}")]);
        let document = derny(&["show", "last", "-f", "json"]).json();
        assert_eq!(document["run"]["args"][1], "import", "{document}");
        derny(&["export", "--raw", "-f", "ndjson", "last"]);
        derny(&["config"]);
    }
}

#[test]
fn all_verbs_work_with_a_store_on_a_server_and_it_is_copied_there_and_back() {
    let place = Place::new();
    let store = address("verbs");
    let derny = |args: &[&str]| on_server(&place, &store, args);
    let nothing = derny(&["show"]).expect(2);
    assert!(nothing.err.contains("there are no stored runs yet") && nothing.err.contains("postgresql://"));
    assert!(derny(&["doctor", "-f", "json"]).out.contains("can be created"));
    for _ in 0..2 {
        let run = place.tiny(&["steady", "--store", &store]).expect(0);
        assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{}", run.err);
    }
    derny(&["runs", "baseline", "set", "main", "last~1"]).expect(0);
    derny(&["runs", "note", "last", "of a server"]).expect(0);
    derny(&["compare", "main", "last"]).expect(0);
    let document = derny(&["show", "-f", "json"]).expect(0);
    assert!(document.out.contains("--store") && document.json()["run"]["note"] == "of a server");
    derny(&["report", "last", "-o", "page.html"]).expect(0);
    assert!(!place.read("page.html").contains("hunter2"));
    let raw = derny(&["export", "--raw", "-f", "ndjson", "last"]).expect(0);
    assert!(!raw.lines().is_empty());
    let gate = derny(&["compare", "--gate", "main", "last"]);
    assert!([0, 1, 5].contains(&gate.code), "{}", gate.err);
    assert!(derny(&["runs", "baseline"]).expect(0).out.contains("main"));
    let config = derny(&["config"]).expect(0);
    assert!(config.out.contains("postgresql://derny@/postgres"), "{}", config.out);
    let runs = derny(&["runs", "-f", "json"]).expect(0).json();
    assert_eq!(ids(&runs).len(), 2);
    assert!(!place.root.join(".derny/derny.sqlite").exists());

    // Copy all runs back into a folder, twice. Then copy the runs that only one of the two stores has.
    let copied = derny(&["runs", "copy", &store, "copy"]).expect(0);
    assert!(
        copied.err.contains("copied 2 runs; 0 were already there") && copied.err.contains("baselines: main"),
        "{}",
        copied.err
    );
    let again = derny(&["runs", "copy", &store, "copy"]).expect(0);
    assert!(again.err.contains("copied 0 runs; 2 were already there"), "{}", again.err);
    let there = place.derny(&["--store", "copy", "runs", "-f", "json"]).expect(0).json();
    assert_eq!(there, runs);
    let shown = |store: &str| {
        place.derny(&["--store", store, "export", "--raw", "-f", "ndjson", "main"]).expect(0).out
    };
    assert_eq!(shown("copy"), shown(&store));
    derny(&["runs", "delete", "last"]).expect(0);
    assert_eq!(ids(&derny(&["runs", "-f", "json"]).expect(0).json()).len(), 1);
    let none = place.derny(&["runs", "copy", "nowhere", "copy"]).expect(2);
    assert!(
        none.err.contains("there is no store to copy") && !place.root.join("nowhere").exists(),
        "{}",
        none.err
    );
    let pruned = derny(&["runs", "prune", "--above", "0", "--keep", "0"]).expect(0);
    assert!(pruned.err.contains("pruned 0 runs"), "a baseline stays: {}", pruned.err);
}

/// Fails unless the workers' results in the store cover the plan, each case once. Returns the document.
#[track_caller]
fn merged(place: &Place, store: &str, cases: usize) -> Value {
    let document = on_server(place, store, &["fleet", "merge", "plan.json", "-f", "json"]).expect(0).json();
    assert_eq!(verdicts(&document), vec!["worse"; cases]);
    let plan: Value = serde_json::from_str(&place.read("plan.json")).unwrap();
    for change in changes(&document) {
        assert_eq!(change["replicates"], plan["shards"][0]["blocks"][0]["pairs"], "{change}");
    }
    document
}

#[test]
fn workers_share_a_plan_and_what_they_measured_is_merged_like_parts_in_files() {
    let place = Place::new();
    let store = address("workers");
    let derny = |args: &[&str]| on_server(&place, &store, args);
    plan(&place, &[]);
    let early = derny(&["fleet", "merge", "plan.json"]).expect(2);
    assert!(early.err.contains("there are no stored runs yet"), "{}", early.err);
    let none = derny(&["fleet", "worker", "plan.json", "--for", "0"]).expect(0);
    assert!(none.err.contains("measured 0 shards; time is up"), "{}", none.err);
    let empty = derny(&["fleet", "merge", "plan.json"]).expect(2);
    assert!(empty.err.contains("no shard of the plan was measured"), "{}", empty.err);
    let folder = place.derny(&["fleet", "worker", "plan.json"]).expect(2);
    assert!(
        folder.err.contains("the store is a folder") && folder.err.contains("postgresql://"),
        "{}",
        folder.err
    );

    let workers: Vec<Child> =
        ["a", "b"].iter().map(|name| worker(&place, &store, &["--machine", name]).spawn().unwrap()).collect();
    let said: Vec<String> = workers
        .into_iter()
        .map(|worker| {
            let done = crate::place::done(worker.wait_with_output().unwrap());
            done.expect(0).err
        })
        .collect();
    let kept: usize = said.iter().map(|text| text.matches("is in the store").count()).sum();
    assert_eq!(kept, 3, "each shard is measured once: {said:?}");
    assert!(said.iter().all(|text| text.contains("no shard is left")), "{said:?}");
    let document = merged(&place, &store, 3);
    assert_eq!(merged(&place, &store, 3), document, "again it is the same");
    assert!(!place.root.join("undecided.json").exists());
    let again = derny(&["fleet", "worker", "plan.json"]).expect(0);
    assert!(again.err.contains("measured 0 shards; no shard is left"), "{}", again.err);
}

fn worker(place: &Place, store: &str, args: &[&str]) -> Command {
    let words = [&["fleet", "worker", "plan.json", "--lease", "1"], args].concat();
    let mut command = place.command(&words);
    command.env("DERNY_STORE", store).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Disturbances in addition to the kills.
#[derive(Default)]
struct Beside {
    /// Number of kills between two restarts of the server. 0 means no restarts.
    restart: u32,
    /// A library that sets the clock of every second worker two days ahead.
    clocks: Option<String>,
}

/// Writes a plan of this many cases, two per shard, all of which have become slower.
fn slower(place: &Place, cases: usize) {
    let harness = crate::place::harness();
    let new = format!("new={harness} --made-up --cases={cases} --offset=50");
    let count = format!("--cases={cases}");
    let words =
        "--set rounds=3 --set warmup=0 --budget 60s --set pin=none --set isolation=suite -o plan.json --";
    let shards = (cases / 2).to_string();
    let sides = ["fleet", "plan", "-x", "old@.", "-x", &new, "--shards", &shards];
    let harness = [harness, "--made-up", &count];
    let words = [&sides[..], &words.split(' ').collect::<Vec<&str>>(), &harness].concat();
    place.derny(&words).expect(0);
}

/// Runs two workers, killing and replacing one or the other `kills` times at random moments. Then lets one
/// finish.
fn kill_workers(schema: &str, cases: usize, kills: u32, seed: u64, beside: &Beside) {
    let place = Place::new();
    let store = address(schema);
    let mut rng = Rng::new(seed);
    slower(&place, cases);
    let start = |number: u32| {
        let mut command = worker(&place, &store, &["-qq"]);
        if let Some(library) = beside.clocks.as_ref().filter(|_| number % 2 == 1) {
            let apart = [("LD_PRELOAD", &**library), ("FAKETIME", "+2d"), ("DONT_FAKE_MONOTONIC", "1")];
            command.envs(apart);
        }
        command.spawn().unwrap()
    };
    let mut workers: Vec<Child> = (0..2).map(start).collect();
    let (mut killed, mut restarts, mut turned_away) = (0, 0, 0);
    while killed < kills {
        std::thread::sleep(Duration::from_millis(rng.below(900)));
        let victim = &mut workers[(killed % 2) as usize];
        // A worker succeeds only if no work is left, so there is nothing more to interrupt.
        if victim.try_wait().unwrap().is_some_and(|status| status.success()) {
            break;
        }
        victim.kill().unwrap();
        victim.wait().unwrap();
        killed += 1;
        // The other worker keeps running.
        if beside.restart > 0 && killed % beside.restart == 0 {
            Server::of_all().tell("restart");
            restarts += 1;
        }
        *victim = start(killed - 1);
    }
    for worker in workers.into_iter().chain([start(0)]) {
        let done = crate::place::done(worker.wait_with_output().unwrap());
        // A worker that starts while no server answers ends at once.
        if restarts > 0 && done.err.contains("no server answers") {
            turned_away += 1;
        } else {
            done.expect(0);
        }
    }
    assert!(turned_away < 3, "no worker came to the end");
    let document = merged(&place, &store, cases);
    let there = document["comparison"]["cases"].as_array().unwrap().len();
    let text = format!(
        "{killed} kills, {restarts} restarts ({turned_away} turned away): {there} of {cases} cases are there, each once\n"
    );
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}

#[test]
fn workers_that_are_killed_lose_nothing_and_nothing_is_there_twice() {
    kill_workers("killed", 4, 3, 7, &Beside::default());
}

#[test]
#[ignore = "takes minutes: tests/faults/worker_kills.sh"]
fn many_random_kills_of_workers() {
    let number =
        |name: &str, other: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other);
    let kills = number("KILLS", 50) as u32;
    let beside =
        Beside { restart: 10, clocks: std::env::var("CLOCKS").ok().filter(|library| !library.is_empty()) };
    kill_workers("many_killed", kills as usize * 2, kills, number("SEED", 1), &beside);
}
