//! Tests the messages for wrong command lines and files: the sessions in `messages/`, one file per group.
//!
//! A line after `$` runs in a shell. Its standard error follows, and then its exit code in brackets. A line
//! after `%` prepares the project, and must succeed. To add a message, add its command. Then `DERNY_BLESS=1
//! cargo test -p derny --test all messages::` writes the output after it.

#![cfg(unix)]

use crate::place::{self, Place};
use derny_store::Store;
use std::path::{Path, PathBuf};

/// Returns the session with the current output of its commands.
fn played(session: &str) -> String {
    let place = Place::new();
    let is_command = |line: &&str| line.starts_with("$ ") || line.starts_with("% ");
    let mut lines: &[&str] = &session.lines().collect::<Vec<_>>();
    let mut text = String::new();
    while let Some((line, rest)) = lines.split_first() {
        lines = rest;
        text.push_str(&format!("{line}\n"));
        let Some((mark, command)) = line.split_once(' ').filter(|_| is_command(line)) else { continue };
        let done = place::done(place.shell(command).output().unwrap());
        if mark == "%" {
            assert_eq!(done.code, 0, "{line}\n{}", done.err);
            continue;
        }
        text.push_str(&format!("{}[{}]\n", said(&place, &done.err), done.code));
        let own = &lines[..lines.iter().position(is_command).unwrap_or(lines.len())];
        let end = own.iter().position(|line| line.starts_with('[') && line.ends_with(']'));
        lines = &lines[end.map_or(0, |end| end + 1)..];
    }
    text
}

/// Returns a message without the parts that differ between machines and runs.
fn said(place: &Place, message: &str) -> String {
    let lines = message
        .lines()
        .map(|line| if line.starts_with("  | ") { "  | [what the command prints]" } else { line });
    let said: String = lines
        .map(|line| format!("{}\n", line.replace(&place.root.display().to_string(), "[folder]")))
        .collect();
    let store = Store::open_existing(&place.root.join(".derny")).ok().flatten();
    let runs = store.map_or(Vec::new(), |store| store.runs(100).unwrap());
    runs.iter().fold(said, |said, run| said.replace(&format!("run {}", run.header.id), "run [id]"))
}

#[test]
fn every_message_is_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let play = |file: PathBuf| {
        std::thread::spawn(move || {
            let recorded = std::fs::read_to_string(&file).unwrap();
            let came = played(&recorded);
            if std::env::var_os("DERNY_BLESS").is_some() {
                std::fs::write(&file, &came).unwrap();
            } else if came != recorded {
                let differs = came.lines().zip(recorded.lines()).find(|(one, other)| one != other);
                panic!("{}: {differs:?}\n---\n{came}\n---\nif it is meant: DERNY_BLESS=1", file.display());
            }
        })
    };
    let played: Vec<_> = files.map(play).collect();
    assert!(played.len() >= 6);
    assert_eq!(played.into_iter().filter_map(|thread| thread.join().err()).count(), 0, "messages differ");
}
