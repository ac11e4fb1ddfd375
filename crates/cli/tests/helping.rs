//! Tests the verbs that help users: their output is correct, and the files that they write can be used.

#![cfg(unix)]

use crate::place::{self, Place, harness};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn help_answers_at_once_and_names_every_exit_code() {
    let place = Place::new();
    let help = place.derny(&["--help"]).expect(0).out;
    for code in ["0 done", "2 usage", "3 a benchmark", "4 nothing matched", "130 interrupted"] {
        assert!(help.replace('\n', " ").contains(code), "{code}: {help}");
    }
    let time = || {
        let mut command = place.command(&["--help"]);
        let start = Instant::now();
        command.stdout(Stdio::null()).status().unwrap();
        start.elapsed()
    };
    // Use the fastest of several calls, because other programs may run during tests. The limit is two
    // hundred times the time on an idle machine.
    let least = (0..10).map(|_| time()).min().unwrap();
    assert!(least < Duration::from_secs(1), "{least:?}");
    assert_eq!(place.derny(&[]).expect(0).out, help);
    for group in ["fleet", "dev"] {
        assert!(place.derny(&[group]).expect(2).err.contains(&format!("Usage: derny {group}")), "{group}");
    }
    for topic in ["all", "settings"] {
        assert!(!place.derny(&["help", topic]).expect(0).out.contains('\u{1b}'), "{topic}");
    }
}

#[test]
fn explain_tells_every_code() {
    let place = Place::new();
    let list = place.derny(&["dev", "explain"]).expect(0).out;
    let codes: Vec<&str> = list.lines().map(|line| line.split_once("  ").unwrap().0).collect();
    assert!(codes.len() > 20 && codes.is_sorted(), "{codes:?}");
    for code in &codes {
        let text = place.derny(&["dev", "explain", code]).expect(0).out;
        assert!(text.starts_with(code) && text.lines().count() > 3, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    }
    assert_eq!(
        place.derny(&["dev", "explain", "301"]).expect(0).out,
        place.derny(&["dev", "explain", "dy301"]).expect(0).out
    );
}

#[test]
fn config_tells_values_and_their_origins() {
    let place = Place::new();
    place.write(
        "derny.toml",
        "budget = \"5s\"\nmetrics = [\"time\", \"alloc\"]\n[profile.ci]\nbudget = \"1s\"\n",
    );
    std::fs::create_dir_all(place.root.join("below")).unwrap();
    let user = place.write("user/derny/derny.toml", "rounds = 5\nbudget = \"9s\"\n");
    let home = user.parent().unwrap().parent().unwrap().to_str().unwrap().to_string();
    let rows = |env: &[(&str, &str)], args: &[&str]| {
        let all = [&["-C", "below", "config", "-f", "json"], args].concat();
        place.derny_with(env, &all).expect(0).json()
    };
    let find = |rows: &serde_json::Value, key: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["key"] == key).unwrap().clone();
        (row["value"].as_str().unwrap().to_string(), row["origin"].as_str().unwrap().to_string())
    };
    let plain = rows(&[], &[]);
    let root = place.root.display().to_string();
    assert_eq!(find(&plain, "root"), (root.clone(), "folder of the file".into()));
    assert_eq!(find(&plain, "file"), (format!("{root}/derny.toml"), "nearest derny.toml".into()));
    assert_eq!(find(&plain, "store"), (format!("{root}/.derny"), "default".into()));
    assert_eq!(find(&plain, "budget"), ("5s".into(), format!("{root}/derny.toml")));
    assert_eq!(find(&plain, "metrics").0, "time,alloc");
    assert_eq!(find(&plain, "rounds"), ("auto".into(), "default".into()));
    let env = [("XDG_CONFIG_HOME", home.as_str()), ("DERNY_WARMUP", "1ms"), ("DERNY_STORE", "/tmp/x")];
    let layered = rows(&env, &["--profile", "ci", "--set", "gc=never"]);
    assert_eq!(find(&layered, "budget"), ("1s".into(), format!("{root}/derny.toml [profile.ci]")));
    assert_eq!(find(&layered, "rounds"), ("5".into(), user.display().to_string()));
    assert_eq!(find(&layered, "warmup"), ("1ms".into(), "DERNY_WARMUP".into()));
    assert_eq!(find(&layered, "gc"), ("never".into(), "command line".into()));
    assert_eq!(find(&layered, "store"), ("/tmp/x".into(), "DERNY_STORE".into()));
    let without = place.derny(&["config", "-f", "json", "--no-config"]).expect(0).json();
    assert_eq!(find(&without, "budget"), ("10s".into(), "default".into()));
    let table = place.derny(&["config"]).expect(0).out;
    assert!(table.contains("budget") && table.contains("derny.toml"), "{table}");
}

#[test]
fn the_schema_is_json_and_closed() {
    let place = Place::new();
    let schema = place.derny(&["dev", "schema", "config"]).expect(0).json();
    assert_eq!(schema["additionalProperties"], false);
    assert!(schema["properties"]["budget"].is_object());
}

/// `DERNY_WRITE_DOCS=1 cargo test -p derny` writes the files again. The next build of `derny` contains them.
#[test]
fn the_schemas_of_the_reference_are_those_of_the_types_and_are_printed() {
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/schema");
    let made = [("outputs", outputs()), ("config", place.derny(&["dev", "schema", "config"]).expect(0).out)];
    for (name, made) in made {
        let file = folder.join(format!("{name}.json"));
        if std::env::var_os("DERNY_WRITE_DOCS").is_some() {
            std::fs::write(&file, &made).unwrap();
            continue;
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == made,
            "docs/reference/schema/{name}.json is out of date: set DERNY_WRITE_DOCS=1 and test again"
        );
    }
    let printed = [
        ("result", schema_of::<derny_model::Document>()),
        ("scaling", schema_of::<derny_model::Scaling>()),
        ("events", schema_of::<derny_model::Event>()),
        ("plan", schema_of::<derny_model::FleetPlan>()),
        ("judgement", schema_of::<derny_model::Judgement>()),
        ("bisection", schema_of::<derny_model::Bisection>()),
        ("history", schema_of::<derny_model::History>()),
    ];
    for (name, made) in printed {
        assert_eq!(place.derny(&["dev", "schema", name]).expect(0).json(), made, "{name}");
    }
}

fn generator() -> schemars::SchemaGenerator {
    schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator()
}

/// Returns the file with all schemas, which share their definitions.
fn outputs() -> String {
    let mut generator = generator();
    generator.subschema_for::<derny_model::Document>();
    generator.subschema_for::<derny_model::Comparison>();
    generator.subschema_for::<derny_model::Scaling>();
    generator.subschema_for::<derny_model::Event>();
    generator.subschema_for::<derny_model::FleetPlan>();
    generator.subschema_for::<derny_model::Judgement>();
    generator.subschema_for::<derny_model::Bisection>();
    generator.subschema_for::<derny_model::History>();
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Derny",
        "description": "All that Derny prints as JSON. `derny dev schema NAME` prints one with its definitions.",
        "$defs": generator.take_definitions(true),
    });
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

/// Returns the schema of the JSON for a type.
fn schema_of<T: schemars::JsonSchema>() -> serde_json::Value {
    generator().into_root_schema_for::<T>().to_value()
}

#[test]
fn init_writes_what_is_missing_and_nothing_else() {
    let place = Place::new();
    let bare = place.derny(&["init"]).expect(0);
    assert!(
        bare.err.contains("wrote  derny.toml") && bare.err.contains("no language was recognised"),
        "{}",
        bare.err
    );
    place.derny(&["config"]).expect(0);
    let text = std::fs::read_to_string(place.root.join("derny.toml")).unwrap();
    assert!(text.contains("# harness = \"HARNESS\""), "{text}");
    std::fs::remove_file(place.root.join("derny.toml")).unwrap();
    place.derny(&["init", "javascript"]).expect(0);
    let text = std::fs::read_to_string(place.root.join("derny.toml")).unwrap();
    assert!(text.contains("# harness = \"node\"") && text.contains("-x head -x NAME"), "{text}");
    std::fs::remove_file(place.root.join("first.bench.mjs")).unwrap();
    place.write("package.json", "{}\n");
    place.write("derny.toml", "# mine\n");
    let done = place.derny(&["init"]).expect(0);
    assert!(
        done.err.contains("kept   derny.toml") && done.err.contains("wrote  first.bench.mjs"),
        "{}",
        done.err
    );
    assert_eq!(std::fs::read_to_string(place.root.join("derny.toml")).unwrap(), "# mine\n");
    let first = std::fs::read_to_string(place.root.join("first.bench.mjs")).unwrap();
    place.write("first.bench.mjs", "// mine\n");
    place.derny(&["init", "javascript"]).expect(0);
    assert_eq!(std::fs::read_to_string(place.root.join("first.bench.mjs")).unwrap(), "// mine\n");
    assert!(first.contains("bench("), "{first}");
}

#[test]
fn doctor_looks_at_the_machine() {
    let place = Place::new();
    let done = place.derny(&["doctor", "-f", "json"]).expect(0);
    let checks = done.json();
    let names: Vec<&str> =
        checks.as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    let wanted = [
        "clock", "cores", "smt", "governor", "turbo", "load", "steal", "pressure", "virtual", "layout",
        "power", "memory", "swap", "quota", "programs", "perf", "speed", "store",
    ];
    for name in wanted {
        assert!(names.contains(&name), "{name} is missing: {names:?}");
    }
    assert!(!place.root.join(".derny").exists(), "a doctor leaves no trace");
    let table = place.derny(&["doctor"]).expect(0).out;
    assert!(table.lines().all(|line| ["ok  ", "warn", "?   "].contains(&&line[..4])), "{table}");
    let unknown = checks.as_array().unwrap().iter().filter(|check| check["status"] == "unknown");
    assert!(
        unknown.clone().all(|check| check["code"].is_null()),
        "there is nothing to do about it: {checks}"
    );
    assert_eq!(unknown.count(), table.lines().filter(|line| line.starts_with("?   ")).count(), "{table}");
    for check in checks.as_array().unwrap().iter().filter(|check| check["code"].is_string()) {
        place.derny(&["dev", "explain", check["code"].as_str().unwrap()]).expect(0);
    }
    let noise = place.derny(&["doctor", "--noise", "-f", "json"]).expect(0).json();
    let floor = noise.as_array().unwrap().iter().find(|check| check["name"] == "noise").unwrap();
    assert!(floor["text"].as_str().unwrap().contains("cannot be detected here in 2 s"), "{floor}");
    place.write("file", "");
    let bad = place.derny(&["doctor", "--store", "file/store"]).expect(2);
    assert!(bad.out.lines().any(|line| line.starts_with("fail  store")), "{}", bad.out);
}

#[test]
fn a_harness_understands_what_protocol_send_prints() {
    let place = Place::new();
    let talk = |args: &[&str]| {
        let sent = place.derny(&[&["dev", "protocol", "send"], args].concat()).expect(0).out;
        let mut child = Command::new(harness())
            .env("DERNY_COMMANDS", "/dev/stdin")
            .env("DERNY_REPLIES", "/dev/stdout")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(sent.as_bytes()).unwrap();
        place::done(child.wait_with_output().unwrap()).expect(0).out
    };
    assert_eq!(talk(&[]).lines().filter(|line| line.starts_with("case ")).count(), 5);
    let answers = talk(&[
        "fake/steady",
        "fake/sized n=2",
        "--turns",
        "3",
        "--batches",
        "4",
        // A turn ends early after this time, and a busy machine is slow.
        "--within",
        "20s",
        "--check",
        "--overhead",
        "--collect",
    ]);
    let count = |word: &str| answers.lines().filter(|line| line.split(' ').next() == Some(word)).count();
    assert_eq!((count("opened"), count("closed"), count("checked"), count("collected")), (2, 2, 2, 2));
    assert_eq!(count("times"), 8, "three turns and an empty body, twice: {answers}");
    assert!(
        answers.lines().filter(|line| line.starts_with("times")).all(|line| line.split(' ').count() == 5)
    );
    place.derny(&["dev", "protocol", "send", "--batches", "0", "x"]).expect(2);
}

#[test]
fn completions_and_manual_know_every_verb() {
    let place = Place::new();
    let help = place.derny(&["help", "all"]).expect(0).out;
    let names = help
        .lines()
        .take_while(|line| !line.starts_with("Options of"))
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?.split("  ").next());
    let verbs: Vec<&str> = names.collect();
    assert!(verbs.len() > 25, "{verbs:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.derny(&["dev", "completions", shell]).expect(0).out;
        assert!(verbs.iter().flat_map(|verb| verb.split(' ')).all(|verb| script.contains(verb)), "{shell}");
    }
    let manual = place.derny(&["dev", "man"]).expect(0).out;
    assert!(manual.contains(".TH derny 1"), "{manual}");
    let folder = place.root.join("man");
    place.derny(&["dev", "man", "--all", folder.to_str().unwrap()]).expect(0);
    for verb in &verbs {
        let page = folder.join(format!("derny-{}.1", verb.replace(' ', "-")));
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH EXAMPLES"), "{verb}");
    }
    let run = place.derny(&["dev", "man", "run"]).expect(0).out;
    assert_eq!(std::fs::read_to_string(folder.join("derny-run.1")).unwrap(), run);
    let below = place.derny(&["dev", "man", "runs", "prune"]).expect(0).out;
    assert_eq!(std::fs::read_to_string(folder.join("derny-runs-prune.1")).unwrap(), below);
    assert!(place.derny(&["dev", "man", "rnu"]).expect(2).err.contains("there is no command `rnu`"));
}

#[test]
fn a_page_is_not_written_to_a_terminal_but_opened() {
    let place = Place::new();
    place.tiny(&["steady"]).expect(0);
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    place.program(&format!("bin/{opener}"), "#!/bin/sh\necho \"$1\" > opened\n");
    let path = format!("{}:{}", place.root.join("bin").display(), std::env::var("PATH").unwrap());
    let done = place.derny_with(&[("PATH", path.as_str())], &["report", "--open"]).expect(0);
    assert!(done.out.is_empty() && done.err.contains("opened "), "{}", done.err);
    let file = place.read("opened");
    let page = std::fs::read_to_string(file.trim()).unwrap();
    assert!(page.to_ascii_lowercase().starts_with("<!doctype html>"), "{file}");
    place.program(&format!("bin/{opener}"), "#!/bin/sh\nexit 3\n");
    let none = place.derny_with(&[("PATH", path.as_str())], &["report", "--open"]).expect(2);
    assert!(none.err.contains("cannot open the page") && none.err.contains("report.html"), "{}", none.err);
}

#[test]
fn help_fits_a_screen_and_begins_with_examples() {
    let place = Place::new();
    let verbs = ["", "run", "diff", "list", "compare", "show", "plot", "dev attach", "runs prune", "dev man"];
    for verb in verbs {
        let words: Vec<&str> = ["help"].into_iter().chain(verb.split_whitespace()).collect();
        let help = place.derny_with(&[("COLUMNS", "80")], &words).expect(0).out;
        let place_of = |heading: &str| help.find(&format!("\n{heading}:\n"));
        assert!(
            place_of("Examples").is_some_and(|at| place_of("Options").is_none_or(|options| at < options)),
            "{help}"
        );
        assert!(place_of("Advanced").is_none_or(|rare| place_of("Options").unwrap() < rare), "{help}");
        for line in help.lines().filter(|line| !line.starts_with("  derny ")) {
            assert!(line.chars().count() <= 80, "{verb}: {line}");
        }
        assert!(help.lines().count() <= 120, "{verb}: {} lines", help.lines().count());
        assert!(!verb.is_empty() || help.lines().count() <= 30, "{help}");
        let flags: Vec<&str> = words[1..].iter().copied().chain(["--help"]).collect();
        assert_eq!(place.derny_with(&[("COLUMNS", "80")], &flags).expect(0).out, help, "{verb}");
    }
    let run = place.derny_with(&[("COLUMNS", "80")], &["help", "run"]).expect(0).out;
    assert!(run.lines().count() <= 60, "{run}");
    let twelve = ["-x", "--against", "--save", "--fail-on", "--margin", "--budget", "--total", "--quick"];
    let twelve = twelve.into_iter().chain(["--precise", "-p", "-f", "-o", "--set"]);
    for flag in twelve {
        let has = |line: &str| line.starts_with("  -") || line.starts_with("      --");
        let shown =
            run.lines().filter(|line| has(line)).any(|line| line.split([' ', ',']).any(|word| word == flag));
        assert!(shown, "{flag}\n{run}");
    }
    let rare = place.derny(&["help", "run", "--all"]).expect(0).out;
    assert!(rare.contains("--once") && rare.contains("--profiler"), "{rare}");
    let settings = place.derny(&["help", "settings"]).expect(0).out;
    assert!(settings.contains("  rounds ") && settings.contains("[default: "), "{settings}");
    let run = run.split_whitespace().collect::<Vec<_>>().join(" ");
    let settings = place.derny(&["config", "-f", "json", "--no-config"]).expect(0).json();
    for row in settings.as_array().unwrap() {
        let (key, value) = (row["key"].as_str().unwrap(), row["value"].as_str().unwrap());
        let flag = key.trim_end_matches('s');
        // Skip `metrics`: `--metric` is another option, for the direction of a printed figure.
        if key == "metrics" {
            continue;
        }
        let Some(at) = run.find(&format!("--{key} <")).or_else(|| run.find(&format!("--{flag} <"))) else {
            continue;
        };
        let default = run[at..].split("[default: ").nth(1).unwrap();
        assert!(default.starts_with(&format!("{value}]")), "{key}: {value}, {default}");
    }
}
