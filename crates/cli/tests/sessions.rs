//! Runs the sessions of docs/guide/sessions and compares their output. The README there describes the format.
//! Also writes the benchmark of Derny's README and runs its commands.

#![cfg(unix)]

use crate::place::{self, Place};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command, its expected output, and its exit code.
struct Step {
    command: String,
    told: Vec<String>,
    code: i32,
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_string(), told: Vec::new(), code: 0 });
        } else if inside
            && let Some(more) = line.strip_prefix("> ")
            && let Some(step) = steps.last_mut().filter(|step| step.told.is_empty())
        {
            step.command.push_str(&format!("\n{more}"));
        } else if inside && let Some(step) = steps.last_mut() {
            match line.strip_prefix("? ").and_then(|code| code.parse().ok()) {
                Some(code) => step.code = code,
                None => step.told.push(line.to_string()),
            }
        }
    }
    steps
}

/// Returns a line without the parts that may differ: figures with signs and units, names of runs, warning
/// marks and spaces.
fn shape(line: &str) -> String {
    let line = line.find("  ! DY").map_or(line, |at| &line[..at]);
    let dated = ["just now", " ago", "yesterday"].iter().any(|when| line.contains(when));
    let mut shape: Vec<String> = Vec::new();
    for word in line.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let after = shape.last().is_some_and(|last| ["run", "show"].contains(&last.trim_matches('`')));
        let figure = shape.last().is_some_and(|last| last == "#");
        if bare.len() == 4 && (after || (dated && shape.is_empty())) {
            shape.push(word.replace(bare, "@"));
        } else if figure && ["ns", "µs", "ms", "s", "min", "k", "M", "G", "B", "kB", "MB"].contains(&word) {
            // Omit the unit, because it may change together with the figure.
        } else {
            shape.push(figures(word));
        }
    }
    few(&shape.join(" "))
}

/// Replaces a range with an interval. On a busy machine, there may be too few processes for an interval.
fn few(shape: &str) -> String {
    let told = shape.replace(
        "range of # processes # … # (contains the median with a probability of # \
        %)",
        "# % interval # … #",
    );
    told.replace("# … # range of #", "# … #").replace("# … # of #", "# … #")
}

/// Replaces figures with `#`: `−2.9` and `12` become `#`, and `n=10` becomes `n=#`.
fn figures(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        let in_figure = out.ends_with('#');
        match c {
            '0'..='9' if in_figure => {}
            '0'..='9' => {
                if out.ends_with(['−', '+']) {
                    out.pop();
                }
                out.push('#');
            }
            '.' | ',' if in_figure => {}
            c => out.push(c),
        }
    }
    // `4.2e50` is a figure too.
    out.replace("#e#", "#")
}

/// Returns true if the lines match. `...` matches any number of lines.
fn fits(told: &[String], came: &[String]) -> bool {
    match told.split_first() {
        None => came.is_empty(),
        Some((first, rest)) if first == "..." => (0..=came.len()).any(|n| fits(rest, &came[n..])),
        Some((first, rest)) => came.first() == Some(first) && fits(rest, &came[1..]),
    }
}

fn play(file: &Path) {
    let place = Place::new();
    let text = std::fs::read_to_string(file).unwrap();
    let steps = steps(&text);
    assert!(!steps.is_empty(), "{} has no session", file.display());
    for step in steps {
        let mut shell = place.shell(&format!("exec 2>&1; {}", step.command));
        let done = place::done(shell.output().unwrap());
        let came = done.out.replace(&place.root.display().to_string(), "[folder]");
        let shapes = |lines: &[String]| lines.iter().map(|line| shape(line)).collect::<Vec<_>>();
        let lines: Vec<String> = came.lines().map(String::from).collect();
        let told = step.told.join("\n");
        let context = format!("{}\n$ {}\n--- told\n{told}\n--- came\n{came}", file.display(), step.command);
        assert!(fits(&shapes(&step.told), &shapes(&lines)), "{context}");
        assert_eq!(done.code, step.code, "{context}");
    }
}

#[test]
fn sessions_come_out_as_told() {
    if Command::new("node").arg("--version").output().is_err() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/sessions");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|file| !file.ends_with("README.md")).collect();
    assert!(files.len() >= 4);
    // Run two at a time: their budgets are short, and other tests need processors too.
    let play_both = |both: &[PathBuf]| {
        let played: Vec<_> =
            both.iter().cloned().map(|file| std::thread::spawn(move || play(&file))).collect();
        played.into_iter().filter_map(|thread| thread.join().err()).count()
    };
    let failed: usize = files.chunks(2).map(play_both).sum();
    assert_eq!(failed, 0, "sessions came out otherwise");
}

/// Returns the code block of the README that begins with this line.
fn block(text: &str, first: &str) -> String {
    let start = text.find(&format!("```js\n{first}\n")).unwrap_or_else(|| panic!("no block `{first}`"));
    text[start..].split("```").nth(1).unwrap().trim_start_matches("js\n").to_string()
}

#[test]
fn the_benchmark_of_the_readme_is_measured_by_its_commands() {
    if ["node", "git"].iter().any(|tool| Command::new(tool).arg("--version").output().is_err()) {
        return;
    }
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let place = Place::new();
    let bench = block(&text, "// hash.bench.mjs");
    place.write("hash.bench.mjs", &bench);
    place.write(".gitignore", ".derny\n");
    let git = "git init -q -b main && git add . && git -c user.name=t -c user.email=t@t commit -q -m first";
    let done = Command::new("sh").args(["-c", git]).current_dir(&place.root).status().unwrap();
    assert!(done.success());
    let body = "(h * 31 + bytes[i]) | 0";
    assert!(bench.contains(body), "{bench}");
    place.write("hash.bench.mjs", &bench.replace(body, "(h * 33) ^ bytes[i]"));
    let (_, own) = text.split_once("## Write a benchmark").unwrap();
    let lines = own.lines().filter_map(|line| line.strip_prefix("    "));
    let commands =
        lines.filter(|line| line.starts_with("derny ")).map(|line| line.split("  ").next().unwrap());
    // Two of the programs that it names do not exist.
    let commands: Vec<&str> = commands.filter(|line| !line.contains("./node-")).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    place.program(&format!("bin/{opener}"), "#!/bin/sh\ncp \"$1\" report.html\n");
    let path = format!("{}:{}", place.root.join("bin").display(), std::env::var("PATH").unwrap());
    for command in commands {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let done = place.derny_with(&[("DERNY_BUDGET", "1s"), ("PATH", &path)], &words).expect(0);
        if words[0] == "run" && !words.contains(&"--quick") {
            assert!(done.out.contains("─ hash") && done.out.contains("─ count"), "{command}\n{}", done.out);
        }
        if words[0] == "diff" {
            assert!(done.out.contains("main → head") && done.out.contains("paired"), "{}", done.out);
        }
    }
    assert!(place.root.join("report.html").is_file());
}

#[test]
fn shapes_keep_words_and_drop_figures() {
    let same = [
        ("├─ n=10     215 ns      211 … 218  4.66 M  ! DY102 DY201", "├─ n=10  1.15 µs  1.1 … 2  466 k"),
        (
            "saved run 9dg0 · 4 s · show it again with `derny show 9dg0`",
            "saved run k3fz · 12 s · show it again with `derny show k3fz`",
        ),
        ("9dg0  just now  node 20", "abcd  2 min ago  node 18"),
        ("−2.9 %", "+11 %"),
    ];
    for (a, b) in same {
        let plain = |text: &str| shape(text).replace("just now", "# ago");
        assert_eq!(plain(a), plain(b));
    }
    for (a, b) in [("first run", "second run"), ("n=10", "m=10"), ("error: x", "error: y"), ("5 cases", "5")]
    {
        assert_ne!(shape(a), shape(b));
    }
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    assert!(fits(&lines("a\n...\nc"), &lines("a\nb\nb\nc")) && fits(&lines("a\n..."), &lines("a")));
    assert!(!fits(&lines("a\n...\nc"), &lines("a\nb")) && !fits(&lines("a"), &lines("a\nb")));
}
