//! Tests `derny try`, which measures whole commands with hyperfine's command line.

#![cfg(unix)]

use crate::place::{Done, Place};
use serde_json::Value;

/// Runs `derny try` with at most three runs per command.
fn tried(place: &Place, args: &[&str]) -> Done {
    place.derny(&[&["try", "-M", "3"], args].concat())
}

fn variants(document: &Value) -> Vec<String> {
    let variants = document["run"]["variants"].as_array().unwrap();
    variants.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

fn lines(place: &Place, file: &str) -> Vec<String> {
    place.read(file).lines().map(String::from).collect()
}

#[test]
fn two_commands_are_alternated_ranked_and_stored() {
    let place = Place::new();
    let done = place.derny(&["try", "-N", "-M", "8", "sleep 0.03", "sleep 0.001"]).expect(0);
    let last: Vec<&str> = done.out.trim_end().lines().rev().take(2).collect();
    assert_eq!(last[1], "fastest: sleep 0.001", "{}", done.out);
    assert!(last[0].contains("× [") && last[0].ends_with("faster than sleep 0.03"), "{}", done.out);
    // The run is stored like any other.
    let shown = place.derny(&["show", "-f", "json"]).expect(0).json();
    assert_eq!(variants(&shown), ["sleep 0.03", "sleep 0.001"]);
    let case = &shown["suites"][0]["cases"][0];
    assert_eq!(case["case"]["id"]["suite"], "command");
    let processes = case["variants"][0]["processes"].as_u64().unwrap();
    assert!((6..=8).contains(&processes), "{processes}");
    for name in ["cpu", "user", "system", "minor_faults", "major_faults", "switches", "preempted"] {
        let metrics = case["variants"][0]["metrics"].as_array().unwrap();
        assert!(metrics.iter().any(|metric| metric["metric"]["name"] == name), "{name}: {metrics:?}");
    }
    assert!(place.derny(&["runs"]).expect(0).out.lines().count() >= 1);
    let compared =
        place.derny(&["compare", "last:sleep 0.001", "last:sleep 0.03", "-f", "json"]).expect(0).comparison();
    assert_eq!(compared["cases"][0]["sides"][0]["verdict"], "worse");
}

#[test]
fn one_command_has_absolute_figures_and_its_combinations_are_sides() {
    let place = Place::new();
    let alone = tried(&place, &["-f", "json", "true"]).expect(0).json();
    assert_eq!((variants(&alone), &alone["comparison"]), (vec!["base".to_owned()], &Value::Null));
    let scanned = tried(&place, &["-f", "json", "-N", "-P", "t", "0.01", "0.02", "-D", "0.01", "sleep {t}"]);
    assert_eq!(variants(&scanned.expect(0).json()), ["sleep 0.01", "sleep 0.02"]);
    let listed = ["-f", "json", "-L", "a", "x,y", "-L", "b", "1", "echo {a}{b}", ":"];
    let listed = tried(&place, &listed).expect(0).json();
    assert_eq!(variants(&listed), ["echo {a}{b}", ":"]);
    let cases = listed["suites"][0]["cases"].as_array().unwrap();
    let params: Vec<&Value> = cases.iter().map(|case| &case["case"]["id"]["params"]).collect();
    assert_eq!(serde_json::to_string(&params).unwrap(), r#"[[["a","x"],["b","1"]],[["a","y"],["b","1"]]]"#);
}

/// Options that write files.
const TABLES: &[&str] = &["--export-csv", "t.csv", "--export-json", "t.json", "--export-markdown", "t.md"];

/// All other long options, with commands.
const LONG: &[&str] = &[
    "--warmup",
    "2",
    "--max-runs",
    "3",
    "--setup",
    "echo s >> log",
    "--prepare",
    "echo p >> log",
    "--conclude",
    "echo c >> log",
    "--cleanup",
    "echo end >> log",
    "--parameter-list",
    "x",
    "1",
    "--shell",
    "sh",
    "--ignore-failure",
    "--style",
    "basic",
    "--output",
    "pipe",
    "--input",
    "in.txt",
    "--command-name",
    "one",
    "--command-name",
    "two",
    "--reference",
    "sleep 0.01",
    "--reference-name",
    "base",
    "--min-benchmarking-time",
    "0.1",
    "cat; exit {x}",
    "cat",
];

/// Options with short letters, and options that exclude some of [`LONG`].
const SHORT: &[&str] = &[
    "-w",
    "1",
    "-M",
    "2",
    "-s",
    ":",
    "--prepare",
    ": {n}",
    "--prepare",
    ":",
    "--conclude",
    ":",
    "-c",
    ":",
    "-P",
    "n",
    "0",
    "1",
    "-D",
    "1",
    "-S",
    "default",
    "-i=3,4",
    "-n",
    "a",
    "--show-output",
    "echo shown; exit 3",
    "exit 4",
];

#[test]
fn long_options_of_hyperfine_are_followed() {
    let place = Place::new();
    place.write("in.txt", "hello\n");
    place.derny(&[&["try"], TABLES, LONG].concat()).expect(0);
    let json: Value = serde_json::from_str(&place.read("t.json")).unwrap();
    let names: Vec<&str> =
        json["results"].as_array().unwrap().iter().map(|one| one["command"].as_str().unwrap()).collect();
    assert_eq!(names, ["base", "one", "two"]);
    assert_eq!(json["results"][1]["parameters"]["x"], "1");
    assert!(json["results"][0]["times"].as_array().unwrap().len() <= 3);
    assert!(json["results"][0]["mean"].as_f64().unwrap() > 0.009 && json["results"][0]["user"].is_number());
    // If a turn had several runs, the status of each is unknown.
    let codes = json["results"][1]["exit_codes"].as_array();
    assert!(codes.is_none_or(|codes| codes.iter().all(|code| *code == 1)), "{codes:?}");
    assert!(place.read("t.csv").starts_with("command,mean,stddev,median,user,system,min,max,parameter_x\n"));
    assert!(place.read("t.md").starts_with("| Command | Mean ["), "{}", place.read("t.md"));
    let log = lines(&place, "log");
    assert_eq!((log.first().map(String::as_str), log.last().map(String::as_str)), (Some("s"), Some("end")));
    assert_eq!(log.iter().filter(|line| *line == "s").count(), 1, "the same set-up runs once");
    assert!(log[1..log.len() - 1].chunks(2).all(|pair| pair == ["p", "c"]), "{log:?}");
}

#[test]
fn short_options_of_hyperfine_are_followed() {
    let place = Place::new();
    let done = place.derny(&[&["try"], SHORT].concat()).expect(0);
    assert!(done.err.contains("shown") && !done.out.contains("shown"), "{}", done.err);
    place.derny(&["try", "--help"]).expect(0);
    place.derny(&["try", "--version"]).expect(0);
}

#[test]
fn runs_are_numbered_for_everything_that_belongs_to_them() {
    let place = Place::new();
    let args = [
        "-w",
        "2",
        "--prepare",
        "echo p$HYPERFINE_ITERATION >> log",
        "--conclude",
        "echo c$HYPERFINE_ITERATION >> log",
        "echo r$HYPERFINE_ITERATION >> log",
    ];
    tried(&place, &args).expect(0);
    let runs = ["warmup-0", "warmup-1", "0", "1", "2"];
    let wanted: Vec<String> =
        runs.iter().flat_map(|run| ["p", "r", "c"].map(|kind| format!("{kind}{run}"))).collect();
    assert_eq!(lines(&place, "log"), wanted);
}

#[test]
fn no_command_runs_on_the_set_up_of_another() {
    let place = Place::new();
    place.write("which", "none\n");
    let args = ["-L", "v", "old,new", "-s", "echo {v} > which", "test $(cat which) = {v}"];
    let refused = tried(&place, &args).expect(2);
    assert!(refused.err.contains("--copy") && refused.err.contains("`echo old > which`"), "{}", refused.err);
    assert_eq!(place.read("which"), "none\n", "nothing ran");
    tried(&place, &[&["--copy"], &args[..]].concat()).expect(0);
    assert_eq!(place.read("which"), "none\n", "only copies have changed");
    // If all commands have the same set-up, it runs once.
    tried(&place, &["-s", "echo both > which", "grep -q both which", "cat which"]).expect(0);
    assert_eq!(place.read("which"), "both\n");
}

#[test]
fn a_command_that_fails_later_keeps_what_was_measured() {
    let place = Place::new();
    let late = tried(&place, &["test $HYPERFINE_ITERATION != 1"]).expect(3);
    assert!(late.err.contains("exited with status 1 in run 1") && late.err.contains("-i"), "{}", late.err);
    assert!(!place.rows().is_empty());
}

#[test]
fn what_a_command_leaves_behind_is_named_and_ended() {
    let place = Place::new();
    // Wait until the child has become `sleep`, because it has that name only from then on.
    let becomes = "until grep -q sleep /proc/$!/comm; do :; done";
    let done = tried(&place, &[&format!("sleep 61 & echo $! >> left; {becomes}")]).expect(0);
    assert!(done.err.contains("left processes running: sleep"), "{}", done.err);
    for pid in lines(&place, "left") {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
    // A process that `--prepare` starts lives until `--conclude` has run.
    let args = [
        "--prepare",
        "sleep 61 & echo $! > server",
        "--conclude",
        "kill $(cat server)",
        "kill -0 $(cat server)",
    ];
    let done = tried(&place, &args).expect(0);
    assert!(!done.err.contains("behind"), "{}", done.err);
}

#[test]
fn output_costs_nothing_unless_it_is_asked_for() {
    let place = Place::new();
    for output in ["null", "pipe", "out.txt"] {
        tried(&place, &["-N", "--output", output, "seq 20000"]).expect(0);
    }
    assert_eq!(lines(&place, "out.txt").len(), 20_000);
    // A command that closes its output is measured as usual.
    tried(&place, &["exec >&-; exec 2>&-; :"]).expect(0);
}

#[test]
fn what_a_run_uses_is_in_the_file_and_that_of_all_its_processes_where_it_is_permitted() {
    let place = Place::new();
    // Both shells hold the text at the same time.
    let text = "$(head -c 20000000 /dev/zero | tr '\\0' a)";
    let command = format!("x={text}; sh -c \"y=\\{text}; :\"; : $x");
    let shown = tried(
        &place,
        &[
            "-N",
            "--export-json",
            "out.json",
            "-f",
            "json",
            &format!("sh -c '{}'", command.replace('\'', "'\\''")),
        ],
    );
    let shown = shown.expect(0).json();
    let metrics = shown["suites"][0]["cases"][0]["variants"][0]["metrics"].as_array().unwrap().clone();
    let value = |name: &str| {
        let own = metrics.iter().find(|metric| metric["metric"]["name"] == name)?;
        own["estimate"]["value"].as_f64()
    };
    let peak = value("peak").unwrap();
    assert!(peak > 20e6, "{peak}");
    if let Some(together) = value("group_peak") {
        assert!(together > peak + 15e6, "{together} {peak}");
        assert!(value("group_cpu").unwrap() > 0.0);
    }
    let file: Value = serde_json::from_str(&place.read("out.json")).unwrap();
    let runs = file["results"][0]["times"].as_array().unwrap().len();
    let codes = file["results"][0]["exit_codes"].as_array().unwrap();
    assert!(codes.len() == runs && codes.iter().all(|code| *code == 0), "{codes:?}");
    let memory = file["results"][0]["memory_usage_byte"].as_array().unwrap();
    assert!(memory.len() == runs && memory.iter().all(|bytes| bytes.as_f64().unwrap() > 20e6), "{memory:?}");
}

#[test]
fn a_command_that_is_no_longer_than_nothing_has_no_ratio() {
    let place = Place::new();
    let done = place.derny(&["try", "-M", "8", "-f", "json", ":", "sleep 0.02"]).expect(0).json();
    let side = &done["comparison"]["cases"][0]["sides"][0];
    assert_eq!(
        (&side["at_floor"][0], &side["verdict"]),
        (&Value::Bool(true), &Value::from("unclear")),
        "{side}"
    );
    assert!(side["changes"][0]["change"].is_null());
}

/// Starts commands that append a line to `log` in each run, and interrupts them after this many runs.
fn interrupt(place: &Place, args: &[&str], after: usize) {
    use std::process::Stdio;
    let mut child = place.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let runs = || std::fs::read_to_string(place.root.join("log")).map_or(0, |log| log.lines().count());
    while runs() < after && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupted_command_is_ended_and_what_was_measured_stays() {
    let place = Place::new();
    let line = "echo >> log; sleep 0.1";
    let args = [
        "try",
        "-n",
        "a",
        "-n",
        "b",
        "-M",
        "30",
        "--budget",
        "60s",
        "--precise",
        "--set",
        "precision=0.01%",
        line,
        line,
    ];
    // After 20 lines, each command has run once, and the first eight pairs and some more have begun.
    interrupt(&place, &args, 20);
    assert!(!place.phase("measured").is_empty());
}

#[test]
fn an_interrupted_run_of_commands_goes_on() {
    let place = Place::new();
    let args = [
        "try",
        "-N",
        "-M",
        "6",
        "-n",
        "a",
        "-n",
        "b",
        "sh -c 'echo >> log; sleep 0.2'",
        "sh -c 'echo >> log; sleep 0.1'",
    ];
    // After 6 lines, each command has run once, and two pairs have begun.
    interrupt(&place, &args, 6);
    let before = place.rows().len();
    place.derny(&["run", "--resume", "last"]).expect(0);
    assert!(place.rows().len() > before, "{before}");
    let stored = place.runs();
    assert_eq!((stored.len(), &stored[0]["header"]["status"]), (1, &Value::from("complete")), "{stored:?}");
}

#[test]
fn verdicts_are_about_the_command_that_they_name() {
    let place = Place::new();
    let tried =
        |args: &[&str]| place.derny(&[&["try", "-N", "-M", "8", "sleep 0.001", "sleep 0.03"], args].concat());
    let done = tried(&[]).expect(0);
    let first = done.out.lines().next().unwrap();
    assert!(
        first.starts_with("sleep 0.03 is ") && first.ends_with("× slower than sleep 0.001"),
        "{}",
        done.out
    );
    assert!(!done.out.contains("sleep 0.001: "), "{}", done.out);
    // The stored run shows the same result and verdict.
    assert_eq!(place.derny(&["show"]).expect(0).out, done.out);
    let sides = place.derny(&["show", "--case"]).expect(0).out;
    assert!(sides.contains("sleep 0.001") && sides.contains("sleep 0.03"), "{sides}");
    let named = tried(&["-n", "fast", "-n", "slow", "-f", "github"]).expect(0).out;
    assert!(named.contains("slower%3A command/slow::") && named.contains("slow is "), "{named}");
    let names = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(names["cases"][0]["case"]["id"]["benchmark"], "fast");
    assert_eq!(names["sides"][1]["benchmark"], "slow");
}

#[test]
fn a_command_is_measured_beside_itself() {
    let place = Place::new();
    let json = place.derny(&["try", "-M", "8", "-f", "json", "sleep 0.005", "sleep 0.005"]).expect(0).json();
    assert_eq!(variants(&json), ["sleep 0.005", "sleep 0.005 #2"]);
    let sides = json["suites"][0]["cases"][0]["variants"].as_array().unwrap();
    assert!(sides.iter().all(|side| side["processes"].as_u64() >= Some(6)), "{sides:?}");
    // Each command can be found by its name, also in a run whose cases are commands.
    let cases = tried(&place, &["-f", "json", "-L", "n", "1,2", ": {n}", ": {n}"]).expect(0).json();
    assert_eq!(variants(&cases), [": {n}", ": {n} #2"]);
    assert_eq!(cases["suites"][0]["cases"].as_array().unwrap().len(), 2);
}

#[test]
fn without_a_shell_what_only_a_shell_understands_is_told() {
    let place = Place::new();
    let done = tried(&place, &["-N", "true && sleep 0.2"]).expect(0);
    let warned: Vec<&str> = done.err.lines().filter(|line| line.contains("without a shell")).collect();
    assert_eq!(
        warned,
        ["warning: `true && sleep 0.2` runs without a shell, which takes `&&` as a literal argument"],
        "{}",
        done.err
    );
    for command in
        ["true | cat", "true <in", "true ;", "true $HOME", "true ~/x *.c", "true `pwd`", "true & true"]
    {
        let done = tried(&place, &["-N", command]).expect(0);
        assert!(done.err.contains("runs without a shell, which takes `"), "{command}: {}", done.err);
    }
    for (flags, command) in [(&["-N"][..], "true '|' '&&' \"a b\" --x=1"), (&[], "true && true")] {
        let done = tried(&place, &[flags, &[command]].concat()).expect(0);
        assert!(!done.err.contains("without a shell"), "{command}: {}", done.err);
    }
}
