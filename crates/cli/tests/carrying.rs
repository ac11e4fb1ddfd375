//! Tests plans that contain builds: which builds a shard takes from them, and which it makes itself.

#![cfg(unix)]

use crate::database::address;
use crate::fleet::verdicts;
use crate::place::{Done, Place, git, harness};
use std::path::PathBuf;
use std::process::Command;

/// Prepares a repository of two commits, of which the second is slower by half. Each build appends a line
/// to `log`, which all clones share.
fn built(place: &Place, more: &str) {
    git(&place.root, &["init", "-q", "-b", "main"]);
    place.write(".gitignore", ".derny\n*.log\n*.tar\n*.json\n*.derny\n");
    place.write(
        "derny.toml",
        "[suite.s]\nharness = { command = '{build}/bench' }\nbuild = 'sh build.sh {build}'\n",
    );
    let long = "long".repeat(30);
    let build = format!(
        "echo \"$(cat offset)\" >> '{}'\nmkdir -p \"$1/more\"\n\
         printf '#!/bin/sh\\nexec %s --made-up --cases=2 --offset=%s\\n' '{}' \"$(cat offset)\" > \"$1/more/program\"\n\
         chmod +x \"$1/more/program\"\nln -sf more/program \"$1/bench\"\n\
         mkdir -p \"$1/{long}\" && : > \"$1/{long}/{long}\" && ln -sf \"{long}/{long}\" \"$1/long\"\n{more}\n",
        log(place).display(),
        harness()
    );
    place.write("build.sh", &build);
    for offset in ["0", "50"] {
        place.write("offset", offset);
        git(&place.root, &["add", "."]);
        git(&place.root, &["commit", "-q", "-m", offset]);
    }
}

fn log(place: &Place) -> PathBuf {
    place.root.join("builds.log")
}

fn builds(place: &Place) -> usize {
    std::fs::read_to_string(log(place)).unwrap().lines().count()
}

fn clone(of: &Place) -> Place {
    let place = Place::new();
    git(&place.root, &["clone", "-q", &of.root.display().to_string(), "."]);
    place
}

fn plan(place: &Place, more: &[&str]) -> Done {
    let fixed = [
        "fleet",
        "plan",
        "-x",
        "old@HEAD~1",
        "-x",
        "new@.",
        "--shards",
        "2",
        "--set",
        "rounds=3",
        "--set",
        "warmup=0",
    ];
    let own = ["--budget", "60s", "--set", "pin=none", "--set", "isolation=suite"];
    place.derny(&[&fixed[..], &own, more].concat())
}

fn from(place: &Place, name: &str) -> String {
    place.root.join(name).display().to_string()
}

fn plan_of(tar: &str) -> String {
    let output = Command::new("tar").args(["-xzOf", tar, "plan.json"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn shards_of_a_plan_that_carries_its_builds_build_nothing() {
    let place = Place::new();
    built(&place, "");
    let planned = plan(&place, &["--build", "-o", "plan.tar"]).expect(0);
    assert_eq!(builds(&place), 2);
    assert!(planned.err.contains("the plan contains 0.0 MB of builds"), "{}", planned.err);
    let tar = from(&place, "plan.tar");
    let pipeline = place.derny(&["fleet", "generate", "gitlab", "plan.tar"]).expect(0).out;
    assert!(
        pipeline.contains("derny fleet shard plan.tar ")
            && pipeline.contains("derny fleet plan -o plan.tar "),
        "{pipeline}"
    );
    assert!(!pipeline.contains("plan.json"), "{pipeline}");
    for (scheduler, second) in [
        ("slurm", "\nbuilds=plan.tar\n"),
        ("github", "derny fleet shard undecided.json ${{ matrix.shard }}/2 --builds plan.tar -o"),
        ("gitlab", "derny fleet shard undecided.json --builds plan.tar -o"),
        ("buildkite", "derny fleet shard undecided.json --builds plan.tar -o"),
    ] {
        let text = place.derny(&["fleet", "generate", scheduler, "plan.tar"]).expect(0).out;
        assert!(text.contains(second), "{text}");
    }
    let other = clone(&place);
    for shard in ["1", "2"] {
        let part = format!("r{shard}.derny");
        let done = other.derny(&["fleet", "shard", &tar, shard, "-o", &part]).expect(0);
        assert!(!done.err.contains("building"), "{}", done.err);
    }
    assert_eq!(builds(&place), 2, "no shard has built");
    let merge = ["fleet", "merge", "r1.derny", "r2.derny", "-f", "json", "--undecided", "next.json"];
    assert_eq!(verdicts(&other.derny(&merge).expect(0).json()), ["worse"; 2]);
    assert_eq!(std::fs::read_dir(other.root.join(".derny/carried")).unwrap().count(), 1, "but for a lock");
    // With a plan that contains no builds, a shard builds both sides itself.
    plan(&place, &["-o", "plan.json"]).expect(0);
    let before = builds(&place);
    let third = clone(&place);
    third.derny(&["fleet", "shard", &from(&place, "plan.json"), "1", "-o", "r1.derny"]).expect(0);
    assert_eq!(builds(&place), before + 2);
    // A plan of a later wave contains no builds. It uses those of the first plan.
    let again = clone(&place);
    again.write("later.json", &plan_of(&tar));
    again.derny(&["fleet", "shard", "later.json", "2", "--builds", &tar, "-o", "r2.derny"]).expect(0);
    assert_eq!(builds(&place), before + 2);
    let refused =
        again.derny(&["fleet", "shard", &from(&place, "plan.json"), "2", "--builds", &tar]).expect(2);
    assert!(refused.err.contains("has the builds of another plan"), "{}", refused.err);
    let none = again.derny(&["fleet", "shard", "later.json", "2", "--builds", "later.json"]).expect(2);
    assert!(none.err.contains("later.json contains no builds"), "{}", none.err);
}

#[test]
fn builds_that_have_their_folder_in_them_serve_in_that_folder_alone() {
    let place = Place::new();
    built(&place, "echo \"# $PWD\" >> \"$1/more/program\"");
    plan(&place, &["--build", "-o", "plan.tar"]).expect(0);
    let other = clone(&place);
    let done = other.derny(&["fleet", "shard", &from(&place, "plan.tar"), "1", "-o", "r1.derny"]).expect(0);
    let there = place.root.display().to_string();
    assert!(done.err.contains(&format!("are for the folder {there}")), "{}", done.err);
    assert_eq!((builds(&place), done.err.matches("note: the builds").count()), (4, 1), "{}", done.err);
    // Another machine has the same folder, but no store.
    std::fs::remove_dir_all(place.root.join(".derny")).unwrap();
    let done = place.derny(&["fleet", "shard", "plan.tar", "2", "-o", "r2.derny"]).expect(0);
    assert_eq!(builds(&place), 4, "{}", done.err);
    let merge = ["fleet", "merge", &from(&other, "r1.derny"), "r2.derny", "-f", "json"];
    assert_eq!(verdicts(&place.derny(&merge).expect(0).json()), ["worse"; 2]);
}

#[test]
fn what_cannot_be_carried_is_said_and_built_by_the_shard() {
    let place = Place::new();
    built(&place, "ln -sf /bin/sh \"$1/shell\"");
    let planned = plan(&place, &["--build", "-o", "plan.tar"]).expect(0);
    for part in [
        "the plan contains no builds",
        "each shard builds old: its build contains a link to a path outside of its folder",
    ] {
        assert!(planned.err.contains(part), "{}", planned.err);
    }
    let before = builds(&place);
    let (other, tar) = (clone(&place), from(&place, "plan.tar"));
    other.derny(&["fleet", "shard", &tar, "1", "-o", "r1.derny"]).expect(0);
    assert_eq!(builds(&place), before + 2);
    // A shard of a later wave also makes its builds itself.
    other.write("later.json", &plan_of(&tar));
    other.derny(&["fleet", "shard", "later.json", "2", "--builds", &tar, "-o", "r2.derny"]).expect(0);
    // The program is now built next to its sources, so the plan cannot contain it.
    place.write("derny.toml", "[suite.s]\nharness = { command = './made' }\nbuild = 'sh build.sh .'\n");
    place.write(".gitignore", ".derny\n*.log\n*.tar\nmade\nbench\nmore\nshell\n");
    let script = place.read("build.sh") + "cp more/program made\n";
    place.write("build.sh", &script);
    git(&place.root, &["add", "."]);
    git(&place.root, &["commit", "-q", "-m", "beside"]);
    let planned =
        place.derny(&["fleet", "plan", "-x", "a@.", "-x", "b+X=1", "--build", "-o", "plan.tar"]).expect(0);
    assert!(
        planned.err.contains("each shard builds `s` of a: its build has no separate folder"),
        "{}",
        planned.err
    );
    let text = place.derny(&["fleet", "plan", "-x", "a@.", "-x", "b+X=1", "--build"]).expect(2);
    assert!(text.err.contains("-o plan.tar"), "{}", text.err);
}

#[test]
fn a_file_that_was_cut_measures_nothing() {
    let place = Place::new();
    built(&place, "head -c 300000 /dev/urandom > \"$1/data\"");
    plan(&place, &["--build", "-o", "plan.tar"]).expect(0);
    let whole = std::fs::read(place.root.join("plan.tar")).unwrap();
    let other = clone(&place);
    for length in [10, 400, whole.len() / 2, whole.len() - 5] {
        std::fs::write(other.root.join("cut.tar"), &whole[..length]).unwrap();
        let done = other.derny(&["fleet", "shard", "cut.tar", "1", "-o", "r1.derny"]).expect(2);
        assert!(done.err.contains("cut.tar cannot be used"), "{length}: {}", done.err);
        assert!(!other.root.join("r1.derny").exists());
    }
    assert_eq!(builds(&place), 2, "nor does it build");
}

#[test]
fn workers_take_builds_too_and_their_parts_are_merged_by_the_same_file() {
    let place = Place::new();
    built(&place, "");
    plan(&place, &["--build", "-o", "plan.tar"]).expect(0);
    let other = clone(&place);
    let (tar, store) = (from(&place, "plan.tar"), address("carrying"));
    let derny = |args: &[&str]| other.derny_with(&[("DERNY_STORE", &store)], args).expect(0);
    let worked = derny(&["fleet", "worker", &tar]);
    assert!(worked.err.contains("measured 2 shards"), "{}", worked.err);
    assert_eq!(builds(&place), 2);
    assert_eq!(verdicts(&derny(&["fleet", "merge", &tar, "-f", "json"]).json()), ["worse"; 2]);
}
