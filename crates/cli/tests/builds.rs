//! Tests `builds`: each variant is built with several layouts, blocks use them in turn, and records contain
//! the build.

#![cfg(unix)]

use crate::place::{Events, Place, TINY, harness, median, number};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Writes a suite that a script builds in a separate folder.
fn suite(place: &Place, build: &str) {
    place.write(
        "derny.toml",
        "[suite.s]\nharness = { command = '{build}/bench' }\nbuild = 'sh build.sh {build}'\n",
    );
    place.write("build.sh", build);
}

/// Writes a suite whose build creates a script that starts the scripted harness. The layout determines the
/// cost.
fn scripted(place: &Place) {
    let log = place.root.join("log");
    let build = format!(
        "test \"$1\" = \"$DERNY_BUILD\" || exit 1\necho \"$DERNY_PADDING\" >> '{}'\n\
         printf '#!/bin/sh\\nexec %s --cost-ns=%s\\n' '{}' \"$((50 + DERNY_PADDING * 2500))\" > \"$1/bench\"\nchmod +x \"$1/bench\"\n",
        log.display(),
        harness()
    );
    suite(place, &build);
}

fn events(place: &Place, args: &[&str]) -> Events {
    let tiny = ["--budget", "5s", "--set", "rounds=2", "--set", "warmup=0", "-f", "ndjson"];
    Events(place.derny(&[&["run"], &tiny[..], args].concat()).expect(0).lines())
}

#[test]
fn blocks_take_builds_in_turn_and_all_their_variants_the_same() {
    let place = Place::new();
    scripted(&place);
    let args = ["steady", "work", "--set", "builds=3", "--set", "processes=6", "-x", "a@.", "-x", "b+MODE=1"];
    let events = events(&place, &args);
    assert_eq!(events.settings()["builds"], 3);
    assert_eq!(
        std::fs::read_to_string(place.root.join("log")).unwrap(),
        "0\n1\n2\n",
        "both variants are one tree"
    );
    let mut of_block: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let mut of_case: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for process in events.of("process-started") {
        let build = process["build"].as_u64().unwrap();
        of_block.entry(process["block"].as_u64().unwrap()).or_default().insert(build);
        let command = process["command"][0].as_str().unwrap();
        assert!(command.contains(&format!("/build-{build}/")), "{command}");
        let visits = events.of("visit-started");
        let visit = visits.iter().find(|visit| visit["process"] == process["process"]).unwrap();
        of_case.entry(visit["case"].as_u64().unwrap()).or_default().push(build);
    }
    assert!(of_block.values().all(|builds| builds.len() == 1), "{of_block:?}");
    for builds in of_case.values() {
        let count = |build| builds.iter().filter(|other| **other == build).count();
        assert_eq!([count(0), count(1), count(2)], [4, 4, 4], "two blocks of two variants each: {builds:?}");
    }
    assert_eq!(of_case.len(), 2);
    // The values depend on the layout: the scripted harness takes a hundred times as long in build 2.
    let steady = events.0[0]["cases"]
        .as_array()
        .unwrap()
        .iter()
        .position(|case| case["id"]["benchmark"] == "fake/steady");
    let value = |build: u64| {
        let visits = events.of("visit-started");
        let of_build = |turn: &&&serde_json::Value| {
            let visit = visits.iter().find(|visit| visit["visit"] == turn["visit"]).unwrap();
            visit["case"].as_u64() == steady.map(|case| case as u64)
                && events.process_of(turn)["build"] == build
        };
        let per_call = |turn: &&serde_json::Value| number(&turn["times_ns"][0]) / number(&turn["iterations"]);
        median(events.turns("measured").iter().filter(of_build).map(per_call).collect())
    };
    let ratio = value(2) / value(0);
    assert!(ratio > 10.0, "{ratio}");
}

#[test]
fn a_revision_is_built_with_every_layout_too() {
    let place = Place::new();
    scripted(&place);
    place.write(".gitignore", ".derny\nlog\n");
    for args in [
        &["init", "-q", "-b", "main"][..],
        &["add", "."],
        &[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@t",
            "-c",
            "commit.gpgsign=false",
            "commit",
            "-qm",
            "first",
        ],
    ] {
        assert!(Command::new("git").current_dir(&place.root).args(args).status().unwrap().success());
    }
    let args = ["steady", "--set", "builds=2", "--set", "processes=4", "-x", "main@main", "-x", "head"];
    let first = events(&place, &args);
    let variants = &first.0[0]["run"]["variants"];
    let folders: BTreeSet<&str> =
        (0..4).map(|k| variants[k / 2]["builds"][k % 2].as_str().unwrap()).collect();
    assert_eq!(folders.len(), 4, "every variant and every build has a folder: {folders:?}");
    let built = || std::fs::read_to_string(place.root.join("log")).unwrap().lines().count();
    assert_eq!(built(), 4);
    events(&place, &args);
    assert_eq!(built(), 6, "the revision's builds are kept, the working tree's are made again");
    events(&place, &["steady", "--set", "builds=3", "--set", "processes=4", "-x", "main@main", "-x", "head"]);
    assert_eq!(built(), 10, "one more of the revision, three of the working tree");
}

/// Both sides use the same layouts, so the difference between the sides is the same in every layout.
#[test]
fn a_comparison_over_builds_ends_with_its_verdict() {
    let place = Place::new();
    let build = format!(
        "printf '#!/bin/sh\\nexec %s --cost-ns=%s \"$@\"\\n' '{}' \"$((50 + DERNY_PADDING))\" > \"$1/bench\"\nchmod +x \"$1/bench\"\n",
        harness()
    );
    suite(&place, &build);
    // In all three builds, side b is about twenty times slower, so a few pairs are enough even on a busy
    // machine.
    let args =
        ["steady", "--set", "builds=3", "--set", "processes=40", "--budget", "120s", "--set", "rounds=12"];
    let variants = ["--set", "warmup=0", "-f", "ndjson", "-x", "a@.", "-x", "b+--offset=900"];
    let events = Events(place.derny(&[&["run"][..], &args, &variants].concat()).expect(0).lines());
    assert_eq!(events.of("case-ended")[0]["reason"], "verdict");
    let blocks: BTreeSet<u64> =
        events.of("process-started").iter().map(|process| process["block"].as_u64().unwrap()).collect();
    assert!(blocks.len() < 40, "{blocks:?}");
    let comparison = place.derny(&["compare", "-f", "json"]).expect(0).comparison();
    assert_eq!(comparison["cases"][0]["sides"][0]["verdict"], "worse");
}

#[test]
fn without_builds_there_is_one() {
    let place = Place::new();
    scripted(&place);
    let events = events(&place, &["steady", "--set", "processes=2"]);
    assert!(events.of("process-started").iter().all(|process| process["build"] == 0));
    assert_eq!(events.settings()["builds"], 0);
    let listed = place.derny(&["list", "-f", "plain"]).expect(0);
    assert!(listed.out.contains("fake/steady"), "{}", listed.out);
}

#[test]
fn layouts_that_cannot_be_sampled_are_refused() {
    let place = Place::new();
    let refused = |args: &[&str], told: &str| {
        let done = place.derny(&[&["run"], &TINY[..2], &["steady"], args].concat()).expect(2);
        assert!(done.err.contains(told), "{told}: {}", done.err);
    };
    refused(&["--set", "builds=2", "--", harness()], "and no selected suite has one");
    let in_place = format!("[suite.s]\nharness = {{ command = '{}' }}\nbuild = 'true'\n", harness());
    place.write("derny.toml", &in_place);
    refused(&["--set", "builds=2"], "always built into the same folder");
    suite(&place, &format!("cp '{}' \"$1/bench\"\n", harness()));
    refused(&["--set", "builds=2"], "builds 0 and 1 of suite `s` are the same program");
    refused(&["--set", "builds=8", "--set", "processes=4"], "--set processes=8");
    refused(&["--set", "builds=1"], "1");
    assert!(place.runs().is_empty());
    // A program that contains the build number differs in each build.
    let append = format!("cp '{}' \"$1/bench\"\necho \"$DERNY_PADDING\" >> \"$1/bench\"\n", harness());
    suite(&place, &append);
    let binaries: BTreeSet<String> = events(&place, &["steady", "--set", "builds=2", "--set", "processes=2"])
        .of("process-started")
        .iter()
        .map(|process| process["binary"].as_str().unwrap().to_string())
        .collect();
    assert_eq!(binaries.len(), 2);
}

#[test]
fn records_tell_whether_variants_are_different_binaries() {
    let place = Place::new();
    let other = place.root.join("other");
    std::fs::copy(harness(), &other).unwrap();
    use std::io::Write;
    std::fs::OpenOptions::new().append(true).open(&other).unwrap().write_all(b"changed").unwrap();
    let (old, new) = (format!("old={}", harness()), format!("new={}", other.display()));
    let events = place.events(&["steady", "--control", "-x", &old, "-x", &new, "-x", "flag+--offset=1"]);
    let of = |variant: u64| {
        let started = events.of("process-started");
        let of_variant = started.iter().filter(|process| process["variant"] == variant);
        let all: BTreeSet<String> =
            of_variant.map(|process| process["binary"].as_str().unwrap().into()).collect();
        assert_eq!(all.len(), 1);
        all.into_iter().next().unwrap()
    };
    assert_eq!(of(0), of(1), "the control is the same");
    assert_ne!(of(0), of(2));
    assert_eq!(of(0), of(3), "a flag makes no other binary");
    let script = place.program("bench.sh", &format!("#!/bin/sh\nexec '{}'\n", harness()));
    let mut args = vec!["run", "steady", "-f", "ndjson"];
    args.extend(TINY);
    args.extend(["--", script.to_str().unwrap()]);
    let events = Events(place.derny(&args).expect(0).lines());
    assert!(
        events.of("process-started").iter().all(|process| process["binary"].is_null()),
        "a script is none"
    );
}

/// Returns the code block of docs/guide/variants.md that begins with this line.
fn recipe(first: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/variants.md");
    let text = std::fs::read_to_string(path).unwrap();
    let start = text.find(&format!("```sh\n{first}")).unwrap_or_else(|| panic!("no recipe `{first}`")) + 6;
    text[start..].split("```").next().unwrap().to_string()
}

/// Builds a program with a recipe for three layouts, the first one twice. Returns what each build prints: the
/// addresses of its functions. Returns `None` if the linker does not support the recipe.
fn layouts(place: &Place, script: &str, program: &str) -> Option<[String; 4]> {
    place.write("build.sh", script);
    let layout = |number: &str, folder: &str| {
        let folder = place.root.join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut build = Command::new("sh");
        build.arg("build.sh").current_dir(&place.root);
        build.env("DERNY_PADDING", number).env("DERNY_BUILD", &folder);
        let output = build.output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        if complaint.contains("shuffle-sections") {
            return None; // the linker is not the one that the recipe needs
        }
        assert!(output.status.success(), "{complaint}");
        let said = Command::new(folder.join(program)).output().unwrap();
        Some(String::from_utf8(said.stdout).unwrap())
    };
    Some([layout("0", "b0")?, layout("0", "again")?, layout("1", "b1")?, layout("2", "b2")?])
}

fn check(layouts: &[String; 4]) {
    let [plain, again, one, two] = layouts;
    assert_eq!(plain, again, "the same number is the same layout");
    assert!(plain != one && one != two && plain != two, "three layouts: {layouts:?}");
}

#[test]
fn the_recipe_for_c_moves_functions() {
    if Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let place = Place::new();
    place.write(
        "bench.c",
        "#include <stdio.h>\n__attribute__((noinline)) int f(int x) { return x * 3; }\n\
         int main(void) { printf(\"%lx\\n\", (unsigned long)f & 4095); return f(0); }\n",
    );
    check(&layouts(&place, &recipe("# C"), "bench").unwrap());
}

#[test]
fn the_recipe_for_rust_moves_functions() {
    let place = Place::new();
    place
        .write("Cargo.toml", "[package]\nname = 'bench'\nversion = '0.0.0'\nedition = '2021'\n[workspace]\n");
    place.write(
        "src/main.rs",
        "#[inline(never)]\nfn f(x: u64) -> u64 { std::hint::black_box(x) * 3 }\n#[inline(never)]\n\
         fn g(x: u64) -> u64 { std::hint::black_box(x) * 5 }\nfn main() {\n    \
         println!(\"{:x} {:x}\", f as fn(u64) -> u64 as usize & 4095, g as fn(u64) -> u64 as usize & 4095);\n    \
         assert_eq!(f(1) + g(1), 8);\n}\n",
    );
    if let Some(layouts) = layouts(&place, &recipe("# Rust"), "release/bench") {
        check(&layouts);
    }
}
