//! Tests `derny fleet` on several machines, and what can go wrong between them.

#![cfg(unix)]

use crate::place::{Done, Place, harness, number};
use derny_model::{FleetPlan, Records};
use derny_store::Store;
use serde_json::Value;
use std::path::Path;

/// Returns the arguments of a plan with made-up times whose second side is slower by half.
pub fn words(more: &[&str]) -> Vec<String> {
    let new = format!("new={} --made-up --cases=3 --offset=50", harness());
    let fixed = [
        "fleet",
        "plan",
        "-x",
        "old@.",
        "-x",
        &new,
        "--set",
        "rounds=3",
        "--set",
        "warmup=0",
        "--budget",
        "60s",
        "--set",
        "pin=none",
        "--set",
        "isolation=suite",
    ];
    let own = ["-o", "plan.json", "--", harness(), "--made-up", "--cases=3"];
    [&fixed[..], more, &own].concat().into_iter().map(str::to_owned).collect()
}

/// Runs `derny fleet plan` with the arguments of [`words`].
fn planned(place: &Place, more: &[&str]) -> Done {
    let words = words(more);
    place.derny(&words.iter().map(String::as_str).collect::<Vec<&str>>())
}

#[track_caller]
pub fn plan(place: &Place, more: &[&str]) -> Value {
    let done = planned(place, more).expect(0);
    assert!(done.err.contains("of machine time"), "{}", done.err);
    read(place, "plan.json")
}

#[track_caller]
fn read(place: &Place, name: &str) -> Value {
    let text = place.read(name);
    Done { code: 0, out: text, err: String::new() }.json()
}

/// Measures a shard on a machine with this name.
pub fn shard(place: &Place, plan: &str, shard: &str, part: &str, machine: &str) -> Done {
    place.derny(&["fleet", "shard", plan, shard, "-o", part, "--machine", machine])
}

pub fn merge(place: &Place, parts: &[&str]) -> Done {
    place.derny(&[&["fleet", "merge", "-f", "json"], parts].concat())
}

pub fn changes(document: &Value) -> Vec<Value> {
    let cases = document["comparison"]["cases"].as_array().unwrap();
    cases.iter().map(|case| case["sides"][0]["changes"][0].clone()).collect()
}

pub fn verdicts(document: &Value) -> Vec<String> {
    let cases = document["comparison"]["cases"].as_array().unwrap();
    cases.iter().map(|case| case["sides"][0]["verdict"].as_str().unwrap().to_owned()).collect()
}

fn exists(place: &Place, name: &str) -> bool {
    place.root.join(name).exists()
}

/// Writes a changed copy of a file.
fn altered(place: &Place, from: &str, to: &str, change: impl Fn(&mut Value)) {
    let mut value: Value = serde_json::from_str(&place.read(from)).unwrap();
    change(&mut value);
    place.write(to, &value.to_string());
}

#[test]
fn parts_of_two_machines_are_one_result() {
    let place = Place::new();
    let planned = plan(&place, &["--shards", "2"]);
    assert_eq!((planned["wave"].as_u64(), planned["cases"].as_array().unwrap().len()), (Some(1), 3));
    let blocks: Vec<u64> = planned["shards"].as_array().unwrap().iter().flat_map(cases).collect();
    assert_eq!(blocks.len(), 3, "every case is in one shard");
    let first = shard(&place, "plan.json", "1/2", "r1.derny", "a").expect(0);
    assert_eq!(first.err.lines().next(), Some("shard 1 of 2"));
    // The scheduler's variable has the same effect, but counts from 0.
    let env = [("JOB_COMPLETION_INDEX", "1"), ("DERNY_MACHINE", "b")];
    let second = place.derny_with(&env, &["fleet", "shard", "plan.json", "-o", "r2.derny"]).expect(0);
    assert_eq!(second.err.lines().next(), Some("shard 2 of 2"));
    let merged = merge(&place, &["r1.derny", "r2.derny"]).expect(0);
    let document = merged.json();
    assert_eq!(verdicts(&document), ["worse"; 3]);
    assert_eq!(document["comparison"]["pairing"], "paired");
    for change in changes(&document) {
        assert!((0.4..0.6).contains(&number(&change["change"]["value"])), "{change}");
        // With three comparisons, five pairs would be too few to show any change, so eight are planned.
        assert_eq!((number(&change["replicates"]), number(&change["machines"])), (8.0, 1.0));
    }
    assert_eq!(document["run"]["machines"].as_array().unwrap().len(), 2);
    // The order of the parts does not matter.
    assert_eq!(merge(&place, &["r2.derny", "r1.derny"]).expect(0).out, merged.out);
    // Parts contain digests of their cases. If a part has none, the turns give the same result.
    for (part, without) in [("r1.derny", "w1.derny"), ("r2.derny", "w2.derny")] {
        forged(&place, part, without, |_, _| {});
        let has =
            |part: &str| Store::open_part(&place.root.join(part)).unwrap().piece("concluded 0").unwrap();
        assert_eq!((has(part).is_some(), has(without)), (true, None));
    }
    assert_eq!(merge(&place, &["w1.derny", "w2.derny"]).expect(0).out, merged.out);
    assert!(!exists(&place, "undecided.json"), "{}", place.read("undecided.json"));
    // A side that is worse fails the gate on its own.
    place.derny(&["fleet", "merge", "r1.derny", "r2.derny", "--fail-on", "worse,unclear"]).expect(1);
    let table = place.derny(&["fleet", "merge", "r1.derny", "r2.derny", "-o", "merged"]).expect(0);
    assert!(table.out.is_empty() && place.read("merged").contains("slower"), "{}", table.err);
}

#[test]
fn what_was_merged_is_a_run_like_any_other() {
    let place = Place::new();
    plan(&place, &["--shards", "2"]);
    shard(&place, "plan.json", "1/2", "r1.derny", "a").expect(0);
    let half = merge(&place, &["r1.derny"]).expect(5).json();
    let half = half["run"]["id"].as_str().unwrap();
    shard(&place, "plan.json", "2/2", "r2.derny", "b").expect(0);
    let merged =
        place.derny(&["fleet", "merge", "r1.derny", "r2.derny", "-f", "json", "--save", "both"]).expect(0);
    assert!(merged.err.contains("measured by 2 machines"), "{}", merged.err);
    let document = merged.json();
    let id = document["run"]["id"].as_str().unwrap();
    // Merging again in another order gives the same run.
    assert_eq!(merge(&place, &["r2.derny", "r1.derny"]).expect(0).json()["run"]["id"], id);
    let runs = place.derny(&["runs", "-f", "json"]).expect(0);
    assert_eq!(
        serde_json::from_str::<Value>(&runs.out).unwrap().as_array().unwrap().len(),
        2,
        "{}",
        runs.out
    );
    // The merged run contains all measurements of the shards, and gives the same result.
    let again = place.derny(&["compare", "both", "-f", "json"]).expect(0).comparison();
    assert_eq!(again["cases"], document["comparison"]["cases"]);
    assert!(place.derny(&["show", id]).expect(0).out.contains("3 cases"));
    place.derny(&["compare", "--gate", id, "--fail-on", "worse,unclear"]).expect(1);
    assert!(place.derny(&["compare", id, "-f", "markdown"]).expect(0).out.contains("slower"));
    let raw = place.derny(&["export", id, "--raw", "-f", "csv"]).expect(0);
    assert!(raw.out.lines().count() > 100, "{}", raw.out);
    // A run without all parts is partial: it passes no gate, and no machine can resume it.
    let runs = place.derny(&["runs"]).expect(0).out;
    assert!(runs.lines().any(|line| line.contains(half) && line.contains("partial")), "{runs}");
    assert_ne!(place.derny(&["compare", "--gate", half]).code, 0);
    let resumed = place.derny(&["run", &format!("--resume={half}")]).expect(2);
    assert!(resumed.err.contains("was merged from parts"), "{}", resumed.err);
    // The next plan takes its costs from the merged run.
    let next = planned(&place, &["--shards", "2"]).expect(0);
    assert!(next.err.contains(&format!("costs are taken from run {id}")), "{}", next.err);
}

fn cases(shard: &Value) -> Vec<u64> {
    shard["blocks"].as_array().unwrap().iter().map(|block| block["case"].as_u64().unwrap()).collect()
}

/// Writes a copy of a part with its plan and its run changed.
pub fn forged(place: &Place, from: &str, to: &str, change: impl Fn(&mut FleetPlan, &mut Records)) {
    let part = Store::open_part(&place.root.join(from)).unwrap();
    let mut plan: FleetPlan = serde_json::from_str(&part.plan().unwrap().unwrap()).unwrap();
    let mut records = part.load("last").unwrap();
    change(&mut plan, &mut records);
    let store = Store::open(&place.root.join(format!("{to}.run"))).unwrap();
    store.set_plan(&serde_json::to_string(&plan).unwrap()).unwrap();
    store.keep(&records).unwrap();
    store.into_part(&place.root.join(to)).unwrap();
}

#[test]
fn a_plan_of_elsewhere_is_refused_by_name() {
    let place = Place::new();
    plan(&place, &["--shards", "1"]);
    let version = env!("CARGO_PKG_VERSION");
    altered(&place, "plan.json", "engine.json", |plan| plan["identity"]["derny"] = "0.0.1".into());
    altered(&place, "plan.json", "processor.json", |plan| {
        plan["identity"]["architecture"] = "m68k-amiga".into()
    });
    altered(&place, "plan.json", "newer.json", |plan| plan["format"] = 99.into());
    altered(&place, "plan.json", "commit.json", |plan| plan["identity"]["commit"] = "0".repeat(40).into());
    altered(&place, "plan.json", "cases.json", |plan| plan["identity"]["cases"] = "0".into());
    for (file, parts) in [
        ("engine.json", vec!["another version of Derny", "Derny 0.0.1", version, "try"]),
        ("processor.json", vec!["another architecture", "m68k-amiga", "try"]),
        ("newer.json", vec!["its format is 99", "try"]),
        (
            "commit.json",
            vec!["another commit", "no commit is checked out", "git checkout 000", "derny fleet plan"],
        ),
        ("cases.json", vec!["does not match the plan", "the cases", "try"]),
    ] {
        let refused = shard(&place, file, "1/1", "r.derny", "a").expect(2);
        parts.iter().for_each(|part| assert!(refused.err.contains(part), "{file}: {part}\n{}", refused.err));
        assert!(!exists(&place, "r.derny") && !exists(&place, ".r.derny.run"));
    }
    let time = planned(&place, &["--shards", "1", "--machine-time", "1ms"]).expect(2);
    assert!(time.err.contains("more machine time than allowed"), "{}", time.err);
}

#[test]
fn waves_go_on_until_machines_have_decided() {
    let place = Place::new();
    plan(&place, &["--shards", "2", "--machines-per-case", "2"]);
    shard(&place, "plan.json", "1/2", "a.derny", "a").expect(0);
    shard(&place, "plan.json", "2/2", "b.derny", "b").expect(0);
    let two = merge(&place, &["a.derny", "b.derny"]).expect(0);
    assert_eq!(verdicts(&two.json()), ["unclear"; 3]);
    for change in changes(&two.json()) {
        assert_eq!(change["because"], "two machines are too few for an interval");
        assert_eq!((number(&change["replicates"]), number(&change["machines"])), (8.0, 2.0));
    }
    assert!(two.err.contains("3 cases are undecided; undecided.json contains wave 2"), "{}", two.err);
    let next = read(&place, "undecided.json");
    assert_eq!(
        (next["wave"].as_u64(), next["measures"] == read(&place, "plan.json")["measures"]),
        (Some(2), true)
    );
    std::fs::rename(place.root.join("undecided.json"), place.root.join("wave-2.json")).unwrap();
    let third = shard(&place, "wave-2.json", "1/2", "c.derny", "c").expect(0);
    assert_eq!(third.err.lines().next(), Some("shard 1 of 2, wave 2"));
    let lost = merge(&place, &["a.derny", "b.derny", "c.derny"]).expect(5);
    assert!(lost.err.contains("missing: 2/2 of wave 2"), "{}", lost.err);
    shard(&place, "wave-2.json", "2/2", "d.derny", "d").expect(0);
    let four = merge(&place, &["a.derny", "b.derny", "c.derny", "d.derny"]).expect(0);
    assert_eq!(verdicts(&four.json()), ["worse"; 3]);
    for change in changes(&four.json()) {
        assert_eq!((number(&change["replicates"]), number(&change["machines"])), (16.0, 4.0));
    }
    // Once everything is decided, no plan is left, not even that of the previous wave.
    assert!(!exists(&place, "undecided.json"));
    // A second wave cannot be merged without the first.
    let alone = place.derny(&["fleet", "merge", "c.derny", "d.derny"]).expect(5);
    assert!(alone.err.contains("missing: 1/2") && alone.err.contains("missing: 2/2"), "{}", alone.err);
}

#[test]
fn a_benchmark_that_fails_on_a_machine_fails_the_merge() {
    let place = Place::new();
    let new = format!("new={} --made-up --fault=throw@measure", harness());
    let plan = [
        "fleet",
        "plan",
        "steady",
        "-x",
        "old@.",
        "-x",
        &new,
        "--set",
        "rounds=2",
        "--set",
        "warmup=0",
        "-o",
        "plan.json",
        "--",
    ];
    place.derny(&[&plan[..], &[harness(), "--made-up"]].concat()).expect(0);
    shard(&place, "plan.json", "1/1", "r.derny", "a").expect(3);
    let merged = place.derny(&["fleet", "merge", "r.derny", "--fail-on", "worse"]).expect(3);
    assert!(!merged.err.contains("missing"), "{}", merged.err);
}

#[test]
fn a_shard_whose_time_was_over_is_not_whole() {
    let place = Place::new();
    plan(&place, &["--shards", "1", "--total", "1ms"]);
    shard(&place, "plan.json", "1/1", "r.derny", "a").expect(5);
    let merged = place.derny(&["fleet", "merge", "r.derny"]).expect(5);
    assert!(merged.err.contains("r.derny is incomplete: shard 1/1"), "{}", merged.err);
}

#[test]
fn costs_are_those_of_stored_runs() {
    let place = Place::new();
    let new = format!("new={} --made-up --cases=3", harness());
    let run = [
        "run",
        "-x",
        "old@.",
        "-x",
        &new,
        "--set",
        "processes=3",
        "--set",
        "rounds=3",
        "--set",
        "warmup=0",
        "--budget",
        "60s",
    ];
    let own = ["--set", "pin=none", "--", harness(), "--made-up", "--cases=3"];
    place.derny(&[&run[..], &own].concat()).expect(0);
    let id = place.document()["run"]["id"].as_str().unwrap().to_owned();
    let done = planned(&place, &["--shards", "2"]).expect(0);
    assert!(done.err.contains(&format!("costs are taken from run {id}")), "{}", done.err);
}

/// Tests a plan in a git repository, with and without changes in the shard's checkout.
#[test]
fn a_plan_expires_with_its_commits_and_changes() {
    let place = Place::new();
    let git = |args: &[&str]| {
        let settings = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"];
        let done = std::process::Command::new("git")
            .current_dir(&place.root)
            .args(settings)
            .args(args)
            .output()
            .unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q", "-b", "main"]);
    place.write("file", "1");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let base = git(&["rev-parse", "HEAD"]);
    place.write("file", "2");
    let plan = [
        "fleet",
        "plan",
        "steady",
        "-x",
        "main@main",
        "-x",
        "head",
        "-o",
        "plan.json",
        "--set",
        "rounds=2",
        "--set",
        "warmup=0",
    ];
    place.derny(&[&plan[..], &["--", harness(), "--made-up"]].concat()).expect(0);
    let planned = read(&place, "plan.json");
    assert_eq!(
        (planned["sides"][0]["revision"].as_str(), planned["identity"]["commit"].as_str()),
        (Some(&*base), Some(&*base))
    );
    assert!(planned["identity"]["changes"].is_string());
    place.write("file", "3");
    let changed = shard(&place, "plan.json", "1/1", "r.derny", "a").expect(2);
    assert!(changed.err.contains("this checkout has different uncommitted changes"), "{}", changed.err);
    place.write("file", "1");
    let without = shard(&place, "plan.json", "1/1", "r.derny", "a").expect(2);
    assert!(
        without.err.contains("uncommitted changes, which this checkout does not have"),
        "{}",
        without.err
    );
    git(&["commit", "-q", "--allow-empty", "-m", "second"]);
    let later = shard(&place, "plan.json", "1/1", "r.derny", "a").expect(2);
    assert!(later.err.contains("another commit") && later.err.contains("derny fleet plan"), "{}", later.err);
    // A revision that does not exist any more.
    git(&["checkout", "-q", &base]);
    place.write("file", "2");
    altered(&place, "plan.json", "gone.json", |plan| plan["sides"][0]["revision"] = "1".repeat(40).into());
    let gone = shard(&place, "gone.json", "1/1", "r.derny", "a").expect(2);
    assert!(gone.err.contains("the plan is outdated") && gone.err.contains("git fetch"), "{}", gone.err);
    // With the original files, the shard is measured.
    shard(&place, "plan.json", "1/1", "r.derny", "a").expect(0);
}

#[test]
fn generated_files_hang_together_whatever_the_words_of_the_plan_are() {
    let place = Place::new();
    plan(&place, &["--shards", "2"]);
    altered(&place, "plan.json", "odd.json", |plan| {
        plan["args"] = ["fleet", "plan", "-x", "b=it's: a #1"].map(Value::from).to_vec().into();
    });
    let text = |scheduler: &str| place.derny(&["fleet", "generate", scheduler, "odd.json"]).expect(0).out;
    // Every job that another one needs exists, and so does every stage.
    let github = text("github");
    let jobs: Vec<&str> =
        github.lines().filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':')).collect();
    assert!(
        ["plan", "measure", "merge", "measure-again", "merge-again"].iter().all(|job| jobs.contains(job))
    );
    for line in github.lines().filter_map(|line| line.strip_prefix("    needs: ")) {
        let mut wanted = line.trim_matches(['[', ']']).split(", ");
        assert!(wanted.all(|job| jobs.contains(&job)), "{line}");
    }
    let gitlab = text("gitlab");
    let stages: Vec<&str> = gitlab.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    let used = gitlab.lines().filter_map(|line| line.strip_prefix("  stage: "));
    assert!(used.clone().count() == 5 && used.clone().all(|stage| stages.contains(&stage)), "{stages:?}");
    let buildkite = text("buildkite");
    let keys: Vec<&str> = buildkite.lines().filter_map(|line| line.strip_prefix("    key: ")).collect();
    let before =
        |line| ["      - step: ", "    depends_on: "].iter().find_map(|&word| str::strip_prefix(line, word));
    let awaited: Vec<&str> = buildkite.lines().filter_map(before).filter(|key| !key.is_empty()).collect();
    assert!(awaited.len() == 4 && awaited.iter().all(|key| keys.contains(key)), "{keys:?} {awaited:?}");
    // Text that YAML would parse as a mapping or a comment is in a block, unchanged.
    for (name, file) in [("github", &github), ("gitlab", &gitlab), ("buildkite", &buildkite)] {
        let lines: Vec<&str> = file.lines().collect();
        let at = lines.iter().position(|line| line.trim().starts_with("derny fleet plan")).unwrap();
        assert!(
            lines[at].ends_with(r"derny fleet plan -o plan.json -x 'b=it'\''s: a #1'"),
            "{name}: {}",
            lines[at]
        );
        assert!(lines[at - 1].ends_with('|'), "{name}: {}", lines[at - 1]);
    }
}

/// Set `DERNY_WRITE_DOCS` to update the files.
#[test]
fn files_for_schedulers_are_as_they_were() {
    let place = Place::new();
    plan(&place, &["--shards", "3"]);
    altered(&place, "plan.json", "fixed.json", |plan| {
        plan["id"] = "0123456789abcdef".into();
        plan["identity"]["architecture"] = "x86_64-linux".into();
        let words =
            ["fleet", "plan", "-x", "main@main", "-x", "head", "--shards", "3", "a b*", "-o", "plan.json"];
        plan["args"] = words.map(Value::from).to_vec().into();
    });
    for (scheduler, file) in [
        ("slurm", "slurm.sh"),
        ("kubernetes", "kubernetes.yml"),
        ("github", "github.yml"),
        ("gitlab", "gitlab.yml"),
        ("buildkite", "buildkite.yml"),
    ] {
        let text = place.derny(&["fleet", "generate", scheduler, "fixed.json"]).expect(0).out;
        // Keep the version out of the files, so that they need no change for a release.
        let expected = text.replace(concat!("/v", env!("CARGO_PKG_VERSION"), "/"), "/vVERSION/");
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated").join(file);
        if std::env::var_os("DERNY_WRITE_DOCS").is_some() {
            std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
            std::fs::write(&golden, &expected).unwrap();
        }
        assert_eq!(expected, std::fs::read_to_string(&golden).unwrap_or_default(), "{file}");
        for word in ["SHARDS", "NUMBERS", "PLAN", "WORDS", "RETRIES", "ARCHITECTURE", "BUILDS", "-NAME"] {
            assert!(!text.contains(word), "{file} still has {word}");
        }
        assert!(!text.contains('\t') && text.ends_with('\n'));
        place.derny(&["fleet", "generate", scheduler, "fixed.json", "-o", file]).expect(0);
        assert_eq!(place.read(file), text);
    }
    let script = place.root.join("slurm.sh");
    assert!(std::process::Command::new("sh").arg("-n").arg(script).status().unwrap().success());
}
