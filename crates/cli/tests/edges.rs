//! Tests everyday trouble: benchmarks that print much, full disks, and folders that are not writable.

use crate::place::{self, Done, Place, TINY, done};

const CHATTY: &str = "
import { bench } from 'derny';
import fs from 'node:fs';
const line = 'x'.repeat(100_000);
bench('stream', () => { console.log(line); console.error(line); return 1; });
bench('descriptor', () => { process.stdout.write('y'); return fs.writeSync(1, line) + fs.writeSync(2, line); });
";

/// Regression test: the body failed with EAGAIN, or pending output filled the memory.
#[test]
fn a_body_that_prints_megabytes_is_measured() {
    let place = Place::new();
    place.write("chatty.bench.mjs", CHATTY);
    let done =
        place.derny(&[&["run", "-f", "json", "--set", "batch-time=20ms"], &TINY[..]].concat()).expect(0);
    let document = done.json();
    let cases = document["suites"][0]["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 2);
    for case in cases {
        assert!(case["state"]["measured"].is_string(), "{}", case["state"]);
    }
    assert_eq!(document["failures"].as_array().map(Vec::len), Some(0));
}

/// Verbs that only read. Each must show a run of `steady`.
const LOOKS: [&[&str]; 7] = [
    &["runs"],
    &["runs", "-f", "json"],
    &["show"],
    &["show", "last", "steady", "-f", "json"],
    &["export", "--raw"],
    &["runs", "baseline"],
    &["show", "-f", "md"],
];

fn measured() -> Place {
    let place = Place::new();
    place.tiny(&["steady", "--save", "main", "-q", "-q"]).expect(0);
    place
}

/// Runs `derny` in a process that cannot make any file longer, as on a full disk.
fn on_a_full_disk(place: &Place, args: &[&str]) -> Done {
    let words = ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_derny")];
    let mut command = std::process::Command::new("sh");
    command.args(words).args(args).current_dir(&place.root);
    command.env("LANG", "C.UTF-8").env("DERNY_CACHE", std::env::temp_dir().join("derny-cli-cache"));
    done(command.output().unwrap())
}

#[test]
fn on_a_full_disk_stored_runs_are_still_shown() {
    let place = measured();
    for look in LOOKS {
        let before = place.derny(look).expect(0).out;
        let full = on_a_full_disk(&place, look).expect(0);
        assert!(!full.out.is_empty() && full.out == before, "{look:?}\n{}\n---\n{before}", full.out);
    }
    // A failed write is reported and loses nothing.
    assert_ne!(on_a_full_disk(&place, &["runs", "note", "last", "note"]).code, 0);
    assert_eq!(place.runs().len(), 1);
}

#[test]
fn a_checkout_that_cannot_be_written_is_still_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = measured();
    let before: Vec<String> = LOOKS.iter().map(|look| place.derny(look).expect(0).out).collect();
    let rights = |folder: u32, file: u32| {
        let set = |path: &std::path::Path, mode: u32| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let store = place.root.join(".derny");
        if folder & 0o200 != 0 {
            set(&store, folder);
        }
        for entry in std::fs::read_dir(&store).unwrap().flatten().filter(|entry| entry.path().is_file()) {
            set(&entry.path(), file);
        }
        set(&store, folder);
        set(&place.root, folder);
    };
    rights(0o555, 0o444);
    // Permissions do not restrict the superuser, so run as another user in that case.
    let is_root = std::fs::write(place.root.join("probe"), "").is_ok();
    let looked: Vec<Done> = LOOKS
        .iter()
        .chain([&["list", "--", place::harness()][..]].iter())
        .map(|look| {
            let mut command = place.command(look);
            if is_root {
                command.uid(65534).gid(65534);
            }
            done(command.output().unwrap())
        })
        .collect();
    rights(0o755, 0o644);
    for ((look, looked), before) in LOOKS.iter().zip(&looked).zip(&before) {
        assert_eq!((looked.code, &looked.out), (0, before), "{look:?}\n{}", looked.err);
    }
    let listed = looked.last().unwrap();
    assert!(listed.code == 0 && listed.out.contains("steady"), "{}\n{}", listed.out, listed.err);
}

/// Regression test: a report that could not be written replaced the old one with an empty file.
#[test]
fn what_cannot_be_written_leaves_the_file_that_was_there() {
    let place = measured();
    place.write("report.html", "the old report");
    let failed = on_a_full_disk(&place, &["report", "-o", "report.html"]);
    assert_ne!(failed.code, 0);
    assert_eq!(std::fs::read_to_string(place.root.join("report.html")).unwrap(), "the old report");
    place.derny(&["report", "last", "nosuch", "-o", "report.html"]).expect(4);
    assert_eq!(std::fs::read_to_string(place.root.join("report.html")).unwrap(), "the old report");
    place.derny(&["report", "-o", "report.html"]).expect(0);
    let page = std::fs::read_to_string(place.root.join("report.html")).unwrap();
    assert!(derny_testkit::page::data(&page, "data").to_string().contains("\"steady\""));
    place.derny(&["show", "-o", "/dev/null"]).expect(0);
    let left = std::fs::read_dir(&place.root).unwrap().flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with(".report")).collect();
    assert!(left.is_empty(), "{left:?}");
    place.derny(&["show", "-o", "nosuch/file"]).expect(2);
}

#[test]
fn the_run_that_is_shown_is_the_newest_with_measurements() {
    let place = measured();
    let measured = place.runs()[0]["header"]["id"].clone();
    place.fake(&["run", "steady", "--once", "-q", "-q"]).expect(0);
    let newest = place.runs()[0]["header"]["id"].clone();
    for word in [&["show"][..], &["show", "last"], &["show", "steady"]] {
        let shown = place.derny(&[word, &["-f", "json"]].concat()).expect(0);
        assert_eq!(shown.json()["run"]["id"], measured, "{word:?}");
        let note = format!("this is run {}; run {}", measured.as_str().unwrap(), newest.as_str().unwrap());
        assert!(shown.err.contains(&note), "{}", shown.err);
    }
    let checked = place.derny(&["show", newest.as_str().unwrap(), "-f", "json"]).expect(0);
    assert_eq!((&checked.json()["run"]["id"], checked.err.as_str()), (&newest, ""));
}
