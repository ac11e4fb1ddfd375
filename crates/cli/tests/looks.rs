//! Tests the output of results: formats, files, colours, character sets, verbosity and streams.

#![cfg(unix)]

use crate::place::{self, Place, fake_args};
use std::io::Read;
use std::process::Stdio;

#[test]
fn results_have_five_forms() {
    let place = Place::new();
    let table = place.tiny(&["steady"]).expect(0).out;
    assert!(table.contains("time/op") && table.contains("fake/steady"), "{table}");
    let json = place.tiny(&["steady", "-f", "json"]).expect(0).json();
    assert_eq!(json["format"], 2);
    assert_eq!(json["suites"][0]["cases"][0]["case"]["id"]["benchmark"], "fake/steady");
    let csv = place.tiny(&["steady", "-f", "csv"]).expect(0).out;
    assert!(csv.starts_with("suite,benchmark,variant,") && csv.lines().count() == 2, "{csv}");
    let markdown = place.tiny(&["steady", "-f", "md"]).expect(0).out;
    assert!(markdown.lines().any(|line| line.starts_with('|') && line.contains("fake/steady")), "{markdown}");
    let events = place.events(&["steady"]);
    assert_eq!(events.0[0]["event"], "run-started");
    assert_eq!(events.0[0]["format"], 2);
    assert_eq!(events.0.last().unwrap()["event"], "run-ended");
}

#[test]
fn a_stored_run_looks_like_another_tool_s() {
    let place = Place::new();
    place.tiny(&["steady", "-q"]).expect(0);
    let plain = place.derny(&["show", "--view", "plain"]).expect(0).out;
    let lines: Vec<&str> = plain.lines().collect();
    let (name, rate) = lines[2].rsplit_once(": ").unwrap();
    assert!(lines[0].is_empty() && lines[1] == name && name.ends_with("/fake/steady"), "{plain}");
    assert!(rate.replace(',', "").parse::<f64>().unwrap() > 0.0, "{plain}");
    let ministat = place.derny(&["show", "--view", "ministat"]).expect(0).out;
    assert!(ministat.contains("Std deviation:") && ministat.contains("\nderny: "), "{ministat}");
    let place = Place::new();
    place.tiny(&["steady", "-q", "-x", "old+A=1", "-x", "new+A=2"]).expect(0);
    let node = place.derny(&["compare", "--view", "node"]).expect(0).out;
    assert!(node.lines().next().unwrap().contains("confidence improvement accuracy (*)"), "{node}");
    assert!(node.contains("\nold → new · run "), "Derny's own verdict follows\n{node}");
    let ministat = place.derny(&["compare", "--view", "ministat"]).expect(0).out;
    assert!(ministat.contains("> Relative\n") && ministat.contains("\nderny: new "), "{ministat}");
}

#[test]
fn repeated_runs_end_with_how_far_they_lie_apart() {
    let place = Place::new();
    let text = place.tiny(&["steady", "--repeat", "3", "-q", "--set", "processes=6"]).expect(0).out;
    let table = text.rsplit_once("\n\n").map_or(text.as_str(), |(above, _)| above);
    let row = table.lines().last().unwrap();
    assert!(table.contains("between runs") && row.contains("fake/steady") && row.contains(" of 3"), "{text}");
    let csv = place.tiny(&["steady", "--repeat", "2", "-q", "-f", "csv"]).expect(0).out;
    assert!(!csv.contains("between runs"), "only a table has a table");
}

#[test]
fn only_the_metrics_asked_for_are_shown_and_in_the_document() {
    let place = Place::new();
    let done = place.tiny(&["steady", "--set", "metrics=calls"]).expect(0);
    assert!(done.out.contains("calls/op") && !done.out.contains("time/op"), "{}", done.out);
    let variant = &place.document()["suites"][0]["cases"][0]["variants"][0];
    assert!(variant["time"].is_null());
    let metrics = variant["metrics"].as_array().unwrap();
    assert_eq!(metrics.len(), 1);
    assert_eq!(metrics[0]["metric"]["name"], "calls");
    place.tiny(&["steady", "--set", "metrics=time"]).expect(0);
    let variant = &place.document()["suites"][0]["cases"][0]["variants"][0];
    assert!(variant["time"].is_object() && variant["metrics"].as_array().unwrap().is_empty());
}

#[test]
fn output_goes_to_a_file_and_a_bad_path_fails_before_measuring() {
    let place = Place::new();
    let file = place.root.join("out.json");
    let done = place.tiny(&["steady", "-f", "json", "-o", file.to_str().unwrap()]).expect(0);
    assert_eq!(done.out, "");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()["format"], 2);
    assert!(place.tiny(&["steady", "-o", "-"]).expect(0).out.contains("time/op"));
}

#[test]
fn results_and_notes_have_streams_of_their_own() {
    let place = Place::new();
    let done = place.tiny(&["steady"]).expect(0);
    assert!(done.err.contains("[1/1] ") && done.err.contains(" measured"), "{}", done.err);
    assert!(done.err.contains("saved run ") && done.err.contains("warning DY"), "{}", done.err);
    assert!(!done.out.contains("saved run") && !done.out.contains("warning"), "{}", done.out);
    assert!(!done.out.contains('\u{1b}') && !done.err.contains('\u{1b}'));
}

#[test]
fn quiet_takes_away_and_verbose_adds() {
    let place = Place::new();
    let quiet = place.tiny(&["steady", "-q"]).expect(0).err;
    assert!(quiet.contains("warning") && !quiet.contains("saved run") && !quiet.contains("[1/1]"), "{quiet}");
    assert_eq!(place.tiny(&["steady", "-qq"]).expect(0).err, "");
    let failing = place.tiny(&["steady", "-qq", "--", "--fault=throw@measure"]).expect(3);
    assert!(failing.err.contains("error DY307"), "errors are always told: {}", failing.err);
    let env = [("DERNY_QUIET", "2")];
    let mut args = vec!["run", "steady"];
    args.extend(place::TINY);
    assert_eq!(place.derny_with(&env, &fake_args(&args)).expect(0).err, "");
    let plain = place.tiny(&["steady"]).expect(0).err;
    let plan = place.tiny(&["steady", "-v", "--", "--fault=flood-stderr:64@open"]).expect(0).err;
    assert!(!plain.contains("block  cases") && plan.contains("block  cases"), "{plan}");
    assert!(plan.contains(&format!("process 0: {}", place::harness())), "launch lines are shown: {plan}");
    let flooded = place.tiny(&["steady", "--", "--fault=flood-stderr:64@open"]).expect(0).err;
    assert!(plan.len() > flooded.len() + 64, "what programs print is shown: {plan}");
    let protocol = place.tiny(&["steady", "-vv"]).expect(0).err;
    assert!(
        protocol.contains(" > open benchmark=fake/steady") && protocol.contains(" < opened"),
        "{protocol}"
    );
    assert!(!plan.contains(" > open "), "{plan}");
    let listing = place.fake(&["list", "-vv", "--refresh"]).expect(0).err;
    assert!(
        listing.contains(&format!(" $ {}", place::harness())) && listing.contains(" > list"),
        "{listing}"
    );
}

#[test]
fn no_progress_takes_away_only_the_progress() {
    let place = Place::new();
    let mut args = vec!["run", "steady"];
    args.extend(place::TINY);
    let with_flag = place.fake(&[&args[..], &["--no-progress"]].concat()).expect(0).err;
    let with_variable = place.derny_with(&[("DERNY_NO_PROGRESS", "1")], &fake_args(&args)).expect(0).err;
    let switched_on = place.derny_with(&[("DERNY_NO_PROGRESS", "0")], &fake_args(&args)).expect(0).err;
    for err in [&with_flag, &with_variable] {
        assert!(!err.contains("[1/1]") && err.contains("saved run"), "{err}");
    }
    assert!(switched_on.contains("[1/1]"), "{switched_on}");
}

#[test]
fn a_case_that_the_time_did_not_reach_is_not_called_measured() {
    let place = Place::new();
    let err = place.fake(&["run", "--total", "1ms", "--", "--cases=3"]).expect(5).err;
    assert_eq!(err.matches(" not measured (budget exhausted)").count(), 3, "{err}");
    assert_eq!(err.matches("measured (budget exhausted)").count(), 3, "{err}");
}

#[test]
fn colour_follows_flag_then_variables_then_terminal() {
    let place = Place::new();
    place.tiny(&["steady"]).expect(0);
    let coloured = |env: &[(&str, &str)], args: &[&str]| {
        let show = [&["show"], args].concat();
        place.derny_with(env, &show).expect(0).out.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]), "no terminal, no colour");
    assert!(coloured(&[], &["--color", "always"]));
    assert!(coloured(&[("DERNY_COLOR", "always")], &[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured(&[("TERM", "dumb")], &[]));
}

#[test]
fn ascii_where_asked_or_where_the_locale_is_not_utf_8() {
    let place = Place::new();
    let done = place.tiny(&["steady", "--set", "processes=3"]).expect(0);
    assert!(!done.out.is_ascii() && done.out.contains("…"), "{}", done.out);
    let shown = |env: &[(&str, &str)], args: &[&str]| {
        let done = place.derny_with(env, &[&["show", "--case"], args].concat()).expect(0);
        done.out + &done.err
    };
    assert!(!shown(&[], &[]).is_ascii());
    assert!(shown(&[], &["--ascii"]).is_ascii());
    assert!(shown(&[("DERNY_ASCII", "1")], &[]).is_ascii());
    assert!(shown(&[("LC_ALL", "C")], &[]).is_ascii());
    assert!(!shown(&[("LC_ALL", "en_GB.UTF-8"), ("LANG", "C")], &[]).is_ascii());
    let ascii = place.tiny(&["--ascii", "steady"]).expect(0);
    assert!((ascii.out + &ascii.err).is_ascii());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let place = Place::new();
    let args = fake_args(&["list", "-f", "json", "--", "--cases=3000"]);
    let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0; 64];
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let done = place::done(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(done.err, "");
}

#[test]
fn a_run_whose_reader_is_gone_stops_and_keeps_what_it_has() {
    let place = Place::new();
    let args = [
        "run",
        "fake",
        "-f",
        "ndjson",
        "--budget",
        "60s",
        "--set",
        "precision=0.0001%",
        "--set",
        "processes=400",
    ];
    let start = std::time::Instant::now();
    let mut child =
        place.command(&fake_args(&args)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 64]).unwrap();
    drop(stdout);
    place::done(child.wait_with_output().unwrap()).expect(0);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(place.runs()[0]["header"]["status"], "partial");
}

#[test]
fn a_list_has_three_forms() {
    let place = Place::new();
    let list = |args: &[&str]| place.fake(&[&["list", "fake"], args].concat()).expect(0);
    assert!(list(&[]).out.ends_with("5 cases in 1 suite\n"));
    assert_eq!(list(&["-f", "plain"]).out.lines().count(), 5);
    assert_eq!(list(&["-f", "json"]).json().as_array().unwrap().len(), 5);
}
