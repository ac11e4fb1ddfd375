//! Tests `compare`, and the comparison of variants by `run`: sides, formats, filters and exit codes.

#![cfg(unix)]

use crate::place::{self, Done, Place, harness, number};
use serde_json::Value;
use std::process::Stdio;

/// Settings of a paired run that takes a second or two and decides a large difference.
const PAIRED: [&str; 10] =
    ["--set", "processes=8", "--set", "rounds=4", "--set", "warmup=0", "--budget", "20s", "--set", "wave=4"];

/// Runs the scripted harness in pairs. The second variant is slower by `offset` per cent.
fn paired(place: &Place, offset: &str, more: &[&str]) -> Done {
    let harness = format!("{} --made-up", harness());
    let (old, new) = (format!("old={harness}"), format!("new={harness} --offset={offset}"));
    let mut args = vec!["run", "steady", "-x", &old, "-x", &new];
    args.extend(PAIRED);
    args.extend(more);
    place.fake(&args)
}

/// Makes a tiny run with a harness that is slower by `offset` per cent.
fn single(place: &Place, offset: &str, more: &[&str]) -> Done {
    let flag = format!("--offset={offset}");
    let mut args = vec!["steady"];
    args.extend(more);
    args.extend(["--", &flag]);
    place.tiny(&args)
}

fn change(comparison: &Value) -> f64 {
    number(&comparison["cases"][0]["sides"][0]["changes"][0]["change"]["value"])
}

#[test]
fn variants_of_one_run_are_paired_and_judged() {
    let place = Place::new();
    let done = paired(&place, "60", &[]).expect(0);
    assert!(
        done.out.contains("slower") && done.out.contains("old") && done.out.contains("new"),
        "{}",
        done.out
    );
    let comparison = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(comparison["pairing"], "paired");
    assert_eq!(comparison["cases"][0]["sides"][0]["verdict"], "worse");
    assert!((0.4..0.8).contains(&change(&comparison)), "{comparison}");
    // The exit code depends on the requested terms.
    place.derny(&["compare", "--fail-on", "worse"]).expect(1);
    place.derny(&["compare", "--fail-on", "worse,unclear"]).expect(1);
    place.derny(&["compare", "--fail-on", "worse", "--margin", "90%"]).expect(0);
    // The margin of mean time comes from the flag, from [gate], or from the run, in this order. The default
    // is the larger of the margin and 2 %.
    let mean_margin = |flags: &[&str]| {
        let done = place.derny(&[&["compare", "-f", "json"], flags].concat());
        number(&done.expect(0).comparison()["mean_margin"])
    };
    assert_eq!((mean_margin(&[]), mean_margin(&["--margin", "3%"])), (0.02, 0.03));
    let stored = paired(&place, "60", &["--mean-margin", "30%", "-f", "json"]).expect(0).json();
    assert_eq!((&stored["comparison"]["mean_margin"], mean_margin(&[])), (&Value::from(0.3), 0.3));
    place.write("derny.toml", "[gate]\nmean-margin = '20%'\n");
    assert_eq!((mean_margin(&[]), mean_margin(&["--mean-margin", "5%"])), (0.2, 0.05));
    place.write("derny.toml", "");
    place.derny(&["compare", "--mean-margin", "2"]).expect(2);
    place.derny(&["compare", "last:new", "last:old", "--fail-on", "worse"]).expect(0);
    let turned = place.derny(&["compare", "last:new", "last:old", "-f", "json"]).expect(0).comparison();
    assert!(change(&turned) < -0.3 && turned["pairing"] == "paired", "{turned}");
    place.derny(&["compare", "--gate"]).expect(1);
    let line = place.derny(&["compare", "--gate"]).err;
    assert!(line.contains("worse: ") && line.contains("by more than 1"), "{line}");
}

#[test]
fn a_run_can_fail_on_its_own_verdict() {
    let place = Place::new();
    paired(&place, "60", &["--fail-on", "worse"]).expect(1);
    let json = paired(&place, "60", &["-f", "json"]).expect(0).json();
    assert_eq!(json["comparison"]["cases"][0]["sides"][0]["verdict"], "worse");
    assert_eq!(json["suites"][0]["cases"][0]["variants"].as_array().unwrap().len(), 2);
}

#[test]
fn too_little_is_undecided_and_has_a_code_of_its_own() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={}", harness()));
    let args = ["steady", "-x", &old, "-x", &new, "--set", "processes=1", "--set", "rounds=2"];
    place.tiny(&args).expect(0);
    place.derny(&["compare", "--fail-on", "unclear"]).expect(5);
    // A single pair can never show that a side is worse.
    place.derny(&["compare", "--fail-on", "worse"]).expect(5);
    let gate = place.derny(&["compare", "--gate"]).expect(5);
    assert!(gate.err.contains("undecided: "), "{}", gate.err);
    place.write("derny.toml", "[gate]\nfail-on = [\"worse\"]\n");
    place.derny(&["compare", "--gate"]).expect(5);
}

#[test]
fn a_failed_benchmark_is_neither_worse_nor_undecided() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={} --fault=throw@measure", harness()));
    let args = ["steady", "-x", &old, "-x", &new, "--fail-on", "worse,unclear"];
    place.tiny(&args).expect(3);
    place.derny(&["compare", "--fail-on", "worse,unclear"]).expect(3);
    place.derny(&["compare", "--gate"]).expect(3);
}

#[test]
fn runs_of_different_times_are_told_apart_beyond_what_the_machine_may_do() {
    let place = Place::new();
    single(&place, "0", &["--save", "main"]).expect(0);
    single(&place, "0", &[]).expect(0);
    let comparison = place.derny(&["compare", "main", "-f", "json"]).expect(0).comparison();
    assert_eq!(comparison["pairing"], "unpaired");
    assert_eq!(comparison["sides"][0]["name"], "main");
    let side = &comparison["cases"][0]["sides"][0];
    assert_eq!(side["verdict"], "unclear", "{side}");
    let unknown = comparison["unknown"].to_string();
    assert!(unknown.contains("not measured together") && unknown.contains("derny run -x"), "{unknown}");
    // Without arguments, the newest two runs are compared. A gate on them is undecided, not passed.
    let bare = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(change(&bare), change(&comparison));
    place.derny(&["compare", "--gate", "main", "last"]).expect(5);
    place.write("derny.toml", "[gate]\nbaseline = \"main\"\n");
    place.derny(&["compare", "--gate"]).expect(5);
    place.derny(&["compare", "--gate", "nothing", "last"]).expect(2);
}

#[test]
fn files_and_standard_input_are_sides_too() {
    let place = Place::new();
    let document = single(&place, "0", &["-f", "json"]).expect(0).out;
    place.write("old.json", &document);
    let stream = single(&place, "60", &["-f", "ndjson"]).expect(0).out;
    place.write("new.ndjson", &stream);
    std::fs::remove_dir_all(place.root.join(".derny")).unwrap();
    let both = place.derny(&["compare", "old.json", "new.ndjson", "-f", "json"]).expect(0).comparison();
    assert_eq!((&both["sides"][0]["name"], &both["sides"][1]["name"]), (&"old".into(), &"new".into()));
    let typical = &both["cases"][0]["sides"][0]["changes"][0];
    let ratio = number(&typical["new"]) / number(&typical["base"]);
    assert!((change(&both) - (ratio - 1.0)).abs() < 1e-9, "{both}");
    for (verb, format) in [("show", "json"), ("show", "csv"), ("export", "bmf")] {
        let done = piped(&place, &[verb, "-", "-f", format], &document).expect(0);
        assert!(done.out.contains("steady"), "{verb}: {}", done.out);
    }
    let from_stdin =
        piped(&place, &["compare", "old.json", "-", "-f", "json"], &stream).expect(0).comparison();
    assert_eq!(change(&from_stdin), change(&both));
    assert!(piped(&place, &["export", "-", "--raw"], &stream).expect(0).out.contains("measured"));
    piped(&place, &["export", "-", "--raw"], &document).expect(2);
    piped(&place, &["show", "-"], "nonsense").expect(2);
    piped(&place, &["show", "-", "nothing-like-it"], &document).expect(4);
}

#[track_caller]
fn piped(place: &Place, args: &[&str], input: &str) -> Done {
    let mut command = place.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = input.to_owned();
    // The verb may stop reading early, so ignore a write error.
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    place::done(output)
}

#[test]
fn patterns_and_parameters_choose_cases() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={}", harness()));
    let args = ["-x", &old, "-x", &new, "steady", "sized"];
    place.tiny(&args).expect(0);
    let all = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    let count = |comparison: &Value| comparison["cases"].as_array().unwrap().len();
    assert!(count(&all) > 1, "{all}");
    let one = place.derny(&["compare", "last", "steady", "-f", "json"]).expect(0).comparison();
    assert_eq!(count(&one), 1);
    let word = place.derny(&["compare", "steady", "-f", "json"]).expect(0).comparison();
    assert_eq!(count(&word), 1);
    let rest = place.derny(&["compare", "--exclude", "steady", "-f", "json"]).expect(0).comparison();
    assert_eq!(count(&rest), count(&all) - 1);
}

#[test]
fn comparisons_have_six_forms() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={}", harness()));
    place.tiny(&["steady", "-x", &old, "-x", &new]).expect(0);
    for (format, part) in [
        ("table", "verdict"),
        ("json", "\"pairing\""),
        ("csv", ","),
        ("md", "|"),
        ("junit", "<testsuite"),
        ("github", "::"),
    ] {
        let out = place.derny(&["compare", "-f", format]).expect(0).out;
        assert!(out.contains(part), "{format}: {out}");
    }
    let file = place.root.join("comment.md");
    let done = place.derny(&["compare", "-f", "markdown", "-o", file.to_str().unwrap()]).expect(0);
    assert!(done.out.is_empty() && std::fs::read_to_string(&file).unwrap().contains('|'));
    let bare = place.derny(&["compare", "--no-header", "--ascii"]).expect(0).out;
    assert!(
        bare.is_ascii() && bare.lines().count() < place.derny(&["compare"]).out.lines().count(),
        "{bare}"
    );
}

#[test]
fn watching_goes_on_until_all_is_decided_or_time_is_over() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={} --offset=60", harness()));
    let mut args = vec!["run", "steady", "--watch", "-x", &old, "-x", &new, "-f", "json"];
    args.extend(["--set", "processes=4", "--set", "rounds=4", "--set", "warmup=0", "--budget", "20s"]);
    let comparison = place.fake(&args).expect(0).comparison();
    let side = &comparison["cases"][0]["sides"][0];
    assert_eq!(side["verdict"], "worse", "{side}");
    let runs = place.runs();
    let pairs = number(&side["changes"][0]["replicates"]);
    assert!(
        pairs <= 4.0 * runs.len() as f64 && pairs > 4.0 * (runs.len() as f64 - 1.0),
        "{pairs} of {runs:?}"
    );
    // With two equal sides and a margin too narrow for the verdict `same`, only the time limit ends the run.
    let same = format!("new={}", harness());
    let mut args =
        vec!["run", "steady", "--watch", "-x", &old, "-x", &same, "--margin", "0.001%", "--total", "5s"];
    args.extend(["--set", "processes=2", "--set", "rounds=2", "--set", "warmup=0", "--budget", "1s"]);
    let done = place.fake(&args).expect(0);
    assert!(done.out.contains("verdict") && done.err.contains("continuing"), "{}{}", done.out, done.err);
    place.tiny(&["steady", "--watch"]).expect(2);
}

#[test]
fn other_tools_views_are_known() {
    let place = Place::new();
    let (old, new) = (format!("old={}", harness()), format!("new={}", harness()));
    place.tiny(&["steady", "-x", &old, "-x", &new]).expect(0);
    assert!(place.derny(&["compare", "--view", "node"]).expect(0).out.contains("confidence"));
    place.derny(&["compare", "--view", "ministat"]).expect(0);
    place.derny(&["compare", "--view", "plain"]).expect(2);
    assert!(place.derny(&["show", "--view", "plain"]).expect(0).out.contains(": "));
    place.derny(&["show", "--view", "ministat"]).expect(0);
    place.derny(&["show", "--view", "node"]).expect(2);
}

#[test]
fn a_series_ends_with_how_far_its_runs_differ() {
    let place = Place::new();
    let done = place.tiny(&["steady", "--repeat", "2"]).expect(0);
    assert_eq!(place.runs().len(), 2);
    let last = done.out.trim_end().rsplit("\n\n").next().unwrap().to_owned();
    assert!(last.contains("2 runs") || last.contains("runs"), "{}", done.out);
}
