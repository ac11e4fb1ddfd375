//! Tests output on a terminal: progress line, colour and width. In CI, there is no progress line. On a dumb
//! terminal, there is neither a progress line nor colour.

#![cfg(target_os = "linux")]

use crate::place::{Place, TINY, harness};
use std::process::Command;

/// Returns what a terminal of 80 columns receives, or `None` if `script` is not installed.
fn on_terminal(place: &Place, env: &[(&str, &str)], args: &[&str]) -> Option<String> {
    let mut words = vec![env!("CARGO_BIN_EXE_derny")];
    words.extend(args);
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let command = format!("stty cols 80 2> /dev/null; {}", quoted.join(" "));
    let clean = place.command(&[]);
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(&place.root);
    for (name, value) in clean.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None => script.env_remove(name),
        };
    }
    let output = script.envs(env.iter().copied()).output().ok()?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_terminal_has_a_live_line_and_colours() {
    let place = Place::new();
    let mut args = vec!["run", "fake", "--budget", "2s", "--set", "processes=6"];
    args.extend(TINY.iter().skip(4));
    args.extend(["--", harness()]);
    let Some(live) = on_terminal(&place, &[], &args) else { return };
    assert!(live.contains('\r') && live.contains("  starting  ") && live.contains(" of 6  "), "{live}");
    let lines = live.split(['\r', '\n']).filter(|line| line.contains(" %  "));
    assert!(lines.map(|line| line.chars().count()).max().unwrap() < 80, "{live}");
    // Once two cases have results, the suite has a table, which is redrawn and removed at the end.
    assert!(live.contains("so far") && live.contains("A\u{1b}[J"), "{live}");
    assert!(live.contains("\u{1b}["), "colours: {live}");
    assert!(!live.contains("[1/5]"), "no plain lines beside the live one: {live}");
    for (name, value) in [("CI", "true"), ("TERM", "dumb")] {
        let plain = on_terminal(&place, &[(name, value)], &args).unwrap();
        assert!(plain.contains("[1/5]") && !plain.contains("starting"), "{name}: {plain}");
        assert_eq!(plain.contains("\u{1b}["), name == "CI", "CI takes away progress only: {plain}");
    }
    let plain = on_terminal(&place, &[("NO_COLOR", "1")], &args).unwrap();
    assert!(!plain.contains("\u{1b}[") && plain.contains("starting"), "{plain}");
}

#[test]
fn lines_stay_within_the_terminal() {
    let place = Place::new();
    let long = "text=a-very-long-value-of-a-parameter-that-no-terminal-of-eighty-columns-can-show-beside-its-figures";
    let args =
        [&["run", "conform/text", "-q", "-p", long], &TINY[..], &["--", harness(), "--conform"]].concat();
    place.derny(&args).expect(0);
    let Some(shown) = on_terminal(&place, &[("NO_COLOR", "1")], &["show", "-qq"]) else { return };
    let widest = shown.lines().map(|line| line.trim_end_matches('\r').chars().count()).max().unwrap();
    assert!(widest <= 80 && shown.contains('…'), "{widest}: {shown}");
    let narrow = on_terminal(&place, &[("NO_COLOR", "1"), ("COLUMNS", "50")], &["show", "-qq"]).unwrap();
    let widest = narrow.lines().map(|line| line.trim_end_matches('\r').chars().count()).max().unwrap();
    assert!(widest <= 50, "{widest}: {narrow}");
}
