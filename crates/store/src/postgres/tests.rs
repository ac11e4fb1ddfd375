//! Tests of behaviour that only a store on a server has: schema versions, network errors, and broken
//! connections.

use super::database::Database;
use super::schema::{STEPS, update};
use crate::backend::{Backend, by_name};
use crate::scenario::{Random, case, end, header, process, process_end, start, turn, visit};
use crate::{ErrorKind, Location, Store, StoreError, Taken};
use derny_model::{Event, RunStatus, Turn};
use derny_testkit::postgres::{PORT, Server};
use std::path::Path;
use std::time::{Duration, Instant};

fn database(schema: &str) -> Database {
    let database = Database::of(&Server::of_all().address(schema)).unwrap();
    database.prepare(|_, _| Ok(())).unwrap();
    database
}

fn migrate(schema: &str, steps: &[&str]) -> Result<(), StoreError> {
    database(schema).prepare(|talk, schema| update(talk, schema, steps))
}

const FIRST: &str =
    "CREATE TABLE meta(key text PRIMARY KEY, value text); CREATE TABLE t(a bigint); INSERT INTO t VALUES(7);";

#[test]
fn an_older_schema_is_brought_up_to_date_once_and_whole() {
    migrate("older", &[FIRST]).unwrap();
    let steps = [FIRST, "ALTER TABLE t ADD COLUMN b bigint DEFAULT 1;", "UPDATE t SET b = a + b;"];
    let failing = [FIRST, "CREATE TABLE u(a bigint); nonsense"];
    let error = migrate("older", &failing).unwrap_err();
    assert!(error.kind == ErrorKind::Database && error.problem.why.contains("nonsense"), "{error}");
    let at_once: Vec<_> = (0..4).map(|_| std::thread::spawn(move || migrate("older", &steps))).collect();
    at_once.into_iter().for_each(|one| one.join().unwrap().unwrap());
    let own = database("older");
    assert_eq!(own.rows("SELECT b FROM t", Vec::new()).unwrap()[0].int(0).unwrap(), 8);
    let tables = own.rows("SELECT to_regclass('older.u') IS NULL", Vec::new()).unwrap();
    assert!(tables[0].bool(0).unwrap(), "what failed left nothing");
}

#[test]
fn a_newer_schema_is_refused_and_says_who_wrote_it() {
    let address = Server::of_all().address("newer");
    drop(super::open(&address).unwrap());
    let sql = "UPDATE meta SET value = '99' WHERE key = 'schema'; UPDATE meta SET value = '7.3.0' WHERE key = 'written_by'";
    database("newer").say(|talk| talk.simply(sql)).unwrap();
    let error = super::open(&address).err().unwrap();
    let text = error.to_string();
    assert_eq!(error.kind, ErrorKind::TooNew);
    let known = format!("supports {}", STEPS.len());
    for part in ["Derny 7.3.0", "schema is 99", &known, &address, "try"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn looking_creates_nothing() {
    let address = Server::of_all().address("looked_at");
    assert!(!super::exists(&address).unwrap());
    let dir = tempfile::tempdir().unwrap();
    let location = Location::named(Path::new(&address), dir.path());
    assert!(location.open_to_read().unwrap().is_none() && !super::exists(&address).unwrap());
    location.open().unwrap();
    assert!(location.open_to_read().unwrap().is_some());
}

#[test]
fn errors_say_where_why_and_what_to_try_and_no_password() {
    let server = Server::of_all();
    let (folder, owner) = (server.folder(), database("errors"));
    owner.say(|talk| talk.simply("CREATE ROLE ann LOGIN PASSWORD 'right'")).unwrap();
    let at =
        |who: &str, name: &str, folder: &str| format!("postgresql://{who}@/{name}?host={folder}&port={PORT}");
    for (address, why, remedy) in [
        (at("derny", "postgres", "/nowhere"), "no server answers at /nowhere:28457", "start the server"),
        (at("derny", "nothing", folder), "does not exist", "createdb nothing"),
        (at("ann:wrong", "postgres", folder), "password authentication failed", "PGPASSWORD"),
        (at("ann", "postgres", folder), "none is set", "PGPASSWORD"),
        (
            at("ann:right", "postgres", folder),
            "permission denied",
            "GRANT CREATE ON DATABASE postgres TO ann",
        ),
        (at("derny:right", "postgres?colour=red&host=x", folder), "colour", "postgresql://USER@HOST"),
    ] {
        let error = super::open(&address).err().unwrap();
        let text = format!("{error} {error:?}");
        assert_eq!(error.kind, ErrorKind::Open, "{text}");
        assert!(error.problem.why.contains(why) && error.problem.remedy.contains(remedy), "{text}");
        assert!(
            text.contains("postgresql://") && !text.contains("right@") && !text.contains("wrong"),
            "{text}"
        );
    }
}

#[test]
fn a_connection_is_encrypted_and_a_server_that_nobody_vouches_for_is_refused() {
    let server = Server::of_all();
    let [host, other] = server.hosts();
    let at = |host: &str, mode: &str, root: &str| {
        let root =
            if root.is_empty() { String::new() } else { format!("&sslrootcert={}/{root}", server.folder()) };
        format!("postgresql://derny@{host}:{PORT}/postgres?schema=encrypted&sslmode={mode}{root}")
    };
    for (host, mode, root) in [
        (&host, "verify-full", "root.crt"),
        (&other, "verify-ca", "root.crt"),
        (&other, "require", ""),
        (&other, "prefer", ""),
    ] {
        let own = Database::of(&at(host, mode, root)).unwrap();
        own.prepare(|_, _| Ok(())).unwrap_or_else(|error| panic!("{mode}: {error}"));
        let found = own.rows("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", Vec::new()).unwrap();
        assert!(found[0].bool(0).unwrap(), "{mode}");
    }
    for (host, mode, root, why, remedy) in [
        (&host, "verify-full", "other.crt", "cannot be encrypted", "sslrootcert=FILE"),
        (&host, "require", "other.crt", "cannot be encrypted", "sslrootcert=FILE"),
        (
            &other,
            "verify-full",
            "root.crt",
            "not valid for name",
            "the host name in the server's certificate",
        ),
        (&host, "verify-full", "hosts", "there are none", "sslrootcert=FILE"),
        (&host, "disable", "", "no encryption", "pg_hba.conf"),
    ] {
        let error = super::open(&at(host, mode, root)).err().unwrap();
        assert!(
            error.problem.why.contains(why) && error.problem.remedy.contains(remedy),
            "{mode} {root}: {error} {error:?}"
        );
    }
}

/// Closes the connection from the server's side, as happens when the server stops.
fn cut(rows: &Database) {
    let ended = rows.rows("SELECT pg_terminate_backend(pg_backend_pid())", Vec::new());
    assert!(ended.is_err(), "the connection is gone");
}

#[test]
fn a_transaction_whose_connection_broke_is_done_anew_and_kept_once() {
    let own = database("broken");
    own.prepare(|talk, schema| update(talk, schema, STEPS)).unwrap();
    own.hold("aaaa").unwrap();
    let mut tries = 0;
    own.write(&mut |rows| {
        tries += 1;
        let cases = [case("a")];
        let key = rows.begin(&header("aaaa"), &|| by_name(&cases))?;
        rows.append(key, &[process(0)], 1)?;
        if tries == 1 {
            cut(&own);
            rows.taken(key)?; // fails: the connection is gone
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(tries, 2);
    own.read(&mut |rows| {
        assert_eq!(rows.newest(9)?.len(), 1);
        assert!(rows.is_held("aaaa")?, "the connection in its place holds what it held");
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_server_that_goes_away_amid_a_run_loses_nothing() {
    let server = Server::start();
    let dir = tempfile::tempdir().unwrap();
    let location = Location::named(Path::new(&server.address("derny")), dir.path());
    let store = location.open().unwrap();
    let mut random = Random(3);
    let told: Vec<Turn> = (0..40).map(|round| turn(&mut random, round / 20, round)).collect();
    let turns = |visit: usize| told[20 * visit..20 * (visit + 1)].iter().cloned().map(Event::Turn);
    let mut recorder = store.recorder().unwrap();
    let begun = [start(header("k3fz"), &[case("a")]), process(0), visit(0, 0, 0)];
    begun.into_iter().chain(turns(0)).for_each(|event| recorder.on_event(&event).unwrap());
    server.tell("restart");
    recorder.on_event(&Event::VisitEnded { visit: 0 }).unwrap();
    assert!(store.load("k3fz").unwrap().visits[0].complete);
    recorder.on_event(&visit(1, 0, 0)).unwrap();
    turns(1).for_each(|event| recorder.on_event(&event).unwrap());
    server.tell("stop");
    let away = recorder.on_event(&Event::VisitEnded { visit: 1 }).unwrap_err();
    assert!(away.kind == ErrorKind::Open && away.problem.why.contains("no server answers"), "{away}");
    assert!(away.problem.remedy.contains("nothing is lost"), "{away}");
    // A second connection also waits for the server. A worker opens one for each shard.
    let begun = Instant::now();
    assert!(store.recorder().is_err() && begun.elapsed() >= Duration::from_millis(500));
    drop(recorder);
    server.tell("start");

    let elsewhere = tempfile::tempdir().unwrap();
    let other = Location::named(Path::new(&server.address("derny")), elsewhere.path()).open().unwrap();
    assert!(other.recover().unwrap().is_empty(), "another machine does not have the journal");
    assert_eq!(other.summary("k3fz").unwrap().header.status, RunStatus::Partial);
    let store = location.open().unwrap();
    assert_eq!(store.recover().unwrap(), ["k3fz"]);
    let records = other.load("k3fz").unwrap();
    let stored: Vec<Turn> =
        records.visits.iter().flat_map(|visit| visit.turns.iter().cloned().collect::<Vec<_>>()).collect();
    assert_eq!(stored, told);
    assert!(records.visits.iter().all(|visit| visit.complete));
    let mut recorder = store.recorder().unwrap();
    let rest = [start(header("k3fz"), &[case("a")]), process_end(0), end(RunStatus::Complete)];
    rest.iter().for_each(|event| recorder.on_event(event).unwrap());
    assert_eq!(other.load("k3fz").unwrap().header.status, RunStatus::Complete);
}

#[test]
fn a_shard_is_kept_once_by_who_holds_it() {
    let dir = tempfile::tempdir().unwrap();
    let address = Server::of_all().address("leases");
    let store = Location::named(Path::new(&address), dir.path()).open().unwrap();
    let [first, second, third] = ["a", "b", "c"].map(|holder| store.queue("plan", holder).unwrap());
    let part = |text: &str| {
        let file = dir.path().join(text);
        std::fs::write(&file, text).unwrap();
        file
    };
    first.offer(2).unwrap();
    second.offer(2).unwrap();
    // The lease expires immediately.
    assert_eq!(first.take(0).unwrap(), Taken::Shard(1));
    assert_eq!(second.take(600).unwrap(), Taken::Shard(1));
    assert_eq!(second.take(600).unwrap(), Taken::Shard(1), "it holds that");
    assert_eq!(first.take(600).unwrap(), Taken::Shard(2));
    assert_eq!(third.take(600).unwrap(), Taken::AllHeld(2));
    assert!(second.renew(1, 600).unwrap() && !first.renew(1, 600).unwrap());
    assert!(!first.finish(1, &part("late")).unwrap());
    first.give_back(1).unwrap();
    assert!(!third.part(1, &dir.path().join("none")).unwrap());
    assert!(second.finish(1, &part("second")).unwrap() && second.finish(1, &part("again")).unwrap());
    assert!(third.part(1, &dir.path().join("read")).unwrap());
    assert_eq!(std::fs::read_to_string(dir.path().join("read")).unwrap(), "second");
    first.give_back(2).unwrap();
    assert_eq!(third.take(600).unwrap(), Taken::Shard(2));
    assert!(third.finish(2, &part("third")).unwrap());
    assert_eq!(first.take(600).unwrap(), Taken::AllDone);
    assert_eq!(store.queue("other", "a").unwrap().take(1).unwrap(), Taken::AllDone, "nobody offered it");
    let refused = Store::open(&dir.path().join("folder")).unwrap().queue("plan", "a").err().unwrap();
    assert!(refused.problem.remedy.contains("postgresql://"), "{refused}");
}
