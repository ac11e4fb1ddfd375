//! Tests `derny try --metric-from`: figures that commands print become the metrics of alternated sides.

#![cfg(unix)]

use crate::place::{Done, Place, git};
use serde_json::Value;

/// Prints a line `METRIC name=value` whose last digit depends on the number of the run.
const NOISY: &str = "n=${HYPERFINE_ITERATION#warmup-}; echo METRIC score=$(( $1 + n % 3 )).5";

/// Returns a folder with the script `measure.sh`, whose argument is the approximate value that it prints.
fn scripted(script: &str) -> Place {
    let place = Place::new();
    place.write("measure.sh", &format!("{script}\n"));
    place
}

/// Returns these options, with a budget that is long enough for any machine unless they already set one.
fn bounded<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let own: &[&str] = if args.contains(&"--budget") { &[] } else { &["--budget", "60s"] };
    [own, args].concat()
}

fn tried(place: &Place, args: &[&str]) -> Done {
    place.derny(&[&["try"], &bounded(args)[..]].concat())
}

/// Returns the change of the metric `name` on the only side of the only case.
fn change<'a>(document: &'a Value, name: &str) -> &'a Value {
    let changes = document["comparison"]["cases"][0]["sides"][0]["changes"].as_array().unwrap();
    let own = changes.iter().find(|change| change["metric"] == name);
    own.unwrap_or_else(|| panic!("{name}: {changes:?}"))
}

#[test]
fn a_higher_figure_is_better_and_less_of_it_fails_a_gate() {
    let place = scripted(NOISY);
    let args = ["--metric-from", "metric", "--metric", "score:points:higher", "--fail-on", "slower"];
    let sides = |old: &str, new: &str| {
        let commands = [old, new].map(|value| format!("sh measure.sh {value}"));
        tried(&place, &[&args[..], &[&commands[0], &commands[1]]].concat())
    };
    let worse = sides("2000", "1000").expect(1);
    assert!(worse.out.contains("is worse than sh measure.sh 2000: score −"), "{}", worse.out);
    assert!(worse.out.contains("k points") && worse.out.contains("elapsed"), "{}", worse.out);
    assert!(!worse.out.contains("fastest"), "{}", worse.out);
    let better = sides("1000", "2000").expect(0);
    assert!(better.out.contains("better"), "{}", better.out);
    // The sides of the stored run are compared like any others.
    let stored =
        place.derny(&["compare", "last:sh measure.sh 2000", "last:sh measure.sh 1000", "-f", "json"]);
    assert_eq!(change(&stored.expect(0).json(), "score")["verdict"], "worse");
    for (format, text) in [("benchfmt", " score"), ("openmetrics", "metric=\"score\",unit=\"points\"")] {
        let done = place.derny(&["export", "last", "-f", format]).expect(0);
        assert!(done.out.contains(text), "{format}: {}", done.out);
    }
    let csv = place.derny(&["show", "last", "-f", "csv"]).expect(0).out;
    assert!(csv.contains("score") && csv.contains("points"), "{csv}");
}

#[test]
fn a_figure_that_never_varies_is_decided_by_one_pair() {
    let place = scripted("echo run >> log; echo METRIC tests=$1; echo METRIC size_kb=1.5");
    let args = ["--metric-from", "metric", "--metric", "tests:higher", "-f", "json"];
    let done = tried(&place, &[&args[..], &["sh measure.sh 100", "sh measure.sh 50"]].concat()).expect(0);
    let document = done.json();
    let tests = change(&document, "tests");
    assert_eq!((&tests["verdict"], &tests["exact"]), (&Value::from("worse"), &Value::from(true)));
    assert_eq!(change(&document, "size_kb")["unit"], "B");
    assert_eq!(change(&document, "size_kb")["base"], 1500.0);
    // Three first runs and one measured run of each command.
    assert_eq!(place.read("log").lines().count(), 8);
}

#[test]
fn what_varies_after_the_first_runs_is_measured_as_noise() {
    // The first three runs of each command are the same.
    let place = scripted(
        "case $HYPERFINE_ITERATION in warmup*) n=0;; *) n=$((HYPERFINE_ITERATION + 1));; esac; echo METRIC t=$(( 1000 + n % 4 ))",
    );
    let args = ["--metric-from", "metric", "--metric", "t:lower", "-f", "json"];
    let done = tried(&place, &[&args[..], &["sh measure.sh", "sh measure.sh"]].concat()).expect(0);
    let document = done.json();
    let t = change(&document, "t");
    assert_eq!(t["exact"], false, "{t}");
    assert!(t["replicates"].as_u64().unwrap() >= 5, "{t}");
    assert!(done.err.contains("printed t = 1001 in run 0") && done.err.contains("It varies"), "{}", done.err);
}

#[test]
fn patterns_and_files_are_sources_too() {
    let place = scripted(
        "n=$(( $1 + ${HYPERFINE_ITERATION#warmup-} % 3 )); echo \"qps=$n q/s\"; \
         echo \"{\\\"a\\\":[{\\\"p99_ms\\\":$n}]}\" > out.json; echo $n > rate.txt",
    );
    let args = [
        "--metric-from",
        r"regex:qps=([\d.]+) q/s",
        "--metric-from",
        "json:out.json:a[0].p99_ms",
        "--metric-from",
        "file:rate.txt",
        "--metric",
        "qps:higher",
        "-f",
        "json",
        "sh measure.sh 1000",
        "sh measure.sh 2000",
    ];
    let document = tried(&place, &args).expect(0).json();
    assert_eq!(change(&document, "qps")["verdict"], "better");
    let latency = change(&document, "a[0].p99_ms");
    assert_eq!((&latency["unit"], &latency["reason"]), (&Value::from("ns"), &Value::from("no-direction")));
    assert!(latency["base"].as_f64().unwrap() >= 1e9, "{latency}");
    assert!(change(&document, "rate")["change"]["interval"].is_object());
}

#[test]
fn runs_without_a_figure_are_named_and_do_not_count() {
    let place = scripted(
        "test \"$HYPERFINE_ITERATION\" = 1 || sh -c \"$1\" sh 1000; test \"$HYPERFINE_ITERATION\" != 2 || echo METRIC score=NaN",
    );
    place.write("noisy.sh", &format!("{NOISY}\n"));
    let args = ["--metric-from", "metric", "--metric", "score:higher", "-f", "json"];
    let command = "sh measure.sh 'sh noisy.sh 1000'";
    let done = tried(&place, &[&args[..], &[command, command]].concat()).expect(0);
    for part in ["run 1 of", "no line METRIC", "run 2 of", "`NaN` of score is not a finite number"] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    let replicates = change(&done.json(), "score")["replicates"].as_u64().unwrap();
    assert!(replicates >= 5, "{replicates}");
}

#[test]
fn a_side_that_prints_nothing_is_an_error_with_its_output() {
    let place = Place::new();
    let args = ["--metric-from", "metric", "echo METRIC a=1", "echo usage: bench"];
    let silent = tried(&place, &args).expect(3);
    for part in ["`echo usage: bench`", "--metric-from metric", "| usage: bench"] {
        assert!(silent.err.contains(part), "{part}: {}", silent.err);
    }
    for (args, code, part) in [
        (&["--metric-from", "regex:q=x", ":"][..], 2, "has no group"),
        (&["--metric-from", "metrics", ":"], 2, "use metric, regex:NAME=PATTERN"),
        (&["--metric-from", "json:none.json:a", ":"], 3, "none.json"),
        (&["--metric-from", "json:-:a.c", "echo '{\"a\":{\"b\":1}}'"], 3, "has no a.c"),
        (&["--metric-from", "metric", "--metric", "b:higher", "echo METRIC a=1"], 3, "no command prints `b`"),
        (&["--metric-from", "metric", "--metric", "b", "echo METRIC a=1"], 2, "which change is better"),
        (&["--metric-from", "metric", "--fail-on", "slower", ":", ":"], 2, "figure with a direction"),
        (&["--metric", "b:lower", ":"], 2, "--metric-from"),
        (
            &["--metric-from", "metric", "--metric-from", "regex:a=b(.)", "echo METRIC a=1; echo b2"],
            3,
            "two sources give a figure `a`",
        ),
    ] {
        let done = tried(&place, args).expect(code);
        assert!(done.err.contains(part), "{args:?}: {}", done.err);
    }
}

#[test]
fn long_output_is_read_to_its_end() {
    let place = scripted("head -c 40000000 /dev/zero | tr '\\0' x; echo; echo METRIC n=$1");
    let args = ["--metric-from", "metric", "--metric", "n:lower", "-f", "json"];
    let done = tried(&place, &[&args[..], &["sh measure.sh 1", "sh measure.sh 2"]].concat()).expect(0);
    assert_eq!(change(&done.json(), "n")["verdict"], "worse");
}

#[test]
fn figures_replace_counters_of_the_same_name_and_odd_names_are_kept() {
    let place = Place::new();
    let command = |value: u32| {
        format!(
            "n=$(( {value} + ${{HYPERFINE_ITERATION#warmup-}} % 3 )); \
             echo METRIC cpu=$n; echo METRIC time=$n; echo METRIC µ.é=$n; echo \"<&|\\\"> $n\""
        )
    };
    let args = ["--metric-from", "metric", "--metric-from", "regex:<\"| x>=> (.*)", "--metric", "cpu:higher"];
    let (old, new) = (command(1000), command(2000));
    tried(&place, &[&args[..], &["-n", "old", "-n", "new", &old, &new]].concat()).expect(0);
    let document = place.document();
    let figures = document["suites"][0]["cases"][0]["variants"][0]["figures"].as_array().unwrap();
    let names: Vec<&str> = figures.iter().map(|figure| figure["name"].as_str().unwrap()).collect();
    for name in ["cpu", "time", "µ.é", "<\"| x>"] {
        assert_eq!(names.iter().filter(|own| **own == name).count(), 1, "{name}: {names:?}");
    }
    for format in ["csv", "markdown", "comment", "junit", "github"] {
        place.derny(&["compare", "last", "-f", format]).expect(0);
    }
    let markdown = place.derny(&["compare", "last", "-f", "markdown"]).expect(0).out;
    assert!(
        markdown.lines().filter(|line| line.starts_with("| ")).all(|line| line
            .replace("\\|", "")
            .matches('|')
            .count()
            == 8),
        "{markdown}"
    );
}

#[test]
fn an_interrupted_run_of_figures_can_be_resumed() {
    let place = scripted(NOISY);
    let args = ["--metric-from", "metric", "--metric", "score:higher", "--budget", "1ms"];
    tried(&place, &[&args[..], &["sh measure.sh 1000", "sh measure.sh 1001"]].concat()).expect(0);
    place.derny(&["run", "--resume", "last", "--budget", "60s"]).expect(0);
    let shown = place.document();
    assert_eq!(shown["suites"][0]["cases"][0]["case"]["metrics"][0]["name"], "score");
}

const FIGURE: [&str; 4] = ["--metric-from", "metric", "--metric", "score:points:higher"];

fn ran(place: &Place, sides: &[&str], rest: &[&str]) -> Done {
    place.derny(&[&["run"], sides, &FIGURE, &bounded(rest)[..]].concat())
}

#[test]
fn sides_by_revision_run_in_their_worktrees() {
    let place = scripted(&NOISY.replace("$1", "1000"));
    git(&place.root, &["init", "-q", "-b", "main"]);
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "first"]);
    place.write("measure.sh", &format!("{}\n", NOISY.replace("$1", "900 + ${MORE:-0}")));
    let command = ["-f", "json", "--", "sh", "measure.sh"];
    let document = ran(&place, &["-x", "main", "-x", "head"], &command).expect(0).json();
    assert_eq!(change(&document, "score")["verdict"], "worse");
    let variants = document["run"]["variants"].as_array().unwrap();
    assert_eq!(variants[0]["revision"].as_str().unwrap().len(), 40);
    assert!(variants[1]["revision"].is_null());
    let more = ["-x", "head", "-x", "more@.+MORE=200"];
    let document = ran(&place, &more, &command).expect(0).json();
    assert_eq!(change(&document, "score")["verdict"], "better");
    // With `--against`, a revision is the base of the comparison too.
    ran(&place, &["--against", "main"], &["--fail-on", "slower", "--", "sh", "measure.sh"]).expect(1);
    let stopped = ran(&place, &["-x", "main", "-x", "head"], &["--budget", "1ms", "--", "sh", "measure.sh"]);
    stopped.expect(0);
    place.derny(&["run", "--resume=last", "--budget", "60s"]).expect(0);
    assert_eq!(
        change(&place.derny(&["compare", "last", "-f", "json"]).expect(0).json(), "score")["verdict"],
        "worse"
    );
}

#[test]
fn a_value_of_a_side_takes_the_place_of_braces() {
    let place = scripted(NOISY);
    let sides = ["-x", "a=1000", "-x", "b=2000"];
    let document = ran(&place, &sides, &["-f", "json", "--", "sh", "measure.sh", "{}"]).expect(0).json();
    assert_eq!(change(&document, "score")["verdict"], "better");
    let commands = ["-x", "a=sh measure.sh 1000", "-x", "b=sh measure.sh 2000", "--control"];
    let document = ran(&place, &commands, &["-f", "json"]).expect(0).json();
    assert_eq!(document["run"]["variants"].as_array().unwrap().len(), 3);
    for (sides, rest, part) in [
        (&["-x", "head", "-x", "b=1"][..], &["--", "sh", "measure.sh"][..], "no place for the value"),
        (&["-x", "head", "-x", "b=1"], &["--", "sh", "{}"], "side `head` has no value"),
        (&["-x", "head", "-x", "b=1"], &[], "side `head` has no command"),
        (&["-x", "head", "-x", "b:x"], &["--", "sh"], "names a benchmark"),
        (&["-x", "head"], &["words", "--", "sh"], "does not support PATTERN"),
        (&["-x", "head"], &["--once", "--", "sh"], "does not support --once"),
    ] {
        let done = ran(&place, sides, rest).expect(2);
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    let gone = ran(&place, &["-x", "a=./gone", "-x", "b=./gone -b"], &[]).expect(3);
    assert!(gone.err.contains("`./gone` cannot be started"), "{}", gone.err);
}
