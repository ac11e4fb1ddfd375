//! The recipe of docs/guide/ci.md, as a shell runs it: a pull request against its base.

#![cfg(unix)]

mod place;

use place::{Done, Place, harness};
use std::path::Path;
use std::process::Command;

/// The lines between the first "```sh" of the page and the end of that block.
fn recipe() -> String {
    let page = include_str!("../../../docs/guide/ci.md");
    let (_, rest) = page.split_once("```sh\n").expect("the page has a shell block");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder);
    for setting in ["user.name=t", "user.email=t@t", "commit.gpgsign=false"] {
        command.args(["-c", setting]);
    }
    let output = command.args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A clone of a repository whose benchmark takes 50 ns, with a change that makes it take `cost` ns.
fn pull_request(cost: u32) -> Place {
    let place = Place::new();
    let bench = |ns: u32| {
        let text = format!("#!/bin/sh\nexec '{}' --cases=1 --cost-ns={ns} \"$@\"\n", harness());
        place.program("bench.sh", &text);
    };
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\norigin.git\ncomment.md\n");
    place.write("derny.toml", "[suite.s]\nharness = { command = './bench.sh' }\n");
    bench(50);
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "base"]);
    git(&place.root, &["clone", "-q", "--bare", ".", "origin.git"]);
    git(&place.root, &["remote", "add", "origin", "./origin.git"]);
    git(&place.root, &["checkout", "-q", "-b", "change"]);
    bench(cost);
    place.write("NOTES", "a change\n");
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "change"]);
    place
}

/// Runs the recipe, with settings that keep it short and a margin for its verdicts.
fn run(place: &Place, margin: &str) -> Done {
    let folder = Path::new(env!("CARGO_BIN_EXE_derny")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // The environment of a test's derny, for a shell that starts it.
    let prepared = place.command(&[]);
    let mut shell = Command::new("sh");
    for (name, value) in prepared.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env("PATH", path);
    for (name, value) in [("PROCESSES", "8"), ("ROUNDS", "4"), ("WARMUP", "0"), ("BUDGET", "20s")] {
        shell.env(format!("DERNY_{name}"), value);
    }
    let recipe = recipe().replace("--fail-on", &format!("--margin {margin} --fail-on"));
    place::done(shell.current_dir(&place.root).args(["-c", &recipe]).output().unwrap())
}

#[test]
fn a_true_regression_fails_the_step() {
    let place = pull_request(200);
    let done = run(&place, "1%").expect(1);
    assert!(done.err.contains("worse: ") && done.err.contains("base"), "{}", done.err);
    let comment = std::fs::read_to_string(place.root.join("comment.md")).unwrap();
    assert!(comment.contains("**slower**"), "{comment}");
    assert!(place.derny(&["compare", "-f", "github"]).expect(0).out.contains("::error"));
}

#[test]
fn a_change_that_costs_nothing_passes() {
    let place = pull_request(50);
    // Wider than what other programs on the machine may add to one side.
    run(&place, "99%").expect(0);
    let comment = std::fs::read_to_string(place.root.join("comment.md")).unwrap();
    assert!(comment.contains("base") && comment.contains("head"), "{comment}");
    // Within the margin it may be slower: of two equal sides one is, now and then.
    assert!(!comment.contains("**slower**"), "{comment}");
}
